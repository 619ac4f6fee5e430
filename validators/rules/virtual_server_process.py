"""Rules about VirtualMCPServers from which the operator writes a configuration that the vMCP process refuses."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...compiler.diagnostics.fault import Fault
from ...compiler.diagnostics.fault_to_finding import finding_of, stated
from ...compiler.diagnostics.named_tuple import NamedTuple
from ...compiler.diagnostics.plain import value_at
from ...compiler.diagnostics.version import RECORDED
from ...compiler.emit import vmcpauth, vmcpconfig
from ...compiler.toolhive.release import VIRTUAL_POLICIES_SINCE, holds
from ...compiler.vmcp.authentication import AUTHORIZATION, OUTGOING
from ...compiler.vmcp.codec import written
from ...compiler.vmcp.operational import FAILURE_MODE, HEALTH_CHECK
from ...compiler.vmcp.optimizer import GUARDED_OPTIMIZER
from ...compiler.vmcp.reread import MERGE_KEY, has_suspect_text, reread, unreadable_texts
from ...compiler.vmcp.start import start_faults
from ...compiler.vmcp.validate import config_faults
from ...compiler.workspace.workspace import CORE_KINDS
from ..placeholder import has_placeholder, is_unfilled
from ..rule import rule
from ..workflow import is_sound

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...compiler.diagnostics.finding import Note
    from ...compiler.models.composite import VirtualMCPCompositeToolDefinitionSpec
    from ...compiler.models.spec import MemberSpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

DEFINITION = rule(
    "VMC116 refused-composite-definition",
    "process",
    "A virtual server uses a composite tool definition that its process refuses",
    verified=RECORDED,
)

UNREADABLE = rule(
    "VMC119 unreadable-vmcp-config",
    "process",
    "The configuration that the operator writes for a virtual server cannot be read",
    verified=RECORDED,
)
GROUP: Path = ("spec", "groupRef", "name")
MOST_NOTES = 3
"""Maximum number of notes of a finding, because nobody reads more."""


class ConfigOrigin(NamedTuple):
    """The origin of a value in the compiled configuration.

    Attributes:
        path: The path of the field in the VirtualMCPServer that has the value, or refers to the resource that has it.
        notes: The place of the value in the other resource; empty if the VirtualMCPServer contains the value.
    """

    path: Path
    notes: tuple[Note, ...] = ()


def check(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report faults of the compiled configuration, each at the field of the VirtualMCPServer that it comes from.

    If the operator refuses the virtual server, or a reference cannot be resolved, there is no configuration to check.
    """
    if workspace.is_refused(resource) or not _is_known(resource, workspace):
        return
    inline_tools = (resource.spec.get("config") or {}).get("compositeTools") or ()
    doubtful = [
        definition for definition in _definitions(resource, workspace) if not is_sound(definition[1], workspace)
    ]
    whole = vmcpconfig.config(workspace, resource)
    # Definitions that nothing refuses are not checked again for each virtual server that uses them.
    config = written(
        whole | {"compositeTools": [*inline_tools, *(definition.spec for _, definition in doubtful)]}, resource.release
    )
    sources = _Sources(resource, workspace, config)
    by_definition: dict[int, list[Fault]] = {}
    for fault in _faults(config, resource.release):
        if fault.path[0] == "compositeTools" and len(fault.path) > 1:
            index = int(fault.path[1])
            if index >= len(inline_tools):
                by_definition.setdefault(index - len(inline_tools), []).append(fault)
            elif fault.stage == "process":
                path: Path = ("spec", "config", *fault.path)
                if not is_unfilled(value_at(resource.data, path[:4])):
                    yield finding_of(resource, fault, path, stage="process")
            continue
        if fault.rule is AUTHORIZATION and resource.is_judged(since=VIRTUAL_POLICIES_SINCE):
            continue  # the operator reads the ConfigMap, or refuses it
        if has_placeholder(value_at(config, fault.path)):
            continue
        origin = sources.origin(fault)
        if has_placeholder(value_at(resource.data, origin.path)):
            continue
        offset = None if origin.notes else fault.offset  # with notes, the text is in another resource
        yield finding_of(
            resource, _in_resource(fault, resource)._replace(offset=offset), origin.path, notes=origin.notes
        )
    for number, faults in sorted(by_definition.items()):
        yield from _definition_finding(resource, *doubtful[number], faults)
    if has_suspect_text(whole):
        yield from _misread(written(whole, resource.release), sources)


def _in_resource(fault: Fault, resource: Resource) -> Fault:
    hint = fault.hint
    if fault.rule is FAILURE_MODE:
        hint = hint or "write fail, the only value that both the schema and the process accept"
    elif fault.rule is OUTGOING and fault.path[-1] == "type":  # the message lists the types that there are
        hint = hint or "remove the entry, or set type: externalAuthConfigRef"
        fault = fault._replace(message=resource.profile.spell(fault.message))
    return fault._replace(hint=hint)


def _is_known(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> bool:
    if any(has_placeholder(config.spec.get("type")) for _, config in vmcpauth.named_configs(workspace, resource)):
        return False
    return all(
        reference.target is not None or reference.kind in CORE_KINDS for reference in workspace.references(resource)
    )


def _definitions(
    resource: Resource[VirtualMCPServerSpec], workspace: Workspace
) -> Iterator[tuple[Path, Resource[VirtualMCPCompositeToolDefinitionSpec]]]:
    """Yield the path of each reference to a composite tool definition, and the definition. Skip dangling references."""
    for i, _ in enumerate((resource.spec.get("config") or {}).get("compositeToolRefs") or ()):
        path: Path = ("spec", "config", "compositeToolRefs", i, "name")
        definition: Resource[VirtualMCPCompositeToolDefinitionSpec] | None = workspace.target(resource, *path)
        if definition is not None:
            yield path, definition


def _definition_finding(resource: Resource, path: Path, definition: Resource, faults: list[Fault]) -> Iterator[Finding]:
    """Yield one finding for all faults of a definition, at the reference. If it contains placeholders, yield none."""
    if is_unfilled(definition.spec):
        return
    notes = tuple(
        definition.note(fault.message, stated(definition, ("spec", *fault.path[2:]))) for fault in faults[:MOST_NOTES]
    )
    message = f'composite tool definition "{definition.name}" would be refused: {faults[0].message}'
    yield resource.finding(DEFINITION, path, message, hint=faults[0].hint or "correct the definition", notes=notes)


def _misread(config: dict[str, Any], sources: _Sources) -> Iterator[Finding]:
    """Report strings that YAML does not preserve, so the process reads another configuration or none."""
    config_read = reread(config)
    if config_read is None:
        yield from _unreadable(config, sources)
        return
    release = sources.resource.release
    reported = {(fault.path, fault.rule.id) for fault in _faults(config, release)}
    for fault in _faults(config_read, release) if config_read != config else ():
        if (fault.path, fault.rule.id) not in reported and not is_unfilled(value_at(config, fault.path)):
            origin = sources.origin(fault)
            hint = "begin the text on its first line: the file loses a line break at its beginning"
            lost = fault._replace(hint=hint)
            yield finding_of(sources.resource, lost, origin.path, notes=origin.notes, stage="process")


def _unreadable(config: dict[str, Any], sources: _Sources) -> Iterator[Finding]:
    for path in unreadable_texts(config):
        text, is_key = value_at(config, path), path[-1] == MERGE_KEY
        if not is_key and is_unfilled(text):
            continue
        if is_key:
            what, hint = 'the key "<<" is a merge to the YAML reader', "rename the key"
        elif isinstance(text, str) and text.startswith("\t"):
            what, hint = "the text begins with a tab", "begin the text on its first line, without a tab"
        else:
            what, hint = "the text begins with a blank line or a space", "begin the text on its first line"
        message = f"{what}, so the file that the operator writes cannot be read"
        origin = sources.origin(Fault(path, UNREADABLE, message))
        yield sources.resource.finding(
            UNREADABLE, origin.path, message, hint=hint, notes=origin.notes, on="key" if is_key else "value"
        )


def _faults(config: dict[str, Any], release: str) -> list[Fault]:
    faults = [*config_faults(config, release), *start_faults(config, release)]
    return [fault for fault in faults if holds(fault.rule.since, fault.rule.until, release)]


class _Sources:
    """Finds the origin of each value in a compiled configuration."""

    def __init__(
        self, resource: Resource[VirtualMCPServerSpec], workspace: Workspace, config: Mapping[str, Any]
    ) -> None:
        self.resource = resource
        self.workspace = workspace
        self.config = config

    @property
    def members(self) -> dict[str, Resource[MemberSpec]]:
        group = self.workspace.target(self.resource, *GROUP)
        members = self.workspace.members(group, self.resource) if group is not None else []
        return {member.name: member for member in members}

    def origin(self, fault: Fault) -> ConfigOrigin:
        """Return the origin of the value that a fault concerns."""
        path = fault.path
        if path[0] == "incomingAuth":
            return self._incoming(path)
        if path[0] == "outgoingAuth":
            return self._outgoing(path)
        if path[0] == "backends":
            return self._backend(path)
        if path[0] == "compositeTools":
            return self._composite_tool(path)
        if path[0] == "sessionStorage" or (path[0] == "passthroughHeaders" and path[0] in self.resource.spec):
            return ConfigOrigin(("spec", *path))
        if path[0] == "telemetry":
            return self._telemetry()
        if path[:2] == ("aggregation", "tools") and len(path) > 4 and path[3] == "overrides":
            return self._override(path)
        place: Path = ("spec", "config", *path)
        if fault.rule is GUARDED_OPTIMIZER and "embeddingServerRef" in self.resource.spec:
            place = ("spec", "embeddingServerRef")
        if fault.rule is HEALTH_CHECK and not self.resource.states(*place):
            place = (*place[:-1], "healthCheckInterval")
        return ConfigOrigin(place)

    def _incoming(self, path: Path) -> ConfigOrigin:
        if path[1] == "authz":
            return self._authorization(path[2:])
        if path[1] != "oidc":
            return ConfigOrigin(("spec", *path))
        config = self.workspace.target(self.resource, *vmcpauth.OIDC_REF, "name")
        notes = (config.note("the provider is described here", ("spec",)),) if config is not None else ()
        return ConfigOrigin((*vmcpauth.OIDC_REF, "name"), notes)

    def _authorization(self, path: Path) -> ConfigOrigin:
        shared: Path = ("spec", "incomingAuth", "authzConfigRef", "name")
        config = self.workspace.target(self.resource, *shared)
        if config is not None:
            return ConfigOrigin(shared, (config.note("it is here", ("spec", "config", *path)),))
        authz_path: Path = ("spec", "incomingAuth", "authzConfig")
        document = self.workspace.resolved(self.resource, *authz_path, "configMap", "name")
        if path[:1] != ("policies",) or len(path) < 2:
            return ConfigOrigin((*authz_path, "type"))
        if document is None:
            return ConfigOrigin((*authz_path, "inline", *path))
        reference, config_map = document
        return ConfigOrigin(reference.path, (config_map.note("the document is here", ("data", reference.key or "")),))

    def _telemetry(self) -> ConfigOrigin:
        place: Path = ("spec", "telemetryConfigRef", "name")
        config = self.workspace.target(self.resource, *place)
        notes = (config.note("it is here", ("spec", "openTelemetry", "endpoint")),) if config is not None else ()
        return ConfigOrigin(place, notes)

    def _outgoing(self, path: Path) -> ConfigOrigin:
        place: Path = ("spec", *path[: 2 if path[1] == "default" else 3])
        if stated(self.resource, place) == place:
            return ConfigOrigin((*place, "type"))
        member = self.members.get(str(path[-1] if len(path) < 4 else path[2]))
        if member is None:
            return ConfigOrigin(("spec", "outgoingAuth"))
        return ConfigOrigin(GROUP, (member.note(f"{member.kind} of the group"),))

    def _backend(self, path: Path) -> ConfigOrigin:
        if not vmcpauth.is_inline(self.resource):
            return ConfigOrigin(("spec", "config", *path))
        member = self.members[value_at(self.config, path[:2])["name"]]
        return ConfigOrigin(GROUP, (member.note(f"{member.kind} of the group", ("spec", "caBundleRef")),))

    def _composite_tool(self, path: Path) -> ConfigOrigin:
        index = int(path[1]) - len((self.resource.spec.get("config") or {}).get("compositeTools") or ())
        if index < 0:
            return ConfigOrigin(("spec", "config", *path))
        reference, definition = list(_definitions(self.resource, self.workspace))[index]
        return ConfigOrigin(reference, (definition.note("the text is here", ("spec", *path[2:])),))

    def _override(self, path: Path) -> ConfigOrigin:
        place: Path = ("spec", "config", *path)
        if stated(self.resource, place) == place:
            return ConfigOrigin(place)
        reference = (*place[:5], "toolConfigRef", "name")
        shared = self.workspace.target(self.resource, *reference)
        if shared is None:
            return ConfigOrigin(place)
        return ConfigOrigin(reference, (shared.note("the override is here", ("spec", "toolsOverride", path[4])),))


CHECKS: dict[str, tuple[Check, ...]] = {"VirtualMCPServer": (check,)}
