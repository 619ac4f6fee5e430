"""Convert letters like Go: to upper case, and to the form in which encoding/json compares keys.

Source: Go 1.26 standard library, strings.ToUpper and unicode.ToUpper, which replace each character by a single
character; encoding/json, fold.go.
"""

from __future__ import annotations

# Keys are compared by the smallest letter of each folding set. Beyond ASCII, only these two letters fold to a letter
# that occurs in field names.
_FOLD = {0x017F: "s", 0x212A: "k"}


def upper(text: str) -> str:
    """Return ``text`` in upper case. A letter without a single upper-case letter (``ß``) stays unchanged."""
    return text.upper() if text.isascii() else "".join(map(_upper, text))


def folded(key: str) -> str:
    """Return the case-insensitive form of a key. If no field matches exactly, encoding/json compares these forms."""
    return key.lower() if key.isascii() else key.translate(_FOLD).lower()


def _upper(character: str) -> str:
    for changed in (character.upper(), character.title()):
        if len(changed) == 1:
            return changed
    return character
