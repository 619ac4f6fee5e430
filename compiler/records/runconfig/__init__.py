"""Check run configurations: values that keep the runner from starting, and values without effect."""

LINT_READER = "toolhive 0.21.0, package runner: reading a RunConfig."
RUNNER = "toolhive 0.21.0, package runner: Run."
