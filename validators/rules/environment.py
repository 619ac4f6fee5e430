"""Rules about environment variables of an MCPServer: invalid names, duplicates, and names that the product sets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, cast

from ...compiler.diagnostics.fault_to_finding import restaged
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.version import RECORDED
from ..pod import added_by_product, decoded, server_environment
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...compiler.models.embeddingserver import EmbeddingServerSpec
    from ...compiler.models.mcpserver import MCPServerSpec
    from ...compiler.models.spec import ProxySpec
    from ..rule import Check, Finding, Path, Resource, Workspace

INVALID = rule(
    "ENV001 invalid-environment-variable",
    "operator",
    "The operator refuses the name or value of an environment variable",
)
OVERWRITTEN = rule(
    "ENV002 overwritten-environment-variable",
    "lint",
    "An environment variable is set to a value that the product overwrites",
)
TWICE = rule(
    "ENV003 duplicate-environment-variable",
    "process",
    "An environment variable of the server's container is set twice",
    verified=RECORDED,
)
UNFIT_NAME = rule(
    "ENV004 unfit-environment-name",
    "operator",
    "Kubernetes refuses the name of an environment variable",
    unmodelled="all",
)

UNWANTED = re.compile(r"[=\n\r]")
PROXY = "resourceOverrides"


_SETTING_FIELDS: Final = {"PORT": "set mcpPort instead", "TRANSPORT": "set transport instead"}
"""Hints for overwritten variables, by the last word of the name."""


@reads("env")
def check_plain(resource: Resource[MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report names and values in ``env`` that the operator refuses, and variables that the product overwrites."""
    added = added_by_product(resource.spec)
    for i, entry in enumerate(resource.spec["env"]):
        name, value = entry.get("name", ""), entry.get("value", "")
        path: Path = ("spec", "env", i)
        if name in added:
            if value != added[name] and not is_placeholder(value) and not is_placeholder(added[name]):
                message = f'{name} is overwritten with "{added[name]}"'
                hint = _SETTING_FIELDS.get(name.rpartition("_")[2], "remove it")
                yield resource.finding(OVERWRITTEN, (*path, "value"), message, hint=hint)
        elif not name or UNWANTED.search(name):
            message = f'"{name}" is not a valid name for an environment variable'
            yield resource.finding(INVALID, (*path, "name"), message, hint="use letters, digits and underscores")
        elif "\n" in value or "\r" in value:
            message = f"the value of {name} has more than one line"
            hint = "put it into a Secret, or into the container mcp of podTemplateSpec"
            yield resource.finding(INVALID, (*path, "value"), message, hint=hint)


@reads("secrets", "podTemplateSpec")
def check_twice(resource: Resource[MCPServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report environment variables that an MCPServer sets twice, or that the proxy runner sets too.

    Nothing is checked if the pod template does not decode.
    """
    in_template: Iterable[tuple[str, Path]] = ()
    if "podTemplateSpec" in resource.spec:
        template = resource.once(decoded)
        if template.unfilled or template.faults:
            return
        in_template = server_environment(template.value.get("spec") or {})
    spec = resource.spec
    places: dict[str, Path] = {}
    for name, path in (*in_template, *_from_secrets(spec)):
        if name in places:
            yield _twice(resource, name, path, places[name])
        else:
            places[name] = path
    plain = {entry["name"]: ("spec", "env", i, "name") for i, entry in enumerate(spec.get("env") or ())}
    for name, path in places.items():
        if name in plain:
            yield _twice(resource, name, plain[name], path)
        elif name in added_by_product(spec):
            message = f"{name} is set here, and the proxy runner sets it too"
            yield resource.finding(TWICE, path, message, hint="remove it: transport and mcpPort determine its value")


def _from_secrets(spec: MCPServerSpec) -> Iterator[tuple[str, Path]]:
    for i, secret in enumerate(spec.get("secrets") or ()):
        field = "targetEnvName" if secret.get("targetEnvName") else "key"
        name = secret.get(field, "")
        if name and not is_placeholder(name):
            yield name, ("spec", "secrets", i, field)


def _twice(resource: Resource, name: str, path: Path, first: Path) -> Finding:
    notes = (resource.note(f"{name} is set here too", first),)
    message = f"{name} is set twice in the server's container"
    return resource.finding(TWICE, path, message, hint="set it in one place", notes=notes)


@reads("env", "secrets", "resourceOverrides")
def check_names(resource: Resource[ProxySpec | EmbeddingServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report environment variables whose names Kubernetes refuses, unless the operator refuses the resource first.

    `check_plain` reports names that the operator refuses.
    """
    spec = resource.spec
    proxy = (cast("ProxySpec", spec).get("resourceOverrides") or {}).get("proxyDeployment") or {}
    typed_spec = cast("MCPServerSpec | EmbeddingServerSpec", spec)
    named = list(_from_secrets(cast("MCPServerSpec", spec)))
    for at, entries in ((PROXY, "proxyDeployment", "env"), proxy.get("env")), (("env",), typed_spec.get("env")):
        named += [(entry.get("name", ""), ("spec", *at, i, "name")) for i, entry in enumerate(entries or ())]
    for name, path in named:
        # Nearly all names are identifiers, so the rules of Kubernetes are only imported for others.
        if name.isidentifier() and name.isascii():
            continue
        from ...compiler.kube.names import relaxed_env_name_faults

        reasons = relaxed_env_name_faults(name)
        # The operator refuses these itself: see check_plain.
        is_refused = (
            resource.kind == "MCPServer" and path[1] == "env" and (not name or UNWANTED.search(name) is not None)
        )
        if reasons and not is_refused and not is_placeholder(name):
            message = f'Kubernetes refuses "{name}" as the name of an environment variable: it {reasons[0]}'
            # The API server does not validate the other variables: they are in the template of a StatefulSet.
            hint = "write name and value as two fields" if "=" in name else None
            finding = resource.finding(UNFIT_NAME, path, message, hint=hint)
            yield restaged(finding, "process" if path[1] != PROXY else "operator")


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check_plain, check_twice, check_names),
    "MCPRemoteProxy": (check_names,),
    "EmbeddingServer": (check_names,),
}
