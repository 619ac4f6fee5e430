/** Names the files that may be the program mcpcfg, in the order in which they are tried. Plain JavaScript, for tests. */

const path = require("node:path");

const ENVIRONMENTS = [".venv", "venv"];

/**
 * Return absolute paths only. The operating system would search any other path in the current folder, which is the
 * folder that is open, and any repository may contain a program there.
 *
 * A setting with a folder is relative to the folders that are open. A setting without one is searched on the PATH alone.
 *
 * @param {string} setting The path or name that the user has set, or an empty text.
 * @param {string[]} folders The folders that are open, if they are trusted.
 * @param {string} searched The value of the variable PATH.
 * @param {string} platform The operating system, as Node names it.
 * @returns {string[]}
 */
function candidates(setting, folders, searched, platform) {
  const system = platform === "win32" ? path.win32 : path.posix;
  /** @param {string} file */
  const spelled = (file) => (platform === "win32" && !system.extname(file) ? `${file}.exe` : file);
  const onPath = searched.split(system.delimiter).filter((folder) => system.isAbsolute(folder));
  if (system.isAbsolute(setting)) {
    return [spelled(setting)];
  }
  if (setting && system.basename(setting) !== setting) {
    return folders.map((folder) => spelled(system.join(folder, setting)));
  }
  const binaries = platform === "win32" ? "Scripts" : "bin";
  const environments = folders.flatMap((folder) => ENVIRONMENTS.map((name) => system.join(folder, name, binaries)));
  const places = setting ? onPath : [...environments, ...onPath];
  return places.map((folder) => spelled(system.join(folder, setting || "mcpcfg")));
}

module.exports = { candidates };
