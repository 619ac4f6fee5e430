"""``--standalone`` writes manifests that Kubernetes' own schemas accept."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import kubernetes_schema
import pytest
import yaml
from calling import call

ROOT = Path(__file__).parents[3]
KUBECONFORM = shutil.which("kubeconform")
CASES = [
    *(path.parent for path in sorted((ROOT / "fixtures/projects").glob("*-server/mcpcfg.yaml"))),
    *sorted((ROOT / "fixtures/conformance/operator").iterdir()),
]
needs_schemas = pytest.mark.skipif(kubernetes_schema.folder() is None, reason=kubernetes_schema.REASON)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Compile every case that compiles, standing alone."""
    folder = tmp_path_factory.mktemp("standalone")
    for case in CASES:
        paths = [str(case / "input.yaml")] if (case / "input.yaml").exists() else [str(case)]
        for target in ("kubernetes", "backend"):
            into = folder / case.name / target
            call("build", *paths, "--target", target, "--standalone", "--keep-going", "--output-dir", str(into))
    return folder


def objects(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """Read everything that was compiled."""
    files = [path for path in sorted(folder.rglob("*.yaml")) if path.name != "kustomization.yaml"]
    return [(path, yaml.safe_load(path.read_text(encoding="utf-8"))) for path in files]


def test_standalone_objects_have_no_owner(built: Path) -> None:
    found = objects(built)
    assert {compiled["kind"] for _, compiled in found} == set(kubernetes_schema.KINDS)
    assert not [path for path, compiled in found if "ownerReferences" in compiled["metadata"]]


@needs_schemas
def test_the_schemas_accept_every_object(built: Path) -> None:
    from jsonschema import Draft7Validator

    schemas = kubernetes_schema.folder()
    assert schemas is not None
    validators = {
        kind: Draft7Validator(kubernetes_schema.alone(schemas, kind)) for kind in sorted(kubernetes_schema.KINDS)
    }
    reported = [
        f"{path.relative_to(built)}: {error.json_path}: {error.message[:200]}"
        for path, compiled in objects(built)
        for error in validators[compiled["kind"]].iter_errors(compiled)
    ]
    assert reported == []


@needs_schemas
@pytest.mark.skipif(KUBECONFORM is None, reason="kubeconform is not installed")
def test_kubeconform_accepts_every_object(built: Path, tmp_path: Path) -> None:
    schemas = kubernetes_schema.folder()
    assert schemas is not None
    assert KUBECONFORM is not None
    for kind, name in kubernetes_schema.KINDS.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(kubernetes_schema.alone(schemas, kind)))
    location = f"{tmp_path}/{{{{.ResourceKind}}}}{{{{.KindSuffix}}}}.json"
    done = subprocess.run(
        [KUBECONFORM, "-strict", "-summary", "-schema-location", location, str(built)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Invalid: 0, Errors: 0, Skipped: 0" in done.stdout
