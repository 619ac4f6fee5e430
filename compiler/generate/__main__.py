"""``python -m mcpcfg.compiler.generate``: writes what is generated; with ``--check`` it only reports what differs."""

from __future__ import annotations

import os
import sys

from .output import drift, outputs, write

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def main(arguments: list[str]) -> int:
    """Write or check; returns the exit status."""
    if arguments not in ([], ["--check"]):
        sys.stderr.write("usage: python -m mcpcfg.compiler.generate [--check]\n")
        return 2
    expected = outputs()
    if not arguments:
        for path in write(_ROOT, expected):
            sys.stdout.write(f"wrote {path}\n")
        return 0
    wrong = drift(_ROOT, expected)
    for path in wrong:
        sys.stderr.write(f"{path} is not what the models give: run `make generate`\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
