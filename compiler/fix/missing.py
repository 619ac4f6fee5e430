"""Fixes of missing fields whose values follow from the rest of the object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..admission.place import dotted
from .edit import Change, Edit

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from .edit import FileFix
    from .fix_context import FixContext


def missing_field(site: FixContext) -> FileFix | None:
    """Return a fix that adds ``type`` or ``groupRef``, or ``None`` if the value is not certain.

    ``type`` follows from the only block of the object, such as ``inline``; ``spec.groupRef`` of a VirtualMCPServer
    from ``spec.config``.
    """
    value = site.page.data(site.path)
    if type(value) is not dict:
        return None
    required = _required(site)
    if "type" in required and "type" not in value:
        meant = _type_of(site, value)
        return None if meant is None else _insert(site, "type", meant, meant)
    if site.kind == "VirtualMCPServer" and site.inner == ("spec",) and "groupRef" not in value:
        return _group(site, value)
    return None


def missing_version(site: FixContext) -> FileFix | None:
    """Return a fix that adds the ``apiVersion`` of the operator to an object without one."""
    data = site.page.data(site.prefix)
    if site.path != site.prefix or type(data) is not dict or "apiVersion" in data:
        return None
    version = site.profile.api_version()
    return _insert(site, "apiVersion", version, version)


def _required(site: FixContext) -> tuple[str, ...]:
    position = site.shape(site.inner)
    shape = site.table.shapes[position] if position is not None else ("any",)
    return shape[3] if shape[0] == "object" else ()


def _type_of(site: FixContext, value: dict[str, Any]) -> str | None:
    """Return the type whose block the object has, or ``None`` if there are several, or the object would be invalid."""
    position = site.shape((*site.inner, "type"))
    holder = site.shape(site.inner)
    if position is None or holder is None or site.table.shapes[position][0] != "string":
        return None
    meant = [text for text in site.table.shapes[position][1] if text in value or f"{text}Config" in value]
    if len(meant) != 1 or any(not fault.path for fault in site.faults(holder, {"type": meant[0], **value})):
        return None
    return str(meant[0])


def _group(site: FixContext, spec: dict[str, Any]) -> FileFix | None:
    config = spec.get("config")
    for field in ("groupRef", "group"):
        name = config.get(field) if type(config) is dict else None
        if isinstance(name, str) and name:
            written = site.page.document.scalar((*site.path, "config", field))
            if written is None or written != name or not name.replace("-", "").replace(".", "").isalnum():
                return None
            plain = name if not name.replace(".", "").isdecimal() else f'"{name}"'
            return _insert(site, "groupRef", plain, {"name": name}, inner="name")
    return None


def _insert(site: FixContext, key: str, text: str, value: Any, *, inner: str | None = None) -> FileFix | None:
    """Return a fix that inserts an entry before the first entry of the object.

    Args:
        value: The data that the document then has at the key.
        inner: Key of an object that contains the scalar; ``None`` if the scalar itself is the value.
    """
    page = site.page
    at = _first_key(site)
    if at is None:
        return None
    if page.document.is_json:
        bare = f'"{text}"' if not text.startswith('"') else text
        entry = f'"{key}": {{"{inner}": {bare}}}' if inner else f'"{key}": {bare}'
        joint = ("," + page.newline + " " * page.column(at)) if page.begins_line(at) else ", "
        edit = Edit(at, at, entry + joint)
    elif page.is_flow((*site.path, "")):
        entry = f"{key}: {{{inner}: {text}}}" if inner else f"{key}: {text}"
        edit = Edit(at, at, entry + ", ")
    else:
        indent = " " * page.column(at)
        line = f"{key}:{page.newline}{indent}{' ' * page.step()}{inner}: {text}" if inner else f"{key}: {text}"
        if site.inner and page.begins_line(at):
            above = page.comments_above(at)
            edit = Edit(above, above, f"{indent}{line}{page.newline}")
        else:
            edit = Edit(at, at, f"{line}{page.newline}{indent}")
    path: Path = (*site.path, key)
    return site.fix(f"add {dotted(path[len(site.prefix) :])}", (edit,), Change("put", path, value))


def _first_key(site: FixContext) -> int | None:
    """Return the offset of the object's first own key, or ``None``. Keys that ``<<`` merges do not count."""
    start, end = site.page.value(site.path)
    if not site.path:
        start = 0
    places = [
        site.page.key((*site.path, key))[0]
        for key in site.page.data(site.path)
        if isinstance(key, str) and site.page.document.has((*site.path, key))
    ]
    inside = [place for place in places if start <= place < end]
    return min(inside) if inside else None
