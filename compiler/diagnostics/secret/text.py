"""Find secrets in a text by its form alone, and decide which names and values are secret."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, Final, NewType

from ..placeholder import is_placeholder
from .pattern import FORMS, PATTERNS, WORDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from .pattern import Form

Shown = NewType("Shown", str)
"""A text without secrets. Only this package makes it, so what takes it, such as a finding, cannot show a raw value."""
MASK: Final = "***"  # in place of a secret in messages
PAD: Final = "\x1f"
"""Fills up an escape in a text, so a scalar without escapes is as long as its text. For Python it is white space."""
SHORTEST: Final = 6
"""Minimum characters of an unmarked value that counts as a secret. Shorter values are mostly words such as ``none``."""
SHORTEST_FORM: Final = 8
"""Minimum characters of a text that contains a secret by form. Shorter texts are not searched."""
REACH: Final = 400
"""Maximum characters of a line that a report shows on each side of a finding. Only secrets this near are masked."""
_SHORTEST_NAMED: Final = 3  # characters of a value under a sensitive name that is masked
_LONGEST_NAME: Final = 80
"""Number of last characters of a name that are compared with the names of secrets."""
_LONGEST_PLACEHOLDER: Final = 300
"""Maximum length of a value that is compared with the patterns of placeholders, which are slow."""
_BETWEEN_WORDS: Final = r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])"
_INVISIBLE: Final = rf"[{PAD}\u200b-\u200f\u2060\ufeff]"
_SENSITIVE_WORDS: Final = ("password", "passphrase", "passwd", "secret", "token", "credential", "apikey")
_FORM_OF_SIGN: Final = {sign: form for form in (*FORMS["form"], *FORMS["context"]) for sign in form.signs}


def _letter(sign: str) -> str:
    return next((char for char in "_~-." if char in sign), sign[-1])


_SIGNS_BY_LETTER: Final = [(key, [*signs]) for key, signs in groupby(sorted(_FORM_OF_SIGN, key=_letter), _letter)]
"""The signs of all forms, grouped by a letter in them. A search for the letter is fast."""


@lru_cache(maxsize=10_000)  # the documents of a project repeat the same few names
def is_sensitive(name: str) -> bool:
    """Return whether the value under ``name`` must not be shown. Camel case and snake case are treated alike."""
    words = _words(name)
    is_named = re.fullmatch(PATTERNS["name"], words, re.ASCII) is not None
    return is_named and re.fullmatch(PATTERNS["public name"], words) is None


def _words(name: str) -> str:
    # The end of a name decides. A name may be of any length, so only its end is searched.
    name = re.sub(_INVISIBLE, "", name[-_LONGEST_NAME:])
    return re.sub(r"[^a-z0-9]+", "_", re.sub(_BETWEEN_WORDS, "_", name).lower()).strip("_")


def is_nearly_sensitive(name: str, beside: object = None) -> bool:
    """Return whether an unknown name is probably a misspelt sensitive name, or ``value`` beside the ``name`` of one."""
    from ..suggestion import nearest

    words = (*_SENSITIVE_WORDS, "value") if isinstance(beside, str) and is_sensitive(beside) else _SENSITIVE_WORDS
    # The longest sensitive word has 10 letters; 0.8 allows two wrong ones.
    return is_sensitive(name) or nearest(_words(name).rpartition("_")[2], words, likeness=0.8) is not None


def is_withheld(value: str) -> bool:
    """Return whether the value of a sensitive name must be masked. Placeholders and switches stay visible."""
    if not _SHORTEST_NAMED <= len(value) <= _LONGEST_PLACEHOLDER:
        return len(value) > _LONGEST_PLACEHOLDER
    return re.fullmatch(PATTERNS["harmless"], value) is None


def looks_secret(name: str, value: str) -> bool:
    """Return whether a rule warns about ``value`` as a secret in plain text, by its own form or by its ``name``."""
    if len(value) < SHORTEST:
        return False
    if re.search(PATTERNS["warned name"], name) is not None:
        return re.fullmatch(PATTERNS["not warned"], value) is None and not is_placeholder(value)
    return has_credential_form(value)


def has_credential_form(value: str) -> bool:
    """Return whether the form of the value alone shows that it is a secret."""
    in_url = "@" in value and re.search(PATTERNS["user and password"], value)
    return len(value) >= SHORTEST and bool(in_url or any(_tokens(value))) and not is_placeholder(value)


def secret_ranges(text: str) -> list[tuple[int, int]]:
    """Return the sorted ranges of tokens, keys, passwords in URLs and other secrets by form. They may overlap."""
    if not may_have_form(text):
        return []
    tokens = {(start, end) for start, end in _tokens(text) if is_withheld(text[start:end])}
    return sorted(tokens.union(told_ranges(text, "context")))


def _tokens(text: str) -> Iterator[tuple[int, int]]:
    for sign in _signs_in(text):
        form = _FORM_OF_SIGN[sign]
        at = -1 if form in FORMS["context"] else text.find(sign)
        while at >= 0:
            match = _compiled(form).match(text, max(0, at - form.before))
            if match is not None:
                yield _secret(match)
            at = text.find(sign, at + len(sign) if match is None else match.end())


def told_ranges(text: str, table: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges that the text around them tells. In a message of a program, phrases and lines are prose."""
    is_phrase = table != "context"  # contexts are within a line, so other lines are not searched
    for form in FORMS[table]:
        signs = [sign for sign in form.signs if sign in text]
        for sign in signs[:1] if is_phrase else signs:
            at = text.find(sign)
            while at >= 0:
                begin, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
                if is_phrase or end < 0:
                    begin, end = 0 if is_phrase else begin, len(text)
                for match in _compiled(form).finditer(text, begin, end):
                    first, last = _secret(match)
                    is_named = "name" not in match.re.groupindex or is_sensitive(match["name"])
                    if is_named and is_withheld(text[first:last]):
                        yield first, last
                at = text.find(sign, end)


def _secret(match: re.Match[str]) -> tuple[int, int]:
    return max([match.span(group) for group in match.re.groupindex if group != "name"], default=match.span())


def _signs_in(text: str) -> list[str]:
    return [sign for letter, signs in _SIGNS_BY_LETTER if letter in text for sign in signs if sign in text]


@cache
def _compiled(form: Form) -> re.Pattern[str]:
    is_token = "?P<" not in form.pattern
    return re.compile(rf"(?<![A-Za-z0-9])(?:{form.pattern})" if is_token else form.pattern)


def may_have_name(text: str) -> bool:
    """Return whether a name, a mark, a path or a scheme in a text may tell that a part of the text is secret."""
    if not any(sign in text for sign in (": ", ":\n", '":', " ", "${")):
        return False
    if "\\" in text:
        text = re.sub(r"\\(?:u[0-9a-fA-F]{4}|[nrt])", " ", text)
    return any(sign in text for sign in WORDS["nameless"]) or any(map(_is_name, set(re.findall(r"[\w.\-/]+", text))))


@lru_cache(maxsize=10_000)
def _is_name(word: str) -> bool:
    return is_sensitive(word) or is_sensitive(word.removesuffix("s"))


def may_have_form(text: str) -> bool:
    """Return whether a message may have a secret. The check is fast, and false for nearly all texts."""
    return len(text) >= SHORTEST_FORM and bool(_signs_in(text))


def masked(text: str) -> Shown:
    """Return ``text`` with `MASK` in place of secrets by form."""
    return Shown(without(text, secret_ranges(text)))


def rewritten(text: Shown, change: Callable[[str], str]) -> Shown:
    """Return a text without secrets as ``change`` rewrites it, such as cut or escaped. It may only add constants."""
    return Shown(change(text))


def masked_path(path: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """Return the path with secrets in its names masked."""
    return tuple([masked(step) if isinstance(step, str) else step for step in path])


def without(text: str, ranges: Iterable[tuple[int, int]], mask: Callable[[str], str] = lambda _: MASK) -> str:
    """Return ``text`` with a mask in place of each of the sorted ranges."""
    parts, at = [""], 0
    for start, end in ranges:
        if end > at:
            begin = max(start, at)
            parts += (text[at:begin], mask(text[begin:end]))
            at = end
    return "".join((*parts, text[at:]))


def starred(text: str, ranges: Iterable[tuple[int, int]]) -> str:
    """Return ``text`` with asterisks for the sorted ranges. Lines keep their indentation and their length."""
    return without(text, ranges, lambda secret: re.sub(r"([\r\n]+[ \t]*)|.", lambda match: match[1] or "*", secret))


def has_form(text: str) -> bool:
    """Return whether a long text contains a token, a key or a URL with a password."""
    return any(_tokens(text)) or ("@" in text and any(re.finditer(_FORM_OF_SIGN["@"].pattern, text)))
