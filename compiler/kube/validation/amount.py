"""Validation of requests, limits and claims of computing resources.

Source: Kubernetes 1.35, pkg/apis/core/validation (ValidateContainerResourceRequirements), pkg/apis/core/helper.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...diagnostics.fault import Flaw
from ...diagnostics.placeholder import is_placeholder
from .. import names
from ..quantity import Quantity, QuantityError, parse

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from ...diagnostics.span import Path

COMPUTED: Final = ("cpu", "memory", "ephemeral-storage")
HUGE: Final = "hugepages-"
NATIVE: Final = "kubernetes.io/"


def amount_faults(
    requirements: Mapping[str, Any], path: Path, *, nested: bool = True, of_pod: bool = False
) -> Iterator[Flaw]:
    """Yield the faults of requests and limits of computing resources.

    Args:
        requirements: A typed value: ``limits`` and ``requests``, each with quantities by name of the resource.
        path: Path of ``requirements`` in the object.
        nested: True if ``limits`` and ``requests`` are below ``path``, false if their content is at ``path``.
        of_pod: True for the requirements of a whole pod, which cannot have storage or devices.
    """
    limits = _read(requirements.get("limits"))
    for field in ("limits", "requests"):
        for name, amount in _read(requirements.get(field)).items():
            at = (*path, field, name) if nested else (*path, name)
            for reason in _name_faults(name, of_pod=of_pod):
                yield Flaw(at, "invalid-key", reason, on_key=True)
            if amount is None:
                continue
            if amount.sign < 0:
                yield Flaw(at, "invalid", "must not be negative")
            if not _is_shared(name) and not name.startswith(HUGE) and not _is_whole(amount):
                yield Flaw(at, "invalid", "must be a whole number")
            if field == "requests":
                yield from _limit_faults(name, amount, limits, at)
    all_names = {name for field in ("limits", "requests") for name in requirements.get(field) or ()}
    if any(name.startswith(HUGE) for name in all_names) and all_names.isdisjoint(("cpu", "memory")):
        yield Flaw(path, "forbidden", "must have cpu or memory beside huge pages")


def _read(amounts: Mapping[str, Any] | None) -> dict[str, Quantity | None]:
    """Return the parsed quantity of each computing resource; ``None`` for a placeholder or an invalid quantity."""
    read: dict[str, Quantity | None] = {}
    for name, amount in (amounts or {}).items():
        try:
            read[name] = None if is_placeholder(str(amount)) else parse(str(amount))
        except QuantityError:
            read[name] = None  # decoding has reported it
    return read


def _limit_faults(name: str, request: Quantity, limits: Mapping[str, Quantity | None], path: Path) -> Iterator[Flaw]:
    if name not in limits:
        if not _is_shared(name):
            yield Flaw(path, "required", "must have a limit of the same amount")
        return
    limit = limits[name]
    if limit is None:
        return
    order = request.compare(limit)
    if order and not _is_shared(name):
        yield Flaw(path, "invalid", f"must be equal to the limit of {limit}")
    elif order > 0:
        yield Flaw(path, "invalid", f"must not be above the limit of {limit}")


def _name_faults(name: str, *, of_pod: bool) -> names.Reasons:
    if reasons := names.label_key_faults(name):
        return reasons
    if of_pod and name not in COMPUTED[:2] and not name.startswith(HUGE):
        return ("must be cpu, memory or huge pages",)
    if "/" not in name:
        if name in COMPUTED or name.startswith(HUGE):
            return ()
        return (f"must be one of {', '.join(COMPUTED)}, or have a prefix such as example.com/",)
    if NATIVE not in name and (name.startswith("requests.") or names.label_key_faults(f"requests.{name}")):
        return ("must be the name of an extended resource",)
    return ()


def _is_shared(name: str) -> bool:
    return ("/" not in name or NATIVE in name) and not name.startswith(HUGE)


def _is_whole(amount: Quantity) -> bool:
    return amount.exponent >= 0 or amount.mantissa % 10**-amount.exponent == 0


def claim_faults(claims: Sequence[Mapping[str, Any]], known: Collection[Any], path: Path) -> Iterator[Flaw]:
    """Yield the faults of a container's references to resource claims. ``known`` has the names of the pod's claims."""
    seen: set[str] = set()
    for i, claim in enumerate(claims):
        name, request = claim.get("name", ""), claim.get("request", "")
        key = f"{name}/{request}" if request else name
        if name and (
            key in seen or name in seen or (not request and any(key_.startswith(f"{name}/") for key_ in seen))
        ):
            yield Flaw((*path, i, "name"), "duplicate", "must not be there twice")
        if name and name not in known:
            yield Flaw((*path, i, "name"), "not-found", "must be one of the pod's resourceClaims")
        seen.add(key)
