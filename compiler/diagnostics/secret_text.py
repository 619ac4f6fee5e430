"""Secrets within texts: by which forms and names they are known, and texts without them. Imports nothing of ours.

Patterns are kept as text and compiled when the first text comes that may need them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MASK: Final = "***"
"""What stands in a message in the place of a secret."""

SHORTEST: Final = 6
"""Characters of the shortest value that is taken for a secret without being marked as one."""

SENSITIVE_NAME: Final = (
    r"(?i:(?:^|[_.\-])(?:pass(?:word|wd|phrase)?|secret|token|api[_\-]?key|access[_\-]?key|private[_\-]?key"
    r"|credentials?)$)"
)
"""Ends of names under which secrets are kept; ``TOKEN_URL`` or ``SECRET_NAME`` end otherwise."""

CREDENTIAL_FORM: Final = (
    r"(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}|glpat-[A-Za-z0-9_\-]{20,}"
    r"|xox[abprs]-[A-Za-z0-9-]{10,}|(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[A-Za-z0-9_\-]{35}"
    r"|sk-(?=[A-Za-z0-9_\-]{0,200}[A-Za-z0-9_]{20})[A-Za-z0-9_\-]{20,}|hf_[A-Za-z0-9]{30,}"
    r"|(?<![_\-])eyJ[A-Za-z0-9_\-]{8,}\.eyJ[A-Za-z0-9_\-]{8,}\.[A-Za-z0-9_\-]*)"
    r"|-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----"
    r"(?:(?:\s|\\[nr])*+(?:(?:Proc-Type|DEK-Info):[^\n]*+|[A-Za-z0-9+/=]{16,}+))*+"
    r"(?:(?:\s|\\[nr])*+[A-Za-z0-9+/=]{0,16}(?:\s|\\[nr])*+-----END [A-Z ]{0,40}PRIVATE KEY-----)?"
)
"""Forms of tokens and keys that are recognised by themselves."""

_SIGNS_BY_LETTER: Final = (
    ("_", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "hf_")),
    ("I", ("AKIA", "ASIA", "AIza", "-----BEGIN")),
    ("-", ("glpat-", "sk-")),
    ("x", ("xox",)),
    ("J", ("eyJ",)),
)
"""Substrings of which a value of such a form has one, below a letter of theirs: a text is sooner searched for that."""
_VALUE_SIGNS: Final = tuple(sign for _, signs in _SIGNS_BY_LETTER for sign in signs)

SIGNS: Final = ("pass", "secret", "token", "key", "credential", "@", *(sign.lower() for sign in _VALUE_SIGNS))
"""Substrings of which a sensitive name, or a value of a secret's form, has one, in lower case."""

CREDENTIALS_IN_URL: Final = r"(?i:(?<=[a-z0-9+.\-])://[^\s:@/]*:[^\s@/$]+@)"
"""The user and the password of a URL, where the password is no placeholder."""

_USER_INFO: Final = (
    r'://(?:[^\s:@/"]{0,256}:(?P<password>[^\s"/]{1,512}|(?!\d{1,5}[/?#])[^\s"@]{1,512})@'
    r'|(?:(?<=(?i:http)://)|(?<=(?i:https)://))(?P<user>[^\s:@/"]{8,512})@)'
)
"""Of a URL; one of HTTP without a password may be a token. It begins with what is quickly looked for."""

_ASSIGNED: Final = r"(?<=[A-Za-z])=(?=[\"']?(?P<assigned>[^\s\"'&,;)}\]]{6,512}))"
_BEFORE_ASSIGNED: Final = (
    r"(?i:pass(?:word|wd|phrase)|secret|token|api[_\-]?key|access[_\-]?key|private[_\-]?key|credentials?)\Z"
)
_LONGEST_NAME: Final = 20
"""``--token=…``, ``?access_token=…``, ``Password=…;``"""

_AUTHORIZATION: Final = r"(?i:\b(?:bearer|basic)) +(?P<credentials>(?=\S{0,200}\d)[A-Za-z0-9._~+/\-]{16,}=*)"

_FORM_SIGNS: Final = ("=", "@", *_VALUE_SIGNS)
"""What a text with a secret by its own form has in it, but for the credentials of an ``Authorization`` header."""
_SCHEMES: Final = ("bearer ", "basic ")
SHORTEST_FORM: Final = 8
"""Characters of the shortest text that holds a secret by its own form."""

_FILLED_IN_LATER: Final = r"\$\{[^}]*\}|\$\([^)]*\)|\$[A-Za-z_]\w*|\{\{.*\}\}|<[^>]*>|[*.…x]+"
"""Placeholders, and what is written in place of a secret that was left out."""

_LONGEST_PLACEHOLDER: Final = 300

_HARMLESS: Final = r"(?i:|true|false|yes|no|on|off|null|none|~)"
"""Values that are no secrets even under a sensitive name."""

_MORE_NAMES: Final = (
    r"(?i:(?:^|[_.\-])(?:secret[_\-]?key|signing[_\-]?key|encryption[_\-]?key|authorization|cookie|client[_\-]?secret"
    r"|bearer[_\-]?token|auth[_\-]?token|hmac)$)"
)
"""Names whose values are mostly confidential: they are masked, but no rule warns of them."""

_SENSITIVE_WORDS: Final = ("password", "passphrase", "passwd", "secret", "token", "credential", "apikey")
_BETWEEN_WORDS: Final = r"(?<=[a-z0-9])(?=[A-Z])"


@lru_cache(maxsize=10_000)
def is_sensitive(name: str) -> bool:
    """Return whether a value under ``name``, in whatever spelling of its words, is not to be shown."""
    words = re.sub(_BETWEEN_WORDS, "_", name[-200:])
    return re.search(SENSITIVE_NAME, words) is not None or re.search(_MORE_NAMES, words) is not None


def is_nearly_sensitive(name: str, beside: object = None) -> bool:
    """Return whether an unknown name was probably meant to be sensitive, or to be ``value`` beside a sensitive name.

    Args:
        name: The name.
        beside: What stands under ``name`` in the same mapping.
    """
    word = re.split(r"[_.\-]", re.sub(_BETWEEN_WORDS, "_", name[-200:]).lower())[-1][:40]
    if isinstance(beside, str) and is_sensitive(beside):
        return _is_near(word, (*_SENSITIVE_WORDS, "value"))
    return is_sensitive(name) or _is_near(word, _SENSITIVE_WORDS)


@lru_cache(maxsize=1_000)  # one unknown field may stand in every item of a long list
def _is_near(word: str, known: tuple[str, ...]) -> bool:
    from difflib import get_close_matches

    return bool(get_close_matches(word, known, 1, 0.8))


def is_withheld(value: str) -> bool:
    """Return whether a value that stands where a secret is expected is one, not a placeholder or a switch."""
    if len(value) > _LONGEST_PLACEHOLDER:
        return True
    return re.fullmatch(_FILLED_IN_LATER, value) is None and re.fullmatch(_HARMLESS, value) is None


def forms(text: str) -> list[tuple[int, int]]:
    """Return where ``text`` holds what is a secret by its own form: tokens, keys, passwords in URLs and arguments.

    The stretches are sorted and keep apart.
    """
    if len(text) < SHORTEST_FORM:
        return []
    found = [*_tokens(text)]
    if "@" in text and "://" in text:
        found += [one.span(one.lastgroup or 0) for one in re.finditer(_USER_INFO, text)]
    if "=" in text:
        found += _assigned(text)
    if _may_have_scheme(text):
        found += [one.span("credentials") for one in re.finditer(_AUTHORIZATION, text)]
    apart: list[tuple[int, int]] = []
    for start, end in sorted(one for one in found if is_withheld(text[slice(*one)])):
        if apart and start < apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    """Yield the tokens and keys that are recognised by their form; each begins with its sign."""
    for sign in _signs_in(text):
        at = text.find(sign)
        while at >= 0:
            found = _credential_form().match(text, at)
            if found is not None:
                yield found.span()
            at = text.find(sign, at + len(sign) if found is None else found.end())


def _signs_in(text: str) -> list[str]:
    """Return those of `_VALUE_SIGNS` that stand in a text: in nearly all there is none."""
    return [sign for letter, signs in _SIGNS_BY_LETTER if letter in text for sign in signs if sign in text]


@cache
def _credential_form() -> re.Pattern[str]:
    return re.compile(CREDENTIAL_FORM)


def _assigned(text: str) -> Iterator[tuple[int, int]]:
    """Yield the values that are assigned to a sensitive name."""
    before = re.compile(_BEFORE_ASSIGNED)
    for found in re.finditer(_ASSIGNED, text):
        at = found.start()
        if before.search(text, max(0, at - _LONGEST_NAME), at) is not None:
            yield found.span("assigned")


def may_have_form(text: str) -> bool:
    """Return quickly whether `forms` may find something in a text; in nearly all it does not."""
    if len(text) < SHORTEST_FORM:
        return False
    # Asked of every message: no pattern and no loop in Python is as fast.
    return any(map(text.__contains__, _FORM_SIGNS)) or (" " in text and _may_have_scheme(text))


def _may_have_scheme(text: str) -> bool:
    return any(map(text.lower().__contains__, _SCHEMES))


def masked(text: str) -> str:
    """Return ``text`` with `MASK` in the place of what is a secret by its own form."""
    return without(text, forms(text)) if may_have_form(text) else text


def masked_path(path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Return a path whose names are `masked`."""
    return tuple([masked(step) if isinstance(step, str) else step for step in path])


def without(text: str, stretches: Iterable[tuple[int, int]], mask: str = MASK) -> str:
    """Return ``text`` with ``mask`` in the place of each stretch; they are sorted and keep apart."""
    parts: list[str] = []
    at = 0
    for start, end in stretches:
        parts += (text[at:start], mask)
        at = end
    return "".join((*parts, text[at:])) if parts else text


_PERHAPS_USER_INFO: Final = r"://[!#-.0-~]{1,600}@"
_LONGEST_FORM: Final = 1_000


def has_form(text: str) -> bool:
    """Return, of a long text and quickly, whether a token, a key or a URL with a password stands in it."""
    user_info = re.compile(_PERHAPS_USER_INFO)
    for sign in (*_VALUE_SIGNS, "://"):
        at = text.find(sign)
        while at >= 0:
            near = text[max(0, at - 10) : at + _LONGEST_FORM]
            if (sign != "://" or user_info.match(text, at)) and forms(near):
                return True
            at = text.find(sign, at + len(sign))
    return False
