"""Kinds of input, and how a document is recognised as one of them by its content."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from ..toolhive.profile import TOOLHIVE
from .kustomize import RETARGETING, TRANSFORMING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..reading.document import Document
    from ..reading.node import Dialect
    from ..toolhive.machine import Environment
    from ..toolhive.profile import Profile


RecordCheck: TypeAlias = "Callable[[Document, Mapping[str, Sequence[Document]], Environment], list[Finding]]"
"""Returns the findings of a document of one input kind, beside the other recognised documents of the call, by kind."""


class InputKind(NamedTuple):
    """One kind of input that is not a Kubernetes resource.

    Attributes:
        name: As ``--as`` spells it.
        hints: One of these byte strings occurs in every such file: a cheap test before parsing.
        keys: Sets of top-level keys; a document that has all of one set is of this kind.
        looks: Function of ``compiler/records/recognition.py`` that decides, where keys alone are ambiguous.
        check: ``module:function`` of the check, and ``:kind`` where one function checks several. By default the
            function of ``compiler/records/document_check.py`` that has the name of the kind.
        form: What is checked: the documents of a file, or the file as a whole (`whole_document`).
        dialect: How its YAML is read.
    """

    name: str
    hints: tuple[bytes, ...]
    keys: tuple[frozenset[str], ...]
    looks: str | None = None
    check: str = ""
    form: Literal["document", "text"] = "document"
    dialect: Dialect = "kubernetes"


_RECORDS = "mcpcfg.compiler.records.document_check"
BODIES = (
    "client-registration",
    "client-selection",
    "client-status",
    "client-status-list",
    "installed-skill",
    "installed-skill-list",
    "provider-setup-result",
    "publisher-extensions",
    "registry-detail",
    "registry-list",
    "registry-server-list",
    "registry-server-result",
    "registry-skill-list",
    "registry-summary",
    "registry-update",
    "secret-creation",
    "secret-provider-setup",
    "secret-result",
    "secret-update",
    "server-record-list",
    "skill-content",
    "skill-details",
    "skill-install-request",
    "skill-installed",
    "skill-validate-request",
    "skill-validation",
    "workload-created",
    "workload-details",
    "workload-list",
    "workload-selection",
    "workload-summary",
)
"""What operations of the management API take and answer, by the names of their schemas; only ``--as`` says so."""

KINDS: tuple[InputKind, ...] = (
    InputKind("skill", (), (), form="text"),
    InputKind(
        "registry",
        (b'"servers"', b'"remote_servers"', b'"last_updated"'),
        (
            frozenset({"data", "meta"}),
            frozenset({"data", "version"}),
            frozenset({"last_updated", "servers"}),
            frozenset({"last_updated", "remote_servers"}),
            frozenset({"last_updated", "groups"}),
        ),
        looks="is_registry",
    ),
    InputKind(
        "catalog-skill",
        (b'"namespace"',),
        (frozenset({"namespace", "name", "description"}),),
        looks="is_catalog_skill",
    ),
    InputKind(
        "server",
        (b"server.schema.json", b'"registryType"', b'"remotes"'),
        (frozenset({"name", "version", "description"}), frozenset({"$schema", "name"})),
        looks="is_server",
    ),
    InputKind(
        "runconfig",
        (b'"schema_version"', b'"base_name"', b'"container_name"', b'"remote_url"', b'"cmd_args"'),
        (
            frozenset({"schema_version", "transport"}),
            frozenset({"schema_version", "image"}),
            frozenset({"schema_version", "remote_url"}),
            frozenset({"base_name", "transport"}),
            frozenset({"container_name", "transport"}),
            frozenset({"remote_url", "transport"}),
            frozenset({"cmd_args", "transport"}),
        ),
        looks="is_runconfig",
    ),
    InputKind(
        "workload",
        (b'"image"', b'"transport"', b'"proxy_port"', b'"cmd_arguments"', b'"oauth_config"', b'"permission_profile"'),
        (
            frozenset({"name", "image"}),
            frozenset({"name", "url"}),
            *(
                frozenset({"image", key})  # without a name: that of the registry's server
                for key in ("cmd_arguments", "oauth_config", "permission_profile", "proxy_port", "tools_override")
            ),
        ),
        looks="is_workload",
    ),
    InputKind(
        "authz",
        (b"cedarv1", b"httpv1"),
        (frozenset({"version", "type", "cedar"}), frozenset({"version", "type", "pdp"})),
        looks="is_authz",
    ),
    InputKind(
        "audit",
        (b'"eventTypes"', b'"excludeEventTypes"', b'"includeRequestData"', b'"includeResponseData"'),
        tuple(
            frozenset({key}) for key in ("eventTypes", "excludeEventTypes", "includeRequestData", "includeResponseData")
        ),
        looks="is_audit",
    ),
    InputKind(
        "webhook",
        (b"failure_policy",),
        (frozenset({"validating"}), frozenset({"mutating"})),
        looks="is_webhook_file",
    ),
    InputKind(
        "tool-override",
        (b"toolsOverride",),
        (frozenset({"toolsOverride"}),),
        looks="is_tool_override",
    ),
    InputKind("env-file", (), (), form="text"),
    InputKind(
        "permission-profile",
        (b'"network"', b'"privileged"'),
        (frozenset({"network"}), frozenset({"privileged"})),
        looks="is_profile",
    ),
    InputKind(
        "vmcp",
        (b"incomingAuth", b"outgoingAuth", b"aggregation"),
        (
            frozenset({"incomingAuth", "outgoingAuth"}),
            frozenset({"incomingAuth", "aggregation"}),
            frozenset({"outgoingAuth", "aggregation"}),
            frozenset({"groupRef", "incomingAuth"}),
            frozenset({"groupRef", "outgoingAuth"}),
            frozenset({"groupRef", "aggregation"}),
        ),
        check="mcpcfg.validators.rules.vmcp_file:check_file",
        dialect="vmcp",
    ),
    InputKind(
        "authserver",
        (b"allowed_audiences", b"upstreams"),
        (
            frozenset({"issuer", "upstreams"}),
            frozenset({"issuer", "allowed_audiences"}),
            frozenset({"upstreams", "allowed_audiences"}),
        ),
        looks="is_auth_server",
        dialect="vmcp",
    ),
    InputKind("mcpcfg", (), (), check="mcpcfg.compiler.project.settings_file:check_settings", form="text"),
    *(InputKind(name, (), (), check=f"{_RECORDS}:body:{name}") for name in BODIES),
)
"""In the order in which they are tried; the more specific key sets come first."""

SKILL_FILE = "SKILL.md"
RESOURCE_HINT = b"apiVersion"
_CHART = b"toolhive-operator"
"""Stands in the files of Helm and helmfile that install the operator, which have no apiVersion."""
_INSTALLED_SKILL_HINT = b'"installed_at"'
_SKILL_RECORD_KEYS = frozenset({"installed_at", "namespace", "skills"})

_READ_PLAINLY = frozenset(
    {
        "registry",
        "server",
        "catalog-skill",
        "permission-profile",
        "audit",
        "tool-override",
        "runconfig",
        "workload",
        *BODIES,
    }
)


def is_read_plainly(kind: InputKind, file: str) -> bool:
    """Return whether the programs of a kind read a JSON file with Go's plain decoder, less strict than the API server.

    Of a key that stands twice the last value counts; but ``1.0`` is no integer.
    """
    if kind.name in _READ_PLAINLY:
        return True
    name = file.lower()
    if kind.name == "authz":
        return not name.endswith((".yaml", ".yml"))
    return kind.name == "webhook" and name.endswith(".json")


def recognize(data: Any) -> InputKind | None:
    """Return the input kind of a document that is not a Kubernetes resource, ``None`` where it is none of ours."""
    if isinstance(data, dict):
        for kind in KINDS:
            if any(keys <= data.keys() for keys in kind.keys) and _looks(kind, data):
                return kind
    return None


def kind_named(name: str) -> InputKind | None:
    """Return the input kind that ``--as`` names."""
    return next((kind for kind in KINDS if kind.name == name), None)


def kind_of_file(path: str) -> InputKind | None:
    """Return the input kind of a file that is known by its name; skills are."""
    return kind_named("skill") if path.rpartition("/")[2] == SKILL_FILE else None


def may_hold_input(text: bytes) -> bool:
    """Check cheaply whether a file may hold anything of ours."""
    return (
        RESOURCE_HINT in text
        or RETARGETING in text
        or TRANSFORMING in text
        or _CHART in text
        or any(hint in text for kind in KINDS for hint in kind.hints)
        or _INSTALLED_SKILL_HINT in text
    )


def recorded_skills(data: Any) -> frozenset[str]:
    """Return the folders of skills that a document names, if it is the record of a catalog or of an installed skill."""
    if not isinstance(data, dict) or _SKILL_RECORD_KEYS.isdisjoint(data):
        return frozenset()
    from ..records import recognition

    return recognition.recorded_skills(data)


def resembles_record(text: str, *, is_json: bool) -> bool:
    """Return whether a text that cannot be read has the keys of a record of ours on its first level.

    Args:
        text: The text.
        is_json: Whether it is meant as JSON.
    """
    from ..records import recognition

    keys = recognition.first_keys(text, is_json=is_json)
    return any(
        any(one <= keys for one in kind.keys)
        and any(hint.decode() in text for hint in kind.hints)
        and recognition.may_have(kind.name, keys)
        for kind in KINDS
    )


def _looks(kind: InputKind, data: dict[str, Any]) -> bool:
    if kind.looks is None:
        return True
    from ..records import recognition

    return bool(getattr(recognition, kind.looks)(data))


def record_findings(
    records: Mapping[str, Sequence[Document]],
    *,
    closed: bool = False,
    secrets_provider: str = "",
    profile: Profile = TOOLHIVE,
) -> Iterator[Finding]:
    """Yield what is wrong with the records of one project.

    Args:
        records: The documents of each kind of input, by its name.
        closed: Whether the given files are all there is.
        secrets_provider: Which provider keeps the secrets; empty if it is not known.
        profile: The names that the product goes by.
    """
    from ..toolhive.machine import Environment

    around = Environment(closed, secrets_provider, profile)
    for kind in KINDS:
        for document in records.get(kind.name, ()):
            yield from checker(kind)(document, records, around)


def checker(kind: InputKind) -> RecordCheck:
    """Import the check of an input kind."""
    place = kind.check or f"{_RECORDS}:{kind.name.replace('-', '_')}"
    module, function, *name = place.split(":")
    check = getattr(import_module(module), function)
    found: RecordCheck = partial(check, kind=name[0]) if name else check
    return found
