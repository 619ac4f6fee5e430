/** The extension: starts the language server, and adds the commands. */

import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type Location, type Position, State } from "vscode-languageclient/node";
import { lensAtCursor, Previews, SCHEME, showGraph } from "./preview";
import { findProgram } from "./program";
import { Status } from "./status";

const LENS_COMMANDS = ["mcpcfg.showReferences", "mcpcfg.showCompiled"];
const INSTALL = "mcpcfg is not installed. Install it with pipx (pipx install PATH/TO/mcpcfg), or state its path in the settings.";

let client: LanguageClient | undefined;
let program: string | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("mcpcfg");
  const status = new Status();
  const previews = new Previews(() => client);
  context.subscriptions.push(
    output,
    status,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, previews),
    vscode.workspace.onDidChangeTextDocument((event) => previews.refresh(event.document)),
    vscode.workspace.onDidCloseTextDocument((document) => previews.forget(document)),
    vscode.workspace.onDidGrantWorkspaceTrust(() => restart(output, status)),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("mcpcfg")) {
        await restart(output, status);
      }
    }),
    command("mcpcfg.restart", () => restart(output, status)),
    command("mcpcfg.showOutput", () => output.show()),
    command("mcpcfg.check", check),
    command("mcpcfg.graph", async () => {
      const folder = await chosenFolder();
      if (folder) {
        await showGraph(required(program, INSTALL), folder);
      }
    }),
    command("mcpcfg.preview", async () => {
      const editor = required(vscode.window.activeTextEditor, "Open a file with a resource first.");
      const data = await lensAtCursor(required(client, INSTALL), editor);
      await previews.show(required(data, "The operator creates nothing for this resource."));
    }),
    command("mcpcfg.showCompiled", (data: Parameters<Previews["show"]>[0]) => previews.show(data)),
    command("mcpcfg.showReferences", showReferences),
  );
  await start(output, status);
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

/** Register a command. An error is shown instead of being lost in the log. */
function command<A extends unknown[]>(name: string, action: (...args: A) => unknown): vscode.Disposable {
  return vscode.commands.registerCommand(name, async (...args: A) => {
    try {
      await action(...args);
    } catch (error) {
      void vscode.window.showErrorMessage(`mcpcfg: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
}

async function restart(output: vscode.OutputChannel, status: Status): Promise<void> {
  const last = client;
  client = undefined;
  await last?.dispose();
  await start(output, status);
}

async function start(output: vscode.OutputChannel, status: Status): Promise<void> {
  program = await findProgram();
  if (program === undefined) {
    status.showMissing();
    void explainInstallation();
    return;
  }
  const found = program;
  const settings = vscode.workspace.getConfiguration("mcpcfg");
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "yaml" },
      { scheme: "file", language: "json" },
      { scheme: "untitled", language: "yaml" },
    ],
    outputChannel: output,
    initializationOptions: {
      closed: settings.get("closed", false),
      isolated: settings.get("isolated", false),
      namespace: settings.get("namespace", "") || null,
      commands: LENS_COMMANDS,
    },
    middleware: {
      provideCodeLenses: (document, token, next) =>
        vscode.workspace.getConfiguration("mcpcfg").get("codeLens", true) ? next(document, token) : [],
    },
  };
  const started = new LanguageClient("mcpcfg", "mcpcfg", { command: found, args: ["lsp"] }, options);
  started.onDidChangeState((event) => {
    if (client === started) {
      status.show(event.newState, found);
    }
  });
  client = started;
  status.show(State.Starting, found);
  try {
    await started.start();
  } catch (error) {
    status.show(State.Stopped, found);
    void vscode.window.showErrorMessage(`mcpcfg: ${found} lsp does not start: ${String(error)}`);
  }
}

async function explainInstallation(): Promise<void> {
  const again = "Look Again";
  const settings = "Open Settings";
  const answer = await vscode.window.showWarningMessage(INSTALL, again, settings);
  if (answer === again) {
    await vscode.commands.executeCommand("mcpcfg.restart");
  } else if (answer === settings) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "mcpcfg.path");
  }
}

/** Run `mcpcfg check` in a terminal, so places of findings can be clicked. */
async function check(): Promise<void> {
  const folder = await chosenFolder();
  if (folder) {
    const shellPath = required(program, INSTALL);
    const task = new vscode.Task(
      { type: "mcpcfg" },
      folder,
      "check",
      "mcpcfg",
      new vscode.ProcessExecution(shellPath, ["check"], { cwd: folder.uri.fsPath }),
    );
    task.presentationOptions = { clear: true, reveal: vscode.TaskRevealKind.Always };
    await vscode.tasks.executeTask(task);
  }
}

/** Return the folder of the active file, or the one that the user chooses. */
async function chosenFolder(): Promise<vscode.WorkspaceFolder | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const around = active && vscode.workspace.getWorkspaceFolder(active);
  const folders = required(vscode.workspace.workspaceFolders, "Open a folder first.");
  return around ?? (folders.length === 1 ? folders[0] : vscode.window.showWorkspaceFolderPick());
}

function showReferences(uri: string, position: Position, locations: Location[]): Thenable<unknown> {
  const converter = required(client, INSTALL).protocol2CodeConverter;
  return vscode.commands.executeCommand(
    "editor.action.showReferences",
    converter.asUri(uri),
    converter.asPosition(position),
    locations.map(converter.asLocation),
  );
}

function required<T>(value: T | undefined, message: string): T {
  if (value === undefined) {
    throw new Error(message);
  }
  return value;
}
