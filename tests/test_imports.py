"""What is slow to import is imported only where it is needed: start-up is most of the time of a small call."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mcpcfg.compiler import agent, editor

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

CLEAN = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPGroup
metadata:
  name: team
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata:
  name: fetch
spec:
  image: ghcr.io/acme/fetch:1.2
  transport: streamable-http
  mcpPort: 8080
  groupRef:
    name: team
"""

VIRTUAL = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: VirtualMCPCompositeToolDefinition
metadata:
  name: look
  namespace: team
spec:
  name: look
  description: Fetch a page and hand it on
  parameters:
    type: object
    properties: {url: {type: string}}
    required: [url]
  steps:
    - id: get
      tool: fetch.fetch
      arguments: {url: "{{.params.url}}"}
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPOIDCConfig
metadata:
  name: corp
  namespace: team
spec:
  type: inline
  inline:
    issuer: https://auth.example.com
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: VirtualMCPServer
metadata:
  name: front
  namespace: team
spec:
  groupRef:
    name: team
  incomingAuth:
    type: oidc
    oidcConfigRef: {name: corp, audience: front}
    authzConfig:
      type: inline
      inline:
        policies:
          - permit(principal, action == Action::"list_tools", resource);
  config:
    compositeToolRefs: [{name: look}]
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPGroup
metadata:
  name: team
  namespace: team
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata:
  name: fetch
  namespace: team
spec:
  image: ghcr.io/acme/fetch:1.2
  transport: streamable-http
  mcpPort: 8080
  groupRef:
    name: team
  env:
    - {name: LOG_LEVEL, value: info}
---
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPRemoteProxy
metadata:
  name: search
  namespace: team
spec:
  remoteUrl: https://search.example.com/mcp
  groupRef:
    name: team
  oidcConfigRef: {name: corp, audience: search}
  resources:
    limits: {cpu: 500m, memory: 256Mi}
"""

REPOSITORY = {
    "cluster/ks.yaml": """\
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: apps, namespace: flux-system}
spec:
  path: ./apps
  patches:
    - patch: |-
        apiVersion: kustomize.toolkit.fluxcd.io/v1
        kind: Kustomization
        metadata: {name: any}
        spec: {timeout: 5m}
      target: {group: kustomize.toolkit.fluxcd.io, kind: Kustomization}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: mcp, namespace: flux-system}
spec: {path: ./apps, targetNamespace: mcp}
""",
    "apps/kustomization.yaml": "kind: Kustomization\nresources: [./release.yaml, ./server.yaml]\n",
    "apps/release.yaml": """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata:
  name: &app chat
spec:
  values:
    servers: [http://mcp-fetch-proxy:8080]
    *app :
      securityContext: {capabilities: {drop: ["ALL"]}}
---
apiVersion: monitoring.coreos.com/v1alpha1
kind: AlertmanagerConfig
metadata: {name: alerts}
spec:
  matchType: =
  text: |-
    {{ .Alerts }}
""",
    "apps/server.yaml": """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata:
  name: fetch
spec:
  image: ghcr.io/acme/fetch:1.2
  transport: streamable-http
  mcpPort: 8080
  podTemplateSpec:
    spec:
      volumes: [{name: tmp, emptyDir: {}}]
      containers:
        - name: mcp
          args:
            - "--title=\\"Fetch\\""
          securityContext: {capabilities: { drop: ["ALL"] }}
          volumeMounts: [{name: tmp, mountPath: /tmp}]
""",
}

SETTINGS = "failOn: warning\nrules:\n  IMG001: off\n"

SLOW = (
    "anyio",
    "array",
    "ast",
    "asyncio",
    "cedarpy",
    "celpy",
    "concurrent",
    "copy",
    "dataclasses",
    "datetime",
    "difflib",
    "dis",
    "email",
    "gettext",
    "hashlib",
    "heapq",
    "http",
    "importlib.metadata",
    "inspect",
    "jinja2",
    "json",
    "jsonschema",
    "lark",
    "locale",
    "lsprotocol",
    "mcp",
    "multiprocessing",
    "platform",
    "platformdirs",
    "pydantic",
    "pygls",
    "re2",
    "referencing",
    "ruamel",
    "socket",
    "sqlite3",
    "subprocess",
    "tempfile",
    "threading",
    "tokenize",
    "tomllib",
    "unittest",
    "urllib.request",
    "uuid",
    "yaml",
    "mcpcfg.compiler.diagnostics.secret.outline",
    "mcpcfg.compiler.diagnostics.secret.source",
    "mcpcfg.compiler.diagnostics.secret.value",
    "mcpcfg.compiler.language.cedar",
    "mcpcfg.compiler.disk.gitignore",
    "mcpcfg.compiler.disk.walk",
    "mcpcfg.compiler.workspace.duplicate",
    "mcpcfg.compiler.editor",
    "mcpcfg.compiler.emit",
    "mcpcfg.compiler.fix",
    "mcpcfg.compiler.generate",
    "mcpcfg.compiler.golang.json",
    "mcpcfg.compiler.language.template",
    "mcpcfg.compiler.kube",
    "mcpcfg.compiler.language.fault",
    "mcpcfg.compiler.language.token",
    "mcpcfg.compiler.language.trampoline",
    "mcpcfg.compiler.models",
    "mcpcfg.validators.custom_rule_definition",
    "mcpcfg.compiler.project.kustomization",
    "mcpcfg.compiler.reading.fast.place",
    "mcpcfg.compiler.reading.node",
    "mcpcfg.compiler.records",
    "mcpcfg.compiler.simulate",
    "mcpcfg.compiler.disk.cache",
    "mcpcfg.compiler.reading.problem",
    "mcpcfg.compiler.vmcp",
    "mcpcfg.compiler.workspace.selection",
    "mcpcfg.validators.dangling",
    "mcpcfg.validators.rules.service_route",
    "mcpcfg.validators.rules.unapplied_target",
)
"""Modules, with all below them, that a clean check has no use for."""


SELDOM = (
    "array",
    "dataclasses",
    "json",
    "mcpcfg.compiler.admission.hint",
    "mcpcfg.compiler.language.cedar.condition",
    "mcpcfg.compiler.language.cedar.engine",
    "mcpcfg.compiler.language.cedar.expression",
    "mcpcfg.compiler.disk.gitignore",
    "mcpcfg.compiler.emit.authserver",
    "mcpcfg.compiler.emit.volume",
    "mcpcfg.compiler.golang.json",
    "mcpcfg.compiler.language.template.function",
    "mcpcfg.compiler.language.template.value",
    "mcpcfg.compiler.kube.names",
    "mcpcfg.compiler.kube.quantity",
    "mcpcfg.compiler.kube.typed",
    "mcpcfg.compiler.models",
    "mcpcfg.compiler.records",
)
"""Modules that plain resources of most kinds have no use for."""


NO_COMPILING = """\
import sys
def refuse(event, given):
    assert event != "compile" or given[1] != "<string>" or given[0].startswith(b"lambda _cls, "), given
sys.addaudithook(refuse)
"""
"""A start of a program that fails if an annotation is compiled, as `typing.NamedTuple` compiles those of a class."""


def loaded_after(*arguments: str, cwd: Path, start: str = "") -> set[str]:
    """Run the program in a process of its own, after ``start``. Return the modules that it had loaded at its end."""
    program = (
        f"{start}\n"
        "import os, sys\n"
        "from mcpcfg.compiler.cli import process\n"
        "os._exit = lambda status: (print(*sys.modules, file=sys.stderr), sys.exit(status))\n"
        f"sys.argv = ['mcpcfg', *{list(arguments)!r}]\n"
        "process.run()\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", program], cwd=cwd, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


def slow(modules: set[str], *allowed: str, names: tuple[str, ...] = SLOW) -> list[str]:
    refused = [name for name in names if name not in allowed]
    return sorted(name for name in modules if any(name == one or name.startswith(one + ".") for one in refused))


def test_version_imports_neither_click_nor_other_modules_than_the_process(tmp_path: Path) -> None:
    modules = loaded_after("--version", cwd=tmp_path)
    assert "click" not in modules
    assert {name for name in modules if name.startswith("mcpcfg.compiler.")} == {
        "mcpcfg.compiler.cli",
        "mcpcfg.compiler.cli.process",
        "mcpcfg.compiler.cli.status",
        "mcpcfg.compiler.diagnostics",
        "mcpcfg.compiler.diagnostics.version",
    }


def test_help_imports_no_command_and_no_reader(tmp_path: Path) -> None:
    modules = loaded_after("--help", cwd=tmp_path)
    assert slow(modules) == []
    assert not modules & {"yaml", "mcpcfg.compiler.check", "mcpcfg.compiler.cli.check"}


def test_a_clean_check_imports_nothing_that_it_has_no_use_for(tmp_path: Path) -> None:
    (tmp_path / "server.yaml").write_text(CLEAN)
    assert slow(loaded_after("check", "server.yaml", cwd=tmp_path, start=NO_COMPILING)) == []


def test_a_check_with_a_finding_that_can_be_fixed_does_not_import_pyyaml(tmp_path: Path) -> None:
    (tmp_path / "server.yaml").write_text(CLEAN.replace("mcpPort", "mcpport"))
    modules = loaded_after("check", "--fail-on", "never", "server.yaml", cwd=tmp_path, start=NO_COMPILING)
    assert "mcpcfg.compiler.fix.fix" in modules
    assert slow(modules, names=("dataclasses", "inspect", "yaml")) == []


def test_a_clean_check_with_a_configuration_imports_nothing_slow_either(tmp_path: Path) -> None:
    (tmp_path / "server.yaml").write_text(CLEAN)
    (tmp_path / "mcpcfg.yaml").write_text(SETTINGS)
    modules = loaded_after("check", cwd=tmp_path)
    rooms = (
        "disk.walk",
        "kube",
        "language.fault",
        "language.token",
        "language.trampoline",
    )
    settings = [f"mcpcfg.compiler.{name}" for name in rooms]
    assert slow(modules, "json", "mcpcfg.validators.custom_rule_definition", *settings) == []


def test_plain_resources_of_several_kinds_import_nothing_that_few_need(tmp_path: Path) -> None:
    (tmp_path / "project.yaml").write_text(VIRTUAL)
    assert slow(loaded_after("check", cwd=tmp_path), names=SELDOM) == []


def test_a_flux_repository_imports_nothing_that_few_need(tmp_path: Path) -> None:
    for name, text in REPOSITORY.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    modules = ("emit.backend", "emit.mcpserver", "golang.regexp", "golang.spew", "kube.validation")
    names = ("difflib", "hashlib", "re2", "yaml", *(f"mcpcfg.compiler.{name}" for name in modules))
    assert slow(loaded_after("check", ".", cwd=tmp_path), names=names) == []


def loaded_by_room(room: ModuleType, *left_out: str) -> set[str]:
    """Import a room in a new process, except some of its modules. Return the top-level packages that were loaded."""
    names = {path.stem for path in Path(str(room.__file__)).parent.glob("*.py")} - {"__init__", *left_out}
    assert len(names) > 2
    program = "\n".join(
        ("import sys", *(f"import {room.__name__}.{name}" for name in sorted(names)), "print(*sys.modules)")
    )
    done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True, timeout=60)
    return {name.partition(".")[0] for name in done.stdout.split()}


def test_an_editor_is_answered_without_the_protocol() -> None:
    assert not loaded_by_room(editor, "server", "question", "protocol", "refusal") & {"pygls", "lsprotocol", "asyncio"}


def test_an_agent_is_answered_without_the_protocol() -> None:
    loaded = loaded_by_room(agent, "server", "resource", "stream")
    assert not loaded & {"mcp", "mcp_types", "pydantic", "anyio", "asyncio"}


def run_time_imports(tree: ast.AST) -> Iterator[str]:
    """Yield the parts of the names that a module imports, but for the type checker."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (node.module or "").split(".")
            yield from (alias.name for alias in node.names)
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield from run_time_imports(node)


def test_compile_steps_and_rules_import_models_for_the_type_checker_alone() -> None:
    root = Path(__file__).parents[1]
    rooms = ("compiler/check", "compiler/emit", "compiler/workspace", "validators")
    paths = [path for room in rooms for path in (root / room).rglob("*.py")]
    assert len(paths) > 100
    assert [path.name for path in paths if "models" in run_time_imports(ast.parse(path.read_text()))] == []
