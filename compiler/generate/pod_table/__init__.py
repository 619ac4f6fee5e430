"""Generate the field table of the pod template from the Go types of Kubernetes.

``main.go`` in this folder reads ``k8s.io/api``, at the version in ``go.mod``, with reflection and prints the fields.
``python -m mcpcfg.compiler.generate.pod_table`` writes them to ``compiler/kube/_pod.py``. It needs Go and a module
proxy, so it is not part of ``make generate``. Run it after you change the version.

Source: k8s.io/api v0.35.0, package core/v1.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from typing import Any

from ...diagnostics import file_path

HERE = os.path.dirname(file_path.abspath(__file__))
TARGET = file_path.normpath(file_path.join(HERE, "..", "..", "kube", "_pod.py"))

_HEAD = '''"""Fields of the pod template and of all structs inside it. Generated; see compiler/generate/pod_table.

The table is one string, because Python loads a string fastest. Each struct is a line: its name, then its fields in the
order in which Go writes them. A field consists of the JSON name, ``!`` if Go writes the field even when it is empty,
``*`` if it is a pointer, and after colons the type (``[]`` before it for a list, ``{}`` for a map with string keys),
and the patch strategy and the merge key, if the field has them.
"""

STRUCTS = """\\
'''

_SHAPES = {"one": "", "list": "[]", "map": "{}"}


def go_program() -> str | None:
    """Return the path of ``go``, or ``None`` if it is not installed."""
    return shutil.which("go")


def describe(go: str) -> dict[str, list[dict[str, Any]]]:
    """Run ``main.go`` with the command ``go``, and return the fields of each struct, by struct name.

    Raises:
        CalledProcessError: Go could not build or run the program. Its messages went to standard error.
    """
    ran = subprocess.run([go, "run", "."], cwd=HERE, check=True, stdout=subprocess.PIPE)  # noqa: S603 - our own program
    structs: dict[str, list[dict[str, Any]]] = json.loads(ran.stdout)
    return structs


def render(structs: dict[str, list[dict[str, Any]]]) -> str:
    """Return the text of the module with the table. `describe` returns ``structs``."""
    lines = (" ".join([name, *map(_field, structs[name])]) for name in sorted(structs))
    return _HEAD + "\n".join(lines) + '\n"""\n'


def _field(field: dict[str, Any]) -> str:
    marks = "!" * field["always"] + "*" * field["pointer"]
    named = f"{field['name']}{marks}:{_SHAPES[field['shape']]}{field['kind']}"
    return f"{named}:{field['strategy']}:{field['mergeKey']}".rstrip(":")
