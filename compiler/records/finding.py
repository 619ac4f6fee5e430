"""Faults of records become findings: each gets the identity of its rule and its place in the text."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcpcfg.compiler.document import Document
    from mcpcfg.compiler.finding import Finding, Rule

    from .fault import Fault

CATALOGUES: dict[str, tuple[str, ...]] = {
    "REG": ("registry",),
    "CAT": ("catalog",),
    "PRM": ("permission",),
    "SKL": ("skill",),
    "FIL": ("authz", "side_file"),
    "RUN": ("runconfig", "runconfig_lint"),
    "WRK": ("workload", "workload_lint"),
}
"""The letters of rule ids to the modules below ``catalogue`` that hold those rules."""

_rules: dict[str, Rule] = {}


def rule_of(code: str) -> Rule:
    """Give the rule of an id; a ``KeyError`` is a slip of ours."""
    if code not in _rules:
        for name in CATALOGUES[code[:3]]:
            catalogue = import_module(f"mcpcfg.compiler.records.catalogue.{name}")
            _rules.update((rule.id, rule) for rule in catalogue.RULES)
    return _rules[code]


def findings_of(document: Document, faults: Iterable[Fault]) -> list[Finding]:
    """Pin faults of a document to its text."""
    return [
        rule_of(fault.code).finding(
            document.key_span(fault.path) if fault.on_key else document.span(fault.path),
            fault.message,
            document=document.index,
            path=document.prefix + fault.path,
            hint=fault.hint,
            severity=fault.severity,
        )
        for fault in faults
    ]
