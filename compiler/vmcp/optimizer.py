"""Check the optimizer settings of a virtual server, as its process does when it starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.fault import Fault
from ..diagnostics.finding import rule
from ..diagnostics.plain import listed, mapping
from ..diagnostics.shown import shown
from ..diagnostics.suggestion import VAGUE, did_you_mean
from ..diagnostics.version import RECORDED
from ..golang.strconv import NumberError, parse_float
from ..toolhive.release import OPTIMIZER_GUARDED_SINCE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..diagnostics.span import Path

OPTIMIZER = rule(
    "VMC114 optimizer-out-of-range", "process", "A setting of the optimizer is out of range", verified=RECORDED
)
EMBEDDING_PROVIDER = rule(
    "VMC239 incomplete-embedding-provider",
    "process",
    "An OpenAI-compatible embedding service lacks its address or its model",
    since="0.32.0",
    verified=("0.32.0", "0.44.0"),
)
GUARDED_OPTIMIZER = rule(
    "VMC240 optimizer-beside-authorization",
    "process",
    "A virtual server has both an optimizer and policies, which its process does not allow",
    since=OPTIMIZER_GUARDED_SINCE,
    verified=(OPTIMIZER_GUARDED_SINCE, "0.44.0"),
)


MOST_TOOLS_TO_RETURN: Final = 50
"""The maximum of ``maxToolsToReturn``. The process refuses to start with a higher number."""
EMBEDDING_PROVIDERS: Final = ("tei", "openai")
"""The services that can compute embeddings. The first is the default."""


def guard_faults(authz: Mapping[str, Any], optimizer: Any) -> Iterator[Fault]:
    """Yield a fault if an optimizer is combined with Cedar policies, which do not cover the optimizer's tools."""
    if authz.get("type") == "cedar" and listed(authz.get("policies")) and optimizer is not None:
        message = "the optimizer cannot be combined with authorization, whose policies do not cover its tools"
        hint = "remove the optimizer, or the policies"
        yield Fault(("optimizer",), GUARDED_OPTIMIZER, message, hint, "process", on_key=True)


def optimizer_faults(optimizer: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of the optimizer: numbers that are out of range, and settings of the embedding service."""
    path: Path = ("optimizer",)
    most = optimizer.get("maxToolsToReturn", 0)
    if not 0 <= most <= MOST_TOOLS_TO_RETURN:
        message = f"maxToolsToReturn is {most}, not between 1 and {MOST_TOOLS_TO_RETURN}"
        yield Fault((*path, "maxToolsToReturn"), OPTIMIZER, message, None, "process")
    for field, top in (("hybridSearchSemanticRatio", 1), ("semanticDistanceThreshold", 2)):
        text = optimizer.get(field)
        if not text:
            continue
        try:
            value = parse_float(text)
        except NumberError:
            yield Fault((*path, field), OPTIMIZER, f"{field} {shown(text)} is not a number", None, "process")
            continue
        if value < 0 or value > top:  # as in Go, NaN is neither
            yield Fault((*path, field), OPTIMIZER, f"{field} is {text}, not between 0 and {top}", None, "process")

    yield from _embedding_provider(path, optimizer)


def _embedding_provider(path: Path, optimizer: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of the embedding provider and its settings. It can be chosen from v0.32.0 on."""
    from ..toolhive.header import canonical, is_restricted, name_fault

    provider, headers = optimizer.get("embeddingProvider") or EMBEDDING_PROVIDERS[0], optimizer.get("embeddingHeaders")
    if provider not in EMBEDDING_PROVIDERS:
        message = f"there is no embeddingProvider {shown(provider)}"
        advice = did_you_mean(provider, EMBEDDING_PROVIDERS, likeness=VAGUE) or "write tei or openai"
        yield Fault((*path, "embeddingProvider"), EMBEDDING_PROVIDER, message, advice, "process")
    if provider != "openai":
        if headers:
            message = f"embeddingHeaders are for the embeddingProvider openai, not for {provider}"
            yield Fault((*path, "embeddingHeaders"), EMBEDDING_PROVIDER, message, "remove them", "process")
        return
    for name in mapping(headers):
        why = (
            None if is_restricted(name) else name_fault(name)
        )  # headers that a proxy sets itself may be sent to the service
        if canonical(name) == "Authorization":
            why = "it holds the key of the service"
        if why is not None:
            message = f"the header {shown(name)} cannot be sent to the service: {why}"
            yield Fault((*path, "embeddingHeaders", name), EMBEDDING_PROVIDER, message, "remove it", "process")
    for field, what in (("embeddingService", "the address"), ("embeddingModel", "the model")):
        if not optimizer.get(field):
            message = f"embeddingProvider is openai, and {field} is missing"
            yield Fault((*path, field), EMBEDDING_PROVIDER, message, f"write {what} of the service", "process")
