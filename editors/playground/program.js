// Starts mcpcfg on Pyodide. The worker of the page and the tests under Node share this file.

import { RE2JS } from "re2js";

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const PACKAGES = "/lib/python3.14/site-packages";

// What the stand-in for google-re2 calls (python/re2.py).
const goRegexp = {
  compile(pattern) {
    let compiled;
    try {
      compiled = RE2JS.compile(pattern);
    } catch (error) {
      if (error.getDescription === undefined) throw error;
      return { reason: error.getDescription(), part: error.getPattern() ?? "" };
    }
    return {
      reason: undefined,
      size: compiled.programSize(),
      test: (text) => compiled.matcher(text).find(),
      matches(text) {
        const matcher = compiled.matcher(text);
        const found = [];
        let [units, bytes] = [0, 0];
        const byteOffset = (end) => {
          bytes += encoder.encode(text.slice(units, end)).length;
          units = end;
          return bytes;
        };
        while (matcher.find()) found.push([byteOffset(matcher.start()), byteOffset(matcher.end()), matcher.group()]);
        return found;
      },
    };
  },
};

/** Return the files of an archive (python/archive.py) as pairs of name and bytes. */
async function filesOf(archive) {
  const stream = new Blob([await archive]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const end = bytes.indexOf("\n".charCodeAt(0));
  let place = end + 1;
  return JSON.parse(decoder.decode(bytes.subarray(0, end))).map(([name, size]) => {
    place += size;
    return [name, bytes.subarray(place - size, place)];
  });
}

/**
 * Start the program.
 *
 * @param {Function} loadPyodide of the package pyodide
 * @param {object} options of `loadPyodide`
 * @param {Promise<ArrayBuffer>} archive mcpcfg and the libraries that it imports
 * @returns {Promise<{python: object, ask: (question: object) => object}>} Pyodide, and a function that answers questions
 *   (python/playground.py)
 */
export async function start(loadPyodide, options, archive) {
  const [python, files] = await Promise.all([loadPyodide(options), filesOf(archive)]);
  for (const [name, bytes] of files) {
    const file = `${PACKAGES}/${name}`;
    python.FS.mkdirTree(file.slice(0, file.lastIndexOf("/")));
    python.FS.writeFile(file, bytes, { canOwn: true });
  }
  python.registerJsModule("go_regexp", goRegexp);
  const { answer } = python.pyimport("playground");
  return { python, ask: (question) => JSON.parse(answer(JSON.stringify(question))) };
}
