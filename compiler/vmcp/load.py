"""Load a vMCP configuration file like the vMCP process: strictly, and with defaults.

A refusal of the loader becomes a fault with a path in the file. The environment variables that the file names are only
listed, because they must be set where the process runs.

Source: docs/operator/virtual-server.md, "Loading".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Fault, below
from ..diagnostics.finding import rule
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import VAGUE, did_you_mean
from ..diagnostics.version import RECORDED
from ..toolhive.release import NEWEST_MODELLED
from . import codec, operational
from .authentication import OUTGOING
from .strategy import strategies
from .workflow.model import read
from .workflow.validate import loading_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..diagnostics.span import Path
    from ..golang.shape import Misfit
    from ..reading.document import Document

UNDECODABLE = rule(
    "VMC120 undecodable-vmcp-value",
    "process",
    "A value in a vMCP configuration file does not fit its field",
    unmodelled="newer",
    verified=RECORDED,
)
UNKNOWN_FIELD = rule(
    "VMC121 unknown-vmcp-field",
    "process",
    "A vMCP configuration file has a field that does not exist",
    verified=RECORDED,
)
ELICITATION_TIMEOUT: Final = "5m0s"
"""The loader's default timeout of an elicitation step."""


class EnvironmentVariable(NamedTuple):
    """An environment variable that the file names. ``path`` is the path of the field with the name."""

    path: Path
    name: str


class LoadedConfig(NamedTuple):
    """A loaded file.

    Attributes:
        config: The readable part of the configuration as Go writes it, with defaults.
        faults: The faults that the loader refuses. The process stops at any of them.
        variables: The environment variables that must be set where the process runs.
    """

    config: dict[str, Any]
    faults: list[Fault]
    variables: list[EnvironmentVariable]


def load(document: Document, release: str = NEWEST_MODELLED) -> LoadedConfig:
    """Load a file like the process of a release. The document must be parsed in the dialect ``vmcp``."""
    if not isinstance(document.data, dict):
        message = f"a vMCP configuration is a mapping, not {shown(document.data)}"
        return LoadedConfig({}, [Fault((), UNDECODABLE, message)], [])
    config, misfits, unknown = codec.loaded(document.data, document.scalar, release)
    faults = [_misfit(misfit, document.data) for misfit in misfits]
    faults += [_unknown(path, release) for path in unknown]
    faults += [*_strategies(config), *_parameters(config)]
    return LoadedConfig(_with_loader_defaults(config, release), faults, list(_variables(config)))


# Decoding.


def _misfit(misfit: Misfit, data: Any) -> Fault:
    value: Any = data
    for step in misfit.path:
        value = value[step]
    field = next((step for step in reversed(misfit.path) if isinstance(step, str)), "the file")
    message = f"{field} takes {misfit.expected}, not {shown(value)}"
    is_bare = isinstance(value, int) and misfit.expected.startswith("a duration")
    return Fault(misfit.path, UNDECODABLE, message, f"did you mean {value}s?" if is_bare else None)


def _unknown(path: Path, release: str) -> Fault:
    hint = did_you_mean(str(path[-1]), codec.fields_at(path[:-1], release), likeness=VAGUE)
    return Fault(path, UNKNOWN_FIELD, f"there is no field {shown(path[-1])} here", hint, on_key=True)


# Checks after decoding.


def _strategies(config: Mapping[str, Any]) -> Iterator[Fault]:
    for path, strategy in strategies(config):
        if strategy.get("type") == "token_exchange" and strategy.get("tokenExchange") is None:
            message = "the strategy token_exchange needs the block tokenExchange"
            yield Fault(path, OUTGOING, message)
        if strategy.get("type") != "header_injection":
            continue
        header = strategy.get("headerInjection")
        if header is None:
            message = "the strategy header_injection needs the block headerInjection"
            yield Fault(path, OUTGOING, message)
            continue
        given = [field for field in ("headerValue", "headerValueEnv") if header.get(field)]
        if len(given) != 1:
            choice = "both" if given else "neither"
            message = f"a header takes either headerValue or headerValueEnv, but {choice} is set"
            yield Fault((*path, "headerInjection"), OUTGOING, message)


def _parameters(config: Mapping[str, Any]) -> Iterator[Fault]:
    for i, tool in enumerate(listed(config.get("compositeTools"))):
        yield from below(("compositeTools", i), loading_faults(read(tool)))


def _variables(config: Mapping[str, Any]) -> Iterator[EnvironmentVariable]:
    oidc: Path = ("incomingAuth", "oidc")
    name = mapping(mapping(config.get("incomingAuth")).get("oidc")).get("clientSecretEnv")
    if name:
        yield EnvironmentVariable((*oidc, "clientSecretEnv"), name)
    for path, strategy in strategies(config):
        for block, field in (("headerInjection", "headerValueEnv"), ("tokenExchange", "clientSecretEnv")):
            name = mapping(strategy.get(block)).get(field)
            if name:
                yield EnvironmentVariable((*path, block, field), name)


def _with_loader_defaults(config: dict[str, Any], release: str) -> dict[str, Any]:
    for tool in listed(config.get("compositeTools")):
        for step in listed(tool.get("steps")):
            if not step.get("type") and step.get("tool"):
                step["type"] = "tool"
            if step.get("type") == "elicitation" and not step.get("timeout"):
                step["timeout"] = ELICITATION_TIMEOUT
    config["operational"] = operational.with_defaults(config.get("operational"))
    return codec.normalized(config, release)
