"""Files that nothing applies: no kustomization lists them, though their folder has one, or who does is suspended."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from ..diagnostics import file_path
from ..diagnostics.finding import Note, rule
from ..diagnostics.shown import shown
from ..diagnostics.span import Span
from ..workspace.layout import folders_above

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from ..diagnostics.finding import Finding
    from .kustomization import Kustomization

LEFT_OUT = rule(
    "REF026",
    "left-out-file",
    "A kustomization leaves out files with resources of the operator",
    stage="lint",
    checks="Files with resources of the operator that no kustomization lists, in a folder that has a kustomization, and"
    " folders with other findings to which nothing leads, below one that Flux or Argo CD apply. All that one"
    " kustomization leaves out is one finding, an info if it is whole folders, or if comments there, or beside objects"
    " of Flux and Argo CD, name all of it. Other findings in such files are infos.",
    why="Nothing of it reaches the cluster, although it looks as if it did.",
    example="resources: [group.yaml]   # server.yaml lies beside it",
    fix="List the files, or delete them. What is switched off for a while can stay as a comment.",
    source="kustomize: it applies what a kustomization lists.",
)
MISSING = rule(
    "REF027",
    "missing-listed-file",
    "A kustomization lists a file that does not exist",
    stage="lint",
    checks="An entry of `resources`, `components` or `bases` that ends in `.yaml` or `.yml` and names no file, in a"
    " kustomization that lists resources of the operator as well, or lies beside some. Files that `.gitignore` names"
    " keep it silent.",
    why="kustomize fails, so that nothing of the folder is applied.",
    example="resources: [sever.yaml]   # the file is called server.yaml",
    fix="Correct the name, or remove the entry.",
    source="kustomize: accumulating resources.",
)
_STAGES: Final = frozenset({"admission", "operator", "process", "lint"})
_MOST_NAMED: Final = 5


class Unapplied(NamedTuple):
    """Why nothing applies a file.

    Attributes:
        reason: The reason as a clause, such as ``no kustomization lists server.yaml``.
        folder: The folder of the kustomization that could list the file or lead to it.
    """

    reason: str
    folder: str


def unapplied(kustomizations: Iterable[Kustomization], files: Iterable[str]) -> dict[str, Unapplied]:
    """Return which files nothing applies, each with the reason.

    That is a file in the folder of a kustomization which neither that nor another one lists; and where Flux or Argo CD
    apply a folder above, one that only kustomizations list to which nothing of that leads.

    Args:
        kustomizations: All of a project, those of controllers among them.
        files: Those that declare resources.
    """
    by_folder = {file_path.normpath(one.folder or "."): one for one in kustomizations}
    written = {folder for folder, one in by_folder.items() if not (one.applied_by or one.retargets)}
    listers: dict[str, set[str]] = {}
    for folder, one in by_folder.items():
        for path in (*one.listed, *one.patches):
            listers.setdefault(path, set()).add(folder)
    applied = _led_to(by_folder)
    found: dict[str, Unapplied] = {}
    for file in files:
        path = file_path.normpath(file)
        folder = os.path.dirname(path) or "."
        own = listers.get(path)
        if own is None:
            if folder in written:
                found[file] = Unapplied(f"no kustomization lists {os.path.basename(path)}", folder)
        elif applied and own.isdisjoint(applied):
            above = next((one for one in folders_above(path) if (one or ".") in applied & written), None)
            if above is not None:
                found[file] = Unapplied(f"nothing that is applied leads to {folder}", above or ".")
    return found


def suspended(kustomizations: Iterable[Kustomization]) -> dict[str, str]:
    """Return which files are applied by suspended objects of controllers alone, each with the reason: a clause.

    An object that a suspended one applies is in the cluster, mostly, and goes on on its own.

    Args:
        kustomizations: All of a project, those of controllers among them.
    """
    by_folder = {file_path.normpath(one.folder or "."): one for one in kustomizations}
    stopped = {folder: one for folder, one in by_folder.items() if one.is_suspended}
    if not stopped:
        return {}
    listed = {path for one in by_folder.values() for path in one.listed}
    others = [folder for folder, one in by_folder.items() if one.applied_by or folder not in listed]
    reached = set[str]()
    _reach(by_folder, [folder for folder in others if folder not in stopped], reached)
    found: dict[str, str] = {}
    for folder, one in sorted(stopped.items(), reverse=True):
        reason = f"{one.object_name or 'the Application'} is suspended"
        found |= dict.fromkeys(_reach(by_folder, [folder], reached) - by_folder.keys(), reason)
    return found


def _reach(by_folder: Mapping[str, Kustomization], starts: list[str], reached: set[str]) -> set[str]:
    """Return what some kustomizations apply, without what objects of controllers among that apply on their own.

    Args:
        by_folder: All kustomizations of a project.
        starts: The folders where it begins.
        reached: What earlier calls returned, which is left out. It takes up what this call returns.
    """
    waiting, more = list(starts), set[str]()
    while waiting:
        new = by_folder[waiting.pop()].listed - reached
        reached |= new
        more |= new
        waiting += [path for path in new & by_folder.keys() if not by_folder[path].applied_by]
    return more


def _led_to(by_folder: Mapping[str, Kustomization]) -> frozenset[str]:
    """Return the kustomizations that controllers apply, and those to which these lead."""
    waiting = [folder for folder, one in by_folder.items() if one.applied_by]
    reached = set(waiting)
    while waiting:
        new = by_folder[waiting.pop()].listed & by_folder.keys() - reached
        reached |= new
        waiting += new
    return frozenset(reached)


def downgrade_unapplied(
    findings: Iterable[Finding], reasons: Mapping[str, str], suspended_files: Container[str]
) -> Iterator[Finding]:
    """Return findings with those about files that nothing applies as infos.

    Errors in files that are suspended are warnings with the reason: their resources may be in the cluster.

    Args:
        findings: In any order.
        reasons: The files that nothing applies, each with the reason.
        suspended_files: The files among them that are suspended.
    """
    for one in findings:
        reason = reasons.get(one.span.file)
        if reason is None or one.stage not in _STAGES:
            yield one
        elif one.span.file not in suspended_files:
            yield one._replace(severity="info")
        elif one.severity == "error" and one.stage != "lint":
            note = Note(f"{reason}, so nobody applies this; --unused error makes it an error")
            yield one._replace(severity="warning", notes=(*one.notes, note))
        else:
            yield one


def report_left_out(
    files: Mapping[str, str], kustomizations: Mapping[str, str], delivering: Iterable[str], texts: Mapping[str, bytes]
) -> Iterator[Finding]:
    """Yield a finding for each kustomization that leaves out files with resources of the operator.

    Args:
        files: The files that nothing applies, each with the folder of the kustomization that may list it.
        kustomizations: The files of the kustomizations, by folder.
        delivering: The files of kustomizations, and of objects of Flux and Argo CD.
        texts: The texts of the files.
    """
    comments: list[str] = []
    for file in delivering if files else ():
        lines = texts[file].decode("utf-8", "replace").splitlines()
        comments += [line for line in lines if line.lstrip().startswith("#")]
    for folder in sorted({folder for folder in files.values() if folder in kustomizations}):
        file = kustomizations[folder]
        left = [path for path, other in files.items() if other == folder]
        below = [file_path.relpath(path, folder) for path in left]
        entries = sorted({os.path.dirname(path) or path for path in below})
        is_whole = all(os.path.dirname(path) for path in below)
        lines = texts[file].decode("utf-8", "replace").splitlines()
        is_switched_off = all(any(entry in line for line in comments) for entry in entries)
        names = [shown(entry) for entry in entries[:_MOST_NAMED]]
        names += [f"{len(entries) - _MOST_NAMED} more"] if len(entries) > _MOST_NAMED else []
        listing = " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
        at = next((number for number, line in enumerate(lines, 1) if line.startswith("resources:")), 1)
        yield LEFT_OUT.finding(
            Span(file, at, 1, at, 1 + len("resources")),
            f"nothing applies {listing}",
            hint="list what is to be applied, and delete the rest",
            severity="info" if is_whole or is_switched_off else None,
        )


def report_missing(
    kustomizations: Mapping[str, Kustomization], texts: Mapping[str, bytes], is_there: Callable[[str], bool]
) -> Iterator[Finding]:
    """Yield a finding for each file or folder that a kustomization lists and that is missing.

    Args:
        kustomizations: The kustomizations by file.
        texts: The texts of the files.
        is_there: Returns whether there is a file or a folder.
    """
    for file, one in kustomizations.items():
        for path in sorted(one.listed):
            entry = file_path.relpath(path, one.folder or ".")
            # Others are addresses of repositories, or filled in later.
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
