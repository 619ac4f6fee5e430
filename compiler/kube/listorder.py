"""The order of merged lists: how a strategic merge patch interleaves its items with existing items.

Source: Kubernetes 1.35, k8s.io/apimachinery: pkg/util/strategicpatch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.span import Path

DIRECTIVE = "$patch"

Identity: TypeAlias = tuple[type, Any]
"""A scalar with its type: in Go ``1``, ``1.0`` and ``true`` are different values."""

_LONGEST_INSERTION_SORT = 20
"""Go's ``sort.Stable`` sorts blocks of 20 items by insertion.

If the order is inconsistent, the result of the blocks' merge is not imitated, so longer lists keep their order.
"""


class MergeRefused(Exception):  # noqa: N818 - an outcome, not a bug
    """The API server would refuse the patch. ``strategicmerge.merge`` catches the error and reports it as a flaw."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.message = message


def identity(value: Any, path: Path) -> Identity:
    """Return the comparison key of a scalar: its Python type and its value.

    Raises:
        MergeRefused: ``value`` is a list or mapping.
    """
    if isinstance(value, (dict, list)):
        raise MergeRefused(path, "a list or mapping where elements are told apart by a single value")
    return type(value), value


def key_of(element: Any, merge_key: str, path: Path) -> Identity:
    """Return the comparison key of a list item: type and value of its merge key or, in a list of scalars, of the item.

    Args:
        merge_key: Field that matches mappings; empty for a list of scalars.

    Raises:
        MergeRefused: A mapping lacks the merge key, or the item is not of the list's kind.
    """
    if not merge_key:
        return identity(element, path)
    if not isinstance(element, dict):
        raise MergeRefused(path, f"an element that is not a mapping in a list that is merged by {merge_key}")
    if merge_key not in element:
        raise MergeRefused(path, f"the entry has no {merge_key}, by which the operator merges the list into its own")
    key = element[merge_key]
    # A list or mapping as merge key equals no other. Decoding the result refuses it.
    return (type(key), id(key)) if isinstance(key, (dict, list)) else (type(key), key)


def element_type(path: Path, *lists: Iterable[Any]) -> type:
    """Return the Python type that all items of the lists have.

    Raises:
        MergeRefused: The types differ, or the items are lists or null, or there are no items.
    """
    types = {type(element) for elements in lists for element in elements}
    if len(types) != 1:
        raise MergeRefused(path, "a list of elements of several types" if types else "a list without elements")
    for type_ in types & {list, type(None)}:
        raise MergeRefused(path, "a list of lists" if type_ is list else "null in a list that is merged")
    return types.pop()


def arranged(merged: list[Any], given: list[Any], before: list[Any], merge_key: str, path: Path) -> list[Any]:
    """Return the merged list sorted: items of the patch in the order of ``given``, others in the order of ``before``.

    An item of the patch that existed before keeps its position among the others. A new item comes as early as the order
    of the patch allows.

    Args:
        given: The list that determines the order of the patch's items.
        merge_key: Field that matches mappings; empty for scalars.

    Raises:
        MergeRefused: An item has no comparison key.
    """
    given_rank = _ranks(given, merge_key, path)
    before_rank = _ranks(before, merge_key, path)
    ours = [element for element in merged if key_of(element, merge_key, path) in given_rank]
    theirs = [element for element in merged if key_of(element, merge_key, path) not in given_rank]
    theirs = _sorted(theirs, before_rank, merge_key, path)
    return _interleaved(theirs, _sorted(ours, given_rank, merge_key, path), before_rank, merge_key)


def _ranks(elements: list[Any], merge_key: str, path: Path) -> dict[Identity, int]:
    ranks: dict[Identity, int] = {}
    for i, element in enumerate(elements):
        ranks.setdefault(key_of(element, merge_key, path), i)
    return ranks


def _sorted(elements: list[Any], ranks: dict[Identity, int], merge_key: str, path: Path) -> list[Any]:
    """Return the items sorted by rank, and after them the items that are marked for deletion.

    If an item has no rank, up to 20 items are sorted like Go's insertion sort does. A longer list keeps its order.
    """
    deleted = [e for e in elements if merge_key and e.get(DIRECTIVE) == "delete"]
    kept = [e for e in elements if not (merge_key and e.get(DIRECTIVE) == "delete")] if deleted else list(elements)
    places = [ranks.get(key_of(e, merge_key, path)) for e in kept]
    ranked = [place for place in places if place is not None]
    if len(ranked) == len(places):
        kept = [kept[i] for i in sorted(range(len(kept)), key=ranked.__getitem__)]
    elif len(kept) <= _LONGEST_INSERTION_SORT:
        kept = _insertion_sorted(kept, places)
    return kept + deleted


def _insertion_sorted(elements: list[Any], places: list[int | None]) -> list[Any]:
    """Return the items sorted by insertion, like Go's stable sort with the inconsistent comparison of strategicpatch.

    ``places`` has the rank of each item, or ``None``. If one of two ranks is ``None``, each item compares as smaller
    than the other.
    """
    paired = list(zip(places, elements, strict=True))
    for end in range(1, len(paired)):
        i = end
        while i > 0 and _before(paired[i][0], paired[i - 1][0]):
            paired[i], paired[i - 1] = paired[i - 1], paired[i]
            i -= 1
    return [element for _, element in paired]


def _before(left: int | None, right: int | None) -> bool:
    return left is None or right is None or left < right


def _interleaved(theirs: list[Any], ours: list[Any], ranks: dict[Identity, int], merge_key: str) -> list[Any]:
    out: list[Any] = []
    i = j = 0
    while i < len(theirs) and j < len(ours):
        left = ranks.get(key_of(theirs[i], merge_key, ()))
        right = ranks.get(key_of(ours[j], merge_key, ()))
        if left is not None and right is not None and left < right:
            out.append(theirs[i])
            i += 1
        else:
            out.append(ours[j])
            j += 1
    return out + theirs[i:] + ours[j:]
