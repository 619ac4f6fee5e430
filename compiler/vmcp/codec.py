"""The configuration of the vMCP process between plain data and Go: read by the operator and the process, and written.

The generated table of Go structs is the one declaration. The operator decodes stored resources as JSON and writes the
configuration as YAML; the process decodes that file as YAML.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...schemas._vmcp_structs import STRUCTS
from ..golang.decoder import Decoder
from ..golang.shape import Encoder, Types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ..diagnostics.span import Path
    from ..golang.shape import Misfit
    from ..workspace.resource import Resource

ROOT: Final = "VMCPConfig"
SPECS: Final = {
    "VirtualMCPCompositeToolDefinition": "CompositeToolConfig",
    "VirtualMCPServer": "VirtualMCPServerSpec",
}
"""Kind to the Go type of its spec."""

_TYPES: Final = Types(STRUCTS)
_FILE: Final = Encoder(_TYPES, form="yaml", stored=True)
_LOADED: Final = Encoder(_TYPES)
_HEADS: Final = " \n\u2028\u2029"


def misfits(resource: Resource) -> list[Misfit]:
    """Return what the operator cannot decode in the spec of a resource; paths lead from the spec."""
    decoder = Decoder(_TYPES, stored=True)
    decoder.decode(resource.spec, ("struct", SPECS[resource.kind]))
    return decoder.misfits


def written(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration as the operator writes it: in Go's order, without empty fields, durations in normal form.

    Args:
        config: Plain data, as the API server stores it; ``None`` and a missing key are the same. Keys that the
            configuration does not have are left out, as Go does not decode them.
    """
    out: dict[str, Any] = _FILE.encode(config, ("struct", ROOT))
    return out


def loaded(
    data: Any, text: Callable[[Path], str | None] | None = None
) -> tuple[dict[str, Any], list[Misfit], list[Path]]:
    """Read a file as the process does: the configuration as Go writes it, what it refuses, and unknown keys.

    Args:
        data: What the file holds.
        text: Returns the text of the scalar at a path as it is written.
    """
    decoder = Decoder(_TYPES, "yaml", text=text)
    config: dict[str, Any] = _LOADED.encode(decoder.decode(data, ("struct", ROOT)), ("struct", ROOT))
    return config, decoder.misfits, decoder.unknown


def fields_at(path: Path) -> Iterable[str]:
    """Return the fields of the struct at ``path`` of a configuration; none where there is something else."""
    return _TYPES.keys_at(ROOT, path)


def has_headed_text(data: Any) -> bool:
    """Return whether a text has several lines and begins with a space or line break: it may not be read as written."""
    values = [data]
    for item in values:  # which grows by what is within
        if type(item) is str:
            if "\n" in item and item[0] in _HEADS:
                return True
        elif isinstance(item, dict):
            values += item.values()
        elif isinstance(item, (list, tuple)):
            values += item
    return False
