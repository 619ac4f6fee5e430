"""Rewrite a file for a later release of the operator: renamed or replaced versions, fields and values.

Source: the release notes of ToolHive; for `bestEffort` the validator of the vMCP process, v0.22.0.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..admission.admit import admit_document, is_object
from ..admission.table import checks_of
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.plain import value_at
from ..models.history import change_of
from ..project.input_kind import recognize
from ..project.patch_field import PATCH_FIELDS
from ..toolhive.profile import LATER_VERSION
from ..toolhive.release import BEST_EFFORT_SINCE, SECOND_VERSION_SINCE, holds
from ..workspace.other_kind import health_checks
from .edit import Change, Edit, FileFix
from .fix import fix_until_stable
from .fix_context import FixContext
from .registry import FIXES
from .source_buffer import SourceBuffer, line_starts, quoted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.span import Path
    from ..project.discovery import Project
    from ..project.input_kind import InputKind
    from ..reading.document import Document
    from ..toolhive.profile import Profile
    from .fix import Fixed

_EARLIER: Final = "v1alpha1"
_FAILURE_MODE: Final = ("operational", "failureHandling", "partialFailureMode")
_RENAMING: Final = ("ADM001", "ADM002")
"""Rules of admission that report a renamed field, or a field that has become an object."""
_UNREPLACEABLE: Final = ("&", "*", "!", "|", ">")


def upgraded(
    text: bytes, file: str, project: Project, *, unsafe: bool = False, read_as: InputKind | None = None
) -> Fixed:
    """Return the text after the rewrites that the project's release needs: resources and vMCP configurations.

    Only values that earlier releases accepted are rewritten. Other faults stay; `fix_file` fixes them.

    Args:
        text: Content of the file.
        file: Name of the file, as in findings.
        unsafe: True to apply unsafe rewrites too, which a person has to review.
        read_as: Kind of the records; ``None`` to recognize it by the content.
    """
    profile = project.settings.profile
    release = checks_of(profile).table
    versions = _Versions(profile, release.first_version_only, frozenset(release.kinds))

    def offered(body: str, documents: list[Document]) -> list[FileFix]:
        lines = line_starts(body)
        rewrites: list[FileFix] = []
        for document in documents:
            page = SourceBuffer(body, document, lines)
            rewrites += versions.rewrites(page) if versions.is_second else ()
            rewrites += _renamed_fields(page, profile)
            if holds(BEST_EFFORT_SINCE, None, str(profile.release)):
                rewrites += _failure_mode(page, profile, read_as)
        return [rewrite for rewrite in rewrites if rewrite.is_safe or unsafe]

    return fix_until_stable(text, file, offered)


class _Versions(NamedTuple):
    """Rewrites ``v1alpha1``, the first API version, to the second for kinds that have both."""

    profile: Profile
    first_only: frozenset[str]
    kinds: frozenset[str]

    @property
    def is_second(self) -> bool:
        return holds(SECOND_VERSION_SINCE, None, str(self.profile.release))

    @property
    def earlier(self) -> str:
        return f"{self.profile.api_group}/{_EARLIER}"

    @property
    def later(self) -> str:
        return f"{self.profile.api_group}/{LATER_VERSION}"

    def rewrites(self, page: SourceBuffer) -> Iterator[FileFix]:
        document = page.document
        prefixes: list[Path] = [element.prefix for element in document.elements()]
        if isinstance(document.data, dict) and document.data.get("kind") == "Kustomization":
            prefixes += health_checks(document.data)
        for prefix in dict.fromkeys([(), *prefixes]):
            yield from self._rewrite_object(page, prefix)
        if isinstance(document.data, dict) and document.data.get("kind") in (None, "Kustomization", "Component"):
            yield from self._rewrite_patches(page)

    def _rewrite_object(self, page: SourceBuffer, prefix: Path) -> Iterator[FileFix]:
        data = value_at(page.document.data, prefix)
        if not isinstance(data, dict) or data.get("apiVersion") != self.earlier:
            return
        kind = str(data.get("kind")).removesuffix("List")
        if kind in self.kinds - self.first_only:
            yield from _put(page, (*prefix, "apiVersion"), self.later, f"write {LATER_VERSION}")

    def _rewrite_patches(self, page: SourceBuffer) -> Iterator[FileFix]:
        """Yield one rewrite of all inline patches and patch targets of a kustomization with the first API version."""
        document = page.document
        values = {
            path: new
            for above in ((), ("spec",))
            for path, old in self._stated_in_patches(document.data, above)
            if (new := self._later_text(old)) != old
        }
        if not values:
            return
        from .foreign_file import put

        edits = put(page, values)
        if edits:
            changes = tuple([Change("put", path, new) for path, new in values.items()])
            yield FileFix(f"write {LATER_VERSION}", edits, changes, document.index)

    def _stated_in_patches(self, data: Any, above: Path) -> Iterator[tuple[Path, str]]:
        """Yield the path and text of each inline patch and target version that may state the first API version.

        A patch that mentions a kind with only the first version is left out. ``above`` is the path of the object with
        the patches.
        """
        for field in PATCH_FIELDS:
            entries = value_at(data, (*above, field))
            for number, entry in enumerate(entries if isinstance(entries, list) else ()):
                path: Path = (*above, field, number)
                text, target = entry, None
                if isinstance(entry, dict):
                    path, text, target = (*path, "patch"), entry.get("patch"), entry.get("target")
                if isinstance(text, str) and not any(f"kind: {kind}" in text for kind in self.first_only):
                    yield path, text
                if (
                    isinstance(target, dict)
                    and target.get("version") == _EARLIER
                    and target.get("group") == self.profile.api_group
                    and target.get("kind") in self.kinds - self.first_only
                ):
                    yield (*path[:-1], "target", "version"), _EARLIER

    def _later_text(self, text: str) -> str:
        if text == _EARLIER:
            return LATER_VERSION
        return re.sub(rf"(?m)^apiVersion: {re.escape(self.earlier)}(?=\s*$)", f"apiVersion: {self.later}", text)


def _renamed_fields(page: SourceBuffer, profile: Profile) -> Iterator[FileFix]:
    """Yield rewrites of fields whose name, path or type was different in an earlier release."""
    for element in page.document.elements():
        if not is_object(element.data, profile):
            continue
        kind = str(element.data.get("kind"))
        for finding in admit_document(element, profile=profile)[1]:
            path = finding.path or ()
            inner = path[len(element.prefix) :]
            if finding.rule not in _RENAMING or not inner:
                continue
            is_text = isinstance(value_at(page.document.data, path), str)
            history = change_of(kind, inner[:-1], str(inner[-1]), is_text=is_text)
            if history is not None and history.version is not None:
                fix = FIXES[finding.rule](FixContext(page, finding, kind, element.prefix, profile))
                yield from () if fix is None else (fix,)


def _failure_mode(page: SourceBuffer, profile: Profile, read_as: InputKind | None) -> Iterator[FileFix]:
    data = page.document.data
    if not isinstance(data, dict) or is_object(data, profile) or value_at(data, _FAILURE_MODE) != "bestEffort":
        return
    kind = read_as or recognize(data)
    if kind is not None and kind.name == "vmcp":
        yield from _put(page, _FAILURE_MODE, "best_effort", f"write best_effort for {'.'.join(_FAILURE_MODE)}")


def _put(page: SourceBuffer, path: Path, new: str, title: str) -> Iterator[FileFix]:
    if not page.document.has(path):
        return
    start, end = page.value(path)
    written = page.text[start:end]
    if written and not written.startswith(_UNREPLACEABLE) and "\n" not in written:
        text = quoted(new, written) if written[0] in "\"'" else new
        yield FileFix(title, (Edit(start, end, text),), (Change("put", path, new),), page.document.index)
