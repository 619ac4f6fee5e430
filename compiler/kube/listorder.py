"""The order of merged lists: where a strategic merge patch puts its own elements between those that were there.

Source: Kubernetes 1.35, k8s.io/apimachinery: pkg/util/strategicpatch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..diagnostics.span import Path

DIRECTIVE = "$patch"

Identity: TypeAlias = tuple[type, Any]
"""A scalar that equals only its like: in Go ``1``, ``1.0`` and ``true`` are three values."""

_LONGEST_INSERTION_SORT = 20


class MergeRefused(Exception):  # noqa: N818 - an outcome, not a bug
    """The patch cannot be merged. Caught where the merge began."""

    def __init__(self, path: Path, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.message = message


def identity(value: Any, path: Path) -> Identity:
    """Return what a scalar is compared by.

    Raises:
        MergeRefused: lists and mappings cannot be compared.
    """
    if isinstance(value, (dict, list)):
        raise MergeRefused(path, "a list or mapping where elements are told apart by a single value")
    return type(value), value


def key_of(element: Any, merge_key: str, path: Path) -> Identity:
    """Return the identity of a mapping in a merged list, or a scalar itself where there is no merge key.

    Raises:
        MergeRefused: it lacks the merge key, or it is no mapping.
    """
    if not merge_key:
        return identity(element, path)
    if not isinstance(element, dict):
        raise MergeRefused(path, f"an element that is not a mapping in a list that is merged by {merge_key}")
    if merge_key not in element:
        raise MergeRefused(path, f"the entry has no {merge_key}, by which the operator merges the list into its own")
    key = element[merge_key]
    # A list or mapping is like no other; it is refused when the result is decoded.
    return (type(key), id(key)) if isinstance(key, (dict, list)) else (type(key), key)


def element_type(path: Path, *lists: Iterable[Any]) -> type:
    """Return the one type that all elements have.

    Raises:
        MergeRefused: they differ, or are lists or null, or there is none.
    """
    types = {type(element) for elements in lists for element in elements}
    if len(types) != 1:
        raise MergeRefused(path, "a list of elements of several types" if types else "a list without elements")
    for found in types & {list, type(None)}:
        raise MergeRefused(path, "a list of lists" if found is list else "null in a list that is merged")
    return types.pop()


def arranged(merged: list[Any], given: list[Any], before: list[Any], merge_key: str, path: Path) -> list[Any]:
    """Order a merged list: elements of the patch as ``given``, the others as ``before``, the two interleaved.

    An element of the patch that was there before keeps its place among the others; a new one comes as early as the
    order of the patch allows.

    Args:
        merged: All elements.
        given: The list that sets the order of the patch's elements.
        before: The list as it was.
        merge_key: The field by which mappings are matched; empty for scalars.
        path: Of the list, for refusals.

    Raises:
        MergeRefused: an element lacks the merge key.
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
    """Sort by rank; elements that are marked for deletion come last."""
    deleted = [e for e in elements if merge_key and e.get(DIRECTIVE) == "delete"]
    kept = [e for e in elements if not (merge_key and e.get(DIRECTIVE) == "delete")] if deleted else list(elements)
    places = [ranks.get(key_of(e, merge_key, path)) for e in kept]
    known = [place for place in places if place is not None]
    if len(known) == len(places):
        kept = [kept[i] for i in sorted(range(len(kept)), key=known.__getitem__)]
    elif len(kept) <= _LONGEST_INSERTION_SORT:
        kept = _insertion_sorted(kept, places)
    return kept + deleted


def _insertion_sorted(elements: list[Any], places: list[int | None]) -> list[Any]:
    """Sort as Go's stable sort does with an order that calls everything without a rank smaller than everything."""
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
