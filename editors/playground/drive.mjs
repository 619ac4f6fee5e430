// Drives the playground in Chromium as a visitor would, and prints a line for each step with what it measured:
//
//     make docs
//     node editors/playground/drive.mjs build/site/html [FOLDER FOR SCREENSHOTS]
//
// CHROMIUM is the browser. The script ends with status 1 at the first step that fails, or if the page asks another host.

import assert from "node:assert/strict";
import { mkdirSync, statSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { chromium } from "playwright-core";

import { serve } from "./server.mjs";

const [site, pictures] = process.argv.slice(2);
const { address, asked, close } = await serve(site);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
const foreign = [];
const broken = [];

async function newPage(options) {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"], ...options });
  const page = await context.newPage();
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(blob|data|about):/.test(url)) foreign.push(url);
  });
  page.on("pageerror", (error) => broken.push(String(error)));
  page.on("console", (message) => message.type() === "error" && broken.push(message.text()));
  return page;
}

const picture = async (page, name) => {
  if (pictures === undefined) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: path.join(pictures, `${name}.png`) });
};
const step = (text) => console.log(`- ${text}`);
const rules = (page) => page.locator(".finding .head a").allTextContents();
const settled = (page) => page.waitForFunction(() => /judged by/.test(document.getElementById("status").textContent));

const SERVER = `apiVersion: toolhive.stacklok.dev/v1alpha1
kind: MCPServer
metadata:
  name: fetch
spec:
  image: ghcr.io/stackloklabs/gofetch/server:1.0.5
  transport: streamable-htp
`;

// From an empty cache, and from the cache of the browser.
const page = await newPage({ viewport: { width: 1280, height: 800 } });
let begin = Date.now();
await page.goto(`${address}playground/`);
await page.waitForSelector(".finding");
step(`first finding after ${Date.now() - begin} ms, from an empty cache`);
begin = Date.now();
await page.reload();
await page.waitForSelector(".finding");
step(`first finding after ${Date.now() - begin} ms, from the browser's cache`);
const sizes = [...new Set(asked)].filter((name) => name.startsWith("/playground/"));
step(`files: ${sizes.map((name) => `${name.slice(12) || "index.html"} ${size(name)}`).join(", ")}`);
await picture(page, "example");

function size(name) {
  const file = path.join(site, name);
  return statSync(statSync(file).isDirectory() ? path.join(file, "index.html") : file).size;
}

// A fault is typed, shown and fixed by a click; the compiled object changes.
await page.locator(".cm-content").click();
await page.keyboard.press("Control+A");
await page.keyboard.insertText(SERVER);
await page.waitForFunction(() => /streamable-htp/.test(document.getElementById("result").textContent));
assert.ok((await rules(page)).includes("ADM004"));
assert.ok((await page.locator(".cm-lintRange-error").count()) > 0);
step("a fault that is typed is listed and underlined");
await picture(page, "fault");
await page.locator(".fix").first().click();
await page.waitForFunction(() => !/streamable-htp/.test(document.querySelector(".cm-content").textContent));
await page.waitForFunction(() => !/streamable-htp/.test(document.getElementById("result").textContent));
step("a click on the fix fixes it");
await page.getByRole("tab", { name: "Kubernetes" }).click();
await page.waitForFunction(() => /kind: Deployment/.test(document.getElementById("result").textContent));
await page.locator(".cm-content").click();
await page.keyboard.press("Control+End");
await page.keyboard.type("  mcpPort: 9099");
await page.waitForFunction(() => /9099/.test(document.getElementById("result").textContent));
step("the compiled objects follow the text");
await picture(page, "kubernetes");
for (const view of ["RunConfig", "vMCP", "Graph", "Findings"]) {
  await page.getByRole("tab", { name: view }).click();
  await page.waitForTimeout(1500);
  await picture(page, view.toLowerCase());
}

// Typing: the time from a key to the findings.
await page.locator(".cm-content").click();
await page.keyboard.press("Control+End");
const times = [];
for (const key of "abcdefgh") {
  const mark = Date.now();
  const before = await page.evaluate(() => performance.getEntriesByName("mcpcfg-check").length);
  await page.keyboard.type(key === "a" ? "\n# a" : key);
  await page.waitForFunction((many) => performance.getEntriesByName("mcpcfg-check").length > many, before);
  times.push(Date.now() - mark);
}
const checks = await page.evaluate(() => performance.getEntriesByName("mcpcfg-check").map((entry) => entry.duration));
step(`a check while typing: ${Math.min(...checks.slice(-8)).toFixed(0)} ms; a key to its findings: ${Math.min(...times)} ms`);

// A link to the page of the rule, and a shared address.
const link = await page.locator(".finding .head a").first().getAttribute("href").catch(() => null);
step(`a rule is linked: ${link}`);
await page.getByRole("button", { name: "Share" }).click();
await page.waitForFunction(() => location.hash.length > 10);
const shared = await newPage({ viewport: { width: 390, height: 844 }, colorScheme: "dark", hasTouch: true });
await shared.goto(page.url());
await settled(shared);
assert.match(await shared.locator(".cm-content").textContent(), /9099/);
step(`the shared address (${page.url().length} characters) opens at 390 pixels, in the dark, without a scroll bar below`);
await picture(shared, "phone-dark");
assert.equal(await shared.evaluate(() => document.documentElement.scrollWidth), 390);
await shared.getByRole("tab", { name: "Graph" }).click();
await shared.waitForSelector("#result iframe");
await shared.waitForTimeout(1000);
await picture(shared, "phone-graph");

// An example by name, and one of a rule.
await page.selectOption("#example", { index: 3 });
await page.waitForFunction(() => /backends\.yaml/.test(document.getElementById("files").textContent));
step("an example opens by its name");
const ofRule = await newPage({ viewport: { width: 1280, height: 800 } });
await ofRule.goto(`${address}playground/#rule=REF004`);
await ofRule.waitForSelector(".finding");
assert.ok((await rules(ofRule)).includes("REF004"));
step("the wrong example of a rule opens, and has its finding");
await picture(ofRule, "rule");

assert.deepEqual(foreign, []);
assert.deepEqual(broken, []);
step(`no request left the host; ${asked.length} requests`);
await browser.close();
close();
