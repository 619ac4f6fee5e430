// Drives the playground in Chromium as a visitor would, and prints a line for each step with what it measured:
//
//     make docs
//     node editors/playground/drive.mjs build/site/html [FOLDER FOR SCREENSHOTS]
//
// CHROMIUM is the browser. The script ends with status 1 at the first step that fails, or if the page asks another host.

import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { chromium } from "playwright-core";

import { serve } from "./server.mjs";

const [site, pictures] = process.argv.slice(2);
const { address, asked, sizes, close } = await serve(site);
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

// The newcomer's path: the front page, and from it the playground with the fault that it shows.
for (const [width, colorScheme] of [[1440, "light"], [1440, "dark"], [390, "light"], [390, "dark"]]) {
  const front = await newPage({ viewport: { width, height: width === 390 ? 844 : 900 }, colorScheme });
  await front.goto(address);
  assert.equal(await front.locator(".terminal").count(), 3);
  assert.ok(await front.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  await picture(front, `front-${width}-${colorScheme}`);
  if (width === 1440) {
    const last = await front.getByRole("link", { name: "what other programs find of them" }).boundingBox();
    const install = await front.getByText("pipx install .").boundingBox();
    assert.ok(last.y < 900 && install.y < 900);
  }
  await front.getByRole("link", { name: "Try it", exact: true }).nth(1).click();
  await front.waitForSelector(".finding");
  assert.ok((await rules(front)).includes("RES001"));
  await front.context().close();
}
step("the front page shows three findings, in one screen at 1440 pixels, and each opens in the playground");
for (const place of ["rules/REF004/", "rules/ADM001/", "rules/AUT042/", "compared/", "catches/"]) {
  for (const width of [390, 1440]) {
    const other = await newPage({ viewport: { width, height: 900 } });
    await other.goto(address + place);
    assert.ok(await other.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
    await picture(other, `${place.replaceAll("/", "-")}${width}`);
    await other.context().close();
  }
}
step("pages of rules and the tables fit at 390 and 1440 pixels");

// From an empty cache, and from the cache of the browser: the least of three times. Other programs slow this machine.
const times = { empty: [], kept: [] };
for (let round = 0; round < 3; round += 1) {
  const visit = await newPage({ viewport: { width: 1280, height: 800 } });
  for (const cache of ["empty", "kept", "kept"]) {
    const begin = Date.now();
    await (cache === "empty" ? visit.goto(`${address}playground/`) : visit.reload());
    await visit.waitForSelector(".finding");
    times[cache].push(Date.now() - begin);
  }
  await visit.context().close();
}
step(`first finding after ${Math.min(...times.empty)} ms from an empty cache, ${Math.min(...times.kept)} ms from the browser's`);
const page = await newPage({ viewport: { width: 1280, height: 800 } });
await page.goto(`${address}playground/`);
await page.waitForSelector(".finding");
const needed = [...sizes()].filter(([name]) => name.startsWith("/playground/") && name !== "/playground/linked.json");
const total = needed.reduce((sum, [, size]) => sum + size, 0);
step(`${(total / 1e6).toFixed(2)} MB as sent: ${needed.map(([name, size]) => `${name.slice(12) || "index.html"} ${size}`).join(", ")}`);
assert.ok(total < 8e6);
await picture(page, "example");

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

// Typing into a file with 20 documents: the time from a key to the findings.
const opened = await newPage({ viewport: { width: 1280, height: 800 } });
await opened.goto(`${address}playground/`);
await opened.waitForSelector(".finding");
const checks = () => opened.evaluate(() => performance.getEntriesByName("mcpcfg-check").map((entry) => entry.duration));
const servers = Array.from({ length: 20 }, (_, number) => SERVER.replace("name: fetch", `name: fetch-${number}`));
await opened.locator(".cm-content").click();
await opened.keyboard.press("Control+A");
await opened.keyboard.insertText(`${servers.join("---\n").trimEnd()}\n# `);
await opened.waitForFunction(() => document.querySelectorAll(".finding").length >= 20);
const keys = [];
for (const key of "abcdefgh") {
  const mark = Date.now();
  const before = (await checks()).length;
  await opened.keyboard.type(key);
  await opened.waitForFunction((many) => performance.getEntriesByName("mcpcfg-check").length > many, before);
  keys.push(Date.now() - mark);
}
const least = Math.min(...(await checks()).slice(-8));
step(`a check of 20 documents while typing: ${least.toFixed(0)} ms; a key to its findings: ${Math.min(...keys)} ms`);
await opened.context().close();

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
