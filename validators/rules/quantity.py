"""Rules about quantities of compute resources that are invalid, and requests above their limits."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from ...compiler.diagnostics.fault_to_finding import restaged
from ...compiler.diagnostics.placeholder import is_placeholder
from ...compiler.diagnostics.plain import mapping
from ..plain_object import thousandths
from ..pod import containers_of
from ..rule import reads, rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...compiler.models.embeddingserver import EmbeddingServerSpec
    from ...compiler.models.mcpregistry import MCPRegistrySpec
    from ...compiler.models.spec import ProxySpec
    from ...compiler.models.virtualmcpserver import VirtualMCPServerSpec
    from ..rule import Check, Finding, Path, Resource, Workspace

INVALID = rule(
    "RES001 invalid-quantity",
    "operator",
    "An amount of CPU, memory or storage is not a Kubernetes quantity",
    unmodelled="all",
)
ABOVE_LIMIT = rule(
    "RES003 request-above-limit", "operator", "More is requested than the limit allows", unmodelled="all"
)
UNITLESS = rule("RES006 quantity-without-unit", "lint", "An amount of memory or CPU is plausible only with a unit")

_LEAST_MEMORY: Final = 1 << 20
"""Bytes that every container needs. Less memory than this is a number with a wrong unit, or without one."""
_LEAST_STORAGE: Final = 1 << 20
"""Bytes that every volume needs."""
_MOST_CPU: Final = 100
"""Cores from which an amount of CPU was meant as thousandths. Few machines have more."""
_AMOUNT: Final = r"([0-9]{1,20})(|m|k|Ki)"
_UNITS: Final = (
    ("", 1, "bytes"),
    ("m", 0.001, "thousandths of a byte"),
    ("k", 1000, "kilobytes"),
    ("Ki", 1024, "kibibytes"),
)
"""Suffix, bytes and name of each unit that is too small for memory and storage."""


def check_unit(
    resource: Resource[ProxySpec | EmbeddingServerSpec | VirtualMCPServerSpec | MCPRegistrySpec], _: Workspace
) -> Iterator[Finding]:
    """Report memory of less than a mebibyte, and more CPU than machines have, in ``resources`` and pod templates."""
    holders: list[tuple[Path, Mapping[str, Any]]] = [(("spec",), resource.spec), *containers_of(resource.spec)]
    for at, holder in holders:
        resources = mapping(holder.get("resources"))
        for part in ("limits", "requests"):
            amounts = mapping(resources.get(part))
            for amount in ("cpu", "memory", "ephemeral-storage"):
                yield from _unit_fault(resource, (*at, "resources", part, amount), amount, amounts.get(amount))


def _unit_fault(resource: Resource, path: Path, amount: str, quantity: Any) -> Iterator[Finding]:
    match = re.fullmatch(_AMOUNT, str(quantity)) if isinstance(quantity, (str, int)) else None
    if match is None:
        return
    digits, unit = match.groups()
    number = int(digits)
    if amount == "cpu":
        if not unit and number >= _MOST_CPU:
            hint = f"write a unit, such as {number}m"
            yield resource.finding(UNITLESS, path, f"{number} without a unit is {number} cores", hint=hint)
        return
    least, larger = (_LEAST_MEMORY, "Mi") if amount == "memory" else (_LEAST_STORAGE, "Gi")
    what = "memory" if amount == "memory" else "storage"
    factor, size = next((factor, size) for suffix, factor, size in _UNITS if suffix == unit)
    if 0 < number * factor < least:
        stated = f"{number} without a unit is" if not unit else f"{number}{unit} are"
        hint = f"write {'a' if not unit else 'another'} unit, such as {number}{larger}"
        yield resource.finding(UNITLESS, path, f"{stated} {number} {size} of {what}", hint=hint)


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
    """Report a size of an enabled model cache that is invalid, or less than a mebibyte."""
    cache = resource.spec["modelCache"]
    if cache.get("enabled") is True:
        yield from _unit_fault(resource, ("spec", "modelCache", "size"), "storage", cache.get("size"))
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
    "MCPRegistry": (check_unit,),
    "MCPRemoteProxy": (check, check_unit),
    "VirtualMCPServer": (check_unit,),
    "EmbeddingServer": (check, check_unit, check_cache),
}
