"""The rules of stage ``syntax``, and what is reported of files that are not read: their identities and their pages."""

from __future__ import annotations

from typing import Final

from .file import (
    BEYOND_BOUNDS,
    FORBIDDEN_CHARACTER,
    JSON_SYNTAX,
    UNREADABLE_FILE,
)
from .meaning import (
    DUPLICATE_KEY,
    EXCESSIVE_ALIASES,
    UNKNOWN_ALIAS,
    UNSUITABLE_KEY,
    UNSUITABLE_VALUE,
)
from .notation import (
    BAD_INDENTATION,
    COLON_IN_VALUE,
    MISSING_COLON,
    RESERVED_CHARACTER,
    TAB_INDENTATION,
    UNCLOSED_BRACKET,
    UNCLOSED_QUOTE,
    UNKNOWN_ESCAPE,
    YAML_SYNTAX,
)

RULES: Final = (
    YAML_SYNTAX,
    TAB_INDENTATION,
    UNCLOSED_QUOTE,
    UNCLOSED_BRACKET,
    BAD_INDENTATION,
    COLON_IN_VALUE,
    MISSING_COLON,
    RESERVED_CHARACTER,
    UNKNOWN_ESCAPE,
    DUPLICATE_KEY,
    UNKNOWN_ALIAS,
    UNSUITABLE_KEY,
    UNSUITABLE_VALUE,
    FORBIDDEN_CHARACTER,
    BEYOND_BOUNDS,
    EXCESSIVE_ALIASES,
    JSON_SYNTAX,
    UNREADABLE_FILE,
)
"""All of them, in the order of their ids."""

__all__ = (
    "BAD_INDENTATION",
    "BEYOND_BOUNDS",
    "COLON_IN_VALUE",
    "DUPLICATE_KEY",
    "EXCESSIVE_ALIASES",
    "FORBIDDEN_CHARACTER",
    "JSON_SYNTAX",
    "MISSING_COLON",
    "RESERVED_CHARACTER",
    "RULES",
    "TAB_INDENTATION",
    "UNCLOSED_BRACKET",
    "UNCLOSED_QUOTE",
    "UNKNOWN_ALIAS",
    "UNKNOWN_ESCAPE",
    "UNREADABLE_FILE",
    "UNSUITABLE_KEY",
    "UNSUITABLE_VALUE",
    "YAML_SYNTAX",
)
