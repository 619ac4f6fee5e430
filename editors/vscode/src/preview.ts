/** Read-only documents: the objects that a resource compiles to, and the graph of a folder. */

import * as path from "node:path";
import * as vscode from "vscode";
import { ExecuteCommandRequest, type LanguageClient } from "vscode-languageclient/node";
import { run } from "./program";

export const SCHEME = "mcpcfg";

/** What a lens of the server says about its resource. */
interface LensData {
  uri: string;
  kind: string;
  name: string;
  sort: string;
  number: number;
}

/** Provides the text of previews, and keeps them up to date while a document is edited. */
export class Previews implements vscode.TextDocumentContentProvider {
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly shown = new Map<string, LensData>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly client: () => LanguageClient | undefined) {}

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const data = this.shown.get(uri.toString());
    const client = this.client();
    if (!data || !client) {
      return "";
    }
    const params = { command: "mcpcfg.compile", arguments: [data] };
    const text: unknown = await client.sendRequest(ExecuteCommandRequest.type, params);
    return typeof text === "string" && text ? text : "# The resource has errors or unknown values, so nothing is compiled.\n";
  }

  /** Show what a resource compiles to beside its document. */
  async show(data: LensData): Promise<void> {
    const file = `/${data.kind} ${data.name}.yaml`;
    const uri = vscode.Uri.from({ scheme: SCHEME, path: file, query: `${data.uri}#${data.number}` });
    this.shown.set(uri.toString(), data);
    this.changed.fire(uri);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }

  /** Compute the open previews of a document again. */
  refresh(document: vscode.TextDocument): void {
    const source = document.uri.toString();
    for (const [uri, data] of this.shown) {
      if (data.uri === source) {
        this.changed.fire(vscode.Uri.parse(uri));
      }
    }
  }

  forget(document: vscode.TextDocument): void {
    this.shown.delete(document.uri.toString());
  }
}

/** Return the data of the lens of the resource at the cursor, or undefined if nothing is compiled from it. */
export async function lensAtCursor(client: LanguageClient, editor: vscode.TextEditor): Promise<LensData | undefined> {
  const textDocument = { uri: client.code2ProtocolConverter.asUri(editor.document.uri) };
  const answer = await client.sendRequest<{ range: { start: { line: number } }; data: LensData }[] | null>(
    "textDocument/codeLens",
    { textDocument },
  );
  const compiled = (answer ?? []).filter((lens) => lens.data.sort === "compiled");
  const line = editor.selection.active.line;
  // The lens is at the name, which is some lines below the start of its resource.
  const above = compiled.filter((lens) => lens.range.start.line <= line);
  return (above.at(-1) ?? compiled[0])?.data;
}

/** Show the graph of a folder as a page. The page is one of mcpcfg without resources from elsewhere. */
export async function showGraph(program: string, folder: vscode.WorkspaceFolder): Promise<void> {
  const outcome = await run(program, ["graph", "--format", "html"], folder.uri.fsPath);
  if (!outcome.out) {
    throw new Error(outcome.err.trim() || "mcpcfg graph printed nothing");
  }
  const title = `Graph of ${path.basename(folder.uri.fsPath)}`;
  const panel = vscode.window.createWebviewPanel("mcpcfg.graph", title, vscode.ViewColumn.Active, {
    enableScripts: true,
    localResourceRoots: [],
  });
  panel.webview.html = outcome.out;
}
