"""Run configurations: what keeps the runner from starting, what has no effect."""

LINT_READER = "toolhive 0.21.0, package runner: reading a RunConfig."
RUNNER = "toolhive 0.21.0, package runner: Run."
