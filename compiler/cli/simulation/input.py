"""Input of ``mcpcfg simulate``: the resource or file to simulate, and files with values."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from ...check.full import Options, read
from ...diagnostics import file_path
from ...diagnostics.suggestion import several
from ...disk.files import read_named, stdin_bytes
from ...reading.document import read_documents
from ...workspace.external import World
from ...workspace.workspace import Workspace
from ..call import find_project

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...check.full import Loaded
    from ...workspace.resource import Resource


UNFILLED: Final = "mcpcfg.unfilled"
"""Key in the metadata of the click context: whether the project has placeholders instead of numbers or objects."""


class Subject(NamedTuple):
    """The subject of a call: a resource of a project, or the data of a separate file.

    Attributes:
        loaded: Files that were read.
        workspace: Resources of the project.
        resource: The resource, or ``None`` for a separate file.
        data: Data of the separate file, otherwise empty.
    """

    loaded: Loaded
    workspace: Workspace
    resource: Resource[Any] | None
    data: dict[str, Any]


def find(
    subject: str,
    paths: tuple[str, ...],
    kinds: tuple[str, ...],
    *,
    namespace: str | None,
    stands_alone: Callable[[dict[str, Any]], bool],
) -> Subject:
    """Find the subject of a call.

    Args:
        subject: A file, or the name of a resource, also as ``Kind/name``.
        paths: Files and folders of the project. Without any, the current folder.
        kinds: Allowed kinds.
        namespace: Namespace of resources that set none.
        stands_alone: Returns whether a document that is not a resource is allowed.

    Raises:
        click.UsageError: No or several resources match, or the resource would not be admitted.
    """
    is_file = not paths and os.path.isfile(subject)
    project = find_project((subject,) if is_file else paths)
    loaded = read(project, Options(namespace=namespace))
    world = World(external=project.settings.external, complete=project.complete, layout=loaded.plan.layout)
    workspace = Workspace(loaded.resources, world)
    click.get_current_context().meta[UNFILLED] = any(resource_.has_unknown_values for resource_ in loaded.resources)
    candidates = [resource for resource in loaded.resources if resource.kind in kinds]
    if is_file:
        path = file_path.realpath(subject)
        matching = [resource for resource in candidates if file_path.realpath(resource.document.file) == path]
        if not matching:
            return Subject(loaded, workspace, None, _plain(subject, kinds, stands_alone))
    else:
        kind, _, name = subject.rpartition("/")
        matching = [
            resource_
            for resource_ in candidates
            if resource_.name == name and kind.lower() in ("", resource_.kind.lower())
        ]
    # If overlays put a resource into several namespaces, any of them will do, unless the call states one.
    matching.sort(key=lambda resource_: resource_.namespace != namespace)
    first = {
        (resource_.document.file, resource_.document.index, resource_.document.prefix): resource_
        for resource_ in reversed(matching)
    }
    return Subject(loaded, workspace, _only(subject, [*reversed(first.values())], candidates, kinds, loaded), {})


def value_file(file: str, what: str) -> Any:
    """Read a YAML or JSON file with one value. ``-`` is standard input.

    Raises:
        InputError: The file cannot be read.
        click.UsageError: The file is not valid, or has several documents.
    """
    documents, findings = read_documents(_text(file), file)
    if findings:
        first = findings[0]
        raise click.UsageError(f"{what}: {file}:{first.span.line}:{first.span.column}: {first.message}")
    if len(documents) != 1:
        raise click.UsageError(f"{what}: {file} holds {len(documents)} documents, one is expected")
    return documents[0].data


def mapping_file(file: str | None, what: str) -> dict[str, Any]:
    """Read a file with one object. Without a file, return an empty object.

    Raises:
        click.UsageError: The value is not an object.
    """
    if file is None:
        return {}
    value = value_file(file, what)
    if not isinstance(value, dict):
        raise click.UsageError(f"{what}: {file} has to hold an object")
    return value


def _text(file: str) -> bytes:
    if file == "-":
        return stdin_bytes()
    return read_named(file)


def _plain(file: str, kinds: tuple[str, ...], stands_alone: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    documents, findings = read_documents(_text(file), file)
    for document in documents:
        if isinstance(document.data, dict) and stands_alone(document.data):
            return document.data
    if findings:
        first = findings[0]
        raise click.UsageError(f"{file}:{first.span.line}:{first.span.column}: {first.message}")
    raise click.UsageError(f"{file} holds nothing to simulate: no {_either(kinds)}")


def _only(
    subject: str, matching: list[Resource], candidates: list[Resource], kinds: tuple[str, ...], loaded: Loaded
) -> Resource:
    if not matching:
        names = sorted({resource.name for resource in candidates})
        near = several(subject, names) or names[:5]
        hint = f"; there is {', '.join(near)}" if near else "; name the files or folders that declare it"
        raise click.UsageError(f'no {_either(kinds)} "{subject}" among the files{hint}')
    admitted = [resource for resource in matching if resource.admitted]
    if not admitted:
        refused = matching[0]
        cause = next((item for item in loaded.findings if item.subject == refused.subject), None)
        place = f"{refused.document.file}:{cause.span.line}: {cause.message}" if cause else refused.document.file
        raise click.UsageError(
            f'{refused.kind} "{refused.name}" would not be admitted: {place}; mcpcfg check {refused.document.file} '
            "reports all"
        )
    if len(admitted) > 1:
        listed = ", ".join(f"{item.kind}/{item.name} in {item.document.file}" for item in admitted)
        raise click.UsageError(f"several are meant: {listed}; name Kind/name and the paths that hold the one")
    return admitted[0]


def _either(kinds: tuple[str, ...]) -> str:
    return " or ".join(kinds)
