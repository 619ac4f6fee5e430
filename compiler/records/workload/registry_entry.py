"""Compare the variables and tools of a workload request with the registry's entry for its image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ..fault import quoted
from ..secret.reference import SecretReference, supplies

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from .compile import RegistryLookup

VARIABLE_MISSING = rule(
    "WRK011 workload-variable-missing", "process", "A variable that the registry requires is not set"
)
SECRET_MISSING = rule("WRK012 workload-secret-missing", "process", "A secret variable of the registry entry is not set")
OVERRIDE_EMPTY = rule("WRK013 workload-override-empty", "process", "An override changes nothing")
TOOL_UNKNOWN = rule("WRK014 workload-tool-unknown", "process", "A tool is not among those of the registry entry")
DEFAULT_CRASH = rule(
    "WRK016 workload-default-without-variables", "process", "The service fails on a default of the registry entry"
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
