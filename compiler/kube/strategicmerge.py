"""Kubernetes' strategic merge patch for the types of the field table.

Lists with patch strategy ``merge`` are merged item by item, matched by their merge key. Other lists are replaced, and
null deletes. The directives ``$patch``, ``$retainKeys``, ``$setElementOrder/LIST`` and
``$deleteFromPrimitiveList/LIST`` are supported.

Source: Kubernetes 1.35, k8s.io/apimachinery: pkg/util/strategicpatch (StrategicMergePatch).
"""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING, Any

from ..diagnostics.fault import Flaw
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.shown import shown
from .field_table import GoStruct, StructField, struct
from .listorder import DIRECTIVE, Identity, MergeRefused, arranged, element_type, identity, key_of
from .typed import POD_TEMPLATE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..diagnostics.span import Path

_RETAINED = "$retainKeys"
_ORDER = "$setElementOrder"
_DELETED = "$deleteFromPrimitiveList"

_INT64 = range(-(1 << 63), 1 << 63)
_ABSENT: Any = object()


class Merged(NamedTuple):
    """The result of a strategic merge patch.

    Attributes:
        value: The patched object, with fields that Go does not know. If there are faults, the original object, or an
            empty mapping if the original or the patch is not a mapping.
        faults: Reasons why the patch cannot be merged. Paths start at the root of the patch.
    """

    value: dict[str, Any]
    faults: tuple[Flaw, ...]


def merge(original: Mapping[str, Any] | None, patch: Mapping[str, Any] | None, type_name: str = POD_TEMPLATE) -> Merged:
    """Merge ``patch`` into ``original``, both plain JSON values of the struct ``type_name``, without changing either.

    Raises:
        KeyError: The field table has no such struct.
    """
    shape = struct(type_name)
    if shape is None:
        raise KeyError(type_name)
    for value in (original, patch):
        if value is not None and not isinstance(value, dict):
            return Merged({}, (Flaw((), "type", f"{shown(value)} where a mapping is needed"),))
    try:
        return Merged(_merge_maps(_copied(original or {}), _copied(patch or {}), shape, ()), ())
    except MergeRefused as refusal:
        fault = Flaw(refusal.path, "invalid", refusal.message)
    except RecursionError:
        fault = Flaw((), "invalid", "the patch is nested too deeply")
    return Merged(dict(original or {}), (fault,))


def _copied(value: Any) -> Any:
    """Return a deep copy with numbers as the API server stores them: integers beyond 64 bits are floats."""
    if isinstance(value, dict):
        return {key: _copied(child) for key, child in value.items()}
    if isinstance(value, list):
        return [_copied(child) for child in value]
    if isinstance(value, float) and value.is_integer() and int(value) in _INT64:
        return int(value)
    if type(value) is int and value not in _INT64:
        # Python's float() raises an OverflowError at about 1,024 bits, where a float64 ends.
        return float(value) if value.bit_length() < 1000 else float("inf")
    return value


def _without_directives(value: Any, *, nulls: bool = False) -> Any:
    """Return ``value`` of a patch without mappings that have a ``$patch`` directive; ``_ABSENT`` if it is one of them.

    The value is for a field that does not exist yet. Null members are removed too, unless ``nulls`` is true.
    """
    if isinstance(value, dict):
        if DIRECTIVE in value and (nulls or value[DIRECTIVE] is not None):
            return _ABSENT
        remaining = {
            key: _without_directives(child, nulls=nulls) for key, child in value.items() if nulls or child is not None
        }
        return {key: child for key, child in remaining.items() if child is not _ABSENT}
    if isinstance(value, list):
        return [
            remaining
            for remaining in (_without_directives(child, nulls=nulls) for child in value)
            if remaining is not _ABSENT
        ]
    return value


def _merge_maps(original: dict[str, Any], patch: dict[str, Any], shape: GoStruct | None, path: Path) -> dict[str, Any]:
    """Merge the mapping ``patch`` into ``original``, which may change, and return the merged mapping.

    ``shape`` is ``None`` if the mapping is not a struct in Go, such as a map of labels.
    """
    if DIRECTIVE in patch:
        return _replaced(patch, path)
    _keep_retained(original, patch, path)
    for key in sorted(patch):
        if key.startswith(_ORDER):
            _merge_ordered(original, patch, key, shape, path)
    for key in sorted(patch):
        deletes = key.startswith(_DELETED)
        name = (_directed(key, _DELETED, path) or key) if deletes else key
        _merge_member(original, name, patch[key], shape, (*path, key), deletes=deletes)
    return original


def _replaced(patch: dict[str, Any], path: Path) -> dict[str, Any]:
    directive = patch.pop(DIRECTIVE)
    if directive == "replace":
        return patch
    if directive == "delete":
        return {}
    raise MergeRefused((*path, DIRECTIVE), f"{shown(directive)} is not a directive that a mapping can have")


def _keep_retained(original: dict[str, Any], patch: dict[str, Any], path: Path) -> None:
    if _RETAINED not in patch:
        return
    retained = patch.pop(_RETAINED)
    here = (*path, _RETAINED)
    if not isinstance(retained, list):
        raise MergeRefused(here, f"{shown(retained)} where a list of names is needed")
    retained_names = {identity(name, here) for name in retained}
    for key, value in patch.items():
        if value is not None and not key.startswith((_DELETED, _ORDER)) and (str, key) not in retained_names:
            raise MergeRefused(here, f"{shown(key)} is set by the patch and not among the names to retain")
    for key in [key for key in original if (str, key) not in retained_names]:
        del original[key]


def _directed(key: str, prefix: str, path: Path) -> str:
    directive, slash, name = key.partition("/")
    if directive != prefix or not slash:
        raise MergeRefused((*path, key), f"directive {shown(key)} names no list")
    return name


def _merge_member(
    original: dict[str, Any], name: str, value: Any, shape: GoStruct | None, path: Path, *, deletes: bool
) -> None:
    if value is None:
        original.pop(name, None)
        return
    if name not in original or type(original[name]) is not type(value):
        if not deletes:
            _put(original, name, _without_directives(value))
        return
    before = original[name]
    if isinstance(value, dict):
        field = _field(shape, name, path)
        original[name] = _merge_maps(before, value, struct(field.kind) if field.shape == "one" else None, path)
    elif isinstance(value, list):
        field = _list_field(shape, name, path)
        original[name] = _merge_lists(before, value, field, path, deletes=deletes) if field.merged or deletes else value
    else:
        original[name] = value


def _put(original: dict[str, Any], name: str, value: Any) -> None:
    if value is _ABSENT:
        original.pop(name, None)
    else:
        original[name] = value


def _field(shape: GoStruct | None, name: str, path: Path) -> StructField:
    field = None if shape is None else shape.find(name)
    if field is None:
        within = "a map of single values" if shape is None else shape.name
        raise MergeRefused(path, f"{shown(name)} is not a field of {within}, so it cannot be merged")
    return field


def _list_field(shape: GoStruct | None, name: str, path: Path) -> StructField:
    field = _field(shape, name, path)
    if field.shape != "list" and not field.pointer:
        raise MergeRefused(path, f"a list for {shown(name)}, which is none")
    return field


def _merge_ordered(
    original: dict[str, Any], patch: dict[str, Any], key: str, shape: GoStruct | None, path: Path
) -> None:
    """Merge the list that ``key`` names, such as ``$setElementOrder/ports``, and sort it as that directive says.

    The list and the directive are removed from ``patch``, so they are not merged again.
    """
    order = patch.pop(key)
    here = (*path, key)
    if not isinstance(order, list):
        raise MergeRefused(here, f"{shown(order)} where a list is needed")
    name = _directed(key, _ORDER, path)
    before, given = original.get(name, _ABSENT), patch.get(name, _ABSENT)
    for value in (before, given):
        if value is not _ABSENT and not isinstance(value, list):
            raise MergeRefused((*path, name), f"{shown(value)} where a list is needed")
    field = _list_field(shape, name, (*path, name))
    if given is not _ABSENT:
        _check_order(given, order, field.merge_key, here)
    if before is _ABSENT and given is _ABSENT:
        return
    if given is _ABSENT:
        merged = before
    elif before is _ABSENT:
        merged = _without_directives(given, nulls=True)
    else:
        merged = _merge_lists(before, given, field, (*path, name), deletes=False) if field.merged else given
    existing = [] if before is _ABSENT else before
    element_type((*path, name), existing, [] if given is _ABSENT else given)
    original[name] = arranged(merged, order, existing, field.merge_key, (*path, name))
    patch.pop(name, None)


def _check_order(given: list[Any], order: list[Any], merge_key: str, path: Path) -> None:
    """Check that ``order`` contains the items of the patch in the same sequence. Items to delete may be missing."""
    if not order or not given:
        return
    if merge_key and not all(isinstance(element, dict) for element in given):
        raise MergeRefused(path, f"an element that is not a mapping in a list that is merged by {merge_key}")
    left = [element for element in given if not (merge_key and element.get(DIRECTIVE) == "delete")]
    i = j = 0
    while i < len(left) and j < len(order):
        if isinstance(left[i], dict) and DIRECTIVE in left[i]:
            i += 1
            continue
        if key_of(left[i], merge_key, path) == key_of(order[j], merge_key, path):
            i += 1
        j += 1
    if i < len(left):
        raise MergeRefused(path, "the order of the elements is not that of the patch")


def _merge_lists(original: list[Any], patch: list[Any], field: StructField, path: Path, *, deletes: bool) -> list[Any]:
    """Return ``original`` merged with ``patch`` or, if ``deletes`` is true, without the scalars in ``patch``.

    Like Go, also change ``original``: merged items overwrite it, and ``_merge_ordered`` reads the order from it.
    """
    if not original and not patch:
        return original
    if element_type(path, original, patch) is not dict:
        if deletes:
            deleted = {identity(value, path) for value in patch}
            return [value for value in original if identity(value, path) not in deleted]
        both = original + patch
        merged = _distinct(both, path)
        # If both lists fit into the capacity of the first (the next power of two), Go also removes duplicates from it.
        if len(both) <= 1 << max(len(original) - 1, 0).bit_length():
            original[:] = both[: len(original)]
        return arranged(merged, patch, original, field.merge_key, path)
    if not field.merge_key:
        raise MergeRefused(path, "a list of mappings that has no merge key")
    remaining, marked, replaces = _apply_marked(original, patch, field.merge_key, path)
    ours = [element for i, element in enumerate(patch) if i not in marked]
    if replaces:
        original[:] = remaining
        return arranged(ours, [], ours, field.merge_key, path)
    merged = list(remaining)
    _merge_elements(merged, patch, marked, field, path)
    original[:] = merged[: len(original)]
    return arranged(merged, ours, remaining, field.merge_key, path)


def _apply_marked(
    original: list[Any], patch: list[Any], merge_key: str, path: Path
) -> tuple[list[Any], set[int], bool]:
    """Apply the items of a patch that have the directive ``$patch: delete`` or ``$patch: replace``.

    Returns:
        The remaining items of ``original``, the indexes in ``patch`` of the items with a directive, and whether the
        patch replaces the whole list.
    """
    deleted = set()
    marked = set()
    replaces = False
    for i, element in enumerate(patch):
        if DIRECTIVE not in element:
            continue
        marked.add(i)
        if element[DIRECTIVE] == "delete":
            deleted.add(key_of(element, merge_key, (*path, i)))
        elif element[DIRECTIVE] == "replace":
            replaces = True
        else:
            message = f"{shown(element[DIRECTIVE])} is not a directive that an element can have"
            raise MergeRefused((*path, i, DIRECTIVE), message)
    remaining = [e for e in original if merge_key not in e or key_of(e, merge_key, path) not in deleted]
    return remaining, marked, replaces


def _merge_elements(merged: list[Any], patch: list[Any], marked: set[int], field: StructField, path: Path) -> None:
    """Merge each mapping of ``patch`` into the item of ``merged`` with the same merge key, or append the mapping.

    Items of ``patch`` at the indexes ``marked`` have a directive and are skipped.
    """
    places: dict[Identity, int] = {}
    for i, element in enumerate(merged):
        if field.merge_key in element:
            places.setdefault(key_of(element, field.merge_key, path), i)
    shape = struct(field.kind)
    for i, element in enumerate(patch):
        if i in marked:
            continue
        identity(element.get(field.merge_key), (*path, i))
        place = places.setdefault(key_of(element, field.merge_key, (*path, i)), len(merged))
        if place == len(merged):
            merged.append(element)
        else:
            merged[place] = _merge_maps(merged[place], element, shape, (*path, i))


def _distinct(values: list[Any], path: Path) -> list[Any]:
    """Return the scalars without repetitions. Like Go, fill the position of each repetition with the last scalar."""
    places: dict[Identity, list[int]] = {}
    for i, value in enumerate(values):
        places.setdefault(identity(value, path), []).append(i)
    length = len(values)
    if len(places) == length:
        return values
    i = 0
    while i < length:
        wanted = identity(values[i], path)
        repeated = places[wanted]
        while repeated:
            j = heapq.heappop(repeated)
            if i < j < length and identity(values[j], path) == wanted:
                length -= 1
                values[j] = values[length]
                heapq.heappush(places[identity(values[j], path)], j)
        i += 1
    return values[:length]
