"""``python -m mcpcfg.compiler.generate``: writes what is generated.

With ``--check`` it only reports what differs: generated files, and releases whose schemas the models do not give. With
``--crds FOLDER`` it prints the declarations that the models lack for the CustomResourceDefinitions of a release. Where
none is missing, ``--release X.Y.Z`` beside it keeps their fingerprints as those of that release.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

from ..reading.document import read_documents
from ..toolhive.release import NEWEST, RELEASES
from .fingerprint import FINGERPRINTS, definitions, digest, recorded, unlike
from .missing import missing
from .output import drift, outputs, write

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
_USAGE = "usage: python -m mcpcfg.compiler.generate [--check | --crds FOLDER [--release X.Y.Z]]\n"


def main(arguments: list[str]) -> int:
    """Write or check; returns the exit status."""
    match arguments:
        case []:
            for path in write(_ROOT, outputs()):
                sys.stdout.write(f"wrote {path}\n")
            return 0
        case ["--check"]:
            return _check()
        case ["--crds", folder]:
            return _take_in(folder, None)
        case ["--crds", folder, "--release", release]:
            return _take_in(folder, release)
    sys.stderr.write(_USAGE)
    return 2


def _check() -> int:
    wrong = [f"{path} is not what the models give: run `make generate`" for path in drift(_ROOT, outputs())]
    wrong += [
        f"{kind} of release {release} is not what the models give: `--crds` prints what differs"
        for release, kind in unlike(_fingerprints())
    ]
    sys.stderr.writelines(f"{line}\n" for line in wrong)
    return 1 if wrong else 0


def _take_in(folder: str, release: str | None) -> int:
    """Print what the models lack for the definitions in a folder, or keep their fingerprints."""
    shipped: dict[str, Any] = {}
    for path in sorted(Path(folder).glob("*.yaml")):
        documents, _ = read_documents(path.read_bytes(), path.name)
        for one in documents:
            if one.data.get("kind") == "CustomResourceDefinition":
                shipped[one.data["spec"]["names"]["kind"]] = one.data
    if not shipped:
        sys.stderr.write(f"{folder} holds no CustomResourceDefinition\n")
        return 2
    base = release if release in RELEASES else NEWEST
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
    known: dict[str, dict[str, str | None]] = json.loads(text)
    return known


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
