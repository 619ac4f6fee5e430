"""Find the references that a resource states. They are not resolved here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple

if TYPE_CHECKING:
    from ..diagnostics.span import Path


class ReferenceField(NamedTuple):
    """A field that names another object.

    Attributes:
        steps: The path from the root of the object to the name; ``*`` stands for each item of a list or value of a map.
        key: The sibling field that names a key of a Secret or ConfigMap.
        key_default: The key that counts if the sibling field is missing or empty.
        when: A sibling field and the text that it must have; otherwise, the name is not a reference.
    """

    steps: tuple[str, ...]
    kind: str
    key: str | None
    key_default: str | None
    when: tuple[str, str] | None


class StatedReference(NamedTuple):
    """A reference as a resource states it.

    Attributes:
        path: The field that states the name.
        kind: The kind of the named object.
        name: The stated name, which may be a placeholder.
        key: The key of the Secret or ConfigMap, if the reference needs one. It is empty if the field is empty and there
            is no default.
        key_path: The field that states the key; if it is missing, the field that states the name.
    """

    path: Path
    kind: str
    name: str
    key: str | None
    key_path: Path | None


class _FieldPath(NamedTuple):
    """The part of a reference field's path up to the first ``*``.

    Attributes:
        steps: Keys of nested mappings.
        rest: The path that follows the ``*``, from each list item or mapping value on; ``None`` if there is no ``*``.
        fixed_path: The whole path, if it contains no ``*`` and is the same in all objects.
    """

    field: ReferenceField
    steps: tuple[str, ...]
    rest: _FieldPath | None
    fixed_path: Path | None = None


_SPEC: Final[Path] = ("spec",)
_paths: dict[str, dict[str, list[_FieldPath]]] = {}
"""Cached results of `_paths_below_spec`, by kind."""


def reference_fields(kind: str) -> tuple[ReferenceField, ...]:
    """Return the fields of ``kind`` that name other objects, in the order of declaration."""
    from ._reference import REFERENCES

    return tuple(ReferenceField(*row) for row in REFERENCES.get(kind, ()))


def stated_references(kind: str, data: Any) -> tuple[StatedReference, ...]:
    """Return the references in ``data``, an object of ``kind``, in the order of the fields of the kind."""
    paths_by_field = _paths.get(kind)
    if paths_by_field is None:
        paths_by_field = _paths[kind] = _paths_below_spec(kind)
    spec = data.get("spec") if paths_by_field else None
    if not isinstance(spec, dict):
        return ()
    references: list[StatedReference] = []
    for name, paths in paths_by_field.items():
        if name in spec:
            for path in paths:
                _append_references(path, spec, _SPEC, references)
    return tuple(references)


def _paths_below_spec(kind: str) -> dict[str, list[_FieldPath]]:
    """Return the paths of a kind's references, by the field of ``spec`` that they begin with.

    The order is that of the fields of the kind, but paths that begin with the same field are together.
    """
    paths: dict[str, list[_FieldPath]] = {}
    for field in reference_fields(kind):
        top, *_ = steps = field.steps[1:]
        path = _field_path(field, steps)
        paths.setdefault(top, []).append(path if path.rest else path._replace(fixed_path=field.steps))
    return paths


def _field_path(field: ReferenceField, steps: tuple[str, ...]) -> _FieldPath:
    if "*" not in steps:
        return _FieldPath(field, steps, None)
    at = steps.index("*")
    return _FieldPath(field, steps[:at], _field_path(field, steps[at + 1 :]))


def _append_references(field_path: _FieldPath, start: Any, path: Path, references: list[StatedReference]) -> None:
    """Append the references at ``field_path`` in ``start``, which is at ``path`` in the object."""
    field, steps, rest, name_path = field_path
    value = holder = start
    for step in steps:
        if not isinstance(value, dict):
            return
        holder = value
        value = holder.get(step)
    if rest is not None:
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        for key, item in items:
            _append_references(rest, item, (*path, *steps, key), references)
    elif isinstance(value, str) and value:
        _, kind, key_field, _, when = field
        # Most names are at a fixed path, which needs no new tuple.
        if when is None or holder.get(when[0]) == when[1]:
            name_path = name_path or (*path, *steps)
            key, key_path = (None, None) if key_field is None else _sibling_key(holder, name_path, field)
            references.append(StatedReference(name_path, kind, value, key, key_path))


def _sibling_key(parent: Any, name_path: Path, field: ReferenceField) -> tuple[str | None, Path | None]:
    """Return the key that the sibling field of a name states, and the path of that field.

    If the field is missing or empty, return the default key and the path of the name. Without a default, return the
    empty key and the path of its field, or ``(None, None)`` if the field is missing.
    """
    key = parent.get(field.key) if isinstance(parent, dict) else None
    if isinstance(key, str) and field.key is not None and (key or field.key_default is None):
        return key, (*name_path[:-1], field.key)
    return (field.key_default, name_path) if field.key_default is not None else (None, None)
