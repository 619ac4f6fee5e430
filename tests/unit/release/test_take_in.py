"""make release: what the CRDs of a release leave no choice about is written, and the rest is listed."""

from __future__ import annotations

import copy
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from chart_facts import changes, facts_of
from take_in import list_release

from mcpcfg.compiler.generate import fingerprint
from mcpcfg.compiler.golang.yaml.sigs import dump
from mcpcfg.compiler.toolhive.release import NEWEST_KNOWN, NEWEST_MODELLED

ROOT = Path(__file__).parents[3]
NEXT = "0.99.0"
COPIED = (
    *("compiler", "validators", "schemas", "templates", "tests/release", "fixtures/releases", "docs/reference"),
    *("__init__.py", "__main__.py", "py.typed", "pyproject.toml"),
)
RULE = "!has(self.quota) || has(self.image)"


def properties_of(crd: Any) -> Any:
    return crd["spec"]["versions"][-1]["schema"]["openAPIV3Schema"]["properties"]["spec"]


def next_crds() -> dict[str, Any]:
    """Return CRDs with each difference that make release writes, and with two that it does not write."""
    crds = copy.deepcopy(fingerprint.definitions(NEWEST_KNOWN))
    server = properties_of(crds["MCPServer"])
    server["properties"]["quota"] = {
        "type": "object",
        "description": "Quota bounds the calls, e.g. per user. It needs Redis.",
        "required": ["limit"],
        "properties": {
            "limit": {"type": "integer", "format": "int32", "minimum": 1, "default": 5},
            "unit": {"type": "string", "enum": ["minute", "hour"]},
            "users": {"type": "array", "items": {"type": "string", "minLength": 1}, "maxItems": 3},
            "labels": {"type": "object", "additionalProperties": {"type": "string"}},
            "off": {"type": "object"},
        },
        "x-kubernetes-validations": [{"rule": "has(self.unit)", "message": "unit is needed"}],
    }
    server["x-kubernetes-validations"].insert(1, {"rule": RULE, "message": "quota needs an image"})
    server["properties"]["transport"]["enum"].insert(1, "websocket")
    server["properties"]["args"]["maxItems"] = 9
    del server["required"]
    del server["properties"]["endpointPrefix"]
    properties_of(crds["MCPGroup"])["properties"]["tier"] = {"type": "string"}
    crds["MCPGroup"]["spec"]["names"]["shortNames"] = ["mg"]
    kind = copy.deepcopy(crds["MCPGroup"])
    kind["metadata"]["name"] = "mcpzones.toolhive.stacklok.dev"
    kind["spec"]["names"] = {"kind": "MCPZone", "listKind": "MCPZoneList", "plural": "mcpzones", "singular": "mcpzone"}
    return {**crds, "MCPZone": kind}


class Checkout:
    """A copy of the program into which the next release was taken in."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "checkout"
        for name in COPIED:
            copied = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            copied(ROOT / name, self.root / name)
        (self.root / "package" / "mcpcfg").mkdir(parents=True)
        for name in ("__init__.py", "__main__.py", "py.typed", "compiler", "validators", "schemas", "templates"):
            (self.root / "package" / "mcpcfg" / name).symlink_to(self.root / name)
        crds, chart = folder / "crds", folder / "chart"
        crds.mkdir()
        for kind, crd in next_crds().items():
            (crds / f"{kind}.yaml").write_text(dump(crd), "utf-8")
        (chart / "templates").mkdir(parents=True)
        (chart / "values.yaml").write_text("operator: {image: a, debug: true}\n", "utf-8")
        (chart / "templates" / "hook.yaml").write_text("kind: Job\n", "utf-8")
        page = folder / "page.md"
        options = ("--release", NEXT, "--date", "2027-01-02", "--crds", str(crds), "--chart", str(chart))
        done = self.run("tests/release/take_in.py", *options, "--page", str(page))
        assert done.returncode == 0, done.stderr
        self.page = page.read_text("utf-8")

    def run(self, *arguments: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
        path = str(self.root / "package")
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, *arguments]
        return subprocess.run(
            command, cwd=folder or self.root, env=environment, capture_output=True, text=True, check=False
        )


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    if os.name == "nt":
        pytest.skip("links to folders need a privilege")
    return Checkout(tmp_path_factory.mktemp("take-in"))


def test_what_is_no_decision_is_written(checkout: Checkout) -> None:
    text = (checkout.root / "compiler" / "models" / "mcpserver.py").read_text("utf-8")

    assert 'quota: Annotated[Quota, "Quota bounds the calls, e.g. per user.", Since("0.99.0")]' in text
    assert "class Quota(TypedDict, total=False):" in text
    assert 'limit: Required[Annotated[Int32, "Limit.", Minimum(1), Default(5)]]' in text
    assert 'Literal["minute", "hour"]' in text
    assert 'Literal["stdio", "websocket", "streamable-http", "sse"]' in text
    assert 'ValuesSince("0.99.0", "websocket")' in text
    assert 'Until("0.99.0")' in text
    assert 'During(MaxItems(9), since="0.99.0")' in text
    assert 'During(Required, until="0.99.0")' in text
    assert f'"{RULE}", "quota needs an image", since="0.99.0"' in text


def test_the_models_then_give_the_crds_of_all_releases_except_what_is_left(checkout: Checkout) -> None:
    done = checkout.run("-P", "-m", "mcpcfg.compiler.generate", "--check")

    assert sorted(line.partition(" is not")[0] for line in done.stderr.splitlines()) == [
        "MCPGroup of release 0.99.0",
        "MCPZone of release 0.99.0",
    ]


def test_the_page_lists_what_is_left_and_what_differs_in_the_chart(checkout: Checkout) -> None:
    by_hand, _, rest = checkout.page.partition("## Read")
    written = rest.partition("## Written into the models")[2]

    assert "- [ ] `MCPZone`: new kind, for kubectl: mcpzones." in by_hand
    assert '- [ ] `MCPGroup`: short names ["mg"]; known: ' in by_hand
    assert by_hand.count("- [ ]") == 2
    assert "- `MCPServer.spec.quota`: new field: object, 1 rule" in written
    assert "- `MCPGroup.spec.tier`: new field: string" in written
    assert "- [ ] new value `operator.debug`: true" in written
    assert "- [ ] new template `templates/hook.yaml`: Job " in written
    assert "- [ ] variable of the operator `POD_NAMESPACE` is gone" in written


def test_admission_is_exact_at_the_release_that_was_taken_in(checkout: Checkout, tmp_path: Path) -> None:
    server = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: a}\nspec:\n  image: a:1\n"
    (tmp_path / "server.yaml").write_text(f"{server}  quota: {{limit: 2, unit: hour}}\n  other: 1\n", "utf-8")

    listed = checkout.run("-P", "-m", "mcpcfg", "releases")
    done = checkout.run("-P", "-m", "mcpcfg", "check", "--release", NEXT, "server.yaml", folder=tmp_path)
    before = checkout.run("-P", "-m", "mcpcfg", "check", "--release", NEWEST_MODELLED, "server.yaml", folder=tmp_path)

    assert "0.99.0  2027-01-02  schemas known" in listed.stdout
    assert 'error[ADM001] (admission) MCPServer/a: unknown field "other" in spec' in done.stdout
    assert "quota" not in done.stdout
    assert '"quota"' in before.stdout


@pytest.mark.parametrize("release", ["0.70", "next", "0.70.0-rc.1", "$(id)"])
def test_another_text_is_no_release(release: str) -> None:
    command = [sys.executable, str(ROOT / "tests" / "release" / "take_in.py"), "--release", release, "--crds", "x"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert f"{release} is no release" in done.stderr


def test_a_release_is_listed_once_and_in_order(tmp_path: Path) -> None:
    file = tmp_path / "release.py"
    shutil.copy(ROOT / "compiler" / "toolhive" / "release.py", file)

    for release in ("0.99.0", "0.98.10", "0.98.9", "0.99.0"):
        list_release(file, release, "2027-01-02", has_changes=release != "0.98.9")

    given: dict[str, Any] = {}
    exec(
        file.read_text("utf-8").replace("from ..diagnostics.version", "from mcpcfg.compiler.diagnostics.version"), given
    )
    assert given["RELEASES"][-3:] == ("0.98.9", "0.98.10", "0.99.0")
    assert given["SCHEMA_CHANGES"][-2:] == ("0.98.10", "0.99.0")
    assert given["SCHEMAS_KNOWN"] == ("0.98.9", "0.98.10", "0.99.0")


def test_charts_are_compared_by_values_templates_and_variables(tmp_path: Path) -> None:
    (tmp_path / "templates").mkdir()
    (tmp_path / "values.yaml").write_text("a: {b: 1, c: []}\n", "utf-8")
    (tmp_path / "templates" / "x.yaml").write_text("kind: Role\n---\nkind: Job\n- name: LOG_LEVEL\n", "utf-8")
    after = facts_of(tmp_path)
    before = {"values": {"a.b": 2, "d": None}, "templates": after["templates"], "variables": {}}

    assert list(changes(before, after)) == [
        "value `a.b`: 1 (was 2)",
        "new value `a.c`: []",
        "value `d` is gone",
        "new variable of the operator `LOG_LEVEL`: templates/x.yaml",
    ]
    assert after["templates"]["templates/x.yaml"].startswith("Role, Job ")


@pytest.mark.parametrize("text", [None, "a: ["])
def test_a_folder_without_values_is_no_chart(text: str | None, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / "values.yaml").write_text(text, "utf-8")
    with pytest.raises(SystemExit, match="is no chart"):
        facts_of(tmp_path)


def test_the_recorded_chart_has_values_templates_and_variables() -> None:
    recorded = json.loads((ROOT / "fixtures" / "releases" / "chart.json").read_text("utf-8"))

    assert recorded["values"]["operator.replicaCount"] == 1
    assert recorded["templates"]["templates/deployment.yaml"].startswith("Deployment ")
    assert "VMCP_IMAGE" in recorded["variables"]
