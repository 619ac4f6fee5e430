"""Caching, which only improves speed: the facts of read files, and the output of runs.

Without this package and the call in `cli/check.py`, everything works the same, only slower.
"""

FEWEST_KEPT = 64
"""Minimum number of files for using the cache. With fewer files, opening the cache takes longer than checking."""
