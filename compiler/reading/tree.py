"""Parse a YAML text into nodes with extents and with the details that Go's readers depend on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    MappingStartEvent,
    ScalarEvent,
    StreamEndEvent,
)

from ..diagnostics.finding import rule
from ..diagnostics.shown import shown
from ..golang.yaml.resolve import NULLS
from .bound import BEYOND_BOUNDS, MAX_DEPTH, MAX_DIRECTIVES, MAX_DOCUMENTS, MAX_NODES
from .fault import ReadError
from .node import Node
from .parser import MarkedYAMLError, YAMLError, event_parser, extent_of
from .problem import RESERVED_CHARACTER, UNKNOWN_ESCAPE, YAML_SYNTAX, explain

if TYPE_CHECKING:
    from collections.abc import Iterator

UNKNOWN_ALIAS = rule("SYN012 unknown-alias", "syntax", "An alias names an anchor that is not defined before it")

_STAND_IN: Final = "\ue0c0\uf1d3"
"""Two private-use characters. The first one that is not in the text replaces a colon."""
_QUOTE_STAND_IN: Final = "\ue0c1\uf1d4"
"""Like `_STAND_IN`, but two of them replace an escaped single quote."""
_ESCAPED_QUOTE: Final = "\\'"

_KEYLESS: Final = re.compile(r"\?\s*+(?:#.*+\s*+)*+\]")
"""Pattern of a question mark before a closing bracket."""

_TOO_DEEP: Final = "maximum nesting depth"
_LOOKAHEAD: Final = 1024
"""Code points that libyaml reads ahead before it emits the event of a bracket: the maximum length of a key on one line.

libyaml 0.2.6, part of PyYAML 6.0.4, fails at a bracket that is nested 1,001 deep, before it emits the events of the
brackets beyond `MAX_DEPTH`. If the brackets after this number of code points are removed, it emits these events, or
fails at the same fault as earlier releases.
"""
_WITHOUT_OPENERS: Final = str.maketrans("[{", ",,")

_MOST_REPAIRS: Final = 200
"""Maximum number of repairs of one text, because each parses the text again."""
_REPAIRED_AT_ONCE: Final = 50_000
"""Number of code points that count as one repair, because each repair reads the text again up to the fault.

So faults that are later in a text get fewer repairs.
"""


def compose(text: str) -> Iterator[Node]:
    """Yield the root node of each document of a YAML text. Empty documents are skipped.

    Raises:
        ReadError: The text is not YAML, or exceeds a limit.
    """
    if "%" in text and text.count("%TAG") > MAX_DIRECTIVES:
        at = text.find("%TAG")
        raise ReadError(BEYOND_BOUNDS, f"more than {MAX_DIRECTIVES} %TAG directives", at, at + 4)
    stand_ins = [next((char for char in chars if char not in text), None) for chars in (_STAND_IN, _QUOTE_STAND_IN)]
    repaired = text
    done = 0
    repairs_left = _MOST_REPAIRS
    while True:
        try:
            for count, root in enumerate(_Composer(repaired, *stand_ins).documents()):
                if count >= done:
                    done += 1
                    yield root
        except MarkedYAMLError as error:
            at = error.problem_mark.index if error.problem_mark else 0
            if _TOO_DEEP not in f"{error.problem}":
                repairs_left -= 1 + at // _REPAIRED_AT_ONCE
            better = _repaired(repaired, at, f"{error.problem}", *stand_ins)
            if better is None or repairs_left < 0:
                raise explain(error, text) from None
            repaired = better
        except YAMLError as error:
            raise explain(error, text) from None
        else:
            return


def _repaired(text: str, at: int, problem: str, colon: str | None, quote: str | None) -> str | None:
    """Return the text with a stand-in for the construct at which libyaml failed.

    The result is ``None`` if the construct is unknown or no stand-in is left. The constructs are a colon at the end of
    a plain scalar in a flow collection, brackets nested too deep for libyaml, and an escaped single quote.

    Args:
        colon: The character that replaces a colon; ``None`` if the text already contains all candidates.
        quote: The character of which two replace an escaped quote; ``None`` if the text already contains all
            candidates.
    """
    if problem == "found unexpected ':'" and colon is not None:
        return text[:at] + colon + text[at + 1 :]
    if _TOO_DEEP in problem:
        return text[:at] + text[at : at + _LOOKAHEAD].translate(_WITHOUT_OPENERS) + text[at + _LOOKAHEAD :]
    if "unknown escape" in problem and quote is not None:
        start = text.rfind("\\", 0, at + 1)
        if text.startswith(_ESCAPED_QUOTE, start):
            return text[:start] + quote + quote + text[start + 2 :]
    return None


class _Composer:
    r"""Builds trees from events without recursion.

    libyaml refuses ``[a:, b]``, where Go's older port reads the text ``a:``, and ``"it\'s"``, where both ports read
    ``it's``. `compose` inserts stand-ins of the same width, so marks stay valid, and the composer replaces them again.
    """

    def __init__(self, text: str, stand_in: str | None, quote: str | None) -> None:
        self._text = text
        self._parser = event_parser(text)
        self._quotes = None if quote is None or quote not in text else quote * 2
        self._stand_in = stand_in if stand_in is not None and stand_in in text else None
        self._anchors: dict[str, Node] = {}
        self._has_slash_escape = "\\/" in text

    def documents(self) -> Iterator[Node]:
        next_event = self._parser.get_event
        next_event()  # the start of the stream
        count = 0
        while type(event := next_event()) is not StreamEndEvent:
            if type(event) is DocumentStartEvent:
                count += 1
                if count > MAX_DOCUMENTS:
                    raise ReadError(BEYOND_BOUNDS, f"more than {MAX_DOCUMENTS:,} documents", *extent_of(event))
                self._check_directives(event)
                self._anchors = {}
                root = self._node(next_event())
                next_event()  # the end of the document, or what stands there instead
                if not _is_empty(root):
                    yield root

    def _check_directives(self, event: Any) -> None:
        start, end = extent_of(event)
        if event.version not in {None, (1, 1)}:
            version = ".".join(map(str, event.version or ()))
            message = f"%YAML {version} requests a version of YAML that Kubernetes' reader does not support"
            raise ReadError(YAML_SYNTAX, message, start, end, hint="remove the %YAML line")

    def _node(self, event: Any) -> Node:
        root = self._begin(event)
        open_nodes = [root] if root.kind in {"sequence", "mapping"} else []
        keys: list[Node | None] = [None]
        count = 1
        while open_nodes:
            parent = open_nodes[-1]
            event = self._parser.get_event()
            if isinstance(event, CollectionEndEvent):
                parent.end = extent_of(event)[1 if parent.flow else 0]
                open_nodes.pop()
                keys.pop()
                continue
            node = self._begin(event)
            count += 1
            if count > MAX_NODES:
                message = f"the document contains more than {MAX_NODES:,} keys and values"
                raise ReadError(BEYOND_BOUNDS, message, node.start, node.end)
            _attach(parent, node, keys)
            if node.kind in {"sequence", "mapping"}:
                open_nodes.append(node)
                keys.append(None)
                if len(open_nodes) > MAX_DEPTH:
                    message = f"lists and mappings are nested more than {MAX_DEPTH} deep"
                    raise ReadError(BEYOND_BOUNDS, message, node.start, node.start + 1)
        return root

    def _begin(self, event: Any) -> Node:
        start, end = extent_of(event)
        anchor = event.anchor
        if type(event) is AliasEvent:
            if anchor not in self._anchors:
                raise _unknown_alias(anchor, start, end, self._anchors)
            return Node("alias", start, end, self._anchors[anchor])
        if type(event) is ScalarEvent:
            node = self._scalar(event, start, end)
        else:
            self._check_key(start)
            node = _collection(event, start, end)
        if anchor is not None:
            self._anchors[anchor] = node
        return node

    def _check_key(self, start: int) -> None:
        """Raise `ReadError` for ``[?]``. Go's readers refuse it, but libyaml accepts it since version 0.2.6."""
        if _KEYLESS.match(self._text, start):
            message = "a ? inside brackets needs a key after it"
            raise ReadError(RESERVED_CHARACTER, message, start, start + 1, hint='quote it: "?"')

    def _scalar(self, event: Any, start: int, end: int) -> Node:
        value = event.value
        if self._stand_in is not None:
            value = value.replace(self._stand_in, ":")
        if self._quotes is not None:
            value = value.replace(self._quotes, "'")
        node = Node("scalar", start, end, value, event.tag)
        node.plain = not event.style
        node.implicit = event.implicit[0] and not (event.tag == "!" and not value)
        if event.style == '"' and self._has_slash_escape:
            self._check_escapes(start, end)
        return node

    def _check_escapes(self, start: int, end: int) -> None:
        r"""Raise `ReadError` for the escape ``\/``. Newer releases of libyaml accept it, but Go's port is older."""
        at = start
        while (at := self._text.find("\\", at, end)) >= 0:
            if self._text[at + 1] == "/":
                message = 'the escape "\\/" is unknown in YAML'
                raise ReadError(UNKNOWN_ESCAPE, message, at, at + 2, hint="write the slash without a backslash")
            at += 2


def _collection(event: Any, start: int, end: int) -> Node:
    node = Node("mapping" if isinstance(event, MappingStartEvent) else "sequence", start, end, [], event.tag)
    node.flow = bool(event.flow_style)
    return node


def _attach(parent: Node, node: Node, keys: list[Node | None]) -> None:
    """Add a node to its parent. In a mapping, ``keys[-1]`` holds a key until the next node becomes its value."""
    if parent.flow and node.kind == "scalar":
        node.flow = True
        if node.plain and "?" in node.value:
            message = f"a ? ends an unquoted value inside brackets: {shown(node.value)}"
            raise ReadError(RESERVED_CHARACTER, message, node.start, node.end, hint="quote the value")
    if parent.kind == "sequence":
        parent.value.append(node)
    elif keys[-1] is None:
        keys[-1] = node
    else:
        parent.value.append((keys[-1], node))
        keys[-1] = None


def _is_empty(root: Node) -> bool:
    """Return whether a document is empty or null. The tools of Kubernetes skip such documents."""
    return root.kind == "scalar" and root.implicit and root.tag is None and root.value in NULLS


def _unknown_alias(name: str, start: int, end: int, anchors: dict[str, Node]) -> ReadError:
    hint = f"define &{name} before it in this document"
    if anchors:  # at most five, so that the hint stays readable
        hint += "; the anchors here are " + ", ".join("&" + anchor for anchor in sorted(anchors)[:5])
    return ReadError(UNKNOWN_ALIAS, f"the alias *{name} has no anchor", start, end, hint=hint)
