"""Find secrets in a text by its form alone, and decide which names and values are secret.

Patterns are kept as strings and compiled when the first text may need them.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final, NewType

from .pattern import (
    FILLED_IN_LATER,
    FORMS,
    HARMLESS,
    NAMELESS,
    NAMES,
    NOT_WARNED,
    PUBLIC_NAMES,
    REFERENCE_TEXT,
    WARNED_NAMES,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .pattern import Form

Shown = NewType("Shown", str)
"""A text without secrets. Only this package makes it, so what takes it, such as a finding, cannot show a raw value."""

MASK: Final = "***"
"""The replacement of a secret in messages."""

SHORTEST: Final = 6
"""Minimum characters of an unmarked value that counts as a secret. Shorter values are mostly words such as ``none``."""
_SHORTEST_NAMED: Final = 3
"""Minimum characters of a value under a sensitive name that is masked."""
SHORTEST_FORM: Final = 8
"""Minimum characters of a text that contains a secret by form. Shorter texts are not searched."""
_LONGEST_NAME: Final = 80
"""Maximum characters of a name before ``=``: ``--token=…``, ``?access_token=…``, ``context.token == "…"``."""
_LONGEST_PLACEHOLDER: Final = 300
"""Maximum length of a value that is compared with the patterns of placeholders, which are slow."""

_USER_INFO: Final = (
    r'://(?:[^\s:@/"]{0,256}:(?P<password>[^\s"/]{1,512}|(?!\d{1,5}[/?#])[^\s"@]{1,512})@'
    r'|(?:(?<=(?i:http)://)|(?<=(?i:https)://))(?P<user>[^\s:@/"]{8,512})@)'
)
"""User and password of a URL. The user of an HTTP URL without password may be a token.

The pattern begins with the literal ``://`` because a search for a literal is fast. So does `_ASSIGNED` with ``=``.
"""
_ASSIGNED: Final = (
    r"=(?=[\"']?(?P<plain>[^\s\"'=&,;)}\]][^\s\"'&,;)}\]]{5,511})"
    r"|=?[ \x1f]{0,8}\\?[\"'](?P<quoted>[^\"'\\\n]{3,512}))"
)
_STATED: Final = r":(?=[ \t]*(?:[\"'](?P<quoted>[^\"'\n]{3,512})|(?P<plain>[^\s\"'][^\n\"']{2,512})))"
_BEFORE_ASSIGNED: Final = r"(?:\\(?:u00[0-9a-fA-F]{2}|[nrt]))?([A-Za-z][\w.\-]*)[\\\"'\]) \x1f]{0,12}[!:=]?\Z"
_COMPARED: Final = r"\"(?P<compared>[^\"\\\n]{3,512})\\?\" {0,2}[=!]= {0,2}(?P<name>[\w.]{1,80})"
_AUTHORIZATION: Final = (
    r"(?i:\b(?:bearer|basic)) +(?P<credentials>(?=\S{0,200}(?:\d|[a-z][A-Z]))[A-Za-z0-9._~+/\-]{6,}=*)"
)
"""Credentials of an ``Authorization`` header. Texts without a digit or capital are mostly words of prose."""
_CREDENTIALS_IN_URL: Final = r"(?i:(?<=[a-z0-9+.\-])://[^\s:@/]*:[^\s@/$]+@)"
"""User and password of a URL. A password that is a placeholder does not match."""
_FLAG: Final = (
    r"""-(?<![\w\-]-)-?(?P<name>[A-Za-z][\w.\-]{0,100}+)["']?(?:\s*,\s*|[\s\\]+)"""
    r"""(?:"(?P<double>[^"\n]+)|'(?P<single>[^'\n]+)|(?P<plain>[^\s,\]"'\-][^\s,\]"']*))"""
)
"""An option and its value, in a shell command or in a list."""
_DEFAULT: Final = r"\$\{(?P<name>\w+):?[-=+](?P<default>[^}\n]*+)"
_SCHEME: Final = (
    r"""(?m)(?:(?:^|[:\-\[,{=])[ \t]*|["'])(?:Bearer|Basic) (?P<credentials>[^\s"',}\]\\]{4,})"""
    r"""(?=[ \t\\"',}\]]*(?:#|$))"""
)
"""A value that is an authentication scheme and one word. Only a capital letter tells it from prose."""
_WORD: Final = r"[\w.\-/]+"
_ESCAPES: Final = r"\\(?:u[0-9a-fA-F]{4}|[nrt])"
_SCHEMES: Final = ("bearer ", "basic ")


def _by_letter() -> tuple[tuple[str, tuple[str, ...]], ...]:
    groups: dict[str, list[str]] = {}
    for sign in (sign for form in FORMS for sign in form.signs):
        letter = next((char for char in "_~-." if char in sign), None) or sign[-1]
        groups.setdefault(letter, []).append(sign)
    return tuple((letter, tuple(signs)) for letter, signs in groups.items())


_SIGNS_BY_LETTER: Final = _by_letter()
"""The signs of all forms, grouped by a letter in them. A search for the letter is fast."""
_FORM_OF_SIGN: Final = {sign: form for form in FORMS for sign in form.signs}
_BETWEEN_WORDS: Final = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
_SENSITIVE_WORDS: Final = ("password", "passphrase", "passwd", "secret", "token", "credential", "apikey")


@lru_cache(maxsize=10_000)  # the documents of a project repeat the same few names
def is_sensitive(name: str) -> bool:
    """Return whether the value under ``name`` must not be shown. Camel case and snake case are treated alike."""
    words = _words(name)
    return _names().fullmatch(words) is not None and re.fullmatch(rf"(?:\w+_)?(?:{PUBLIC_NAMES})", words) is None


def _words(name: str) -> str:
    # The end of a name decides. A name may be of any length, so only its end is searched.
    return re.sub(r"[^a-z0-9]+", "_", re.sub(_BETWEEN_WORDS, "_", name[-_LONGEST_NAME:]).lower()).strip("_")


@cache
def _names() -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern, _ in NAMES), re.ASCII)


def is_nearly_sensitive(name: str, beside: object = None) -> bool:
    """Return whether an unknown name is probably a misspelt sensitive name, or a misspelt ``value``.

    Args:
        beside: The value of the key ``name`` in the same mapping, as in ``{name: API_KEY, valeu: …}``. If it is a
            sensitive name, misspellings of ``value`` count too.
    """
    # Comparing words takes quadratic time, and the longest sensitive word has 10 letters.
    word = _words(name).rpartition("_")[2][:40]
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
    if not _SHORTEST_NAMED <= len(value) <= _LONGEST_PLACEHOLDER:
        return len(value) > _LONGEST_PLACEHOLDER
    return not any(re.fullmatch(pattern, value) for pattern in (FILLED_IN_LATER, HARMLESS, REFERENCE_TEXT))


def looks_secret(name: str, value: str) -> bool:
    """Return whether a rule warns about ``value`` as a secret in plain text, by its own form or by its ``name``.

    Short values, placeholders and harmless values such as ``true`` do not look like secrets.
    """
    from ..placeholder import is_placeholder

    if len(value) < SHORTEST:
        return False
    if re.search(WARNED_NAMES, name) is not None:
        return re.fullmatch(NOT_WARNED, value) is None and not is_placeholder(value)
    return has_credential_form(value)


def may_hold_secret(text: str) -> bool:
    """Return whether `looks_secret` may be true for a value in ``text``. The check is fast."""
    small = text.lower()
    return any(sign in small for sign in ("pass", "secret", "token", "key", "credential", "@")) or bool(_signs_in(text))


def has_credential_form(value: str) -> bool:
    """Return whether the form of the value alone shows that it is a secret."""
    from ..placeholder import is_placeholder

    if len(value) < SHORTEST:
        return False
    in_url = "@" in value and re.search(_CREDENTIALS_IN_URL, value) is not None
    return (in_url or next(_tokens(value), None) is not None) and not is_placeholder(value)


def secret_ranges(text: str) -> list[tuple[int, int]]:
    """Return the sorted, disjoint ranges of tokens, keys, passwords in URLs and other secrets by form."""
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
        form = _FORM_OF_SIGN[sign]
        at = text.find(sign)
        while at >= 0:
            match = _compiled(form).match(text, max(0, at - form.before))
            if match is not None:
                yield match.span(match.lastgroup or 0)
            at = text.find(sign, at + len(sign) if match is None else match.end())


def _signs_in(text: str) -> list[str]:
    return [sign for letter, signs in _SIGNS_BY_LETTER if letter in text for sign in signs if sign in text]


@cache
def _compiled(form: Form) -> re.Pattern[str]:
    is_address = "?P<secret>" in form.pattern
    return re.compile(form.pattern if is_address else rf"(?<![A-Za-z0-9])(?:{form.pattern})")


def _assigned(text: str, sign: str = "=") -> Iterator[tuple[int, int]]:
    before = re.compile(_BEFORE_ASSIGNED)
    for match in re.finditer(_ASSIGNED if sign == "=" else _STATED, text):
        at = match.start()
        name = before.search(text, max(0, at - _LONGEST_NAME), at)
        if name is not None and is_sensitive(name[1]):
            yield match.span(match.lastgroup or 0)
    if '" =' in text or '" !=' in text:
        for match in re.finditer(_COMPARED, text):
            if is_sensitive(match["name"]):
                yield match.span("compared")


def phrase_ranges(text: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of a text without structure that its words tell: ``token: …``, ``--token …``, ``Bearer …``.

    In a message of a program the same words are prose, so `secret_ranges` does not look for them.
    """
    candidates = [*_assigned(text, ":")] if ":" in text else []
    for pattern in (_FLAG, _DEFAULT, _SCHEME):
        for match in re.finditer(pattern, text):
            if pattern == _SCHEME or is_sensitive(match["name"]):
                candidates += [match.span(match.lastgroup or 0)]
    return (span for span in candidates if is_withheld(text[slice(*span)]))


def may_have_name(text: str) -> bool:
    """Return whether a name, a mark, a path or a scheme in a text may tell that a part of the text is secret."""
    if not any(sign in text for sign in (": ", ":\n", '":', " ", "${")):
        return False
    if "\\" in text:
        text = re.sub(_ESCAPES, " ", text)
    return any(sign in text for sign in NAMELESS) or any(map(_is_name, set(re.findall(_WORD, text))))


@lru_cache(maxsize=10_000)
def _is_name(word: str) -> bool:
    return is_sensitive(word) or is_sensitive(word.removesuffix("s"))


def may_have_form(text: str) -> bool:
    """Return whether `secret_ranges` may find a secret. The check is fast, and false for nearly all texts."""
    if len(text) < SHORTEST_FORM:
        return False
    return "=" in text or "@" in text or bool(_signs_in(text)) or (" " in text and _may_have_scheme(text))


def _may_have_scheme(text: str) -> bool:
    return any(map(text.lower().__contains__, _SCHEMES))


def masked(text: str) -> Shown:
    """Return ``text`` with `MASK` in place of secrets by form."""
    return Shown(without(text, secret_ranges(text)) if may_have_form(text) else text)


def rewritten(text: Shown, change: Callable[[str], str]) -> Shown:
    """Return a text without secrets as ``change`` rewrites it, such as cut or escaped. It may only add constants."""
    return Shown(change(text))


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


def starred(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    """Return ``text`` with asterisks for the sorted ranges. Lines keep their indentation and their length."""
    parts: list[str] = []
    at = 0
    for start, end in ranges:
        if end > at:
            begin = max(start, at)
            parts += (text[at:begin], re.sub(_VISIBLE, lambda match: match[1] or "*", text[begin:end]))
            at = end
    return "".join((*parts, text[at:])) if parts else text


_VISIBLE: Final = r"([\r\n]+[ \t]*)|."
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
    for sign in (*_FORM_OF_SIGN, "://"):
        at = text.find(sign)
        while at >= 0:
            # The patterns also test a few characters before the substring, such as the scheme of a URL.
            near = text[max(0, at - 10) : at + _LONGEST_FORM]
            if (sign != "://" or user_info.match(text, at)) and secret_ranges(near):
                return True
            at = text.find(sign, at + len(sign))
    return False
