"""Decide which parts of a value are secret. Every output asks this package, and nothing else masks.

`pattern` has the names and forms, `text` finds secrets within one text, `value` within plain data with its
names and neighbors, and `source` within the lines of a file. `docs/decisions/15-secrets.md` gives the reasons.
"""
