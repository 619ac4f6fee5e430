"""Compiles the modules that a check has imported, so a browser need not. `build.mjs` runs it in Pyodide.

Bytecode has the format of the Python that reads it, so this Python writes it. Its files state no time and no source,
which makes them the same on each machine.
"""

from __future__ import annotations

import io
import sys
from importlib._bootstrap_external import _code_to_hash_pyc
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from archive import packed

PACKAGES = Path("/lib/python3.14/site-packages")
STANDARD_LIBRARY = Path(next(path for path in sys.path if path.endswith(".zip")))
WITHOUT_DOCSTRINGS = 2


def _compiled(name: str, source: bytes) -> bytes:
    code = compile(source, name, "exec", dont_inherit=True, optimize=WITHOUT_DOCSTRINGS)
    return bytes(_code_to_hash_pyc(code, bytes(8), checked=False))


def _imported() -> frozenset[str | None]:
    return frozenset(getattr(module, "__file__", None) for module in sys.modules.values())


def packages() -> bytes:
    """Return an archive of mcpcfg and its libraries, with bytecode in place of the source of each imported module."""
    imported, files = _imported(), {}
    for path in PACKAGES.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            data, name = path.read_bytes(), path.relative_to(PACKAGES).as_posix()
            is_imported = str(path) in imported
            files[f"{name}c" if is_imported else name] = _compiled(str(path), data) if is_imported else data
    return packed(files)


def standard_library() -> bytes:
    """Return the standard library with bytecode in place of the source of each imported module."""
    imported, out = _imported(), io.BytesIO()
    with ZipFile(STANDARD_LIBRARY) as library, ZipFile(out, "w") as archive:
        for name in sorted(library.namelist()):
            source, place = library.read(name), f"{STANDARD_LIBRARY}/{name}"
            if place in imported:
                archive.writestr(ZipInfo(f"{name}c"), _compiled(place, source), ZIP_DEFLATED, 9)
            else:
                archive.writestr(ZipInfo(name), source, ZIP_DEFLATED, 9)
    return out.getvalue()
