// Serves a folder on this machine for the tests, as the host of the site does: compressed, and to be kept.

import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { gzipSync } from "node:zlib";

const TYPES = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

/**
 * Serve a folder. Return the address of its root, the paths that were asked for, the bytes that each of them took, and a
 * function that ends it. A file is compressed once, as a host does that keeps what it has compressed.
 */
export async function serve(folder) {
  const asked = [];
  const bodies = new Map();
  const server = createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
    asked.push(name);
    let file = path.join(folder, path.normalize(name));
    if (existsSync(file) && statSync(file).isDirectory()) file = path.join(file, "index.html");
    if (!existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const type = TYPES[path.extname(file)];
    const headers = { "Content-Type": type ?? "application/octet-stream", "Cache-Control": "max-age=3600" };
    if (!bodies.has(name)) bodies.set(name, type === undefined ? readFileSync(file) : gzipSync(readFileSync(file)));
    response.writeHead(200, type === undefined ? headers : { ...headers, "Content-Encoding": "gzip" });
    response.end(bodies.get(name));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const sizes = () => new Map(Array.from(bodies, ([name, body]) => [name, body.length]));
  return { address: `http://127.0.0.1:${server.address().port}/`, asked, sizes, close: () => server.close() };
}
