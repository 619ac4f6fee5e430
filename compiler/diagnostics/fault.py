"""What is wrong with plain data or with a text, before a rule makes a finding of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .finding import Rule, Severity, Stage
    from .span import Path


class Fault(NamedTuple):
    """One thing that is wrong.

    Attributes:
        path: From the root of the data that was checked to the value, in the user's own spelling; for something
            missing, to the mapping that lacks it. Empty for a text that was checked on its own.
        rule: The rule that the value breaks.
        message: One clause without a full stop, naming the offending value.
        hint: What to do instead, or ``None`` when the message already says it.
        stage: Who refuses, where that is not the checker that is asked.
        offset: Code points from the start of the text at ``path``, where the fault lies inside that text.
        on_key: Whether the key at ``path`` is to be changed, not its value.
        severity: Only where it differs from the rule's.
    """

    path: Path
    rule: Rule
    message: str
    hint: str | None = None
    stage: Stage | None = None
    offset: int | None = None
    on_key: bool = False
    severity: Severity | None = None


class Flaw(NamedTuple):
    """One thing that is wrong with a text or value, before it is known which rule it breaks there.

    Only checks that know no rules make flaws: those of Kubernetes' objects, of expressions, policies and templates, and
    of what a run configuration and a resource have in common. Attributes that are not listed are those of a `Fault`.

    Attributes:
        code: The name of the flaw in kebab-case, such as ``syntax``; tells it from others of its check.
    """

    path: Path
    code: str
    message: str
    hint: str | None = None
    offset: int | None = None
    on_key: bool = False

    def under(self, rule: Rule) -> Fault:
        """Return the flaw as a fault of a rule."""
        return Fault(self.path, rule, self.message, self.hint, offset=self.offset, on_key=self.on_key)

    def position(self, text: str) -> tuple[int, int]:
        """Return the line and column of ``offset`` in ``text``, both from 1, in code points."""
        before = text[: self.offset or 0]
        return before.count("\n") + 1, len(before) - before.rfind("\n")


def fault_at(text: str, offset: int, message: str) -> Flaw:
    """Return a flaw of the syntax of ``text`` at ``offset``, or at its end if ``offset`` lies behind it."""
    return Flaw((), "syntax", message, offset=max(0, min(offset, len(text))))
