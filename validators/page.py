"""How a rule is declared, and how its page is laid out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..compiler.diagnostics.finding import Rule

if TYPE_CHECKING:
    from ..compiler.diagnostics.finding import Severity, Stage


def rule(  # noqa: PLR0913 - a page has its parts
    id: str,  # noqa: A002 - what it is
    name: str,
    title: str,
    *,
    flagged: str,
    why: str,
    example: str,
    cure: str,
    source: str,
    stage: Stage,
    severity: Severity | None = None,
    is_one_change: bool = False,
    until: tuple[int, int, int] | None = None,
) -> Rule:
    """Declare a rule with its page.

    Args:
        id: Three letters by topic and three digits.
        name: Named for the fault, kebab-case.
        title: One sentence: what is wrong.
        flagged: What is told, and where.
        why: What happens to who leaves it, and when.
        example: A piece of YAML that is flagged.
        cure: What to do instead.
        source: The specification behind it.
        stage: Who refuses.
        severity: ``error``, or ``warning`` for a lint, where nothing is said.
        is_one_change: As of `Rule`.
        until: The first release of the operator in which the fault is gone.
    """
    indented = example.strip("\n").replace("\n", "\n    ").replace("\n    \n", "\n\n")
    releases = f"Releases: before v{'.'.join(map(str, until))}.\n\n" if until is not None else ""
    page = (
        f"{title}\n\nFlagged: {flagged}\n\nWhy it bites: {why}\n\nExample:\n\n    {indented}\n\n"
        f"Cure: {cure}\n\n{releases}Source: {source}\n"
    )
    level = severity or ("warning" if stage == "lint" else "error")
    return Rule(
        id=id, name=name, stage=stage, severity=level, title=title, doc=page, is_one_change=is_one_change, until=until
    )
