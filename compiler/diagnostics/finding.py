"""The types of findings and rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from .named_tuple import NamedTuple
from .secret.text import Shown, masked, masked_path, rewritten
from .shown import sanitized
from .span import Path, Span, pointer
from .version import RECORDED

if TYPE_CHECKING:
    from collections.abc import Callable

    from .page import Page
    from .secret.value import Secrets

    Unmodelled: TypeAlias = Literal["none", "newer", "all"]
    """The releases outside the modelled range that also have a fault. For all other such releases it is unknown."""
    Change: TypeAlias = tuple[str, "Severity", str, str | None]
    """Key that findings share if one change fixes all of them: rule, severity, message and hint."""

Severity: TypeAlias = Literal["error", "warning", "info"]
Stage: TypeAlias = Literal["syntax", "admission", "operator", "process", "lint"]

LEVELS: dict[str, int] = {"info": 0, "warning": 1, "error": 2}
"""Ranks of severities, for comparing them."""

OPT_IN: Final[dict[str, Literal["off"]]] = {"PRF003": "off"}
"""Rules that are off unless the configuration sets their severity, because what they report is often intended."""

STAGES: tuple[Stage, ...] = ("syntax", "admission", "operator", "process", "lint")
"""The stages in the order in which a cluster processes a resource."""


_LONGEST: Final = 1_000
"""Maximum characters of a message, hint or note. Names quoted from the input may be of any length."""


class Note(NamedTuple):
    """An additional explanation of a finding.

    Attributes:
        message: One clause without a full stop.
        span: The place that the note is about, if there is one.
    """

    message: str
    span: Span | None = None


class Subject(NamedTuple):
    """The identity of the resource that a finding is about.

    Attributes:
        kind: Kind of the resource, such as ``MCPServer``.
        namespace: Namespace as set by the document, an overlay, an option or the configuration.
        name: ``metadata.name`` of the resource.
    """

    kind: str
    namespace: str
    name: str


class Finding(NamedTuple):
    """One fault in the user's input, at the text that causes it.

    Attributes:
        rule: Stable id such as ``REF001``; never reused once released.
        name: Readable name of the rule, such as ``dangling-oidc-config``.
        severity: Decides the exit status, not the wording.
        stage: The component that would have refused the input.
        span: The smallest part of the text that the user has to edit.
        document: Zero-based index among the non-empty documents of the file; ``None`` for a fault of the whole file.
        subject: The resource, if the finding is about a resource.
        path: Path in the document. For an unknown field its own path, for a missing field the object that lacks it.
        message: One clause without a full stop that names the offending value.
        hint: Advice on what to do instead, or ``None`` if the message already says it.
        notes: Other places that explain the fault, in reading order.
        is_secret: True if the text at ``span`` must not be shown.
        hidden: Other places whose text must not be shown, at most `REACH` characters away.
        is_one_change: True if one change fixes all findings of the rule with the same message.
        copy_id: Identifies a copy of a resource among others in its namespace, by how kustomizations applied the copy.
            Empty for a resource without copies; not shown.
        unmodelled: The releases outside the modelled range that also have the fault.
        verified: The releases at which its rule was verified.
        meant: The wrong text or number at ``path``, and its probable correction, for fixes; ``None`` if unknown.
    """

    rule: str
    name: str
    severity: Severity
    stage: Stage
    span: Span
    message: Shown
    document: int | None = None
    subject: Subject | None = None
    path: Path | None = None
    hint: Shown | None = None
    notes: tuple[Note, ...] = ()
    is_secret: bool = False
    hidden: tuple[Span, ...] = ()
    is_one_change: bool = False
    copy_id: str = ""
    unmodelled: Unmodelled = "none"
    verified: tuple[str, ...] = RECORDED
    meant: tuple[str | int, str | int] | None = None

    @property
    def change(self) -> Change | None:
        """The key of the change that fixes this finding together with others, or ``None`` for a change of its own."""
        if not self.is_one_change or self.stage != "lint":
            return None
        return (self.rule, self.severity, self.message, self.hint)

    def sort_key(self) -> tuple[str, int, int, str, str]:
        """Return the sort key of reports: file, line, column, rule and message."""
        return (self.span.file, self.span.line, self.span.column, self.rule, self.message)

    def identity(self) -> tuple[Any, ...]:
        """Return a key of rule, place and message. Equal findings about copies of a resource have the same key."""
        return (self.sort_key(), self.document, self.path)

    def as_json(self) -> dict[str, Any]:
        """Return the finding as plain data for ``--format json``. Fields that do not apply are left out."""
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
    """A fix of a finding: its title, and the new text for each span to replace."""

    title: str
    replacements: tuple[tuple[Span, str], ...]


class Rule(NamedTuple):
    """The facts that all findings of a rule share. Use `rule` to declare one.

    Attributes:
        id: Three letters by topic and three digits; stable, never reused.
        name: Name of the fault in kebab-case.
        stage: The component that refuses the resource.
        severity: Default severity; the configuration may change it.
        title: The fault in one line for tables, without a full stop.
        is_secret: True if the text at the place of its findings must not be shown.
        is_one_change: True if one change, decided once for the project, fixes all findings with the same message.
            Reports then show one finding with the other places as notes. Only for stage lint: a refused resource needs
            an error of its own.
        since: The first release of the operator that has the fault; ``None`` if all known releases have it.
        until: The first release of the operator without the fault; ``None`` if the newest known release has it.
        verified: The releases at which the fault was observed, in recorded cases or in the source. Two verified
            releases also cover the releases between them.
        unmodelled: The releases outside the modelled range that also have the fault. ``none`` if the fault depends on
            the behavior of a release, ``newer`` for values whose type no modelled release accepts, ``all`` if no
            release changes it: syntax, rules of Kubernetes, references between the project's own resources.
        own_page: The page in the names of a profile, for `respelt`; otherwise it is read from ``validators/pages``.
    """

    id: str
    name: str
    stage: Stage
    severity: Severity
    title: str
    is_secret: bool = False
    is_one_change: bool = False
    since: str | None = None
    until: str | None = None
    verified: tuple[str, ...] = RECORDED
    unmodelled: Unmodelled = "none"
    own_page: Page | None = None

    @property
    def is_opt_in(self) -> bool:
        """True if the rule is off unless the configuration sets its severity."""
        return self.id in OPT_IN

    @property
    def page(self) -> Page:
        """The sections of ``mcpcfg explain``, read from ``validators/pages`` unless the rule has a page of its own."""
        if self.own_page is not None:
            return self.own_page
        from .page import pages_of

        return pages_of(self.id[:3])[self.id, self.name]

    @property
    def releases(self) -> str:
        """The releases of the operator that have the fault, as a phrase."""
        if self.since is None and self.until is None:
            return "all"
        since = f"from {self.since} on" if self.since is not None else ""
        until = f"before {self.until}" if self.until is not None else ""
        return ", ".join(filter(None, (since, until)))

    def respelt(self, spell: Callable[[str], str]) -> Rule:
        """Return the rule with the names of another edition in its title and page; ``spell`` is `Profile.spell`."""
        return self._replace(title=spell(self.title), own_page=self.page.respelt(spell))

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
        secrets: Secrets | None = None,
    ) -> Finding:
        """Return a finding of this rule at ``span``. Texts quoted from the input are cut and sanitized.

        ``secrets`` are values of the document that must not be shown.
        """

        def fit(text: str) -> Shown:
            whole = sanitized(text if secrets is None else secrets.without(text))
            return rewritten(whole, lambda text: text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…")

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
            None if hint is None else fit(hint),
            tuple([Note(fit(text), place) for text, place in notes]) if notes else (),
            self.is_secret,
            hidden,
            self.is_one_change,
            unmodelled=self.unmodelled,
            verified=self.verified,
        )


def rule(  # noqa: PLR0913 - each argument is one fact of the rule
    heading: str,
    stage: Stage,
    title: str,
    *,
    severity: Severity | None = None,
    is_secret: bool = False,
    is_one_change: bool = False,
    since: str | None = None,
    until: str | None = None,
    verified: tuple[str, ...] | None = None,
    unmodelled: Unmodelled | None = None,
) -> Rule:
    """Declare a rule, whose page is in ``validators/pages``.

    ``heading`` is the heading of the page: id, space, name. The other arguments are those of `Rule`. The default
    ``severity`` is a warning for stage lint and an error for all other stages. The default of ``verified`` is both
    recorded releases, except that a rule with ``since`` is verified at the newest, and a rule with ``until`` or of
    stage process or lint at the oldest, because recordings show the operator alone. The default of ``unmodelled`` is
    ``all`` for stage syntax.
    """
    level = severity or ("warning" if stage == "lint" else "error")
    if verified is None:
        is_seen_later = until is None and (since is not None or stage not in ("process", "lint"))
        verified = RECORDED[1:] if since is not None else RECORDED if is_seen_later else RECORDED[:1]
    unmodelled = unmodelled or ("all" if stage == "syntax" else "none")
    rule_id, _, name = heading.partition(" ")
    return Rule(rule_id, name, stage, level, title, is_secret, is_one_change, since, until, verified, unmodelled)
