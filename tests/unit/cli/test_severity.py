"""What is shown of what is found: infos are counted, and shown where the call asks for them."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest
from calling import Outcome, call

from mcpcfg.compiler.cli import check as check_command

SERVER = """apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: NAME}
spec:
  image: IMAGE
  transport: stdio
  resources: {limits: {cpu: "1"}}
"""
MCPCFG = str(Path(sys.executable).with_name("mcpcfg"))
TEXT_AND_MERGED = [(), ("--severity", "info"), ("--fail-on", "info"), ("--severity", "error"), ("--color",)]


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("NO_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    tree = tmp_path / "tree"
    tree.mkdir()
    monkeypatch.chdir(tree)
    return tree


def server(name: str, image: str = "ghcr.io/acme/one:1.0", more: str = "") -> str:
    """Write a server; its resources are those of the proxy (RES002, a warning)."""
    path = Path(f"{name}.yaml")
    path.write_text(SERVER.replace("NAME", name).replace("IMAGE", image) + more, encoding="utf-8")
    return path.name


def untagged(name: str) -> str:
    """Write a server with an info alone (IMG001)."""
    path = server(name, "ghcr.io/acme/one")
    Path(path).write_text(Path(path).read_text().replace('  resources: {limits: {cpu: "1"}}\n', ""))
    return path


def findings(*options: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(call("check", "--no-cache", "--format", "json", *options).out)["findings"]
    return found


def notes(finding: dict[str, Any]) -> list[tuple[str, str, int]]:
    return [(note["message"], note["file"], note["line"]) for note in finding.get("notes", ())]


class TestWhatIsShown:
    def test_text_counts_infos_and_shows_them_on_request(self) -> None:
        untagged("a")
        assert call("check") == Outcome(
            0,
            "",
            "1 info (--severity info shows all); checked 1 file, 1 document;"
            " judged by operator release 0.51.4 (default)\n",
        )
        shown = call("check", "--severity", "info")
        assert "info[IMG001]" in shown.out
        assert shown.err == "1 info; checked 1 file, 1 document; judged by operator release 0.51.4 (default)\n"

    def test_the_configuration_says_what_is_shown_and_the_call_says_otherwise(self) -> None:
        untagged("a")
        server("b")
        for severity, shown in (("error", []), ("warning", ["RES002"]), ("info", ["IMG001", "RES002"])):
            Path("mcpcfg.yaml").write_text(f"severity: {severity}\n")
            assert [one["rule"] for one in findings()] == shown
            assert [rule for rule in ("IMG001", "RES002") if rule in call("check").out] == shown
        Path("mcpcfg.yaml").write_text("severity: error\n")
        assert [one["rule"] for one in findings("--severity", "info")] == ["IMG001", "RES002"]

    def test_formats_for_programs_show_all_unless_the_configuration_says_otherwise(self) -> None:
        untagged("a")
        for format_ in ("json", "sarif", "junit", "gitlab", "github", "markdown"):
            assert "IMG001" in call("check", "--format", format_).out, format_
            assert "IMG001" not in call("check", "--format", format_, "--severity", "warning").out, format_
        summary = json.loads(call("check", "--format", "json", "--severity", "error").out)["summary"]
        assert summary["infos"] == 1

    @pytest.mark.parametrize("severity", ["error", "warning", "info"])
    @pytest.mark.parametrize("format_", ["text", "json", "github", "junit"])
    def test_findings_that_make_a_check_fail_are_shown(self, severity: str, format_: str) -> None:
        untagged("a")
        failed = call("check", "--fail-on", "info", "--severity", severity, "--format", format_)
        assert failed.status == 1
        assert "IMG001" in failed.out
        Path("mcpcfg.yaml").write_text(f"failOn: info\nseverity: {severity}\n")
        assert call("check", "--format", format_)[:2] == failed[:2]

    def test_hidden_findings_do_not_affect_the_exit_status(self) -> None:
        untagged("a")
        for options in (("--fail-on", "never", "--severity", "error"), ("--fail-on", "warning")):
            outcome = call("check", *options)
            assert outcome.status == 0
            assert "IMG001" not in outcome.out

    def test_a_file_gets_all_and_the_screen_what_text_shows(self) -> None:
        untagged("a")
        shown = call("check", "--format", "json", "--output", "../out.json")
        assert shown.out == ""
        assert "(--severity info shows all)" in shown.err
        assert [one["rule"] for one in json.loads(Path("../out.json").read_text())["findings"]] == ["IMG001"]

    def test_build_is_as_quiet(self) -> None:
        untagged("a")
        assert "IMG001" not in call("build", "--target", "runconfig").err
        assert "IMG001" in call("build", "--target", "runconfig", "--severity", "info").err

    def test_a_secret_of_a_suppressed_finding_is_masked_in_other_findings(self) -> None:
        Path("mcpcfg.yaml").write_text("rules: {SEC001: info}\n")
        Path("a.yaml").write_text(
            "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: a}\n"
            'spec: {image: "a:1", transport: stdio, resources: {limits: {cpu: "1"}},'
            ' env: [{name: API_TOKEN, value: "ghp_0123456789abcdefghijABCDEFGHIJ0123456789"}]}\n'
        )
        shown = call("check").out
        assert "RES002" in shown
        assert "SEC001" not in shown
        assert "ghp_" not in shown
        assert "ghp_" in Path("a.yaml").read_text()

    def test_github_gets_the_worst_first(self) -> None:
        untagged("a")
        server("b")
        server("c", more="  imagee: x\n")
        commands = [line.split(" ")[0] for line in call("check", "--format", "github").out.splitlines()]
        assert commands == ["::error", "::warning", "::notice", "::notice"]


class TestOneChange:
    def test_the_same_warning_about_several_servers_is_reported_once_with_notes(self) -> None:
        files = [server(name) for name in "abc"]
        (found,) = findings()
        assert (found["rule"], found["file"]) == ("RES002", "a.yaml")
        assert notes(found) == [("also MCPServer/b", "b.yaml", 7), ("also MCPServer/c", "c.yaml", 7)]
        assert findings(*reversed(files)) == [found]
        shown = call("check")
        assert shown.out.count("RES002") == 1
        assert "      = note: also MCPServer/b (b.yaml:7:3)\n      = note: also MCPServer/c (c.yaml:7:3)\n" in shown.out
        assert shown.err.startswith("1 warning; ")

    def test_findings_that_are_fixed_one_by_one_are_reported_one_by_one(self) -> None:
        for name in "ab":
            untagged(name)
        assert [one["file"] for one in findings()] == ["a.yaml", "b.yaml"]

    def test_a_place_that_a_comment_silences_is_left_out(self) -> None:
        for name in "abc":
            server(name)
        for silent, first, others in (("a", "b.yaml", ["c.yaml"]), ("b", "a.yaml", ["c.yaml"])):
            path = Path(f"{silent}.yaml")
            before = path.read_text()
            path.write_text(before.replace('"1"}}\n', '"1"}}  # mcpcfg: ignore[RES002]\n'))
            (found,) = findings()
            assert (found["file"], [note[1] for note in notes(found)]) == (first, others)
            path.write_text(before)

    def test_a_baseline_does_not_hide_the_same_finding_in_another_file(self) -> None:
        server("a")
        call("check", "--write-baseline", "../known.json")
        server("b")
        (found,) = findings("--baseline", "../known.json")
        assert (found["file"], notes(found)) == ("b.yaml", [])
        assert call("check", "--baseline", "../known.json").out.startswith("b.yaml:7:3: warning[RES002]")

    def test_a_change_is_reported_at_its_own_place(self) -> None:
        def git(*words: str) -> None:
            subprocess.run(
                ["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, capture_output=True
            )

        server("a")
        git("init", "-q", ".")
        git("add", "-A")
        git("commit", "-q", "-m", "one")
        server("b")
        (found,) = findings("--changed-since", "HEAD")
        assert (found["file"], notes(found)) == ("b.yaml", [])

    def test_of_very_many_places_the_first_are_named(self) -> None:
        for number in range(30):
            server(f"s{number:02}")
        shown = call("check").out
        assert shown.count("= note: also") == 10
        assert shown.endswith("      = note: also MCPServer/s10 (s10.yaml:7:3)\n      = note: and 19 more places\n\n")
        assert len(findings()[0]["notes"]) == 29

    @pytest.mark.parametrize("options", TEXT_AND_MERGED, ids=" ".join)
    def test_a_report_is_the_same_with_and_without_cache(
        self, options: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(check_command, "FEWEST_KEPT", 1)
        for number in range(24):
            (untagged if number % 3 == 0 else server)(f"s{number:02}")
            if number % 5 == 0:
                path = Path(f"s{number:02}.yaml")
                path.write_text(path.read_text().replace("stdio", "streamable-http\n  proxyMode: sse"))
        for _ in range(2):
            expected = call("check", "--no-cache", *options)
            for _ in range(2):
                assert call("check", *options) == expected
            assert call("check", "--no-cache", *options, "--format", "json", "--output", "../out.json") == expected
            server("s04", "ghcr.io/acme/other")
            Path("s01.yaml").unlink(missing_ok=True)  # where the warning stood, which is reported at the next place now

    @pytest.mark.parametrize("options", TEXT_AND_MERGED, ids=" ".join)
    def test_merged_parts_give_the_same_report_as_one_check(self, options: tuple[str, ...]) -> None:
        for name in "abcd":
            server(name, "ghcr.io/acme/one")
        for part in ("1/2", "2/2"):
            call("check", "--shard", part, "--output", f"../{part[0]}.facts")
        assert call("merge", "../1.facts", "../2.facts", *options) == call("check", *options)

    def test_formats_name_the_other_places(self) -> None:
        for name in "ab":
            server(name)
        for format_ in ("github", "gitlab", "junit", "markdown"):
            assert "also MCPServer/b (b.yaml:7:3)" in call("check", "--format", format_).out, format_
        (result,) = json.loads(call("check", "--format", "sarif").out)["runs"][0]["results"]
        assert [one["message"]["text"] for one in result["relatedLocations"]] == ["also MCPServer/b"]

    def test_a_finding_is_the_same_when_its_first_place_is_fixed(self) -> None:
        def fingerprints() -> list[str]:
            return [one["fingerprint"] for one in json.loads(call("check", "--format", "gitlab").out)]

        for name in "ab":
            server(name)
        before = fingerprints()
        Path("a.yaml").unlink()
        assert fingerprints() == before


def test_a_test_case_keeps_its_name_when_lines_move() -> None:
    def names() -> list[str | None]:
        report = call("check", "--format", "junit", "--severity", "error").out
        return [case.get("name") for case in ET.fromstring(report).iter("testcase")]

    path = Path(server("a", "ghcr.io/acme/one:1", more="  imagee: x\n  imagge: y\n"))
    before = names()
    path.write_text("# a comment\n\n" + path.read_text())
    assert names() == before
    assert before == [
        "ADM001 unknown-field MCPServer/default/a /spec/imagee",
        "ADM001 unknown-field MCPServer/default/a /spec/imagge",
    ]


def test_a_log_has_no_links_to_unpublished_pages() -> None:
    untagged("a")
    driver = json.loads(call("check", "--format", "sarif").out)["runs"][0]["tool"]["driver"]
    (rule,) = driver["rules"]
    assert not {"informationUri", "downloadUri"} & driver.keys()
    assert "helpUri" not in rule
    assert "Why this matters" in rule["help"]["text"]


class TestTerminal:
    def shown(self, *options: str, width: str | None, is_terminal: bool) -> str:
        """Return what a process of its own prints, on a terminal or into a pipe."""
        environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
        environment |= {} if width is None else {"COLUMNS": width}
        command = [MCPCFG, "check", "--no-cache", *options]
        if not is_terminal:
            return subprocess.run(command, env=environment, capture_output=True, text=True, check=False).stdout
        ours, theirs = pty.openpty()
        os.set_blocking(ours, True)
        process = subprocess.Popen(command, env=environment, stdout=theirs, stderr=subprocess.DEVNULL)
        os.close(theirs)
        read = b""
        try:
            while part := os.read(ours, 65536):
                read += part
        except OSError:  # the writer has ended
            pass
        os.close(ours)
        process.wait()
        return read.decode().replace("\r\n", "\n")

    def test_lines_are_folded_on_a_terminal(self) -> None:
        server("a")
        assert self.shown("--no-color", width="48", is_terminal=True) == (
            "a.yaml:7:3: warning[RES002] (lint) MCPServer/a:\n"
            "      spec.resources applies to the proxy, and\n"
            "      the server has no limits\n"
            '    7 |   resources: {limits: {cpu: "1"}}\n'
            "      |   ^^^^^^^^^\n"
            "      = hint: set resources of the container mcp\n"
            "              in podTemplateSpec\n"
            "\n"
        )

    def test_lines_are_folded_beside_a_report_in_a_file(self) -> None:
        server("a")
        alone = self.shown("--no-color", width="48", is_terminal=True)
        for options in (("--format", "json", "--output", "../out.json"), ("--fix",), ("--baseline", "../known.json")):
            Path("../known.json").write_text('{"version": 1, "findings": []}')
            assert self.shown("--no-color", *options, width="48", is_terminal=True) == alone

    def test_colors_do_not_change_where_lines_are_folded(self) -> None:
        server("a")
        plain = self.shown("--no-color", width="48", is_terminal=True)
        colored = self.shown("--color", width="48", is_terminal=True)
        assert "\x1b[" in colored
        for code in ("31;1", "33;1", "36;1", "1", "2", "0"):
            colored = colored.replace(f"\x1b[{code}m", "")
        assert colored == plain

    def test_output_to_a_pipe_is_not_folded(self) -> None:
        server("a")
        piped = self.shown(width="48", is_terminal=False)
        assert piped.startswith("a.yaml:7:3: warning[RES002] (lint) MCPServer/a: spec.resources applies to the proxy, ")

    def test_an_odd_width_is_passed_over(self) -> None:
        server("a")
        for width in ("0", "-3", "wide", None):
            assert "and the server has no limits\n" in self.shown("--no-color", width=width, is_terminal=True)
