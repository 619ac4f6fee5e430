"""Convert the configuration of the vMCP process between plain data and Go structs.

The generated table of Go structs is the only declaration. The operator decodes stored resources as JSON and writes the
configuration as YAML. The process decodes that file as YAML.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from ..golang.decoder import Decoder
from ..golang.shape import Encoder, StructTable, Types
from ..toolhive.release import NEWEST_MODELLED, holds
from ._structs import STRUCTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ..diagnostics.span import Path
    from ..golang.shape import Misfit

ROOT: Final = "VMCPConfig"
SPECS: Final = {"VirtualMCPCompositeToolDefinition": "CompositeToolConfig", "VirtualMCPServer": "VirtualMCPServerSpec"}
"""The Go type of the spec of each kind."""


@cache
def _types(release: str) -> Types:
    return Types(StructTable(STRUCTS, lambda since: holds(since, None, release)))


@cache
def _writer(release: str) -> Encoder:
    """Return the encoder of a release. It is shared, because it caches data for each struct."""
    return Encoder(_types(release), form="yaml", stored=True)


def misfits(kind: str, spec: Any, release: str = NEWEST_MODELLED) -> list[Misfit]:
    """Return the values of a stored spec that a release's operator cannot decode, at paths relative to the spec."""
    decoder = Decoder(_types(release), stored=True)
    decoder.decode(spec, ("struct", SPECS[kind]))
    return decoder.misfits


def written(config: Mapping[str, Any], release: str = NEWEST_MODELLED) -> dict[str, Any]:
    """Return a configuration as the operator writes it: in Go's order, without empty fields, with normalized durations.

    Args:
        config: Plain data, as the API server stores it. ``None`` equals a missing key, and unknown keys are dropped.
    """
    out: dict[str, Any] = _writer(release).encode(config, ("struct", ROOT))
    return out


def loaded(
    data: Any, text: Callable[[Path], str | None] | None = None, release: str = NEWEST_MODELLED
) -> tuple[dict[str, Any], list[Misfit], list[Path]]:
    """Return the configuration in a file as Go writes it, the values that Go cannot decode, and the unknown keys.

    Args:
        text: Returns the source text of the scalar at a path of a YAML file, or ``None`` if there is no scalar.
    """
    types = _types(release)
    decoder = Decoder(types, "yaml", text=text)
    config: dict[str, Any] = Encoder(types).encode(decoder.decode(data, ("struct", ROOT)), ("struct", ROOT))
    return config, decoder.misfits, decoder.unknown


def normalized(config: Any, release: str = NEWEST_MODELLED) -> dict[str, Any]:
    """Return a configuration that `loaded` returned and the caller changed, in Go's order and without empty fields."""
    types = _types(release)
    out: dict[str, Any] = Encoder(types).encode(Decoder(types).decode(config, ("struct", ROOT)), ("struct", ROOT))
    return out


def fields_at(path: Path, release: str = NEWEST_MODELLED) -> Iterable[str]:
    """Return the field names of the struct at ``path`` of a configuration; empty if there is no struct."""
    return _types(release).keys_at(ROOT, path)
