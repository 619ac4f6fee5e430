"""Fix ``oidcConfig``, which later releases lack: move it into an MCPOIDCConfig that the server refers to.

Source: ToolHive v0.21.0, which removed ``oidcConfig``; MCPOIDCConfig contains the provider, the reference the audience.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..admission.place import dotted
from .edit import Change, Edit
from .source_buffer import reindented

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from .edit import FileFix
    from .fix_context import FixContext
    from .source_buffer import SourceBuffer

_BLOCKS: Final = {
    "inline": ("inline", "inline"),
    "kubernetes": ("kubernetes", "kubernetesServiceAccount"),
    "kubernetesServiceAccount": ("kubernetesServiceAccount", "kubernetesServiceAccount"),
}
"""Block of a provider in ``oidcConfig``, and its type and block in an MCPOIDCConfig, by type in ``oidcConfig``."""
_REFERENCE_FIELDS: Final = ("audience", "scopes", "resourceUrl")
"""Settings of ``oidcConfig`` that belong into the server's reference, not into the MCPOIDCConfig."""


def own_provider(site: FixContext) -> FileFix | None:
    """Return an unsafe fix that moves ``oidcConfig`` into an MCPOIDCConfig, appended to the file as ``SERVER-oidc``.

    Return ``None`` if the result would not be valid, or ``oidcConfig`` has fields without an equivalent.
    """
    page, path = site.page, site.path
    config = page.data(path)
    lines = page.entry_lines(path)
    reference = (*path[:-1], "oidcConfigRef")
    if type(config) is not dict or lines is None or site.prefix or page.document.has(reference):
        return None
    earlier = config.get("type", "inline")
    old, new = _BLOCKS.get(earlier, ("", "")) if isinstance(earlier, str) else ("", "")
    block = config.get(old)
    metadata = page.document.data.get("metadata")
    name = metadata.get("name") if type(metadata) is dict else None
    if type(block) is not dict or not isinstance(name, str) or set(config) - {"type", "resourceUrl", old}:
        return None
    reference_fields = {key: source[key] for source in (config, block) for key in _REFERENCE_FIELDS if key in source}
    provider_fields = {key: value for key, value in block.items() if key not in _REFERENCE_FIELDS}
    spec = {"type": new, new: provider_fields}
    position = site.table.at("MCPOIDCConfig", ("spec",))
    if position is None or site.faults(position, spec) or not reference_fields.get("audience"):
        return None
    new_metadata: dict[str, Any] = {"name": f"{name}-oidc"}
    if isinstance(metadata.get("namespace"), str):
        new_metadata["namespace"] = metadata["namespace"]
    text = _document(site, path, old, new, tuple(provider_fields), new_metadata)
    entry = _reference(page, path, old, new_metadata["name"], tuple(reference_fields))
    if text is None or entry is None:
        return None
    added = {"apiVersion": page.data(("apiVersion",)), "kind": "MCPOIDCConfig", "metadata": new_metadata, "spec": spec}
    comments = page.text[lines[0] : page.line_start(page.key(path)[0])]
    edits = (Edit(*lines, comments + entry), Edit(len(page.text), len(page.text), text))
    changes = (Change("remove", path), Change("put", reference, {"name": new_metadata["name"], **reference_fields}))
    title = f"make an MCPOIDCConfig of {dotted(site.inner)}"
    return site.fix(title, edits, *changes, is_safe=False)._replace(added=(added,))


def _reference(page: SourceBuffer, path: Path, old: str, name: str, fields: tuple[str, ...]) -> str | None:
    column, step = page.column(page.key(path)[0]), page.step()
    parts = [f"{' ' * column}oidcConfigRef:{page.newline}", f"{' ' * (column + step)}name: {name}{page.newline}"]
    for field in fields:
        inner = (*path, field) if page.document.has((*path, old, field)) is False else (*path, old, field)
        part = _entry(page, inner, column + step)
        if part is None:
            return None
        parts.append(part)
    return "".join(parts)


def _document(
    site: FixContext, path: Path, old: str, new: str, fields: tuple[str, ...], metadata: dict[str, str]
) -> str | None:
    page = site.page
    step, newline = page.step(), page.newline
    pad = " " * step
    head = ["---", f"apiVersion: {page.data(('apiVersion',))}", "kind: MCPOIDCConfig", "metadata:"]
    head += [f"{pad}{key}: {value}" for key, value in metadata.items()]
    head += ["spec:", f"{pad}type: {new}", f"{pad}{new}:"]
    parts = ["" if page.text.endswith(("\n", "\r")) else newline, *(f"{line}{newline}" for line in head)]
    for field in fields:
        part = _entry(page, (*path, old, field), 2 * step)
        if part is None:
            return None
        parts.append(part)
    return "".join(parts)


def _entry(page: SourceBuffer, path: Path, column: int) -> str | None:
    lines = page.entry_lines(path)
    if lines is None:
        return None
    text = reindented(page, lines, column - page.column(page.key(path)[0]))
    return text if text.endswith(("\n", "\r")) else text + page.newline
