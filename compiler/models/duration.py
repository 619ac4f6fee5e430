"""Go durations in resources: one or more of number and unit, without sign."""

from __future__ import annotations

from typing import Annotated

from .declare import Duration, Pattern

DurationText = Annotated[str, Pattern(r"^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$")]
"""One that is handed on as it stands."""

DecodedDuration = Annotated[DurationText, Duration()]
"""One that is decoded, and written back in Go's normal form."""
