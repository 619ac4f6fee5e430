"""Recognize run configurations that the operator wrote.

The operator compiles them from resources, and nobody edits them by hand. Their lints are left out, because the check of
the resources reports the same lints where they can be fixed. Faults that stop the runner are reported, and so is
everything that the operator would not have written.

Source: toolhive 0.21.0, operator: RunConfig of MCPServers and MCPRemoteProxies; the service always states a group.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...toolhive.constants import WORKLOAD_LABEL
from .lint import SCHEMA_VERSION
from .middleware import UNKNOWN_FIELD

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...diagnostics.fault import Fault

_NOT_OF_OPERATOR = frozenset({UNKNOWN_FIELD, SCHEMA_VERSION})
"""Rules whose lints are reported, because the operator writes neither unknown fields nor another version."""


def is_of_operator(config: Mapping[str, Any]) -> bool:
    """Return whether the operator probably wrote a decoded run configuration.

    The operator states no group, and writes the same name into ``name``, ``base_name`` and the label of the workload.
    """
    names = {config["name"], config["base_name"], (config["container_labels"] or {}).get(WORKLOAD_LABEL)}
    return not config["group"] and len(names) == 1 and bool(config["name"])


def is_reported_elsewhere(fault: Fault) -> bool:
    """Return whether a fault is a lint that the check of resources reports too."""
    return fault.rule.stage == "lint" and fault.rule not in _NOT_OF_OPERATOR
