"""Check skill folders for the errors and warnings of the service, and for content with an unexpected effect.

Source: toolhive 0.21.0, package skills (ValidateSkillDir); toolhive-core 0.0.16, package oci/skills.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ...diagnostics.finding import rule
from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.shown import shown
from ...diagnostics.span import Span
from ...diagnostics.suggestion import as_question
from ...reading.fault import ReadError
from ...toolhive.constants import SKILL_FILE
from . import front_matter
from .front_matter import FrontMatter, UnfitError
from .lint import COMMAS, LONG_FILE, SkillText, intended_key

if TYPE_CHECKING:
    from ...diagnostics.finding import Finding, Rule
    from .folder import SkillFolder

NAME_REFUSED = rule("SKL008 skill-name-refused", "process", "The name of a skill is refused")
NAME_DIFFERS = rule("SKL009 skill-name-differs", "process", "A skill and its folder have different names")
DESCRIPTION_MISSING = rule("SKL010 skill-description-missing", "process", "A skill has no description")
DESCRIPTION_LONG = rule("SKL011 skill-description-too-long", "process", "The description of a skill is too long")
COMPATIBILITY_LONG = rule("SKL012 skill-compatibility-too-long", "process", "The compatibility of a skill is too long")

FILE_MISSING = rule("SKL001 skill-file-missing", "process", "The folder of a skill has no SKILL.md")
FILE_UNREADABLE = rule("SKL002 skill-file-unreadable", "process", "The SKILL.md cannot be read", unmodelled="all")
LINK = rule("SKL003 skill-link", "process", "The folder of a skill is or contains a symbolic link")
MARKER_MISSING = rule("SKL004 skill-front-matter-missing", "process", "The front matter of a SKILL.md is not marked")
VALUE_UNFIT = rule("SKL005 skill-front-matter-value", "process", "A value of the front matter does not fit its key")
TOO_MANY_DEPENDENCIES = rule("SKL006 skill-too-many-dependencies", "process", "A skill requires more than 100 others")
NAME_MISSING = rule("SKL007 skill-name-missing", "process", "A skill has no name")


NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}[a-z0-9]\Z")
MOST_DEPENDENCIES = 100
"""The service refuses a skill with more dependencies (``MaxDependencies``)."""
MOST_DESCRIPTION = 1024
"""The service refuses a longer description; the specification of skills has the same limit."""
MOST_COMPATIBILITY = 500
"""The service refuses a longer text; the specification of skills has the same limit."""
_WARNED = frozenset({COMMAS.id, LONG_FILE.id})


class CheckedSkill(NamedTuple):
    """A checked skill folder.

    Attributes:
        findings: The findings in the order in which the service reports faults.
        front: The front matter, or ``None`` if it cannot be read.
        body: The text after the front matter; empty without front matter.
    """

    findings: list[Finding]
    front: FrontMatter | None = None
    body: str = ""

    @property
    def errors(self) -> list[str]:
        """The messages of the faults for which the service refuses the skill.

        If a value has the wrong type, the service decodes nothing, so it gives no other reason.
        """
        refusals = [finding for finding in self.findings if finding.stage != "lint"]
        undecoded = [finding for finding in refusals if finding.rule == VALUE_UNFIT.id][:1]
        return [finding.message for finding in undecoded or refusals]

    @property
    def warnings(self) -> list[str]:
        """The messages of the findings that the service returns as warnings."""
        return [finding.message for finding in self.findings if finding.rule in _WARNED]


def check_skill(folder: SkillFolder) -> CheckedSkill:
    """Check the folder of a skill. If ``SKILL.md`` is missing or cannot be read, this is the only finding."""
    file = SKILL_FILE if folder.path == "." else f"{folder.path.rstrip('/')}/{SKILL_FILE}"
    if folder.content is None:
        fault_rule = FILE_UNREADABLE if folder.problem else FILE_MISSING
        name = shown(folder.name)
        message = folder.problem or f"the folder {name} has no {SKILL_FILE}"
        others = [entry.path for entry in folder.entries if entry.path != SKILL_FILE]
        twin = next((path for path in others if path.lower() == SKILL_FILE.lower()), None)
        hint = None if folder.problem else f"add {SKILL_FILE}"
        if twin:
            hint = f"rename {twin}: the name is case-sensitive"
        return CheckedSkill([fault_rule.finding(Span(file, 1, 1, 1, 1), message, hint=hint)])
    content = folder.content
    parts = front_matter.split(content)
    return _FolderCheck(folder, file, content, parts).run()


class _FolderCheck(SkillText):
    """Checks a folder whose ``SKILL.md`` was read."""

    def run(self) -> CheckedSkill:
        self._check_links()
        try:
            front = self._read_front()
        except UnfitError as error:
            self._report(VALUE_UNFIT, error.path, error.message)
            front = None
        except ReadError as fault:
            span = self._whole.span(self._start + fault.start, self._start + fault.end)
            self._findings.append(fault.rule.finding(span, fault.message, document=0, hint=fault.hint))
            front = None
        if front is None:
            return CheckedSkill(self._findings)
        for unfit in front.unfit:
            self._report(VALUE_UNFIT, unfit.path, unfit.message)
        self._check_fields(front)
        if front.unfit:
            return CheckedSkill(self._findings)
        self.report_warnings(front)
        self.report_lints(front)
        body = self._content[self._parts.body : self._parts.stop].decode("utf-8", "replace")
        return CheckedSkill(self._findings, front, body)

    def _check_links(self) -> None:
        link = "." if self._folder.is_link else next((e.path for e in self._folder.entries if e.kind == "link"), None)
        if link is not None:
            what = "the folder is itself" if link == "." else f"{shown(link)} is"
            self._report_at(LINK, 0, 0, f"{what} a symbolic link", "replace it with a copy of its target")

    def _read_front(self) -> FrontMatter | None:
        parts = self._parts
        if parts.fault is not None:
            at = self._at(parts.start)
            is_marked = self._text.startswith("\ufeff")
            hint = "delete the byte order mark before ---" if is_marked else "write it between two lines of ---"
            self._report_at(MARKER_MISSING, at, at, parts.fault, hint)
            return None
        front = front_matter.read(self._front_text)
        count = len(front.lists["toolhive.requires"])
        if count > MOST_DEPENDENCIES:
            message = f"the skill requires {count} others, but only {MOST_DEPENDENCIES} are allowed"
            self._report(TOO_MANY_DEPENDENCIES, ("toolhive.requires",), message)
            return None
        return front

    def _check_fields(self, front: FrontMatter) -> None:
        unfit = {error.path[0] for error in front.unfit if error.path}
        if front.texts["name"]:
            self._check_name(front.texts["name"])
        elif "name" not in unfit:
            self._report_missing(front, "name", NAME_MISSING)
        if not front.texts["description"] and "description" not in unfit:
            self._report_missing(front, "description", DESCRIPTION_MISSING)
        limits = (
            ("description", MOST_DESCRIPTION, DESCRIPTION_LONG),
            ("compatibility", MOST_COMPATIBILITY, COMPATIBILITY_LONG),
        )
        for key, most, fault_rule in limits:
            length = len(front.texts[key].encode("utf-8", "surrogateescape"))
            if length > most:
                self._report(fault_rule, (key,), f"the {key} has {length} bytes, but only {most} are allowed")

    def _report_missing(self, front: FrontMatter, key: str, fault_rule: Rule) -> None:
        """Report that ``key`` is missing. An unknown key that probably misspells ``key`` is the position."""
        misspelled = (
            None
            if key in front.keys
            else next((written_key for written_key in front.keys if intended_key(written_key) == key), None)
        )
        if misspelled is None:
            self._report(fault_rule, (key,) if key in front.keys else (), f"the skill has no {key}")
            return
        self._explained.add(misspelled)
        message, hint = f"the skill has no {key}: the key {shown(misspelled)} is not known", as_question(key)
        span = self._document.key_span((misspelled,))
        self._findings.append(fault_rule.finding(span, message, document=0, path=(), hint=hint))

    def _check_name(self, name: str) -> None:
        reason = name_fault(name)
        if reason is not None:
            self._report(NAME_REFUSED, ("name",), f"the name {shown(name)} is refused: {reason}")
        if name != self._folder.name and not self._folder.is_checkout:
            message = f"the skill is named {shown(name)}, but its folder {shown(self._folder.name)}"
            self._report(NAME_DIFFERS, ("name",), message, "rename one of the two")


def name_fault(name: str) -> str | None:
    """Return why the service refuses the name of a skill, as a clause, or ``None``."""
    if not NAME.match(name):
        return "it takes 2 to 64 lower-case letters, digits and hyphens, with no hyphen at the ends"
    return "it has two hyphens in a row" if "--" in name else None
