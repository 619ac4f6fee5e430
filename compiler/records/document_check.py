"""Check each recognized document by its kind. The kinds are in ``compiler/project/input_kind.py``."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from ..diagnostics import file_path
from ..diagnostics.budget import until_end
from ..diagnostics.fault import Fault
from ..diagnostics.finding import rule
from ..golang.value import sorted_maps
from ..toolhive.machine import Machine
from .finding import findings_of
from .permission.check import check_profile
from .registry.check import check_catalog_skill, check_registry, check_server
from .registry.file import LoadedRegistry, decode_registry, load_registry
from .registry.query import NoSuchServerError, find_server
from .workload.check import UNDECODABLE, CheckedWorkload, check_workload
from .workload.compile import look_up, workload_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ..diagnostics.finding import Finding
    from ..reading.document import Document
    from ..toolhive.machine import Environment

    SideDocuments = Mapping[str, Sequence[Document]]

NOT_JSON = rule("FIL003 file-not-json", "process", "A file is YAML, but is read as JSON")
NAME_TAKEN = rule("WRK018 workload-name-taken", "process", "Another request already has the name")


def skill(document: Document, *_: object) -> list[Finding]:
    """Check the folder of a ``SKILL.md``. The folder is read from disk, and the ``SKILL.md`` from ``document``."""
    from .skill.check import check_skill
    from .skill.folder import read_skill_folder

    folder = read_skill_folder(os.path.dirname(document.file) or ".")
    if document.data:  # empty if the file cannot be read, for a reason that check_skill reports
        folder = folder._replace(content=document.data.encode("utf-8", "surrogateescape"), problem=None)
    return check_skill(folder).findings


def _json_check(check: Callable[[Any], Iterable[Fault]]) -> Callable[..., list[Finding]]:
    return lambda document, *_: findings_of(document, _json_faults(document, check))


registry = _json_check(check_registry)
server = _json_check(check_server)
catalog_skill = _json_check(check_catalog_skill)
permission_profile = _json_check(check_profile)


def authz(document: Document, _: SideDocuments, environment: Environment) -> list[Finding]:
    """Check an authorization configuration in JSON or YAML."""
    from .side_file.authz import check_authz

    return findings_of(document, check_authz(document.data, environment.profile.judging_release))


def audit(document: Document, _: SideDocuments, environment: Environment) -> list[Finding]:
    """Check an audit configuration, which is only read as JSON."""
    from .side_file.audit import check_audit

    return findings_of(
        document, _json_faults(document, partial(check_audit, release=environment.profile.judging_release))
    )


def webhook(document: Document, _: SideDocuments, environment: Environment) -> list[Finding]:
    """Check a file of webhooks."""
    from .side_file.webhook import check_webhook_file

    written = None if document.file.lower().endswith(".json") else document.scalar
    return findings_of(document, check_webhook_file(document.data, written, environment.profile.judging_release))


def tool_override(document: Document, *_: object) -> list[Finding]:
    """Check a file of tool overrides."""
    from .side_file.tool_override import check_tool_overrides

    return findings_of(document, _json_faults(document, check_tool_overrides))


def env_file(document: Document, *_: object) -> list[Finding]:
    """Check a file of environment variables."""
    from .side_file.env_file import check_env_file

    return check_env_file(document.data, document.file)


def _json_faults(document: Document, check: Callable[[Any], Iterable[Fault]]) -> list[Fault]:
    """Return the faults of a document whose reader only accepts JSON. YAML is a fault besides those of its data."""
    if document.is_json:
        return [*check(document.data)]

    if document.data is None:
        return [Fault((), NOT_JSON, "the file is empty")]
    return [Fault((), NOT_JSON, "the file is YAML, and is read as JSON"), *check(document.data)]


def runconfig(document: Document, _: SideDocuments, environment: Environment) -> list[Finding]:
    """Check a run configuration, which is only read as JSON."""
    from .runconfig.check import check_runconfig

    check = partial(check_runconfig, provider=environment.secrets_provider, profile=environment.profile)
    return findings_of(document, _json_faults(document, check))


def authserver(document: Document, _: SideDocuments, environment: Environment) -> list[Finding]:
    """Check the authorization server file of a virtual server."""
    from .runconfig.auth_server import check_auth_server

    release = environment.profile.judging_release
    return findings_of(document, check_auth_server(document.data, document.scalar, release))


def body(document: Document, *_: object, kind: str) -> list[Finding]:
    """Check a request or response body of the management API. ``kind`` is the name of its schema."""
    from .side_file.body import check_body

    return findings_of(document, _json_faults(document, partial(check_body, kind=kind)))


def workload(document: Document, side_documents: SideDocuments, environment: Environment) -> list[Finding]:
    """Check a workload request, and report its name if an earlier request has the same name."""
    if document.data is None and not document.is_json:
        return findings_of(document, [Fault((), UNDECODABLE, "the file is empty, and an object is expected")])
    machine = Machine(
        is_complete=environment.closed, secrets_provider=environment.secrets_provider, profile=environment.profile
    )
    faults = read_workload(document, side_documents, machine).faults
    name = _workload_name(document, side_documents)
    rival = _namesake(document, side_documents, name) if name else None
    if rival is not None:
        path = ("name",) if document.data.get("name") else ()
        faults = [*faults, Fault(path, NAME_TAKEN, f'"{name}" is the name of the workload in {rival.file} too')]
    return findings_of(document, faults)


def _namesake(document: Document, side_documents: SideDocuments, name: str) -> Document | None:
    first = next(other for other in side_documents["workload"] if _workload_name(other, side_documents) == name)
    return None if first is document else first


def _workload_name(document: Document, side_documents: SideDocuments) -> str:
    """Return the name that a request states, or else that of its server in the registry; empty if neither exists."""
    data = document.data
    if not isinstance(data, dict):
        return ""
    name, image = data.get("name"), data.get("image")
    if name or not isinstance(image, str):
        return name if isinstance(name, str) else ""
    lookup = look_up({"image": image, "url": data.get("url")}, _registry_for(data, side_documents.get("registry", ())))
    return workload_name({"name": ""}, lookup)


def read_workload(document: Document, side_documents: SideDocuments, machine: Machine) -> CheckedWorkload:
    """Return a workload request, checked with the registry that has its image and with its authorization file."""
    registry = _registry_for(document.data, side_documents.get("registry", ()))
    return check_workload(document.data, registry, with_authz_files(machine, document, side_documents))


def with_authz_files(machine: Machine, document: Document, side_documents: SideDocuments) -> Machine:
    """Return ``machine`` with a function that finds the authorization file of a request among the given files."""
    return replace(machine, authz=lambda path: _authz_at(path, document, side_documents.get("authz", ())))


def _authz_at(path: str, request: Document, documents: Sequence[Document]) -> Any:
    """Return the authorization configuration at ``path`` in a request, or ``None`` if it is missing or not loadable.

    A relative path starts at the request's folder or at the working folder. A configuration with invalid policies is
    returned too, because the service does not parse policies when it creates a workload.
    """
    from .side_file.authz import is_loadable

    wanted = {file_path.abspath(file_path.join(os.path.dirname(request.file), path)), file_path.abspath(path)}
    named = next((document for document in documents if file_path.abspath(document.file) in wanted), None)
    if named is None or not is_loadable(named.data):
        return None
    return named.data if named.is_json else sorted_maps(named.data)


def _registry_for(request: object, documents: Sequence[Document]) -> LoadedRegistry | None:
    """Return the first loadable registry that has the image of a request, or else the first loadable one."""
    loaded = [registry for registry in map(loaded_registry, documents) if registry is not None]
    image = request.get("image") if isinstance(request, dict) else None
    if len(loaded) > 1 and isinstance(image, str):
        return next((registry for registry in loaded if _has_server(registry, image)), loaded[0])
    return loaded[0] if loaded else None


# Each workload request asks for the registries of the project, which has few of them.
@until_end
@lru_cache(maxsize=8)
def loaded_registry(document: Document) -> LoadedRegistry | None:
    """Return the registry in a document, or ``None`` if the service cannot decode it."""
    if not isinstance(document.data, dict):
        return None
    decoded = decode_registry(document.data)
    return None if decoded.misfits else load_registry(decoded)


def _has_server(registry: LoadedRegistry, image: str) -> bool:
    try:
        find_server(registry, image)
    except NoSuchServerError as error:
        return bool(error.names)
    return True
