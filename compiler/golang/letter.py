"""Upper and lower case as Go has them.

Source: Go 1.26 standard library, strings.ToUpper and unicode.ToUpper: one character stays one character; encoding/json,
fold.go.
"""

from __future__ import annotations

# Keys are compared by the smallest letter of each folding set; of all letters beyond ASCII only these two fold to one
# that stands in the name of a field.
_FOLD = {0x017F: "s", 0x212A: "k"}


def upper(text: str) -> str:
    """Write ``text`` in upper case; a letter that has none of its own (``ß``) stays as it is."""
    return text.upper() if text.isascii() else "".join(map(_upper, text))


def folded(key: str) -> str:
    """Fold a key as encoding/json compares keys that no field spells exactly."""
    return key.lower() if key.isascii() else key.translate(_FOLD).lower()


def _upper(character: str) -> str:
    for changed in (character.upper(), character.title()):
        if len(changed) == 1:
            return changed
    return character
