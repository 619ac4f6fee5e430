"""The rules about resources, which have fixtures of their own kind."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from mcpcfg.validators.registry import DECLARING, MODULES, ROOM, rules_of

if TYPE_CHECKING:
    from mcpcfg.compiler.diagnostics.finding import Rule

OF_FILES = ("ADM001", "SYN", "VMC120", "VMC121", "VMC229")
"""Rules of the reader, the one of admission that a module repeats, and those of vMCP configuration files alone."""


def resource_rules() -> dict[str, Rule]:
    """Return the rules about resources by id: those of their modules, and of what the vMCP process refuses."""
    names = [f"{ROOM}.{module.name}" for module in MODULES]
    names += [f"mcpcfg.{name}" for name in DECLARING if name.startswith("compiler.vmcp.")]
    rules = {rule.id: rule for name in names for rule in rules_of(import_module(name))}
    return {id_: rule for id_, rule in sorted(rules.items()) if not id_.startswith(OF_FILES)}
