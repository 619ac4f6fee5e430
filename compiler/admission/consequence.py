"""Drop faults that follow from other faults, so each mistake is reported once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.placeholder import is_placeholder, is_placeholder_key
from ..diagnostics.plain import value_at
from ..diagnostics.suggestion import MOST_HINTS, nearest
from .hint import field_of_history
from .later import release_without
from .violation import CelRule, Sort, Violation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..diagnostics.span import Path

_ANY = "*"


def independent(faults: list[Violation], kind: str, release: str) -> list[Violation]:
    """Return the faults of an object, without faults that another fault explains.

    A missing field is dropped next to an unknown field that is its misspelling, and next to a placeholder that may add
    fields. A broken CEL rule is dropped if it reads a wrong or unknown value, because it may hold for the right value.

    Args:
        release: The release of the operator that judges.
    """
    placed = [(fault, tuple(reversed(fault.path))) for fault in faults if fault.sort is not Sort.RENAMED]
    targets = meant_fields(placed, kind, release)
    explained = _explained_fields(placed, targets, kind)
    causes = _causes(placed, targets)
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
    """Return the field that the user probably meant, by the path of each misspelled field.

    Fields that a later release has are not misspelled. After 100 different unknown fields, further ones are left out.
    """
    out = {}
    matches: dict[tuple[str, tuple[str, ...]], str | None] = {}
    for fault, path in placed:
        if fault.sort is Sort.UNKNOWN and release_without(fault, kind, path, release) is None:
            question = (str(path[-1]), fault.detail)
            # Bounded: a hostile file may hold thousands of unknown fields.
            if question not in matches and len(matches) < MOST_HINTS:
                matches[question] = nearest(*question)
            target = matches.get(question)
            if target is not None:
                out[path] = target
    return out


def _explained_fields(
    placed: list[tuple[Violation, Path]], targets: dict[Path, str], kind: str
) -> dict[Path, set[str]]:
    """Return for the path of each object the fields that it states under a misspelled or former name.

    The set contains ``_ANY`` if a placeholder may add any field to the object.
    """
    out: dict[Path, set[str]] = {}
    explained = 0
    for fault, path in placed:
        if path in targets:
            out.setdefault(path[:-1], set()).add(targets[path])
        elif fault.sort is Sort.UNKNOWN and explained < MOST_HINTS:
            explained += 1
            field = field_of_history(kind, path)
            if field:
                out.setdefault(path[:-1], set()).add(field)
        elif path and fault.sort is Sort.PLACEHOLDER and _is_placeholder_key(path[-1]):
            out.setdefault(path[:-1], set()).add(_ANY)
    return out


def _causes(placed: list[tuple[Violation, Path]], targets: dict[Path, str]) -> dict[Path, list[Path]]:
    """Return the relative paths of wrong, missing or unknown values in each object, by the path of the object."""
    out: dict[Path, list[Path]] = {}
    for fault, path in placed:
        if fault.sort in (Sort.RULE, Sort.WIDTH):
            continue
        cause = (*path[:-1], targets[path]) if path in targets else path
        if fault.sort is Sort.MISSING:
            cause = (*path, fault.detail)
        # A cause counts for every object around it: a rule may stand on any of them.
        for i in range(len(cause) + 1):
            out.setdefault(cause[:i], []).append(cause[i:])
    return out


def _is_placeholder_key(step: str | int) -> bool:
    """Return whether a path step is a key with a placeholder, whose value may add any field."""
    return isinstance(step, str) and is_placeholder_key(step)


def _may_hold(fault: Violation, causes: Sequence[Path]) -> bool:
    """Return whether a broken CEL rule could hold once the values that it reads are right and known.

    Args:
        causes: The paths, relative to the rule's object, of values that are wrong or unknown.
    """
    rule: CelRule = fault.detail
    if not rule.mentions:
        return () in causes or _holds_placeholder(fault.value)
    for reads, mention in rule.mentions:
        if any(cause == mention[: len(cause)] or (reads and cause[: len(mention)] == mention) for cause in causes):
            return True
        if reads and _holds_placeholder(value_at(fault.value, mention)):
            return True
    return False


def _holds_placeholder(value: Any) -> bool:
    if isinstance(value, str):
        return is_placeholder(value)
    if isinstance(value, dict):
        return any(is_placeholder_key(key) or _holds_placeholder(item) for key, item in value.items())
    return isinstance(value, list) and any(_holds_placeholder(item) for item in value)
