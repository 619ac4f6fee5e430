"""Run configurations: what keeps the runner from starting, what has no effect."""
