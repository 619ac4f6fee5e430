"""The kinds of input that are not Kubernetes resources, and the functions that recognize them by their content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..diagnostics.named_tuple import NamedTuple
from . import recognition
from .kustomize import RETARGETING, TRANSFORMING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..reading.node import Dialect

    Recognizer: TypeAlias = Callable[[dict[str, Any]], bool]


class InputKind(NamedTuple):
    """A kind of input that is not a Kubernetes resource, such as a registry or a run configuration.

    Attributes:
        hints: Byte strings; every file of this kind contains one of them. This is a cheap test before parsing.
        keys: Sets of top-level keys. A document with all keys of one set may be of this kind.
        recognizer: Function that decides if keys alone are ambiguous.
        form: ``document`` if each document of a file is checked, ``text`` if the file as a whole is.
        dialect: YAML dialect of the program that reads such files.
    """

    name: str
    hints: tuple[bytes, ...]
    keys: tuple[frozenset[str], ...]
    recognizer: Recognizer | None = None
    form: Literal["document", "text"] = "document"
    dialect: Dialect = "kubernetes"


BODIES = tuple(
    """
    client-registration client-selection client-status client-status-list installed-skill installed-skill-list
    provider-setup-result publisher-extensions registry-detail registry-list registry-server-list
    registry-server-result registry-skill-list registry-summary registry-update secret-creation
    secret-provider-setup secret-result secret-update server-record-list skill-content skill-details
    skill-install-request skill-installed skill-validate-request skill-validation workload-created workload-details
    workload-list workload-selection workload-summary
    """.split()
)
"""Bodies of requests and responses of the management API, by the names of their schemas.

The content does not identify them, so only ``--as`` selects these kinds.
"""


def _known(
    name: str, keys: str, *hints: bytes, recognizer: Recognizer | None = None, dialect: Dialect = "kubernetes"
) -> InputKind:
    """Return a kind that its keys show. Commas separate the sets of keys."""
    sets = tuple(frozenset(words.split()) for words in keys.split(","))
    return InputKind(name, hints, sets, recognizer, dialect=dialect)


KINDS: tuple[InputKind, ...] = (
    InputKind("skill", (), (), form="text"),
    _known(
        "registry",
        "data meta, data version, last_updated servers, last_updated remote_servers, last_updated groups",
        *(b'"servers"', b'"remote_servers"', b'"last_updated"'),
        recognizer=recognition.is_registry,
    ),
    _known("catalog-skill", "namespace name description", b'"namespace"', recognizer=recognition.is_catalog_skill),
    _known(
        "server",
        "name version description, $schema name",
        *(b"server.schema.json", b'"registryType"', b'"remotes"'),
        recognizer=recognition.is_server,
    ),
    _known(
        "runconfig",
        "schema_version transport, schema_version image, schema_version remote_url,"
        " base_name transport, container_name transport, remote_url transport, cmd_args transport",
        *(b'"schema_version"', b'"base_name"', b'"container_name"', b'"remote_url"', b'"cmd_args"'),
        recognizer=recognition.is_runconfig,
    ),
    _known(
        "workload",
        # An image without a name is that of the registry's server.
        "name image, name url, image cmd_arguments, image oauth_config, image permission_profile, image proxy_port,"
        " image tools_override",
        *(b'"image"', b'"transport"', b'"proxy_port"', b'"cmd_arguments"', b'"oauth_config"', b'"permission_profile"'),
        recognizer=recognition.is_workload,
    ),
    _known("authz", "version type cedar, version type pdp", b"cedarv1", b"httpv1", recognizer=recognition.is_authz),
    _known(
        "audit",
        "eventTypes, excludeEventTypes, includeRequestData, includeResponseData",
        *(b'"eventTypes"', b'"excludeEventTypes"', b'"includeRequestData"', b'"includeResponseData"'),
        recognizer=recognition.is_audit,
    ),
    _known("webhook", "validating, mutating", b"failure_policy", recognizer=recognition.is_webhook_file),
    _known("tool-override", "toolsOverride", b"toolsOverride", recognizer=recognition.is_tool_override),
    InputKind("env-file", (), (), form="text"),
    _known(
        "permission-profile", "network, privileged", b'"network"', b'"privileged"', recognizer=recognition.is_profile
    ),
    _known(
        "vmcp",
        "incomingAuth outgoingAuth, incomingAuth aggregation, outgoingAuth aggregation,"
        " groupRef incomingAuth, groupRef outgoingAuth, groupRef aggregation",
        *(b"incomingAuth", b"outgoingAuth", b"aggregation"),
        dialect="vmcp",
    ),
    _known(
        "authserver",
        "issuer upstreams, issuer allowed_audiences, upstreams allowed_audiences",
        *(b"allowed_audiences", b"upstreams"),
        recognizer=recognition.is_auth_server,
        dialect="vmcp",
    ),
    InputKind("mcpcfg", (), (), form="text"),
    *(InputKind(name, (), ()) for name in BODIES),
)
"""All input kinds in the order in which they are tried. More specific key sets come first."""

RESOURCE_HINT = b"apiVersion"
_CHART_HINT = b"toolhive-operator"
"""Files of Helm and helmfile that install the operator contain this. They have no ``apiVersion``."""
_INSTALLED_SKILL_HINT = b'"installed_at"'
_SKILL_RECORD_KEYS = frozenset({"installed_at", "namespace", "skills"})

_ENCODING_JSON_KINDS = frozenset(
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
"""Kinds of files that are read with Go's `encoding/json`, whatever the name of the file is."""


def uses_encoding_json(kind: InputKind, file: str) -> bool:
    """Return whether the program that reads files of this kind uses Go's `encoding/json`.

    Unlike the reader of Kubernetes, `encoding/json` accepts duplicate keys, of which the last one counts, and refuses
    ``1.0`` as an integer. For some kinds, the suffix of ``file`` decides.
    """
    if kind.name in _ENCODING_JSON_KINDS:
        return True
    name = file.lower()
    if kind.name == "authz":
        return not name.endswith((".yaml", ".yml"))
    return kind.name == "webhook" and name.endswith(".json")


def recognize(data: Any) -> InputKind | None:
    """Return the input kind of a document that is not a Kubernetes resource, or ``None`` if the kind is not known."""
    if isinstance(data, dict):
        for kind in KINDS:
            if any(keys <= data.keys() for keys in kind.keys) and (kind.recognizer is None or kind.recognizer(data)):
                return kind
    return None


def kind_named(name: str) -> InputKind | None:
    """Return the input kind that the option ``--as`` calls ``name``, or ``None`` if there is none."""
    return next((kind for kind in KINDS if kind.name == name), None)


def may_hold_input(text: bytes) -> bool:
    """Return whether a file may contain a resource or a record that is checked. The text is searched, not parsed."""
    return (
        RESOURCE_HINT in text
        or RETARGETING in text
        or TRANSFORMING in text
        or _CHART_HINT in text
        or any(hint in text for kind in KINDS for hint in kind.hints)
        or _INSTALLED_SKILL_HINT in text
    )


def recorded_skills(data: Any) -> frozenset[str]:
    """Return the skill folders that a catalog or the record of an installed skill names; empty for other documents."""
    if not isinstance(data, dict) or _SKILL_RECORD_KEYS.isdisjoint(data):
        return frozenset()
    return recognition.recorded_skills(data)


def resembles_record(text: str, *, is_json: bool) -> bool:
    """Return whether an unreadable text has the top-level keys of a known kind of record.

    Args:
        text: Text that is not valid YAML or JSON.
        is_json: True if the text is probably JSON, false if YAML.
    """
    keys = recognition.first_keys(text, is_json=is_json)
    return any(
        any(key_set <= keys for key_set in kind.keys)
        and any(hint.decode() in text for hint in kind.hints)
        and recognition.keys_fit(kind.name, keys)
        for kind in KINDS
    )
