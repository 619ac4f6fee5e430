"""Writes the files of the playground that come from this project: the wheel, its libraries, and the examples.

``make playground`` runs it: ``pack.py FOLDER`` finds the wheel in a folder, and writes there what ``build.mjs`` reads.
"""

from __future__ import annotations

import json
import re
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from catches import catches
from site_pages import BUILT, ROOT, smallest

from mcpcfg.compiler.toolhive.release import RELEASES
from mcpcfg.validators.registry import all_rules

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE / "python"))  # at the end, since a file of this folder stands in for google-re2

from archive import packed  # noqa: E402 - the path has just been given

LEFT_OUT = re.compile(
    r"mcpcfg/compiler/(?:agent|cli|simulate)/.*"
    r"|mcpcfg/schemas/(?:crds\.yaml|[A-Z]\w*\.schema\.json|output-.*)"
    r"|.*\.dist-info/RECORD"
)
"""Files of the wheel that only commands read which the page has not. They are a seventh of its size."""
LIBRARIES = ("jinja2", "markupsafe", "yaml")
"""Libraries that a check, a build and a graph import. Their parts in C are left out: each has a substitute in Python.

google-re2 has none. `python/re2.py` stands in for it.
"""
EXAMPLES = {
    "A name with a slip": "projects/broken-references",
    "A first server": "projects/first-server",
    "A virtual server": "projects/virtual-server",
    "A login that fails": "projects/broken-login",
    "Routes to nowhere": "projects/broken-routes",
    "A Secret with another name": "projects/misspelt-secrets",
}
"""Folders of ``fixtures/`` that the page offers as examples, by title."""
UNUSED = (
    *("_android", "_apple", "_ios", "_markupbase.py", "_pydatetime.py", "_pyio", "_pyrepl/", "antigravity"),
    *("argparse.py", "asyncio/__main__.py", "asyncio/proactor_events.py", "asyncio/tools.py", "asyncio/windows_events"),
    *("bdb.py", "cProfile", "cgi", "cmd.py", "compileall.py", "concurrent/futures/process.py", "configparser.py"),
    *("ctypes/", "filecmp.py", "fileinput.py", "getpass.py"),
    *("curses/", "dbm/", "doctest.py", "email/", "ensurepip/", "ftplib.py", "html/", "http/", "idlelib/", "imaplib.py"),
    *("importlib/_bootstrap", "logging/config.py", "logging/handlers.py", "uuid.py"),
    *("mailbox.py", "mimetypes.py", "modulefinder.py", "multiprocessing/", "netrc.py", "optparse.py", "pdb.py"),
    *("pickletools.py", "plistlib.py", "poplib.py", "profile.py", "pstats.py", "pty.py", "pyclbr.py", "pydoc"),
    *("pyodide/console.py", "tarfile.py", "tracemalloc.py", "urllib/request.py", "urllib/robotparser.py"),
    *("rlcompleter.py", "sched.py", "shelve.py", "smtplib.py", "socketserver.py", "sqlite3/", "statistics.py"),
    *("symtable.py", "tabnanny.py", "this.py", "timeit.py", "tkinter/", "trace.py", "turtle", "unittest/", "venv/"),
    *("wave.py", "webbrowser.py", "wsgiref/", "xml/", "xmlrpc/", "zipapp.py"),
)
"""Beginnings of paths in Python's standard library that the program never reads. They are half of its size.

The modules ``importlib/_bootstrap*`` are built into Python.
"""
ENCODINGS = frozenset(
    {
        *("__init__", "aliases", "ascii", "charmap", "cp437", "idna", "latin_1", "punycode", "raw_unicode_escape"),
        *("unicode_escape", "utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_32_be", "utf_32_le", "utf_8"),
        "utf_8_sig",
    }
)
"""The modules of ``encodings`` that remain: those of texts in Unicode, and those that Python itself imports."""


def written(archive: Path, files: dict[str, bytes]) -> None:
    """Write a zip archive whose bytes depend on the files alone."""
    with ZipFile(archive, "w", ZIP_DEFLATED) as out:
        for name, data in sorted(files.items()):
            out.writestr(ZipInfo(name), data)


def program_files(parts: Path) -> dict[str, bytes]:
    """Return the files of the wheel that is published, of the libraries, and of the folder ``python``, by path."""
    (wheel,) = parts.glob("*.whl")
    with ZipFile(wheel) as archive:
        files = {name: archive.read(name) for name in archive.namelist() if not LEFT_OUT.fullmatch(name)}
    files |= {path.name: path.read_bytes() for path in (HERE / "python").glob("*.py")}
    for library in LIBRARIES:
        spec = find_spec(library)
        if spec is None or spec.origin is None:
            raise SystemExit(f"{library} is not installed")
        root = Path(spec.origin).parent
        files |= {path.relative_to(root.parent).as_posix(): path.read_bytes() for path in root.rglob("*.py")}
    return files


def standard_library() -> dict[str, bytes]:
    """Return the standard library of Pyodide without what the program never imports."""
    with ZipFile(HERE / "node_modules" / "pyodide" / "python_stdlib.zip") as archive:
        names = [name for name in archive.namelist() if not name.startswith(UNUSED)]
        unused = {name for name in names if name.startswith("encodings/") and Path(name).stem not in ENCODINGS}
        return {name: archive.read(name) for name in names if name not in unused and not name.endswith("/")}


def rule_examples() -> dict[str, dict[str, Any]]:
    """Return the fixtures that the page opens from the page of a rule: ``REF004`` and ``REF004/right``."""
    opened: dict[str, dict[str, Any]] = {}
    for rule in all_rules().values():
        if rule.id in BUILT:
            continue
        configuration = {"mcpcfg.yaml": f"rules:\n  {rule.id}: warning\n"} if rule.is_opt_in else {}
        for name, pattern in ((rule.id, "invalid-*"), (f"{rule.id}/right", "valid-*")):
            fixture = smallest(rule, pattern)
            if fixture is not None:
                opened[name] = {"files": fixture_files(fixture) | configuration, "release": stated_release(fixture)}
    return opened


def catch_examples() -> dict[str, dict[str, Any]]:
    """Return the faults of ``docs/catches.md``, as ``catch/quantity``, and their right versions, with ``/right``."""
    folder = ROOT / "fixtures" / "catches"
    release = re.findall(r"^release: (\S+)$", (folder / "mcpcfg.yaml").read_text(encoding="utf-8"), re.MULTILINE)[0]
    opened: dict[str, dict[str, Any]] = {}
    for name in catches():
        for example, file in ((name, f"{name}.yaml"), (f"{name}/right", f"right/{name}.yaml")):
            opened[f"catch/{example}"] = {"files": fixture_files(folder / file), "release": release}
    return opened


def fixture_files(path: Path) -> dict[str, str]:
    """Return the texts of a fixture by name; of a folder, those of all its files."""
    files = [path] if path.is_file() else sorted(file for file in path.rglob("*") if file.is_file())
    root = path.parent if path.is_file() else path
    return {file.relative_to(root).as_posix(): file.read_text(encoding="utf-8") for file in files}


def stated_release(path: Path) -> str:
    """Return the release that the first line of a fixture states (``# release X``), or an empty text."""
    first = next(iter(fixture_files(path).values())).partition("\n")[0]
    found = re.search(r"\brelease (\d+\.\d+\.\d+)", first)
    return found[1] if found else ""


def main(out: Path) -> None:
    """Write all files."""
    (out / "program.gz").write_bytes(packed(program_files(out)))
    written(out / "python_stdlib.zip", standard_library())
    examples = {
        title: {"files": fixture_files(ROOT / "fixtures" / folder), "release": ""} for title, folder in EXAMPLES.items()
    }
    page = {"examples": examples, "releases": [*reversed(RELEASES)]}
    (out / "examples.json").write_text(json.dumps(page, ensure_ascii=False), encoding="utf-8")
    linked = rule_examples() | catch_examples()
    (out / "linked.json").write_text(json.dumps(linked, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
