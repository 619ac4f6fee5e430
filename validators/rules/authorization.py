"""Rules about authorization that does not load: documents in ConfigMaps, Cedar policies, Cedar entities."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from ...compiler.diagnostics.budget import cache_by_text
from ...compiler.diagnostics.fault_to_finding import restaged
from ...compiler.diagnostics.named_tuple import NamedTuple
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import written_path
from ...compiler.diagnostics.version import RECORDED
from ...compiler.reading.bound import MAX_FAULTS
from ...compiler.toolhive.cedar_rule import IGNORED_REST, NEVER_MATCHES
from ...compiler.toolhive.release import ADDRESSES_KEPT_SINCE, AUTHZ_CONFIG_SINCE, VIRTUAL_POLICIES_SINCE
from ...compiler.workspace.reference import declared_keys
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...compiler.diagnostics.fault import Flaw
    from ...compiler.diagnostics.finding import Note
    from ...compiler.models.mcpauthzconfig import MCPAuthzConfigSpec
    from ...compiler.models.spec import ProxySpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ...compiler.workspace.workspace import Resolved
    from ..authz_document import AuthzDocument
    from ..rule import Check, Finding, Path, Resource, Rule, Workspace

UNUSABLE_DOCUMENT = rule("AZN001 unusable-authz-document", "operator", "An authorization document cannot be used")
REFUSED_POLICY = rule(
    "AZN002 refused-cedar-policy",
    "operator",
    "The operator cannot read a Cedar policy of an MCPRemoteProxy",
    unmodelled="all",
)
INVALID_POLICY = rule(
    "AZN003 invalid-cedar-policy",
    "process",
    "A proxy cannot read one of its Cedar policies",
    unmodelled="all",
    verified=RECORDED,
)
INVALID_ENTITIES = rule(
    "AZN004 invalid-cedar-entities",
    "process",
    "A proxy cannot read its Cedar entities",
    unmodelled="all",
    verified=RECORDED,
)
INVALID_ADDRESS = rule(
    "AZN007 invalid-decision-point",
    "process",
    "The policy decision point in a proxy's authorization document cannot be asked",
    verified=RECORDED,
)

AUTHZ: Path = ("spec", "authzConfig")
INLINE: Path = (*AUTHZ, "inline")
AUTHZ_REF: Path = ("spec", "authzConfigRef", "name")
INCOMING: Path = ("spec", "incomingAuth", "authzConfig")
SHARED_INCOMING: Path = ("spec", "incomingAuth", "authzConfigRef", "name")
CEDAR_HINT = "write Cedar policies, or ask the decision point from an MCPServer"
CONFIG: Path = ("spec", "config")


@reads("authzConfig")
def check(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report faults in the policies and entities of a proxy, inline or in a ConfigMap, that keep it from starting."""
    authz = resource.spec["authzConfig"]
    if authz.get("type") == "inline":
        inline = authz.get("inline") or {}
        rule = REFUSED_POLICY if resource.kind == "MCPRemoteProxy" else INVALID_POLICY
        for i, policy in enumerate(inline.get("policies") or ()):
            yield from _policy(resource, rule, (*INLINE, "policies", i), policy, f"policy {i}", ())
        yield from _entities(resource, (*INLINE, "entitiesJson"), inline.get("entitiesJson") or "", "entitiesJson", ())
    else:
        yield from _from_config_map(resource, workspace, AUTHZ)


@reads("incomingAuth")
def check_virtual_server(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report an authorization document that the operator refuses, and policies that have no effect.

    A policy that does not parse is left to `virtual_server_process`, because the process fails to start with it.
    """
    yield from _other_type(resource, workspace)
    authz = resource.spec["incomingAuth"].get("authzConfig") or {}
    if authz.get("type") == "configMap" and _takes_cedar_alone(resource):
        yield from _from_config_map(resource, workspace, INCOMING)
    path: Path = (*INCOMING, "inline")
    for i, policy in enumerate((authz.get("inline") or {}).get("policies") or ()):
        if not is_placeholder(policy) and _check_policy(policy, keeps_address=_keeps_address(resource)).fault is None:
            yield from _policy(resource, INVALID_POLICY, (*path, "policies", i), policy, f"policy {i}", ())


def _other_type(resource: Resource[VirtualMCPServerSpec], workspace: Workspace) -> Iterator[Finding]:
    config: Resource[MCPAuthzConfigSpec] | None = workspace.target(resource, *SHARED_INCOMING)
    if config is None or workspace.is_refused(config) or not resource.is_judged(since=AUTHZ_CONFIG_SINCE):
        return
    kind = config.spec.get("type", "")
    if kind != "cedarv1" and not is_placeholder(kind):
        message = f'MCPAuthzConfig "{config.name}" is of type {kind}, and VirtualMCPServer takes cedarv1 alone'
        notes = (config.note("the type is stated here", ("spec", "type")),)
        yield resource.finding(UNUSABLE_DOCUMENT, SHARED_INCOMING, message, hint=CEDAR_HINT, notes=notes)


def _from_config_map(resource: Resource, workspace: Workspace, at: Path) -> Iterator[Finding]:
    from .. import authz_document

    resolved = workspace.resolved(resource, *at, "configMap", "name")
    if resolved is None:
        return
    reference, config_map = resolved
    key = reference.key or ""
    text = config_map.entries("data").get(key)
    if declared_keys(config_map) is None:
        return
    if is_placeholder(key) or (text is not None and (not isinstance(text, str) or is_placeholder(text))):
        return
    path = (*at, "configMap", "key")
    place = path if resource.states(*path) else reference.path
    notes = (config_map.note("the document is here", ("data", key)),)
    document = authz_document.read(text) if text is not None else authz_document.Problem("is not a key of data")
    if isinstance(document, authz_document.Problem):
        message = f'the authorization document "{key}" of ConfigMap "{config_map.name}" {document.message}'
        yield resource.finding(UNUSABLE_DOCUMENT, place, message, hint=document.hint, notes=notes)
        return
    if document.type != authz_document.CEDAR and _takes_cedar_alone(resource):
        message = (
            f'the authorization document "{key}" of ConfigMap "{config_map.name}" is of type {document.type}, '
            f"and {resource.kind} takes {authz_document.CEDAR} alone"
        )
        yield resource.finding(UNUSABLE_DOCUMENT, place, message, hint=CEDAR_HINT, notes=notes)
    elif resource.kind != "VirtualMCPServer":  # its process reads what the operator derives
        yield from _document(resource, place, document, f'of ConfigMap "{config_map.name}"', lambda _: notes)


def _takes_cedar_alone(resource: Resource) -> bool:
    # The first release that refuses other types, for kinds that do.
    since = {"VirtualMCPServer": VIRTUAL_POLICIES_SINCE, "MCPRemoteProxy": "0.29.0"}.get(resource.kind)
    return since is not None and resource.is_judged(since=since)


@reads("authzConfigRef")
def check_shared(resource: Resource[ProxySpec], workspace: Workspace) -> Iterator[Finding]:
    """Report faults of an MCPAuthzConfig that keep a proxy from starting. `check_config` reports its lints."""
    resolved: Resolved[MCPAuthzConfigSpec] = workspace.resolved(resource, *AUTHZ_REF)
    if resolved is None or workspace.is_refused(resolved[1]):
        return
    reference, config = resolved

    def note(path: Path) -> tuple[Note, ...]:
        return (config.note("it is here", written_path(config.data, (*CONFIG, *path))),)

    where = f'of MCPAuthzConfig "{config.name}"'
    for finding in _document(resource, reference.path, _shared_document(config), where, note):
        if finding.stage != "lint":  # `check_config` reports lints at the policy itself
            yield finding


def check_config(resource: Resource[MCPAuthzConfigSpec], workspace: Workspace) -> Iterator[Finding]:
    """Report policies of an MCPAuthzConfig that have no effect.

    If no resource refers to the MCPAuthzConfig, policies and entities that do not load are reported too.
    """
    if workspace.is_refused(resource):
        return
    document, is_used = _shared_document(resource), workspace.is_referred(resource)
    for i, text in enumerate(document.policies):
        path = written_path(resource.data, (*CONFIG, "policies", i))
        for finding in _policy(resource, INVALID_POLICY, path, text, f"policy {i}", ()):
            if finding.rule != INVALID_POLICY.id or not is_used:
                yield restaged(finding, "lint")
    if not is_used:
        path = written_path(resource.data, (*CONFIG, "entities_json"))
        for finding in _entities(resource, path, document.entities, "entities_json", ()):
            yield restaged(finding, "lint")


def _shared_document(config: Resource[MCPAuthzConfigSpec]) -> AuthzDocument:
    from ...compiler.emit.authz import CONFIG_KEYS
    from .. import authz_document

    kind = config.spec.get("type", "")
    data = {"version": "1.0", "type": kind, CONFIG_KEYS.get(kind, ""): config.spec.get("config")}
    document = authz_document.read_data(data)
    return document if isinstance(document, authz_document.AuthzDocument) else authz_document.AuthzDocument(kind)


def _document(
    resource: Resource, place: Path, document: AuthzDocument, where: str, note: Callable[[Path], tuple[Note, ...]]
) -> Iterator[Finding]:
    """Report the faults of an authorization document at the reference to it.

    Args:
        where: A phrase that names the document in messages, such as ``of MCPAuthzConfig "a"``.
    """
    from .. import authz_document

    for broken, i, fault in _policy_faults(document.policies, keeps_address=_keeps_address(resource)):
        message = _located(f"policy {i} {where}", document.policies[i], fault)
        yield _finding(resource, broken, place, message, fault, note(("policies", i)))
    yield from _entities(resource, place, document.entities, f"entities_json {where}", note(("entities_json",)))
    if document.address and not is_placeholder(document.address):
        reason = authz_document.address_fault(document.address)
        if reason is not None:
            message = f'the address "{document.address}" {where} {reason}'
            hint = "write an address such as http://pdp:9000"
            yield resource.finding(INVALID_ADDRESS, place, message, hint=hint, notes=note(("http", "url")))


def _policy(
    resource: Resource, rule: Rule, path: Path, text: str, name: str, notes: tuple[Note, ...]
) -> Iterator[Finding]:
    for fault_rule, fault in _faults(rule, text, keeps_address=_keeps_address(resource)):
        yield _finding(resource, fault_rule, path, _located(name, text, fault), fault, notes)


@cache_by_text(64)
def _policy_faults(policies: tuple[str, ...], *, keeps_address: bool) -> tuple[tuple[Rule, int, Flaw], ...]:
    """Return the first faults of a document's policies: the rule, the index of the policy, and the fault of each.

    At most ``MAX_FAULTS`` are returned. Results are cached, because many resources may share a document.
    """
    faults = (
        (rule, i, fault)
        for i, text in enumerate(policies)
        for rule, fault in _faults(INVALID_POLICY, text, keeps_address=keeps_address)
    )
    return tuple(islice(faults, MAX_FAULTS))


def _keeps_address(resource: Resource) -> bool:
    return resource.is_judged(since=ADDRESSES_KEPT_SINCE)


def _faults(invalid: Rule, text: str, *, keeps_address: bool) -> Iterator[tuple[Rule, Flaw]]:
    """Yield each fault of a policy with its rule. For a placeholder, nothing is yielded.

    Args:
        invalid: The rule for a policy that does not parse.
        keeps_address: True if the release uses the URI of a resource unchanged as its id.
    """
    if is_placeholder(text):
        return
    checked = _check_policy(text, keeps_address=keeps_address)
    if checked.fault is not None:
        yield invalid, checked.fault
    if checked.rest is not None:
        yield IGNORED_REST, checked.rest
    for fault in checked.idle:
        yield NEVER_MATCHES, fault


def _finding(resource: Resource, rule: Rule, path: Path, message: str, fault: Flaw, notes: tuple[Note, ...]) -> Finding:
    """Return a finding at the position of a fault in the text at ``path``.

    If the text is in another resource, which ``notes`` show, the finding is at ``path`` itself.
    """
    hint = "make each policy an item of its own" if rule is IGNORED_REST else fault.hint
    span = None if notes else resource.at_offset(path, fault.offset or 0)
    return resource.finding(rule, path, message, hint=hint, notes=notes, span=span)


class _PolicyFaults(NamedTuple):
    """The faults of a Cedar policy.

    Attributes:
        fault: The reason why the policy does not parse, or ``None``. A policy with this fault has no others.
        rest: The text after the first policy, which is ignored, or ``None``.
        idle: The constraints that never match a request.
    """

    fault: Flaw | None
    rest: Flaw | None = None
    idle: tuple[Flaw, ...] = ()


@cache_by_text(1024)
def _check_policy(text: str, *, keeps_address: bool) -> _PolicyFaults:
    """Return the faults of a Cedar policy. Results are cached, because documents repeat policies.

    ``keeps_address`` is true if the release uses the URI of a resource unchanged as its id.
    """
    from ...compiler.language.cedar.policy import ignored_rest, never_matches, policy_faults

    faults = policy_faults(text)
    return (
        _PolicyFaults(faults[0])
        if faults
        else _PolicyFaults(None, ignored_rest(text), tuple(never_matches(text, keeps_address=keeps_address)))
    )


def _entities(resource: Resource, path: Path, text: str, name: str, notes: tuple[Note, ...]) -> Iterator[Finding]:
    if text in ("", "[]") or is_placeholder(text):
        return
    from ...compiler.language.cedar.entities import entities_faults

    for fault in entities_faults(text)[:1]:
        yield _finding(resource, INVALID_ENTITIES, path, _located(name, text, fault), fault, notes)


def _located(name: str, text: str, fault: Flaw) -> str:
    line, column = fault.position(text)
    return f"{name}, {line}:{column}: {fault.message}"


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPAuthzConfig": (check_config,),
    "MCPServer": (check, check_shared),
    "MCPRemoteProxy": (check, check_shared),
    "VirtualMCPServer": (check_virtual_server,),
}
