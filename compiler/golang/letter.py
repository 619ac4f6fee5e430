"""Letters in upper case, as Go's strings.ToUpper writes them.

Source: Go 1.26 standard library, strings.ToUpper and unicode.ToUpper: one character stays one character.
"""

from __future__ import annotations


def upper(text: str) -> str:
    """Write ``text`` in upper case; a letter that has none of its own (``ß``) stays as it is."""
    return text.upper() if text.isascii() else "".join(map(_upper, text))


def _upper(character: str) -> str:
    for changed in (character.upper(), character.title()):
        if len(changed) == 1:
            return changed
    return character
