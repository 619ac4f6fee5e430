"""Edits of a text, and the changes that they make to its data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ..diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..diagnostics.span import Path


class Edit(NamedTuple):
    """A replacement of a range of a text. Offsets count code points, and the end is exclusive."""

    start: int
    end: int
    text: str


class Change(NamedTuple):
    """A change of the data of a document.

    Attributes:
        sort: ``put`` sets ``value`` at ``path`` and creates missing parents; ``remove`` deletes the entry; ``rename``
            changes its key to ``value``; ``move`` moves it to the path ``value``.
        value: The new value, key or path, as ``sort`` needs it; ``None`` for ``remove``.
    """

    sort: Literal["put", "remove", "rename", "move"]
    path: Path
    value: Any = None


class FileFix(NamedTuple):
    """The edits that fix a fault in a file, and the changes that they must cause.

    Attributes:
        title: Imperative sentence that names the effect.
        edits: Edits of the whole file, in order, without overlap.
        document: Index of the changed document, as in findings.
        is_safe: True if the fix certainly keeps the meaning; otherwise a person has to review it.
        added: Data of the documents that the edits append to the file.
    """

    title: str
    edits: tuple[Edit, ...]
    changes: tuple[Change, ...]
    document: int
    is_safe: bool = True
    added: tuple[Any, ...] = ()


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Return the text with all edits applied. They must not overlap."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits):
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join((*parts, text[at:]))


def moved(edits: Iterable[Edit], by: int) -> Iterator[Edit]:
    """Yield the edits with their offsets increased by ``by``."""
    return (Edit(edit.start + by, edit.end + by, edit.text) for edit in edits)


def changed(data: Any, changes: Iterable[Change]) -> Any:
    """Return a copy of ``data`` with the changes applied.

    If YAML aliases share a value, only the value at the changed path changes.

    Raises:
        LookupError: A change does not fit the data.
    """
    copy = _unshared(data)
    for change in changes:
        _make(copy, change)
    return copy


def _unshared(value: Any) -> Any:
    if type(value) is dict:
        return {key: _unshared(item) for key, item in value.items()}
    return [_unshared(item) for item in value] if type(value) is list else value


def _make(data: Any, change: Change) -> None:
    if change.sort == "put":
        _holder(data, change.path, make=True)[change.path[-1]] = change.value
        return
    holder = _holder(data, change.path)
    value = holder[change.path[-1]]
    target: Path = change.value if change.sort == "move" else (*change.path[:-1], change.value)
    del holder[change.path[-1]]
    if change.sort != "remove":
        place = _holder(data, target, make=True)
        if target[-1] in place:
            raise KeyError(target[-1])
        place[target[-1]] = value


def _holder(data: Any, path: Path, *, make: bool = False) -> Any:
    for step in path[:-1]:
        data = data.setdefault(step, {}) if make and type(data) is dict else data[step]
    if type(data) is not dict and not (type(data) is list and type(path[-1]) is int):
        raise KeyError(path[-1])
    return data


def same(left: Any, right: Any) -> bool:
    """Return whether two values are equal in content and type: 1, 1.0 and true differ."""
    if type(left) is not type(right):
        return False
    if type(left) is dict:
        return left.keys() == right.keys() and all(same(item, right[key]) for key, item in left.items())
    if type(left) is list:
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right) or (left != left and right != right)  # noqa: PLR0124 - NaN equals nothing
