"""Compare the variables and tools of a workload request with the registry's entry for its image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ..fault import quoted
from ..secret.reference import SecretReference, supplies
from . import BUILDER

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .compile import RegistryLookup

VARIABLE_MISSING = rule(
    "WRK011",
    "workload-variable-missing",
    "A variable that the registry requires is not set",
    stage="process",
    checks="The registry entry requires an environment variable that neither `env_vars` nor `secrets` sets.",
    why="The request is refused with status 400.",
    example='{ "name": "weather", "image": "weather" } with an entry that requires `API_KEY`',
    fix='Write `"secrets": [ { "name": "weather-key", "target": "API_KEY" } ]`.',
    source="toolhive 0.21.0, runner: environment variables of registry entries.",
)
SECRET_MISSING = rule(
    "WRK012",
    "workload-secret-missing",
    "A secret variable of the registry entry is not set",
    stage="process",
    checks="The registry entry marks a variable as secret, but neither `env_vars` nor `secrets` sets it.",
    why="The API cannot ask for a secret, so it refuses the request even where the variable is not required.",
    example='{ "name": "weather", "image": "weather" } with an entry whose `TOKEN` is secret',
    fix='Write `"secrets": [ { "name": "weather-token", "target": "TOKEN" } ]`.',
    source="toolhive 0.21.0, runner: environment variables of registry entries.",
)
OVERRIDE_EMPTY = rule(
    "WRK013",
    "workload-override-empty",
    "An override changes nothing",
    stage="process",
    checks="An entry of `tools_override` has neither a name nor a description.",
    why="The request is refused with status 400.",
    example='"tools_override": { "fetch": {} }',
    fix='Write `"tools_override": { "fetch": { "name": "get" } }`.',
    source=BUILDER,
)
TOOL_UNKNOWN = rule(
    "WRK014",
    "workload-tool-unknown",
    "A tool is not among those of the registry entry",
    stage="process",
    checks="A name in `tools` or a key of `tools_override` is not one of the tools that the registry entry lists. In"
    " `tools` the new name of an overridden tool stands for that tool.",
    why="The request is refused with status 400.",
    example='"tools": ["fetsh"]',
    fix="Name a tool that the entry lists.",
    source=BUILDER,
)
DEFAULT_CRASH = rule(
    "WRK016",
    "workload-default-without-variables",
    "The service fails on a default of the registry entry",
    stage="process",
    checks="The registry entry has a default for a variable, but the request has no `env_vars` at all.",
    why="This version of the service writes the default into a map that does not exist, and fails with status 500.",
    example='{ "name": "weather", "image": "weather" } with an entry whose `REGION` has a default',
    fix='Write `"env_vars": {}`.',
    source="toolhive 0.21.0, runner: environment variables of registry entries.",
)


def variable_faults(request: Mapping[str, Any], lookup: RegistryLookup) -> Iterator[Fault]:
    """Yield faults for required and secret variables that are not set, and for defaults that make the service fail."""
    entry = lookup.image_entry
    if entry is None:
        return
    references = [str(SecretReference(**secret)) for secret in request["secrets"] or ()]
    given = request["env_vars"]
    for spec in entry["env_vars"] or ():
        name = spec["name"]
        if name in (given or {}) or any(supplies(reference, name) for reference in references):
            continue
        if spec["required"]:
            message = f'the registry entry "{entry["name"]}" requires the variable "{name}"'
            hint = 'put it in "secrets"' if spec["secret"] else 'put it in "env_vars"'
            yield Fault((), VARIABLE_MISSING, message, hint)
        elif spec["secret"]:
            message = f'the registry entry "{entry["name"]}" marks the variable "{name}" as secret, but nothing sets it'
            yield Fault((), SECRET_MISSING, message, 'put it in "secrets"')
        elif spec["default"] and given is None:
            message = f'the service fails on the default of "{name}" where "env_vars" is missing'
            yield Fault((), DEFAULT_CRASH, message, 'add "env_vars": {}')


def tool_faults(request: Mapping[str, Any], lookup: RegistryLookup) -> Iterator[Fault]:
    """Yield a fault for each tool override without effect, and for each tool that the registry entry does not list."""
    overrides = request["tools_override"] or {}
    for name, new in overrides.items():
        if not new["name"] and not new["description"]:
            message = f'the override of "{name}" has neither a name nor a description'
            hint: str | None = "set a name or a description, or remove the override"
            yield Fault(("tools_override", name), OVERRIDE_EMPTY, message, hint)
    entry = lookup.image_entry
    if entry is None or entry["tools"] is None:
        return
    tools = entry["tools"]
    for name in overrides:
        if name not in tools:
            message = f'"{name}" is not one of the tools of "{entry["name"]}"'
            yield Fault(("tools_override", name), TOOL_UNKNOWN, message, on_key=True)
    actual = {new["name"]: name for name, new in sorted(overrides.items(), reverse=True)}
    for i, tool in enumerate(request["tools"] or ()):
        if actual.get(tool, tool) not in tools:
            message = f'"{tool}" is not one of the tools of "{entry["name"]}"'
            # A hint with more names would be too long to read.
            hint = f"it has {quoted(tools, last='and')}" if len(tools) <= 8 else None
            yield Fault(("tools", i), TOOL_UNKNOWN, message, hint)
