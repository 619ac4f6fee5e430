"""Write the settings that the service creates for a client application in an empty home folder.

Source: toolhive 0.21.0, client configuration editors; hujson, go-toml 2.3 and yaml.v3 as they lay out the text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...diagnostics.named_tuple import NamedTuple
from .config_json import ClientJson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...toolhive.client import Client

_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+\Z")
_NEEDS_ESCAPE = re.compile(r"['\x00-\x1f\x7f]")
_TOML_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}

_GOOSE_DEFAULTS: dict[str, Any] = {"enabled": True, "timeout": 60, "description": ""}
"""Fields that the service adds to each server in the settings of Goose."""


class ServerEntry(NamedTuple):
    """A server in the settings of a client.

    Attributes:
        transport: The transport of the workload. Its proxy mode has no effect.
    """

    name: str
    url: str
    transport: str


def client_settings(client: Client, servers: Sequence[ServerEntry]) -> str:
    """Return the text of the settings file of ``client`` after ``servers`` were added in their order."""
    if client.storage == "json":
        document = ClientJson(client.key)
        for server in servers:
            document.upsert(server.name, _fields(client, server))
        return document.text()
    entries = {server.name: _fields(client, server) for server in servers}
    if client.storage == "toml-tables":
        return _toml_tables(client.key, entries)
    if client.storage == "toml-array":
        named = [{"name": name} | _renamed(fields) for name, fields in entries.items()]
        return "\n".join(_toml_table(f"[[{client.key}]]", fields) for fields in named)
    return _yaml(client, entries)


def _fields(client: Client, server: ServerEntry) -> dict[str, str]:
    fields = {client.url_field(server.transport): server.url}
    kind = client.type_value(server.transport)
    return fields if kind is None else fields | {"type": kind}


def _renamed(fields: dict[str, str]) -> dict[str, str]:
    return {"transport" if key == "type" else key: value for key, value in fields.items()}


def _toml_tables(key: str, entries: dict[str, dict[str, str]]) -> str:
    tables = [_toml_table(f"[{key}.{_toml_key(name)}]", fields) for name, fields in sorted(entries.items())]
    return f"[{key}]\n" + "\n".join(tables)


def _toml_table(head: str, fields: dict[str, str]) -> str:
    lines = [f"{_toml_key(key)} = {_toml_string(value)}\n" for key, value in sorted(fields.items())]
    return f"{head}\n{''.join(lines)}"


def _toml_key(key: str) -> str:
    return key if _BARE_KEY.match(key) else _toml_string(key)


def _toml_string(text: str) -> str:
    if not _NEEDS_ESCAPE.search(text):
        return f"'{text}'"
    return '"' + "".join(_TOML_ESCAPES.get(char) or _toml_control(char) for char in text) + '"'


def _toml_control(character: str) -> str:
    return f"\\u{ord(character):04X}" if character < " " or character == "\x7f" else character


def _yaml(client: Client, entries: dict[str, dict[str, str]]) -> str:
    from ...golang.value import sorted_maps
    from ...golang.yaml.v3 import dump

    defaults = _GOOSE_DEFAULTS if client.name == "goose" else {}
    full = {name: {"name": name} | fields | defaults for name, fields in entries.items()}
    servers: Any = full if client.storage == "yaml-map" else list(full.values())
    return dump(sorted_maps({client.key: servers}))
