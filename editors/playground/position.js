// Positions: mcpcfg counts lines and columns from 1, in code points; the editor counts UTF-16 code units from 0.

/** Return the offset of a line and column in a document of the editor, at most its end. */
export function offset(document, line, column) {
  if (line > document.lines) return document.length;
  const { from, text } = document.line(Math.max(1, line));
  return from + units(text, column - 1);
}

/** Return how many UTF-16 code units the first code points of a text have. */
export function units(text, points) {
  let end = 0;
  for (let left = points; left > 0 && end < text.length; left -= 1) end += text.codePointAt(end) > 0xffff ? 2 : 1;
  return end;
}
