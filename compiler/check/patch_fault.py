"""Check patches of kustomizations. A patch is a part of a resource, whose fields and values are checked in place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..admission.admit import UNSTATED, with_namespace
from ..admission.describe import UNKNOWN_FIELD
from ..admission.partial import partial_findings
from ..admission.table import checks_of
from ..diagnostics.plain import listed, mapping, value_at
from ..project.kustomization import patch_target
from ..project.patch_field import PATCH_FIELDS
from ..reading.document import read_documents

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping, Sequence

    from ..admission.table import Table
    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Path, Span
    from ..disk.files import Texts
    from ..project.kustomization import Kustomization
    from ..reading.document import Document
    from ..reading.suppression_comment import Ignore
    from ..toolhive.profile import Profile

_SETTING_OPERATIONS = ("add", "replace")
"""Operations of a JSON patch whose ``value`` is checked."""
_MOST_STEPS = 100
"""Maximum number of steps that are read of the path of an operation, because no field is deeper."""


def inline_patch_findings(document: Document, profile: Profile, holder_path: Path = ()) -> Iterator[Finding]:
    """Yield findings about the patches that a kustomization contains as texts."""
    holder = mapping(value_at(document.data, holder_path))
    for field in PATCH_FIELDS:
        for index, entry in enumerate(listed(holder.get(field))):
            text = entry.get("patch") if isinstance(entry, dict) else entry
            target = patch_target(entry)
            if isinstance(text, str) and "\n" in text and target is not None:
                patch_path = (*holder_path, field, index, *(("patch",) if isinstance(entry, dict) else ()))
                yield from _text_findings(document, patch_path, text, target, profile)


def report_files(
    kustomizations: Sequence[Kustomization], ignores: Mapping[str, Sequence[Ignore]], texts: Texts, profile: Profile
) -> tuple[Sequence[Finding], Mapping[str, Sequence[Ignore]]]:
    """Return the findings about files that kustomizations use as patches, and the comments that suppress some of them.

    A comment about a whole resource has no effect in a patch.

    Args:
        ignores: The comments of the files of the call, by path. Other files are not read.
        texts: Receives the texts of patches.
    """
    findings = with_namespace([*_file_findings(kustomizations, ignores, texts, profile)], None)
    rules = {(finding.span.file, finding.rule) for finding in findings}
    comments_by_file = {file: [ignore for ignore in ignores[file] if (file, ignore.rule) in rules] for file, _ in rules}
    return findings, {file: comments for file, comments in comments_by_file.items() if comments}


def _file_findings(
    kustomizations: Sequence[Kustomization], files: Container[str], texts: Texts, profile: Profile
) -> Iterator[Finding]:
    listed = {path for kustomization in kustomizations for path in kustomization.listed}
    for path, *target in sorted({patch for kustomization in kustomizations for patch in kustomization.patched}):
        if path not in files or path in listed:
            continue
        try:
            text = texts[path]
        except KeyError:  # a file without anything to check, such as a JSON patch
            texts.add(path, None)
            text = texts[path]
        kind, group = target
        for document in read_documents(text, path)[0]:
            yield from _document_findings(document, (kind, group), profile)


def _text_findings(
    document: Document, patch_path: Path, text: str, target: tuple[str, str], profile: Profile
) -> Iterator[Finding]:
    """Yield findings about a patch that a kustomization contains as text, with spans in the kustomization."""
    documents, _ = read_documents(text.encode("utf-8", "surrogatepass"), document.file)
    line_starts = [0]
    for line in text.split("\n"):
        line_starts.append(line_starts[-1] + len(line) + 1)

    def moved(span: Span) -> Span:
        offset = line_starts[span.line - 1] + span.column - 1
        length = span.end_column - span.column if span.end_line == span.line else None
        return document.span_within(patch_path, offset, length, text)

    for inner in documents:
        for finding in _document_findings(inner, target, profile):
            notes = tuple([note._replace(span=note.span and moved(note.span)) for note in finding.notes])
            yield finding._replace(
                span=moved(finding.span),
                document=document.index,
                path=(*document.prefix, *patch_path),
                notes=notes,
                hidden=tuple(map(moved, finding.hidden)),
            )


def _document_findings(document: Document, target: tuple[str, str], profile: Profile) -> Iterator[Finding]:
    """Yield findings about a patch: a part of an object, or a list of JSON patch operations.

    Args:
        target: Kind and API group of the patched objects; empty if the kustomization does not state them.
    """
    kind, group = target
    data = document.data
    kinds = checks_of(profile).table.kinds
    if isinstance(data, list):
        if kind in kinds and group in {"", profile.api_group}:
            yield from _operation_findings(document, kind, profile)
        return
    if not isinstance(data, dict):
        return
    if kind:
        # If the kustomization states a target, kustomize ignores the name in the patch.
        if kind in kinds and group in {"", profile.api_group}:
            findings = partial_findings(document, kind, profile, namespace=UNSTATED)
            yield from (finding._replace(subject=None) for finding in findings)
    elif str(data.get("kind")) in kinds and str(data.get("apiVersion")) in checks_of(profile).versions:
        yield from partial_findings(document, data["kind"], profile, namespace=UNSTATED)


def _operation_findings(document: Document, kind: str, profile: Profile) -> Iterator[Finding]:
    """Yield findings about a JSON patch (RFC 6902). Each operation is checked as an object that has only its field."""
    for index, operation in enumerate(document.data):
        pointer = operation.get("path") if isinstance(operation, dict) else None
        path = _pointer_path(kind, pointer, checks_of(profile).table) if isinstance(pointer, str) else None
        if path is None:
            continue
        is_whole = len(path) < _MOST_STEPS
        sets = is_whole and operation.get("op") in _SETTING_OPERATIONS and "value" in operation
        stated_part: Any = operation["value"] if sets else None
        for step in reversed(path):
            stated_part = [stated_part] if isinstance(step, int) else {step: stated_part}
        if not isinstance(stated_part, dict):
            continue
        partial = {"apiVersion": profile.api_version(), "kind": kind} | stated_part
        for finding in partial_findings(document.with_data(partial), kind, profile, namespace=UNSTATED):
            found_path, is_unknown = finding.path or (), finding.rule == UNKNOWN_FIELD.id
            at: Path | None = None
            if sets and len(found_path) >= len(path) and found_path[: len(path)] == path:
                at = (index, "value", *found_path[len(path) :])
            if is_unknown and len(found_path) <= len(path):
                at = (index, "path")
            if at is not None:
                span = document.key_span(at) if is_unknown and at[1] == "value" else document.span(at)
                yield finding._replace(span=span, document=document.index, subject=None, path=at, notes=(), hidden=())


def _pointer_path(kind: str, pointer: str, table: Table) -> tuple[str | int, ...] | None:
    """Return the path that a JSON pointer states, with 0 for each index, because all items of a list have one type.

    Return ``None`` if the pointer is empty, or if a step into a list is neither an index nor ``-``. Steps beyond the
    100th are left out, because no field is so deep.
    """
    path: tuple[str | int, ...] = ()
    for word in pointer.split("/", _MOST_STEPS + 1)[1 : _MOST_STEPS + 1]:
        shape = table.shape(table.at(kind, path))
        if shape is not None and shape[0] == "list":
            if word != "-" and not word.isdecimal():
                return None
            path += (0,)
        else:
            path += (word.replace("~1", "/").replace("~0", "~"),)
    return path or None
