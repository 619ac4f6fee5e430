"""Faults of plain data and texts, before they become findings of a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .named_tuple import NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from .finding import Rule, Severity, Stage
    from .span import Path


class Fault(NamedTuple):
    """A fault of plain data or a text.

    Attributes:
        path: Path of the value from the root of the checked data, as the user spells it. If something is missing, the
            path of the mapping that lacks it. Empty for a text that was checked on its own.
        message: One clause without a full stop that names the offending value.
        hint: Advice on what to do instead, or ``None`` if the message already says it.
        stage: The component that refuses the value, if it is not the checker itself.
        offset: Code points from the start of the text at ``path``, if the fault lies inside that text.
        on_key: True to change the key at ``path`` instead of its value.
        severity: The severity, if it differs from the rule's.
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
    """A problem of a text or value, for which the caller chooses the rule.

    Only checks that do not know the rules create flaws: checks of Kubernetes' objects, expressions, policies and
    templates, and checks that run configurations and resources share. For attributes that are not listed, see `Fault`.

    Attributes:
        code: The name of the flaw in kebab-case, such as ``syntax``; unique among the flaws of its check.
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


def below(path: Path, faults: Iterable[Fault]) -> Iterator[Fault]:
    """Yield the faults of a part with paths from the root of the data that has the part at ``path``."""
    for fault in faults:
        yield fault._replace(path=(*path, *fault.path))


def fault_at(text: str, offset: int, message: str, hint: str | None = None) -> Flaw:
    """Return a syntax flaw at ``offset`` of ``text``; an offset beyond the text is replaced by its end."""
    return Flaw((), "syntax", message, hint, max(0, min(offset, len(text))))
