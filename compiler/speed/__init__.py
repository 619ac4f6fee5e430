"""What exists for speed alone: a cache of what was read, and of what calls printed.

Without this room and its call in `cli/check.py`, everything works as before, only slower.
"""

FEWEST_KEPT = 64
"""Fewer files are checked sooner than a cache is opened."""
