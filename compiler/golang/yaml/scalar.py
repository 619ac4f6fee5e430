"""YAML strings: go-yaml's choice of plain, quoted or literal style, and the layout of each.

Source: go.yaml.in/yaml/v2 v2.4 and gopkg.in/yaml.v3 v3.0.1, encoder and emitter.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from ...diagnostics.named_tuple import NamedTuple
from .resolve import WORDS, reads_as_other

Style: TypeAlias = Literal["plain", "single", "double", "literal"]


class Dialect(NamedTuple):
    """The rules of an encoder, as far as yaml.v2 and yaml.v3 differ.

    Attributes:
        v3: True for yaml.v3: indentation is a multiple of ``indent``, literals may contain tabs, lists are indented
            below their key, and long lines are not folded.
        indent: Columns per level.
        width: Column after which a space becomes a line break; ``None`` for no folding.
    """

    v3: bool
    indent: int
    width: int | None

    def child_indent(self, indent: int) -> int:
        """Return the column of a value that starts on a line of its own, given the column of its key."""
        return self.indent * (indent // self.indent + 1) if self.v3 else indent + self.indent


# The defaults of the libraries: yaml.v2 folds lines after column 80, yaml.v3 never.
SIGS: Final = Dialect(v3=False, indent=2, width=80)
V3: Final = Dialect(v3=True, indent=4, width=None)

_CACHED_LENGTH = 64
"""Maximum length of texts whose style is cached. Longer texts rarely repeat."""
_SIMPLE_KEY_BYTES = 128
"""go-yaml writes a longer key in the form with a question mark (``yaml_emitter_check_simple_key``)."""

# Strings that are plain without further checks: first a letter, no space, and no colon at the end.
_BARE = re.compile(r"[A-Za-z_/$(\\][!-~]*(?<!:)\Z").match

_FIRST_INDICATOR = re.compile(r"[#,\[\]{}&*!|>'\"%@`]|[?:-](?: |\Z)|---|\.\.\.").match
_NOT_PRINTABLE = "[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff\ufffe\uffff\U00010000-\U0010ffff]"
_BREAK_BESIDE_SPACE = re.compile("[\n\u2028\u2029] | [\n\u2028\u2029]")
_SPACE_BEFORE_BREAK = re.compile(" [\n\u2028\u2029]")
_RARE_BREAKS = re.compile("([\u2028\u2029]+)")
_SEGMENT = re.compile("[^\n\u2028\u2029]+")
_BREAKS = ("\n", "\u2028", "\u2029")

_ESCAPED = '[\x00-\x1f"\\\\\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff\U00010000-\U0010ffff]'
_NAMED_ESCAPES = {
    "\0": "\\0",
    "\a": "\\a",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\v": "\\v",
    "\f": "\\f",
    "\r": "\\r",
    "\x1b": "\\e",
    '"': '\\"',
    "\\": "\\\\",
    "\x85": "\\N",
    "\xa0": "\\_",
    "\u2028": "\\L",
    "\u2029": "\\P",
}


def string(text: str, column: int, indent: int, dialect: Dialect) -> str:
    """Return the YAML text of a string value, with a final line break.

    Args:
        column: Zero-based column at which the YAML text starts.
        indent: Zero-based column at which its further lines start.
        dialect: Rules of the encoder.
    """
    style = style_of(text, dialect.v3)
    if style == "plain":
        width = dialect.width
        if width is None or column + len(text) <= width or " " not in text:
            return text + "\n"
        return _folded(text, column, indent, width) + "\n"
    if style == "double":
        return double_quoted(text, column, indent, dialect.width) + "\n"
    if style == "single":
        return _single_quoted(text, column, indent, dialect.width) + "\n"
    return _literal(text, indent, dialect)


def key(text: str, dialect: Dialect) -> str | None:
    """Return the YAML text of a key, or ``None`` if the key needs the form with a question mark."""
    if len(text) <= _CACHED_LENGTH:
        return _short_key(text, dialect.v3)
    return _key(text, dialect.v3)


def style_of(text: str, v3: bool) -> Style:  # noqa: FBT001 - a cache key
    """Return the style in which a string value is written. ``v3`` selects the rules of yaml.v3."""
    if len(text) <= _CACHED_LENGTH:
        return _short_style(text, v3)
    return _style(text, v3)


def _style(text: str, v3: bool) -> Style:  # noqa: FBT001 - a cache key
    if _BARE(text):
        return "double" if text in WORDS else "plain"
    special = re.search(_NOT_PRINTABLE, text) is not None
    tab = "\t" in text
    if "\n" in text:
        broken = special or (tab and not v3) or text[-1] == " " or _SPACE_BEFORE_BREAK.search(text)
        return "double" if broken else "literal"
    if special or tab or reads_as_other(text, v3=v3):
        return "double"
    if not text.isascii() and _RARE_BREAKS.search(text):
        return "double" if _BREAK_BESIDE_SPACE.search(text) else "single"
    quoted = text[0] == " " or text[-1] in " :" or _FIRST_INDICATOR(text) or ": " in text or " #" in text
    return "single" if quoted else "plain"


_short_style = lru_cache(maxsize=8192)(_style)  # enough for the short texts that a project repeats


def _key(text: str, v3: bool) -> str | None:  # noqa: FBT001 - a cache key
    if any(mark in text for mark in (*_BREAKS, "\r", "\x85")):
        return None
    if len(text.encode("utf-8", "replace")) > _SIMPLE_KEY_BYTES:
        return None
    style = style_of(text, v3)
    if style == "plain":
        return text
    return _single_quoted(text, 0, 0, None) if style == "single" else double_quoted(text, 0, 0, None)


_short_key = lru_cache(maxsize=8192)(_key)  # the same keys recur in every object


def double_quoted(text: str, column: int, indent: int, width: int | None) -> str:
    """Return ``text`` quoted, escaped and folded at spaces beyond ``width``. Lone surrogates become U+FFFD."""
    if text[:1] == "\ufeff":  # a quirk of go-yaml: after a byte order mark everything is escaped
        return '"' + "".join(map(_escape, text)) + '"'
    body = re.sub(_ESCAPED, lambda match: _escape(match[0]), text)
    if width is None or column + 1 + len(body) <= width or " " not in text:
        return f'"{body}"'
    return _folded_double(text, column, indent, width)


def _folded_double(text: str, column: int, indent: int, width: int) -> str:
    out = ['"']
    column += 1
    last = len(text) - 1
    after_space = False
    for at, char in enumerate(text):
        if char == " " and not after_space and column > width and 0 < at < last:
            out.append("\n" + " " * indent)
            column = indent
            if text[at + 1] == " ":
                out.append("\\")
                column += 1
        else:
            written = _escape(char) if re.match(_ESCAPED, char) else char
            out.append(written)
            column += len(written)
        after_space = char == " "
    out.append('"')
    return "".join(out)


def _escape(char: str) -> str:
    named = _NAMED_ESCAPES.get(char)
    if named is not None:
        return named
    code = ord(char)
    # The shortest of the escapes with two, four and eight digits (yaml_emitter_write_double_quoted).
    if code <= 0xFF:
        return f"\\x{code:02X}"
    if 0xD800 <= code <= 0xDFFF:  # a lone surrogate, which UTF-8 cannot encode
        return "\ufffd"
    return f"\\u{code:04X}" if code <= 0xFFFF else f"\\U{code:08X}"


def _single_quoted(text: str, column: int, indent: int, width: int | None) -> str:
    body = text.replace("'", "''")
    column += 1
    if not body.isascii() and _RARE_BREAKS.search(body):
        return "'" + _single_over_breaks(body, column, indent, width) + "'"
    if width is not None and column + len(body) > width and " " in body:
        body = _folded(body, column, indent, width)
    return f"'{body}'"


def _single_over_breaks(body: str, column: int, indent: int, width: int | None) -> str:
    pad = " " * indent
    parts = _RARE_BREAKS.split(body)
    for at in range(0, len(parts), 2):
        if at and parts[at]:
            column = indent
        lead = pad if at and parts[at] else ""
        text = parts[at]
        parts[at] = lead + (text if width is None else _folded(text, column, indent, width))
    return "".join(parts)


def _folded(text: str, column: int, indent: int, width: int) -> str:
    """Return ``text`` with a line break in place of the first single space beyond the column ``width`` of each line.

    The first line starts at ``column``, and each later line at ``indent``.
    """
    out = []
    start = 0
    last = len(text) - 1
    at = text.find(" ", max(width - column + 1, 0))
    while at >= 0:
        if 0 < at < last and text[at - 1] != " " and text[at + 1] != " ":
            out.append(text[start:at])
            start = at + 1
            column = indent
            at = text.find(" ", start + max(width - indent + 1, 0))
        else:
            at = text.find(" ", at + 1)
    out.append(text[start:])
    return ("\n" + " " * indent).join(out)


def _literal(text: str, indent: int, dialect: Dialect) -> str:
    ends_in_break = text.endswith(_BREAKS)
    hint = str(dialect.indent) if text.startswith((" ", *_BREAKS)) else ""
    chomp = "" if ends_in_break else "-"
    if ends_in_break and (len(text) == 1 or text[:-1].endswith(_BREAKS)):
        chomp = "+"
    # yaml.v3 lets the text end the header line, and so loses a first line break.
    header_end = "" if dialect.v3 and text.startswith(_BREAKS) else "\n"
    body = _SEGMENT.sub(" " * indent + r"\g<0>", text)
    return f"|{hint}{chomp}{header_end}{body}" + ("" if ends_in_break else "\n")
