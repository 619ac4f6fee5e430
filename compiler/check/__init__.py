"""The check: load, run the rules, report."""
