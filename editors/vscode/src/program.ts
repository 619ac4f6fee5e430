/** Finds the program mcpcfg, and runs it. */

import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import * as vscode from "vscode";
import { candidates } from "./candidates";

/** Milliseconds after which a command has failed. */
const PATIENCE = 60_000;
/** Most bytes that a command may print: graphs of large projects have some megabytes. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The output of a command. Status 1 means that there are findings. */
export interface Outcome {
  status: number;
  out: string;
  err: string;
}

/**
 * Return the absolute path of the program, or undefined if it is not installed.
 *
 * The setting comes first, then the environments of the folders that are open, then the PATH. Programs of a folder only
 * count if the folder is trusted, because any repository may contain one.
 */
export async function findProgram(): Promise<string | undefined> {
  const setting = vscode.workspace.getConfiguration("mcpcfg").get<string>("path", "").trim();
  const folders = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []).map((one) => one.uri.fsPath) : [];
  for (const file of candidates(setting, folders, process.env.PATH ?? "", process.platform)) {
    if (await isExecutable(file)) {
      return file;
    }
  }
  return undefined;
}

/** Run the program in a folder, without a shell. */
export function run(program: string, args: string[], folder: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const options = { cwd: folder, timeout: PATIENCE, maxBuffer: MOST_BYTES };
    execFile(program, args, options, (error, out, err) => {
      if (error && typeof error.code !== "number") {
        reject(error);
      } else {
        resolve({ status: error ? Number(error.code) : 0, out, err });
      }
    });
  });
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
