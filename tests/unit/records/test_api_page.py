"""The page about the API names every operation and record, and only files that are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mcpcfg.compiler.cli.main import COMMANDS
from mcpcfg.compiler.generate.record import SCHEMAS
from mcpcfg.compiler.generate.schema_file import schema_names
from mcpcfg.compiler.project.input_kind import BODIES, KINDS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "api.md").read_text("utf-8")
OPERATIONS = """
Register a new client
Register multiple clients
List all clients status
List registries
Get a registry
Get a server from a registry
List servers in a registry
Update registry configuration
Get a registry server
List available registry servers
Get a registry skill
List available registry skills
Create a new secret
Setup or reconfigure secrets provider
Update a secret
Get skill content
Get skill details
Install a skill
List all installed skills
Uninstall a skill
Validate a skill
Delete workloads in bulk
Export workload configuration
Get workload details
List all workloads
Restart workloads in bulk
Update workload
""".strip().split("\n")
RECORDS = (
    "ClientRegistration ClientStatus RegistrySummary Registry AuthConfig RegistryData RegistryGroup "
    "EnvVarSpec HeaderSpec CatalogMetadata OAuthConfig Permissions Provenance ImageServer RemoteServer "
    "RegistryServerResult RegistryServerList ServerRecord Package Transport Input KeyValueInput Argument "
    "Pagination RegistrySkill SkillPackage InstalledSkill SkillMetadata SkillDetails SkillContent "
    "SkillValidation SecretResult ProviderSetupResult WorkloadSummary WorkloadDetails HeaderForward "
    "RuntimeConfig UpdateResult RunConfig"
)


def rows(heading: str) -> dict[str, list[str]]:
    part = PAGE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    cells = [
        [cell.strip() for cell in line.strip("|").split("|")] for line in part.split("\n") if line.startswith("| ")
    ]
    return {row[0]: row[1:] for row in cells[2:]}


def test_every_operation_has_a_row_on_the_page() -> None:
    assert list(rows("Operations")) == OPERATIONS


@pytest.mark.parametrize("operation", OPERATIONS)
def test_the_commands_of_each_operation_exist(operation: str) -> None:
    (offer,) = rows("Operations")[operation]
    for code in re.findall(r"`([^`]+)`", offer):
        command, _, rest = code.partition(" ")
        assert command in COMMANDS
        if command == "schema":
            assert rest in schema_names()
    assert "`" in offer or offer.startswith("none: ")


def test_every_record_has_a_row_on_the_page() -> None:
    named = {name.strip() for first in rows("Records") for name in first.split(",")}
    assert set(RECORDS.split()) <= named


@pytest.mark.parametrize("record", rows("Records"))
def test_the_files_that_a_row_names_exist(record: str) -> None:
    model, checked, example = rows("Records")[record]
    for file in re.findall(r"`([\w/]+\.py)`", model):
        assert (ROOT / "compiler" / (file if file.startswith("models/") else f"models/{file}")).is_file()
    folder = ROOT / "compiler"
    for file in re.findall(r"`([\w/]+\.py)`", checked):
        folder = (ROOT / "compiler" / file).parent if file.startswith("records/") else folder
        assert (folder / Path(file).name).is_file()
    for path in re.findall(r"`([^`]+)`", example):
        assert (ROOT / path).exists()


def test_the_page_lists_every_kind_that_is_checked() -> None:
    listed = {name.strip("`") for name in rows("Check")}
    others = "the name of any other schema below"
    assert listed == {kind.name for kind in KINDS}.difference(BODIES) | {others}


def test_every_body_is_a_schema_that_can_be_printed() -> None:
    assert set(SCHEMAS) <= set(schema_names())
