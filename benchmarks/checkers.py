"""The programs that `compared.py` runs over `fixtures/catches`: how each is installed, and how it is called.

Each gets the schemas that it can read. mcpcfg generates them for the release of the operator that the files are for.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import language_client
import peer
import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

CATCHES = Path(peer.ROOT) / "fixtures" / "catches"
RELEASE = yaml.safe_load((CATCHES / "mcpcfg.yaml").read_text(encoding="utf-8"))["release"]
MODULES = {
    "kubeconform": peer.MODULES["kubeconform"],
    "kubectl-validate": peer.MODULES["kubectl-validate"],
    "flux-schema": "github.com/fluxcd/flux-schema/cmd/flux-schema@v0.11.0",
    "kube-linter": "golang.stackrox.io/kube-linter/cmd/kube-linter@v0.8.3",
    "conftest": "github.com/open-policy-agent/conftest@v0.71.1",
    "vmcp validate": f"github.com/stacklok/toolhive/cmd/vmcp@v{RELEASE}",
}
LANGUAGE_SERVER = "2.0.0"
COLOR = re.compile(r"\x1b\[[\d;]*m")
MCPCFG = [sys.executable, "-P", "-m", "mcpcfg"]
FIRST = "audience.yaml"
FILTER = "            filter:\n                - pods_list\n                - pods_get\n"
VMCP_FAULTS = {
    "excluded-tool.yaml": (FILTER, "            exclude: [pods_exec]\n"),
    "optimizer-beside-policies.yaml": ("", "optimizer: {embeddingService: 'http://embeddings:8080'}\n"),
}
"""What makes the vMCP configuration of a right file the faulty one: a text, and the text in its place."""

Found = dict[Path, "list[str]"]
"""The lines that a program prints about each file, as far as they report something."""


class Checker(NamedTuple):
    """A program to compare with.

    Attributes:
        name: The name that the page uses.
        version: The version that ran, or why the program did not run.
        call: The call that the page shows.
        check: Checks files; ``None`` if the program could not be had.
        timed: Words of a call that checks one file; the file is appended. Empty for a program that takes no resource.
    """

    name: str
    version: str
    call: str
    check: Callable[[list[Path]], Found] | None
    timed: tuple[str, ...] = ()


def checkers(work: Path) -> Iterable[Checker]:
    """Yield the programs, installed below ``work``."""
    schemas, crds = _schemas(work), _crds(work)
    flat = f"{_flat(work, schemas)}/{{{{.ResourceKind}}}}_{{{{.ResourceAPIVersion}}}}.json"
    kubeconform = ("-strict", "-ignore-missing-schemas", "-schema-location", flat)
    yield _program(work, "kubeconform", "-strict -ignore-missing-schemas -schema-location …", kubeconform)
    yield _program(work, "kubectl-validate", "--local-crds …", ("--local-crds", str(crds)))
    extracted = work / "extracted"
    flux = ("validate", "--skip-missing-schemas", "-s", str(extracted))
    checker = _program(work, "flux-schema", "validate --skip-missing-schemas -s …", flux)
    if checker.check is not None:
        _run([checker.timed[0], "extract", "crd", *map(str, crds.glob("*.yaml")), "-d", str(extracted)])
    yield checker
    yield _program(work, "kube-linter", "lint --config …", ("lint", "--config", str(_linter_settings(work, flat))))
    conftest = _program(work, "conftest", "test", ("test",))
    if conftest.check is not None and "loading policies" in "".join(_reported([*conftest.timed, FIRST])):
        conftest = conftest._replace(version=f"{conftest.version}; it brings no policies", check=None)
    yield conftest
    yield _language_server(work, schemas)
    vmcp = _program(work, "vmcp validate", "validate --config", ("validate", "--config"))
    yield vmcp._replace(check=vmcp.check and partial(_vmcp, work, vmcp.timed), timed=())
    mcpcfg = (peer.ours(str(work)), "check", "--fail-on", "warning")
    yield Checker("mcpcfg", "this version", "mcpcfg check --fail-on warning", partial(_each, mcpcfg), mcpcfg)


def _program(work: Path, name: str, shown: str, words: tuple[str, ...]) -> Checker:
    command = name.partition(" ")[0]
    module, _, version = MODULES[name].partition("@")
    program, why = peer.go_program(command, f"{module}@{version}", str(work / "bin"))
    if program is None:
        return Checker(name, f"not run: {why}", f"{command} {shown}", None)
    timed = (program, *words)
    return Checker(name, version, f"{command} {shown}", partial(_each, timed), timed)


def _each(words: tuple[str, ...], files: list[Path]) -> Found:
    return {file: _reported([*words, file.relative_to(CATCHES).as_posix()]) for file in files}


def _run(words: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, cwd=CATCHES, capture_output=True, text=True, check=False)  # noqa: S603 - a peer


def _reported(words: list[str]) -> list[str]:
    """Return the lines that a call prints if it fails, without colors and the folders of this machine."""
    done = _run(words)
    text = COLOR.sub("", done.stdout + done.stderr) if done.returncode else ""
    for folder in (CATCHES, peer.ROOT):
        text = text.replace(f"{folder}/", "")
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def _language_server(work: Path, schemas: dict[str, dict[str, Any]]) -> Checker:
    name, version, folder = "yaml-language-server", LANGUAGE_SERVER, work / "npm"
    folder.mkdir(exist_ok=True)
    package = folder / "node_modules" / name
    if not package.exists():
        why = peer.run(["npm", "install", "--silent", "--no-audit", "--prefix", str(folder), f"{name}@{version}"])
        if why:
            return Checker(name, f"not run: {why}", name, None)
    schema = work / "one.json"
    conditions = [
        {"if": {"properties": {"kind": {"const": kind}}}, "then": {"$ref": f"#/definitions/{kind}"}} for kind in schemas
    ]
    definitions = {
        kind: json.loads(json.dumps(schema).replace('"#/$defs/', f'"#/definitions/{kind}/$defs/'))
        for kind, schema in schemas.items()
    }
    schema.write_text(json.dumps({"allOf": conditions, "definitions": definitions}), encoding="utf-8")
    settings = {"yaml": {"schemas": {schema.as_uri(): ["*.yaml"]}, "schemaStore": {"enable": False}}}
    command = ["node", str(package / "bin" / name), "--stdio"]
    return Checker(name, f"v{version}", "yaml.schemas: …", partial(language_client.diagnostics, command, settings))


def _vmcp(work: Path, words: tuple[str, ...], files: list[Path]) -> Found:
    """Check the configurations that the operator would write for virtual servers. Other kinds are not its subject."""
    found: Found = {}
    for file in files:
        if file.name not in VMCP_FAULTS:
            continue
        built = _run([*MCPCFG, "build", "--target", "vmcp", f"right/{file.name}"]).stdout
        config = next(yaml.safe_load_all(built))["files"]["config.yaml"]
        if file.parent == CATCHES:
            old, new = VMCP_FAULTS[file.name]
            config = config.replace(old, new) if old else config + new
        path = work / file.name
        path.write_text(config, encoding="utf-8")
        found[file] = _reported([*words, str(path)])
    return found


def _linter_settings(work: Path, schemas: str) -> Path:
    """Write a configuration with all checks of kube-linter, and one that validates with our schemas.

    Two checks are left out: ``sorted-keys`` is a matter of taste, and ``schema-validation`` asks the network.
    """
    parameters = {"schemaLocations": [schemas], "strict": True, "ignoreMissingSchemas": True}
    schema = {"name": "toolhive-schema", "template": "kubeconform", "params": parameters}
    checks = {"addAllBuiltIn": True, "exclude": ["sorted-keys", "schema-validation"]}
    path = work / "kube-linter.yaml"
    path.write_text(yaml.safe_dump({"checks": checks, "customChecks": [schema]}), encoding="utf-8")
    return path


def _schemas(work: Path) -> dict[str, dict[str, Any]]:
    """Return the JSON Schema of each kind."""
    folder = work / "release"
    _run([*MCPCFG, "schema", "--release", RELEASE, "--output-dir", str(folder)])
    found = {path.name.partition(".")[0]: path for path in sorted(folder.glob("[A-Z]*.schema.json"))}
    texts = {kind: json.loads(path.read_text("utf-8")) for kind, path in found.items() if not kind.endswith("List")}
    return {
        kind: {key: schema[key] for key in schema if key not in ("$id", "$schema")} for kind, schema in texts.items()
    }


def _flat(work: Path, schemas: dict[str, dict[str, Any]]) -> Path:
    folder = work / "flat"
    folder.mkdir(exist_ok=True)
    for kind, schema in schemas.items():
        (folder / f"{kind.lower()}_v1beta1.json").write_text(json.dumps(schema), encoding="utf-8")
    return folder


def _crds(work: Path) -> Path:
    """Write the CRDs of the operator, one a file, and one of PodMonitors that accepts everything."""
    folder = work / "crds"
    folder.mkdir(exist_ok=True)
    crds = list(yaml.safe_load_all(_run([*MCPCFG, "schema", "--crd", "--release", RELEASE]).stdout))
    version = {"name": "v1", "served": True, "storage": True}
    version["schema"] = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    names = {"kind": "PodMonitor", "plural": "podmonitors", "singular": "podmonitor", "listKind": "PodMonitorList"}
    group = "monitoring.coreos.com"
    spec = {"group": group, "scope": "Namespaced", "names": names, "versions": [version]}
    crds.append(crds[0] | {"metadata": {"name": f"podmonitors.{group}"}, "spec": spec})
    for crd in crds:
        (folder / f"{crd['metadata']['name']}.yaml").write_text(yaml.safe_dump(crd), encoding="utf-8")
    return folder


def environment() -> None:
    """Let no program color its output or read the settings of this user."""
    os.environ.update({"NO_COLOR": "1", "TERM": "dumb"})
