"""Prints the section of CHANGELOG.md about the version that is released, as the notes of the release."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def notes(changelog: str, version: str) -> str:
    """Return the section of a version, without its heading.

    Raises:
        SystemExit: The changelog has no such section, or it is empty.
    """
    section = re.search(rf"^## \[?{re.escape(version)}\b[^\n]*\n(.*?)(?=^## |\Z)", changelog, re.DOTALL | re.MULTILINE)
    if section is None or not section[1].strip():
        raise SystemExit(f'CHANGELOG.md says nothing about {version}: rename "## Unreleased" to "## {version}"')
    return section[1].strip() + "\n"


if __name__ == "__main__":
    stated = (ROOT / "compiler" / "diagnostics" / "version.py").read_text(encoding="utf-8")
    released = re.search(r'^VERSION = "(.*)"$', stated, re.MULTILINE)
    assert released
    sys.stdout.write(notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), released[1]))
