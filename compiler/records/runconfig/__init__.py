"""Find values in run configurations that keep the runner from starting, or that have no effect."""

from functools import partial

from ...diagnostics.finding import rule
from ...diagnostics.version import RECORDED

LINT_READER = "toolhive 0.21.0, package runner: reading a RunConfig."
RUNNER = "toolhive 0.21.0, package runner: Run."
server_rule = partial(
    rule,
    stage="process",
    why="The authorization server does not start, nor does the proxy.",
    verified=RECORDED,
)
"""Declare a rule about an embedded authorization server."""
middleware_rule = partial(
    rule, stage="process", why="The middleware cannot be built, and the runner exits.", verified=RECORDED
)
"""Declare a rule about the settings of a middleware."""
