// Puts files into the fragment of an address, and reads them back.

const LONGEST = 1_000_000; // characters; what is longer was not made by this page

const transformed = async (bytes, transformer) => {
  const stream = new Blob([bytes]).stream().pipeThrough(transformer);
  return new Uint8Array(await new Response(stream).arrayBuffer());
};

/** Return the state of the page as a fragment: JSON, deflated, in the letters that an address may have. */
export async function packed(state) {
  const json = new TextEncoder().encode(JSON.stringify(state));
  const bytes = await transformed(json, new CompressionStream("deflate-raw"));
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** Return the state that a fragment holds, or `null` if it holds none. */
export async function unpacked(fragment) {
  if (fragment === "" || fragment.length > LONGEST) return null;
  try {
    const text = atob(fragment.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const state = JSON.parse(new TextDecoder().decode(await inflated(bytes)));
    return isState(state) ? state : null;
  } catch {
    return null;
  }
}

/** Return inflated bytes. Stop where there are more than `LONGEST`, since a few bytes can stand for gigabytes. */
async function inflated(bytes) {
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  for (let length = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
    length += value.length;
    if (length > LONGEST) throw new Error("too long");
    parts.push(value);
  }
}

function isState(state) {
  const { files, release } = state ?? {};
  const names = Object.keys(files ?? {});
  return names.length > 0 && names.every((name) => typeof files[name] === "string") && typeof release === "string";
}
