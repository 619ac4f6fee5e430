"""The address of the project's site, and of the page that it has for each rule."""

from __future__ import annotations

from typing import Final

ADDRESS = ""
"""Where ``make docs`` is published, with a slash at the end; empty until it is.

Reports, editors, ``explain`` and the metadata of a release link to it if it is set.
"""

TOPICS: Final = (
    "ADM AUT AZN BLD CAT CFG CHT CMP DEC EAS EMB ENV FIL HDR IGN IMG MRG NAM OID POD PRF PRM REF REG RES RLM RUN SEC"
    " SES SKL SVC SYN TEL TLC URL VMC VOL WRK"
)
"""Beginnings of the ids of built-in rules."""


def rule_address(rule_id: str) -> str | None:
    """Return the address of the page of a rule; ``None`` for a custom rule, and if the site has no address."""
    return f"{ADDRESS}rules/{rule_id}/" if ADDRESS and rule_id[:3] in TOPICS.split() else None
