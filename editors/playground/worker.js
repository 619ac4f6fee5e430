// Runs mcpcfg beside the page, so the page never waits. Each message is a question with a number, and so is its answer.

import { start } from "./program.js";

const base = self.name; // the page's address: a worker that was made from a text has none of its own

async function fetched(name) {
  const response = await fetch(base + name);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response.arrayBuffer();
}

const started = (async () => {
  const archive = fetched("program.gz");
  const { loadPyodide } = await import(base + "pyodide/pyodide.mjs");
  return start(loadPyodide, { indexURL: base + "pyodide/" }, archive);
})();

started.then(
  () => self.postMessage({ ready: true }),
  (error) => self.postMessage({ broken: String(error) }),
);

self.onmessage = async ({ data }) => {
  const { ask } = await started;
  self.postMessage({ number: data.number, answer: ask(data.question) });
};
