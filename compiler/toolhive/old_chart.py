"""Numbers that the operator's charts had of their own. Since v0.8.3 of the operator, they have its number.

Source: Chart.yaml of both charts at the tags ``toolhive-operator-0.0.1`` to ``-0.5.28``, and at the tags
``toolhive-operator-crds-0.0.1`` to ``-0.0.106``.
"""

from __future__ import annotations

from typing import Final

from .release import release_key

_JOINED: Final = {False: (0, 6), True: (0, 1)}
"""What numbers of the old charts are below, by whether the chart is that of the CRDs."""
_FIRST: Final = {False: (0, 5), True: (0, 0, 54)}
"""The first numbers of charts for v0.6 of the operator."""
_ONLY_OF_CHARTS: Final = (((0, 5, 3), (0, 5, 28)), ((0, 0, 49), (0, 0, 106)))
"""Ranges of old numbers that no release of the operator ever had."""


def era_of(number: str, *, is_crds: bool) -> str | None:
    """Return the releases of the operator that an old number of a chart belongs to, or ``None`` if it is no old number.

    Args:
        is_crds: True if the chart is that of the CRDs.
    """
    key = release_key(number)
    if key >= _JOINED[is_crds]:
        return None
    return "ToolHive 0.6 to 0.9" if key >= _FIRST[is_crds] else "ToolHive before 0.6"


def era_of_stated(number: str) -> str | None:
    """Return the same for a number that is stated as a release, if no release of the operator had it."""
    key = release_key(number)
    if not any(first <= key <= last for first, last in _ONLY_OF_CHARTS):
        return None
    return era_of(number, is_crds=key < (0, 1))
