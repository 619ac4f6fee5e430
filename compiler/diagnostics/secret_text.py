"""Recognize secrets in texts by names and patterns, and mask them.

Patterns are kept as strings and compiled when the first text may need them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MASK: Final = "***"
"""The replacement of a secret in messages."""

SHORTEST: Final = 6
"""Minimum characters of an unmarked value that counts as a secret. Shorter values are mostly words such as ``none``."""

SENSITIVE_NAME: Final = (
    r"(?i:(?:^|[_.\-])(?:pass(?:word|wd|phrase)?|secret|token|api[_\-]?key|access[_\-]?key|private[_\-]?key"
    r"|credentials?)$)"
)
"""Names of secrets, matched at their end. ``TOKEN_URL`` and ``SECRET_NAME`` do not match."""

CREDENTIAL_FORM: Final = (
    r"(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}|glpat-[A-Za-z0-9_\-]{20,}"
    r"|xox[abprs]-[A-Za-z0-9-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_\-]{35}"
    r"|sk-(?=[A-Za-z0-9_\-]{0,200}[A-Za-z0-9_]{20})[A-Za-z0-9_\-]{20,}|hf_[A-Za-z0-9]{30,}"
    r"|(?<![_\-])eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*)"
    r"|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----"
    r"(?:(?:\s|\\[nr])*+(?:(?:Proc-Type|DEK-Info):[^\n]*+|[A-Za-z0-9+/=]{16,}+))*+"
    r"(?:(?:\s|\\[nr])*+[A-Za-z0-9+/=]{0,16}(?:\s|\\[nr])*+-----END [A-Z ]{0,40}PRIVATE KEY-----)?"
)
"""Tokens and keys that are recognized by their form."""

_SIGNS_BY_LETTER: Final = (
    ("_", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "hf_")),
    ("I", ("AKIA", "ASIA", "AIza", "-----BEGIN")),
    ("-", ("glpat-", "sk-")),
    ("x", ("xox",)),
    ("J", ("eyJ",)),
)
"""Substrings that every such token contains, grouped by a letter in them. A search for the letter is fast."""
_VALUE_SIGNS: Final = tuple(sign for _, signs in _SIGNS_BY_LETTER for sign in signs)

SIGNS: Final = ("pass", "secret", "token", "key", "credential", "@", *(sign.lower() for sign in _VALUE_SIGNS))
"""Lower-case substrings. Every sensitive name and every token contains at least one of them."""

CREDENTIALS_IN_URL: Final = r"(?i:(?<=[a-z0-9+.\-])://[^\s:@/]*:[^\s@/$]+@)"
"""User and password of a URL. A password that is a placeholder does not match."""

_USER_INFO: Final = (
    r'://(?:[^\s:@/"]{0,256}:(?P<password>[^\s"/]{1,512}|(?!\d{1,5}[/?#])[^\s"@]{1,512})@'
    r'|(?:(?<=(?i:http)://)|(?<=(?i:https)://))(?P<user>[^\s:@/"]{8,512})@)'
)
"""User and password of a URL. The user of an HTTP URL without password may be a token.

The pattern begins with the literal ``://`` because a search for a literal is fast. So does `_ASSIGNED` with ``=``.
"""

_ASSIGNED: Final = r"=(?<=[A-Za-z]=)(?=[\"']?(?P<assigned>[^\s\"'&,;)}\]]{6,512}))"
_BEFORE_ASSIGNED: Final = (
    r"(?i:pass(?:word|wd|phrase)|secret|token|api[_\-]?key|access[_\-]?key|private[_\-]?key|credentials?)\Z"
)
_LONGEST_NAME: Final = 20
"""Maximum length of a sensitive name before ``=``: ``--token=…``, ``?access_token=…``, ``Password=…;``.

The longest name in `_BEFORE_ASSIGNED` has 11 characters.
"""

_AUTHORIZATION: Final = r"(?i:\b(?:bearer|basic)) +(?P<credentials>(?=\S{0,200}\d)[A-Za-z0-9._~+/\-]{16,}=*)"
"""Credentials of an ``Authorization`` header. Shorter texts, and texts without a digit, are mostly words of prose."""

_FORM_SIGNS: Final = ("=", "@", *_VALUE_SIGNS)
"""Substrings of every text that contains a secret by form, except credentials of an ``Authorization`` header."""
_SCHEMES: Final = ("bearer ", "basic ")
SHORTEST_FORM: Final = 8
"""Minimum characters of a text that contains a secret by form. Shorter texts are not searched."""

_FILLED_IN_LATER: Final = r"\$\{[^}]*\}|\$\([^)]*\)|\$[A-Za-z_]\w*|\{\{.*\}\}|<[^>]*>|[*.…x]+"
"""Placeholders, and fillers that people write instead of a secret."""

_LONGEST_PLACEHOLDER: Final = 300
"""Maximum length of a value that is compared with the patterns of placeholders, which are slow."""

_HARMLESS: Final = r"(?i:|true|false|yes|no|on|off|null|none|~)"
"""Values that are not secrets even under a sensitive name."""

_MORE_NAMES: Final = (
    r"(?i:(?:^|[_.\-])(?:secret[_\-]?key|signing[_\-]?key|encryption[_\-]?key|authorization|cookie|client[_\-]?secret"
    r"|bearer[_\-]?token|auth[_\-]?token|hmac)$)"
)
"""Names whose values are usually confidential. The values are masked, but no rule warns about them."""

_SENSITIVE_WORDS: Final = ("password", "passphrase", "passwd", "secret", "token", "credential", "apikey")
_BETWEEN_WORDS: Final = r"(?<=[a-z0-9])(?=[A-Z])"


@lru_cache(maxsize=10_000)  # the documents of a project repeat the same few names
def is_sensitive(name: str) -> bool:
    """Return whether the value under ``name`` must not be shown. Camel case and snake case are treated alike."""
    # The end of a name decides. A name may be of any length, so only its end is searched.
    words = re.sub(_BETWEEN_WORDS, "_", name[-200:])
    return re.search(SENSITIVE_NAME, words) is not None or re.search(_MORE_NAMES, words) is not None


def is_nearly_sensitive(name: str, beside: object = None) -> bool:
    """Return whether an unknown name is probably a misspelt sensitive name, or a misspelt ``value``.

    Args:
        beside: The value of the key ``name`` in the same mapping, as in ``{name: API_KEY, valeu: …}``. If it is a
            sensitive name, misspellings of ``value`` count too.
    """
    # Comparing words takes quadratic time, and the longest sensitive word has 10 letters.
    word = re.split(r"[_.\-]", re.sub(_BETWEEN_WORDS, "_", name[-200:]).lower())[-1][:40]
    if isinstance(beside, str) and is_sensitive(beside):
        return _is_near(word, (*_SENSITIVE_WORDS, "value"))
    return is_sensitive(name) or _is_near(word, _SENSITIVE_WORDS)


@lru_cache(maxsize=1_000)  # one unknown field may stand in every item of a long list
def _is_near(word: str, words: tuple[str, ...]) -> bool:
    from difflib import get_close_matches

    # 0.8 allows two wrong letters in a word of ten.
    return bool(get_close_matches(word, words, 1, 0.8))


def is_withheld(value: str) -> bool:
    """Return whether the value of a sensitive name must be masked. Placeholders and switches stay visible."""
    if len(value) > _LONGEST_PLACEHOLDER:
        return True
    return re.fullmatch(_FILLED_IN_LATER, value) is None and re.fullmatch(_HARMLESS, value) is None


def secret_ranges(text: str) -> list[tuple[int, int]]:
    """Return the ranges of ``text`` that are secrets by form: tokens, keys, passwords in URLs and arguments.

    The ranges are sorted and do not overlap.
    """
    if len(text) < SHORTEST_FORM:
        return []
    candidates = [*_tokens(text)]
    if "@" in text and "://" in text:
        candidates += [match.span(match.lastgroup or 0) for match in re.finditer(_USER_INFO, text)]
    if "=" in text:
        candidates += _assigned(text)
    if _may_have_scheme(text):
        candidates += [match.span("credentials") for match in re.finditer(_AUTHORIZATION, text)]
    merged: list[tuple[int, int]] = []
    for start, end in sorted(span for span in candidates if is_withheld(text[slice(*span)])):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    for sign in _signs_in(text):
        at = text.find(sign)
        while at >= 0:
            match = _credential_form().match(text, at)
            if match is not None:
                yield match.span()
            at = text.find(sign, at + len(sign) if match is None else match.end())


def _signs_in(text: str) -> list[str]:
    return [sign for letter, signs in _SIGNS_BY_LETTER if letter in text for sign in signs if sign in text]


@cache
def _credential_form() -> re.Pattern[str]:
    return re.compile(CREDENTIAL_FORM)


def _assigned(text: str) -> Iterator[tuple[int, int]]:
    before = re.compile(_BEFORE_ASSIGNED)
    for match in re.finditer(_ASSIGNED, text):
        at = match.start()
        if before.search(text, max(0, at - _LONGEST_NAME), at) is not None:
            yield match.span("assigned")


def may_have_form(text: str) -> bool:
    """Return whether `secret_ranges` may find a secret. The check is fast, and false for nearly all texts."""
    if len(text) < SHORTEST_FORM:
        return False
    # Asked of every message: no pattern and no loop in Python is as fast.
    return any(map(text.__contains__, _FORM_SIGNS)) or (" " in text and _may_have_scheme(text))


def _may_have_scheme(text: str) -> bool:
    return any(map(text.lower().__contains__, _SCHEMES))


def masked(text: str) -> str:
    """Return ``text`` with `MASK` in place of secrets by form."""
    return without(text, secret_ranges(text)) if may_have_form(text) else text


def masked_path(path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Return the path with secrets in its names masked."""
    return tuple([masked(step) if isinstance(step, str) else step for step in path])


def without(text: str, stretches: Iterable[tuple[int, int]], mask: str = MASK) -> str:
    """Return ``text`` with ``mask`` in place of each range. Ranges are sorted and do not overlap."""
    parts: list[str] = []
    at = 0
    for start, end in stretches:
        parts += (text[at:start], mask)
        at = end
    return "".join((*parts, text[at:])) if parts else text


_PERHAPS_USER_INFO: Final = r"://[!#-.0-~]{1,600}@"
_LONGEST_FORM: Final = 1_000
"""Number of characters that are searched for a secret after each typical substring.

Searching the whole rest of the text each time would take quadratic time.
"""


def has_form(text: str) -> bool:
    """Return whether a long text contains a token, a key or a URL with a password.

    Only the surroundings of typical substrings are searched, so the check is fast and may miss a very long secret.
    """
    user_info = re.compile(_PERHAPS_USER_INFO)
    for sign in (*_VALUE_SIGNS, "://"):
        at = text.find(sign)
        while at >= 0:
            # The patterns also test a few characters before the substring, such as the scheme of a URL.
            near = text[max(0, at - 10) : at + _LONGEST_FORM]
            if (sign != "://" or user_info.match(text, at)) and secret_ranges(near):
                return True
            at = text.find(sign, at + len(sign))
    return False
