"""Find the faults for which the registry server ends at its start, in the data of its configuration.

Keys have no case, because the server reads them with Viper, which also converts between numbers and texts. Values that
variables of the environment may set are not required. Nor is ``syncPolicy``, which earlier servers did not require.

Source: stacklok/toolhive-registry-server of August 2026, internal/config/config.go (Config.validate). Versions 1.1.1
and 1.3.0, the images of the operator's releases 0.21.0 and 0.44.0, refused each wrong fixture of MRG015.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.placeholder import is_placeholder, is_template_placeholder
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import is_slip
from ..golang.duration import DurationError, parse_duration

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from ..diagnostics.span import Path

_KINDS: Final = ("git", "api", "file", "managed", "kubernetes")
_SYNCED: Final = ("git", "api", "file")
_NAME: Final = r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?"
_MODES: Final = ("anonymous", "oauth")
_LONGEST_TIMEOUT: Final = 5 * 60 * 1_000_000_000
_MOST_AUDITED: Final = 1 << 20


class ConfigFault(NamedTuple):
    """A fault of the configuration.

    Attributes:
        path: The path of the value. For a missing value, the path of the mapping that lacks it.
        message: The reason, as a clause.
        hint: The advice on what to write.
    """

    path: Path
    message: str
    hint: str


class _Value(NamedTuple):
    """A value of the configuration with its path as written."""

    path: Path
    data: Any

    def get(self, key: str) -> _Value | None:
        """Return the value of a key, in any case, or ``None`` if it is missing or null."""
        data = self.data if isinstance(self.data, dict) else {}
        name = next((name for name in data if str(name).lower() == key.lower()), None)
        return None if name is None or data[name] is None else _Value((*self.path, name), data[name])

    def items(self) -> list[_Value]:
        """Return the items of a list; empty for any other value."""
        data = self.data if isinstance(self.data, list) else []
        return [_Value((*self.path, number), item) for number, item in enumerate(data)]

    @property
    def text(self) -> str:
        """The value as the server reads a text; empty for a list or a mapping."""
        return str(self.data) if isinstance(self.data, (str, int, float)) else ""

    @property
    def is_unknown(self) -> bool:
        """True if the value is a placeholder."""
        return isinstance(self.data, str) and (is_placeholder(self.data) or is_template_placeholder(self.data))


def config_faults(data: Any, *, is_completed: bool) -> Iterator[ConfigFault]:
    """Yield the faults of a configuration.

    Args:
        data: The mapping that ``configYAML`` contains.
        is_completed: True if variables of the environment may complete the configuration, so missing keys are no fault.
    """
    config = _Value((), data)
    sources = config.get("sources")
    registries = config.get("registries")
    if any(value is not None and value.is_unknown for value in (sources, registries)):
        return
    names = yield from _source_faults(sources)
    yield from _registry_faults(registries, names)
    if sources is None or not sources.items():
        yield ConfigFault(() if sources is None else sources.path, "no source is configured", "list one under sources")
    elif registries is None or not registries.items():
        path = () if registries is None else registries.path
        yield ConfigFault(path, "no registry is configured", "list one under registries, with the names of its sources")
    yield from _database_faults(config.get("database"), is_completed=is_completed)
    yield from _auth_faults(config.get("auth"), is_completed=is_completed)
    audit = config.get("audit")
    size = None if audit is None else audit.get("maxDataSize")
    if size is not None and isinstance(size.data, int) and not 0 <= size.data <= _MOST_AUDITED:
        yield ConfigFault(size.path, f"maxDataSize is {size.data}", f"write a number up to {_MOST_AUDITED}")


def _source_faults(sources: _Value | None) -> Generator[ConfigFault, None, frozenset[str] | None]:
    """Yield the faults of the sources, and return their names; ``None`` if some names are unknown."""
    first: dict[str, int] = {}
    managed = 0
    is_known = True
    for number, source in enumerate(() if sources is None else sources.items()):
        name = source.get("name")
        if source.is_unknown or (name is not None and name.is_unknown):
            is_known = False
        elif name is None or not name.text:
            yield ConfigFault(source.path, "the source has no name", "name it")
        elif not re.fullmatch(_NAME, name.text):
            hint = "write lower-case letters, digits and hyphens, at most 63"
            yield ConfigFault(name.path, f"the server refuses the name {shown(name.text)} of a source", hint)
        elif first.setdefault(name.text, number) != number:
            message = f"sources {first[name.text]} and {number} are both called {shown(name.text)}"
            yield ConfigFault(name.path, message, "rename one of the two")
        yield from _kind_faults(source)
        managed += source.get("managed") is not None
        if managed > 1 and source.get("managed") is not None:
            yield ConfigFault(source.path, "only one source may be managed", "remove one of them")
    return frozenset(first) if is_known else None


def _kind_faults(source: _Value) -> Iterator[ConfigFault]:
    if not isinstance(source.data, dict):
        return
    kinds = [kind for kind in _KINDS if source.get(kind) is not None]
    if len(kinds) > 1:
        second = source.get(kinds[1])
        path = source.path if second is None else second.path
        message = f"the source is of {len(kinds)} kinds: {' and '.join(kinds)}"
        yield ConfigFault(path, message, "make a source of its own for each")
        return
    if not kinds:
        # `managed:` with no value is null, so it is like a missing key.
        yield ConfigFault(source.path, "the source is of no kind", f"write one of {', '.join(_KINDS)}")
        return
    kind = source.get(kinds[0])
    if kinds[0] in _SYNCED and kind is not None and not kind.is_unknown:
        yield from _interval_faults(source)
        yield from _synced_faults(kinds[0], kind)


def _interval_faults(source: _Value) -> Iterator[ConfigFault]:
    policy = source.get("syncPolicy")
    interval = None if policy is None else policy.get("interval")
    if (policy is not None and policy.is_unknown) or (interval is not None and interval.is_unknown):
        return
    if interval is not None and interval.text:
        yield from _duration_faults(interval)


def _duration_faults(value: _Value) -> Iterator[ConfigFault]:
    try:
        parse_duration(value.text)
    except DurationError:
        unit = f"write a unit, such as {value.text}m" if value.text.isdigit() else "write a duration such as 30m or 1h"
        yield ConfigFault(value.path, f"{shown(value.text)} is not a duration", unit)


def _synced_faults(name: str, kind: _Value) -> Iterator[ConfigFault]:
    """Yield the faults of the block that states what a source reads."""
    required = {"git": "repository", "api": "endpoint"}.get(name)
    if required is not None and _is_missing(kind.get(required)):
        yield ConfigFault(kind.path, f"{name} has no {required}", f"write {required}")
    timeout = kind.get("timeout")
    if timeout is not None and timeout.text and not timeout.is_unknown:
        faults = list(_duration_faults(timeout))
        yield from faults
        if name == "api" and not faults and not 0 < parse_duration(timeout.text) <= _LONGEST_TIMEOUT:
            yield ConfigFault(timeout.path, f"the timeout is {shown(timeout.text)}", "write more than 0 and at most 5m")
    if name == "file":
        path, address = kind.get("path"), kind.get("url")
        if _is_missing(path) and _is_missing(address):
            yield ConfigFault(kind.path, "file has neither path nor url", "write one of the two")
        elif not _is_missing(path) and address is not None and address.text:
            yield ConfigFault(address.path, "file has both path and url", "remove one of the two")


def _registry_faults(registries: _Value | None, source_names: frozenset[str] | None) -> Iterator[ConfigFault]:
    first: dict[str, int] = {}
    for number, registry in enumerate(() if registries is None else registries.items()):
        if not isinstance(registry.data, dict):
            continue
        name = registry.get("name")
        if _is_missing(name):
            yield ConfigFault(registry.path, "the registry has no name", "name it")
        elif name is not None and not name.is_unknown and first.setdefault(name.text, number) != number:
            message = f"registries {first[name.text]} and {number} are both called {shown(name.text)}"
            yield ConfigFault(name.path, message, "rename one of the two")
        listed_sources = registry.get("sources")
        if listed_sources is None or listed_sources.data == []:
            yield ConfigFault(registry.path, "the registry has no sources", "list the names of its sources")
            continue
        for source in listed_sources.items():
            if source_names is not None and not source.is_unknown and source.text not in source_names:
                near = next((each for each in sorted(source_names) if is_slip(source.text, each)), None)
                hint = f"did you mean {shown(near)}?" if near else f"the sources are: {', '.join(sorted(source_names))}"
                yield ConfigFault(source.path, f"no source is called {shown(source.text)}", hint)


def _database_faults(database: _Value | None, *, is_completed: bool) -> Iterator[ConfigFault]:
    if is_completed:
        return
    if database is None:
        yield ConfigFault((), "database is missing", "write database with host, port, user and database")
        return
    if not isinstance(database.data, dict):
        return
    for key in ("host", "port", "user", "database"):
        value = database.get(key)
        if _is_missing(value) or (key == "port" and value is not None and value.data == 0):
            yield ConfigFault(database.path, f"database has no {key}", f"write {key}")
    size = database.get("maxMetaSize")
    if size is not None and isinstance(size.data, int) and size.data <= 0:
        yield ConfigFault(size.path, f"maxMetaSize is {size.data}", "write a number above 0")
    if database.get("dynamicAuth") is not None:
        for key in ("password", "migrationPassword"):
            password = database.get(key)
            if password is not None and password.text:
                yield ConfigFault(password.path, f"database has both dynamicAuth and {key}", "remove one of the two")


def _auth_faults(auth: _Value | None, *, is_completed: bool) -> Iterator[ConfigFault]:
    if auth is None:
        if not is_completed:
            hint = "write auth with mode: oauth and its providers, or mode: anonymous"
            yield ConfigFault((), "auth is missing", hint)
        return
    mode = auth.get("mode")
    if auth.is_unknown or (mode is not None and mode.is_unknown):
        return
    if mode is not None and mode.text and mode.text not in _MODES:
        yield ConfigFault(mode.path, f"auth.mode cannot be {shown(mode.text)}", "write anonymous or oauth")
        return
    if (mode is not None and mode.text == "anonymous") or is_completed:
        return
    login = auth.get("oauth")
    providers = None if login is None else login.get("providers")
    if any(value is not None and value.is_unknown for value in (login, providers)):
        return
    if providers is None or not providers.items():
        hint = "list one under auth.oauth.providers, or write mode: anonymous"
        yield ConfigFault(auth.path if login is None else login.path, "no provider is configured for oauth", hint)
        return
    for provider in providers.items():
        for key in ("name", "issuerUrl", "audience"):
            if isinstance(provider.data, dict) and _is_missing(provider.get(key)):
                yield ConfigFault(provider.path, f"the provider has no {key}", f"write {key}")


def _is_missing(value: _Value | None) -> bool:
    return value is None or value.data == ""
