"""Check whether the process can read the configuration that the operator writes. Some texts are written incorrectly.

The library writes a text of several lines as a block. A block that begins with a space, a line break or a tab gets a
wrong indent or none, and a key ``<<`` is read as a merge. The process then refuses the whole file, or loses a line
break.

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
    """Return whether a text or key in ``data`` may change when the operator writes it and the process reads it."""
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
    """Return the data that the process reads from the written ``config``, or ``None`` if it cannot read the file."""
    from ..golang.yaml.v3 import dump  # which hardly any configuration needs

    documents, _ = read_documents(dump(config), "", dialect="vmcp")
    return documents[0].data if documents and isinstance(documents[0].data, dict) else None


def unreadable_texts(config: dict[str, Any]) -> list[Path]:
    """Return the paths of texts and keys that make the file unreadable, in the order of the data.

    If no text does so alone, only the first suspect text is returned.
    """
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
    """Return the value at ``path`` in ``value``, in containers that have no other content."""
    if not path:
        return value
    child = _alone(value[path[0]], path[1:])
    return {path[0]: child} if isinstance(value, dict) else [child]
