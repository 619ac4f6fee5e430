"""What exists for speed alone: processes that share the reading, and what is kept between calls.

Without this room and its two calls, in `check/load.py` and `cli/check.py`, everything works as before, only slower.
"""

FEWEST_SHARED = 1_500
"""Fewer files are not worth a second process."""
FEWEST_KEPT = 64
"""Fewer files are checked sooner than a cache is opened."""
