"""Read the front matter of a ``SKILL.md`` like the service.

Source: toolhive 0.21.0, package skills (ParseSkillMD), over gopkg.in/yaml.v3 v3.0.1 decoding into a struct.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.shown import shown
from ...golang import space
from ...reading.bound import BEYOND_BOUNDS, MAX_DEPTH
from ...reading.character import forbidden
from ...reading.data import DUPLICATE_KEY, EXCESSIVE_ALIASES, resolve
from ...reading.fault import ReadError
from ...reading.location import target_of
from ...reading.tree import compose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...reading.node import Node

MARKER = b"---"
MOST_BYTES = 64 * 1024
"""The number of bytes in which the service searches for the end of the front matter (``MaxFrontmatterSize``)."""
TEXTS = ("name", "description", "version", "license", "compatibility")
LISTS = ("allowed-tools", "toolhive.requires")
_MOST_STEPS = 100_000
"""The maximum number of decoding steps, because a small text with aliases may stand for any number of values."""
_CORE = "tag:yaml.org,2002:"
_RESOLVED = frozenset({None, "!", f"{_CORE}null"})


class Split(NamedTuple):
    """The byte offsets of the parts of a ``SKILL.md``.

    Attributes:
        start: The start of the front matter.
        end: The start of the marker that ends the front matter.
        body: The start of the body.
        stop: The end of the body.
        fault: The reason why there is no front matter, or ``None``. With a reason, the offsets are meaningless.
    """

    start: int
    end: int
    body: int
    stop: int
    fault: str | None = None


class FrontMatter(NamedTuple):
    """The content of the front matter.

    Attributes:
        texts: The text of each key in ``TEXTS``; empty if the key is missing.
        lists: The items of each key in ``LISTS``.
        keys: The keys as written, in order.
        list_keys: The keys in ``LISTS`` whose values are YAML lists instead of texts.
        unfit: The values that do not have the type that their key requires. They count as missing.
    """

    texts: dict[str, str]
    lists: dict[str, list[str]]
    metadata: dict[str, str]
    keys: tuple[str, ...]
    list_keys: frozenset[str]
    unfit: tuple[UnfitError, ...] = ()


class UnfitError(Exception):
    """A value of the front matter does not fit its key. ``path`` is its path."""

    def __init__(self, path: tuple[str | int, ...], message: str) -> None:
        super().__init__(message)
        self.path = path
        self.message = message


def split(content: bytes) -> Split:
    """Return the offsets of the front matter and the body.

    The front matter reaches from the marker at the start of the file to the next marker, even inside a line.
    """
    first, stop = space.trimmed(content)
    if not content.startswith(MARKER, first, stop):
        return Split(first, first, first, stop, "the file does not begin with ---")
    start = first + len(MARKER)
    start += content.startswith(b"\n", start, stop)
    end = content.find(MARKER, start, min(stop, start + MOST_BYTES + len(MARKER)))
    if end < 0 and stop - start > MOST_BYTES:
        return Split(start, start, start, stop, f"no --- ends the front matter within {MOST_BYTES:,} bytes")
    if end < 0:
        return Split(start, start, start, stop, "no --- ends the front matter")
    body = end + len(MARKER)
    body += content.startswith(b"\n", body, stop)
    return Split(start, end, body, stop)


def read(text: str) -> FrontMatter:
    """Read the front matter, which is the text between the markers.

    Raises:
        ReadError: The text is not YAML.
        UnfitError: The text is not a mapping with texts as keys.
    """
    forbidden(text)
    root = next(compose(text), None)
    front = FrontMatter(dict.fromkeys(TEXTS, ""), {key: [] for key in LISTS}, {}, (), frozenset())
    if root is None:
        return front
    target = target_of(root)
    if target.kind != "mapping":
        raise UnfitError((), f"keys and values are expected here, not {_kind(target)}")
    reader = _ValueReader()
    as_lists = set()
    pairs = dict(reader.pairs(target, ()))
    unfit: list[UnfitError] = []
    for key, value in pairs.items():
        try:
            if key in front.texts:
                front.texts[key] = reader.text(value, (key,)) or ""
            elif key in front.lists:
                front.lists[key][:] = reader.texts(value, key)
                if target_of(value).kind == "sequence":
                    as_lists.add(key)
            elif key == "metadata":
                front.metadata.update(reader.metadata(value))
        except UnfitError as error:
            unfit.append(error)
    return front._replace(keys=tuple(pairs), list_keys=frozenset(as_lists), unfit=tuple(unfit))


class _ValueReader:
    """Reads YAML nodes as Go decodes them: a field of type string accepts every scalar, as it is written."""

    def __init__(self) -> None:
        self._steps = 0

    def _step(self, node: Node) -> None:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            message = "nearly all of the front matter is repeated by aliases"
            raise ReadError(EXCESSIVE_ALIASES, message, node.start, node.end)

    def pairs(self, node: Node, path: tuple[str | int, ...], around: tuple[Node, ...] = ()) -> Iterator[Any]:
        """Yield the keys and value nodes of a mapping. Keys of merged mappings follow, unless the mapping has them.

        ``around`` has the mappings that merge this mapping.
        """
        _refuse_twins(node)
        seen: set[str] = set()
        merged: Node | None = None
        for key, value in node.value:
            self._step(key)
            if key.kind == "scalar" and key.value == "<<" and key.plain:
                merged = value
                continue
            name = self.text(key, path)
            if name is not None and name not in seen:
                seen.add(name)
                yield name, value
        for source in () if merged is None else merged.value if merged.kind == "sequence" else [merged]:
            target = target_of(source)
            self._step(source)
            if len(around) > MAX_DEPTH:
                message = f"mappings are merged more than {MAX_DEPTH} deep"
                raise ReadError(BEYOND_BOUNDS, message, source.start, source.end)
            if target.kind != "mapping" or any(target is ancestor for ancestor in (node, *around)):
                raise UnfitError((*path, "<<"), "a merge key takes a mapping, or a list of mappings")
            for name, value in self.pairs(target, path, (node, *around)):
                if name not in seen:
                    seen.add(name)
                    yield name, value

    def text(self, node: Node, path: tuple[str | int, ...]) -> str | None:
        target = target_of(node)
        if target.kind != "scalar":
            raise UnfitError(path, f"text is expected here, not {_kind(target)}")
        value = resolve(target, "vmcp")
        if value is None:
            return None
        is_binary = target.tag == f"{_CORE}binary"
        text: str = value if is_binary else target.value
        return text

    def texts(self, node: Node, key: str) -> list[str]:
        """Return the texts in a list. A single text is split at commas, or at spaces if it has no comma."""
        target = target_of(node)
        if target.kind == "sequence":
            items = [self.text(item, (key, number)) for number, item in enumerate(target.value)]
            return [item for item in items if item is not None]
        if target.kind == "mapping":
            raise UnfitError((key,), "a list is expected here, or names with spaces between them, not a mapping")
        if target.tag in _RESOLVED and resolve(target, "vmcp") is None:
            return []
        text: str = target.value
        parts = [space.trim(part) for part in text.split(",")] if "," in text else space.fields(text)
        return [part for part in parts if part]

    def metadata(self, node: Node) -> dict[str, str]:
        """Return the mapping ``metadata`` with its values as text. Null values become empty texts."""
        target = target_of(node)
        if target.kind == "scalar" and resolve(target, "vmcp") is None:
            return {}
        if target.kind != "mapping":
            raise UnfitError(("metadata",), f"keys and values are expected here, not {_kind(target)}")
        pairs = self.pairs(target, ("metadata",))
        return {name: self.text(value, ("metadata", name)) or "" for name, value in pairs}


def _kind(node: Node) -> str:
    return {"mapping": "a mapping", "sequence": "a list"}.get(node.kind, f"the text {shown(node.value)}")


def _refuse_twins(node: Node) -> None:
    first: dict[str, Node] = {}
    for key, _ in node.value:
        if key.kind == "scalar" and first.setdefault(key.value, key) is not key:
            message = f"the key {shown(key.value)} is written twice"
            raise ReadError(DUPLICATE_KEY, message, key.start, key.end, hint="keep one of the two")
