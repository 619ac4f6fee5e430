"""Edits of a text, and what they are meant to do to the data that it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..diagnostics.span import Path


class Edit(NamedTuple):
    """A stretch of a text to be replaced; offsets in code points, the end exclusive."""

    start: int
    end: int
    text: str


class Change(NamedTuple):
    """What becomes of the data of a document.

    Attributes:
        sort: ``put`` sets ``value`` at ``path`` and makes the objects around it; ``remove`` takes the entry away;
            ``rename`` changes the entry's name to ``value``; ``move`` takes it to the path ``value``.
        path: From the root of the document.
        value: What the sort needs.
    """

    sort: Literal["put", "remove", "rename", "move"]
    path: Path
    value: Any = None


class Fix(NamedTuple):
    """How a fault can be fixed.

    Attributes:
        title: What is done, in the imperative.
        edits: Of the text of the whole file, in order, without overlaps.
        changes: What the edits do to the data, and nothing else.
        document: The document that they do it to, counted as findings count.
        is_safe: The text means the same to its author as before; else a person has to look.
        added: The data of the documents that the edits add at the end of the file.
    """

    title: str
    edits: tuple[Edit, ...]
    changes: tuple[Change, ...]
    document: int
    is_safe: bool = True
    added: tuple[Any, ...] = ()


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Replace all stretches; they must not overlap."""
    parts: list[str] = []
    at = 0
    for edit in sorted(edits):
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join((*parts, text[at:]))


def moved(edits: Iterable[Edit], by: int) -> Iterator[Edit]:
    """Yield edits as they are of a text that begins ``by`` characters further up."""
    return (Edit(edit.start + by, edit.end + by, edit.text) for edit in edits)


def changed(data: Any, changes: Iterable[Change]) -> Any:
    """Return a copy of ``data`` with the changes made.

    Values that an alias shares become values of their own.

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


def same(one: Any, other: Any) -> bool:
    """Return whether two values are equal, types included: neither 1 and true nor 1 and 1.0 are."""
    if type(one) is not type(other):
        return False
    if type(one) is dict:
        return one.keys() == other.keys() and all(same(item, other[key]) for key, item in one.items())
    if type(one) is list:
        return len(one) == len(other) and all(map(same, one, other))
    return bool(one == other) or (one != one and other != other)  # noqa: PLR0124 - NaN equals nothing
