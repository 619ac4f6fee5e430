"""Compute the tools that clients of a virtual server see: ``simulate tools``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .subject import QuestionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..backend import Backend
    from ..session import Session
    from .subject import AnswerSubject

KINDS = ("VirtualMCPServer",)


def backends_in(data: Any) -> list[Backend]:
    """Return the backends that the data of ``--backend-tools`` states, each with its tools.

    Raises:
        QuestionError: The data has the wrong structure.
    """
    from ..backend import BackendToolsError, given_backends

    try:
        return given_backends(data)
    except BackendToolsError as error:
        raise QuestionError(str(error)) from error


def session(subject: AnswerSubject, name: str, given: Iterable[Backend] = ()) -> tuple[str, Session]:
    """Return the name of a virtual server, and the session of a client with its tools.

    Args:
        name: Name of the server for a file that does not state a name.
        given: Backends whose tools the user states. The tools of other backends are taken from the files.

    Raises:
        QuestionError: The virtual server has no backend with the name of a backend in ``given``.
    """
    from .. import session as simulated

    config, members = _configuration(subject)
    stated = {backend.name: backend for backend in given}
    unknown = [backend for backend in stated if members is not None and backend not in members]
    if unknown:
        raise QuestionError(f'no backend is called "{unknown[0]}"; there are {", ".join(members or ())}')
    declared = {backend.name: backend for backend in _declared_backends(subject, config)}
    backends = [*(declared | stated).values()]
    server = subject.resource.name if subject.resource is not None else str(config.get("name") or name)
    return server, simulated.session(config, backends, subject.release)


def can_be_subject(data: dict[str, Any]) -> bool:
    """Return whether a document that is not a resource is the configuration of a virtual server's process."""
    return any(key in data for key in ("aggregation", "groupRef", "incomingAuth", "compositeTools"))


def _configuration(given: AnswerSubject) -> tuple[dict[str, Any], list[str] | None]:
    """Return the configuration of the process, and the names of its backends; the names are ``None`` if unknown."""
    if given.resource is None:
        backends = given.data.get("backends")
        if not isinstance(backends, list) or not backends:
            return given.data, None
        return given.data, [str(backend.get("name")) for backend in backends if isinstance(backend, dict)]
    from ...emit import vmcpconfig

    config = vmcpconfig.config(given.workspace, given.resource)
    return config, [member.name for member in _members(given)]


def _members(given: AnswerSubject) -> list[Any]:
    assert given.resource is not None
    group = given.workspace.target(given.resource, "spec", "groupRef", "name")
    return given.workspace.members(group, given.resource) if group is not None else []


def _declared_backends(given: AnswerSubject, config: dict[str, Any]) -> list[Backend]:
    from ...diagnostics.plain import listed, mapping
    from ..backend import declared_backends, mentioned_backend

    if given.resource is not None:
        return declared_backends(given.workspace, _members(given), config, _records(given))
    names = [mapping(item).get("name") for item in listed(config.get("backends"))]
    names += [mapping(item).get("workload") for item in listed(mapping(config.get("aggregation")).get("tools"))]
    unique = dict.fromkeys(name for name in names if isinstance(name, str) and name)
    return [mentioned_backend(name, config) for name in unique]


def _records(given: AnswerSubject) -> list[dict[str, Any]]:
    from ...records.registry.file import decode_registry, load_registry

    entries = []
    for document in given.loaded.records.get("registry", ()):
        decoded = decode_registry(document.data)
        if not decoded.misfits:
            data = load_registry(decoded).data
            for side in ("servers", "remote_servers"):
                entries += [entry for entry in (data.get(side) or {}).values() if isinstance(entry, dict)]
    return entries
