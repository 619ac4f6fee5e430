"""The patches of overlays: parts of resources, whose fields and values are checked where they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..admission.admit import UNSTATED, with_namespace
from ..admission.describe import UNKNOWN_FIELD
from ..admission.partial import partial_findings
from ..admission.table import checks_of
from ..diagnostics.plain import listed, mapping, value_at
from ..project.kustomization import PATCHES, patch_target
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

_SETTING = ("add", "replace")
"""Operations of a JSON patch that put a value somewhere."""
_MOST_STEPS = 100
"""Of the path of an operation."""


def written_out(document: Document, profile: Profile, above: Path = ()) -> Iterator[Finding]:
    """Yield what is wrong with the patches that are written out in a kustomization.

    Args:
        document: The kustomization, or what of Flux has patches as one has.
        profile: The names that the operator goes by.
        above: Where in it the fields of a kustomization stand.
    """
    holder = mapping(value_at(document.data, above))
    for field in PATCHES:
        for number, entry in enumerate(listed(holder.get(field))):
            text = entry.get("patch") if isinstance(entry, dict) else entry
            target = patch_target(entry)
            if isinstance(text, str) and "\n" in text and target is not None:
                place = (*above, field, number, *(("patch",) if isinstance(entry, dict) else ()))
                yield from _of_text(document, place, text, target, profile)


def report_files(
    kustomizations: Sequence[Kustomization],
    ignores: Mapping[str, Sequence[Ignore]],
    texts: Texts,
    profile: Profile,
) -> tuple[Sequence[Finding], Mapping[str, Sequence[Ignore]]]:
    """Return what is wrong with the files that kustomizations take as patches, and the comments that suppress some.

    A comment about a whole resource has no effect in a patch.

    Args:
        kustomizations: The kustomizations as they are written.
        ignores: The comments of the files of the call, by path: no other files are read.
        texts: The texts of the files; takes up the patches.
        profile: The names that the operator goes by.
    """
    findings = with_namespace([*_of_files(kustomizations, ignores, texts, profile)], None)
    rules = {(one.span.file, one.rule) for one in findings}
    used = {file: [one for one in ignores[file] if (file, one.rule) in rules] for file, _ in rules}
    return findings, {file: comments for file, comments in used.items() if comments}


def _of_files(
    kustomizations: Sequence[Kustomization], files: Container[str], texts: Texts, profile: Profile
) -> Iterator[Finding]:
    listed = {path for one in kustomizations for path in one.listed}
    for path, *target in sorted({one for found in kustomizations for one in found.patched}):
        if path not in files or path in listed:
            continue
        try:
            text = texts[path]
        except KeyError:  # nothing of ours, as operations of a JSON patch are
            texts.add(path, None)
            text = texts[path]
        kind, group = target
        for document in read_documents(text, path)[0]:
            yield from _of_document(document, (kind, group), profile)


def _of_text(
    document: Document, place: Path, text: str, target: tuple[str, str], profile: Profile
) -> Iterator[Finding]:
    documents, _ = read_documents(text.encode("utf-8", "surrogatepass"), document.file)
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)

    def moved(span: Span) -> Span:
        offset = starts[span.line - 1] + span.column - 1
        length = span.end_column - span.column if span.end_line == span.line else None
        return document.span_within(place, offset, length, text)

    for inner in documents:
        for one in _of_document(inner, target, profile):
            notes = tuple([note._replace(span=note.span and moved(note.span)) for note in one.notes])
            yield one._replace(
                span=moved(one.span),
                document=document.index,
                path=(*document.prefix, *place),
                notes=notes,
                hidden=tuple(map(moved, one.hidden)),
            )


def _of_document(document: Document, target: tuple[str, str], profile: Profile) -> Iterator[Finding]:
    """Yield what is wrong with one patch: a part of an object, or a list of operations."""
    kind, group = target
    data = document.data
    kinds = checks_of(profile).table.kinds
    if isinstance(data, list):
        if kind in kinds and group in {"", profile.api_group}:
            yield from _of_operations(document, kind, profile)
        return
    if not isinstance(data, dict):
        return
    if kind:
        # The name in a patch that has a target stands for nothing.
        if kind in kinds and group in {"", profile.api_group}:
            found = partial_findings(document, kind, profile, namespace=UNSTATED)
            yield from (one._replace(subject=None) for one in found)
    elif str(data.get("kind")) in kinds and str(data.get("apiVersion")) in checks_of(profile).versions:
        yield from partial_findings(document, data["kind"], profile, namespace=UNSTATED)


def _of_operations(document: Document, kind: str, profile: Profile) -> Iterator[Finding]:
    """Yield what is wrong with a JSON patch (RFC 6902) of an object of ``kind``."""
    for number, operation in enumerate(document.data):
        pointer = operation.get("path") if isinstance(operation, dict) else None
        path = _steps(kind, pointer, checks_of(profile).table) if isinstance(pointer, str) else None
        if path is None:
            continue
        is_whole = len(path) < _MOST_STEPS
        sets = is_whole and operation.get("op") in _SETTING and "value" in operation
        whole: Any = operation["value"] if sets else None
        for step in reversed(path):
            whole = [whole] if isinstance(step, int) else {step: whole}
        if not isinstance(whole, dict):
            continue
        stated = {"apiVersion": profile.api_version(), "kind": kind} | whole
        for one in partial_findings(document.with_data(stated), kind, profile, namespace=UNSTATED):
            found, is_unknown = one.path or (), one.rule == UNKNOWN_FIELD.id
            at: Path | None = None
            if sets and len(found) >= len(path) and found[: len(path)] == path:
                at = (number, "value", *found[len(path) :])
            if is_unknown and len(found) <= len(path):
                at = (number, "path")
            if at is not None:
                span = document.key_span(at) if is_unknown and at[1] == "value" else document.span(at)
                yield one._replace(span=span, document=document.index, subject=None, path=at, notes=(), hidden=())


def _steps(kind: str, pointer: str, table: Table) -> tuple[str | int, ...] | None:
    """Return the way that a JSON pointer states, each item of a list as the first; ``None`` where there is none.

    Steps beyond the most that are looked at are left out: no field lies so deep.
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
