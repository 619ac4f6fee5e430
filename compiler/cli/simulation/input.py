"""What a call names: the resource or file that it is about, and files with values."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from ...check.full import Options, read
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
"""Key of the call's notes: whether the project holds placeholders in place of numbers or objects."""


class Given(NamedTuple):
    """What a call is about: a resource of a project, or the data of a file that stands alone."""

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
) -> Given:
    """Find what a call is about.

    Args:
        subject: A file; or the name of a resource, also as ``Kind/name``.
        paths: The project in which the name is looked up; the current folder without any.
        kinds: The kinds that can be meant.
        namespace: Of resources that state none.
        stands_alone: Returns whether a document that is no resource can be meant.

    Raises:
        click.UsageError: There is none, there are several, or it would not be admitted.
    """
    is_file = not paths and os.path.isfile(subject)
    found = find_project((subject,) if is_file else paths)
    loaded = read(found, Options(namespace=namespace))
    world = World(external=found.settings.external, complete=found.complete, layout=loaded.plan.layout)
    workspace = Workspace(loaded.resources, world)
    click.get_current_context().meta[UNFILLED] = any(one.has_unknown_values for one in loaded.resources)
    of_kind = [resource for resource in loaded.resources if resource.kind in kinds]
    if is_file:
        path = os.path.realpath(subject)
        meant = [resource for resource in of_kind if os.path.realpath(resource.document.file) == path]
        if not meant:
            return Given(loaded, workspace, None, _plain(subject, kinds, stands_alone))
    else:
        kind, _, name = subject.rpartition("/")
        meant = [one for one in of_kind if one.name == name and kind.lower() in ("", one.kind.lower())]
    # Of what overlays put into several namespaces one is as good as another, unless the call states which.
    meant.sort(key=lambda one: one.namespace != namespace)
    first = {(one.document.file, one.document.index, one.document.prefix): one for one in reversed(meant)}
    return Given(loaded, workspace, _only(subject, [*reversed(first.values())], of_kind, kinds, loaded), {})


def value_file(file: str, what: str) -> Any:
    """Read a file with one value, YAML or JSON; ``-`` is standard input.

    Raises:
        InputError: It cannot be read.
        click.UsageError: It is not well-formed, or holds several documents.
    """
    documents, findings = read_documents(_text(file), file)
    if findings:
        first = findings[0]
        raise click.UsageError(f"{what}: {file}:{first.span.line}:{first.span.column}: {first.message}")
    if len(documents) != 1:
        raise click.UsageError(f"{what}: {file} holds {len(documents)} documents, one is expected")
    return documents[0].data


def mapping_file(file: str | None, what: str) -> dict[str, Any]:
    """Read a file with one object; an empty one without a file.

    Raises:
        click.UsageError: It holds something else.
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
    subject: str, meant: list[Resource], of_kind: list[Resource], kinds: tuple[str, ...], loaded: Loaded
) -> Resource:
    if not meant:
        names = sorted({resource.name for resource in of_kind})
        near = several(subject, names) or names[:5]
        hint = f"; there is {', '.join(near)}" if near else "; name the files or folders that declare it"
        raise click.UsageError(f'no {_either(kinds)} "{subject}" among the files{hint}')
    admitted = [resource for resource in meant if resource.admitted]
    if not admitted:
        refused = meant[0]
        cause = next((one for one in loaded.findings if one.subject == refused.subject), None)
        place = f"{refused.document.file}:{cause.span.line}: {cause.message}" if cause else refused.document.file
        raise click.UsageError(
            f'{refused.kind} "{refused.name}" would not be admitted: {place}; mcpcfg check {refused.document.file} '
            "reports all"
        )
    if len(admitted) > 1:
        listed = ", ".join(f"{one.kind}/{one.name} in {one.document.file}" for one in admitted)
        raise click.UsageError(f"several are meant: {listed}; name Kind/name and the paths that hold the one")
    return admitted[0]


def _either(kinds: tuple[str, ...]) -> str:
    return " or ".join(kinds)
