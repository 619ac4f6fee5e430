"""Decode registry files in both formats, and load them like the service."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from ..shape import decode
from .convert import upstream_to_legacy

if TYPE_CHECKING:
    from ...diagnostics.span import Path
    from ...golang.shape import Misfit
    from .loss import Loss

RegistryFormat: TypeAlias = Literal["legacy", "upstream"]


_TYPES: dict[RegistryFormat, str] = {"legacy": "RegistryData", "upstream": "UpstreamRegistry"}


@dataclass(frozen=True, slots=True)
class DecodedRegistry:
    """A decoded registry file.

    Attributes:
        data: The decoded file, in its own format.
        misfits: Values that the service cannot decode. With any of them, it refuses the file.
        unknown: Paths of the keys that the service skips.
    """

    format: RegistryFormat
    data: dict[str, Any]
    misfits: list[Misfit]
    unknown: list[Path]

    @property
    def type(self) -> str:
        """The Go type that the service decodes the file into."""
        return _TYPES[self.format]


@dataclass(frozen=True, slots=True)
class LoadedRegistry:
    """A registry as the service keeps it in memory after loading the file.

    Attributes:
        data: The entries by name, as a decoded ``RegistryData``. The name of each entry is its key.
        skills: The decoded skills in the order of the file.
        losses: The data that loading drops.
    """

    format: RegistryFormat
    data: dict[str, Any]
    skills: list[dict[str, Any]]
    losses: list[Loss]


def registry_format(value: dict[str, Any]) -> RegistryFormat:
    """Return the format of a registry file: ``upstream`` if ``data`` is an object, and otherwise ``legacy``."""
    return "upstream" if isinstance(value.get("data"), dict) else "legacy"


def decode_registry(value: dict[str, Any]) -> DecodedRegistry:
    """Decode a registry file in the format that its keys show."""
    kind = registry_format(value)
    data, misfits, unknown = decode(value, _TYPES[kind])
    return DecodedRegistry(kind, data, misfits, unknown)


def load_registry(decoded: DecodedRegistry) -> LoadedRegistry:
    """Return a registry as the service loads it: in the legacy format, with the key of each entry as its name."""
    if decoded.format == "upstream":
        data, losses = upstream_to_legacy(decoded.data)
        return LoadedRegistry("upstream", data, decoded.data["data"]["skills"] or [], losses)
    data = dict(decoded.data)
    for side in ("servers", "remote_servers"):
        data[side] = _with_names(data[side])
    data["groups"] = [
        None if group is None else group | {side: _with_names(group[side]) for side in ("servers", "remote_servers")}
        for group in data["groups"] or ()
    ] or None
    return LoadedRegistry("legacy", data, [], [])


def built_in_registry() -> LoadedRegistry:
    """Return the registry that comes with mcpcfg."""
    import json
    from importlib.resources import files

    text = (files("mcpcfg.templates") / "registry.json").read_text(encoding="utf-8")
    return load_registry(decode_registry(json.loads(text)))


def _with_names(entries: dict[str, Any] | None) -> dict[str, Any] | None:
    if entries is None:
        return None
    return {key: entry | {"name": key} for key, entry in entries.items() if entry is not None}
