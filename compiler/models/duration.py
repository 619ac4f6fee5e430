"""Go durations in resources: one or more numbers with a unit, without sign."""

from __future__ import annotations

from typing import Annotated

from .declare import Duration, Pattern

DurationText = Annotated[str, Pattern(r"^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$")]
"""A duration that is passed on unchanged."""

DecodedDuration = Annotated[DurationText, Duration()]
"""A duration that is decoded, and written back in Go's normal form."""
