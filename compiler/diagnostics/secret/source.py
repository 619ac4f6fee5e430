"""Show source texts with asterisks in place of secrets. Lines and columns stay the same."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from .text import MASK, Shown, starred
from .value import ranges_of

_QUOTED: Final = r'"(?P<quoted>[^"\n]+)"|[*&!]?(?P<word>[^\s"]{6,})'


@lru_cache(maxsize=2)  # consecutive findings are mostly in one text
def masked_source(text: str) -> Shown:
    """Return ``text`` with an asterisk for each character of a secret."""
    return Shown(starred(text, ranges_of(text)))


def with_quotes_masked(message: str, text: str) -> str:
    """Return a parser's message about ``text`` with the secrets that it quotes masked."""
    seen = masked_source(text)
    if seen == text:
        return message

    def mask_quote(quote: re.Match[str]) -> str:
        quoted = (quote["quoted"] or quote["word"]).rstrip("…")
        is_visible = quoted in seen or (quoted not in text and "\\" not in quoted)
        return quote[0] if is_visible else quote[0].replace(quoted, MASK)

    return re.sub(_QUOTED, mask_quote, message)
