"""Label selectors as one text, as kustomize and kubectl take them: ``app=web,tier notin (test)``.

Source: k8s.io/apimachinery v0.35, ``labels.Parse`` and ``Requirement.Matches``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_KEY: Final = r"[A-Za-z0-9][A-Za-z0-9._/-]*"
_VALUE: Final = r"[A-Za-z0-9._-]*"
_TERM: Final = re.compile(
    rf"\s*(?:(?P<absent>!)\s*(?P<gone>{_KEY})|(?P<key>{_KEY})"
    rf"(?:\s*(?P<sign>==|=|!=)\s*(?P<value>{_VALUE})|\s+(?P<word>in|notin)\s*\((?P<values>[^()]*)\))?)\s*(?:,|\Z)"
)
_LONGEST: Final = 1_000
"""Characters of a selector that is read."""


def selects(selector: str, labels: Mapping[str, str]) -> bool | None:
    """Return whether a selector takes what has these labels; ``None`` where it is of a form that is not read.

    What has no such label is taken by ``!=`` and ``notin``.

    Args:
        selector: The text.
        labels: By key.
    """
    if len(selector) > _LONGEST:
        return None
    place, held = 0, True
    while selector[place:].strip():
        term = _TERM.match(selector, place)
        if term is None:
            return None
        held = held and _holds(term, labels)
        place = term.end()
    return held


def _holds(term: re.Match[str], labels: Mapping[str, str]) -> bool:
    if term["absent"]:
        return term["gone"] not in labels
    own = labels.get(term["key"])
    if term["word"]:
        stated = {one.strip() for one in term["values"].split(",")}
        return (own in stated) is (term["word"] == "in")
    if term["sign"]:
        return (own == term["value"]) is (term["sign"] != "!=")
    return own is not None
