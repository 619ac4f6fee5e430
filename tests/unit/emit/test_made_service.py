"""The Services of a resource, and the names of its ServiceAccounts, which rules know without compiling all objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from mcpcfg.compiler.check.full import Options, check
from mcpcfg.compiler.emit.made_service import MadeServices
from mcpcfg.compiler.project.discovery import discover
from mcpcfg.validators.rules.object_target import _ACCOUNTS, _may_have_account

PROJECTS = sorted(path for path in (Path(__file__).parents[3] / "fixtures" / "projects").iterdir() if path.is_dir())


@pytest.mark.parametrize("folder", PROJECTS, ids=lambda folder: folder.name)
def test_services_and_accounts_are_those_of_all_objects(folder: Path) -> None:
    workspace = check(discover((str(folder),)), Options()).workspace
    alone, of_all = MadeServices(workspace), MadeServices(workspace)
    makers = list(alone.makers(None, None))
    assert all(maker.name for maker in makers)
    for maker in makers:
        objects = of_all.objects_of(maker)
        services = [compiled for compiled in objects if compiled["kind"] == "Service"]
        if objects:
            assert [each.service for each in alone.services_of(maker)] == services
        for compiled in objects:
            if compiled["kind"] == "ServiceAccount":
                name = compiled["metadata"]["name"]
                assert name.removeprefix(maker.name) in _ACCOUNTS
                assert _may_have_account(maker, name)
                assert _may_have_account(maker, name.replace("-", ""))
                assert not _may_have_account(maker, f"other-{name}")


def test_services_are_compiled_without_other_objects() -> None:
    folder = next(path for path in PROJECTS if path.name == "routes")
    workspace = check(discover((str(folder),)), Options()).workspace
    services = MadeServices(workspace)
    makers = [maker for maker in services.makers(None, None) if services.services_of(maker)]
    assert {maker.kind for maker in makers} >= {"MCPServer", "VirtualMCPServer"}
    assert not services._objects
