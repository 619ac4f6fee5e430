"""Decide which parts of a value are secret. Every output asks this package, and nothing else masks.

`docs/decisions/15-secrets.md` lists the modules and gives the reasons.
"""
