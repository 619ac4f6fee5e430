"""Each sentence of SECURITY.md about what a hostile repository can and cannot do has a test, listed here."""

from __future__ import annotations

import ast
import json
import os
import re
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from calling import call
from repository import commit

from mcpcfg.compiler.diagnostics import budget, suggestion
from mcpcfg.compiler.disk import cache_file
from mcpcfg.compiler.language.cel import rule
from mcpcfg.compiler.project import settings_file, suppression
from mcpcfg.compiler.reading import bound, suppression_comment

TESTS = Path(__file__).resolve().parent
PAGE = TESTS.parent / "SECURITY.md"
HERE = "test_security.py"
DEPLOYMENT = "test_hostile_deployment.py"
GIT, FOLDER, BOUNDS = "unit/cli/test_hostile_repository.py", "unit/disk/test_files.py", "unit/cli/test_bounds.py"
WRITTEN, CACHE, CELL = "unit/disk/test_output_file.py", "unit/disk/test_cache.py", "unit/language/cel/test_rule.py"
OPENED = "unit/disk/test_open_folder.py"
PARTIAL = "unit/cli/test_partial_clone.py"
AGENT = "unit/agent/test_hostile_call.py"

HELD_BY: dict[str, tuple[str, ...]] = {
    "Nothing that is checked is imported": (f"{HERE}::test_a_call_does_nothing_but_read",),
    "YAML and JSON become plain data": (
        "unit/reading/test_reading_property.py::test_the_exact_reader_returns_plain_data",
    ),
    "Regular expressions in the files": (
        f"{CELL}::test_regular_expressions_take_linear_time",
        f"{DEPLOYMENT}::test_patterns_take_linear_time",
        "test_patterns.py::test_a_pattern_takes_linear_time",
    ),
    "Interpreters with bounds": (
        f"{CELL}::test_a_users_rule_is_bounded_in_time",
        "unit/language/template/test_execution.py::test_an_endless_output_is_stopped",
        "unit/language/cedar/test_engine.py::test_a_policy_that_would_crash_cedarpy_is_not_decided",
        "fuzz/test_fuzz.py::test_the_claim_of_an_area_holds_of_mutated_fixtures",
    ),
    "What a schema, an expression or a patch": (
        "unit/admission/test_definitions.py::test_a_keyword_of_another_type_is_a_fault_at_its_place",
        "unit/kube/test_cel_function.py::test_an_expression_ends_with_a_value_or_an_error",
        "unit/check/test_patch.py::test_the_first_unknown_field_of_a_very_long_path_is_reported",
    ),
    "An expression of `customRules`": (
        f"{CELL}::test_nothing_in_an_expression_is_python",
        f"{CELL}::test_each_evaluation_has_its_own_budget",
        f"{BOUNDS}::test_custom_rules_share_a_budget_and_report_when_it_is_used_up",
    ),
    "Images are not pulled": (f"{HERE}::test_a_call_does_nothing_but_read",),
    "Git is the only program": (
        f"{HERE}::test_a_call_does_nothing_but_read",
        f"{GIT}::test_findings_are_found_and_nothing_is_run",
    ),
    "A folder that looks like a bare repository": (
        f"{FOLDER}::test_a_folder_that_only_looks_like_a_repository_is_refused",
        f"{GIT}::test_findings_are_found_and_nothing_is_run",
    ),
    "mcpcfg opens no connection": (f"{HERE}::test_a_call_does_nothing_but_read",),
    "There is one exception": (f"{PARTIAL}::test_only_the_needed_objects_are_fetched",),
    "`GIT_NO_LAZY_FETCH=1` forbids it": (
        f"{PARTIAL}::test_nothing_is_fetched_where_the_user_forbids_it",
        f"{PARTIAL}::test_nothing_is_fetched_by_a_program_of_the_repository",
    ),
    "A link in a folder": (
        f"{FOLDER}::test_links_out_of_the_folder_are_not_followed",
        f"{FOLDER}::test_a_link_may_leave_the_folder_within_its_repository",
        f"{FOLDER}::test_a_link_into_the_git_folder_is_not_followed",
    ),
    "Links to folders, pipes and devices": (
        f"{FOLDER}::test_links_to_folders_are_not_followed_and_loops_end",
        f"{FOLDER}::test_a_special_file_in_a_folder_is_a_finding",
    ),
    "A configuration and a baseline": (f"{BOUNDS}::test_a_configured_file_outside_of_the_project_is_refused",),
    "A message shows nothing of any other file": (
        f"{BOUNDS}::test_a_configured_file_outside_of_the_project_is_refused",
    ),
    "`check` writes nothing": (f"{HERE}::test_a_call_does_nothing_but_read",),
    "`check --fix` replaces": (
        "unit/cli/test_fix.py::test_fix_writes_and_reports_the_rest",
        f"{HERE}::test_fixing_writes_no_file_that_was_not_checked",
    ),
    "`build --output-dir` writes": (
        f"{HERE}::test_building_writes_through_no_link_that_leads_out",
        f"{WRITTEN}::test_a_manifest_that_is_a_link_is_not_written_through",
        f"{WRITTEN}::test_a_manifest_removes_nothing_that_was_not_written",
        f"{WRITTEN}::test_a_link_out_of_the_folder_is_never_removed",
    ),
    "`init` never overwrites": ("unit/cli/test_init.py::test_nothing_is_ever_overwritten",),
    "`add`, `init`, `upgrade`": (
        "unit/fix/add/test_add.py::test_the_text_of_a_file_outside_is_not_shown_through_a_link",
        "unit/cli/test_init.py::test_the_text_of_a_file_outside_is_not_shown_through_a_link",
        f"{OPENED}::test_a_place_outside_or_in_the_git_folder_is_refused_before_anything_is_written",
        f"{HERE}::test_fixing_writes_no_file_that_was_not_checked",
    ),
    "They replace a file only if": (
        f"{OPENED}::test_a_file_that_has_changed_is_not_replaced_and_nothing_else_is_written",
        "unit/fix/add/test_add.py::test_calls_at_the_same_time_lose_no_entry",
    ),
    "A file is written whole": (
        f"{WRITTEN}::test_an_interruption_leaves_the_file_that_was_there",
        f"{OPENED}::test_a_full_disk_at_any_write_leaves_what_was_there",
        "unit/cli/test_init.py::test_a_full_disk_leaves_nothing",
        "fuzz/test_fuzz.py::test_the_claim_of_an_area_holds_of_mutated_fixtures",
    ),
    "Each folder of a path": (
        f"{OPENED}::test_a_folder_that_becomes_a_link_is_not_written_through",
        f"{OPENED}::test_a_folder_that_becomes_a_link_while_it_is_open_is_not_written_through",
    ),
    "Windows cannot do that": (f"{OPENED}::test_a_folder_that_becomes_a_link_is_not_written_through",),
    "There the path is judged again": (f"{OPENED}::test_a_folder_that_becomes_a_link_is_not_written_through",),
    "The cache lies in": (
        "unit/disk/test_cache_file.py::test_the_folder_is_that_of_the_user_where_no_other_is_named",
        f"{CACHE}::test_the_cache_is_private_and_can_be_cleared",
    ),
    "A file there that another user owns": (
        f"{HERE}::test_a_cache_of_another_user_counts_as_none",
        "unit/disk/test_cache_file.py::test_a_changed_cache_file_is_not_read",
        f"{CACHE}::test_a_forged_cache_with_codes_of_another_key_is_ignored",
    ),
    "A folder in a checked path": (
        f"{CACHE}::test_a_cache_in_the_checkout_is_refused",
        f"{CACHE}::test_a_forged_cache_in_the_checkout_is_not_believed_from_wherever_the_call_is_made",
        f"{CACHE}::test_a_cache_that_others_may_write_to_is_not_believed",
    ),
    "In CI there is no cache": (f"{CACHE}::test_in_ci_there_is_no_cache_unless_the_call_names_one",),
    "A value beyond a bound": (
        f"{HERE}::test_the_bounds_are_those_of_the_code",
        f"{FOLDER}::test_a_file_beyond_the_bound_is_reported",
        "unit/reading/test_hostile_text.py::test_a_hostile_text_ends_in_findings",
        f"{BOUNDS}::test_faults_of_a_file_beyond_a_limit_are_reported_as_one",
        f"{BOUNDS}::test_more_than_a_hundred_equal_findings_are_counted_in_one",
        f"{BOUNDS}::test_a_configuration_beyond_its_bounds_is_refused",
        f"{BOUNDS}::test_a_configuration_with_thousands_of_faults_shows_a_hundred",
        f"{BOUNDS}::test_a_comment_silences_a_bounded_number_of_rules",
        f"{BOUNDS}::test_custom_rules_share_a_budget_and_report_when_it_is_used_up",
        f"{BOUNDS}::test_similar_names_are_searched_a_bounded_number_of_times",
    ),
    "One file makes at most": (
        f"{HERE}::test_the_bounds_are_those_of_the_code",
        "test_expansion.py::test_what_would_use_up_the_machine_is_a_finding",
    ),
    "The files of a project make at most": (
        f"{HERE}::test_the_bounds_are_those_of_the_code",
        "test_expansion.py::test_what_would_use_up_the_machine_is_a_finding",
        "unit/project/test_substitution.py::test_variables_are_unknown_beyond_the_budget_for_substitution",
    ),
    "More is counted before": ("test_expansion.py::test_what_would_use_up_the_machine_is_a_finding",),
    "An agent calls `mcpcfg mcp`": (f"{AGENT}::test_no_tool_starts_a_program_or_opens_a_connection",),
    "All of the above also holds": (
        f"{AGENT}::test_no_tool_starts_a_program_or_opens_a_connection",
        f"{AGENT}::test_a_text_beyond_the_bounds_of_check_is_a_finding",
    ),
    "The server reads files only below": (
        f"{AGENT}::test_a_path_outside_of_the_root_is_refused",
        f"{AGENT}::test_links_that_leave_the_root_are_not_followed_in_a_folder_either",
        f"{AGENT}::test_links_that_stay_in_the_repository_and_leave_the_root_are_not_followed",
        f"{AGENT}::test_a_configuration_may_not_name_files_outside",
        f"{AGENT}::test_a_file_to_simulate_is_below_the_root_too",
    ),
    "A configuration above the root": (f"{AGENT}::test_a_configuration_above_the_root_is_not_used",),
    "Without `--write`": (f"{AGENT}::test_no_tool_writes_unless_the_server_may",),
    "With it, `fix` replaces": (
        f"{AGENT}::test_no_tool_writes_unless_the_server_may",
        f"{AGENT}::test_files_outside_of_the_root_are_not_written",
    ),
    "A folder or file that becomes a link": (
        f"{AGENT}::test_a_folder_that_flips_to_a_link_leads_no_write_outside",
        f"{AGENT}::test_a_file_that_flips_to_a_link_is_not_read",
    ),
    "`diff` compares with a Git revision": (f"{AGENT}::test_the_files_of_a_revision_are_removed",),
    "Answers mask secrets": (
        f"{AGENT}::test_no_answer_shows_a_secret",
        "test_every_output.py::test_no_tool_shows_a_secret",
    ),
    "A message has at most 16 MiB": (f"{AGENT}::test_a_message_of_100_mb_is_refused_and_not_kept",),
    "The texts of waiting calls": (
        f"{AGENT}::test_texts_that_wait_are_bounded_together",
        f"{AGENT}::test_an_answer_is_bounded",
    ),
    "Calls run one after another": (
        f"{AGENT}::test_a_thousand_calls_at_once_are_all_answered",
        f"{AGENT}::test_a_cancelled_call_ends_soon_and_frees_the_server",
    ),
    "The memory does not grow": (f"{AGENT}::test_the_memory_does_not_grow_with_the_size_of_earlier_texts",),
    "A malformed message": (
        f"{AGENT}::test_malformed_messages_do_not_end_the_server",
        "unit/agent/test_tool.py::test_the_error_for_a_wrong_call_says_what_to_do",
        "unit/agent/test_tool.py::test_a_fault_of_the_program_ends_the_call_alone",
    ),
    "A message with an id gets": (
        f"{AGENT}::test_a_deep_message_is_answered_with_its_id",
        f"{AGENT}::test_a_message_that_cannot_be_read_is_answered_with_its_id",
    ),
    "Paths never mean standard input": (
        f"{AGENT}::test_no_path_reads_the_pipe_of_the_protocol",
        f"{AGENT}::test_a_pipe_in_place_of_a_file_does_not_stop_the_server",
    ),
    "Both parts of an answer": (f"{AGENT}::test_both_parts_of_an_answer_escape_what_acts_on_a_terminal",),
    "The server ends when": (f"{AGENT}::test_the_server_ends_with_its_client",),
    "`mcpcfg.yaml`, `[tool.mcpcfg]`": (f"{HERE}::test_the_project_decides_what_is_reported",),
    "With `--config FILE`": (f"{HERE}::test_a_configuration_of_the_call_is_the_only_one",),
    "Names, values and lines": ("test_hostile_input.py::test_no_format_shows_what_acts_on_a_terminal_or_a_log",),
    "Control characters are made visible": (
        "test_hostile_input.py::test_no_format_shows_what_acts_on_a_terminal_or_a_log",
        "test_hostile_input.py::test_markdown_stays_a_table_without_links_markup_and_mentions",
        "test_hostile_input.py::test_no_command_shows_what_acts",
    ),
    "What looks like a secret": (
        "test_secrets.py::test_no_finding_shows_what_gives_itself_away",
        "test_secrets.py::test_no_picture_shows_a_secret",
        "test_secrets.py::test_editors_are_shown_no_secret",
        "test_every_output.py::test_no_command_shows_a_secret",
        "test_every_output.py::test_no_feature_of_an_editor_shows_a_secret",
        "test_every_output.py::test_no_answer_of_the_playground_shows_a_secret",
        "fuzz/test_fuzz.py::test_the_claim_of_an_area_holds_of_mutated_fixtures",
    ),
    "A name is that of the field": (f"{DEPLOYMENT}::test_values_with_secret_names_are_never_shown",),
    "A mark such as `secret: true`": (
        "unit/diagnostics/test_secret_way.py::test_a_way_is_recognized_in_data_and_in_every_style",
    ),
    "What `build` and `convert` write is exact": ("test_every_output.py::test_what_somebody_asks_for_is_exact",),
    "That is a judgment by form": ("test_secrets.py::test_what_is_no_secret_is_kept",),
    "`--output` and `--write-baseline`": (f"{WRITTEN}::test_a_link_stays_a_link_and_a_mode_stays_a_mode",),
}
ADVICE = (
    "Decision 16",
    "docs/ci.md",
    "Review a change of them",
    "Name a file outside of",
    "The number of files has no bound",
)
"""Sentences that hold nothing that a test could show."""


def claims() -> list[str]:
    """Return the sentences of the page about what can and cannot be done, without headings, links and tables."""
    sections = PAGE.read_text("utf-8").split("\n## ")
    held = [one.partition("\n")[2] for one in sections if one.startswith(("What a hostile", "What it can"))]
    prose = "\n".join(line for text in held for line in text.splitlines() if not line.startswith("|"))
    flat = re.sub(r"\s+", " ", re.sub(r"\*\*[^*]+\*\*", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", prose)))
    return [one.strip() for one in re.split(r"(?<=[.:]) (?=[A-Z`]|mcpcfg|docs/)", flat) if one.strip()]


def test_each_sentence_has_a_test() -> None:
    sentences = claims()
    beginnings = (*HELD_BY, *ADVICE)

    assert [one for one in sentences if not one.startswith(beginnings)] == []
    assert [one for one in beginnings if not any(sentence.startswith(one) for sentence in sentences)] == []


@pytest.mark.parametrize("name", sorted({name for names in HELD_BY.values() for name in names}))
def test_the_tests_that_are_listed_are_there(name: str) -> None:
    file, _, function = name.partition("::")
    defined = {one.name for one in ast.walk(ast.parse((TESTS / file).read_text())) if isinstance(one, ast.FunctionDef)}

    assert function in defined


def test_the_bounds_are_those_of_the_code() -> None:
    table = dict(re.findall(r"(?m)^\| (.+?) \| (\d.*?) \|$", PAGE.read_text("utf-8")))

    assert table == {
        "size of a file": f"{bound.MAX_FILE_BYTES // 2**20} MiB",
        "size of a configuration": f"{settings_file.MOST_BYTES // 2**20} MiB",
        "YAML documents in a file": f"{bound.MAX_DOCUMENTS:,}",
        "keys and values in a YAML document": f"{bound.MAX_NODES:,}",
        "values in a JSON text": f"{bound.MAX_JSON_VALUES:,}",
        "depth of lists and mappings in YAML": f"{bound.MAX_DEPTH}",
        "faults of a file that are put into words": f"{bound.MAX_FINDINGS:,}",
        "findings shown of one rule in one resource or document": f"{suppression.MOST_ALIKE}",
        "faults shown of a configuration": f"{settings_file._MOST_FAULTS}",
        "rules that one comment suppresses": f"{suppression_comment.MOST_IDS}",
        "steps of an own rule for one resource, of all own rules together": f"{rule.STEPS:,}; {rule.STEPS_TOGETHER:,}",
        "names of one kind for which a likely one is looked for": f"{suggestion._MOST_ASKED:,}",
    }
    text = PAGE.read_text("utf-8").replace("\n", " ")
    for amount in (budget.OF_FILE, budget.OF_PROJECT):
        assert f"{amount.objects:,} objects, {amount.characters:,} characters and {amount.steps:,} steps" in text


SERVER = """apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPServer
metadata: {name: a, namespace: tools}
spec: {image: registry.example.com/a:latest, transport: stdio, groupRef: {name: nope}}
"""
SILENCED = SERVER.replace("\nspec:", "\n# mcpcfg: ignore[REF001]\nspec:")

WATCHED = """
import json, os, sys
seen = []
def watch(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.getaddrinfo", "socket.sendto", "os.system", "os.exec"):
        seen.append([event, repr(arguments)])
    elif event in ("subprocess.Popen", "os.posix_spawn"):
        seen.append(["program", os.path.basename(str(arguments[0]))])
    elif event == "import" and arguments[1] and str(arguments[1]).startswith(os.getcwd()):
        seen.append(["import", str(arguments[1])])
    elif event in ("exec",) and getattr(arguments[0], "co_filename", "").startswith(os.getcwd()):
        seen.append(["code", arguments[0].co_filename])
    elif event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT):
        seen.append(["write", str(arguments[0])])
    elif event in ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate"):
        seen.append(["write", str(arguments[0])])
sys.addaudithook(watch)
from mcpcfg.compiler.cli.main import main
for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit as end:
        assert end.code in (None, 0, 1, 2), (words, end.code)
print(json.dumps(seen), file=sys.stderr)
"""
CALLS = [
    ["check"],
    ["check", "--format", "sarif", "--no-cache"],
    ["build", "--target", "kubernetes", "--keep-going"],
    ["build", "--target", "runconfig", "--keep-going"],
    ["graph", "--format", "html"],
    ["diff", "--against", "HEAD"],
    ["simulate", "tools", "a"],
    ["explain", "REF004"],
]


def state(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Return what the files below a folder hold, and when they were written."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def test_a_call_does_nothing_but_read(tmp_path: Path) -> None:
    """No connection, no program but Git, no code of the project, and no file that is written but those of the cache."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.yaml").write_text(SERVER)
    for name in ("mcpcfg", "yaml", "sitecustomize", "conftest", "click", "json", "setup"):
        (folder / f"{name}.py").write_text("raise SystemExit('this was executed')\n")
    (folder / "pyproject.toml").write_text('[build-system]\nbuild-backend = "setup"\nbackend-path = ["."]\n')
    commit(folder)
    (folder / "b.yaml").write_text(SERVER.replace("name: a", "name: b"))
    before = state(folder)
    surroundings = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}

    done = subprocess.run(
        [sys.executable, "-P", "-B", "-c", WATCHED, json.dumps(CALLS)],
        cwd=folder,
        env=surroundings,
        capture_output=True,
        text=True,
        check=True,
    )

    seen = [tuple(one) for one in json.loads(done.stderr.splitlines()[-1])]
    elsewhere = (
        str(tmp_path / "cache"),
        tempfile.gettempdir(),
        "/dev/",
    )  # a relative name is one in a temporary folder
    absolute = {path for what, path in seen if what == "write" and path.startswith("/")}
    assert {path for path in absolute if path.startswith(str(folder)) or not path.startswith(elsewhere)} == set()
    assert state(folder) == before
    assert {one for one in seen if one[0] != "write"} == {("program", "git")}


def test_fixing_writes_no_file_that_was_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside.yaml"
    project.mkdir()
    misspelt = SERVER.replace("transport", "transprot")
    outside.write_text(misspelt)
    (project / "a.yaml").write_text(misspelt.replace("name: a,", "name: b,"))
    (project / "b.yaml").symlink_to(outside)
    monkeypatch.chdir(project)

    call("check", ".", "--fix", "--no-cache")

    assert "transport: stdio" in (project / "a.yaml").read_text()
    assert outside.read_text() == misspelt


def test_building_writes_through_no_link_that_leads_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.yaml").write_text(SERVER.replace(", groupRef: {name: nope}", ""))
    outside = tmp_path / "outside"
    monkeypatch.chdir(tmp_path)
    build = ("build", "a.yaml", "--target", "kubernetes", "--output-dir", "out")
    assert call(*build).status == 0
    first = min(path for path in (tmp_path / "out").rglob("*.yaml"))
    outside.write_text("own")
    first.unlink()
    first.symlink_to(outside)

    outcome = call(*build)

    assert outcome.status == 2
    assert "refusing to write outside" in outcome.err
    assert outside.read_text() == "own"


def test_a_cache_of_another_user_counts_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    path = os.path.join(cache_file.folder(), "a")
    cache_file.write(path, b"basis", [[b"part"]])
    assert cache_file.read(path, b"basis") == [b"part"]

    monkeypatch.setattr(os, "getuid", lambda: os.geteuid() + 1)

    assert cache_file.read(path, b"basis") is None
    assert stat.S_IMODE(os.stat(cache_file.folder()).st_mode) == 0o700


@pytest.fixture
def reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Return what a check reports of a project that wants some of it suppressed."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.yaml").write_text(SERVER)

    def rules(*words: str) -> set[str]:
        found = json.loads(call("check", ".", "--no-cache", "--format", "json", *words).out)["findings"]
        return {one["rule"] for one in found}

    return SimpleNamespace(folder=tmp_path, rules=rules)


@pytest.mark.parametrize("way", ["mcpcfg.yaml", "pyproject.toml", "exclude", "comment", "baseline"])
def test_the_project_decides_what_is_reported(reported: SimpleNamespace, way: str) -> None:
    assert {"REF001", "IMG001"} <= reported.rules()
    files = {
        "mcpcfg.yaml": ("mcpcfg.yaml", "rules: {REF001: off}\n"),
        "pyproject.toml": ("pyproject.toml", '[tool.mcpcfg.rules]\nREF001 = "off"\n'),
        "exclude": ("mcpcfg.yaml", "exclude: [a.yaml]\n"),
        "comment": ("a.yaml", SILENCED),
        "baseline": ("mcpcfg.yaml", "baseline: known.json\n"),
    }
    if way == "baseline":
        call("check", ".", "--write-baseline", "known.json")
    name, text = files[way]
    (reported.folder / name).write_text(text)

    assert "REF001" not in reported.rules()


def test_a_configuration_of_the_call_is_the_only_one(
    reported: SimpleNamespace, tmp_path_factory: pytest.TempPathFactory
) -> None:
    own = tmp_path_factory.mktemp("own") / "own.yaml"
    own.write_text("rules: {IMG001: off}\n")
    (reported.folder / "mcpcfg.yaml").write_text("rules: {REF001: off}\n")

    found = reported.rules("--config", str(own))

    assert "REF001" in found
    assert "IMG001" not in found
    (reported.folder / "a.yaml").write_text(SILENCED)
    assert "REF001" not in reported.rules("--config", str(own))
