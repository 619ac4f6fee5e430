"""Find values in run configurations that keep the runner from starting, or that have no effect."""
