"""The Python interface: its inventory, its documentation, its types, and that it says what the command line does."""

from __future__ import annotations

import doctest
import inspect
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
from calling import call

import mcpcfg
from mcpcfg.compiler.emit.target import OBJECT_STEPS, TARGETS, TEXT_STEPS

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
PROGRAM = ROOT / "tests" / "typing" / "api.py"
PROJECTS = sorted(path.name for path in (ROOT / "fixtures" / "projects").iterdir())
FUNCTIONS = ("build", "check", "render", "rules")
CLASSES = (
    *("Artifact", "Artifacts", "Finding", "Images", "InputError", "Machine", "Note", "OperatorSettings", "Options"),
    *("Report", "Rule", "Span", "Subject"),
)
LITERALS = ("Format", "Severity", "Stage", "Target")
PUBLIC = sorted([*FUNCTIONS, *CLASSES, *LITERALS, "__version__"])

SERVER = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: fetch, namespace: tools}
spec: {image: 'ghcr.io/acme/fetch:1.2', transport: stdio}
"""
BROKEN = SERVER.replace("stdio", "http")


class TestInventory:
    """The public names are these, and each is documented."""

    def test_the_public_names_are_these(self) -> None:
        assert sorted(mcpcfg.__all__) == PUBLIC
        assert len(set(mcpcfg.__all__)) == len(mcpcfg.__all__)
        assert dir(mcpcfg) == sorted(mcpcfg.__all__)

    def test_every_name_is_exported_once(self) -> None:
        exported = [name for names in mcpcfg._MODULES.values() for name in names]
        assert sorted([*exported, "__version__"]) == PUBLIC
        values = [getattr(mcpcfg, name) for name in (*FUNCTIONS, *CLASSES)]
        assert len({id(value) for value in values}) == len(values)

    def test_another_name_is_none(self) -> None:
        with pytest.raises(AttributeError, match="module 'mcpcfg' has no attribute 'chek'"):
            mcpcfg.chek  # noqa: B018 - the access is what is tested

    def test_the_import_of_the_package_imports_nothing(self) -> None:
        program = "import sys, mcpcfg; print(*sys.modules); mcpcfg.InputError; print(*sys.modules)"
        done = subprocess.run([sys.executable, "-P", "-c", program], capture_output=True, text=True, check=True)
        before, after = ({name for name in line.split() if "mcpcfg." in name} for line in done.stdout.splitlines())
        assert before == {"mcpcfg.compiler", "mcpcfg.compiler.diagnostics", "mcpcfg.compiler.diagnostics.version"}
        assert after - before == {f"mcpcfg.compiler.diagnostics.{name}" for name in ("named_tuple", "span")}

    @pytest.mark.parametrize("name", FUNCTIONS)
    def test_a_function_is_typed_and_documents_its_parameters(self, name: str) -> None:
        function = getattr(mcpcfg, name)
        signature = inspect.signature(function)
        assert signature.return_annotation is not inspect.Signature.empty
        documented = section(function.__doc__, "Args") if signature.parameters else []
        assert documented == list(signature.parameters)
        for parameter in signature.parameters.values():
            assert parameter.annotation is not inspect.Parameter.empty, parameter.name
        assert "Return" in function.__doc__ or name == "render"

    @pytest.mark.parametrize("name", CLASSES)
    def test_a_class_documents_its_attributes(self, name: str) -> None:
        found: Any = getattr(mcpcfg, name)
        fields = getattr(found, "_fields", None) or tuple(getattr(found, "__dataclass_fields__", ()))
        assert found.__doc__
        assert not found.__doc__.startswith(f"{name}(")
        assert sorted(section(found.__doc__, "Attributes")) == sorted(fields)

    @pytest.mark.parametrize("name", LITERALS)
    def test_a_literal_names_its_values_on_the_page(self, name: str) -> None:
        values = get_args(getattr(mcpcfg, name))
        assert len(values) >= 3
        assert all(value in PAGE for value in values)

    def test_targets_are_those_that_are_compiled(self) -> None:
        assert (*OBJECT_STEPS, *TEXT_STEPS) == TARGETS


def section(docstring: str, title: str) -> list[str]:
    """Return what a section of a docstring documents."""
    body = re.search(rf"(?ms)^\s*{title}:\n(.*?)(?=^\s*\w+:\n|\Z)", docstring)
    lines = (inspect.cleandoc(f"\n{body[1].rstrip()}") if body else "").splitlines()
    return [line.partition(":")[0] for line in lines if not line.startswith(" ") and ":" in line]


class TestPage:
    """docs/library.md shows every name in an example that runs."""

    def test_its_examples_print_what_is_shown(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(ROOT)
        parser, runner = doctest.DocTestParser(), doctest.DocTestRunner()
        names: dict[str, Any] = {}
        said: list[str] = []
        for block in re.finditer(r"(?ms)^```pycon\n(.*?)^```$", PAGE):
            test = parser.get_doctest(block[1], {}, "library", "docs/library.md", PAGE[: block.start(1)].count("\n"))
            test.globs = names
            runner.run(test, out=said.append, clear_globs=False)
        assert not said, "".join(said)
        assert runner.tries > 40

    @pytest.mark.parametrize("name", [*FUNCTIONS, *CLASSES, *LITERALS])
    def test_every_name_is_in_an_example_of_the_page_and_in_the_typed_program(self, name: str) -> None:
        examples = "".join(re.findall(r"(?ms)^```pycon\n(.*?)^```$", PAGE))
        for text in (examples, PROGRAM.read_text(encoding="utf-8")):
            assert re.search(rf"\bmcpcfg\.{name}\b", text)

    def test_the_readme_leads_to_it(self) -> None:
        assert "(docs/library.md)" in (ROOT / "README.md").read_text(encoding="utf-8")

    def test_the_typed_program_runs(self, tmp_path: Path) -> None:
        program = runpy.run_path(str(PROGRAM))
        (tmp_path / "broken.yaml").write_text(BROKEN)
        (row,) = program["table"](tmp_path)
        assert (row["place"][1:], row["severity"], row["stage"]) == ((4, 52), "error", "admission")
        assert program["table"](tmp_path / "missing") == []
        assert [*program["compiled"]("runconfig")] == ["tools/MCPServer-fetch.json"]
        assert program["rendered"]("json").startswith('{\n  "version": 1,')
        assert program["title"]("REF001").startswith(mcpcfg.__version__)


class TestAsTheCommandLine:
    """What a program gets is what a call prints."""

    @pytest.fixture(autouse=True)
    def _here(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(ROOT)

    @pytest.mark.parametrize("project", PROJECTS)
    def test_a_report_is_what_a_check_prints(self, project: str, capfd: pytest.CaptureFixture[str]) -> None:
        path = f"fixtures/projects/{project}"
        report = mcpcfg.check(ROOT.joinpath(path).relative_to(ROOT))
        written = {form: mcpcfg.render(report, form) for form in get_args(mcpcfg.Format)}
        assert capfd.readouterr() == ("", "")
        for form, text in written.items():
            assert call("check", path, "--no-cache", "--format", form).out == text, form

    @pytest.mark.parametrize("project", PROJECTS)
    def test_artifacts_are_what_a_build_prints(self, project: str, capfd: pytest.CaptureFixture[str]) -> None:
        path = f"fixtures/projects/{project}"
        report = mcpcfg.check(path)
        # Standard output takes one cluster alone.
        cluster = "north" if project == "values-of-clusters" else None
        built = {target: mcpcfg.build(report, target, keep_going=True, cluster=cluster) for target in TARGETS}
        chosen = ["--cluster", cluster] if cluster is not None else []
        assert capfd.readouterr() == ("", "")
        for target, artifacts in built.items():
            done = call("build", path, "--keep-going", "--target", target, *chosen)
            assert done.out == artifacts.text
            assert all(f"mcpcfg: {said}\n" in done.err for said in (*artifacts.left_out, *artifacts.remarks))
            assert artifacts.complete or done.status == 1

    def test_errors_stop_a_build(self) -> None:
        broken = mcpcfg.check(files={"a.yaml": BROKEN, "b.yaml": SERVER.replace("fetch,", "sound,")})
        stopped = mcpcfg.build(broken, "runconfig")
        kept = mcpcfg.build(broken, "runconfig", keep_going=True)
        assert (stopped.files, stopped.complete, stopped.stopped) == ((), False, True)
        assert [one.path for one in kept.files] == ["tools/MCPServer-sound.json"]
        assert (kept.complete, kept.stopped) == (False, False)

    def test_objects_that_collide_stop_a_build(self) -> None:
        proxy = (
            SERVER.replace("MCPServer", "MCPRemoteProxy").partition("spec")[0] + "spec: {remoteUrl: 'https://a.b'}\n"
        )
        report = mcpcfg.check(files={"a.yaml": SERVER, "b.yaml": proxy})
        stopped = mcpcfg.build(report, "kubernetes")
        assert (stopped.files, stopped.stopped) == ((), True)
        assert "BLD001" in {finding.rule for finding in stopped.findings}
        assert mcpcfg.build(report, "kubernetes", keep_going=True).files


class TestTexts:
    """Texts in memory."""

    def test_a_text_is_checked_without_a_look_at_the_disk(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("mcpcfg.yaml").write_text("rules: {ADM004: off}")
        Path("a.yaml").write_text(SERVER)
        assert rules_of(files={"a.yaml": BROKEN}) == ["ADM004"]
        assert rules_of(files={"a.yaml": BROKEN}, config="mcpcfg.yaml") == []

    def test_text_may_be_bytes_and_its_name_may_be_an_unnormalized_path(self) -> None:
        report = mcpcfg.check(files={"a.yaml": BROKEN})
        assert report.findings == mcpcfg.check(files={"a.yaml": BROKEN.encode()}).findings
        assert report.findings == mcpcfg.check(files={"./x/../a.yaml": BROKEN}).findings

    def test_no_texts_are_nothing_to_check(self) -> None:
        report = mcpcfg.check(files={})
        assert (report.findings, report.nothing) == ([], True)

    def test_a_text_replaces_its_file_even_if_its_name_is_a_path_through_a_link(self, tmp_path: Path) -> None:
        file = tmp_path / "deploy" / "a.yaml"
        file.parent.mkdir()
        file.write_text(BROKEN)
        assert rules_of(tmp_path) == ["ADM004"]
        assert rules_of(tmp_path, files={str(file): SERVER}) == []
        (tmp_path / "link").symlink_to("deploy")
        assert rules_of(tmp_path, files={str(tmp_path / "link" / "a.yaml"): SERVER}) == []

    def test_a_text_beside_files_is_one_more_file(self, tmp_path: Path) -> None:
        group = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: g, namespace: tools}\n"
        (tmp_path / "mcpcfg.yaml").write_text("{}")
        (tmp_path / "a.yaml").write_text(SERVER.replace("spec: {", "spec: {groupRef: {name: g}, "))
        assert "REF001" in rules_of(tmp_path)
        assert "REF001" not in rules_of(tmp_path, files={str(tmp_path / "new" / "g.yaml"): group})
        named = tmp_path / "a.yaml"
        assert "ADM004" in rules_of(named, files={str(tmp_path / "b.yaml"): BROKEN.replace("fetch,", "other,")})

    def test_an_input_kind_is_that_of_the_first_text(self) -> None:
        options = mcpcfg.Options(read_as="workload")
        assert rules_of(files={"a.txt": "{}"}, options=options) == ["WRK002", "WRK003"]
        assert rules_of(files={"a.txt": "{}"}) == []

    def test_a_workload_is_compiled_to_a_run_configuration_alone(self) -> None:
        text = '{"name": "fetch", "image": "ghcr.io/acme/fetch:1"}'
        report = mcpcfg.check(files={"a.json": text}, options=mcpcfg.Options(read_as="workload"))
        made = {target: len(mcpcfg.build(report, target).files) for target in ("kubernetes", "runconfig", "vmcp")}
        assert made == {"kubernetes": 0, "runconfig": 1, "vmcp": 0}

    def test_a_skill_needs_no_folder(self) -> None:
        skill = "---\nname: look\ndescription: Look things up\n---\nLook them up.\n"
        assert rules_of(files={"skills/look/SKILL.md": skill}) == []
        assert rules_of(files={"skills/look/SKILL.md": skill.replace("name: look\n", "")}) == ["SKL007"]

    @pytest.mark.parametrize(
        "text",
        [b"\xff\xfe\x00", "\ud800", "\0", "{" * 10_000, "a: &a [*a]", "%", "- " * 5_000, b"\x89PNG\r\n"],
        ids=repr,
    )
    def test_whatever_a_text_holds_is_a_finding_or_nothing(self, text: str | bytes) -> None:
        after_server = SERVER + text if isinstance(text, str) else SERVER.encode() + text
        for whole in (text, after_server):
            report = mcpcfg.check(files={"a.yaml": whole})
            assert all(finding.span.file == "a.yaml" for finding in report.findings)
            assert mcpcfg.build(report, "runconfig", keep_going=True).target == "runconfig"


class TestWrongCalls:
    """What cannot be meant is refused at once."""

    @pytest.mark.parametrize("name", ["", "-"])
    def test_standard_input_is_none_of_a_library(self, name: str) -> None:
        with pytest.raises(ValueError, match="no file can be called"):
            mcpcfg.check(name)
        with pytest.raises(ValueError, match="no file can be called"):
            mcpcfg.check(files={name: SERVER})

    def test_options_have_values(self) -> None:
        with pytest.raises(ValueError, match="there is no kind of input 'wrkload'"):
            mcpcfg.check(files={}, options=mcpcfg.Options(read_as="wrkload"))
        with pytest.raises(ValueError, match='namespace "A" may have'):
            mcpcfg.check(files={}, options=mcpcfg.Options(namespace="A"))

    def test_formats_and_targets_are_known(self) -> None:
        report = mcpcfg.check(files={})
        with pytest.raises(ValueError, match="there is no format 'yaml', only text, json"):
            mcpcfg.render(report, "yaml")  # type: ignore[arg-type]  # what is refused at run time, too
        with pytest.raises(ValueError, match="there is no target 'docker', only kubernetes, backend"):
            mcpcfg.build(report, "docker")  # type: ignore[arg-type]

    def test_what_cannot_be_read_is_an_input_error(self, tmp_path: Path) -> None:
        with pytest.raises(mcpcfg.InputError, match="no such file or folder"):
            mcpcfg.check(tmp_path / "missing")
        (tmp_path / "mcpcfg.yaml").write_text("failOn: nver")
        with pytest.raises(mcpcfg.InputError, match="the configuration is not valid"):
            mcpcfg.check(tmp_path)
        with pytest.raises(mcpcfg.InputError):
            mcpcfg.check(files={}, config=tmp_path / "missing.yaml")


def rules_of(*paths: Path, **given: Any) -> list[str]:
    return [finding.rule for finding in mcpcfg.check(*paths, **given).findings if finding.severity != "info"]
