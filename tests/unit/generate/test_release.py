"""Declarations that hold in some releases, and what the releases ship."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal, Required, TypedDict

import pytest

from mcpcfg.compiler.generate import __main__ as program
from mcpcfg.compiler.generate import fingerprint
from mcpcfg.compiler.generate.declaration import DeclarationReader
from mcpcfg.compiler.generate.missing import missing
from mcpcfg.compiler.golang.yaml.sigs import dump
from mcpcfg.compiler.models.dated import During, Since, Until, ValuesSince
from mcpcfg.compiler.models.declare import Atomic, Cel, ListMap, rules
from mcpcfg.compiler.toolhive.release import NEWEST_MODELLED, RELEASES

FINGERPRINTS = json.loads((Path(__file__).parents[3] / fingerprint.FINGERPRINTS).read_text(encoding="utf-8"))


@rules(
    Cel("has(self.old)", "old is needed", until="0.27.0"),
    Cel("has(self.new)", "new is needed", since="0.27.0"),
)
class Dated(TypedDict, total=False):
    """A model that changed in 0.27.0."""

    old: Annotated[str, "A former field.", Until("0.27.0")]
    new: Annotated[str, "A later field.", Since("0.27.0")]
    needed: Annotated[str, "A field.", During(Required, until="0.27.0")]
    way: Annotated[Literal["a", "b"], "A way.", ValuesSince("0.27.0", "b")]
    words: Annotated[list[str], "Words.", ListMap("name"), During(Atomic(), since="0.27.0")]


def _read(release: str) -> Any:
    return DeclarationReader(of_crd=True, release=release).model(Dated)


@pytest.mark.parametrize(
    ("release", "fields", "required", "values", "rule"),
    [
        ("0.26.1", ["old", "needed", "way", "words"], True, ("a",), "has(self.old)"),
        ("0.27.0", ["new", "needed", "way", "words"], False, ("a", "b"), "has(self.new)"),
        ("0.44.0", ["new", "needed", "way", "words"], False, ("a", "b"), "has(self.new)"),
    ],
)
def test_a_model_is_read_with_the_fields_and_rules_of_the_release(
    release: str, fields: list[str], required: bool, values: tuple[str, ...], rule: str
) -> None:
    model = _read(release)

    assert [one.key for one in model.fields] == fields
    assert model.field("needed").required is required
    assert model.field("way").value.enum == values
    assert [one.rule for one in model.rules] == [rule]


def test_the_models_generate_the_crds_of_every_release() -> None:
    known = [one for release in RELEASES for one in fingerprint.shipped(FINGERPRINTS, release).values()]
    assert len(known) - known.count(fingerprint.UNKNOWN) == 824
    assert fingerprint.differences(FINGERPRINTS) == []


def test_a_fingerprint_ignores_descriptions() -> None:
    crd = fingerprint.definitions(NEWEST_MODELLED)["MCPServer"]
    spec = crd["spec"]["versions"][1]["schema"]["openAPIV3Schema"]["properties"]["spec"]
    same = fingerprint.digest(crd)

    spec["x-kubernetes-validations"][0]["message"] = spec["description"] = "other words"
    assert fingerprint.digest(crd) == same

    spec["properties"]["description"] = {"type": "string"}
    assert fingerprint.digest(crd) != same


def test_a_kind_that_a_release_no_longer_has_is_recorded_as_gone() -> None:
    before: Any = {"A": {"0.21.0": "1"}, "B": {"0.21.0": "2"}}
    after = fingerprint.recorded(before, "0.22.0", {"A": "1", "C": "3"})

    assert after == {"A": {"0.21.0": "1"}, "B": {"0.21.0": "2", "0.22.0": None}, "C": {"0.22.0": "3"}}
    assert fingerprint.shipped(after, "0.23.0") == {"A": "1", "C": "3"}


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        (
            "0.26.1",
            "0.27.0",
            (
                "MCPExternalAuthConfig.spec.embeddedAuthServer.storage.redis.sentinelConfig: "
                "During(Required, until='0.27.0')"
            ),
        ),
        ("0.26.1", "0.27.0", "MCPServer.spec.webhookConfigRef: Annotated[object, Since('0.27.0')]"),
        ("0.26.1", "0.27.0", "MCPServer.spec.webhookConfigRef.name: Required[Annotated[str]]"),
        ("0.26.1", "0.27.0", "MCPWebhookConfig: Kind(plural='mcpwebhookconfigs', short_names=['mwc'], since='0.27.0')"),
        ("0.28.3", "0.29.0", "MCPExternalAuthConfig.spec.type: ValuesSince('0.29.0', 'obo')"),
        (
            "0.29.3",
            "0.30.0",
            "MCPServer.spec: Cel('!(has(self.authzConfig) && has(self.authzConfigRef))', since='0.30.0')",
        ),
        (
            "0.31.0",
            "0.32.0",
            (
                "VirtualMCPServer.spec.config.outgoingAuth.default.tokenExchange.scopes: "
                "Atomic() from 0.32.0 on, no x-kubernetes-list-type before"
            ),
        ),
        ("0.41.0", "0.42.0", "MCPToolConfig.status.referenceCount: Until('0.42.0')"),
    ],
)
def test_the_declarations_that_a_release_needs_are_printed(before: str, after: str, line: str) -> None:
    lines = list(missing(fingerprint.definitions(after), fingerprint.definitions(before), after))

    assert line in lines
    assert not list(missing(fingerprint.definitions(after), fingerprint.definitions(after), after))


def _shipped(folder: Path, release: str) -> str:
    for kind, crd in fingerprint.definitions(release).items():
        (folder / f"{kind}.yaml").write_text(dump(crd), encoding="utf-8")
    return str(folder)


def test_the_fingerprints_of_a_release_that_fits_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "_ROOT", str(tmp_path / "root"))
    (tmp_path / "root" / "fixtures" / "releases").mkdir(parents=True)
    (tmp_path / "crds").mkdir()
    folder = _shipped(tmp_path / "crds", NEWEST_MODELLED)

    assert program.main(["--crds", folder]) == 0
    assert program.main(["--crds", folder, "--release", NEWEST_MODELLED]) == 0
    assert capsys.readouterr().out == ""
    kept = json.loads((tmp_path / "root" / fingerprint.FINGERPRINTS).read_text(encoding="utf-8"))
    assert fingerprint.shipped(kept, NEWEST_MODELLED) == fingerprint.shipped(FINGERPRINTS, NEWEST_MODELLED)


def test_crds_of_a_release_that_the_models_contradict_are_not_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(program, "_ROOT", str(tmp_path / "root"))
    folder = _shipped(tmp_path, "0.43.0")

    assert program.main(["--crds", folder, "--release", "0.45.0"]) == 1
    assert "trustedIssuers: Until('0.45.0')" in capsys.readouterr().out
    assert not (tmp_path / "root").exists()


def test_a_folder_without_definitions_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert program.main(["--crds", str(tmp_path)]) == 2
    assert capsys.readouterr().err.endswith("holds no CustomResourceDefinition\n")
