"""The rules over what was read: which are to run, and what comes out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mcpcfg.validators.engine import Rules

from .join import world_of
from .progress import stage
from .workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from mcpcfg.compiler.intake.memory import Kept
    from mcpcfg.compiler.intake.options import Options
    from mcpcfg.validators.rule import Verdict

    from .finding import Finding
    from .join import Loaded
    from .project.discovery import Project
    from .source import Path


class Judged(NamedTuple):
    """What was read, and what rules said about it.

    Attributes:
        loaded: What the files say.
        workspace: Their resources.
        verdicts: About single resources, by position; those that have nothing to tell may be missing.
        surveys: About all together, by the names of surveys.
        kept: What is to be kept for the next time, where that was asked for.
        touched: The files about which something else may be told than last time, also those that are gone; ``None``
            where that may be any.
    """

    loaded: Loaded
    workspace: Workspace
    verdicts: Mapping[int, Verdict]
    surveys: Mapping[str, Verdict]
    kept: Kept | None = None
    touched: Collection[str] | None = None

    def findings(self, files: Collection[str] | None = None) -> Iterator[Finding]:
        """Yield what the rules found, in all files or in some."""
        of_resources = self.loaded.resources.files
        for position, verdict in self.verdicts.items():
            if files is None or of_resources[position] in files:
                yield from verdict.findings
        for survey in self.surveys.values():
            yield from within(survey.findings, files)


def within(findings: Iterable[Finding], files: Collection[str] | None) -> Iterator[Finding]:
    """Yield those of some findings that lie in one of ``files``, or all."""
    return (finding for finding in findings if files is None or finding.span.file in files)


def judge_loaded(loaded: Loaded, project: Project, options: Options) -> Judged:
    """Judge all that was read, in this process."""
    workspace, rules = rules_over(loaded, project, options)
    with stage("rules"):
        verdicts = rules.judge()
        return Judged(loaded, workspace, verdicts, rules.survey(verdicts))


def rules_over(loaded: Loaded, project: Project, options: Options, *, watched: bool = False) -> tuple[Workspace, Rules]:
    """Make the workspace of what was read, and the rules that are to run over it."""
    world = world_of(project, options, loaded)
    if watched:
        from mcpcfg.validators.recall import Watched

        workspace: Workspace = Watched(loaded.resources, world)
    else:
        workspace = Workspace(loaded.resources, world)
    _mark_unreadable(workspace, loaded.findings)
    return workspace, Rules(workspace, project.settings.custom_rules)


def _mark_unreadable(workspace: Workspace, findings: Iterable[Finding]) -> None:
    """Note the resources that the API server stores and the operator cannot read, as admission found."""
    places: dict[tuple[str, str, str], dict[tuple[int | None, Path], str]] = {}
    for one in findings:
        if one.stage == "operator" and one.subject is not None:
            rules = places.setdefault((one.subject.kind, one.subject.name, one.span.file), {})
            path = one.path or ()
            # Elements of one List may have one name in several namespaces: where an element begins tells them apart.
            rules.update({(one.document, path[:length]): one.rule for length in range(len(path) + 1)})
    inventory = workspace.inventory
    for kind in {place[0] for place in places}:
        for position in workspace.positions(kind):
            found = places.get((kind, inventory.names[position], inventory.files[position]))
            if found is not None:
                document = inventory[position].document
                rule = found.get((document.index, document.prefix))
                if rule is not None:
                    workspace.refuse_unreadable(position, rule)
