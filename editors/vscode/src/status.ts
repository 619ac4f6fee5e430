/** The state of the language server in the status bar. */

import * as vscode from "vscode";
import { State } from "vscode-languageclient/node";

const TEXTS: Record<State, string> = {
  [State.Starting]: "$(sync~spin) mcpcfg",
  [State.Running]: "$(check) mcpcfg",
  [State.Stopped]: "$(error) mcpcfg",
};
const TOOLTIPS: Record<State, string> = {
  [State.Starting]: "The language server starts.",
  [State.Running]: "The language server runs. Click to see its output.",
  [State.Stopped]: "The language server has stopped. Click to see its output.",
};

export class Status implements vscode.Disposable {
  private readonly item = vscode.window.createStatusBarItem("mcpcfg", vscode.StatusBarAlignment.Left);

  constructor() {
    this.item.name = "mcpcfg";
    this.item.command = "mcpcfg.showOutput";
  }

  /** Show a state of the server, with the program that runs. */
  show(state: State, program: string): void {
    this.item.text = TEXTS[state];
    this.item.tooltip = `${TOOLTIPS[state]}\n${program}`;
    this.item.command = "mcpcfg.showOutput";
    this.item.show();
  }

  /** Show that mcpcfg is not installed. A click looks for the program again. */
  showMissing(): void {
    this.item.text = "$(warning) mcpcfg";
    this.item.tooltip = "mcpcfg is not installed. Click to look for it again.";
    this.item.command = "mcpcfg.restart";
    this.item.show();
  }

  dispose(): void {
    this.item.dispose();
  }
}
