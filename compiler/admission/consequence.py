"""Which faults follow from others: one fault is told once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .fault import CelRule, Fault, Sort
from .hint import similar

if TYPE_CHECKING:
    from mcpcfg.compiler.source import Path

_SILENT = frozenset({Sort.PLACEHOLDER, Sort.RENAMED})


def independent(faults: list[Fault]) -> list[Fault]:
    """Give the faults that are told.

    Left out are a missing field beside an unknown one that was meant to be it, a missing field beside a placeholder
    that stands for fields, and a CEL rule that breaks because of a fault (or of something unknown) in what it looks
    at: without that the rule could hold.
    """
    placed = [(fault, tuple(reversed(fault.path))) for fault in faults if fault.sort is not Sort.RENAMED]
    meant = _meant_fields(placed)
    causes = [_cause(fault, path, meant) for fault, path in placed if fault.sort not in (Sort.RULE, Sort.WIDTH)]
    out = []
    for fault, path in placed:
        if fault.sort in _SILENT:
            continue
        if fault.sort is Sort.MISSING and _is_explained(fault, path, placed, meant):
            continue
        if fault.sort is Sort.RULE and _may_hold(fault, path, causes):
            continue
        out.append(fault)
    return out


def _meant_fields(placed: list[tuple[Fault, Path]]) -> dict[Path, str]:
    """Give the path of each unknown field to the field that it was meant to be."""
    out = {}
    for fault, path in placed:
        if fault.sort is Sort.UNKNOWN:
            meant = similar(str(path[-1]), fault.detail)
            if meant is not None:
                out[path] = meant
    return out


def _cause(fault: Fault, path: Path, meant: dict[Path, str]) -> Path:
    if fault.sort is Sort.MISSING:
        return (*path, fault.detail)
    return (*path[:-1], meant[path]) if path in meant else path


def _is_explained(fault: Fault, path: Path, placed: list[tuple[Fault, Path]], meant: dict[Path, str]) -> bool:
    return any(
        other_path[:-1] == path
        and ((other.sort is Sort.UNKNOWN and meant.get(other_path) == fault.detail) or _stands_for_fields(other))
        for other, other_path in placed
        if other_path
    )


def _stands_for_fields(fault: Fault) -> bool:
    """Tell whether a placeholder is a key: what it becomes may hold any field."""
    from mcpcfg.compiler.reading.placeholder import is_placeholder

    step = fault.path[0]
    return fault.sort is Sort.PLACEHOLDER and isinstance(step, str) and is_placeholder(step)


def _may_hold(fault: Fault, path: Path, causes: list[Path]) -> bool:
    """Tell whether the rule could hold if the faults in what it looks at were not there."""
    rule: CelRule = fault.detail
    if not rule.mentions:
        return path in causes or _holds_placeholder(fault.value)
    below = [cause[len(path) :] for cause in causes if cause[: len(path)] == path]
    for reads, mention in rule.mentions:
        if any(cause == mention[: len(cause)] or (reads and cause[: len(mention)] == mention) for cause in below):
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
    from mcpcfg.compiler.reading.placeholder import is_placeholder

    if isinstance(value, str):
        return is_placeholder(value)
    if isinstance(value, dict):
        return any(is_placeholder(key) or _holds_placeholder(item) for key, item in value.items())
    return isinstance(value, list) and any(_holds_placeholder(item) for item in value)
