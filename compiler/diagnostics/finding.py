"""What mcpcfg reports: findings, and the identity of the rules behind them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from .secret_text import masked, masked_path
from .secret_value import NO_SECRETS, Secrets
from .shown import sanitized
from .span import Path, Span, pointer
from .version import RECORDED

if TYPE_CHECKING:
    from collections.abc import Callable

Severity: TypeAlias = Literal["error", "warning", "info"]
Stage: TypeAlias = Literal["syntax", "admission", "operator", "process", "lint"]
Unmodelled: TypeAlias = Literal["none", "newer", "all"]
"""The releases outside the modelled range that have a fault too: in all others it is not known."""

LEVELS: dict[str, int] = {"info": 0, "warning": 1, "error": 2}
"""What severities are compared by."""

STAGES: tuple[Stage, ...] = ("syntax", "admission", "operator", "process", "lint")
"""In the order in which a cluster would come to refuse."""


Change: TypeAlias = tuple[str, Severity, str, str | None]
"""What identifies one change that fixes several findings: their rule, severity, message and hint."""


_LONGEST: Final = 1_000
"""Characters of a message, a hint or a note: names that they quote may be of any length."""


class Note(NamedTuple):
    """What else explains a finding.

    Attributes:
        message: One clause without a full stop.
        span: Another place that it is about, if it is about one.
    """

    message: str
    span: Span | None = None


class Subject(NamedTuple):
    """The resource that a finding is about, as findings name it.

    Attributes:
        kind: ``MCPServer``, for one.
        namespace: As the document, an overlay, the call or the configuration states it.
        name: Of its metadata.
    """

    kind: str
    namespace: str
    name: str


class Finding(NamedTuple):
    """One fault in the user's input, pinned to the text that causes it.

    Attributes:
        rule: Stable id such as ``REF001``; never reused once released.
        name: Its readable name, ``dangling-oidc-config``.
        severity: Decides the exit status, not the wording.
        stage: Who would have refused it.
        span: The smallest stretch of text that the user has to edit.
        document: Counts from 0 the non-empty documents of the file; ``None`` for a fault of the whole file.
        subject: The resource, where the finding is about one.
        path: Where in the document: an unknown field's own path; for a missing field the object that lacks it.
        message: One clause without a full stop, naming the offending value.
        hint: What to do instead, or ``None`` when the message already says it.
        notes: Other places that explain the fault, in reading order.
        is_secret: Whether the text at ``span`` is not to be shown.
        hidden: Other places near it whose text is not to be shown.
        is_one_change: Whether one change fixes all findings of the rule with the same message.
        way: Of a copy of a resource: what tells it from others of its namespace. It is not shown.
        unmodelled: The releases outside the modelled range that have the fault too.
        meant: The text or number at ``path``, and the one that was probably meant; for fixes.
    """

    rule: str
    name: str
    severity: Severity
    stage: Stage
    span: Span
    message: str
    document: int | None = None
    subject: Subject | None = None
    path: Path | None = None
    hint: str | None = None
    notes: tuple[Note, ...] = ()
    is_secret: bool = False
    hidden: tuple[Span, ...] = ()
    is_one_change: bool = False
    way: str = ""
    unmodelled: Unmodelled = "none"
    meant: tuple[str | int, str | int] | None = None

    @property
    def change(self) -> Change | None:
        """Return the key of the change that fixes this and other findings; ``None`` if it is fixed on its own."""
        if not self.is_one_change or self.stage != "lint":
            return None
        return (self.rule, self.severity, self.message, self.hint)

    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Order of the contract: file, line, column, rule; the message settles what is left."""
        return (self.span.file, self.span.line, self.span.column, self.rule, self.message)

    def identity(self) -> tuple[Any, ...]:
        """Return what distinguishes a finding from all others of a run."""
        return (self.sort_key(), self.document, self.path)

    def as_json(self) -> dict[str, Any]:
        """Shape the finding as ``--format json`` prints it: what does not apply is left out."""
        out: dict[str, Any] = {
            "rule": self.rule,
            "name": self.name,
            "severity": self.severity,
            "stage": self.stage,
            "file": self.span.file,
        }
        if self.document is not None:
            out["document"] = self.document
        out |= {
            "line": self.span.line,
            "column": self.span.column,
            "end_line": self.span.end_line,
            "end_column": self.span.end_column,
        }
        if self.subject is not None:
            kind, namespace, name = map(masked, self.subject)
            out |= {"kind": kind, "namespace": namespace, "resource": name}
        if self.path is not None:
            out["path"] = pointer(masked_path(self.path))
        out["message"] = self.message
        if self.hint is not None:
            out["hint"] = self.hint
        if self.notes:
            out["notes"] = [_note(note) for note in self.notes]
        return out


def _note(note: Note) -> dict[str, Any]:
    if note.span is None:
        return {"message": note.message}
    return {"message": note.message, "file": note.span.file, "line": note.span.line, "column": note.span.column}


class Fix(NamedTuple):
    """How a finding can be fixed: what is done, and the stretches of its file with what replaces them."""

    title: str
    replacements: tuple[tuple[Span, str], ...]


class Page(NamedTuple):
    """What ``mcpcfg explain`` prints about a rule, section by section.

    Attributes:
        checks: What is reported, and where.
        why: What happens if it is left as it is, and when.
        example: A piece of a file with the fault, as it stands there; lines may be indented as a block.
        fix: What to do instead.
        source: The specification behind the rule.
    """

    checks: str
    why: str
    example: str
    fix: str
    source: str

    def __str__(self) -> str:
        """Return the page as text: paragraphs that begin with their headings, the example indented."""
        from textwrap import dedent, indent

        example = indent(dedent(self.example).strip("\n"), "    ")
        return (
            f"What it checks: {self.checks}\n\nWhy this matters: {self.why}\n\nExample:\n\n{example}\n\n"
            f"Fix: {self.fix}\n\nSource: {self.source}\n"
        )


class Rule(NamedTuple):
    """The identity of a rule: what stays the same in every finding of it. Declared by `rule`.

    Attributes:
        id: Three letters by topic and three digits; stable, never reused.
        name: Named for the fault, kebab-case.
        stage: Who refuses.
        severity: The default; configuration may change it.
        title: One line for tables, without a full stop: what is wrong.
        page: What there is to explain.
        is_secret: Whether the text that its findings stand at is not to be shown.
        is_opt_in: Whether it reports nothing unless the configuration sets its severity.
        is_one_change: Whether all of its findings with the same message are fixed by one change, decided once for the
            project: reports make them one finding, with the other places as notes. Of rules of stage lint alone: a
            resource that is refused has an error of its own.
        since: The first release of the operator that has the fault; ``None`` where all that are known have it.
        until: The first release of the operator in which the fault is gone; ``None`` while it is in all that are known.
        verified: The releases at which it was seen that the fault is one, by recorded cases or in the source; what
            holds at two of them holds between them.
        unmodelled: The releases outside the modelled range that have the fault too. ``none`` for what rests on the
            behavior of a release, ``newer`` for values whose type no modelled release took, ``all`` for what no
            release changes: syntax, rules of Kubernetes, references between the project's own resources.
    """

    id: str
    name: str
    stage: Stage
    severity: Severity
    title: str
    page: Page
    is_secret: bool = False
    is_opt_in: bool = False
    is_one_change: bool = False
    since: str | None = None
    until: str | None = None
    verified: tuple[str, ...] = RECORDED
    unmodelled: Unmodelled = "none"

    def respelt(self, spell: Callable[[str], str]) -> Rule:
        """Return the rule with what there is to read of it in other names (`Profile.spell`)."""
        return self._replace(title=spell(self.title), page=Page(*map(spell, self.page)))

    def finding(  # noqa: PLR0913 - each argument is one fact of the finding
        self,
        span: Span,
        message: str,
        *,
        document: int | None = None,
        subject: Subject | None = None,
        path: Path | None = None,
        hint: str | None = None,
        notes: tuple[Note, ...] = (),
        severity: Severity | None = None,
        hidden: tuple[Span, ...] = (),
        secrets: Secrets = NO_SECRETS,
    ) -> Finding:
        """Make a finding of this rule at ``span``; what its texts quote of the input is made fit to be shown.

        ``secrets`` are values of the document that are not to be shown.
        """

        def fit(text: str) -> str:
            whole = sanitized(secrets.without(text))
            return whole if len(whole) <= _LONGEST else f"{whole[: _LONGEST - 1]}…"

        return Finding(
            self.id,
            self.name,
            severity or self.severity,
            self.stage,
            span,
            fit(message),
            document,
            subject,
            path,
            hint and fit(hint),
            tuple([Note(fit(text), place) for text, place in notes]) if notes else (),
            self.is_secret,
            hidden,
            self.is_one_change,
            unmodelled=self.unmodelled,
        )


def rule(  # noqa: PLR0913 - a page has its sections
    id: str,  # noqa: A002 - what it is
    name: str,
    title: str,
    *,
    stage: Stage,
    severity: Severity | None = None,
    checks: str,
    why: str,
    example: str,
    fix: str,
    source: str,
    is_secret: bool = False,
    is_opt_in: bool = False,
    is_one_change: bool = False,
    since: str | None = None,
    until: str | None = None,
    verified: tuple[str, ...] | None = None,
    unmodelled: Unmodelled | None = None,
) -> Rule:
    """Declare a rule and its page.

    ``severity`` is a warning for a lint and an error for all else where it is left out. The sections are those of
    `Page`, the rest is as of `Rule`. What a process refuses at start was verified at the oldest release alone, or at
    the newest where it came later, unless ``verified`` says more: recordings show the operator. Faults of stage syntax
    are faults in every release.
    """
    level = severity or ("warning" if stage == "lint" else "error")
    if since is not None:
        checks += f" Only releases from {since} on have this fault."
    if until is not None:
        checks += f" Only releases before {until} have this fault."
    if verified is None:
        is_seen_later = until is None and (since is not None or stage not in ("process", "lint"))
        verified = RECORDED[1:] if since is not None else RECORDED if is_seen_later else RECORDED[:1]
    if not id.startswith("CFG"):
        source += f" Verified at release {' and '.join(verified)}."
    page = Page(checks, why, example, fix, source)
    unmodelled = unmodelled or ("all" if stage == "syntax" else "none")
    return Rule(
        id, name, stage, level, title, page, is_secret, is_opt_in, is_one_change, since, until, verified, unmodelled
    )
