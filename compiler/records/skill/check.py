"""Checks of the folder of a skill: what the service refuses and warns of, and what does not come out as meant.

Source: toolhive 0.21.0, package skills (ValidateSkillDir); toolhive-core 0.0.16, package oci/skills.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...diagnostics.span import Span
from ...diagnostics.suggestion import as_question, nearest
from ...golang.image_reference import parse_image
from ...reading.document import Document
from ...reading.excerpt import Excerpt
from ...reading.fault import ReadError
from ..fault import quoted
from . import front_matter
from .folder import SKILL_FILE
from .front_matter import FrontMatter, UnfitError
from .rules import (
    COMMAS,
    COMPATIBILITY_LONG,
    DEPENDENCY_NO_REFERENCE,
    DESCRIPTION_LONG,
    DESCRIPTION_MISSING,
    KEY_UNKNOWN,
    LONG_FILE,
    MARKER_INSIDE,
    NAME_DIFFERS,
    NAME_REFUSED,
    NOT_PACKAGED,
    PARSER,
    SOURCE,
    TOOL_WITH_SPACE,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...diagnostics.finding import Finding, Rule, Severity
    from ...diagnostics.span import Path
    from .folder import SkillFolder
    from .front_matter import Split

FILE_MISSING = rule(
    "SKL001",
    "skill-file-missing",
    "The folder of a skill has no SKILL.md",
    stage="process",
    checks="There is no file with exactly this name at the root of the folder.",
    why="Neither the service nor any client treats the folder as a skill.",
    example="skills/pdf/skill.md",
    fix="Name the file `SKILL.md`.",
    source=SOURCE,
)
FILE_UNREADABLE = rule(
    "SKL002",
    "skill-file-unreadable",
    "The SKILL.md cannot be read",
    stage="process",
    unmodelled="all",
    checks="`SKILL.md` is a folder or a device, may not be read, or is too large.",
    why="The service answers with an error instead of a result.",
    example="skills/pdf/SKILL.md/",
    fix="Make it a regular file that can be read.",
    source=SOURCE,
)
LINK = rule(
    "SKL003",
    "skill-link",
    "The folder of a skill is or contains a symbolic link",
    stage="process",
    checks="The folder itself, or anything below it, is a symbolic link. The first one is reported.",
    why="A link may point outside the folder. The service refuses the skill, and packaging it fails.",
    example="skills/pdf/scripts -> ../../scripts",
    fix="Replace the link with a copy of its target.",
    source=SOURCE,
)
MARKER_MISSING = rule(
    "SKL004",
    "skill-front-matter-missing",
    "The front matter of a SKILL.md is not marked",
    stage="process",
    checks="The file does not begin with `---`, apart from white space, or no second `---` follows within 64 KiB. A"
    " byte order mark before the first one counts as text.",
    why="The name and the description of the skill are in the front matter; without it nothing is known about the"
    " skill.",
    example="""
        name: pdf
        description: Reads PDF files

        # How to read PDF files
        """,
    fix="Add a line `---` before and after the keys.",
    source=PARSER,
)
VALUE_UNFIT = rule(
    "SKL005",
    "skill-front-matter-value",
    "A value of the front matter does not fit its key",
    stage="process",
    checks="`name`, `description`, `version`, `license` and `compatibility` take a string or a number; `allowed-tools`"
    " and `toolhive.requires` a list of them or one string; `metadata` keys with one string each.",
    why="The front matter cannot be decoded, and the skill is refused.",
    example="""
        metadata:
          author: {name: Ann}
        """,
    fix="Write `author: Ann`.",
    source=PARSER,
)
TOO_MANY_DEPENDENCIES = rule(
    "SKL006",
    "skill-too-many-dependencies",
    "A skill requires more than 100 others",
    stage="process",
    checks="`toolhive.requires` has more than 100 items.",
    why="The service refuses the skill.",
    example="toolhive.requires: [ghcr.io/acme/skills/a:1, …]",
    fix="List only those that the skill requires directly.",
    source=PARSER,
)
NAME_MISSING = rule(
    "SKL007",
    "skill-name-missing",
    "A skill has no name",
    stage="process",
    checks="`name` is missing or empty in the front matter.",
    why="The skill is installed and called by its name; the service refuses one without a name.",
    example="""
        ---
        description: Reads PDF files
        ---
        """,
    fix="Add the name of the folder: `name: pdf`.",
    source=SOURCE,
)


NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,62}[a-z0-9]\Z")
MOST_DEPENDENCIES = 100
MOST_DESCRIPTION = 1024
MOST_COMPATIBILITY = 500
MOST_LINES = 500
MOST_FILES = 1000
MOST_PACKAGED_BYTES = 100 * 1024 * 1024
_KEYS = [*front_matter.TEXTS, *front_matter.LISTS, "metadata"]
_WARNED = frozenset({COMMAS.id, LONG_FILE.id})


class CheckedSkill(NamedTuple):
    """The folder of a skill, checked.

    Attributes:
        findings: What is wrong or doubtful, in the order in which the service reports it.
        front: Its front matter, where that can be read.
        body: The text below it.
    """

    findings: list[Finding]
    front: FrontMatter | None = None
    body: str = ""

    @property
    def errors(self) -> list[str]:
        """The messages of what the service refuses."""
        return [finding.message for finding in self.findings if finding.stage != "lint"]

    @property
    def warnings(self) -> list[str]:
        """The messages of what the service warns of."""
        return [finding.message for finding in self.findings if finding.rule in _WARNED]


def check_skill(folder: SkillFolder) -> CheckedSkill:
    """Check the folder of a skill."""
    file = SKILL_FILE if folder.path == "." else f"{folder.path.rstrip('/')}/{SKILL_FILE}"
    if folder.content is None:
        found = FILE_UNREADABLE if folder.problem else FILE_MISSING
        name = shown(folder.name)
        message = folder.problem or f"the folder {name} has no {SKILL_FILE}"
        others = [one.path for one in folder.entries if one.path != SKILL_FILE]
        twin = next((path for path in others if path.lower() == SKILL_FILE.lower()), None)
        hint = None if folder.problem else f"add {SKILL_FILE}"
        if twin:
            hint = f"rename {twin}: the name is case-sensitive"
        return CheckedSkill([found.finding(Span(file, 1, 1, 1, 1), message, hint=hint)])
    content = folder.content
    parts = front_matter.split(content)
    return _Check(folder, file, content, parts).run()


class _Check:
    """Checks one folder whose ``SKILL.md`` is there."""

    def __init__(self, folder: SkillFolder, file: str, content: bytes, parts: Split) -> None:
        self._folder = folder
        self._content = content
        self._parts = parts
        self._text = content.decode("utf-8", "surrogateescape")
        self._whole = Excerpt(file, self._text, 0, len(self._text), 0)
        start, end = self._at(parts.start), self._at(parts.end)
        line = self._whole.span(start, start).line - 1
        excerpt = Excerpt(file, self._text, start, end, line)
        self._front_text = self._text[start:end]
        self._start = start
        self._document = Document(file, 0, None, dialect="vmcp", excerpt=excerpt, ordinal=0)
        self._findings: list[Finding] = []
        self._explained: set[str] = set()
        """Unknown keys that are reported already, as what is missing."""

    def run(self) -> CheckedSkill:
        self._links()
        try:
            front = self._front()
        except UnfitError as error:
            self._report(VALUE_UNFIT, error.path, error.message)
            front = None
        except ReadError as fault:
            span = self._whole.span(self._start + fault.start, self._start + fault.end)
            self._findings.append(fault.rule.finding(span, fault.message, document=0, hint=fault.hint))
            front = None
        if front is None:
            return CheckedSkill(self._findings)
        self._fields(front)
        self._warnings(front)
        self._lints(front)
        body = self._content[self._parts.body : self._parts.stop].decode("utf-8", "replace")
        return CheckedSkill(self._findings, front, body)

    def _at(self, offset: int) -> int:
        return len(self._content[:offset].decode("utf-8", "surrogateescape"))

    def _report(
        self, found: Rule, path: Path, message: str, hint: str | None = None, severity: Severity | None = None
    ) -> None:
        span = self._document.span(path)
        self._findings.append(
            found.finding(span, message, document=0, path=path, hint=hint, severity=severity),
        )

    def _report_at(self, found: Rule, start: int, end: int, message: str, hint: str | None = None) -> None:
        self._findings.append(found.finding(self._whole.span(start, end), message, document=0, hint=hint))

    def _links(self) -> None:
        link = "." if self._folder.is_link else next((e.path for e in self._folder.entries if e.kind == "link"), None)
        if link is not None:
            what = "the folder is itself" if link == "." else f"{shown(link)} is"
            self._report_at(LINK, 0, 0, f"{what} a symbolic link", "replace it with a copy of its target")

    def _front(self) -> FrontMatter | None:
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

    def _fields(self, front: FrontMatter) -> None:
        if front.texts["name"]:
            self._name(front.texts["name"])
        else:
            self._missing(front, "name", NAME_MISSING)
        if not front.texts["description"]:
            self._missing(front, "description", DESCRIPTION_MISSING)
        limits = (
            ("description", MOST_DESCRIPTION, DESCRIPTION_LONG),
            ("compatibility", MOST_COMPATIBILITY, COMPATIBILITY_LONG),
        )
        for key, most, found in limits:
            length = len(front.texts[key].encode("utf-8", "surrogateescape"))
            if length > most:
                self._report(found, (key,), f"the {key} has {length} bytes, but only {most} are allowed")

    def _missing(self, front: FrontMatter, key: str, found: Rule) -> None:
        """Report that a key is missing: where it is probably misspelt, at the key that stands for it."""
        meant = None if key in front.keys else next((one for one in front.keys if _meant(one) == key), None)
        if meant is None:
            self._report(found, (key,) if key in front.keys else (), f"the skill has no {key}")
            return
        self._explained.add(meant)
        message, hint = f"the skill has no {key}: the key {shown(meant)} is not known", as_question(key)
        span = self._document.key_span((meant,))
        self._findings.append(found.finding(span, message, document=0, path=(), hint=hint))

    def _name(self, name: str) -> None:
        reason = name_fault(name)
        if reason is not None:
            self._report(NAME_REFUSED, ("name",), f"the name {shown(name)} is refused: {reason}")
        if name != self._folder.name:
            message = f"the skill is named {shown(name)}, but its folder {shown(self._folder.name)}"
            self._report(NAME_DIFFERS, ("name",), message, "rename one of the two")

    def _warnings(self, front: FrontMatter) -> None:
        tools = front.lists["allowed-tools"]
        if tools and b"," in self._content and b"allowed-tools:" in self._content:
            written = self._document.scalar(("allowed-tools",)) or ""
            if "," in written:
                message = "the allowed tools have commas between them, which other clients may not understand"
                self._report(COMMAS, ("allowed-tools",), message, "put spaces between them")
            else:
                message = (
                    "the service will warn about commas between allowed tools, because there are others in the file"
                )
                self._report(COMMAS, ("allowed-tools",), message, severity="info")
        lines = self._content.count(b"\n") + 1
        if lines > MOST_LINES:
            message = f"{SKILL_FILE} has {lines} lines, but at most {MOST_LINES} are recommended"
            self._report_at(LONG_FILE, 0, 0, message, "move parts into files beside it, and name them")

    def _lints(self, front: FrontMatter) -> None:
        end = self._at(self._parts.end)
        line_start = max(self._text.rfind("\n", 0, end), self._text.rfind("\r", 0, end)) + 1
        after = self._text[end + 3 : end + 4]
        if line_start != end or after not in {"", "\n", "\r", " ", "\t"}:
            message = "these three hyphens end the front matter, though they are not alone on their line"
            self._report_at(MARKER_INSIDE, end, end + 3, message, "write one or two hyphens instead")
        for key in front.keys:
            if key not in _KEYS and key not in self._explained:
                meant = _meant(key)
                span = self._document.key_span((key,))
                message = f"the key {shown(key)} is not known and is skipped"
                self._findings.append(
                    KEY_UNKNOWN.finding(
                        span,
                        message,
                        document=0,
                        path=(key,),
                        hint=as_question(meant),
                        severity=None if meant else "info",
                    )
                )
        for number, reference in enumerate(front.lists["toolhive.requires"]):
            if reference and parse_image(reference, shortest=1) is None:
                path: Path = ("toolhive.requires", number)
                in_text = "toolhive.requires" not in front.is_list
                message = f"{shown(reference)} is not a reference to an OCI artifact"
                hint = "write it as in ghcr.io/acme/skills/pdf:1.0.0"
                self._report(DEPENDENCY_NO_REFERENCE, path[:1] if in_text else path, message, hint)
        spaced = [tool for tool in front.lists["allowed-tools"] if " " in tool and "(" not in tool]
        if spaced and "allowed-tools" not in front.is_list:
            message = f"{quoted(spaced, last='and')} are read as one tool each, because the list contains a comma"
            self._report(TOOL_WITH_SPACE, ("allowed-tools",), message, "separate them only with spaces")
        for message in _packaging(self._folder):
            self._report_at(NOT_PACKAGED, 0, 0, message, "keep data elsewhere, and say in the text where it is")


def name_fault(name: str) -> str | None:
    """Return why the name of a skill is refused, or ``None``."""
    if not NAME.match(name):
        return "it takes 2 to 64 lower-case letters, digits and hyphens, with no hyphen at the ends"
    return "it has two hyphens in a row" if "--" in name else None


def packaged(folder: SkillFolder) -> list[tuple[str, int]]:
    """List the files that a package of the skill holds, with their sizes: ``SKILL.md`` first, the others sorted."""
    files = [(one.path, one.size) for one in folder.entries if one.kind == "file" and not _is_hidden(one.path)]
    return sorted(files, key=lambda file: (file[0] != SKILL_FILE, file[0].encode("utf-8", "surrogateescape")))


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))


def _packaging(folder: SkillFolder) -> Iterator[str]:
    other = next((one.path for one in folder.entries if one.kind == "other" and not _is_hidden(one.path)), None)
    if other is not None:
        yield f"{shown(other)} is neither a file nor a folder, which a package cannot contain"
    files = [file for file in packaged(folder) if file[0] != SKILL_FILE]
    if len(files) > MOST_FILES:
        yield f"a package holds at most {MOST_FILES} files besides {SKILL_FILE}, but the folder has {len(files)}"
    if sum(size for _, size in files) > MOST_PACKAGED_BYTES:
        yield f"a package holds {MOST_PACKAGED_BYTES // 2**20} MiB, but the folder has more"


def _meant(key: str) -> str | None:
    """Return the key that was probably meant by one that is not known."""
    return None if key in _KEYS else nearest(key, _KEYS)
