"""A configuration that the operator writes, as the process reads it back: not every text survives.

The library writes a text of several lines as a block. One that begins with a space, a line break or a tab gets a wrong
indent or none, and a key ``<<`` is read as a merge: then the whole file is refused, or a line break is lost.

Source: gopkg.in/yaml.v3 v3.0.1, with which the operator writes and the process reads.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..reading.document import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.span import Path

MERGE_KEY: Final = "<<"
_HEADS: Final = " \n\u2028\u2029"


def has_suspect_text(data: Any) -> bool:
    """Return whether a text or key in ``data`` may not be read as it is written."""
    values = [data]
    for item in values:  # which grows by what is within
        if type(item) is str:
            if ("\n" in item or item == MERGE_KEY) and _is_suspect(item):  # hardly any comes so far
                return True
        elif isinstance(item, dict):
            values += item.values()
            values += item
        elif isinstance(item, (list, tuple)):
            values += item
    return False


def reread(config: dict[str, Any]) -> dict[str, Any] | None:
    """Return what the process finds in the file that holds ``config``; ``None`` where it cannot read it."""
    from ..golang.yaml.v3 import dump  # which hardly any configuration needs

    documents, _ = read_documents(dump(config), "", dialect="vmcp")
    return documents[0].data if documents and isinstance(documents[0].data, dict) else None


def unreadable_texts(config: dict[str, Any]) -> list[Path]:
    """Return where the texts and keys stand that alone make the file unreadable, in the order of the data."""
    suspects = list(_suspects(config, ()))
    return [path for path in suspects if reread(_alone(config, path)) is None] or suspects[:1]


def _is_suspect(text: str) -> bool:
    return text == MERGE_KEY or ("\n" in text and (text[0] in _HEADS or "\t" in text))


def _suspects(value: Any, path: Path) -> Iterator[Path]:
    if isinstance(value, str):
        if _is_suspect(value):
            yield path
    elif isinstance(value, (dict, list, tuple)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for step, child in items:
            if isinstance(step, str) and _is_suspect(step):
                yield (*path, step)
            else:
                yield from _suspects(child, (*path, step))


def _alone(value: Any, path: Path) -> Any:
    """Return ``value`` with nothing beside what ``path`` leads to."""
    if not path:
        return value
    child = _alone(value[path[0]], path[1:])
    return {path[0]: child} if isinstance(value, dict) else [child]
