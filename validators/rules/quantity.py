"""Rules about quantities of compute resources that are invalid, and requests above their limits."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ...compiler.diagnostics.fault_to_finding import restaged
from ...compiler.diagnostics.placeholder import is_placeholder
from ..plain_object import thousandths
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...compiler.models.embeddingserver import EmbeddingServerSpec
    from ...compiler.models.spec import ProxySpec
    from ..rule import Check, Finding, Path, Resource, Workspace

INVALID = rule(
    "RES001 invalid-quantity",
    "An amount of CPU, memory or storage is not a Kubernetes quantity",
    stage="operator",
    unmodelled="all",
)
ABOVE_LIMIT = rule(
    "RES003 request-above-limit", "More is requested than the limit allows", stage="operator", unmodelled="all"
)
UNITLESS = rule(
    "RES006 quantity-without-unit", "An amount of memory or CPU is plausible only with a unit", stage="lint"
)

_LEAST_MEMORY = 1 << 20
"""Bytes that every container needs. Less memory than this is a number without its unit."""
_MOST_CPU = 256
"""Cores of the largest usual machines. More CPU than this was meant as thousandths."""


@reads("resources")
def check_unit(resource: Resource[ProxySpec | EmbeddingServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report memory of less than a mebibyte, and more CPU than a machine has, if the amount has no unit."""
    resources = resource.spec["resources"]
    for holder in ("limits", "requests"):
        amounts = resources.get(holder) or {}
        for amount in ("cpu", "memory"):
            text: str = amounts.get(amount) or ""
            if not (text.isascii() and text.isdigit()) or len(text) > LONGEST_KEPT:
                continue
            path: Path = ("spec", "resources", holder, amount)
            if amount == "memory" and 0 < int(text) < _LEAST_MEMORY:
                hint = f"write a unit, such as {text}Mi"
                yield resource.finding(UNITLESS, path, f"{text} without a unit is {text} bytes of memory", hint=hint)
            elif amount == "cpu" and int(text) > _MOST_CPU:
                hint = f"write a unit, such as {text}m"
                yield resource.finding(UNITLESS, path, f"{text} without a unit is {text} cores", hint=hint)


@reads("resources")
def check(resource: Resource[ProxySpec | EmbeddingServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report invalid quantities, and requests above their limits."""
    resources = resource.spec["resources"]
    limits, requests = resources.get("limits") or {}, resources.get("requests") or {}
    for amount in ("cpu", "memory"):
        limit: str = limits.get(amount) or ""
        request: str = requests.get(amount) or ""
        if _is_sound(limit, request):
            continue
        bad_limit, bad_request = _is_invalid(limit), _is_invalid(request)
        if bad_limit:
            yield _invalid(resource, ("spec", "resources", "limits", amount), limit)
        if bad_request:
            yield _invalid(resource, ("spec", "resources", "requests", amount), request)
        if limit and request and not (bad_limit or bad_request) and _exceeds(request, limit):
            message = f"the request of {request} {amount} is above the limit of {limit}"
            notes = (resource.note("the limit is here", ("spec", "resources", "limits", amount)),)
            path: Path = ("spec", "resources", "requests", amount)
            hint = "lower the request, or raise the limit"
            finding = resource.finding(ABOVE_LIMIT, path, message, hint=hint, notes=notes)
            yield restaged(finding, "process") if resource.kind == "EmbeddingServer" else finding


@reads("modelCache")
def check_cache(resource: Resource[EmbeddingServerSpec], _: Workspace) -> Iterator[Finding]:
    """Report an invalid size of an enabled model cache."""
    cache = resource.spec["modelCache"]
    if cache.get("enabled") and _is_invalid(cache.get("size") or ""):
        yield _invalid(resource, ("spec", "modelCache", "size"), cache["size"])


LONGEST_KEPT = 20
"""Maximum characters of a cached quantity, so that the cache cannot grow with hostile texts."""


def _is_sound(limit: str, request: str) -> bool:
    """Return whether limit and request are surely valid, and the request is within the limit. Either may be empty."""
    if len(limit) > LONGEST_KEPT or len(request) > LONGEST_KEPT:
        return False
    return _is_plain_pair(limit, request)


@lru_cache(1024)
def _is_plain_pair(limit: str, request: str) -> bool:
    """Return whether two short quantities have a simple notation, and the request is within the limit.

    Either may be empty. Results are cached, because most projects use only a few quantities.
    """
    if any(thousandths(text) is None for text in (limit, request) if text):
        return False
    return not (limit and request and _exceeds(request, limit))


def _is_invalid(text: str) -> bool:
    if not text or thousandths(text) is not None or is_placeholder(text):
        return False
    from ...compiler.kube.quantity import QuantityError, parse

    try:
        parse(text)
    except QuantityError:
        return True
    return False


def _exceeds(request: str, limit: str) -> bool:
    if request == limit:
        return False
    amount, most = thousandths(request), thousandths(limit)
    if amount is not None and most is not None:
        return amount > most
    if is_placeholder(request) or is_placeholder(limit):
        return False
    from ...compiler.kube.quantity import parse

    return parse(request).compare(parse(limit)) > 0


def _invalid(resource: Resource, path: Path, text: str) -> Finding:
    message = f'"{text}" is not a quantity such as 500m, 2 or 512Mi'
    corrected = re.sub(_FOREIGN_SUFFIX, _binary, "".join(text.split()))
    corrected = re.sub(_WORD, _letter, corrected)
    hint = f"write {corrected}" if corrected != text and not _is_invalid(corrected) else None
    return resource.finding(INVALID, path, message, hint=hint)


_FOREIGN_SUFFIX = r"(?i:(?<=[0-9])([kmgt])i?b$)"
"""Pattern of suffixes for bytes that Kubernetes does not know, such as in ``512MB`` and ``1GiB``."""


_WORD = r"(?i:(?<=[0-9])(milli(?:cores?)?|cores?|cpus?)$)"
"""Pattern of units that people write out, such as in ``100milli`` and ``2 cores``."""


def _letter(word: re.Match[str]) -> str:
    return "m" if word[1].lower().startswith("milli") else ""


def _binary(suffix: re.Match[str]) -> str:
    return f"{suffix[1].upper()}i"


CHECKS: dict[str, tuple[Check, ...]] = {
    "MCPServer": (check, check_unit),
    "MCPRemoteProxy": (check, check_unit),
    "EmbeddingServer": (check, check_unit, check_cache),
}
