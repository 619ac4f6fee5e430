"""Rules about the ``configYAML`` of an MCPRegistry: files and variables that its pod lacks, and plain secrets."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Any

from ...compiler.diagnostics.budget import cache_by_text
from ...compiler.diagnostics.named_tuple import NamedTuple
from ...compiler.diagnostics.placeholder import is_placeholder, is_template_placeholder
from ...compiler.diagnostics.secret.text import looks_secret
from ...compiler.diagnostics.version import RECORDED
from ...compiler.kube.typed import decode
from ...compiler.reading.bound import MAX_FAULTS
from ...compiler.reading.document import read_documents
from ...compiler.reading.inner_place import offset_and_length
from ...compiler.toolhive.constants import PGPASS_PATH, REGISTRY_CONTAINER, REGISTRY_PATH
from ...compiler.toolhive.registry_server import config_faults
from ..placeholder import are_certain
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...compiler.diagnostics.span import Path, Span
    from ...compiler.models.mcpregistry import MCPRegistrySpec
    from ...compiler.reading.document import Document
    from ..rule import Check, Finding, Resource, Rule, Workspace

UNREADABLE = rule(
    "MRG010 unreadable-registry-config",
    "process",
    "The configYAML of an MCPRegistry is not a YAML mapping",
    unmodelled="all",
)
LOST_PATH = rule("MRG011 registry-path-without-mount", "lint", "configYAML names a file that nothing mounts")
NO_PGPASS = rule(
    "MRG012 database-without-pgpass", "lint", "configYAML names a database, but there is no password for it"
)
INLINED = rule(
    "MRG013 inlined-registry-password", "lint", "configYAML contains what looks like a password", is_secret=True
)

REFUSED = rule(
    "MRG015 refused-registry-config",
    "process",
    "The registry server refuses its configuration at the start",
    verified=RECORDED,
)

CONFIG: Path = ("spec", "configYAML")
PATH_KEY = re.compile(r"(?:File|Path|_file|_path)$|^(?:file|path)$")
EXISTING_PATHS = (f"{REGISTRY_PATH}/config.yaml", "/var/run/secrets/", "/etc/ssl/", "/etc/pki/", "/usr/share/", "/dev/")
"""Files and folders that exist in every pod without a mount."""
LOGIN_WORDS = tuple("password auth cert".split())
LOGIN_VARIABLES = ("PG", "THV_REGISTRY_DATABASE_")
"""Prefixes of the variables that may contain a password: of PostgreSQL's clients, and of keys of ``database``."""
OVERRIDING = "THV_REGISTRY_"
"""Prefix of the variables that override keys of the configuration."""
MOST_VALUES = 10_000
"""Maximum number of checked values in a configuration, so that the time is bounded. Usual ones have far fewer."""


@reads("configYAML")
def check(resource: Resource[MCPRegistrySpec], _: Workspace) -> Iterator[Finding]:
    """Report faults of a registry's ``configYAML``.

    It is unreadable, contains a plain secret, or needs files or passwords that the pod lacks.
    """
    text: str = resource.spec["configYAML"]
    config = _read(text)
    if isinstance(config, _Unreadable):
        if config.reason and not (is_placeholder(text) or is_template_placeholder(text)):
            yield _finding(resource, UNREADABLE, f"configYAML {config.reason}", config.span, config.hint)
        return
    container = _container(resource)
    yield from _values(resource, config, _mount_paths(resource, container))
    yield from _database(resource, config, container)
    names = [str(entry.get("name")) for entry in container.get("env") or ()]
    prefix = resource.profile.spell(OVERRIDING)
    is_completed = (
        bool(container.get("envFrom")) or not are_certain(names) or any(name.startswith(prefix) for name in names)
    )
    for fault in islice(config_faults(config.data, is_completed=is_completed), MAX_FAULTS):
        span = config.span(fault.path) if fault.path else None
        yield _finding(resource, REFUSED, fault.message, span, fault.hint)


class _Unreadable(NamedTuple):
    """The reason why no configuration was read from ``configYAML``.

    Attributes:
        reason: A clause that follows ``configYAML``. Empty if the text was not read but no fault is certain, so nothing
            is reported.
        span: The place of the fault in the text, or ``None``.
    """

    reason: str
    span: Span | None = None
    hint: str | None = "write a mapping with sources and registries"


def _finding(
    resource: Resource[MCPRegistrySpec], rule: Rule, message: str, span: Span | None, hint: str | None = None
) -> Finding:
    place = None
    if span is not None:
        place = resource.at_offset(CONFIG, *offset_and_length(resource.spec["configYAML"], span))
    return resource.finding(rule, CONFIG, message, hint=hint, span=place)


@cache_by_text(256)
def _read(text: str) -> Document | _Unreadable:
    """Return the first document of ``configYAML``, or the reason why no configuration was read.

    The registry server ignores later documents. It uses the YAML library of the vMCP process. Results are cached and
    shared, so callers must not change them.
    """
    documents, findings = read_documents(text, "", dialect="vmcp")
    if documents and documents[0].index == 0:
        return documents[0] if isinstance(documents[0].data, dict) else _Unreadable("is not a mapping")
    if not findings:
        return _Unreadable("holds nothing")
    first = findings[0]
    if first.severity != "error" or first.document != 0:
        return _Unreadable("")
    reason = f"cannot be read, line {first.span.line}: {' '.join(first.message.split())}"
    return _Unreadable(reason, first.span, first.hint or "the registry server reads it as YAML")


def _container(resource: Resource[MCPRegistrySpec]) -> Mapping[str, Any]:
    template = resource.spec.get("podTemplateSpec")
    if not template:
        return {}
    pod = decode(template).value.get("spec") or {}
    containers: list[dict[str, Any]] = pod.get("containers") or []
    names = ((container, container.get("name") or "") for container in containers)
    return next((container for container, name in names if name == REGISTRY_CONTAINER or is_placeholder(name)), {})


def _mount_paths(resource: Resource[MCPRegistrySpec], container: Mapping[str, Any]) -> tuple[str, ...]:
    if isinstance(resource.spec.get("volumeMounts"), str):
        return ("/",)  # a placeholder may stand for any mount
    mounts = [*(resource.spec.get("volumeMounts") or ()), *(container.get("volumeMounts") or ())]
    paths = [
        mount["mountPath"] for mount in mounts if isinstance(mount, dict) and isinstance(mount.get("mountPath"), str)
    ]
    if "pgpassSecretRef" in resource.spec:
        paths.append(PGPASS_PATH)
    if not are_certain(paths):
        return ("/",)
    return tuple(path.rstrip("/") + "/" for path in paths)


def _values(resource: Resource[MCPRegistrySpec], config: Document, mounted: tuple[str, ...]) -> Iterator[Finding]:
    """Yield the findings for all strings of the configuration, up to `MOST_VALUES` values."""
    waiting: list[tuple[Path, str, Any]] = [((), "", config.data)]
    looked = 0
    while waiting and looked < MOST_VALUES:
        path, key, value = waiting.pop()
        looked += 1
        if isinstance(value, dict):
            waiting += [((*path, name), str(name), value[name]) for name in reversed(value)]
        elif isinstance(value, list):
            waiting += [((*path, i), key, value[i]) for i in reversed(range(len(value)))]
        elif isinstance(value, str) and value and not (is_placeholder(value) or is_template_placeholder(value)):
            yield from _value(resource, config, path, key, value, mounted)


def _value(
    resource: Resource[MCPRegistrySpec], config: Document, path: Path, key: str, value: str, mounted: tuple[str, ...]
) -> Iterator[Finding]:
    if value[0] == "/":
        lost = not value.startswith(EXISTING_PATHS) and not f"{value}/".startswith(mounted)
        if lost and PATH_KEY.search(key) is not None:
            message = f'{_dotted(path)} is "{value}", which nothing mounts'
            hint = "mount it with volumes and volumeMounts"
            yield _finding(resource, LOST_PATH, message, config.span(path), hint)
    elif looks_secret(_snake(key), value):
        message = f"{_dotted(path)} looks like a secret in plain text"
        yield _finding(resource, INLINED, message, config.span(path), "mount it from a Secret")


def _dotted(path: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path).lstrip(".")


def _snake(key: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key).lower()


def _database(resource: Resource[MCPRegistrySpec], config: Document, container: Mapping[str, Any]) -> Iterator[Finding]:
    database = config.data.get("database")
    if not isinstance(database, dict) or "pgpassSecretRef" in resource.spec:
        return
    if any(doubt.path == ("spec", "podTemplateSpec") for doubt in resource.doubts):
        return  # admission refuses the template, which may set the password
    in_config = any(word in str(key).lower() for key in database for word in LOGIN_WORDS)
    names = [str(entry.get("name")) for entry in container.get("env") or ()]
    prefixes = tuple(map(resource.profile.spell, LOGIN_VARIABLES))
    in_pod = not are_certain(names) or any(name.startswith(prefixes) for name in names)
    mounted = f"{PGPASS_PATH}/".startswith(_mount_paths(resource, container))
    if not (in_config or in_pod or mounted or container.get("envFrom")):
        message = f'there is no password for the database of user "{database.get("user", "")}"'
        yield _finding(resource, NO_PGPASS, message, config.key_span(("database",)), "name a Secret in pgpassSecretRef")


CHECKS: dict[str, tuple[Check, ...]] = {"MCPRegistry": (check,)}
