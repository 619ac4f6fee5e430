"""Files of a project, laid below the current folder."""

from __future__ import annotations

from pathlib import Path


def lay(files: dict[str, str]) -> None:
    """Write texts by path.

    Args:
        files: Path to text; folders are made.
    """
    for file, text in files.items():
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).write_text(text)
