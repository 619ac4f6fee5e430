// Builds the page into a folder: `node build.mjs PARTS FOLDER`. `pack.py` has written the parts that come from Python.

import { build } from "esbuild";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

import { start } from "./program.js";

const here = path.dirname(fileURLToPath(import.meta.url));
const pyodide = path.join(here, "node_modules", "pyodide");
const [parts, out] = process.argv.slice(2).map((folder) => path.resolve(folder));
const read = (...names) => readFileSync(path.join(...names));
const write = (name, data) => writeFileSync(path.join(out, name), data);

mkdirSync(path.join(out, "pyodide"), { recursive: true });
await build({
  entryPoints: ["page.js", "worker.js"].map((name) => path.join(here, name)),
  outdir: out,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  legalComments: "linked",
});
for (const name of ["index.html", "page.css"]) write(name, read(here, name));
for (const name of ["examples.json", "linked.json"]) write(name, read(parts, name));
for (const name of ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"]) {
  copyFileSync(path.join(pyodide, name), path.join(out, "pyodide", name));
}
// Pyodide could load packages from another host. The page needs none, so the list of packages is empty.
const { info } = JSON.parse(read(pyodide, "pyodide-lock.json"));
write("pyodide/pyodide-lock.json", JSON.stringify({ info, packages: {} }));

// A check runs here once, so the modules that it imports are known. Browsers get them as bytecode.
const options = { stdLibURL: path.join(parts, "python_stdlib.zip") };
const { python, ask } = await start(loadPyodide, options, read(parts, "program.gz"));
const { examples } = JSON.parse(read(parts, "examples.json"));
const checked = ask({ ask: "check", ...Object.values(examples)[0] });
if (!(checked.findings?.length > 0)) throw new Error(`the first example has no finding: ${JSON.stringify(checked)}`);
const bytecode = python.pyimport("bytecode");
write("program.gz", bytecode.packages().toJs());
write("pyodide/python_stdlib.zip", bytecode.standard_library().toJs());
