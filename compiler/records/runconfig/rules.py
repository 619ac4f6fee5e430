"""Rules of run configurations: what keeps the runner from starting."""

from __future__ import annotations

from ...diagnostics.finding import rule

LIFETIME = rule(
    "RUN059",
    "runconfig-session-lifetime-refused",
    "The lifetime of idle sessions is not a duration",
    stage="process",
    checks="`session_ttl` is not a duration, or is below 0 (0 means two hours).",
    why="The file loads, but the runner exits when it starts.",
    example='"session_ttl": "7 days"',
    fix='Write `"session_ttl": "168h"`.',
    source="toolhive 0.28.0 and 0.44.0, package runner: Run.",
    since="0.28.0",
    verified=("0.28.0", "0.44.0"),
)
