"""Write a run configuration as ToolHive does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...golang.json import indented
from ...toolhive.profile import TOOLHIVE
from ...toolhive.release import NEWEST_MODELLED
from .._structs import PARAMETERS
from ..shape import encode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...toolhive.profile import Profile


def runconfig_text(config: Mapping[str, Any], release: str = NEWEST_MODELLED, profile: Profile = TOOLHIVE) -> str:
    """Return the text of a compiled run configuration, without a newline at the end.

    Args:
        config: The run configuration with the names of the models, in any order; a missing key is zero.
        release: The release of ToolHive.
    """
    written = encoded_runconfig(config, release)
    if not profile.has_builtin_names:
        from .edition_name import EditionNames

        written = EditionNames(profile).to_edition(written)
    return indented(written)


def encoded_runconfig(config: Mapping[str, Any], release: str = NEWEST_MODELLED) -> dict[str, Any]:
    """Return a compiled run configuration as plain data, in Go's order and without the fields that Go omits.

    The models decide both, also for the parameters of middlewares.
    """
    chain = [_encoded(middleware, release) for middleware in config["middleware_configs"]]
    return encode({**config, "middleware_configs": chain}, "RunConfig", release)


def _encoded(middleware: Mapping[str, Any], release: str) -> dict[str, Any]:
    """Return a middleware with encoded parameters. The run configuration stores them as free JSON."""
    kind, parameters = middleware["type"], middleware["parameters"]
    if parameters is not None and kind in PARAMETERS:
        parameters = encode(parameters, PARAMETERS[kind], release)
    return {"type": kind, "parameters": parameters}
