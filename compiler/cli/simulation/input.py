"""Input of ``mcpcfg simulate``: the project with what to simulate, and files with values."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import click

from ...answer import subject as answer_subject
from ...disk.files import read_named, stdin_bytes
from ...reading.document import read_documents
from ..call import find_project

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...answer.subject import AnswerSubject


UNFILLED: Final = "mcpcfg.unfilled"
"""Key in the metadata of the click context: whether the project has placeholders instead of numbers or objects."""


def find(
    subject: str,
    paths: tuple[str, ...],
    kinds: tuple[str, ...],
    *,
    namespace: str | None,
    stands_alone: Callable[[dict[str, Any]], bool],
) -> AnswerSubject:
    """Find the subject of a call: a file without paths, or a resource in the paths, by default the current folder.

    Raises:
        QuestionError: No or several resources match, or the resource would not be admitted.
    """
    project = find_project((subject,) if not paths and os.path.isfile(subject) else paths)
    subject_ = answer_subject.find(subject, project, kinds, namespace=namespace, stands_alone=stands_alone)
    click.get_current_context().meta[UNFILLED] = subject_.has_placeholders
    return subject_


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
