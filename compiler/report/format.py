"""The formats of a report."""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

Format: TypeAlias = Literal["text", "json", "github", "sarif", "junit", "gitlab", "markdown"]
"""Each is the module of this room that writes it."""

FORMATS: tuple[Format, ...] = get_args(Format)
