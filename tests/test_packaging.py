"""The wheel: it holds every package and data file of the tree, and the program runs from it alone."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
ROOMS = ("compiler", "validators", "schemas", "templates")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
NOT_SHIPPED = {".go", ".mod", ".sum", ".pyc"}
"""What only ``make generate`` needs."""
APACHE_2 = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"
"""Of the text of the licence, as its authors publish it."""


def test_the_demo_shows_in_40_lines_what_the_program_is_for(tmp_path: Path) -> None:
    command = [ROOT / "docs" / "demo.sh", tmp_path / "demo"]
    environment = {**os.environ, "VENV": os.path.relpath(sys.prefix, ROOT)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(done.stdout.splitlines()) <= 40
    for part in ("error[REF004]", "fixed 1 fault", "15 files in compiled: 15 written", "(pods restart)"):
        assert part in done.stdout


def wanted_files() -> set[str]:
    """Name the files of the package as the wheel should hold them."""
    return {"mcpcfg/__init__.py", "mcpcfg/py.typed"} | {
        f"mcpcfg/{path.relative_to(ROOT).as_posix()}"
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and path.suffix not in NOT_SHIPPED
    }


def test_every_package_is_listed() -> None:
    listed = PROJECT["tool"]["setuptools"]["packages"]
    found = {"mcpcfg"} | {
        f"mcpcfg.{path.parent.relative_to(ROOT).as_posix().replace('/', '.')}"
        for room in ROOMS
        for path in (ROOT / room).rglob("*.py")
    }
    assert sorted(listed) == sorted(found)
    assert listed == sorted(listed)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy of what Git tracks."""
    source, into = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in (*ROOMS, "__init__.py", "py.typed", "pyproject.toml", "README.md", "LICENSE"):
        (source / name).symlink_to(ROOT / name)
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(into), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return next(into.glob("*.whl"))


def test_the_wheel_holds_every_file(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert held == wanted_files()


def test_the_wheel_holds_the_licence(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (named,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        fields = message_from_bytes(archive.read(named))
        text = archive.read(f"{Path(named).parent.as_posix()}/licenses/LICENSE")
    assert fields["License-Expression"] == PROJECT["project"]["license"] == "Apache-2.0"
    assert fields.get_all("License-File") == PROJECT["project"]["license-files"] == ["LICENSE"]
    assert text == (ROOT / "LICENSE").read_bytes()
    assert hashlib.sha256(text).hexdigest() == APACHE_2


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--version"], "mcpcfg"),
        (["check", "fixtures/projects/first-server"], ""),
        (["check", "fixtures/projects/first-server", "--engine", "reference"], ""),
        (["build", "fixtures/projects/virtual-server", "-t", "kubernetes"], "kind: Deployment"),
        (["graph", "fixtures/projects/virtual-server", "--format", "html"], "<svg"),
        (["simulate", "tools", "desk", "fixtures/projects/virtual-server"], "triage_ticket"),
        (["explain", "MCPServer.status.phase"], "Terminating"),
        (["schema", "MCPServer"], '"$schema"'),
        (["schema", "--crd"], "CustomResourceDefinition"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_the_program_runs_from_the_wheel_alone(wheel: Path, arguments: list[str], part: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = (
        "import sys, mcpcfg.compiler; assert mcpcfg.compiler.__file__.startswith(sys.argv.pop(1)); "
        "from mcpcfg.compiler.cli.process import run; run()"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, str(tmp_path), *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
    )
    assert done.returncode == 0, done.stderr
    assert part in done.stdout


@pytest.mark.parametrize(
    ("lock", "extras"),
    [
        ("requirements.txt", ()),
        ("requirements-dev.txt", ("cedar", "mcp", "dev")),
        ("requirements-mcp.txt", ("mcp",)),
        ("requirements-release.txt", ("release",)),
        ("requirements-docs.txt", ("docs",)),
    ],
)
def test_a_lock_file_has_what_the_package_allows(lock: str, extras: tuple[str, ...]) -> None:
    pairs = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE)
    versions = {canonicalize_name(name): version for name, version in pairs}
    optional = PROJECT["project"]["optional-dependencies"]
    declared = [*PROJECT["project"]["dependencies"], *(one for extra in extras for one in optional[extra])]
    wanted = map(Requirement, declared)
    refused = [
        str(library)
        for library in wanted
        if versions.get(canonicalize_name(library.name), "0") not in library.specifier
    ]
    assert refused == []
