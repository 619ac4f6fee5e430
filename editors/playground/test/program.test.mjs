// The program on Pyodide answers as outside of a browser: `PARTS=… SITE=… node --test editors/playground/test`.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { test } from "node:test";
import { loadPyodide } from "pyodide";

import { start } from "../program.js";

const { PARTS, SITE } = process.env;
const parsed = (...names) => JSON.parse(readFileSync(path.join(...names), "utf8"));
const expected = parsed(PARTS, "expected.json");
const { examples, releases } = parsed(SITE, "examples.json");
const stdLibURL = path.join(path.resolve(SITE), "pyodide", "python_stdlib.zip");
const archive = readFileSync(path.join(SITE, "program.gz"));
const { python, ask } = await start(loadPyodide, { stdLibURL }, archive);

for (const [title, { files, release }] of Object.entries(examples)) {
  test(`findings and output are the same: ${title}`, () => {
    assert.deepEqual(ask({ ask: "check", files, release }), expected.examples[title].check);
    for (const [target, texts] of Object.entries(expected.examples[title].build)) {
      const built = ask({ ask: "build", target, files, release });
      assert.deepEqual(built.files.map(({ name, text }) => [name, text]), texts);
    }
  });
}

test("an example of a rule has its finding, and the right one has not", () => {
  const without = [];
  for (const [name, { files, release }] of Object.entries(parsed(SITE, "linked.json"))) {
    const { findings } = ask({ ask: "check", files, release });
    const isRight = name.endsWith("/right");
    const [subject] = name.split("/"); // a rule, or "catch"
    const found = findings?.filter(({ rule, severity }) => (subject === "catch" ? severity !== "info" : rule === subject));
    if (found === undefined || found.length > 0 === isRight) without.push(name);
  }
  assert.deepEqual(without, []);
});

test("patterns match the same texts, or are undecidable", () => {
  python.globals.set("asked", JSON.stringify(expected.patterns));
  const answered = JSON.parse(
    python.runPython(`
import json
from mcpcfg.compiler.golang.regexp import PatternError, compile_pattern

def matches(pattern, text):
    try:
        compiled = compile_pattern(pattern)
    except PatternError:
        return "refused"
    return [compiled.search(text), compiled.find_all(text)] if compiled.work("a") else "undecided"

json.dumps([matches(case["pattern"], case["text"]) for case in json.loads(asked)])
`),
  );
  const different = expected.patterns.filter(({ answer }, place) => {
    const found = answered[place];
    return found === "undecided" ? answer === "refused" : JSON.stringify(found) !== JSON.stringify(answer);
  });
  assert.deepEqual(different, []);
  const undecided = answered.filter((found) => found === "undecided").length;
  console.log(`${undecided} of ${answered.length} patterns are undecided`);
  assert.ok(undecided < answered.length / 100);
});

test("each fix that is offered can be applied", () => {
  const { files } = Object.values(examples)[0];
  const [file] = ask({ ask: "check", files, release: "" }).findings.map((finding) => finding.file);
  const { fixes } = ask({ ask: "fixes", file, files, release: "" });
  assert.ok(fixes.length > 0);
  for (const { edits } of fixes) {
    const text = [...files[file]];
    for (const edit of edits.toSorted((one, other) => other.from - one.from)) {
      text.splice(edit.from, edit.to - edit.from, edit.text);
    }
    const before = ask({ ask: "check", files, release: "" }).findings.length;
    const after = ask({ ask: "check", files: { ...files, [file]: text.join("") }, release: "" }).findings.length;
    assert.ok(after < before);
  }
});

test("the graph is a picture", () => {
  const { files } = Object.values(examples)[0];
  assert.match(ask({ ask: "graph", files, release: "" }).page, /<svg/);
});

test("names that leave the folder, and releases that do not exist, end nothing", () => {
  assert.equal(ask({ ask: "check", files: { "../../lib/x.yaml": "a: b" }, release: "" }).failed, undefined);
  assert.ok(ask({ ask: "check", files: { "a.yaml": "a: b" }, release: "nonsense" }).failed === undefined);
  assert.ok(releases.length > 20);
});
