"""Workload requests: checked, compiled, converted, told."""
