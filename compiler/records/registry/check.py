"""Check registry files, catalog records and catalog skills."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault, below
from ...diagnostics.finding import rule
from ...diagnostics.plain import listed, mapping
from ...diagnostics.shown import shown
from ..schema.check import check_schema
from ..shape import decode
from ..unknown_key import unknown_faults
from .breach import UNKNOWN_FIELD, WRONG_TYPE, breach_faults, misfit_faults
from .convert import ConvertError, record_to_entry
from .entry_lint import lint_entry
from .file import decode_registry
from .loss import NAMESPACE, PUBLISHER_KEY
from .record_lint import lint_record
from .skill import lint_skill

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ...diagnostics.span import Path
    from .file import DecodedRegistry

LEGACY_FORMAT = rule(
    "REG011 registry-legacy-format", "lint", "The registry file is in the legacy format", severity="info"
)
NO_SERVERS = rule("REG012 registry-without-servers", "lint", "The registry contains no servers")
NOT_CONVERTIBLE = rule("REG013 registry-record-unusable", "lint", "The service skips a record of the registry")
NAME_TWICE = rule("REG014 registry-name-twice", "lint", "Two records of the registry have the same name")
AMBIGUOUS_NAME = rule(
    "REG015 registry-short-name-ambiguous", "lint", "Two servers have the same name after the slash", severity="info"
)
GROUPS_DROPPED = rule(
    "REG016 registry-groups-dropped", "lint", "The service drops the groups of an upstream registry", severity="info"
)


_SHORTEST = 4
"""The minimum length of keys that are suggested. Shorter keys resemble other keys by accident."""
_EXTENSION = "ServerExtension"


def check_registry(document: Any) -> list[Fault]:
    """Return the faults of a registry file in either format, with lints only if the service can decode the file."""
    if not isinstance(document, dict):
        return [Fault((), WRONG_TYPE, f"a registry is an object, not {shown(document)}")]
    decoded = decode_registry(document)
    breaches = check_schema(document, "registry" if decoded.format == "upstream" else "registry-legacy")
    faults = [_named_refuser(fault) for fault in breach_faults(breaches)]
    faults += misfit_faults(decoded.misfits, breaches)
    faults += _unknown_key_faults(document, decoded.unknown, decoded.type)
    if not decoded.misfits:
        lint = _lint_upstream if decoded.format == "upstream" else _lint_legacy
        faults += _unreported_lints(lint(decoded), faults)
    return faults


def check_server(document: Any) -> list[Fault]:
    """Return the faults of a file that consists of one catalog record.

    The schema of the public MCP registry allows any value that a publisher provides. ToolHive's stricter schema only
    applies to registry files, so other publishers' values are not checked here.
    """
    return _check_record(document, "server", "ServerRecord", lint_record)


def check_catalog_skill(document: Any) -> list[Fault]:
    """Return the faults of a file that consists of one catalog skill."""
    return _check_record(document, "catalog-skill", "RegistrySkill", lint_skill)


def _check_record(document: Any, schema: str, name: str, lint: Any) -> list[Fault]:
    breaches = [breach for breach in check_schema(document, schema) if not _is_provided_by_others(breach.path)]
    faults = list(breach_faults(breaches))
    if not isinstance(document, dict):
        return faults
    record, misfits, unknown = decode(document, name)
    faults += misfit_faults(misfits, breaches)
    faults += _unknown_key_faults(document, unknown, name)
    if not misfits:
        faults += _unreported_lints(lint(record), faults)
    return faults


def _is_provided_by_others(path: Path) -> bool:
    triples = zip(path, path[1:], path[2:], strict=False)
    return any(tuple(pair) == ("_meta", PUBLISHER_KEY) and publisher != NAMESPACE for *pair, publisher in triples)


def _named_refuser(fault: Fault) -> Fault:
    """Return a fault of a registry file; if only ToolHive's schema refuses the value, the message says so."""
    if not _is_provided_by_others(fault.path):
        return fault
    message = f"{fault.message}: ToolHive's schema of registry files is stricter here than that of a server.json"
    return fault._replace(message=message, hint="write an object under this key, and the value into it")


def _unknown_key_faults(document: Any, unknown: Iterable[Path], name: str) -> Iterator[Fault]:
    yield from unknown_faults(unknown, name, UNKNOWN_FIELD, document=document, shortest=_SHORTEST)
    for path, record in _records(document):
        provided = mapping(mapping(mapping(record).get("_meta")).get(PUBLISHER_KEY))
        for key, extension in mapping(provided.get(NAMESPACE)).items():
            place = (*path, "_meta", PUBLISHER_KEY, NAMESPACE, key)
            _, _, keys = decode(extension, _EXTENSION)
            yield from below(
                place, unknown_faults(keys, _EXTENSION, UNKNOWN_FIELD, document=extension, shortest=_SHORTEST)
            )


def _records(document: Any) -> Iterator[tuple[Path, Any]]:
    yield (), document
    data = mapping(document.get("data"))
    for i, record in enumerate(listed(data.get("servers"))):
        yield ("data", "servers", i), record
    for i, group in enumerate(listed(data.get("groups"))):
        for j, record in enumerate(listed(mapping(group).get("servers"))):
            yield ("data", "groups", i, "servers", j), record


def _unreported_lints(lints: Iterable[Fault], reported: list[Fault]) -> Iterator[Fault]:
    """Yield the lints whose paths have no fault in ``reported``. Lints of the whole document are always yielded."""
    places = {fault.path for fault in reported}
    return (fault for fault in lints if fault.path not in places or not fault.path)


def _below(faults: Iterable[Fault], path: Path) -> Iterator[Fault]:
    for fault in faults:
        yield fault._replace(path=(*path, *fault.path), severity="info" if fault.severity is None else fault.severity)


def _lint_legacy(decoded: DecodedRegistry) -> Iterator[Fault]:
    data = decoded.data
    hint = "run mcpcfg registry convert, which writes the upstream format"
    yield Fault((), LEGACY_FORMAT, "the registry is in the legacy format, whose support will end", hint)
    if not _has_entries(data) and not any(group is not None and _has_entries(group) for group in data["groups"] or ()):
        hint = "add a server"
        yield Fault((), NO_SERVERS, "the registry contains no servers, and the service refuses it", hint)
    for path, entries in _entry_maps(data):
        for key, entry in (entries or {}).items():
            if entry is not None:
                yield from lint_entry(key, entry, (*path, key))
    yield from _lint_short_names([(key, (*path, key)) for path, entries in _entry_maps(data) for key in entries or ()])


def _has_entries(data: dict[str, Any]) -> bool:
    return bool(data["servers"] or data["remote_servers"])


def _entry_maps(data: dict[str, Any]) -> Iterator[tuple[Path, dict[str, Any] | None]]:
    for side in ("servers", "remote_servers"):
        yield (side,), data[side]
    for i, group in enumerate(data["groups"] or ()):
        if group is not None:
            for side in ("servers", "remote_servers"):
                yield ("groups", i, side), group[side]


def _lint_upstream(decoded: DecodedRegistry) -> Iterator[Fault]:
    data = decoded.data["data"]
    if not data["servers"] and not data["groups"]:
        message, hint = "the registry contains no servers, and the service refuses it", "add a server"
        yield Fault(("data",), NO_SERVERS, message, hint)
    seen: dict[tuple[bool, str], int] = {}
    names: list[tuple[str, Path]] = []
    for i, record in enumerate(data["servers"] or ()):
        path: Path = ("data", "servers", i)
        yield from _below(lint_record(record), path)
        try:
            remote, _ = record_to_entry(record)
        except ConvertError as error:
            hint = "add one package of type oci, or a remote"
            yield Fault(path, NOT_CONVERTIBLE, f'the service skips "{record["name"]}": {error}', hint)
            continue
        first = seen.setdefault((remote, record["name"]), i)
        if first != i:
            message = f'"{record["name"]}" replaces the record of the same name at index {first}'
            yield Fault((*path, "name"), NAME_TWICE, message, "keep one of the two")
        else:
            names.append((record["name"], (*path, "name")))
    yield from _lint_short_names(names)
    for i, group in enumerate(data["groups"] or ()):
        message = f'the service drops the group "{group["name"]}" when it loads the file'
        yield Fault(("data", "groups", i), GROUPS_DROPPED, message, "list its servers in data.servers too")
        for j, record in enumerate(group["servers"] or ()):
            yield from _below(lint_record(record), ("data", "groups", i, "servers", j))
    for i, skill in enumerate(data["skills"] or ()):
        yield from below(("data", "skills", i), lint_skill(skill))


def _lint_short_names(names: list[tuple[str, Path]]) -> Iterator[Fault]:
    by_short: dict[str, set[str]] = defaultdict(set)
    for name, _ in names:
        by_short[name.rpartition("/")[2]].add(name)
    for name, path in names:
        short = name.rpartition("/")[2]
        others = sorted(by_short[short] - {name})
        if "/" in name and others and short not in others:
            message = f'the short name "{short}" also stands for "{others[0]}"'
            yield Fault(path, AMBIGUOUS_NAME, message, "have users run the server by its full name")
