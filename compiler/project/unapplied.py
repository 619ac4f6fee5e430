"""Find files that are never applied: their folder's kustomization omits them, or their delivery is suspended."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from ..diagnostics import file_path
from ..diagnostics.finding import Note, rule
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.shown import shown
from ..diagnostics.span import Span
from ..workspace.context import folders_above
from .delivery_start import reached_folders

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from ..diagnostics.finding import Finding
    from .kustomization import Kustomization

LEFT_OUT = rule("REF026 left-out-file", "lint", "A kustomization leaves out files with resources of the operator")
MISSING = rule("REF027 missing-listed-file", "lint", "A kustomization lists a file that does not exist")
_STAGES: Final = frozenset({"admission", "operator", "process", "lint"})
"""Stages whose findings become infos or warnings in files that are never applied. Syntax errors stay errors."""
_MOST_NAMED: Final = 5
"""Maximum number of files or folders that a message names, so that it stays one sentence."""


class Unapplied(NamedTuple):
    """The reason why a file is never applied.

    Attributes:
        reason: Clause such as ``no kustomization lists server.yaml``.
        folder: Folder of the nearest kustomization that could list the file or its folder.
        switched_off: File of the delivery that would apply the file if a kustomization listed that delivery, or an
            empty text.
    """

    reason: str
    folder: str
    switched_off: str = ""


def unapplied(
    kustomizations: Iterable[Kustomization], left_out: Mapping[str, str], files: Iterable[str]
) -> dict[str, Unapplied]:
    """Return the files that are never applied, each with the reason.

    A file is never applied if its folder has a kustomization but none lists the file. Below a folder that Flux or Argo
    CD apply, it is also not applied if it is listed only by kustomizations that they do not reach. Neither is a
    delivery that a kustomization leaves out, nor are the files that only such deliveries reach.

    Args:
        kustomizations: All kustomizations of a project, including those that stand for deliveries.
        left_out: The deliveries of `left_out_deliveries`, each with the folder that leaves it out.
        files: Files that declare resources.
    """
    by_folder = {file_path.normpath(link.folder or "."): link for link in kustomizations}
    kustomized = {folder for folder, link in by_folder.items() if not (link.applied_by or link.retargets)}
    listers: dict[str, set[str]] = {}
    for folder, link in by_folder.items():
        for path in (*link.listed, *link.patches):
            listers.setdefault(path, set()).add(folder)
    starts = {folder for folder, link in by_folder.items() if link.applied_by and folder not in left_out}
    delivered = reached_folders(by_folder, starts)
    switched_off = {folder: start for start in left_out for folder in reached_folders(by_folder, [start])}
    leading = delivered & kustomized
    reasons: dict[str, Unapplied] = {}
    for file in files:
        path = file_path.normpath(file)
        folder = os.path.dirname(path) or "."
        listing_folders = listers.get(path)
        if listing_folders is None:
            if folder in kustomized:
                reasons[file] = Unapplied(f"no kustomization lists {os.path.basename(path)}", folder)
        elif delivered and listing_folders.isdisjoint(delivered):
            parents = (folder or "." for folder in folders_above(path))
            nearest = next((folder for folder in parents if folder in leading), None)
            if listing_folders <= switched_off.keys():
                start = switched_off[min(listing_folders)]
                reason = f"no kustomization lists {start.partition('#')[0]}"
                reasons[file] = Unapplied(reason, left_out[start], start.partition("#")[0])
            elif nearest is not None:
                reasons[file] = Unapplied(f"nothing that is applied leads to {folder}", nearest)
    applied = {folder.partition("#")[0] for folder in starts}
    for start, folder in left_out.items():
        file = start.partition("#")[0]
        if file not in applied:
            reasons.setdefault(file, Unapplied(f"no kustomization lists {os.path.basename(file)}", folder, file))
    return reasons


def suspended(kustomizations: Iterable[Kustomization]) -> dict[str, str]:
    """Return the files that only suspended deliveries apply, each with the reason as a clause.

    A delivery that a suspended delivery applies is assumed to exist in the cluster already, where it stays active.

    Args:
        kustomizations: All kustomizations of a project, including those that stand for deliveries.
    """
    by_folder = {file_path.normpath(link.folder or "."): link for link in kustomizations}
    suspended_links = {folder: link for folder, link in by_folder.items() if link.is_suspended}
    if not suspended_links:
        return {}
    listed = {path for link in by_folder.values() for path in link.listed}
    others = [folder for folder, link in by_folder.items() if link.applied_by or folder not in listed]
    reached = set[str]()
    _reach(by_folder, [folder for folder in others if folder not in suspended_links], reached)
    reasons: dict[str, str] = {}
    for folder, link in sorted(suspended_links.items(), reverse=True):
        reason = f"{link.object_name or 'the Application'} is suspended"
        reasons |= dict.fromkeys(_reach(by_folder, [folder], reached) - by_folder.keys(), reason)
    return reasons


def _reach(by_folder: Mapping[str, Kustomization], starts: list[str], reached: set[str]) -> set[str]:
    """Return the paths that kustomizations list, directly or through others that are not deliveries.

    Args:
        starts: Folders of the kustomizations to start from.
        reached: Paths that are left out because earlier calls returned them. The returned paths are added.
    """
    waiting, added = list(starts), set[str]()
    while waiting:
        new = by_folder[waiting.pop()].listed - reached
        reached |= new
        added |= new
        waiting += [path for path in new & by_folder.keys() if not by_folder[path].applied_by]
    return added


def downgrade_unapplied(
    findings: Iterable[Finding], reasons: Mapping[str, str], suspended_files: Container[str]
) -> Iterator[Finding]:
    """Yield the findings with lower severities in files that are never applied. Syntax errors stay errors.

    Findings become infos. In suspended files, only errors except lints are lowered, to warnings, because the resources
    may be in the cluster.

    Args:
        findings: Findings in any order.
        reasons: Reasons by file for all files that are never applied.
        suspended_files: Files that only suspended objects apply.
    """
    for finding in findings:
        reason = reasons.get(finding.span.file)
        if reason is None or finding.stage not in _STAGES:
            yield finding
        elif finding.span.file not in suspended_files:
            yield finding._replace(severity="info")
        elif finding.severity == "error" and finding.stage != "lint":
            note = Note(f"{reason}, so nobody applies this; --unused error makes it an error")
            yield finding._replace(severity="warning", notes=(*finding.notes, note))
        else:
            yield finding


def report_left_out(
    files: Mapping[str, str],
    kustomizations: Mapping[str, str],
    delivering: Iterable[str],
    switching: Container[str],
    texts: Mapping[str, bytes],
) -> Iterator[Finding]:
    """Yield findings for each kustomization that omits files with resources of the operator.

    If only whole folders are omitted, the finding is an info.

    Args:
        files: Files that are never applied, each with the folder of the kustomization that could list it.
        delivering: Files with kustomizations or with objects of Flux or Argo CD. Entries that their comments name are
            omitted on purpose, so they are infos.
        switching: Files in ``files`` with deliveries, which are named as files wherever they are.
    """
    comments: list[str] = []
    for file in delivering if files else ():
        lines = texts[file].decode("utf-8", "replace").splitlines()
        comments += [line for line in lines if line.lstrip().startswith("#")]
    for folder in sorted({folder for folder in files.values() if folder in kustomizations}):
        file = kustomizations[folder]
        lines = texts[file].decode("utf-8", "replace").splitlines()
        line_number = next((number for number, line in enumerate(lines, 1) if line.startswith("resources:")), 1)
        omitted = [path for path, other in files.items() if other == folder]
        entries: dict[bool, dict[str, bool]] = {}
        for path in omitted:
            relative = file_path.relpath(path, folder)
            entry = relative if path in switching else os.path.dirname(relative) or relative
            is_commented = any((os.path.dirname(entry) or entry) in line for line in comments)
            entries.setdefault(is_commented, {})[entry] = entry != relative
        for is_commented, is_folder in sorted(entries.items()):
            yield LEFT_OUT.finding(
                Span(file, line_number, 1, line_number, 1 + len("resources")),
                f"nothing applies {_listing(sorted(is_folder))}",
                hint="list what is to be applied, and delete the rest",
                severity="info" if is_commented or all(is_folder.values()) else None,
            )


def _listing(entries: list[str]) -> str:
    names = [shown(entry) for entry in entries[:_MOST_NAMED]]
    names += [f"{len(entries) - _MOST_NAMED} more"] if len(entries) > _MOST_NAMED else []
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def report_missing(
    kustomizations: Mapping[str, Kustomization], texts: Mapping[str, bytes], is_there: Callable[[str], bool]
) -> Iterator[Finding]:
    """Yield a finding for each YAML file that a kustomization lists and that does not exist.

    Folders, addresses, and paths with variables or patterns are skipped.

    Args:
        texts: Contents of the files.
        is_there: Returns whether a file or a folder exists.
    """
    for file, link in kustomizations.items():
        for path in sorted(link.listed):
            entry = file_path.relpath(path, link.folder or ".")
            # Other entries are folders, addresses of repositories, or texts with variables and patterns.
            is_local = path.endswith((".yaml", ".yml")) and not set(path) & set("?*:${@")
            if not is_local or is_there(path):
                continue
            lines = texts[file].decode("utf-8", "replace").splitlines()
            for number, line in enumerate(lines, 1):
                start = line.find(entry)
                if start >= 0 and not line.lstrip().startswith("#"):
                    span = Span(file, number, start + 1, number, start + 1 + len(entry))
                    yield MISSING.finding(span, f"there is no file {shown(entry)}", hint="correct or remove the entry")
                    break
