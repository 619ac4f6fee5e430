"""``python -m mcpcfg.compiler.generate``: write the generated files.

With ``--check`` it only reports generated files that differ, and releases whose CRDs differ from generated CRDs.
With ``--crds FOLDER`` it prints the declarations that the models lack for the CustomResourceDefinitions in a folder.
If the models lack nothing, ``--release X.Y.Z`` records the fingerprints of these definitions for that release.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from ..diagnostics import file_path
from ..reading.document import read_documents
from ..toolhive.release import NEWEST_MODELLED, RELEASES
from .fingerprint import FINGERPRINTS, definitions, differences, digest, recorded
from .missing import missing
from .output import drift, outputs, write

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(file_path.realpath(__file__))))
_USAGE = "usage: python -m mcpcfg.compiler.generate [--check | --crds FOLDER [--release X.Y.Z]]\n"


def main(arguments: list[str]) -> int:
    """Run the command. Return the exit status: 1 for differences, 2 for wrong arguments or a folder without CRDs."""
    match arguments:
        case []:
            for path in write(_ROOT, outputs()):
                sys.stdout.write(f"wrote {path}\n")
            return 0
        case ["--check"]:
            return _check()
        case ["--crds", folder]:
            return _compare_crds(folder, None)
        case ["--crds", folder, "--release", release]:
            return _compare_crds(folder, release)
    sys.stderr.write(_USAGE)
    return 2


def _check() -> int:
    wrong = [f"{path} is not what the models give: run `make generate`" for path in drift(_ROOT, outputs())]
    wrong += [
        f"{kind} of release {release} is not what the models give: `--crds` prints what differs"
        for release, kind in differences(_fingerprints())
    ]
    sys.stderr.writelines(f"{line}\n" for line in wrong)
    return 1 if wrong else 0


def _compare_crds(folder: str, release: str | None) -> int:
    """Print the declarations that the models lack for the CRDs in a folder, and return the exit status.

    If they lack nothing and ``release`` is given, record the fingerprints of the CRDs for that release.
    """
    shipped: dict[str, Any] = {}
    for path in sorted(Path(folder).glob("*.yaml")):
        documents, _ = read_documents(path.read_bytes(), path.name)
        for document in documents:
            if document.data.get("kind") == "CustomResourceDefinition":
                shipped[document.data["spec"]["names"]["kind"]] = document.data
    if not shipped:
        sys.stderr.write(f"{folder} holds no CustomResourceDefinition\n")
        return 2
    base = release if release in RELEASES else NEWEST_MODELLED
    lines = list(missing(shipped, definitions(base), release or "X.Y.Z"))
    sys.stdout.writelines(f"{line}\n" for line in lines)
    if release is not None and not lines:
        digests = {kind: digest(crd) for kind, crd in shipped.items()}
        path = Path(_ROOT, FINGERPRINTS)
        path.write_text(json.dumps(recorded(_fingerprints(), release, digests), indent=2) + "\n", encoding="utf-8")
    return 1 if lines else 0


def _fingerprints() -> dict[str, dict[str, str | None]]:
    try:
        text = Path(_ROOT, FINGERPRINTS).read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    fingerprints: dict[str, dict[str, str | None]] = json.loads(text)
    return fingerprints


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
