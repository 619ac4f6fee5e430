"""Check the text of a ``SKILL.md`` for content that the service accepts but that is questionable.

Source: toolhive 0.21.0, package skills (ValidateSkillDir); toolhive-core 0.0.16, package oci/skills.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...diagnostics.suggestion import as_question, nearest
from ...golang.image_reference import parse_image
from ...reading.document import Document
from ...reading.excerpt import Excerpt
from ...toolhive.constants import SKILL_FILE
from ..fault import quoted
from . import front_matter

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...diagnostics.finding import Finding, Rule, Severity
    from ...diagnostics.span import Path
    from .folder import SkillFolder
    from .front_matter import FrontMatter, Split

COMMAS = rule("SKL020 skill-tools-with-commas", "lint", "The service warns about commas between allowed tools")
LONG_FILE = rule("SKL021 skill-file-long", "lint", "A SKILL.md has more than 500 lines")
MARKER_INSIDE = rule("SKL022 skill-front-matter-cut", "lint", "Three hyphens inside a value end the front matter")
KEY_UNKNOWN = rule("SKL023 skill-key-unknown", "lint", "A key of the front matter is not known")
DEPENDENCY_NO_REFERENCE = rule(
    "SKL024 skill-dependency-no-reference", "lint", "A dependency is not a reference to an OCI artifact"
)
NOT_PACKAGED = rule("SKL025 skill-not-packaged", "lint", "The folder of a skill cannot be packaged")
TOOL_WITH_SPACE = rule("SKL026 skill-tool-with-space", "lint", "An allowed tool has a space in its name")
MOST_LINES = 500
"""The number of lines of ``SKILL.md`` above which the service warns, because an agent reads the whole file."""
MOST_FILES = 1000
"""The number of files besides ``SKILL.md`` above which the service refuses to package a skill."""
MOST_PACKAGED_BYTES = 100 * 1024 * 1024
"""The total size of files above which the service refuses to package a skill."""
_KEYS = [*front_matter.TEXTS, *front_matter.LISTS, "metadata"]


class SkillText:
    """Collects the findings about a folder whose ``SKILL.md`` was read."""

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
        """Unknown keys that were already reported as misspellings of missing keys."""

    def _at(self, offset: int) -> int:
        return len(self._content[:offset].decode("utf-8", "surrogateescape"))

    def _report(
        self, fault_rule: Rule, path: Path, message: str, hint: str | None = None, severity: Severity | None = None
    ) -> None:
        span = self._document.span(path)
        self._findings.append(fault_rule.finding(span, message, document=0, path=path, hint=hint, severity=severity))

    def _report_at(self, fault_rule: Rule, start: int, end: int, message: str, hint: str | None = None) -> None:
        self._findings.append(fault_rule.finding(self._whole.span(start, end), message, document=0, hint=hint))

    def report_warnings(self, front: FrontMatter) -> None:
        """Report the faults that the service warns about: commas between tools, and a long file."""
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

    def report_lints(self, front: FrontMatter) -> None:
        """Report content that the service accepts but that has an unexpected effect."""
        end = self._at(self._parts.end)
        line_start = max(self._text.rfind("\n", 0, end), self._text.rfind("\r", 0, end)) + 1
        after = self._text[end + 3 : end + 4]
        if line_start != end or after not in {"", "\n", "\r", " ", "\t"}:
            message = "these three hyphens end the front matter, though they are not alone on their line"
            self._report_at(MARKER_INSIDE, end, end + 3, message, "write one or two hyphens instead")
        for key in front.keys:
            if key not in _KEYS and key not in self._explained:
                match = intended_key(key)
                span = self._document.key_span((key,))
                message = f"the key {shown(key)} is not known and is skipped"
                self._findings.append(
                    KEY_UNKNOWN.finding(
                        span,
                        message,
                        document=0,
                        path=(key,),
                        hint=as_question(match),
                        severity=None if match else "info",
                    )
                )
        for number, reference in enumerate(front.lists["toolhive.requires"]):
            if reference and parse_image(reference, shortest=1) is None:
                path: Path = ("toolhive.requires", number)
                in_text = "toolhive.requires" not in front.list_keys
                message = f"{shown(reference)} is not a reference to an OCI artifact"
                hint = "write it as in ghcr.io/acme/skills/pdf:1.0.0"
                self._report(DEPENDENCY_NO_REFERENCE, path[:1] if in_text else path, message, hint)
        spaced = [tool for tool in front.lists["allowed-tools"] if " " in tool and "(" not in tool]
        if spaced and "allowed-tools" not in front.list_keys:
            message = f"{quoted(spaced, last='and')} are read as one tool each, because the list contains a comma"
            self._report(TOOL_WITH_SPACE, ("allowed-tools",), message, "separate them only with spaces")
        for message in _packaging_faults(self._folder):
            self._report_at(NOT_PACKAGED, 0, 0, message, "keep data elsewhere, and say in the text where it is")


def packaged_files(folder: SkillFolder) -> list[tuple[str, int]]:
    """Return the path and size of each file in the package of a skill: ``SKILL.md``, then the others in byte order."""
    files = [
        (entry.path, entry.size) for entry in folder.entries if entry.kind == "file" and not _is_hidden(entry.path)
    ]
    return sorted(files, key=lambda file: (file[0] != SKILL_FILE, file[0].encode("utf-8", "surrogateescape")))


def _is_hidden(path: str) -> bool:
    return any(part.startswith(".") for part in path.split("/"))


def _packaging_faults(folder: SkillFolder) -> Iterator[str]:
    other = next((entry.path for entry in folder.entries if entry.kind == "other" and not _is_hidden(entry.path)), None)
    if other is not None:
        yield f"{shown(other)} is neither a file nor a folder, which a package cannot contain"
    files = [file for file in packaged_files(folder) if file[0] != SKILL_FILE]
    if len(files) > MOST_FILES:
        yield f"a package holds at most {MOST_FILES} files besides {SKILL_FILE}, but the folder has {len(files)}"
    if sum(size for _, size in files) > MOST_PACKAGED_BYTES:
        yield f"a package holds {MOST_PACKAGED_BYTES // 2**20} MiB, but the folder has more"


def intended_key(key: str) -> str | None:
    """Return the known key that ``key`` probably misspells, or ``None``, also if ``key`` is known."""
    return None if key in _KEYS else nearest(key, _KEYS)
