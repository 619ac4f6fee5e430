"""``make quick``: the tests of what differs from the main branch, on all processors.

A changed module runs the tests of its room, a changed rule the tests that name it, and a changed page the tests of
pages. What has no tests of its own is left to ``make test``.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
ALWAYS = ("tests/test_size.py",)
RULES = "tests/unit/validators"
RULE_ID = re.compile(r"\b[A-Z]{3}\d{3}\b")


def git(*arguments: str) -> list[str]:
    """Return the lines that Git prints."""
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False).stdout.split("\n")


def changed() -> list[str]:
    """Return the files that differ from the merge base with the main branch, new ones included."""
    main = "origin/main" if git("rev-parse", "--verify", "--quiet", "origin/main")[0] else "main"
    base = git("merge-base", "HEAD", main)[0]
    return [*git("diff", "--name-only", base), *git("ls-files", "--others", "--exclude-standard")]


def rules(path: str) -> list[str]:
    """Return the ids of the rules that a changed file is about: those of a rule module, or of a folder of fixtures."""
    if path.startswith("fixtures/rules/"):
        return [path.split("/")[2]]
    is_module = path.startswith("validators/rules/") and (ROOT / path).exists()
    return RULE_ID.findall((ROOT / path).read_text("utf-8")) if is_module else []


def tests(path: str) -> Iterator[str]:
    """Yield the tests of a changed file, but for those of rules."""
    parts = path.split("/")
    if parts[0] == "tests" and parts[-1].startswith("test_") and "differential" not in parts:
        yield path
    elif parts[0] == "compiler":
        yield f"tests/unit/{parts[1]}" if len(parts) > 2 else "tests/test_api.py"
    elif parts[0] == "validators" and len(parts) == 2:
        yield from (f"{RULES}/test_golden_findings.py", f"{RULES}/test_{parts[1]}")
    elif parts[:2] == ["validators", "pages"]:
        yield f"{RULES}/test_catalogue.py"
    elif path.endswith(".md"):
        yield from ("tests/test_examples.py", "tests/test_pages.py")


def main() -> int:
    """Run the program."""
    files = changed()
    named = sorted({test for path in files for test in tests(path) if (ROOT / test).exists()} | {*ALWAYS})
    ids = sorted({id_ for path in files for id_ in rules(path)})
    command = [sys.executable, "-P", "-m", "pytest", "-q", "-n", "auto"]
    status = subprocess.run([*command, *named], cwd=ROOT, check=False).returncode
    if ids:
        status = status or subprocess.run([*command, RULES, "-k", " or ".join(ids)], cwd=ROOT, check=False).returncode
    return status


if __name__ == "__main__":
    sys.exit(main())
