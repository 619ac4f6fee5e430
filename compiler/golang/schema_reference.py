"""Resolve ``$ref`` of a JSON Schema like the library gojsonschema.

Source: github.com/xeipuuv/gojsonschema v1.2.0, gojsonreference, gojsonpointer.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urljoin

from ..diagnostics.plain import listed
from .strconv import quote
from .url import Url, UrlError
from .url import parse as parse_url

if TYPE_CHECKING:
    from ..diagnostics.span import Path

_LITERAL: Final = frozenset({"const", "enum"})
_NO_SCHEMAS: Final = frozenset({"properties", "dependencies", "patternProperties"})
_MOST_NODES: Final = 100_000
"""Maximum number of values that are searched for references. A hostile schema may contain any number."""
_FETCHED: Final = frozenset({"http", "https"})


class UnresolvedError(ValueError):
    """A reference does not resolve; the message is the reason."""


class References:
    """Resolves the references of a JSON Schema document, and finds endless loops of references."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._places: dict[str, tuple[Any, Path]] = {"": (document, ())}
        self._absolute: dict[int, str] = {}
        self._collect()

    def absolute(self, node: dict[str, Any]) -> str | None:
        """Return the absolute URL of the ``$ref`` of ``node``, or ``None`` if there is no ``$ref`` that is a URL."""
        return self._absolute.get(id(node))

    def resolve(self, reference: str) -> tuple[Any, Path] | None:
        """Return the schema that an absolute URL refers to, and its path in the document.

        Return ``None`` if the schema is on another host, from which the library would fetch it.

        Raises:
            UnresolvedError: The library would find no schema at the URL.
        """
        if reference in self._places:
            return self._places[reference]
        url = parse_url(reference)
        base = str(url._replace(fragment="", raw_fragment=""))
        if base in self._places:
            node, path = self._places[base]
            return _follow(node, path, url.fragment)
        if url.scheme in _FETCHED and url.host:
            if _is_loopback(url.hostname):
                raise UnresolvedError(f"{quote(base)} is on the machine of the reader, where nothing answers")
            return None
        if url.scheme == "file" and url.path.startswith("/"):
            raise UnresolvedError(f"{quote(base)} is a file of the reader's container, which has none")
        raise UnresolvedError(f"there is no schema {quote(base)} in the document")

    def loops(self) -> bool:
        """Return whether validating the empty object would recurse forever, which would crash the library."""
        done: set[int] = set()
        entered: set[int] = set()
        stack: list[tuple[Any, bool]] = [(self._document, False)]
        while stack:
            node, leaving = stack.pop()
            if leaving:
                entered.discard(id(node))
                done.add(id(node))
            elif id(node) in entered:
                return True
            elif isinstance(node, dict) and id(node) not in done:
                entered.add(id(node))
                stack.append((node, True))
                stack += [(child, False) for child in self._applied(node)]
        return False

    def _applied(self, node: dict[str, Any]) -> list[Any]:
        """Return the schemas that an empty object is always validated against when it is validated against ``node``."""
        absolute = self.absolute(node)
        if absolute is not None:
            try:
                target = self.resolve(absolute)
            except UnresolvedError:
                return []
            return [] if target is None else [target[0]]
        kinds = node.get("type", "object")
        if kinds != "object" and not (isinstance(kinds, list) and (not kinds or "object" in kinds)):
            return []
        # The library stops at the first alternative of anyOf that matches.
        out = [*listed(node.get("allOf")), *listed(node.get("oneOf")), *listed(node.get("anyOf"))[:1]]
        return [*out, node["not"]] if "not" in node else out

    def _collect(self) -> None:
        stack: list[tuple[Any, Path, Url]] = [(self._document, (), Url())]
        count = 0
        while stack and count < _MOST_NODES:
            node, path, base = stack.pop()
            count += 1
            if isinstance(node, list):
                stack += [(child, (*path, number), base) for number, child in enumerate(node)]
            elif isinstance(node, dict):
                base = self._identity(node, path, base)
                if isinstance(node.get("$ref"), str):
                    joined = _join(base, node["$ref"])
                    if joined is not None:
                        self._absolute[id(node)] = str(joined)
                for key, child in node.items():
                    if key in _NO_SCHEMAS and isinstance(child, dict):
                        stack += [(inner, (*path, key, name), base) for name, inner in child.items()]
                    elif key not in _NO_SCHEMAS and key not in _LITERAL:
                        stack.append((child, (*path, key), base))

    def _identity(self, node: dict[str, Any], path: Path, base: Url) -> Url:
        name = node.get("id", node.get("$id"))
        if not isinstance(name, str):
            return base
        joined = _join(base, name)
        if joined is None:
            return base
        self._places.setdefault(str(joined), (node, path))
        return joined


def _join(base: Url, reference: str) -> Url | None:
    try:
        url = parse_url(reference)
        if url.scheme or url.host or url.opaque:
            return url
        if not url.path and not url.query and not url.force_query:
            return base._replace(fragment=url.fragment, raw_fragment=url.raw_fragment)
        return parse_url(urljoin(str(base._replace(fragment="", raw_fragment="")), str(url)))
    except (UrlError, ValueError):
        return None


def _is_loopback(host: str) -> bool:
    return host in {"localhost", "::1"} or re.fullmatch(r"127(\.[0-9]{1,3}){3}", host) is not None


def _follow(node: Any, path: Path, fragment: str) -> tuple[Any, Path]:
    """Return the value at the JSON pointer ``fragment`` below ``node``, and its path; ``node`` if it is no pointer."""
    if not fragment.startswith("/"):
        return node, path
    for token in fragment[1:].split("/"):
        name = token.replace("~1", "/").replace("~0", "~")
        if isinstance(node, dict):
            if name not in node:
                raise UnresolvedError(f"there is no {quote(name)}")
            node, path = node[name], (*path, name)
        elif isinstance(node, list):
            if not name.isdecimal() or int(name) >= len(node):
                raise UnresolvedError(f"there is no element {quote(name)}")
            node, path = node[int(name)], (*path, int(name))
        else:
            raise UnresolvedError(f"{quote(name)} is looked up in a value")
    return node, path
