"""What kustomize or flux makes of a project is checked, with places in the files that people edit."""

from __future__ import annotations

import json
import os
import shutil
import sys
from typing import TYPE_CHECKING, Any

import pytest
from calling import call

if TYPE_CHECKING:
    from pathlib import Path

BASE = """\
apiVersion: toolhive.stacklok.dev/v1alpha1
kind: MCPServer
metadata: {name: fetch}
spec:
  image: ghcr.io/acme/fetch:1
  transport: stdio
  groupRef: {name: tools}
"""
GROUP = "apiVersion: toolhive.stacklok.dev/v1alpha1\nkind: MCPGroup\nmetadata: {name: tools}\nspec: {}\n"
FAKE = """\
#!{python}
import json, os, sys
with open({log!r}, "a") as log:
    log.write(json.dumps([sys.argv[1:], dict(os.environ)]) + "\\n")
sys.stderr.write(open({errors!r}).read())
sys.stdout.write(open({output!r}).read())
sys.exit(int({status!r}))
"""


class Fake:
    """A program that writes what it is told, and notes how it was called."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def install(self, name: str, output: str, status: int = 0, errors: str = "") -> None:
        files = {"log": "log", "output": "output", "errors": "errors"}
        paths = {key: str(self.folder / file) for key, file in files.items()}
        (self.folder / "output").write_text(output)
        (self.folder / "errors").write_text(errors)
        program = self.folder / name
        program.write_text(FAKE.format(python=sys.executable, status=status, **paths))
        program.chmod(0o755)

    def calls(self) -> list[tuple[list[str], dict[str, str]]]:
        log = self.folder / "log"
        return [tuple(json.loads(line)) for line in log.read_text().splitlines()] if log.exists() else []


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Fake:
    """Return a program on the path, and make the project the current folder."""
    programs, project = tmp_path / "programs", tmp_path / "project"
    programs.mkdir()
    project.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return Fake(programs)


def write(**files: str) -> None:
    for name, text in files.items():
        path = name.replace("__", "/")
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        with open(f"{path}.yaml", "w", encoding="utf-8") as file:
            file.write(text)


def overlay(**more: str) -> None:
    write(
        base__server=BASE,
        base__kustomization="resources: [server.yaml]\n",
        prod__kustomization="resources: [../base]\nnamePrefix: prod-\npatches: [{path: patch.yaml}]\n",
        prod__patch=BASE.replace("stdio", "sse"),
    )
    write(**more)


def findings(*args: str) -> list[dict[str, Any]]:
    outcome = call("check", "--format", "json", *args)
    found: list[dict[str, Any]] = json.loads(outcome.out)["findings"]
    return found


def test_a_finding_stands_where_the_source_has_the_value(fake: Fake) -> None:
    overlay()
    fake.install("kustomize", BASE.replace("fetch}", "prod-fetch}").replace("fetch:1", "fetch"))
    write(base__server=BASE.replace("fetch:1", "fetch"))
    rows = [(one["rule"], one["file"], one["line"], one.get("resource")) for one in findings("--render", "kustomize")]

    assert ("REF001", "base/server.yaml", 7, "prod-fetch") in rows
    assert fake.calls()[0][0] == ["build", "prod"]
    assert "without patches" in call("check").err
    assert "without patches" not in call("check", "--render", "kustomize").err


def test_a_finding_covers_the_key_or_the_value_as_it_did_in_what_was_rendered(fake: Fake) -> None:
    faulty = BASE.replace("  transport: stdio", "  transports: stdio\n  proxyPort: zero")
    overlay(group=GROUP, base__server=faulty)
    fake.install("kustomize", faulty)
    found = [one for one in findings("--render", "kustomize") if one["rule"] in ("ADM001", "ADM002")]
    assert [(one["file"], one["line"], one["column"], one["end_column"]) for one in found] == [
        ("base/server.yaml", 6, 3, 13),
        ("base/server.yaml", 7, 14, 18),
    ]


def test_a_finding_about_what_an_overlay_sets_stands_at_its_kustomization(fake: Fake) -> None:
    overlay(group=GROUP)
    fake.install("kustomize", BASE.replace("stdio", "nonsense"))
    (found,) = [one for one in findings("--render", "kustomize") if one["severity"] == "error"]

    assert (found["rule"], found["file"], found["line"]) == ("ADM004", "prod/kustomization.yaml", 1)
    assert "path" not in found
    assert [(note["message"], note["file"], note["line"]) for note in found["notes"]] == [
        ("MCPServer 'fetch' is declared here", "base/server.yaml", 3)
    ]


def test_a_finding_about_what_a_patch_sets_stands_in_the_patch(fake: Fake) -> None:
    patch = BASE.replace("stdio", "nonsense")
    overlay(group=GROUP, prod__patch=patch)
    fake.install("kustomize", patch)
    (found,) = [one for one in findings("--render", "kustomize") if one["severity"] == "error"]

    assert (found["rule"], found["file"], found["line"], found["resource"]) == ("ADM004", "prod/patch.yaml", 6, "fetch")


def test_files_that_nothing_renders_are_checked_beside(fake: Fake) -> None:
    overlay(group=GROUP.replace("spec: {}", "spec: {nope: 1}"))
    fake.install("kustomize", BASE.replace("  groupRef: {name: tools}\n", ""))
    rows = [(one["rule"], one["file"]) for one in findings("--render", "kustomize")]

    assert ("ADM001", "group.yaml") in rows
    assert not [one for one in rows if one[0] == "CFG001"]


def test_comments_in_the_sources_suppress(fake: Fake) -> None:
    overlay(base__server=BASE.replace("{name: tools}", "{name: tools}  # mcpcfg: ignore[REF001]"))
    fake.install("kustomize", BASE)

    assert [one["rule"] for one in findings("--render", "kustomize") if one["rule"] in ("REF001", "CFG001")] == []


@pytest.mark.parametrize(
    "entry", ["https://example.com/base.yaml", "github.com/acme/base?ref=v1", "git@example.com:a/b", "../nowhere"]
)
def test_nothing_is_run_where_something_would_be_fetched(fake: Fake, entry: str) -> None:
    overlay(base__kustomization=f"resources: [server.yaml, '{entry}']\n", group=GROUP)
    fake.install("kustomize", BASE)
    outcome = call("check", "--render", "kustomize")

    assert outcome.status == 0
    assert f"prod is checked as it is written: it names {entry}, and nothing is fetched" in outcome.err
    assert fake.calls() == []


@pytest.mark.parametrize(
    "kustomization",
    [
        "configMapGenerator: [{name: a, files: ['x=http://localhost:80/a']}]",
        "secretGenerator: [{name: a, envs: ['http://localhost:80/a']}]",
        "generators: [made.yaml]",
        "generators: [below]",
        "transformers:\n- |\n  apiVersion: builtin\n  kind: PatchTransformer\n  path: http://localhost:80/a",
    ],
)
def test_nothing_is_run_where_a_generator_would_fetch(fake: Fake, kustomization: str) -> None:
    made = "apiVersion: builtin\nkind: ConfigMapGenerator\nmetadata: {name: a}\nfiles: ['x=http://localhost:80/a']\n"
    overlay(prod__kustomization=f"resources: [../base]\n{kustomization}\n", group=GROUP, prod__made=made)
    write(prod__below__kustomization="resources: [gen.yaml]\n", prod__below__gen=made)
    fake.install("kustomize", BASE)

    assert "http://localhost:80/a, and nothing is fetched" in call("check", "--render", "kustomize").err
    assert fake.calls() == []


def test_files_of_generators_are_no_reason_to_run_nothing(fake: Fake) -> None:
    overlay(prod__kustomization="resources: [../base]\nconfigMapGenerator: [{name: a, files: [k=patch.yaml]}]\n")
    fake.install("kustomize", BASE)
    call("check", "--render", "kustomize")

    assert fake.calls()[0][0] == ["build", "prod"]


@pytest.mark.parametrize("spec", ["{path: ./apps}", "{path: ./plain, components: ['https://example.com/c']}"])
def test_flux_is_not_run_where_it_would_fetch(fake: Fake, spec: str) -> None:
    flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\n"
    write(clusters__apps=f"{flux}spec: {spec}\n", group=GROUP, plain__server=BASE, apps__server=BASE)
    write(apps__below__kustomization="resources: ['https://example.com/c']\n")
    fake.install("flux", BASE)

    assert "it names https://example.com/c, and nothing is fetched" in call("check", "--render", "flux").err
    assert fake.calls() == []


def test_nothing_is_run_where_charts_would_be_fetched(fake: Fake) -> None:
    overlay(
        prod__kustomization="resources: [../base]\nhelmCharts: [{name: a, repo: https://example.com}]\n", group=GROUP
    )
    fake.install("kustomize", BASE)

    assert "prod is checked as it is written: it names helmCharts" in call("check", "--render", "kustomize").err
    assert fake.calls() == []


def test_the_program_finds_no_other_program_and_no_network(fake: Fake) -> None:
    overlay(group=GROUP)
    fake.install("kustomize", BASE)
    call("check", "--render", "kustomize")
    ((arguments, surroundings),) = fake.calls()

    assert arguments == ["build", "prod"]
    assert surroundings["PATH"] == os.devnull
    assert surroundings["HTTPS_PROXY"] == surroundings["http_proxy"] == "http://127.0.0.1:9"
    assert surroundings["HOME"] != os.environ.get("HOME")
    assert surroundings["LC_ALL"] == "C", "what it prints does not depend on the language of the user"


def test_a_program_that_fails_ends_the_call_with_its_reason(fake: Fake) -> None:
    overlay()
    fake.install("kustomize", "", status=1, errors="Error: no such\nfield")
    outcome = call("check", "--render", "kustomize")

    assert outcome.status == 2
    assert "kustomize build prod failed: Error: no such field" in outcome.err


def test_a_program_that_is_not_there_is_a_wrong_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    outcome = call("check", "--render", "flux")

    assert outcome.status == 2
    assert "there is no program flux on the PATH" in outcome.err


def test_nothing_is_run_unless_it_is_asked_for(fake: Fake) -> None:
    overlay(group=GROUP)
    fake.install("kustomize", BASE)
    outcome = call("check")

    assert fake.calls() == []
    assert "what it lists is checked as it is written, without patches, components and other names: prod" in outcome.err
    assert call("check", "--render", "kustomize").err.count("as it is written") == 0


def test_flux_is_asked_for_what_each_of_its_kustomizations_applies(fake: Fake) -> None:
    flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps, namespace: flux}\n"
    overlay(clusters__apps=f"{flux}spec:\n  path: ./prod\n", group=GROUP)
    fake.install("flux", BASE.replace("stdio", "nonsense"))
    found = [one for one in findings("--render", "flux") if one["severity"] == "error"]

    arguments = fake.calls()[0][0]
    assert arguments[:-4] == ["build", "kustomization", "apps", "--namespace", "flux", "--path"]
    assert os.path.basename(arguments[-4]) == "prod"
    assert arguments[-3:] == ["--kustomization-file", "clusters/apps.yaml", "--dry-run"]
    assert [(one["rule"], one["file"]) for one in found] == [("ADM004", "clusters/apps.yaml")]


def test_flux_renders_each_app_by_the_kustomization_that_applies_it(fake: Fake) -> None:
    flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\n"
    own = f"{flux.replace('apps', 'fetch')}spec: {{path: ./apps/fetch/app, components: [../../../parts/common]}}\n"
    write(clusters__apps=f"{flux}spec: {{path: ./apps}}\n", apps__fetch__kustomization="resources: [ks.yaml]\n")
    write(apps__fetch__ks=own, apps__fetch__app__server=BASE, apps__fetch__app__group=GROUP)
    write(parts__common__kustomization="kind: Component\nresources: [more.yaml]\n", parts__common__more=GROUP)
    part = "os.path.join(folder, '..', '..', '..', 'parts', 'common', 'more.yaml')"
    program = fake.folder / "flux"
    program.write_text(f"""#!{sys.executable}
import os, sys
folder = sys.argv[sys.argv.index("--path") + 1]
open({str(fake.folder / "names")!r}, "a").write(sys.argv[3] + " " + str(os.path.exists({part})) + "\\n")
""")
    program.chmod(0o755)

    assert findings("--render", "flux") == []
    assert (fake.folder / "names").read_text() == "fetch True\n"


def test_what_is_rendered_is_judged_by_the_release_that_is_installed(fake: Fake) -> None:
    pin = "apiVersion: source.toolkit.fluxcd.io/v1\nkind: OCIRepository\nmetadata: {name: o}\nspec:\n"
    overlay(pin=f"{pin}  url: oci://ghcr.io/stacklok/toolhive/toolhive-operator\n  ref: {{tag: 0.30.1}}\n", group=GROUP)
    fake.install("kustomize", BASE)

    assert "by operator release 0.30.1 (pin.yaml:6)" in call("check", "--render", "kustomize").err


@pytest.mark.skipif(shutil.which("kustomize") is None, reason="kustomize is not installed")
def test_what_kustomize_makes_is_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    patch = BASE.replace("stdio", "nonsense").partition("  groupRef")[0]
    overlay(prod__patch=patch, base__server=BASE.replace("tools", "tolls"))
    write(base__group=GROUP, base__kustomization="resources: [server.yaml, group.yaml]\n")
    rows = [(one["rule"], one["file"], one["line"], one["resource"]) for one in findings("--render", "kustomize")]

    assert ("ADM004", "prod/patch.yaml", 6, "prod-fetch") in rows
    assert ("REF001", "base/server.yaml", 7, "prod-fetch") in rows


def test_a_kustomization_of_flux_that_alters_what_it_applies_is_named_by_its_file(fake: Fake) -> None:
    flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\n"
    write(apps__server=BASE, apps__group=GROUP, clusters__apps=f"{flux}spec: {{path: ./apps, namePrefix: a-}}\n")

    assert "without patches, components and other names: clusters/apps.yaml; --render" in call("check").err


WRITING = """\
#!{python}
import os, sys
folder = sys.argv[sys.argv.index("--path") + 1]
seen = sorted(os.path.relpath(os.path.join(at, one), folder) for at, _, files in os.walk(folder) for one in files)
with open(os.path.join(folder, "kustomization.yaml"), "w") as out:
    out.write("resources: [server.yaml]\\n")
if not os.path.exists(os.path.join(folder, "..", "base", "group.yaml")):
    sys.exit("the base is missing beside " + folder)
sys.stdout.write(open(os.path.join(folder, seen[-1])).read())
"""


def test_flux_writes_into_a_copy_of_what_it_builds(fake: Fake) -> None:
    flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\n"
    write(clusters__apps=f"{flux}spec:\n  path: ./apps\n", apps__server=BASE.replace("stdio", "nonsense"))
    write(apps__part__kustomization="resources: [../../base/group.yaml]\n", base__group=GROUP)
    (fake.folder / "flux").write_text(WRITING.format(python=sys.executable))
    (fake.folder / "flux").chmod(0o755)
    found = [one for one in findings("--render", "flux") if one["severity"] == "error"]

    assert ("ADM004", "apps/server.yaml", 6) in [(one["rule"], one["file"], one["line"]) for one in found]
    assert not os.path.exists("apps/kustomization.yaml")


def test_what_flux_says_of_its_copy_is_said_of_the_folder(fake: Fake) -> None:
    flux = "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\n"
    write(clusters__apps=f"{flux}spec:\n  path: ./apps\n", apps__server=BASE)
    (fake.folder / "flux").write_text(WRITING.format(python=sys.executable))
    (fake.folder / "flux").chmod(0o755)
    outcome = call("check", "--render", "flux")

    assert outcome.status == 2
    assert "--path apps --kustomization-file clusters/apps.yaml --dry-run failed: the base is missing beside apps" in (
        outcome.err
    )
