"""Find the fields that a resource needs and that a call of ``mcpcfg add`` does not state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..generate.explain.schema_place import schema_place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..generate.explain.schema_place import SchemaPlace

_EXAMPLES: Final[Mapping[str, Mapping[str, str]]] = {
    "MCPAuthzConfig": {
        "type": "cedarv1",
        "config": """'{policies: ["permit(principal, action == Action::\\"call_tool\\", resource);"]}'""",
    },
    "MCPExternalAuthConfig": {
        "awsSts.fallbackRoleArn": "arn:aws:iam::ACCOUNT:role/ROLE",
        "embeddedAuthServer.upstreamProviders": (
            "'[{name: NAME, type: oidc, oidcConfig: {issuerUrl: https://HOST, clientId: ID}}]'"
        ),
    },
    "MCPRegistry": {"configYAML": '"$(cat config.yaml)"'},
    "MCPWebhookConfig": {"validating": "'[{name: NAME, url: https://HOST/PATH}]'"},
    "VirtualMCPCompositeToolDefinition": {"description": "TEXT", "steps": "'[{id: first, tool: SERVER.TOOL}]'"},
}
"""Values as a shell reads them, of fields that a kind needs although its schema does not say so, or not what they hold.
"""
_ALTERNATIVES: Final = {"validating": "mutating"}
"""Fields that can be stated instead of another one."""
_OPTIONS: Final = {"groupRef": "--group NAME", "image": "--image IMAGE", "remoteUrl": "--url URL"}
"""Options of ``add`` for fields of the spec."""


def add_implied(kind: str, release: str, spec: dict[str, Any]) -> None:
    """Add the ``type`` that a stated block implies to a spec, or the block that the stated ``type`` implies.

    A block has the name of the ``type`` that it configures.
    """
    place = _spec_place(kind, release)
    fields = place.own_fields() if place is not None else {}
    types = fields["type"].allowed if "type" in fields else ()
    blocks = [name for name in spec if name in types]
    if "type" not in spec and len(blocks) == 1:
        spec["type"] = blocks[0]
    chosen = spec.get("type")
    if chosen in types and chosen in fields:
        spec.setdefault(chosen, {})


def unset_fields(kind: str, release: str, spec: Mapping[str, Any]) -> list[str]:
    """Return the options for the fields that a spec needs and lacks, each with a description."""
    place = _spec_place(kind, release)
    return list(_unset(place, spec, _EXAMPLES.get(kind, {}))) if place is not None else []


def takes_text(kind: str, release: str, steps: list[str]) -> bool:
    """Return whether the field at a path of the spec holds a text."""
    place = _spec_place(kind, release)
    field = place.at(tuple(steps)) if place is not None else None
    return field is not None and field.type == "string"


def _spec_place(kind: str, release: str) -> SchemaPlace | None:
    root = schema_place(kind, release)
    return None if root is None else root.below("spec")


def _unset(place: SchemaPlace, value: Mapping[str, Any], examples: Mapping[str, str]) -> Iterator[str]:
    for name, field in place.own_fields().items():
        path = _path(field)
        if isinstance(value.get(name), dict):
            yield from _unset(field, value[name], examples)
        elif name not in value and _ALTERNATIVES.get(name) not in value and (field.is_required or path in examples):
            yield from _options(field, examples)


def _options(field: SchemaPlace, examples: Mapping[str, str]) -> Iterator[str]:
    """Yield the options that set a field: for an object without an example, those of its required fields."""
    path = _path(field)
    nested = [inner for inner in field.own_fields().values() if inner.is_required]
    if path in _OPTIONS:
        yield f"{_OPTIONS[path]}  ({field.description.rstrip('.')})"
    elif nested and path not in examples:
        for inner in nested:
            yield from _options(inner, examples)
    else:
        about = ", ".join(map(str, field.allowed)) or field.description.partition(". ")[0].rstrip(".")
        other = f"; or set {_ALTERNATIVES[path]}" if path in _ALTERNATIVES else ""
        yield f"--set {path}={examples.get(path, 'VALUE')}  ({about}{other})"


def _path(field: SchemaPlace) -> str:
    return field.shown.partition(".spec.")[2]
