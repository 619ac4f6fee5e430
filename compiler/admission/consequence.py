"""Which faults follow from others: one fault is reported once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.placeholder import is_placeholder, is_placeholder_key
from ..diagnostics.suggestion import MOST_HINTS, nearest
from .fault import CelRule, Sort, Violation
from .hint import field_of_history
from .later import release_without

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.span import Path

_ANY = "*"


def independent(faults: list[Violation], kind: str, release: str) -> list[Violation]:
    """Return the faults of an object of ``kind`` that are reported by ``release``.

    Left out are a missing field beside an unknown one that was meant to be it, a missing field beside a placeholder
    that stands for fields, and a CEL rule that breaks because of a fault (or of something unknown) in what it looks
    at: without that the rule could hold.
    """
    placed = [(fault, tuple(reversed(fault.path))) for fault in faults if fault.sort is not Sort.RENAMED]
    meant = meant_fields(placed, kind, release)
    explained = _explained_fields(placed, meant, kind)
    causes = _causes(placed, meant)
    out = []
    for fault, path in placed:
        if fault.sort is Sort.PLACEHOLDER:
            continue
        if fault.sort is Sort.MISSING and not explained.get(path, frozenset()).isdisjoint((fault.detail, _ANY)):
            continue
        if fault.sort is Sort.RULE and _may_hold(fault, causes.get(path, ())):
            continue
        out.append(fault)
    return out


def meant_fields(placed: list[tuple[Violation, Path]], kind: str, release: str) -> dict[Path, str]:
    """Return the path of each unknown field to the field that it was meant to be; a later release's means itself."""
    out = {}
    known: dict[tuple[str, tuple[str, ...]], str | None] = {}
    for fault, path in placed:
        if fault.sort is Sort.UNKNOWN and release_without(fault, kind, path, release) is None:
            question = (str(path[-1]), fault.detail)
            # Bounded: a hostile file may hold thousands of unknown fields.
            if question not in known and len(known) < MOST_HINTS:
                known[question] = nearest(*question)
            meant = known.get(question)
            if meant is not None:
                out[path] = meant
    return out


def _explained_fields(placed: list[tuple[Violation, Path]], meant: dict[Path, str], kind: str) -> dict[Path, set[str]]:
    """Return the path of each object to the fields that are there in another form; ``_ANY`` for all of them."""
    out: dict[Path, set[str]] = {}
    explained = 0
    for fault, path in placed:
        if path in meant:
            out.setdefault(path[:-1], set()).add(meant[path])
        elif fault.sort is Sort.UNKNOWN and explained < MOST_HINTS:
            explained += 1
            field = field_of_history(kind, path)
            if field:
                out.setdefault(path[:-1], set()).add(field)
        elif path and fault.sort is Sort.PLACEHOLDER and _is_placeholder_key(path[-1]):
            out.setdefault(path[:-1], set()).add(_ANY)
    return out


def _causes(placed: list[tuple[Violation, Path]], meant: dict[Path, str]) -> dict[Path, list[Path]]:
    """Return the path of each object to the paths, from there, of what is wrong or unknown in it."""
    out: dict[Path, list[Path]] = {}
    for fault, path in placed:
        if fault.sort in (Sort.RULE, Sort.WIDTH):
            continue
        cause = (*path[:-1], meant[path]) if path in meant else path
        if fault.sort is Sort.MISSING:
            cause = (*path, fault.detail)
        # A cause counts for every object around it: a rule may stand on any of them.
        for i in range(len(cause) + 1):
            out.setdefault(cause[:i], []).append(cause[i:])
    return out


def _is_placeholder_key(step: str | int) -> bool:
    """Return whether a placeholder is a key: what it becomes may hold any field."""
    return isinstance(step, str) and is_placeholder_key(step)


def _may_hold(fault: Violation, causes: Sequence[Path]) -> bool:
    """Return whether a rule could hold if ``causes``, the paths from its object to what is wrong there, were not."""
    rule: CelRule = fault.detail
    if not rule.mentions:
        return () in causes or _holds_placeholder(fault.value)
    for reads, mention in rule.mentions:
        if any(cause == mention[: len(cause)] or (reads and cause[: len(mention)] == mention) for cause in causes):
            return True
        if reads and _holds_placeholder(_at(fault.value, mention)):
            return True
    return False


def _at(value: Any, path: Path) -> Any:
    for step in path:
        if not isinstance(value, dict):
            return None
        value = value.get(step)
    return value


def _holds_placeholder(value: Any) -> bool:
    if isinstance(value, str):
        return is_placeholder(value)
    if isinstance(value, dict):
        return any(is_placeholder_key(key) or _holds_placeholder(item) for key, item in value.items())
    return isinstance(value, list) and any(_holds_placeholder(item) for item in value)
