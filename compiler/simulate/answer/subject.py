"""Find the resource or file that a question is about."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

from ...check.full import Options, read
from ...diagnostics import file_path
from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.span import InputError
from ...diagnostics.suggestion import several
from ...disk.files import read_named
from ...reading.document import read_documents
from ...workspace.context import ProjectContext
from ...workspace.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...check.full import Loaded
    from ...project.discovery import Project
    from ...workspace.resource import Resource


PLACEHOLDERS: Final = "placeholders stand where values decide; fill them in first (envsubst, flux build)"
"""The reason why a question fails if a value that it needs is a placeholder."""


class QuestionError(InputError):
    """A question cannot be answered, because it is wrong or because the files do not contain the answer."""


class AnswerSubject(NamedTuple):
    """The subject of a question: a resource of a project, or the data of a separate file.

    Attributes:
        loaded: Files that were read.
        resource: The resource, or ``None`` for a separate file.
        data: Data of the separate file, otherwise empty.
    """

    loaded: Loaded
    workspace: Workspace
    resource: Resource[Any] | None
    data: dict[str, Any]

    @property
    def release(self) -> str:
        """The release of the operator that judges the subject."""
        return self.loaded.project.settings.profile.judging_release if self.resource is None else self.resource.release

    @property
    def has_placeholders(self) -> bool:
        """True if any resource of the project has a placeholder, so a value that the answer needs may be unknown."""
        return any(resource.has_unknown_values for resource in self.loaded.resources)


def find(
    subject: str,
    project: Project,
    kinds: tuple[str, ...],
    *,
    namespace: str | None,
    can_be_subject: Callable[[dict[str, Any]], bool],
) -> AnswerSubject:
    """Return the subject of a question.

    Args:
        subject: The only file of the project, or the name of a resource, with or without its kind (``Kind/name``).
        kinds: Kinds of resources that the question can be about.
        namespace: Namespace of resources that set none. It also selects one of the copies that overlays make.
        can_be_subject: Returns whether a document that is not a resource can be the subject.

    Raises:
        QuestionError: No or several resources match, or the resource would not be admitted.
    """
    is_file = project.asked == (subject,) and os.path.isfile(subject)
    loaded = read(project, Options(namespace=namespace))
    context = ProjectContext(external=project.settings.external, complete=project.complete, layout=loaded.plan.layout)
    workspace = Workspace(loaded.resources, context)
    candidates = [resource for resource in loaded.resources if resource.kind in kinds]
    if is_file:
        path = file_path.realpath(subject)
        matching = [resource for resource in candidates if file_path.realpath(resource.document.file) == path]
        if not matching:
            return AnswerSubject(loaded, workspace, None, _separate_data(subject, kinds, can_be_subject))
    else:
        kind, _, name = subject.rpartition("/")
        matching = [
            resource for resource in candidates if resource.name == name and kind.lower() in ("", resource.kind.lower())
        ]
    # If overlays put a resource into several namespaces, any of its copies is used, unless the call states a
    # namespace.
    matching.sort(key=lambda resource: resource.namespace != namespace)
    first = {
        (resource.document.file, resource.document.index, resource.document.prefix): resource
        for resource in reversed(matching)
    }
    return AnswerSubject(
        loaded, workspace, _only_match(subject, [*reversed(first.values())], candidates, kinds, loaded), {}
    )


def _separate_data(
    file: str, kinds: tuple[str, ...], can_be_subject: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    documents, findings = read_documents(read_named(file), file)
    for document in documents:
        if isinstance(document.data, dict) and can_be_subject(document.data):
            return document.data
    if findings:
        first = findings[0]
        raise QuestionError(f"{file}:{first.span.line}:{first.span.column}: {first.message}")
    raise QuestionError(f"{file} holds nothing to simulate: no {_kind_names(kinds)}")


def _only_match(
    subject: str, matching: list[Resource], candidates: list[Resource], kinds: tuple[str, ...], loaded: Loaded
) -> Resource:
    if not matching:
        names = sorted({resource.name for resource in candidates})
        # If no name is similar, the first five show how resources are named.
        near = several(subject, names) or names[:5]
        hint = f"; there is {', '.join(near)}" if near else "; name the files or folders that declare it"
        raise QuestionError(f'no {_kind_names(kinds)} "{subject}" among the files{hint}')
    admitted = [resource for resource in matching if resource.admitted]
    if not admitted:
        refused = matching[0]
        cause = next((item for item in loaded.findings if item.subject == refused.subject), None)
        place = f"{refused.document.file}:{cause.span.line}: {cause.message}" if cause else refused.document.file
        raise QuestionError(
            f'{refused.kind} "{refused.name}" would not be admitted: {place}; mcpcfg check {refused.document.file} '
            "reports all"
        )
    if len(admitted) > 1:
        listed = ", ".join(f"{item.kind}/{item.name} in {item.document.file}" for item in admitted)
        raise QuestionError(f"several are meant: {listed}; name Kind/name and the paths that hold the one")
    return admitted[0]


def _kind_names(kinds: tuple[str, ...]) -> str:
    return " or ".join(kinds)
