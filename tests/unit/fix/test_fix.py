"""Files are fixed as people would fix them: nothing but the fault changes, and a second time nothing at all."""

from __future__ import annotations

import difflib
import json
from pathlib import Path

import pytest
from counting import counted
from hypothesis import given, settings
from hypothesis import strategies as st

from mcpcfg.compiler.diagnostics.suggestion import sure_match
from mcpcfg.compiler.fix import trial
from mcpcfg.compiler.fix.edit import Change, Edit, FileFix, changed, same
from mcpcfg.compiler.fix.fix import fix_file, proposals
from mcpcfg.compiler.fix.fixable import FIXABLE
from mcpcfg.compiler.fix.record import RECORD_CURABLE
from mcpcfg.compiler.fix.registry import FIXES, RULE_FIXES
from mcpcfg.compiler.fix.syntax import CURABLE
from mcpcfg.compiler.project.discovery import Project
from mcpcfg.compiler.project.input_kind import kind_named
from mcpcfg.compiler.project.settings import ProjectSettings
from mcpcfg.compiler.reading.data import SEPARATE
from mcpcfg.compiler.reading.document import count_documents, read_documents

FIXTURES = Path(__file__).parents[3] / "fixtures" / "fix"
CASES = sorted(path for path in FIXTURES.iterdir() if ".expected" not in path.name)
PROJECT = Project((), None, complete=True, settings=ProjectSettings(), root=".")
HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: fetch}\nspec:\n"


def fixed(text: str, *, unsafe: bool = False) -> str:
    return fix_file(text.encode(), "a.yaml", PROJECT, unsafe=unsafe).text.decode()


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_a_file_is_fixed_as_expected(case: Path) -> None:
    expected = case.with_name(f"{case.stem}.expected{case.suffix}").read_bytes()

    assert fix_file(case.read_bytes(), case.name, PROJECT, unsafe="unsafe" in case.stem).text == expected


@pytest.mark.parametrize("text", ["- a\n", "a\n", "apiVersion: v1\nkind: List\nitems:\n- a\n-\n- 3\n"])
def test_a_document_that_is_not_an_object_is_unchanged(text: str) -> None:
    assert fixed(text, unsafe=True) == text


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_fixing_twice_is_fixing_once(case: Path) -> None:
    once = fix_file(case.read_bytes(), case.name, PROJECT, unsafe=True).text

    assert fix_file(once, case.name, PROJECT, unsafe=True).titles == ()


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_no_comment_is_lost_by_safe_fixes(case: Path) -> None:
    def comments(text: str) -> list[str]:
        return sorted("#" + line.split("#", 1)[1].strip() for line in text.splitlines() if "#" in line)

    before = case.read_bytes().decode()

    assert comments(fix_file(before.encode(), case.name, PROJECT).text.decode()) == comments(before)


def test_unsafe_fixes_are_only_applied_on_request() -> None:
    text = HEAD + "  image: a\n  transport: http\n"

    assert fixed(text) == text
    assert "transport: streamable-http" in fixed(text, unsafe=True)


def test_a_sound_file_is_the_same_object_afterwards() -> None:
    text = (HEAD + "  image: a\n").encode()

    assert fix_file(text, "a.yaml", PROJECT).text is text


def test_bytes_that_are_not_utf_8_are_unchanged() -> None:
    text = b"\xef\xbb\xbf# \xff\n" + (HEAD + "  imagee: a\n").encode()

    assert fix_file(text, "a.yaml", PROJECT).text in {text, text.replace(b"imagee", b"image")}


def test_a_word_that_is_similar_to_two_fields_matches_none() -> None:
    assert sure_match("proxy", ("proxyPort", "proxyMode")) is None
    assert sure_match("Proxy_Port", ("proxyPort", "proxyMode")) == "proxyPort"


def test_two_misspellings_of_one_field_are_not_fixed() -> None:
    text = HEAD + "  imagee: a\n  immage: b\n"

    assert fixed(text) == text


def test_a_record_is_fixed_as_what_it_is_read_as() -> None:
    text = b'{"read": "/etc/hosts"}'

    assert fix_file(text, "a.json", PROJECT).text == text
    assert (
        fix_file(text, "a.json", PROJECT, read_as=kind_named("permission-profile")).text == b'{"read": ["/etc/hosts"]}'
    )


def test_a_fix_that_causes_another_error_is_dropped() -> None:
    text = b'{"schema_version": "v0.1.0", "image": "a", "transport": "stdio", "State-Less": true}'

    assert fix_file(text, "a.json", PROJECT).text == text


def test_no_title_reports_a_value() -> None:
    text = b'{"schema_version": "v0.1.0", "image": "a", "transport": "stdio", "secrets": ["hunter2 , target=A"]}'
    done = fix_file(text, "a.json", PROJECT)

    assert done.titles
    assert "hunter2" not in str(done.titles)


@pytest.mark.parametrize("count", [1, 300])
def test_many_faults_of_a_record_are_fixed_in_bounded_time(count: int) -> None:
    variables = {f"A{number}": number for number in range(count)}
    text = json.dumps({"schema_version": "v0.1.0", "image": "a", "transport": "stdio", "env_vars": variables})
    done = json.loads(fix_file(text.encode(), "a.json", PROJECT).text)

    assert done["env_vars"] == {name: str(value) for name, value in variables.items()}


def test_a_rule_that_is_switched_off_is_not_fixed() -> None:
    text = (HEAD + "  imagee: a\n").encode()
    off = PROJECT._replace(settings=ProjectSettings(rules={"ADM001": "off"}))

    assert fix_file(text, "a.yaml", off).titles == ()


def test_proposals_stand_for_single_findings() -> None:
    found = proposals((HEAD + "  imagee: a\n  port: 1\n").encode(), "a.yaml", PROJECT)

    assert [(one.finding.path, one.fix.title) for one in found] == [
        (("spec", "imagee"), "rename spec.imagee to image"),
        (("spec", "port"), "rename spec.port to proxyPort"),
    ]


def test_a_change_leaves_the_data_that_it_is_made_from() -> None:
    data = {"a": {"b": 1}}

    assert changed(data, [Change("move", ("a", "b"), ("c", "b"))]) == {"a": {}, "c": {"b": 1}}
    assert data == {"a": {"b": 1}}
    assert not same(1, True)
    assert not same([1], [1.0])


LINES = sorted({line for case in CASES for line in case.read_text().splitlines()})


@settings(max_examples=60)
@given(data=st.data())
def test_random_documents_stay_readable_and_settle(data: st.DataObject) -> None:
    lines = data.draw(st.sampled_from(CASES)).read_text().split("\n")
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        sort = data.draw(st.sampled_from(["drop", "case", "double", "insert", "cut"]))
        line = lines[at]
        lines[at : at + 1] = {
            "drop": [],
            "case": [line.swapcase()],
            "double": [line, line],
            "insert": [line, data.draw(st.sampled_from(LINES))],
            "cut": [line[: len(line) // 2]],
        }[sort] or [""]
    text = "\n".join(lines)
    before, broken = read_documents(text, "a.yaml")

    once = fixed(text, unsafe=True)

    after, still_broken = read_documents(fixed(text), "a.yaml")
    separated = sum(finding.hint == SEPARATE for finding in broken)
    assert 0 <= count_documents(after, still_broken) - count_documents(before, broken) <= separated
    assert len(after) >= len(before)
    assert fixed(once, unsafe=True) == once, "".join(difflib.unified_diff(text.split("\n"), once.split("\n")))


def test_the_rules_that_can_be_fixed_are_those_that_somebody_fixes() -> None:
    assert {*FIXES, *RULE_FIXES, *CURABLE, *RECORD_CURABLE} == FIXABLE


def test_a_number_for_a_duration_gets_a_unit_and_no_quotes() -> None:
    limits = "  image: a\n  sessionStorage: {provider: redis, address: r}\n  rateLimiting:\n    shared:\n"
    text = HEAD + limits + "      maxTokens: 1\n      refillPeriod: 60\n"

    assert fixed(text) == text
    assert fixed(text, unsafe=True) == text.replace("60", "60s")


def test_a_file_of_many_documents_is_looked_through_once_for_lines_and_comments(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from mcpcfg.compiler.fix import fix as fixing

    lines, comments = (counted(monkeypatch, fixing, name) for name in ("line_starts", "ignores"))
    ignored = HEAD + "  image: a\n  trnsport: stdio  # mcpcfg: ignore[ADM001]\n"
    text = "---\n".join([HEAD + "  image: a\n  trnsport: stdio\n", ignored] * 20).encode()

    found = proposals(text, "a.yaml", PROJECT)

    assert len(found) == 20
    assert (len(lines), len(comments)) == (1, 1)


@pytest.mark.parametrize("count", [2, 64])
def test_fixes_that_do_not_overlap_are_tried_together(monkeypatch: pytest.MonkeyPatch, count: int) -> None:
    text = "---\n".join([HEAD + "  image: a\n  trnsport: stdio\n"] * count).encode()
    reads = counted(monkeypatch, trial, "read_documents")

    assert len(proposals(text, "a.yaml", PROJECT)) == count
    assert len(reads) == 1


def test_a_wrong_fix_does_not_prevent_other_fixes(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "---\n".join([HEAD + "  image: a\n  trnsport: stdio\n"] * 64)
    documents, _ = read_documents(text, "a.yaml")
    found = [one.fix for one in proposals(text.encode(), "a.yaml", PROJECT)]
    wrong = found[40]._replace(edits=(found[40].edits[0]._replace(text="other"),))
    tried = trial.Trial(text, "a.yaml", documents, 0)
    reads = counted(monkeypatch, trial, "read_documents")

    good = tried.good([*found[:40], wrong, *found[41:]])
    new, made = tried.together([*found[:40], wrong, *found[41:]])

    assert good == {trial.key_of(fix) for fix in found if fix is not found[40]}
    assert len(made) == 63
    assert new.count("trnsport") == 1
    assert len(reads) <= 2 * 13


def test_fixes_that_overlap_are_tried_in_turn() -> None:
    text = HEAD + "  imagee: a\n  immage: b\n"
    documents, _ = read_documents(text, "a.yaml")
    tried = trial.Trial(text, "a.yaml", documents, 0)
    to_image = [
        FileFix("", (Edit(at, at + 6, "image"),), (Change("rename", ("spec", text[at : at + 6]), "image"),), 0)
        for at in (text.index("imagee"), text.index("immage"))
    ]
    to_other = to_image[0]._replace(
        edits=(to_image[0].edits[0]._replace(text="other"),),
        changes=(to_image[0].changes[0]._replace(value="other"),),
    )

    assert len(tried.good([*to_image, to_other])) == 3
    assert len(tried.together([*to_image, to_other])[1]) == 1


def test_a_word_for_another_value_may_be_written_in_any_case() -> None:
    assert fixed(HEAD + "  image: a\n  transport: HTTP\n", unsafe=True).endswith("transport: streamable-http\n")


@pytest.mark.parametrize("quote", ["", "'", '"'])
def test_a_key_of_a_record_keeps_its_quotes(quote: str) -> None:
    text = f"name: fetch\nimage: fetch:1\ntools_override: {{}}\n{quote}proxy_prt{quote}: 8080\n"

    assert fixed(text, unsafe=True) == text.replace("proxy_prt", "proxy_port")
