"""Turn an error of the YAML parser into a fault with a hint.

libyaml reports where it could not continue, in terms of its grammar. The fault is often earlier in the line or above.
Messages of both parsers are recognized.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..diagnostics.finding import rule
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.shown import shown, visible
from .aside import Aside
from .fault import ReadError, line_end, line_start

if TYPE_CHECKING:
    from collections.abc import Callable

    from .parser import YAMLError

YAML_SYNTAX = rule("SYN001 yaml-syntax", "syntax", "The text is not YAML")
TAB_INDENTATION = rule("SYN002 tab-indentation", "syntax", "A tab is used to indent")
UNCLOSED_QUOTE = rule("SYN003 unclosed-quote", "syntax", "A quoted value does not end where it should")
UNCLOSED_BRACKET = rule(
    "SYN004 unclosed-bracket", "syntax", "A list or mapping in brackets does not end where it should"
)
BAD_INDENTATION = rule("SYN005 bad-indentation", "syntax", "A line is indented in a way that matches no line above")
COLON_IN_VALUE = rule("SYN006 colon-in-value", "syntax", "An unquoted value contains a colon and a space")
MISSING_COLON = rule("SYN007 missing-colon", "syntax", "A key lacks its colon, or the space after it")
RESERVED_CHARACTER = rule(
    "SYN008 reserved-character", "syntax", "An unquoted value begins with a character that YAML reserves"
)
UNKNOWN_ESCAPE = rule(
    "SYN009 unknown-escape", "syntax", "A double-quoted value contains an escape that YAML does not know"
)

_QUOTE_IT: Final = "quote the value"
_KEY_AND_VALUE: Final = re.compile(r"\s*+(?>(?:-\s++)*)(?![\"'])[^\s#][^#]*?:\s")
_NO_SPACE: Final = re.compile(r"\s*+(?>(?:-\s++)*)[\w./-]++(:)(?=[^\s/])")
_WORD: Final = re.compile(r"[^\s,\[\]{}#]*")
_ENTRY: Final = re.compile(r"\s*+(?>(?:-\s++)*)")


class _ErrorPlace(NamedTuple):
    """A parser error.

    Attributes:
        context: The index of the construct that was being parsed.
    """

    text: str
    at: int
    context: int
    problem: str

    def line(self, at: int | None = None) -> tuple[int, int]:
        at = self.at if at is None else at
        return line_start(self.text, at), line_end(self.text, at)


def explain(error: YAMLError, text: str) -> ReadError:
    """Return a fault that describes a parser error in terms of the user's text."""
    from .parser import MarkedYAMLError

    if not isinstance(error, MarkedYAMLError):
        return ReadError(YAML_SYNTAX, f"the text cannot be read as YAML: {error}", 0, line_end(text, 0))
    at = error.problem_mark.index if error.problem_mark else 0
    context = error.context_mark.index if error.context_mark else at
    place = _ErrorPlace(text, min(at, len(text.rstrip())), min(context, len(text)), f"{error.problem}")
    for words, explain_at in _EXPLANATIONS:
        if words in f"{error.context or ''}: {error.problem}":
            return _about_template(explain_at(place), text)
    return _about_template(_unnamed(place), text)


def _cannot_start(place: _ErrorPlace) -> ReadError:
    char = place.text[place.at : place.at + 1]
    if char == "\t":
        return _tab(place)
    end = line_end(place.text, place.at)
    message = f"a value cannot begin with {char}"
    return ReadError(RESERVED_CHARACTER, message, place.at, end, hint=_QUOTE_IT)


def _tab(place: _ErrorPlace) -> ReadError:
    end = place.at
    while place.text[end : end + 1] == "\t":
        end += 1
    message = "a tab where YAML requires spaces"
    return ReadError(TAB_INDENTATION, message, place.at, end, hint="indent with spaces")


def _open_quote(place: _ErrorPlace) -> ReadError:
    quote = place.text[place.context : place.context + 1]
    message = f"the quote {quote} is never closed"
    end = line_end(place.text, place.context)
    return ReadError(UNCLOSED_QUOTE, message, place.context, end, hint=f"close it with {quote}")


def _escape(place: _ErrorPlace) -> ReadError:
    start = max(place.context, place.text.rfind("\\", 0, place.at + 1))
    end = min(max(place.at + 1, start + 2), line_end(place.text, start))
    message = f"the escape {visible(place.text[start:end])} is unknown in YAML"
    hint = "double the backslash, or use single quotes, where it has no special meaning"
    return ReadError(UNKNOWN_ESCAPE, message, start, end, hint=hint)


def _mapping_value(place: _ErrorPlace) -> ReadError:
    """Explain an unexpected colon: in a value, after a key without a space, or in a line with wrong indentation."""
    start, end = place.line()
    before = place.text[start : place.at]
    first = _KEY_AND_VALUE.match(before)
    if first:
        message = f"a second colon followed by a space is in the value {shown(place.text[first.end() + start : end])}"
        return ReadError(COLON_IN_VALUE, message, place.at, place.at + 1, hint=_QUOTE_IT)
    above_start, above_end = place.line(max(0, start - 1))
    above = _NO_SPACE.match(place.text[above_start:above_end])
    if above:
        colon = above_start + above.start(1)
        message = f"no space follows the colon in {shown(place.text[above_start:above_end].strip())}"
        return ReadError(MISSING_COLON, message, colon, colon + 1, hint="add a space after the colon")
    entry = _ENTRY.match(before)
    key = start + (entry.end() if entry else 0)
    message = f"the indentation of {shown(place.text[key : place.at])} does not fit the lines above"
    hint = "begin all keys of a mapping in the same column; a key that has a value cannot have keys below it"
    return ReadError(BAD_INDENTATION, message, key, place.at, hint=hint)


def _colon_at_end(place: _ErrorPlace) -> ReadError:
    message = "a colon is directly before a comma or a bracket"
    return ReadError(COLON_IN_VALUE, message, place.at, place.at + 1, hint=_QUOTE_IT)


_DASHES: Final = r"[-\u2010-\u2015]{2,}"
"""Pattern of a line that users write for ``---``."""
BETWEEN_DOCUMENTS: Final = "write --- at the beginning of the line to separate two documents"


def _list_entry(place: _ErrorPlace) -> ReadError:
    message = "a list cannot begin on the line of its key"
    hint = "begin each item on its own line with -, or quote a value that begins with -"
    return ReadError(BAD_INDENTATION, message, place.at, place.at + 1, hint=hint)


def _no_colon(place: _ErrorPlace) -> ReadError:
    end = line_end(place.text, place.context)
    line = place.text[place.context : end].rstrip()
    spaceless = _NO_SPACE.match(line)
    message = f"{shown(line)} is neither a key with its colon nor part of the value above"
    hint = "add a space after the colon" if spaceless else "write a key as key: value"
    if re.fullmatch(_DASHES, line):
        hint = BETWEEN_DOCUMENTS
    return ReadError(MISSING_COLON, message, place.context, place.context + len(line), hint=hint)


def _bare_indicator(place: _ErrorPlace) -> ReadError:
    char = place.text[place.context : place.context + 1]
    what = "an alias" if char == "*" else "an anchor"
    end = line_end(place.text, place.context)
    message = f"a value that begins with {char} is {what}, and its name is missing"
    return ReadError(RESERVED_CHARACTER, message, place.context, end, hint=_QUOTE_IT)


_QUOTE_COLON = "quote a value that contains a colon, a comma or a bracket"


def _open_bracket(place: _ErrorPlace) -> ReadError:
    opened = place.text[place.context : place.context + 1]
    closed = "]" if opened == "[" else "}"
    if place.at >= len(place.text.rstrip()) or place.line()[0] > place.context:
        message = f"the {opened} is never closed"
        return ReadError(UNCLOSED_BRACKET, message, place.context, place.context + 1, hint=f"close it with {closed}")
    char = place.text[place.at : place.at + 1]
    message, hint = f"a comma or {closed} is missing before this", _QUOTE_COLON
    if char in "]}":
        message, hint = f"the {char} closes nothing: {closed} is expected here", f"remove it, or write {closed}"
    aside = Aside(f"the {opened} is opened here", place.context, place.context + 1)
    return ReadError(UNCLOSED_BRACKET, message, place.at, place.at + 1, hint=hint, asides=(aside,))


def _no_item(place: _ErrorPlace) -> ReadError:
    start, end = _word(place)
    message = f"{shown(place.text[start:end])} is in the column of a list, but is not an item of it"
    hint = "begin an item with -, or indent the line to fit what it belongs to"
    return ReadError(BAD_INDENTATION, message, start, end, hint=hint)


def _no_key(place: _ErrorPlace) -> ReadError:
    start, end = _word(place)
    line_start, _ = place.line()
    before = place.text[line_start:start].rstrip()
    if before.endswith(('"', "'")):
        message = f"{shown(place.text[start:end])} follows a closing quote"
        hint = "quote the whole value; double ('') or escape (\\\")"
        return ReadError(UNCLOSED_QUOTE, message, start, end, hint=hint)
    if place.text[start : start + 1] in ("]", "}"):
        message = f"this {place.text[start]} closes nothing"
        return ReadError(UNCLOSED_BRACKET, message, start, start + 1, hint="remove it, or quote the value")
    message = f"the indentation of {shown(place.text[start:end])} fits no line above"
    is_separator = re.fullmatch(_DASHES, place.text[start:end])
    hint = BETWEEN_DOCUMENTS if is_separator else "begin all keys of a mapping in the same column"
    return ReadError(BAD_INDENTATION, message, start, end, hint=hint)


def _trailing(place: _ErrorPlace) -> ReadError:
    start, end = _word(place)
    message = f"{shown(place.text[start:end])} follows the end of the document, and Kubernetes' tools drop it silently"
    hint = "begin another document with a line ---"
    is_bracket = place.text[start : start + 1] in ("]", "}")
    fault = _no_key(place) if is_bracket else ReadError(YAML_SYNTAX, message, start, end, hint=hint)
    fault.is_after_document = True
    return fault


def _no_content(place: _ErrorPlace) -> ReadError:
    char = place.text[place.at : place.at + 1].strip()
    opened = place.text[: place.at].rstrip()
    if not char and opened.endswith(("[", "{")):
        return _open_bracket(place._replace(context=len(opened) - 1))
    message = f"a value cannot begin with {char}" if char else "a value is missing"
    return ReadError(RESERVED_CHARACTER, message, place.at, place.at + 1, hint=_QUOTE_IT)


def _block_header(place: _ErrorPlace) -> ReadError:
    end = max(line_end(place.text, place.context), place.context + 1)
    message = f"{shown(place.text[place.context : end].rstrip())} does not begin a block of text"
    hint = "after | or > there may stand + or -, a digit from 1 to 9, and a comment; " + _QUOTE_IT + " if it is one"
    return ReadError(YAML_SYNTAX, message, place.context, end, hint=hint)


def _unnamed(place: _ErrorPlace) -> ReadError:
    start, end = _word(place)
    return ReadError(YAML_SYNTAX, f"the text cannot be read as YAML: {place.problem}", start, end)


def _about_template(fault: ReadError, text: str) -> ReadError:
    start = line_start(text, fault.start)
    if "{{" in text[start : line_end(text, fault.start)] and fault.rule is not UNCLOSED_QUOTE:
        fault.hint = "quote a value that contains {{ … }}"
    return fault


def _word(place: _ErrorPlace) -> tuple[int, int]:
    start = place.at
    match = _WORD.match(place.text, start)
    end = match.end() if match else start
    return start, min(max(end, start + 1), len(place.text))


_EXPLANATIONS: Final[tuple[tuple[str, Callable[[_ErrorPlace], ReadError]], ...]] = (
    ("a tab character", _tab),
    ("cannot start any token", _cannot_start),
    ("quoted scalar: found unexpected", _open_quote),
    ("quoted scalar: found unknown escape", _escape),
    ("hexdecimal number", _escape),
    ("hexadecimal numbers", _escape),
    ("invalid Unicode character escape", _escape),
    ("mapping values are not allowed", _mapping_value),
    ("sequence entries are not allowed", _list_entry),
    ("could not find expected ':'", _no_colon),
    ("while scanning an alias", _bare_indicator),
    ("while scanning an anchor", _bare_indicator),
    ("found unexpected ':'", _colon_at_end),
    ("while parsing a flow sequence", _open_bracket),
    ("while parsing a flow mapping", _open_bracket),
    ("while parsing a block collection", _no_item),
    ("while parsing a block mapping", _no_key),
    ("while scanning a block scalar", _block_header),
    ("<document start>", _trailing),
    ("node content", _no_content),
)
"""Functions that explain an error, each with words of the parser's message. The first match counts."""
