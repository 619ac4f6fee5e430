"""Check whether the process can read the configuration that the operator writes.

The YAML library writes some texts incorrectly. A text of several lines becomes a block, and a block that begins with a
space, a line break or a tab gets a wrong indent or none. A key ``<<`` is read as a merge. The process then refuses the
whole file, or loses a line break.

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
"""First characters of a block for which the library writes a wrong indent or none."""


def has_suspect_text(data: Any) -> bool:
    """Return whether a text or key in ``data`` may change when the operator writes it and the process reads it."""
    values = [data]
    for item in values:  # the list grows by the content of each container
        if type(item) is str:
            if ("\n" in item or item == MERGE_KEY) and _is_suspect(item):  # few texts pass the first test
                return True
        elif isinstance(item, dict):
            values += item.values()
            values += item
        elif isinstance(item, (list, tuple)):
            values += item
    return False


def reread(config: dict[str, Any]) -> dict[str, Any] | None:
    """Return the data that the process reads from the file that the operator writes; ``None`` if it cannot read it."""
    from ..golang.yaml.v3 import dump  # hardly any configuration needs it

    documents, _ = read_documents(dump(config), "", dialect="vmcp")
    return documents[0].data if documents and isinstance(documents[0].data, dict) else None


def unreadable_texts(config: dict[str, Any]) -> list[Path]:
    """Return the paths of texts and keys that make the file unreadable, in the order of the data.

    If no text makes the file unreadable alone, only the first suspect text is returned.
    """
    suspects = list(_suspect_paths(config, ()))
    return [path for path in suspects if reread(_reduced_to(config, path)) is None] or suspects[:1]


def _is_suspect(text: str) -> bool:
    return text == MERGE_KEY or ("\n" in text and (text[0] in _HEADS or "\t" in text))


def _suspect_paths(value: Any, path: Path) -> Iterator[Path]:
    if isinstance(value, str):
        if _is_suspect(value):
            yield path
    elif isinstance(value, (dict, list, tuple)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for step, child in items:
            if isinstance(step, str) and _is_suspect(step):
                yield (*path, step)
            else:
                yield from _suspect_paths(child, (*path, step))


def _reduced_to(value: Any, path: Path) -> Any:
    if not path:
        return value
    child = _reduced_to(value[path[0]], path[1:])
    return {path[0]: child} if isinstance(value, dict) else [child]
