"""``python -m mcpcfg.compiler.generate.pod_table [--check]``: write ``compiler/kube/_pod.py``, or check it."""

from __future__ import annotations

import sys

from . import TARGET, describe, go_program, render


def main(arguments: list[str]) -> int:
    """Write ``compiler/kube/_pod.py``, or with ``--check`` report if it is outdated.

    Return the exit status: 1 for an outdated file, 2 if Go is not installed.
    """
    go = go_program()
    if go is None:
        sys.stderr.write("the pod table needs Go, which is not installed\n")
        return 2
    text = render(describe(go))
    if "--check" in arguments:
        with open(TARGET, encoding="utf-8") as file:
            if file.read() == text:
                return 0
        sys.stderr.write("compiler/kube/_pod.py differs from Kubernetes' types\n")
        return 1
    with open(TARGET, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
