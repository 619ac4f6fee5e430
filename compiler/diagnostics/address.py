"""The URLs of the project's site and of its page for each rule."""

from __future__ import annotations

from typing import Final

ADDRESS = ""
"""URL at which the output of ``make docs`` is published, with a slash at the end; empty until then.

Reports, editors, ``explain`` and the metadata of a release link to it if it is set.
"""

TOPICS: Final = (
    "ADM AUT AZN BLD CAT CFG CHT CMP CRT DEC EAS EMB ENV FIL HDR IGN IMG MRG NAM OID POD PRF PRM REF REG RES RLM RUN"
    " SEC SES SKL SVC SYN TEL TLC URL VMC VOL WRK"
)
"""The first three letters of the ids of built-in rules."""


def rule_address(rule_id: str) -> str | None:
    """Return the URL of the page of a rule; ``None`` for a custom rule, and if the site is not published."""
    return f"{ADDRESS}rules/{rule_id}/" if ADDRESS and rule_id[:3] in TOPICS.split() else None
