// A session in a real VS Code: code-server with the packaged extension, driven by Chromium.
//
//     make vscode
//     MCPCFG=$PWD/.venv/bin/mcpcfg CODE_SERVER=…/code-server/out/node/entry.js PLAYWRIGHT=…/node_modules/playwright-core \
//       node editors/vscode/drive/session.mjs [SCREENSHOT.png]
//
// Without MCPCFG, the extension searches for the program on the PATH of your login shell. CHROMIUM is the browser.
//
// A fault is underlined, hover and completion appear, the quick fix mends the fault, a name is changed in two files, and
// the preview follows. The script prints a line for each step, and ends with status 1 at the first that fails.

import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const { chromium } = createRequire(import.meta.url)(process.env.PLAYWRIGHT ?? "playwright-core");
const server = process.env.CODE_SERVER ?? "code-server";
const here = path.dirname(fileURLToPath(import.meta.url));
const port = Number(process.env.PORT ?? 8931);
const screenshot = process.argv[2];
const patience = 60_000;

const SERVER = `apiVersion: toolhive.stacklok.dev/v1alpha1
kind: MCPServer
metadata:
  name: fetch
spec:
  image: ghcr.io/stackloklabs/gofetch/server:1.0.3
  transport: streamable-htp
  mcpPort: 8080
  groupRef:
    name: tools
`;
const GROUP = `apiVersion: toolhive.stacklok.dev/v1alpha1
kind: MCPGroup
metadata:
  name: tools
spec: {}
`;

const root = mkdtempSync(path.join(tmpdir(), "mcpcfg-vscode-"));
const folder = path.join(root, "servers");
const data = path.join(root, "data");
mkdirSync(folder);
mkdirSync(path.join(data, "User"), { recursive: true });
writeFileSync(path.join(folder, "server.yaml"), SERVER);
writeFileSync(path.join(folder, "group.yaml"), GROUP);
writeFileSync(
  path.join(data, "User", "settings.json"),
  JSON.stringify({
    "mcpcfg.path": process.env.MCPCFG ?? "",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": false,
    "editor.minimap.enabled": false,
    "editor.fontSize": 13,
    "files.autoSave": "afterDelay",
    "files.refactoring.autoSave": true,
    "security.workspace.trust.enabled": false,
    "telemetry.telemetryLevel": "off",
  }),
);

function codeServer(...args) {
  const program = server.endsWith(".js") ? [process.execPath, server] : [server];
  const all = [...program.slice(1), "--user-data-dir", data, "--extensions-dir", path.join(root, "extensions"), ...args];
  return [program[0], all];
}

function step(name, isRight, shown = "") {
  console.log(`${isRight ? "ok  " : "FAIL"} ${name}${shown ? `: ${shown}` : ""}`);
  if (!isRight) {
    throw new Error(name);
  }
}

async function drive(page) {
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
  await page.locator(".monaco-workbench").waitFor({ timeout: patience });
  await open(page, "server.yaml");

  const status = page.locator('.statusbar-item[id*="mcpcfg"]').first();
  await status.filter({ has: page.locator(".codicon-check") }).waitFor({ timeout: patience });
  step("the status bar shows that the language server runs", true);

  await page.locator(".squiggly-error").first().waitFor({ timeout: patience });
  step("the fault is underlined", true);
  const lens = page.locator(".codelens-decoration", { hasText: /reference/ }).first();
  await lens.waitFor({ timeout: patience });
  const shown = (await lens.innerText()).replace(/\s+/g, " ");
  step("a lens counts the references", shown.includes("no references"), shown);

  await goto(page, 7, 20);
  await page.keyboard.press("Control+K");
  await page.keyboard.press("Control+I");
  const hover = page.locator(".monaco-hover:visible", { hasText: "MCPServer.spec.transport" }).first();
  await hover.waitFor({ timeout: patience });
  step("hover shows the finding and the page of the field", (await hover.innerText()).includes("ADM004"));
  if (screenshot) {
    await page.waitForTimeout(500);
    await page.screenshot({ path: screenshot });
  }
  await page.keyboard.press("Escape");

  await page.keyboard.press("Control+.");
  const fix = page.locator(".action-widget .monaco-list-row", { hasText: /streamable-http/i }).first();
  await fix.waitFor({ timeout: patience });
  const title = await fix.innerText();
  await page.keyboard.press("Enter");
  await page.locator(".squiggly-error").first().waitFor({ state: "detached", timeout: patience });
  step("the quick fix mends the fault", true, title.trim());
  const compiled = page.locator(".codelens-decoration", { hasText: "compiles to" }).first();
  await compiled.waitFor({ timeout: patience });
  step("a lens names the compiled objects", true, (await compiled.innerText()).replace(/\s+/g, " "));

  await goto(page, 8, 99);
  await page.keyboard.type("\n");
  await page.keyboard.type("per");
  await page.keyboard.press("Control+Space");
  const item = page.locator(".suggest-widget .monaco-list-row", { hasText: "permissionProfile" }).first();
  await item.waitFor({ timeout: patience });
  step("completion offers a field", true, "permissionProfile");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+K");

  await goto(page, 10, 12);
  await page.keyboard.press("F2");
  const box = page.locator(".rename-box input").first();
  await box.waitFor({ timeout: patience });
  step("rename starts from the name of the group", (await box.inputValue()) === "tools");
  await box.fill("team");
  await page.keyboard.press("Enter");
  await until(() => readFileSync(path.join(folder, "group.yaml"), "utf8").includes("name: team"));
  step("the group is renamed in its own file", true);

  await goto(page, 4, 10);
  await command(page, "mcpcfg: Preview What Is Compiled");
  await page.locator(".tab", { hasText: "MCPServer fetch.yaml" }).first().waitFor({ timeout: patience });
  const owner = page.locator(".view-line", { hasText: /ownerReferences|app.kubernetes.io\/name/ }).first();
  await owner.waitFor({ timeout: patience });
  step("the preview shows the objects that the operator creates", true, (await owner.innerText()).trim());

  await command(page, "mcpcfg: Show the Graph");
  await page.locator(".tab", { hasText: "Graph of servers" }).first().waitFor({ timeout: patience });
  await until(async () => {
    const drawn = await Promise.all(page.frames().map((frame) => frame.locator("svg").count().catch(() => 0)));
    return drawn.some((count, number) => number > 0 && count > 0);
  });
  step("the graph is drawn", true);
}

async function open(page, name) {
  await page.keyboard.press("Control+P");
  await page.locator(".quick-input-widget input").first().fill(name);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: name }).first().waitFor({ timeout: patience });
  await page.keyboard.press("Enter");
  await page.locator(".tab.active", { hasText: name }).waitFor({ timeout: patience });
}

async function goto(page, line, column) {
  await page.keyboard.press("Control+G");
  await page.locator(".quick-input-widget input").first().fill(`:${line}:${column}`);
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget").first().waitFor({ state: "hidden", timeout: patience });
}

async function command(page, title) {
  await page.keyboard.press("F1");
  await page.locator(".quick-input-widget input").first().fill(`>${title}`);
  await page.locator(".quick-input-list .monaco-list-row", { hasText: title.split(": ").at(-1) }).first().waitFor({ timeout: patience });
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget").first().waitFor({ state: "hidden", timeout: patience });
}

async function until(isTrue) {
  const end = Date.now() + patience;
  while (!(await isTrue())) {
    if (Date.now() > end) {
      throw new Error("it takes too long");
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const [installer, installing] = codeServer("--install-extension", path.join(here, "..", "mcpcfg.vsix"));
const installed = spawnSync(installer, installing, { encoding: "utf8" });
step("the extension is installed", installed.status === 0, installed.stderr.trim());
const [program, args] = codeServer("--auth", "none", "--bind-addr", `127.0.0.1:${port}`, "--disable-update-check", "--disable-telemetry");
const running = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] });
let browser;
try {
  await new Promise((resolve, reject) => {
    running.stdout.on("data", (text) => String(text).includes("HTTP server listening") && resolve());
    running.on("exit", (status) => reject(new Error(`code-server ended with ${status}`)));
    setTimeout(() => reject(new Error("code-server does not start")), patience);
  });
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  const page = await browser.newPage({ viewport: { width: 1000, height: 620 } });
  try {
    await drive(page);
  } catch (error) {
    await page.screenshot({ path: path.join(tmpdir(), "mcpcfg-vscode-failed.png") });
    throw error;
  }
} catch (error) {
  console.error(String(error));
  process.exitCode = 1;
} finally {
  await browser?.close();
  running.kill();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
}
