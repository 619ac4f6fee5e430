"""Kubernetes' own JSON Schemas, where the machine has them.

They are those of the package ``kubernetes-validate`` (22 MB, not among the development dependencies), or of the folder
that ``MCPCFG_KUBERNETES_SCHEMAS`` names: one of its ``v1.N.0-local-strict``.
"""

from __future__ import annotations

import importlib.util
import json
import os
import re
from pathlib import Path
from typing import Any

KINDS = {
    "Deployment": "deployment-apps-v1",
    "StatefulSet": "statefulset-apps-v1",
    "Service": "service-v1",
    "ConfigMap": "configmap-v1",
    "Secret": "secret-v1",
    "ServiceAccount": "serviceaccount-v1",
    "Role": "role-rbac-v1",
    "RoleBinding": "rolebinding-rbac-v1",
}
"""Every kind that is compiled, to the name of its schema."""

REASON = "no Kubernetes schemas: install kubernetes-validate, or set MCPCFG_KUBERNETES_SCHEMAS"


def folder() -> Path | None:
    """Find the schemas of the newest Kubernetes that is there; unknown fields are refused by them."""
    named = os.environ.get("MCPCFG_KUBERNETES_SCHEMAS")
    if named:
        return Path(named)
    spec = importlib.util.find_spec("kubernetes_validate")
    if spec is None or spec.origin is None:
        return None
    found = (Path(spec.origin).parent / "kubernetes-json-schema").glob("v*-local-strict")
    return max(found, key=_version, default=None)


def _version(path: Path) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", path.name)))


def alone(schemas: Path, kind: str) -> dict[str, Any]:
    """Return the schema of a kind with the definitions that it needs, and no others."""
    shared = json.loads((schemas / "_definitions.json").read_text(encoding="utf-8"))["$defs"]
    schema: dict[str, Any] = json.loads((schemas / f"{KINDS[kind]}.json").read_text(encoding="utf-8"))
    needed: dict[str, Any] = {}
    waiting = [schema]
    while waiting:
        for name in re.findall(r'"[^"]*#/\$defs/([^"]+)"', json.dumps(waiting.pop())):
            if name not in needed:
                needed[name] = shared[name]
                waiting.append(shared[name])
    text = json.dumps({**schema, "definitions": needed})
    made: dict[str, Any] = json.loads(re.sub(r'"[^"]*#/\$defs/([^"]+)"', r'"#/definitions/\1"', text))
    return made
