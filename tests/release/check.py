"""Tries what a release publishes: builds it twice, checks its metadata, installs it, runs it. ``make release-check``.

Each line that it prints is one thing that was done. It ends with status 1 at the first that fails.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MINORS = (11, 12, 13, 14)
PROJECT = ROOT / "fixtures" / "projects" / "first-server"
ROW = re.compile(r"^\| [^|]+ \| `([a-z0-9_]+)` \| (yes|no)\b", re.MULTILINE)
"""A platform of docs/install.md: its tag, and whether there are wheels for it."""


def run(*words: str | Path, folder: Path = ROOT, **options: str) -> str:
    """Run a program, and return what it prints.

    Args:
        words: The program and its arguments.
        folder: Where it runs.
        options: ``text`` for its standard input.

    Raises:
        SystemExit: It ended with another status than 0; its output is the message.
    """
    done = subprocess.run(
        [str(word) for word in words],
        cwd=folder,
        input=options.get("text", ""),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(
            f"{' '.join(str(word) for word in words)}: status {done.returncode}\n{done.stdout}{done.stderr}"
        )
    return done.stdout


def pythons() -> dict[str, str]:
    """Return the Pythons of this machine that the package supports, by version: the path of each."""
    folder = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found: dict[str, str] = {}
    for minor in MINORS:
        for program in (f"python3.{minor}", *sorted(map(str, folder.glob(f"3.{minor}.*/bin/python3")))):
            code = "import ensurepip, venv, platform; print(platform.python_version())"
            if shutil.which(program):
                done = subprocess.run([program, "-c", code], capture_output=True, text=True, check=False)
                if done.returncode == 0:
                    found.setdefault(f"3.{minor}", program)
    return found


def build_twice(folder: Path) -> list[Path]:
    """Build the distributions in two clones, compare their bytes, and return those of the first."""
    sums = []
    for name in ("first", "second"):
        clone, out = folder / name, folder / f"{name}-dist"
        run("git", "clone", "--quiet", ROOT, clone)
        run(sys.executable, "tests/release/distributions.py", out, folder=clone)
        sums.append({file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(out.iterdir())})
    if sums[0] != sums[1]:
        raise SystemExit(f"two builds of one commit differ: {sums}")
    for name, digest in sums[0].items():
        print(f"built twice with the same bytes: {name} sha256:{digest}")
    return sorted((folder / "first-dist").iterdir())


def try_program(program: Path, folder: Path) -> None:
    """Run ``check``, ``build`` and ``lsp`` of an installed mcpcfg, outside of any checkout."""
    shutil.copytree(PROJECT, folder)
    run(program, "check", folder, folder=folder)
    compiled = run(program, "build", folder, "--target", "kubernetes", folder=folder)
    if "kind: Deployment" not in compiled:
        raise SystemExit(f"{program}: build compiled no Deployment")
    calls: list[dict[str, object]] = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    bodies = [json.dumps({"jsonrpc": "2.0", **call}) for call in calls]
    answer = run(program, "lsp", text="".join(f"Content-Length: {len(body)}\r\n\r\n{body}" for body in bodies))
    if '"capabilities"' not in answer:
        raise SystemExit(f"{program}: the language server did not answer")


def install(distributions: list[Path], folder: Path) -> None:
    """Install each distribution into a clean environment of each Python, and try the program there."""
    for version, python in pythons().items():
        for distribution in distributions:
            kind = "wheel" if distribution.suffix == ".whl" else "sdist"
            environment = folder / f"{kind}-{version}"
            run(python, "-m", "venv", environment)
            run(
                environment / "bin" / "python",
                "-m",
                "pip",
                "--quiet",
                "--disable-pip-version-check",
                "install",
                distribution,
            )
            try_program(environment / "bin" / "mcpcfg", folder / f"project-{kind}-{version}")
            print(f"installed from the {kind} on Python {version}: check, build and lsp ran")
            shutil.rmtree(environment)


def accepted(tag: str) -> list[str]:
    """Return the tags of the wheels that a platform takes: of Linux also those for older versions of its C library."""
    linux = re.fullmatch(r"(manylinux_2|musllinux_1)_(\d+)_(\w+)", tag)
    if linux is None:
        return [tag]
    library, newest, machine = linux.groups()
    tags = [f"{library}_{minor}_{machine}" for minor in range(int(newest), 0, -1)]
    return [*tags, f"manylinux2014_{machine}"] if library == "manylinux_2" else tags


def compare_platforms(folder: Path) -> None:
    """Compare the table of docs/install.md with the platforms for which the locked versions have wheels."""
    locked = re.findall(r"^([\w.-]+==[^\s\\]+)", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    rows = ROW.findall((ROOT / "docs" / "install.md").read_text(encoding="utf-8"))
    if not rows:
        raise SystemExit("docs/install.md has no table of platforms")
    for tag, stated in rows:
        lacking = []
        for minor in MINORS:
            words = ["--dry-run", "--quiet", "--no-deps", "--only-binary=:all:", f"--python-version=3.{minor}"]
            command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", *words]
            target = ["--target", str(folder / "nowhere"), *(f"--platform={one}" for one in accepted(tag))]
            done = subprocess.run([*command, *target, *locked], capture_output=True, text=True, check=False)
            if done.returncode:
                lacking.append(f"3.{minor}: {done.stderr.strip().splitlines()[-1]}")
        if ("no" if lacking else "yes") != stated:
            raise SystemExit(f"docs/install.md states {stated!r} for {tag}; lacking: {lacking}")
        print(f"wheels for {tag}: {stated}, as docs/install.md states")


def check_workflows(wheel: Path, folder: Path) -> None:
    """Let zizmor look at the workflows, at the action, and at the workflow that ``mcpcfg init`` writes."""
    program = Path(sys.executable).with_name("zizmor")
    run(sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--no-deps", "--force-reinstall", wheel)
    run(Path(sys.executable).with_name("mcpcfg"), "init", folder / "new", "--kind", "server", "--ci", "github")
    run(program, "--offline", "--persona", "pedantic", ".github", "action.yml", folder / "new" / ".github")
    print("zizmor finds nothing in the workflows, the action, and the workflow of mcpcfg init")
    if linter := shutil.which("actionlint"):
        run(linter, *sorted((ROOT / ".github" / "workflows").glob("*.yml")))
        print("actionlint finds nothing")
    else:
        print("not run: actionlint is not installed (go install github.com/rhysd/actionlint/cmd/actionlint@latest)")


def main() -> None:
    """Do all of it in a folder that is gone at the end."""
    beside = Path(sys.executable).parent
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        distributions = build_twice(folder)
        run(beside / "twine", "check", "--strict", *distributions)
        print("twine check finds nothing")
        wheel = next(file for file in distributions if file.suffix == ".whl")
        run(beside / "check-wheel-contents", wheel)
        print("check-wheel-contents finds nothing")
        install(distributions, folder)
        compare_platforms(folder)
        check_workflows(wheel, folder)


if __name__ == "__main__":
    main()
