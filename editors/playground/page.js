// The page: an editor with files, and beside it what mcpcfg says about them.

import { syntaxHighlighting } from "@codemirror/language";
import { yaml } from "@codemirror/lang-yaml";
import { setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";

import { offset, units } from "./position.js";
import { packed, unpacked } from "./share.js";

const PAUSE = 120; // milliseconds after the last key, before the files are checked
const PATIENCE = 15_000; // milliseconds: a check that takes longer is ended
const VIEWS = { findings: "Findings", runconfig: "RunConfig", kubernetes: "Kubernetes", vmcp: "vMCP", graph: "Graph" };

const byId = (id) => document.getElementById(id);
const element = (tag, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
};

const state = { files: new Map(), open: "", release: "", view: "findings", findings: [], fixes: [], summary: null };

// The worker -------------------------------------------------------------------------------------------------------

let worker;
let number = 0;
let isReady = false;
const waiting = new Map(); // the questions without an answer, by number

// A worker that is made from a text has the content security policy of the page. Browsers refuse it a static import.
function startWorker() {
  isReady = false;
  const address = JSON.stringify(new URL("worker.js", document.baseURI).href);
  const text = `import(${address}).catch((error) => self.postMessage({ broken: String(error) }));`;
  const place = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  worker = new Worker(place, { type: "module", name: new URL("./", document.baseURI).href });
  worker.onmessage = ({ data }) => {
    if (data.ready) {
      isReady = true;
      for (const asked of waiting.values()) asked.send();
    } else if (data.broken) {
      say(`The playground did not start. ${data.broken}`, true);
    } else {
      waiting.get(data.number)?.resolve(data.answer);
      waiting.delete(data.number);
    }
  };
  worker.onerror = (event) => say(`The playground did not start. ${event.message ?? ""}`, true);
}

/** Ask the program a question about the files of the page. The answer is `null` if it failed or was given up. */
function ask(question) {
  number += 1;
  const message = { number, question: { ...question, files: Object.fromEntries(state.files), release: state.release } };
  return new Promise((resolve) => {
    let patience;
    const asked = {
      send() {
        patience = setTimeout(giveUp, PATIENCE);
        worker.postMessage(message);
      },
      resolve(answer) {
        clearTimeout(patience);
        if (answer?.failed) say(`mcpcfg failed; please report it. ${answer.failed}`, true);
        resolve(answer?.failed ? null : answer);
      },
    };
    waiting.set(message.number, asked);
    if (isReady) asked.send();
  });
}

/** End a check that takes too long, and start again. */
function giveUp() {
  worker.terminate();
  for (const asked of waiting.values()) asked.resolve(null);
  waiting.clear();
  say(`The check took more than ${PATIENCE / 1000} seconds and was ended. Change the text to try again.`, true);
  startWorker();
}

function say(text, isBroken = false) {
  byId("status").textContent = text;
  byId("status").classList.toggle("broken", isBroken);
}

// Checking ---------------------------------------------------------------------------------------------------------

let pause;
let round = 0;

function checkSoon() {
  clearTimeout(pause);
  pause = setTimeout(check, PAUSE);
}

async function check() {
  round += 1;
  const mine = round;
  const begin = performance.now();
  const answer = await ask({ ask: "check" });
  performance.measure("mcpcfg-check", { start: begin }); // drive.mjs reads it
  if (mine !== round || answer === null) return;
  if (answer.refused) {
    say(answer.refused, true);
    return;
  }
  state.findings = answer.findings;
  state.summary = answer.summary;
  state.fixes = [];
  const { errors, warnings, infos, release } = answer.summary;
  say(`${count(errors, "error")}, ${count(warnings, "warning")}, ${count(infos, "info")}; judged by release ${release.judged_by}`);
  underline();
  showFiles();
  showView();
  const fixes = state.findings.some((finding) => finding.file === state.open)
    ? await ask({ ask: "fixes", file: state.open })
    : null;
  if (mine !== round || fixes === null) return;
  state.fixes = fixes.fixes;
  underline();
  if (state.view === "findings") showView();
}

const count = (many, noun) => `${many} ${noun}${many === 1 ? "" : "s"}`;

const fixesOf = (finding) =>
  finding.file === state.open
    ? state.fixes.filter((fix) => fix.rule === finding.rule && fix.line === finding.line && fix.column === finding.column)
    : [];

function underline() {
  const { doc } = editor.state;
  const diagnostics = state.findings
    .filter((finding) => finding.file === state.open)
    .map((finding) => {
      const from = offset(doc, finding.line, finding.column);
      const to = Math.max(from, offset(doc, finding.end_line, finding.end_column));
      return {
        from,
        to,
        severity: finding.severity,
        source: finding.rule,
        message: finding.hint ? `${finding.message}\nhint: ${finding.hint}` : finding.message,
        actions: fixesOf(finding).map((fix) => ({ name: fix.title, apply: () => applyFix(fix) })),
      };
    });
  editor.dispatch(setDiagnostics(editor.state, diagnostics));
}

function applyFix(fix) {
  const text = editor.state.doc.toString();
  const changes = fix.edits.map((edit) => ({
    from: units(text, edit.from),
    to: units(text, edit.to),
    insert: edit.text,
  }));
  editor.dispatch({ changes });
  editor.focus();
}

// The editor -------------------------------------------------------------------------------------------------------

const highlighter = tagHighlighter([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], class: "tok-key" },
  { tag: [tags.string, tags.special(tags.string), tags.content], class: "tok-string" },
  { tag: [tags.comment, tags.lineComment], class: "tok-comment" },
  { tag: [tags.typeName, tags.labelName, tags.meta, tags.keyword], class: "tok-other" },
]);

const changed = EditorView.updateListener.of((update) => {
  if (!update.docChanged || isOpening) return;
  state.files.set(state.open, update.state.doc.toString());
  state.fixes = [];
  checkSoon();
});

let isOpening = false;
const extensions = [
  basicSetup,
  yaml(),
  syntaxHighlighting(highlighter),
  EditorState.tabSize.of(2),
  EditorView.contentAttributes.of({ "aria-label": "Text of the file", spellcheck: "false" }),
  changed,
];
const editor = new EditorView({ parent: byId("editor"), extensions });
const histories = new Map(); // each file keeps its own undo history

function open(name, line, column) {
  if (name !== state.open && state.files.has(name)) {
    if (state.files.has(state.open)) histories.set(state.open, editor.state);
    const kept = histories.get(name);
    isOpening = true;
    editor.setState(
      kept?.doc.toString() === state.files.get(name) ? kept : EditorState.create({ doc: state.files.get(name), extensions }),
    );
    isOpening = false;
    state.open = name;
    showFiles();
    check();
  }
  if (line !== undefined) {
    const anchor = offset(editor.state.doc, line, column);
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    editor.focus();
  }
}

function load(files, release) {
  state.files = new Map(Object.entries(files));
  state.release = release;
  state.open = "";
  histories.clear();
  byId("release").value = release;
  open([...state.files.keys()][0]);
}

function showFiles() {
  const tabs = [...state.files.keys()].map((name) => {
    const worst = ["error", "warning"].find((severity) =>
      state.findings.some((finding) => finding.file === name && finding.severity === severity),
    );
    const many = state.findings.filter((finding) => finding.file === name && finding.severity === worst).length;
    const tab = element("button", { type: "button", role: "tab", ariaSelected: String(name === state.open) }, name);
    if (many > 0) tab.append(element("span", { className: `count ${worst}` }, String(many)));
    tab.onclick = () => open(name);
    tab.ondblclick = () => rename(name);
    return tab;
  });
  const add = element("button", { type: "button", title: "Add a file", ariaLabel: "Add a file", onclick: addFile }, "+");
  const change = element("button", { type: "button", title: "Rename this file", ariaLabel: "Rename this file", onclick: () => rename(state.open) }, "✎");
  const remove = element("button", { type: "button", title: "Remove this file", ariaLabel: "Remove this file", onclick: removeFile }, "×");
  byId("files").replaceChildren(...tabs, add, change, ...(state.files.size > 1 ? [remove] : []));
}

function isFree(name) {
  if (name !== "" && name !== "-" && !name.startsWith("/") && !name.split("/").includes("..") && !state.files.has(name)) return true;
  say(`${name || "An empty name"} cannot be the name of a file here, or is taken.`, true);
  return false;
}

function addFile() {
  let name = "server.yaml";
  for (let next = 2; state.files.has(name); next += 1) name = `server-${next}.yaml`;
  state.files.set(name, "");
  open(name, 1, 1);
}

function rename(name) {
  const wanted = window.prompt("Name of the file. A folder in it counts, as in a repository.", name)?.trim();
  if (wanted === undefined || wanted === name || !isFree(wanted)) return;
  state.files = new Map([...state.files].map(([file, text]) => [file === name ? wanted : file, text]));
  state.open = state.open === name ? wanted : state.open;
  histories.delete(name);
  showFiles();
  check();
}

function removeFile() {
  state.files.delete(state.open);
  histories.delete(state.open);
  state.open = "";
  open([...state.files.keys()][0]);
}

// The views --------------------------------------------------------------------------------------------------------

function showTabs() {
  const tabs = Object.entries(VIEWS).map(([view, title]) => {
    const tab = element("button", { type: "button", role: "tab", ariaSelected: String(view === state.view) }, title);
    tab.onclick = () => {
      state.view = view;
      showTabs();
      showView();
    };
    return tab;
  });
  byId("views").replaceChildren(...tabs);
}

async function showView() {
  const { view } = state;
  const result = byId("result");
  if (view === "findings") {
    result.classList.remove("whole");
    result.replaceChildren(...findingsView());
    return;
  }
  const mine = round;
  const answer = await ask(view === "graph" ? { ask: "graph" } : { ask: "build", target: view });
  if (answer === null || mine !== round || view !== state.view) return;
  result.classList.toggle("whole", view === "graph");
  result.replaceChildren(...(view === "graph" ? graphView(answer) : builtView(answer, view)));
}

function findingsView() {
  if (state.findings.length > 0) return state.findings.map(findingView);
  if (state.summary === null) return [];
  if (state.summary.documents > 0) return [element("p", { className: "clean" }, "No findings.")];
  return [element("p", { className: "note" }, "There is nothing to check yet: write a resource, or choose an example.")];
}

function findingView(finding) {
  const rule = element("a", { href: `../rules/${encodeURIComponent(finding.rule)}/`, target: "_blank", rel: "noopener" }, finding.rule);
  const place = element("button", { type: "button", className: "place" }, `${finding.file}:${finding.line}:${finding.column}`);
  place.onclick = () => open(finding.file, finding.line, finding.column);
  const severity = element("span", { className: "severity" }, finding.severity);
  const head = element("p", { className: "head" }, severity, " ", rule, ` ${finding.name} (${finding.stage}) `, place);
  const parts = [head, element("p", {}, finding.message)];
  if (finding.hint) parts.push(element("p", { className: "hint" }, finding.hint));
  for (const fix of fixesOf(finding)) {
    const title = fix.safe ? fix.title : `${fix.title} (review it)`;
    parts.push(element("button", { type: "button", className: "fix", onclick: () => applyFix(fix) }, title));
  }
  return element("article", { className: `finding ${finding.severity}` }, ...parts);
}

function builtView({ files, remarks }, view) {
  const parts = remarks.map((remark) => element("p", { className: "note" }, remark));
  for (const { name, text } of files) parts.push(element("h2", {}, name), element("pre", {}, text));
  if (parts.length === 0) parts.push(element("p", { className: "note" }, `Nothing to write as ${VIEWS[view]}.`));
  if (files.length === 0 && state.summary?.errors > 0)
    parts.push(element("p", { className: "note" }, "Resources with errors are not compiled."));
  return parts;
}

// The picture of the page alone: the frame runs no script, so the parts around it would do nothing.
function graphView({ page }) {
  const whole = new DOMParser().parseFromString(page, "text/html");
  const styles = Array.from(whole.querySelectorAll("style"), (style) => style.outerHTML).join("");
  const frame = element("iframe", { title: "Graph of the resources", sandbox: "" });
  const theme = getComputedStyle(document.documentElement).colorScheme;
  const look = "body { display: block; height: auto; margin: 0; overflow: auto } svg { width: 100%; min-width: 36rem; height: auto; max-height: none }";
  frame.srcdoc = `<!doctype html><meta name="color-scheme" content="${theme}">${styles}<style>${look}</style>${whole.querySelector("svg").outerHTML}`;
  return [frame];
}

// The start --------------------------------------------------------------------------------------------------------

async function share() {
  const fragment = await packed({ files: Object.fromEntries(state.files), release: state.release });
  history.replaceState(null, "", `#${fragment}`);
  try {
    await navigator.clipboard.writeText(location.href);
    say("The address is copied. It holds these files.");
  } catch {
    say("The address of the page now holds these files. Copy it from the address bar.");
  }
}

function changeTheme() {
  const isDark = getComputedStyle(document.documentElement).colorScheme === "dark" ||
    (getComputedStyle(document.documentElement).colorScheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  const theme = isDark ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("mcpcfg-theme", theme);
}

async function begin() {
  const theme = localStorage.getItem("mcpcfg-theme");
  if (theme) document.documentElement.dataset.theme = theme;
  startWorker();
  const { examples, releases } = await (await fetch("examples.json")).json();
  byId("release").append(
    element("option", { value: "" }, "from the files, or the newest"),
    ...releases.map((release) => element("option", { value: release }, release)),
  );
  byId("example").append(
    element("option", { value: "" }, "…"),
    ...Object.keys(examples).map((name) => element("option", { value: name }, name)),
  );
  byId("example").onchange = ({ target }) => {
    if (target.value) load(examples[target.value].files, examples[target.value].release ?? "");
  };
  byId("release").onchange = ({ target }) => {
    state.release = target.value;
    check();
  };
  byId("share").onclick = share;
  byId("theme").onclick = changeTheme;
  showTabs();
  const show = async () => {
    const fragment = location.hash.slice(1);
    const named = new URLSearchParams(fragment);
    const kind = ["example", "rule", "catch"].find((key) => named.has(key));
    const shared = kind === undefined ? await unpacked(fragment) : await example(kind, named.get(kind), examples);
    const first = Object.values(examples)[0];
    load((shared ?? first).files, (shared ?? first).release ?? "");
    if (fragment !== "" && shared === null) say("The address holds no files that this page can read.", true);
  };
  window.addEventListener("hashchange", show);
  await show();
}

/** Return an example of the list, or one of a page: `#rule=REF004`, `#rule=REF004/right`, `#catch=quantity`. */
async function example(kind, name, examples) {
  if (kind === "example") return examples[name] ?? null;
  const linked = await (await fetch("linked.json")).json();
  return linked[kind === "rule" ? name : `${kind}/${name}`] ?? null;
}

begin().catch((error) => say(`The playground did not start. ${error}`, true));
