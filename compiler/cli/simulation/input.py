"""Read the input of ``mcpcfg simulate``: the resource or file of the question, and files with values such as claims."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Final

import click

from ...disk.files import read_named, stdin_bytes
from ...reading.document import read_documents
from ...simulate.answer import subject as answer_subject
from ..call import find_project

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...simulate.answer.subject import AnswerSubject


UNFILLED: Final = "mcpcfg.unfilled"
"""Key in the metadata of the click context. Its value is true if placeholders stand for numbers or objects."""


def find(
    subject: str,
    paths: tuple[str, ...],
    kinds: tuple[str, ...],
    *,
    namespace: str | None,
    can_be_subject: Callable[[dict[str, Any]], bool],
    release: str | None = None,
) -> AnswerSubject:
    """Return the subject of a question: a file if no paths are stated, otherwise a resource in the files of the paths.

    Args:
        paths: Files and folders; empty for the current folder.
        kinds: Kinds of resources that the question can be about.
        namespace: Namespace of resources that set none.
        can_be_subject: Returns whether a document that is not a resource is allowed.
        release: Release of the operator, if not the one that the project states.

    Raises:
        QuestionError: No or several resources match, or the resource would not be admitted.
    """
    project = find_project((subject,) if not paths and os.path.isfile(subject) else paths, release=release)
    subject_ = answer_subject.find(subject, project, kinds, namespace=namespace, can_be_subject=can_be_subject)
    click.get_current_context().meta[UNFILLED] = subject_.has_placeholders
    return subject_


def value_file(file: str, what: str) -> Any:
    """Return the value of a YAML or JSON file with one document. The file ``-`` is standard input.

    ``what`` names the option in messages.

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
    """Return the object in a YAML or JSON file, or an empty object if ``file`` is ``None``.

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
