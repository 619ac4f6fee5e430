"""Findings, faults, places in texts, budgets and secrets: the base that every checker uses."""
