"""The configuration of the vMCP process between plain data and Go: read by the operator and the process, and written.

The generated table of Go structs is the one declaration. The operator decodes stored resources as JSON and writes the
configuration as YAML; the process decodes that file as YAML.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from ...schemas._vmcp_structs import SINCE, STRUCTS
from ..diagnostics.version import RELEASE
from ..golang.decoder import Decoder
from ..golang.shape import Encoder, Types
from ..toolhive.release import holds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ..diagnostics.span import Path
    from ..golang.shape import Misfit

ROOT: Final = "VMCPConfig"
SPECS: Final = {
    "VirtualMCPCompositeToolDefinition": "CompositeToolConfig",
    "VirtualMCPServer": "VirtualMCPServerSpec",
}
"""Kind to the Go type of its spec."""


@cache
def _types(release: str) -> Types:
    """Return the structs as a release has them."""
    return Types(
        {
            name: tuple(field for field in fields if holds(SINCE.get((name, field[0])), None, release))
            for name, fields in STRUCTS.items()
        }
    )


@cache
def _writer(release: str) -> Encoder:
    """Return what writes stored values as a release does; what it works out of each struct serves all of them."""
    return Encoder(_types(release), form="yaml", stored=True)


def misfits(kind: str, spec: Any, release: str = RELEASE) -> list[Misfit]:
    """Return what the operator of a release cannot decode in a stored spec; paths lead from the spec."""
    decoder = Decoder(_types(release), stored=True)
    decoder.decode(spec, ("struct", SPECS[kind]))
    return decoder.misfits


def written(config: Mapping[str, Any], release: str = RELEASE) -> dict[str, Any]:
    """Return a configuration as the operator writes it: in Go's order, without empty fields, durations in normal form.

    Args:
        config: Plain data, as the API server stores it; ``None`` and a missing key are the same. Keys that the
            configuration does not have are left out, as Go does not decode them.
        release: The release of the operator.
    """
    out: dict[str, Any] = _writer(release).encode(config, ("struct", ROOT))
    return out


def loaded(
    data: Any, text: Callable[[Path], str | None] | None = None, release: str = RELEASE
) -> tuple[dict[str, Any], list[Misfit], list[Path]]:
    """Read a file as the process does: the configuration as Go writes it, what it refuses, and unknown keys.

    Args:
        data: What the file holds.
        text: Returns the text of the scalar at a path as it is written.
        release: The release whose process reads it.
    """
    types = _types(release)
    decoder = Decoder(types, "yaml", text=text)
    config: dict[str, Any] = Encoder(types).encode(decoder.decode(data, ("struct", ROOT)), ("struct", ROOT))
    return config, decoder.misfits, decoder.unknown


def normalised(config: Any, release: str = RELEASE) -> dict[str, Any]:
    """Return a configuration as Go writes it, of one that `loaded` returned and that has changed since."""
    types = _types(release)
    out: dict[str, Any] = Encoder(types).encode(Decoder(types).decode(config, ("struct", ROOT)), ("struct", ROOT))
    return out


def fields_at(path: Path, release: str = RELEASE) -> Iterable[str]:
    """Return the fields of the struct at ``path`` of a configuration; none where there is something else."""
    return _types(release).keys_at(ROOT, path)
