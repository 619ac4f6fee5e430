"""A vMCP configuration file is held to its model and its start: a sound file, with one change at a time."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
import yaml

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.toolhive.machine import Environment
from mcpcfg.compiler.toolhive.profile import TOOLHIVE
from mcpcfg.validators.rules.vmcp_file import check_file

if TYPE_CHECKING:
    from mcpcfg.compiler.diagnostics.finding import Finding

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "fixtures" / "vmcp-values"
ENVIRONMENT = Environment(profile=TOOLHIVE._replace(release="0.21.0"))
SOUND = (FOLDER / "sound.yaml").read_text("utf-8")
ROWS = [json.loads(line) for line in (FOLDER / "bad.jsonl").read_text("utf-8").splitlines()]
SCHEMA = jsonschema.Draft202012Validator(json.loads((ROOT / "schemas" / "vmcp.schema.json").read_text("utf-8")))
MOST_SEEN_BY_CHECK_ALONE = 23
"""Names that must be known or differ, templates, policies, URLs, and what depends on two values or on the release."""


def changed(row: dict[str, Any]) -> Any:
    """Return the sound file with one value replaced, added or removed."""
    data = yaml.safe_load(SOUND)
    *steps, last = [int(step) if step.isdigit() else step for step in row["path"][1:].split("/")]
    at = data
    for step in steps:
        at = at[step]
    if "value" in row:
        at[last] = copy.deepcopy(row["value"])
    else:
        del at[last]
    return data


def findings(text: str, environment: Environment = ENVIRONMENT) -> list[Finding]:
    documents, refused = read_documents(text, "vmcp.yaml", dialect="vmcp")
    found = [*refused, *(one for document in documents for one in check_file(document, {}, environment))]
    return [one for one in found if one.severity != "info"]


def of(row: dict[str, Any]) -> str:
    return f"{row['path']}={json.dumps(row.get('value', 'missing'))}"


def test_a_sound_file_has_no_findings() -> None:
    assert findings(SOUND) == []
    assert list(SCHEMA.iter_errors(yaml.safe_load(SOUND))) == []


@pytest.mark.parametrize("row", ROWS, ids=of)
def test_a_bad_value_is_reported_at_its_stage(row: dict[str, Any]) -> None:
    found = findings(yaml.safe_dump(changed(row), sort_keys=False))
    assert sorted({one.rule for one in found}) == row["rules"]
    assert {one.stage for one in found} == {row["stage"]}
    assert {one.severity for one in found} == {"warning" if row["stage"] == "lint" else "error"}


@pytest.mark.parametrize("row", ROWS, ids=of)
def test_the_schema_refuses_the_bad_values_that_it_can_describe(row: dict[str, Any]) -> None:
    assert ("refuses" if list(SCHEMA.iter_errors(changed(row))) else "accepts") == row["schema"]


def test_the_schema_refuses_nearly_all_bad_values() -> None:
    assert sum(row["schema"] == "accepts" for row in ROWS) <= MOST_SEEN_BY_CHECK_ALONE
    assert len(ROWS) >= 180


@pytest.mark.parametrize(
    "text",
    [
        "name: 5\n",
        "name: true\n",
        "metadata: {port: 80}\n",
        "operational:\n",
        "compositeTools:\n",
        "operational: {timeouts: {default: 0}}\n",
    ],
)
def test_the_schema_takes_scalars_and_null_as_the_process_does(text: str) -> None:
    assert list(SCHEMA.iter_errors(yaml.safe_load(SOUND) | yaml.safe_load(text))) == []


@pytest.mark.parametrize("transport", ["${TRANSPORT}", "$TRANSPORT"])
def test_a_placeholder_is_no_bad_value(transport: str) -> None:
    assert findings(SOUND.replace("transport: sse", f"transport: '{transport}'")) == []


@pytest.mark.parametrize(("release", "mode"), [("0.21.0", "bestEffort"), ("0.51.4", "best_effort")])
def test_the_failure_mode_of_the_judging_release_is_sound(release: str, mode: str) -> None:
    data = yaml.safe_load(SOUND.replace("bestEffort", mode))
    del data["optimizer"]  # later releases refuse it beside authorization
    text = yaml.safe_dump(data, sort_keys=False)
    assert findings(text, Environment(profile=TOOLHIVE._replace(release=release))) == []
    assert list(SCHEMA.iter_errors(data)) == []


def test_names_are_not_checked_if_backends_are_discovered() -> None:
    data = yaml.safe_load(SOUND)
    del data["backends"]
    assert findings(yaml.safe_dump(data)) == []


def test_providers_come_from_the_authorization_server_file_in_the_same_folder(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text(SOUND)
    server = json.loads((ROOT / "fixtures" / "records" / "rules.json").read_text())["bases"]["authserver"]["document"]
    (tmp_path / "authserver-config.yaml").write_text(yaml.safe_dump(server))

    project = discover((str(tmp_path),), release="0.21.0")
    found = [one for one in check(project, Options()).findings if one.severity != "info"]

    assert [(one.rule, one.path) for one in found] == [
        ("VMC117", ("outgoingAuth", "backends", "jira", "upstreamInject", "providerName"))
    ]
