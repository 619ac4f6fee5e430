"""The peers: how each is installed, and what each is called with. Nothing here decides anything about mcpcfg."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from typing import NamedTuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SCHEMAS = os.path.join(ROOT, "schemas")
MODULES = {
    "kubeconform": "github.com/yannh/kubeconform/cmd/kubeconform@v0.8.0",
    "kubectl-validate": "sigs.k8s.io/kubectl-validate@v0.0.4",
}
MINUTES = 15


class Peer(NamedTuple):
    """One program to compare with.

    Attributes:
        name: As the table has it.
        command: What it is called with, before the folder.
        expands: It takes files, not folders.
        most: The most documents that it is given: beyond that it would take minutes.
    """

    name: str
    command: list[str]
    expands: bool = False
    most: int = 10_000


def install(work: str, only: str | None = None) -> tuple[list[Peer], list[str]]:
    """Install all peers, or one, below ``work``; return them, and what could not be installed and why."""
    peers: list[Peer] = []
    failed: list[str] = []
    for name, module in MODULES.items() if only is None else [(only, MODULES[only])]:
        program, why = go_program(name, module, os.path.join(work, "bin"))
        if program is None:
            failed.append(f"{name}: {why}")
        elif name == "kubeconform":
            template = os.path.join(_kubeconform_schemas(work), "{{.ResourceKind}}_{{.ResourceAPIVersion}}.json")
            peers.append(Peer(name, [program, "-strict", "-schema-location", template], most=1_000_000))
        else:
            peers.append(Peer(name, [program, "--local-crds", _crds(work)]))
    if only is not None:
        return peers, failed
    program, why = _pip(work)
    if program is None:
        failed.append(f"check-jsonschema: {why}")
    else:
        command = [program, "--schemafile", _one_schema(work)]
        peers.append(Peer("check-jsonschema", command, expands=True, most=1_000))
    return peers, failed


def ours(work: str) -> str:
    """Install mcpcfg as its users do, not as those who work on it; return the program."""
    folder = os.path.join(work, "mcpcfg")
    if not os.path.exists(folder):
        run([sys.executable, "-m", "venv", folder])
    why = run([os.path.join(folder, "bin", "pip"), "install", "--quiet", "--force-reinstall", ROOT])
    if why:
        raise SystemExit(f"mcpcfg cannot be installed: {why}")
    return os.path.join(folder, "bin", "mcpcfg")


def go_program(name: str, module: str, folder: str) -> tuple[str | None, str]:
    """Install a program with Go; return its path, and why it could not be installed. The PATH may have it then."""
    program = os.path.join(folder, name)
    if os.path.exists(program):
        return program, ""
    go = shutil.which("go")
    if go is None:
        return shutil.which(name), "go is not installed"
    done = run([go, "install", module], env=os.environ | {"GOBIN": folder})
    return (program, "") if os.path.exists(program) else (shutil.which(name), done)


def _pip(work: str) -> tuple[str | None, str]:
    folder = os.path.join(work, "python")
    program = os.path.join(folder, "bin", "check-jsonschema")
    if os.path.exists(program):
        return program, ""
    why = run([sys.executable, "-m", "venv", folder])
    why = why or run([os.path.join(folder, "bin", "pip"), "install", "--quiet", "check-jsonschema"])
    return (program, "") if os.path.exists(program) else (None, why)


def run(command: list[str], env: dict[str, str] | None = None) -> str:
    """Run a command; return the last line of what it complains of, empty where it went well."""
    try:
        done = subprocess.run(  # noqa: S603 - the commands above
            command, env=env, capture_output=True, text=True, timeout=MINUTES * 60, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return (done.stderr.strip().splitlines() or ["failed"])[-1] if done.returncode else ""


def _kinds() -> list[str]:
    names = sorted(name for name in os.listdir(SCHEMAS) if name.endswith(".schema.json"))
    kinds = [name.removesuffix(".schema.json") for name in names]
    return [kind for kind in kinds if kind[0].isupper() and not kind.endswith("List")]


def _schema(kind: str) -> dict[str, object]:
    with open(os.path.join(SCHEMAS, f"{kind}.schema.json"), encoding="utf-8") as file:
        schema: dict[str, object] = json.load(file)
    return schema


def _kubeconform_schemas(work: str) -> str:
    folder = os.path.join(work, "schemas")
    os.makedirs(folder, exist_ok=True)
    for kind in _kinds():
        with open(os.path.join(folder, f"{kind.lower()}_v1alpha1.json"), "w", encoding="utf-8") as file:
            json.dump({key: value for key, value in _schema(kind).items() if key not in ("$id", "$schema")}, file)
    return folder


def _one_schema(work: str) -> str:
    """Write the one schema that a run of check-jsonschema takes: it decides by the kind."""
    path = os.path.join(work, "schema.json")
    choices = [
        {
            "if": {"properties": {"kind": {"const": kind}}},
            "then": _schema(kind) | {"$id": f"https://example.com/{kind}.json"},
        }
        for kind in _kinds()
    ]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"$schema": "https://json-schema.org/draft/2020-12/schema", "allOf": choices}, file)
    return path


def _crds(work: str) -> str:
    folder = os.path.join(work, "crds")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(SCHEMAS, "crds.yaml"), encoding="utf-8") as file:
        texts = re.split(r"^---$", file.read(), flags=re.MULTILINE)
    for number, text in enumerate(text for text in texts if text.strip()):
        with open(os.path.join(folder, f"{number}.yaml"), "w", encoding="utf-8") as out:
            out.write(text)
    return folder
