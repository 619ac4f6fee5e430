"""Values that a later tool fills in."""

from __future__ import annotations

import re
from typing import Final

# Compiled when the first dollar sign comes.
_PLACEHOLDER: Final = r"\$(?:[A-Za-z_]|\{[A-Za-z_][A-Za-z0-9_]*(?:\}|[-:=+?#%/^,@][^}]*\}))"

UNKNOWN: Final = "${UNKNOWN}"
"""A placeholder of our own, for a value that cannot be what it is."""


def is_placeholder(text: str) -> bool:
    """Return whether ``text`` holds ``$NAME``, ``${NAME}`` or ``${NAME:=default}`` anywhere: its value is unknown.

    ``$$`` is an escaped dollar sign. Kubernetes' own ``$(NAME)`` is none: the pod's start fills it in, no tool before.

    Source: envsubst; Flux's postBuild substitution (drone/envsubst).
    """
    if "$" not in text:
        return False
    return re.search(_PLACEHOLDER, text.replace("$$", "")) is not None
