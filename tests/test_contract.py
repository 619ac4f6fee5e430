"""The command line as other programs rely on it: exit status, shapes, places, what is reported and what is not."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

SERVER = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata:
  name: fetch
spec:
  image: ghcr.io/acme/fetch:1.0
  podTemplateSpec:
    spec:
      containers:
        - name: mcp
          resources: {limits: {cpu: 100m}}
"""
GROUP = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPGroup
metadata:
  name: tools
spec: {}
"""
IN_TOOLS = GROUP.replace("spec:", "  namespace: tools\nspec:")
IN_GROUP = SERVER + "  groupRef:\n    name: tools\n"


class Call:
    """One call of the program in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, *arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-P", "-m", "mcpcfg", *arguments]
        return subprocess.run(command, cwd=self.folder, input=stdin, capture_output=True, text=True, check=False)

    def findings(self, *arguments: str, stdin: str = "") -> list[dict[str, Any]]:
        """Return errors and warnings: these small projects are not about style."""
        done = self.run("check", "--format", "json", *arguments, stdin=stdin)
        assert done.returncode in (0, 1), done.stderr
        return [finding for finding in json.loads(done.stdout)["findings"] if finding["severity"] != "info"]

    def errors(self, *arguments: str) -> list[tuple[str, str]]:
        return [(f["file"], f["rule"]) for f in self.findings(*arguments) if f["severity"] == "error"]


@pytest.fixture
def call(tmp_path: Path) -> Call:
    return Call(tmp_path)


def test_a_valid_project_passes_with_status_0(call: Call) -> None:
    call.write("server.yaml", IN_GROUP)
    call.write("group.yaml", GROUP)

    done = call.run("check")

    assert done.returncode == 0
    assert done.stdout == ""
    assert done.stderr.endswith("checked 2 files, 2 documents; judged by operator release 0.51.4 (default)\n")


def test_an_error_ends_with_status_1_and_never_with_fail_on_never(call: Call) -> None:
    call.write("server.yaml", SERVER.replace("image", "imgae"))

    assert call.run("check").returncode == 1
    assert call.run("check", "--fail-on", "never").returncode == 0


@pytest.mark.parametrize("arguments", [["check", "missing.yaml"], ["check", "--no-such-option"], ["chek"]])
def test_a_wrong_call_ends_with_status_2_and_no_traceback(call: Call, arguments: list[str]) -> None:
    done = call.run(*arguments)

    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_an_empty_folder_is_reported_to_hold_nothing(call: Call) -> None:
    done = call.run("check")

    assert done.returncode == 0
    assert "nothing to check" in done.stderr


def test_files_of_other_programs_are_skipped_in_a_folder(call: Call) -> None:
    call.write("values.yaml", "foo: [bar\n")
    call.write("group.yaml", GROUP)

    assert call.findings() == []


def test_an_unknown_field_is_reported_at_its_key_with_its_own_pointer(call: Call) -> None:
    call.write("server.yaml", SERVER.replace("  image:", "  endpointPrefx: /x\n  image:"))

    (finding,) = call.findings("server.yaml")

    assert (finding["rule"], finding["stage"]) == ("ADM001", "admission")
    assert (finding["line"], finding["column"], finding["end_column"]) == (6, 3, 16)
    assert finding["path"] == "/spec/endpointPrefx"
    assert (finding["kind"], finding["namespace"], finding["resource"]) == ("MCPServer", "default", "fetch")
    assert "endpointPrefix" in finding["hint"]


def test_a_missing_field_is_reported_at_the_object_that_lacks_it(call: Call) -> None:
    call.write("server.yaml", "\n".join(line for line in SERVER.splitlines() if "image" not in line))

    (finding,) = call.findings("server.yaml")

    assert finding["path"] == "/spec"


def test_an_element_of_a_list_has_the_lists_document_and_its_place(call: Call) -> None:
    item = "\n".join(f"    {line}" for line in SERVER.replace("image", "imgae").splitlines())
    call.write("list.yaml", f"{GROUP}---\napiVersion: v1\nkind: List\nitems:\n  -\n{item}\n")

    paths = {(finding["document"], finding["path"]) for finding in call.findings("list.yaml")}

    assert (1, "/items/0/spec/imgae") in paths


def test_a_syntax_error_ends_its_document_and_the_others_go_on(call: Call) -> None:
    call.write("all.yaml", f"kind: [\n---\n{SERVER.replace('image', 'imgae')}")

    reported = {(finding["document"], finding["stage"]) for finding in call.findings("all.yaml")}

    assert reported == {(0, "syntax"), (1, "admission")}


def test_a_duplicate_resource_is_an_error_at_the_second_with_a_note_at_the_first(call: Call) -> None:
    call.write("a.yaml", IN_TOOLS)
    call.write("b.yaml", IN_TOOLS)

    (finding,) = call.findings()

    assert (finding["file"], finding["stage"], finding["severity"]) == ("b.yaml", "admission", "error")
    assert finding["notes"][0]["file"] == "a.yaml"


def test_a_reference_may_be_satisfied_from_any_file_of_the_call(call: Call) -> None:
    call.write("server.yaml", IN_GROUP)
    call.write("group.yaml", GROUP)

    assert call.errors("server.yaml", "group.yaml") == []
    assert call.errors("server.yaml", "--closed") == [("server.yaml", "REF001")]


def test_without_a_project_what_named_files_miss_is_a_warning(call: Call) -> None:
    call.write("server.yaml", IN_GROUP)
    call.write("group.yaml", GROUP)

    assert [(f["rule"], f["severity"]) for f in call.findings("server.yaml")] == [("REF001", "warning")]


def test_inside_a_project_the_other_files_are_read_and_findings_limited(call: Call) -> None:
    call.write("mcpcfg.yaml", "namespace: tools\n")
    call.write("server.yaml", IN_GROUP)
    call.write("group.yaml", GROUP)
    call.write("other.yaml", SERVER.replace("fetch", "other").replace("image", "imgae"))

    assert call.findings("server.yaml") == []
    assert {file for file, _ in call.errors()} == {"other.yaml"}


def test_a_namespace_of_a_kustomization_counts_for_the_files_that_it_lists(call: Call) -> None:
    call.write("base/kustomization.yaml", "namespace: team-a\nresources: [server.yaml]\n")
    call.write("base/server.yaml", IN_GROUP)
    call.write("group.yaml", GROUP.replace("name: tools", "name: tools\n  namespace: team-b"))

    (finding,) = call.findings()

    assert finding["namespace"] == "team-a"
    assert 'in namespace "team-b"' in finding["message"]


def test_an_unstated_namespace_fits_any_in_the_open_world_only(call: Call) -> None:
    call.write("server.yaml", IN_GROUP)
    call.write("group.yaml", GROUP.replace("name: tools", "name: tools\n  namespace: team-b"))

    assert call.errors() == []
    assert call.errors("--closed") == [("server.yaml", "REF001")]
    assert call.errors("--namespace", "team-b") == []


def test_a_placeholder_is_an_unknown_value_and_never_a_finding(call: Call) -> None:
    call.write("server.yaml", IN_GROUP.replace("name: tools", 'name: "${GROUP}"') + "  proxyPort: $PORT\n")

    assert call.findings() == []


def test_external_names_exist_elsewhere(call: Call) -> None:
    call.write("mcpcfg.yaml", "external:\n  MCPGroup: [tools]\n")
    call.write("server.yaml", IN_GROUP)

    assert call.findings() == []


def test_a_comment_silences_its_rule_there_and_an_unused_one_is_reported(call: Call) -> None:
    call.write("server.yaml", IN_GROUP + "# mcpcfg: ignore[ADM001]\n")
    call.write("quiet.yaml", IN_GROUP.replace("fetch", "quiet").rstrip() + "  # mcpcfg: ignore[REF001]\n")

    reported = {(finding["file"], finding["rule"]) for finding in call.findings()}

    assert reported == {("server.yaml", "REF001"), ("server.yaml", "CFG001")}


@pytest.mark.parametrize("comment", ["ignore", "ignore[]", "ignore REF001"])
def test_a_comment_that_names_no_rule_is_reported_and_silences_nothing(call: Call, comment: str) -> None:
    call.write("server.yaml", IN_GROUP.rstrip() + f"  # mcpcfg: {comment}\n")

    reported = {(finding["rule"], finding["line"]) for finding in call.findings()}

    assert reported == {("REF001", 13), ("CFG001", 13)}


def test_a_comment_is_not_called_unused_before_its_rule_has_looked(call: Call) -> None:
    text = IN_GROUP.rstrip() + "  # mcpcfg: ignore[REF001]\n"
    call.write("server.yaml", text + "  imagee: a\n")
    assert [finding["rule"] for finding in call.findings()] == ["ADM001"]

    call.write("server.yaml", text)
    assert call.findings() == []


def test_two_of_one_name_in_one_file_without_namespaces_come_with_ways_to_distinguish_them(call: Call) -> None:
    call.write("group.yaml", f"{GROUP}---\n{GROUP}")

    (finding,) = call.findings()

    assert finding["rule"] == "ADM090"
    assert "state their namespaces" in finding["hint"]
    assert "default" not in finding["message"]


@pytest.mark.parametrize("folders", [("dev", "prod"), ("all", "all")])
def test_resources_without_namespace_in_two_folders_are_duplicates_only_in_a_closed_world(
    call: Call, folders: tuple[str, str]
) -> None:
    for number, folder in enumerate(folders):
        call.write(f"{folder}/group-{number}.yaml", GROUP)

    assert call.findings() == []
    assert [finding["rule"] for finding in call.findings("--closed")] == ["ADM090"]


def test_isolated_files_are_each_all_there_is(call: Call) -> None:
    call.write("a.yaml", IN_TOOLS)
    call.write("b.yaml", IN_TOOLS)
    call.write("server.yaml", IN_GROUP)

    assert call.errors() == [("b.yaml", "ADM090")]
    assert call.errors("--isolated") == [("server.yaml", "REF001")]
    assert call.errors("--isolated", "server.yaml") == [("server.yaml", "REF001")]
    call.write("mcpcfg.yaml", "isolated: [b.yaml]\n")
    assert call.errors() == []


def test_a_named_file_of_another_program_is_reported_inside_of_a_project_too(call: Call) -> None:
    call.write("mcpcfg.yaml", "exclude: []\n")
    call.write("server.yaml", SERVER)
    call.write("other.yaml", "a: b\n")

    assert "nothing to check" in call.run("check", "other.yaml").stderr
    assert "nothing to check" not in call.run("check", "server.yaml").stderr


def test_a_part_of_a_check_fixes_nothing(call: Call) -> None:
    call.write("server.yaml", SERVER)

    outcome = call.run("check", "--shard", "1/2", "--fix")
    assert (outcome.returncode, outcome.stdout) == (2, "")


def test_severities_come_from_the_configuration(call: Call) -> None:
    call.write("mcpcfg.yaml", "rules: {REF001: warning}\n")
    call.write("server.yaml", IN_GROUP)

    assert call.run("check").returncode == 0
    call.write("mcpcfg.yaml", "rules: {REF001: off}\n")
    assert call.findings() == []


def test_a_wrong_configuration_is_a_wrong_call_with_a_place(call: Call) -> None:
    call.write("mcpcfg.yaml", "namespce: tools\n")

    done = call.run("check")

    assert done.returncode == 2
    assert "mcpcfg.yaml:1:1" in done.stderr


def test_standard_input_is_named_in_findings(call: Call) -> None:
    (finding,) = call.findings(
        "-", "--stdin-filename", "rendered.yaml", stdin=SERVER.replace("image:", "imgae: y\n  image:")
    )

    assert finding["file"] == "rendered.yaml"


PIN = """\
apiVersion: source.toolkit.fluxcd.io/v1
kind: OCIRepository
metadata: {name: toolhive-operator}
spec: {url: oci://ghcr.io/stacklok/toolhive/toolhive-operator, ref: {tag: 0.40.0}}
---
"""


@pytest.mark.parametrize("text", [SERVER.replace("v1alpha1", "v1beta1"), PIN + SERVER])
def test_standard_input_is_checked_whatever_decides_about_the_release(call: Call, text: str) -> None:
    findings = call.findings("-", stdin=text.replace("image:", "imgae: y\n  image:"))

    assert "ADM001" in {finding["rule"] for finding in findings}


def test_the_same_input_gives_the_same_bytes_whatever_the_order_of_paths(call: Call) -> None:
    for name in "abc":
        call.write(f"{name}.yaml", IN_GROUP.replace("fetch", name))

    orders = (["a.yaml", "b.yaml", "c.yaml"], ["c.yaml", "a.yaml", "b.yaml"])

    assert len({call.run("check", "--format", "json", *order).stdout for order in orders}) == 1


def test_a_reference_engine_of_libraries_says_the_same(call: Call) -> None:
    call.write("server.yaml", SERVER.replace("image", "imgae") + "  transport: http\n  rateLimiting: {}\n")

    generated, reference = (call.findings("--engine", engine) for engine in ("generated", "reference"))

    places = [{(f["rule"], f["path"]) for f in reported} for reported in (generated, reference)]
    assert places[0] == places[1]
    assert len(places[0]) >= 3


def test_build_streams_artifacts_alone_and_reports_findings_on_standard_error(call: Call) -> None:
    call.write("server.yaml", SERVER)

    done = call.run("build", "--target", "runconfig")

    assert done.returncode == 0
    assert json.loads(done.stdout)["name"] == "fetch"
    assert done.stdout.endswith("}\n")


def test_build_with_errors_compiles_nothing_unless_it_keeps_going(call: Call) -> None:
    call.write("good.yaml", SERVER)
    call.write("bad.yaml", SERVER.replace("fetch", "bad").replace("image", "imgae"))

    stopped = call.run("build", "--target", "runconfig")
    going = call.run("build", "--target", "runconfig", "--keep-going")

    assert (stopped.returncode, stopped.stdout) == (1, "")
    assert going.returncode == 1
    assert json.loads(going.stdout)["name"] == "fetch"


def test_build_into_a_folder_is_repeatable_and_checkable(call: Call) -> None:
    call.write("in/server.yaml", SERVER)
    arguments = ["build", "in", "--target", "kubernetes"]

    assert call.run(*arguments, "--check", "out").returncode == 1
    assert call.run(*arguments, "--output-dir", "out").returncode == 0
    before = {path: path.stat().st_mtime_ns for path in (call.folder / "out").rglob("*")}
    assert call.run(*arguments, "--output-dir", "out").returncode == 0
    assert {path: path.stat().st_mtime_ns for path in (call.folder / "out").rglob("*")} == before
    assert call.run(*arguments, "--check", "out").returncode == 0


def test_build_removes_only_what_it_wrote(call: Call) -> None:
    call.write("in/server.yaml", SERVER)
    call.write("in/other.yaml", SERVER.replace("fetch", "other"))
    call.write("out/mine.txt", "mine")
    arguments = ["build", "in", "--target", "runconfig", "--output-dir", "out"]
    call.run(*arguments)
    (call.folder / "in" / "other.yaml").unlink()

    call.run(*arguments)

    left = sorted(
        str(path.relative_to(call.folder / "out")) for path in (call.folder / "out").rglob("*") if path.is_file()
    )
    assert left == [".mcpcfg-manifest", "default/MCPServer-fetch.json", "mine.txt"]


def test_build_never_writes_through_a_link_that_leads_outside(call: Call) -> None:
    call.write("in/server.yaml", SERVER)
    (call.folder / "elsewhere").mkdir()
    (call.folder / "out").mkdir()
    (call.folder / "out" / "default").symlink_to(call.folder / "elsewhere")

    done = call.run("build", "in", "--target", "runconfig", "--output-dir", "out")

    assert done.returncode == 2
    assert list((call.folder / "elsewhere").iterdir()) == []


def test_build_leaves_out_what_holds_placeholders_and_says_so(call: Call) -> None:
    call.write("good.yaml", SERVER)
    call.write("open.yaml", SERVER.replace("fetch", "open") + "  proxyPort: ${PORT}\n")

    done = call.run("build", "--target", "runconfig", "--keep-going")

    assert done.returncode == 1
    assert json.loads(done.stdout)["name"] == "fetch"
    assert "placeholders" in done.stderr


def test_a_baseline_leaves_out_what_it_knows_and_reports_what_is_new(call: Call) -> None:
    call.write("old.yaml", IN_GROUP)
    assert call.run("check", "--write-baseline", "known.json", ".").returncode == 0

    assert call.run("check", "--baseline", "known.json", ".").returncode == 0
    call.write("new.yaml", IN_GROUP.replace("fetch", "new"))
    again = call.run("check", "--baseline", "known.json", "--format", "json", ".")

    assert again.returncode == 1
    assert {finding["resource"] for finding in json.loads(again.stdout)["findings"]} == {"new"}
