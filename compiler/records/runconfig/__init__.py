"""Find values in run configurations that keep the runner from starting, or that have no effect."""

LINT_READER = "toolhive 0.21.0, package runner: reading a RunConfig."
RUNNER = "toolhive 0.21.0, package runner: Run."
