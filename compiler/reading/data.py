"""Convert the nodes of a document to plain data exactly like Go's readers.

Source: decode.go of go.yaml.in/yaml/v2 v2.4.2 and gopkg.in/yaml.v3 v3.0.1; yaml.go of sigs.k8s.io/yaml v1.6.0.
"""

from __future__ import annotations

import base64
import re
from contextlib import contextmanager
from math import isfinite
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.budget import OF_FILE, Budget
from ..diagnostics.finding import rule
from ..diagnostics.shown import shown
from ..golang.yaml.resolve import json_number, key_text, resolve_plain, resolve_tagged
from .aside import Aside
from .bound import BEYOND_BOUNDS, MAX_DEPTH, MAX_FAULTS
from .fault import ReadError, UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .node import Dialect, Node

DUPLICATE_KEY = rule("SYN010 duplicate-key", "syntax", "A mapping has the same key twice")
UNSUITABLE_KEY = rule("SYN013 unsuitable-key", "syntax", "A key is null, a list or a mapping")
UNSUITABLE_VALUE = rule(
    "SYN014 unsuitable-value", "syntax", "A value cannot be converted to JSON, or does not fit its tag"
)
EXCESSIVE_ALIASES = rule("SYN017 excessive-aliases", "syntax", "The document consists almost entirely of repetition")

SEPARATE: Final = "write --- in a line before this one"
"""The hint of a finding about an object that a missing ``---`` joins with the object before it."""
_IDENTIFYING: Final = ("apiVersion", "kind")
_CORE: Final = "tag:yaml.org,2002:"
_BASE64: Final = re.compile(r"(?:[A-Za-z0-9+/]{4})*+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?\Z")
_TYPED: Final = frozenset({"bool", "float", "int", "null", "timestamp"})

_FEW_ALIASED: Final = 100
"""go-yaml checks the share of values from aliases only beyond this number of them (``decoder.unmarshal``)."""
_FEW_DECODED: Final = 1000
"""go-yaml checks the share of values from aliases only beyond this number of decoded values."""
_RATIO_LOW: Final = 400_000
"""Up to this number of decoded values, go-yaml allows 99 % from aliases (``alias_ratio_range_low``)."""
_RATIO_HIGH: Final = 4_000_000
"""From this number of decoded values on, go-yaml allows 10 % from aliases (``alias_ratio_range_high``)."""


def data_of(root: Node, dialect: Dialect, *, strict: bool = True, budget: Budget | None = None) -> Any:
    """Return the plain data of a document.

    Args:
        dialect: The reader to imitate.
        strict: True to refuse duplicate keys, like Kubernetes' reader. Otherwise the last value counts.
        budget: The file's budget for expanding aliases. Default: a new budget.

    Raises:
        UnreadableError: Go's reader would refuse the document. The error contains all reasons.
    """
    reader = _DocumentReader(dialect, budget or Budget(OF_FILE), strict=strict)
    try:
        value = reader.value(root, 1)
    except ReadError as fault:
        reader.faults.append(fault)
    if reader.faults:
        if dialect == "kubernetes":
            reader.faults = _without_joined(root, reader.faults)
        unique = {(fault.start, fault.message): fault for fault in reversed(reader.faults)}
        raise UnreadableError(tuple(unique[key] for key in sorted(unique)[:MAX_FAULTS]))
    return value


def resolve(node: Node, dialect: Dialect) -> Any:
    """Return the value of a scalar by its tag, quotes and text.

    Raises:
        ReadError: The text does not fit the tag.
    """
    tag: str | None = node.tag
    text: str = node.value
    if tag is None:
        return resolve_plain(text, v3=dialect == "vmcp") if node.plain else text
    if tag == "!":
        return resolve_plain(text, v3=True) if node.plain and dialect == "vmcp" else text
    short = tag.removeprefix(_CORE) if tag.startswith(_CORE) else ""
    try:
        if short == "binary":
            return _binary(text)
        return resolve_tagged(text, short, v3=dialect == "vmcp") if short in _TYPED else text
    except ValueError:
        message = f"{shown(text)} does not fit its tag !!{short}"
        raise ReadError(UNSUITABLE_VALUE, message, node.start, node.end) from None


class _DocumentReader:
    """Converts the nodes of a document to data. Fatal faults are raised; other faults are collected, as in Go."""

    def __init__(self, dialect: Dialect, budget: Budget, *, strict: bool) -> None:
        self.faults: list[ReadError] = []
        self._dialect: Dialect = dialect
        self._budget = budget
        self._strict = strict
        self._decoded = 1  # the document itself
        self._aliased = 0
        self._open_aliases: list[Node] = []

    def value(self, node: Node, depth: int) -> Any:
        self._count()
        if node.kind == "alias":
            return self._alias(node, depth)
        if node.kind == "scalar":
            return self._scalar(node)
        if depth > MAX_DEPTH:
            message = f"lists and mappings are nested more than {MAX_DEPTH} deep"
            raise ReadError(BEYOND_BOUNDS, message, node.start, node.end)
        if node.kind == "sequence":
            return [self.value(item, depth + 1) for item in node.value]
        return self._mapping(node, depth)

    def _report(self, fault: ReadError) -> None:
        if len(self.faults) >= MAX_FAULTS:
            raise fault
        self.faults.append(fault)

    def _count(self) -> None:
        """Count a decoding step. Raise `ReadError` if too many of the steps are within aliases, as go-yaml does."""
        self._decoded += 1
        if not self._open_aliases:
            return
        self._aliased += 1
        self._spend(steps=1)
        if self._aliased <= _FEW_ALIASED or self._decoded <= _FEW_DECODED:
            return
        # The share of aliased steps that yaml.v3 allows falls from 99 to 10 percent between the two bounds.
        spread = (self._decoded - _RATIO_LOW) / (_RATIO_HIGH - _RATIO_LOW)
        allowed = 0.99 - 0.89 * min(1.0, max(0.0, spread))
        if self._aliased / self._decoded > allowed:
            place = self._open_aliases[0]
            message = "nearly all of the document is repeated by aliases"
            hint = "Kubernetes' reader refuses it too; write the values out"
            raise ReadError(EXCESSIVE_ALIASES, message, place.start, place.end, hint=hint)

    def _spend(self, *, steps: int = 0, characters: int = 0) -> None:
        """Spend the file's budget for values that an alias repeats. Raise `ReadError` if it is too small."""
        if not self._budget.grants(steps=steps, characters=characters):
            place = self._open_aliases[0]
            message = f"aliases repeat more of the file than is read: more than {self._budget.take_refusal()}"
            hint = "write the values out, or split the file"
            raise ReadError(BEYOND_BOUNDS, message, place.start, place.end, hint=hint)

    def _alias(self, node: Node, depth: int) -> Any:
        self._open(node)
        value = self.value(node.value, depth)
        self._open_aliases.pop()
        return value

    def _open(self, alias: Node) -> None:
        if any(alias is open_alias for open_alias in self._open_aliases):
            message = "the alias is inside the value that it repeats"
            raise ReadError(EXCESSIVE_ALIASES, message, alias.start, alias.end)
        self._open_aliases.append(alias)

    def _scalar(self, node: Node) -> Any:
        if self._open_aliases:
            self._spend(characters=len(node.value))
        value = resolve(node, self._dialect)
        if isinstance(value, float) and self._dialect == "kubernetes":
            if not isfinite(value):
                message = f"{shown(node.value)} is a number that JSON cannot represent"
                hint = "quote it if it is meant as text"
                self._report(ReadError(UNSUITABLE_VALUE, message, node.start, node.end, hint=hint))
            return json_number(value)
        return value

    def _mapping(self, node: Node, depth: int) -> dict[str, Any]:
        out: dict[str, Any] = {}
        if self._dialect == "kubernetes":
            self._fill_in_order(node, out, depth)
        else:
            self._fill_explicit_first(node, out, None, depth)
        return out

    def _fill_in_order(self, node: Node, out: dict[str, Any], depth: int) -> None:
        """Fill ``out`` with the pairs of a mapping in the order of the text, like the reader of Kubernetes.

        An explicit key wins over a merged key in any order, as in kustomize, Flux and YAML itself. Of several merge
        keys, the last in the text wins; of the mappings in the list of one merge key, the first.
        """
        written: dict[str, Node] = {}
        for key, value in node.value:
            if _is_merge(key, self._dialect):
                # Reversed, so that the first mapping of a list overwrites the later ones.
                for source in reversed(_merge_sources(value)):
                    merged: dict[str, Any] = {}
                    with self._merged_mapping(source) as source_mapping:
                        self._fill_in_order(source_mapping, merged, depth)
                    out.update((name, item) for name, item in merged.items() if name not in written)
                continue
            name = self._key(key)
            # Read even if the key is refused, so that faults in the value are reported too.
            read = self.value(value, depth + 1)
            if name is None:
                continue
            if name in written and self._strict:
                self._report(_duplicate_key_fault(name, key, written[name]))
                continue
            out[name] = read
            written[name] = key

    def _fill_explicit_first(self, node: Node, out: dict[str, Any], names: set[str] | None, depth: int) -> None:
        """Fill ``out`` with the pairs of a mapping like the vMCP process: explicit keys win, then the first merge.

        Args:
            names: The keys that already have a value, while a merged mapping is read; otherwise ``None``.
        """
        if self._report_duplicate_texts(node):
            return
        merge: Node | None = None
        for key, value in node.value:
            if _is_merge(key, self._dialect):
                merge = value
                continue
            name = self._key(key)
            if name is None or (names is not None and name in names):
                continue
            if names is not None:
                names.add(name)
            out[name] = self.value(value, depth + 1)
        if merge is None:
            return
        if names is None:
            for _ in node.value:
                self._count()  # Go reads the keys again, to know what is taken
            names = set(out)
        for source in _merge_sources(merge):
            with self._merged_mapping(source) as source_mapping:
                self._fill_explicit_first(source_mapping, out, names, depth)

    def _report_duplicate_texts(self, node: Node) -> bool:
        """Report keys with the same text, even if their tags differ, and return whether there are any."""
        places: dict[Any, Node] = {}
        before = len(self.faults)
        for key, _ in node.value:
            if key.kind not in {"scalar", "alias"}:
                continue
            first = places.setdefault(key.value, key)
            if first is not key:
                name = key.value if key.kind == "scalar" else "*"
                self._report(_duplicate_key_fault(name, key, first))
        return len(self.faults) > before

    @contextmanager
    def _merged_mapping(self, source: Node) -> Iterator[Node]:
        """Yield the mapping that ``source`` is or refers to as an alias, which stays open in the ``with`` block."""
        self._count()
        if source.kind == "alias":
            self._open(source)
            self._count()
            yield source.value
            self._open_aliases.pop()
        else:
            yield source

    def _key(self, node: Node) -> str | None:
        """Return the JSON key for a key node, or ``None`` for a refused or ignored scalar; raise for other nodes."""
        self._count()
        target = node
        if node.kind == "alias":
            target = node.value
            self._decoded += 1
            self._aliased += 1
        if target.kind != "scalar":
            what = "a list" if target.kind == "sequence" else "a mapping"
            hint = "quote the text" if target.flow else None
            raise ReadError(UNSUITABLE_KEY, f"{what} where a key belongs", node.start, node.end, hint=hint)
        name = key_name(target, self._dialect)
        if name is None and self._dialect == "kubernetes":
            what = "null" if resolve(target, self._dialect) is None else "a number beyond 64 bits"
            message = f"{shown(target.value) if target.value else 'nothing'} cannot be a key: it is {what}"
            hint = "quote it if it is meant as text"
            self._report(ReadError(UNSUITABLE_KEY, message, node.start, node.end, hint=hint))
        return name


def key_name(node: Node, dialect: Dialect) -> str | None:
    """Return the JSON key of a scalar, or ``None`` if it cannot be one. The vMCP process reads every key as text."""
    value = resolve(node, dialect)
    if dialect == "kubernetes" or value is None or node.tag == _CORE + "binary":
        return key_text(value)
    text: str = node.value
    return text


def _is_merge(key: Node, dialect: Dialect) -> bool:
    if key.kind != "scalar" or key.value != "<<":
        return False
    if key.tag == _CORE + "merge":
        return True
    return key.implicit if dialect == "kubernetes" else key.plain and key.tag in {None, "!"}


def _merge_sources(value: Node) -> list[Node]:
    sources: list[Node] = value.value if value.kind == "sequence" else [value]
    for source in sources:
        target = source.value if source.kind == "alias" else source
        if target.kind != "mapping":
            message = "a merge key << takes a mapping, or a list of mappings"
            raise ReadError(UNSUITABLE_VALUE, message, source.start, source.end)
    return sources


def _duplicate_key_fault(name: str, key: Node, first: Node) -> ReadError:
    aside = Aside("the first one is here", first.start, first.end)
    message = f"the key {shown(name)} occurs twice"
    return ReadError(DUPLICATE_KEY, message, key.start, key.end, hint="keep one of the two", asides=(aside,))


def _without_joined(root: Node, faults: list[ReadError]) -> list[ReadError]:
    """Return the faults, with one for each missing ``---`` instead of one for each key that it makes a duplicate.

    A mapping that states both ``apiVersion`` and ``kind`` again is another object, whose ``---`` is missing. In a list
    of objects, the dash of an item is missing.
    """
    message = "another object begins here, but no --- separates it from the one before"
    faults = _without_joined_keys(root, faults, message, SEPARATE)
    message = "another object begins here, but no dash makes it an item of the list"
    for key, value in root.value if root.kind == "mapping" else ():
        for item in value.value if key.value == "items" and value.kind == "sequence" else ():
            faults = _without_joined_keys(item, faults, message, "begin this line with a dash, as the first item does")
    return faults


def _without_joined_keys(node: Node, faults: list[ReadError], message: str, hint: str) -> list[ReadError]:
    keys = [key for key, _ in node.value if key.kind == "scalar"] if node.kind == "mapping" else []
    starts: list[Node] = []
    seen: set[str] = set()
    for key in keys:
        if key.value in seen:
            starts.append(key)
            seen = set()
        seen.add(key.value)
    counts = [sum(key.value == name for key in keys) for name in _IDENTIFYING]
    if not starts or any(count != len(starts) + 1 for count in counts):
        return faults
    duplicates = {key.start for key in keys}
    others = [fault for fault in faults if fault.rule is not DUPLICATE_KEY or fault.start not in duplicates]
    found = [ReadError(DUPLICATE_KEY, message, start.start, start.end, hint=hint) for start in starts[:MAX_FAULTS]]
    return [*others, *found]


def _binary(text: str) -> str:
    """Decode base64 like Go, and replace invalid UTF-8 like its JSON writer."""
    stripped = text.replace("\n", "").replace("\r", "")
    if not _BASE64.match(stripped):
        raise ValueError(text)
    fixed = base64.b64decode(stripped).decode("utf-8", "surrogateescape")
    return "".join("\ufffd" if "\udc80" <= char <= "\udcff" else char for char in fixed)
