"""Workload requests: checked, compiled, converted, listed."""
