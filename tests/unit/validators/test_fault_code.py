"""Every fault that the checks of plain data can find has a rule that reports it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from mcpcfg.compiler.records.runconfig.auth_server import OF_CLIENT
from mcpcfg.compiler.vmcp.auth_client import OF_API_SERVER
from mcpcfg.validators.rules import auth_server_client, embedded_auth_server, vmcp_file

COMPILER = Path(__file__).parents[3] / "compiler"
MODULES = sorted([*(COMPILER / "workflow").rglob("*.py"), *(COMPILER / "vmcp").glob("*.py")])
OF_RULES = (vmcp_file.OF_FAULT, embedded_auth_server.OF_FAULT, auth_server_client.OF_FAULT)
RULED = {"storage-incomplete"}.union(*OF_RULES)
CODE = re.compile(r"[a-z]+(-[a-z]+)+")


def codes(module: Path) -> set[str]:
    """Take the codes out of every ``Fault(path, code, …)``, and of calls of functions of the module that make one."""
    tree = ast.parse(module.read_text())
    found = set()
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
            texts = [arg.value for arg in call.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
            if call.func.id.lower().endswith("fault"):
                found |= {text for text in texts if CODE.fullmatch(text)}
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda module: f"{module.parent.name}/{module.stem}")
def test_every_code_has_a_rule(module: Path) -> None:
    assert codes(module) <= RULED


def test_what_a_run_configuration_is_refused_for_is_refused_in_a_resource_too() -> None:
    elsewhere = {"client-document", "delegation-lifespan"}  # embedded_auth_server; no resource has such a lifespan
    of_upstream = {"authorization-parameter"}
    in_both = {"actor-matcher"}  # the records report it without a code of the table
    assert set(auth_server_client.OF_FAULT) - of_upstream - in_both == set(OF_CLIENT) - OF_API_SERVER - elsewhere
    assert set(OF_CLIENT) >= OF_API_SERVER
