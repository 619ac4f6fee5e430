"""Label selectors in text form, as kustomize and kubectl accept them: ``app=web,tier notin (test)``.

Source: k8s.io/apimachinery v0.35, ``labels.Parse`` and ``Requirement.Matches``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEY: Final = r"[A-Za-z0-9][A-Za-z0-9._/-]*"
_VALUE: Final = r"[A-Za-z0-9._-]*"
_TERM: Final = (
    rf"\s*(?:(?P<absent>!)\s*(?P<gone>{_KEY})|(?P<key>{_KEY})"
    rf"(?:\s*(?P<sign>==|=|!=)\s*(?P<value>{_VALUE})|\s+(?P<word>in|notin)\s*\((?P<values>[^()]*)\))?)\s*(?:,|\Z)"
)
_LONGEST: Final = 1_000
"""Maximum characters of a selector. It bounds the time of the regular expression; usual selectors are shorter."""


def selects(selector: str, labels: Mapping[str, str]) -> bool | None:
    """Return whether the selector matches the labels; ``None`` if the selector is invalid or too long.

    A missing label matches ``!=`` and ``notin``.

    Args:
        selector: The selector in text form; an empty selector matches all labels.
    """
    if len(selector) > _LONGEST:
        return None
    place, matches = 0, True
    while selector[place:].strip():
        term = re.compile(_TERM).match(selector, place)
        if term is None:
            return None
        matches = matches and _holds(term, labels)
        place = term.end()
    return matches


def _holds(term: re.Match[str], labels: Mapping[str, str]) -> bool:
    if term["absent"]:
        return term["gone"] not in labels
    value = labels.get(term["key"])
    if term["word"]:
        stated = {text.strip() for text in term["values"].split(",")}
        return (value in stated) is (term["word"] == "in")
    if term["sign"]:
        return (value == term["value"]) is (term["sign"] != "!=")
    return value is not None
