"""Read the configuration of the vMCP process, and find the values that the process refuses."""

from __future__ import annotations

from functools import partial

from ..diagnostics.finding import rule
from ..diagnostics.version import RECORDED

VALIDATOR = "The validator of the vMCP process, v0.21.0."
START = "The start of the vMCP process, v0.21.0."
CRASH = (
    "The operator writes the configuration without checking it; the process refuses it, and the pod crashes in a loop."
)
crash_rule = partial(rule, stage="process", why=CRASH, verified=RECORDED)
"""Declare a rule about a value with which the process of a virtual server crashes."""
