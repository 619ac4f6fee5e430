"""Answer the registry queries of the API: summaries, lists, single servers and skills, search and paging.

The product lists servers in random order. Here they are sorted by name. Skills keep the order of the file.

Source: toolhive 0.21.0, api/v1 registry routes and registry provider.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ..shape import encode, zero
from .convert import ConvertError, image_to_record, remote_to_record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .file import LoadedRegistry

DEFAULT_LIMIT = 50
"""The number of records on a page if the query states no limit, as in the API (``v01DefaultLimit``)."""
MOST_ON_A_PAGE = 200
"""The largest number of records on a page. The API lowers a larger limit to this number (``v01MaxLimit``)."""
_LARGEST = (1 << 63) - 1
"""The largest number in a query, because Go parses page and limit as int64."""
_INTEGER = re.compile(r"[+-]?[0-9]+\Z", re.ASCII)


class NoSuchServerError(LookupError):
    """No server has the name, or several servers match it.

    Attributes:
        names: The full names of the servers that match; empty if there are none.
    """

    def __init__(self, name: str, names: tuple[str, ...] = ()) -> None:
        self.names = names
        several, none = f'"{name}" may be any of {", ".join(names)}', f'there is no server "{name}"'
        super().__init__(several if names else none)


def registry_summary(registry: LoadedRegistry, source: str) -> dict[str, Any]:
    """Return the RegistrySummary of a registry. ``source`` is the path of its file; empty for the default registry."""
    return encode(zero("RegistrySummary") | _facts(registry, source), "RegistrySummary")


def registry_detail(registry: LoadedRegistry, source: str) -> dict[str, Any]:
    """Return the Registry record of a registry. ``source`` is the path of its file; empty for the default registry."""
    return encode(zero("Registry") | _facts(registry, source) | {"registry": registry.data}, "Registry")


def server_list(registry: LoadedRegistry) -> dict[str, Any]:
    """Return the RegistryServerList, with container and remote servers each sorted by name."""
    servers = [entry for _, entry in sorted((registry.data["servers"] or {}).items())]
    remotes = [entry for _, entry in sorted((registry.data["remote_servers"] or {}).items())]
    return encode({"servers": servers, "remote_servers": remotes}, "RegistryServerList")


def find_server(registry: LoadedRegistry, name: str) -> tuple[bool, dict[str, Any]]:
    """Find a server by its name, and return whether it is remote, and its decoded entry.

    A full name matches first, in container servers before remote servers. A name without a slash also matches the only
    entry whose name ends with it.

    Raises:
        NoSuchServerError: No server has the name, or several servers match it.
    """
    sides = (registry.data["servers"] or {}, registry.data["remote_servers"] or {})
    for remote, entries in enumerate(sides):
        if name in entries:
            return bool(remote), entries[name]
    matches = [
        (key, bool(remote))
        for remote, entries in enumerate(sides)
        for key in entries
        if "/" not in name and key.endswith(f"/{name}")
    ]
    if len(matches) != 1:
        raise NoSuchServerError(name, tuple(sorted(key for key, _ in matches)))
    key, is_remote = matches[0]
    return is_remote, sides[is_remote][key]


def server_result(registry: LoadedRegistry, name: str) -> dict[str, Any]:
    """Return the RegistryServerResult of the server that ``find_server`` finds.

    Raises:
        NoSuchServerError: No server has the name, or several servers match it.
    """
    remote, entry = find_server(registry, name)
    result = zero("RegistryServerResult") | {"is_remote": remote, "remote_server" if remote else "server": entry}
    return encode(result, "RegistryServerResult")


def server_record(registry: LoadedRegistry, name: str) -> dict[str, Any]:
    """Return the ServerRecord of the server that ``find_server`` finds.

    Raises:
        NoSuchServerError: No server has the name, or several servers match it.
        ConvertError: The entry cannot be converted to a record.
    """
    remote, entry = find_server(registry, name)
    return encode(_record(remote=remote, entry=entry), "ServerRecord")


def search_servers(registry: LoadedRegistry, query: str = "", page: str = "", limit: str = "") -> dict[str, Any]:
    """Return a page of ServerRecords whose name or description contains ``query``, ignoring case.

    ``page`` (from 1) and ``limit`` are the texts in the URL. A text that is not a positive number means the default.
    """
    wanted = query.lower()
    records = [
        record for record in _records(registry) if any(wanted in record[key].lower() for key in ("name", "description"))
    ]
    return _page("servers", [encode(record, "ServerRecord") for record in records], page, limit)


def search_skills(registry: LoadedRegistry, query: str = "", page: str = "", limit: str = "") -> dict[str, Any]:
    """Return a page of RegistrySkills whose name, namespace or description contains ``query``, ignoring case.

    ``page`` (from 1) and ``limit`` are the texts in the URL. A text that is not a positive number means the default.
    """
    wanted = query.lower()
    matches = [
        encode(skill, "RegistrySkill")
        for skill in registry.skills
        if any(wanted in skill[key].lower() for key in ("name", "namespace", "description"))
    ]
    return _page("skills", matches, page, limit)


def find_skill(registry: LoadedRegistry, namespace: str, name: str) -> dict[str, Any] | None:
    """Return the RegistrySkill with exactly this namespace and name, or ``None``."""
    for skill in registry.skills:
        if (skill["namespace"], skill["name"]) == (namespace, name):
            return encode(skill, "RegistrySkill")
    return None


def _facts(registry: LoadedRegistry, source: str) -> dict[str, Any]:
    return {
        "name": "default",
        "version": registry.data["version"],
        "last_updated": registry.data["last_updated"],
        "server_count": len(registry.data["servers"] or {}),
        "type": "file" if source else "default",
        "source": source,
        "auth_status": "none",
    }


def _records(registry: LoadedRegistry) -> Iterator[dict[str, Any]]:
    entries = [(key, False, entry) for key, entry in (registry.data["servers"] or {}).items()]
    entries += [(key, True, entry) for key, entry in (registry.data["remote_servers"] or {}).items()]
    for _, remote, entry in sorted(entries, key=lambda entry_of_side: entry_of_side[:2]):
        try:
            yield _record(remote=remote, entry=entry)
        except ConvertError:
            continue


def _record(*, remote: bool, entry: dict[str, Any]) -> dict[str, Any]:
    convert = remote_to_record if remote else image_to_record
    return convert(entry["name"], entry)


def _page(key: str, items: list[dict[str, Any]], page_text: str, limit_text: str) -> dict[str, Any]:
    limit = min(_positive_number(limit_text) or DEFAULT_LIMIT, MOST_ON_A_PAGE)
    page = min(_positive_number(page_text) or 1, _LARGEST // limit)
    start = (page - 1) * limit
    return {key: items[start : start + limit], "metadata": {"total": len(items), "page": page, "limit": limit}}


def _positive_number(text: str) -> int:
    # An int64 has at most 19 digits and a sign. Python refuses to parse thousands of digits.
    if len(text) > 20 or not _INTEGER.match(text):
        return 0
    number = int(text)
    return number if 0 < number <= _LARGEST else 0
