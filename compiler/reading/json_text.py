"""Read JSON texts: data with the standard library, and nodes if a place is needed.

The reader is as strict as Go's: no NaN, no numbers beyond a float, no duplicate keys. A text may contain several
values, as kubectl accepts. Lone surrogates become U+FFFD.
"""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any, Final, NoReturn

from ..diagnostics.finding import rule
from ..diagnostics.shown import shown
from ..golang.yaml.resolve import json_number
from .aside import Aside
from .bound import BEYOND_BOUNDS, MAX_DEPTH, MAX_FAULTS, MAX_JSON_VALUES
from .data import DUPLICATE_KEY
from .fault import ReadError, UnreadableError
from .node import Node

JSON_SYNTAX = rule("SYN018 json-syntax", "syntax", "The text is not JSON")

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_LEXEME: Final = re.compile(r'[\[\]{},:]|"(?:[^"\\]|\\.)*+"?|[^\s\[\]{},:"]++', re.DOTALL)
_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")
_LONE: Final = re.compile("[\ud800-\udfff]")
_WRITTEN_FLOAT: Final = re.compile(r"[\[:,][ \t\r\n]*-?[0-9]+[.eE]")
_LONGEST_INT64: Final = 19
"""Maximum length, with the sign, of an integer that surely fits into 64 bits. Longer ones are compared with limits."""


class _OutOfRange(Exception):  # noqa: N818 - caught below
    """A number is too large for a float, or is ``NaN`` or ``Infinity``. The error contains its text."""


class _DuplicateKey(Exception):  # noqa: N818 - caught below
    """A JSON object has a duplicate key."""


def read_json(text: str) -> list[Any]:
    """Return the JSON values in a text, with the strictness of Go's reader for Kubernetes.

    Raises:
        UnreadableError: The text is not JSON, has a duplicate key in an object, or exceeds a limit.
    """
    openers = text.count("{") + text.count("[")
    if openers + text.count(",") > MAX_JSON_VALUES:
        message = f"the text contains more than {MAX_JSON_VALUES:,} values"
        raise UnreadableError((ReadError(BEYOND_BOUNDS, message, 0, 1),))
    out: list[Any] = []
    at = _skip_space(text, 0)
    while at < len(text):
        if out and not (text[at] == "{" and isinstance(out[-1], dict)):
            raise UnreadableError((_following(text, at),))
        value, end = _value(text, at, _DECODER)
        if openers > MAX_DEPTH and _is_deep(value):
            raise UnreadableError((_too_deep(at),))
        out.append(_fixed(value) if _SURROGATE.search(text, at, end) else value)
        at = _skip_space(text, end)
    return out


def read_first_json(text: str) -> tuple[Any, int, list[ReadError]]:
    """Return the first value, its end in code points, and the faults for which `read_json` refuses the text.

    The last of duplicate keys counts, and text after the first value is ignored.

    Raises:
        UnreadableError: Even this decoder refuses the text.
    """
    start = _skip_space(text, 0)
    value, end = _value(text, start, _LENIENT)
    if _is_deep(value):
        raise UnreadableError((_too_deep(start),))
    refused = _duplicate_key_faults(text[:end], hint="keep one of the two: the last one is used")
    following = _skip_space(text, end)
    if following < len(text):
        refused.append(_following(text, following, hint="remove it: nothing reads it"))
    return _fixed(value) if _SURROGATE.search(text, start, end) else value, end, refused


def has_written_floats(text: str) -> bool:
    """Return whether a number in a JSON text has a point or an exponent. `read_json` may return it as an integer."""
    return _WRITTEN_FLOAT.search(text) is not None


def read_as_written(text: str) -> list[Any]:
    """Return the values of a text with ``1.0`` and ``1e3`` as floats. The text must be valid JSON.

    Kubernetes takes them for integers, but Go's plain decoder does not. The last of duplicate keys counts.
    """
    out: list[Any] = []
    at = _skip_space(text, 0)
    while at < len(text):
        try:
            value, end = _AS_WRITTEN.raw_decode(text, at)
        except json.JSONDecodeError:
            break  # nothing reads what follows
        out.append(_fixed(value) if _SURROGATE.search(text, at, end) else value)
        at = _skip_space(text, end)
    return out


def _following(text: str, at: int, hint: str | None = None) -> ReadError:
    return ReadError(JSON_SYNTAX, f"{shown(text[at : at + 1])} follows the end of the value", at, at + 1, hint=hint)


def _value(text: str, at: int, decoder: json.JSONDecoder) -> tuple[Any, int]:
    try:
        return decoder.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise UnreadableError((_explain(text, error),)) from None
    except _OutOfRange as error:
        literal = str(error)
        start = text.find(literal, at)
        message = f"{literal} is not a JSON number"
        raise UnreadableError((ReadError(JSON_SYNTAX, message, start, start + len(literal)),)) from None
    except _DuplicateKey:
        raise UnreadableError(tuple(_duplicate_key_faults(text))) from None
    except RecursionError:
        raise UnreadableError((_too_deep(at),)) from None


def compose_json(text: str) -> list[Node]:
    """Return the nodes of the JSON values in a text that the standard library accepts."""
    roots: list[Node] = []
    open_nodes: list[Node] = []
    for match in _LEXEME.finditer(text):
        lexeme = match[0]
        if lexeme in "}]":
            open_nodes.pop().end = match.end()
        elif lexeme not in ",:":
            node = _node(lexeme, match.start(), match.end())
            if open_nodes:
                _attach(open_nodes[-1], node)
            else:
                roots.append(node)
            if node.kind != "scalar":
                open_nodes.append(node)
    return roots


def _attach(parent: Node, node: Node) -> None:
    if parent.kind == "sequence":
        parent.value.append(node)
    elif parent.value and parent.value[-1][1] is None:
        parent.value[-1] = (parent.value[-1][0], node)
    else:
        parent.value.append((node, None))


def _node(lexeme: str, start: int, end: int) -> Node:
    if lexeme in "{[":
        node = Node("mapping" if lexeme == "{" else "sequence", start, end, [])
    elif lexeme[0] == '"':
        node = Node("scalar", start, end, _string(lexeme))
    else:
        node = Node("scalar", start, end, lexeme)
        node.plain = True
    node.flow = True
    return node


def _string(lexeme: str) -> str:
    text: str = json.loads(lexeme) if "\\" in lexeme else lexeme[1:-1]
    return text


def _duplicate_key_faults(text: str, hint: str = "keep one of the two") -> list[ReadError]:
    """Return a fault for each duplicate key in the objects of a JSON text, up to the maximum number of faults.

    The whole text is searched, also if it is invalid after the object with the first duplicate key.
    """
    faults: list[ReadError] = []
    keys: list[dict[str, tuple[int, int]] | None] = []
    before = ""
    for match in _LEXEME.finditer(text):
        lexeme = match[0]
        if lexeme in "{[":
            keys.append({} if lexeme == "{" else None)
        elif lexeme in "}]":
            del keys[-1:]
        elif before and before in "{," and keys and (object_keys := keys[-1]) is not None and lexeme[0] == '"':
            name = _string(lexeme)
            first = object_keys.setdefault(name, match.span())
            if first != match.span():
                aside = Aside("the first one is here", *first)
                message = f"the key {shown(name)} occurs twice"
                faults.append(ReadError(DUPLICATE_KEY, message, *match.span(), hint=hint, asides=(aside,)))
                if len(faults) == MAX_FAULTS:
                    break
        before = lexeme
    return faults


def _explain(text: str, error: json.JSONDecodeError) -> ReadError:
    at = error.pos
    char = text[at : at + 1]
    before = text[:at].rstrip()[-1:]
    if error.msg.startswith("Unterminated string"):
        end = text.find("\n", at)
        message = 'the quote " is never closed'
        return ReadError(JSON_SYNTAX, message, at, len(text) if end < 0 else end, hint='close it with "')
    if error.msg.startswith("Invalid control character"):
        message = "a string contains a line break, a tab or another control character"
        return ReadError(JSON_SYNTAX, message, at, at + (char not in "\r\n"), hint="write it as an escape: \\n, \\t")
    if "escape" in error.msg:
        start = text.rfind("\\", 0, at + 1)
        message = "the escape is unknown in JSON"
        return ReadError(JSON_SYNTAX, message, start, min(start + 2, len(text)), hint="double the backslash")
    if not char:
        end = len(text.rstrip())
        message = "the text ends before its value is complete"
        return ReadError(JSON_SYNTAX, message, max(0, end - 1), end, hint="a closing bracket or brace is missing")
    if error.msg.startswith("Illegal trailing comma") or (char in "}]" and before == ","):
        comma = text.rfind(",", 0, at + 1)
        message = "a comma follows the last item"
        return ReadError(JSON_SYNTAX, message, comma, comma + 1, hint="remove it: JSON does not allow one there")
    if char in "/#":
        return ReadError(JSON_SYNTAX, "JSON does not allow comments", at, at + 1, hint="remove the comment")
    if char == "'":
        return ReadError(JSON_SYNTAX, "JSON does not allow single quotes", at, at + 1, hint='write " instead')
    wanted = {"Expecting ',' delimiter": "a comma or a closing bracket", "Expecting ':' delimiter": "a colon"}
    name = "a key in double quotes" if error.msg.startswith("Expecting property name") else "a value"
    message = f"{wanted.get(error.msg, name)} is missing before {shown(char)}"
    return ReadError(JSON_SYNTAX, message, at, at + 1)


def _too_deep(at: int) -> ReadError:
    return ReadError(BEYOND_BOUNDS, f"objects and lists are nested more than {MAX_DEPTH} deep", at, at + 1)


def _is_deep(value: Any) -> bool:
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(MAX_DEPTH):
        inside = (item for node in level for item in (node.values() if isinstance(node, dict) else node))
        level = [item for item in inside if isinstance(item, (dict, list))]
        if not level:
            return False
    return True


def _fixed(value: Any) -> Any:
    """Return a value with lone surrogates in its texts replaced by U+FFFD, as Go does."""
    if isinstance(value, str):
        return _LONE.sub("\ufffd", value)
    if isinstance(value, list):
        return [_fixed(item) for item in value]
    if isinstance(value, dict):
        return {_LONE.sub("\ufffd", key): _fixed(item) for key, item in value.items()}
    return value


def _integer(text: str) -> int | float:
    if len(text) <= _LONGEST_INT64:
        return int(text)
    value = float(text)
    # Python reads decimal digits in quadratic time, so only a number near 64 bits is read exactly.
    if abs(value) < 2**65 and -(2**63) <= (exact := int(text)) < 2**64:
        return exact
    return _float(text)


def _float(text: str) -> int | float:
    value = float(text)
    if not isfinite(value):
        raise _OutOfRange(text)
    return json_number(value)


def _constant(text: str) -> NoReturn:
    raise _OutOfRange(text)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    out = dict(pairs)
    if len(out) != len(pairs):
        raise _DuplicateKey
    return out


def _skip_space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


_DECODER: Final = json.JSONDecoder(
    object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant
)
_AS_WRITTEN: Final = json.JSONDecoder(parse_int=_integer, parse_constant=_constant)
_LENIENT: Final = json.JSONDecoder(parse_int=_integer, parse_float=_float, parse_constant=_constant)
