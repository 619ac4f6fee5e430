"""Add the hook and the job of mcpcfg to existing files of pre-commit, GitHub Actions and GitLab."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ...diagnostics.plain import listed, mapping
from ...reading.document import read_documents
from ..edit import Edit, apply_edits
from ..source_buffer import SourceBuffer, line_starts

if TYPE_CHECKING:
    from ...reading.document import Document

INCLUDED: Final = ".gitlab/mcpcfg.yml"
"""The file with the job that an existing GitLab configuration includes."""
_OURS: Final = "mcpcfg"


def with_hook(text: str, file: str, template: str) -> str | None:
    """Return a pre-commit configuration with the hook of mcpcfg added, or ``None`` if the hook is already there.

    Raises:
        ValueError: The configuration has no list of repositories.
    """
    document = _document(text, file)
    if any(
        _OURS in str(hook) for repo in listed(document.data.get("repos")) for hook in listed(mapping(repo).get("hooks"))
    ):
        return None
    entry = template[template.index("- repo:") :]
    return _with_item(SourceBuffer(text, document, line_starts(text)), "repos", entry)


def with_job(text: str, file: str, template: str) -> str | None:
    """Return a GitHub workflow with the job of mcpcfg added, or ``None`` if the job is already there.

    Raises:
        ValueError: The workflow has no jobs.
    """
    document = _document(text, file)
    jobs = document.data.get("jobs")
    if not isinstance(jobs, dict) or not jobs:
        raise ValueError(f"{file} has no jobs")
    if any(_OURS in str(job) for job in jobs.items()):
        return None
    page = SourceBuffer(text, document, line_starts(text))
    column = page.column(page.key(("jobs", next(iter(jobs))))[0])
    body = template[template.index("jobs:\n") :].partition("\n")[2].replace("  check:\n", f"  {_OURS}:\n", 1)
    job = "".join(" " * (column - 2) + line if line.strip() else line for line in body.splitlines(keepends=True))
    end = page.line_end(max(page.value(("jobs", name))[1] - 1 for name in jobs))
    gap = "" if text[:end].endswith("\n") else "\n"
    return apply_edits(text, [Edit(end, end, gap + job)])


def with_include(text: str, file: str) -> str | None:
    """Return a GitLab configuration with `INCLUDED` added to its includes, or ``None`` if it already mentions mcpcfg.

    Raises:
        ValueError: ``include`` is not a list.
    """
    document = _document(text, file)
    if _OURS in text:
        return None
    page = SourceBuffer(text, document, line_starts(text))
    entry = f"- local: {INCLUDED}\n"
    if "include" in document.data:
        return _with_item(page, "include", entry)
    gap = "" if text.endswith("\n") or not text else "\n"
    return f"{text}{gap}\ninclude:\n{entry}"


def _document(text: str, file: str) -> Document:
    documents, findings = read_documents(text.encode(), file)
    if findings or len(documents) != 1 or not isinstance(documents[0].data, dict):
        raise ValueError(f"{file} is no YAML document that can be changed")
    return documents[0]


def _with_item(page: SourceBuffer, field: str, item: str) -> str:
    items: Any = page.document.data.get(field)
    if not isinstance(items, list) or not items or page.is_flow((field, 0)):
        raise ValueError(f"{page.document.file} has no list {field} with items on lines of their own")
    start, end = page.value((field, len(items) - 1))
    dash = page.text.rindex("-", 0, start)
    end = page.line_end(max(end - 1, start))
    indented = "".join(" " * page.column(dash) + line for line in item.splitlines(keepends=True))
    gap = "" if page.text[:end].endswith("\n") else "\n"
    return apply_edits(page.text, [Edit(end, end, gap + indented)])
