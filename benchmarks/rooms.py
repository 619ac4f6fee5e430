"""Count rooms, the layers and arrows of their imports, and the modules that one call of mcpcfg calls.

``.venv/bin/python -P benchmarks/rooms.py [FILE… | COMMAND [ARGUMENT…]]``. A room is a folder of ``compiler/``, a module
that lies loose there, ``validators/`` and the two modules of the root. A folder of data alone, which has no imports, is
no room. An arrow is one room that imports another, for annotations too. A command runs in this process, for files
``check``, and the modules are counted of which it calls a function; what runs at import, and the bodies of classes, do
not count.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import grimp

if TYPE_CHECKING:
    from types import FrameType

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ("__init__.py", "__main__.py", "compiler", "validators", "schemas", "templates")
IS_FUNCTION = 1
"""``CO_OPTIMIZED``, which the code of modules and classes has not."""


def room(module: str) -> str:
    """Return the room of a module: ``compiler/cli`` of ``mcpcfg.compiler.cli.main``."""
    names = module.split(".")[1:] or ["__init__"]
    return "/".join(names[:2] if names[0] == "compiler" else names[:1])


def imports() -> dict[str, set[str]]:
    """Return each room with those that it imports."""
    graph = grimp.build_graph("mcpcfg", cache_dir=None)
    found: dict[str, set[str]] = {room(module): set() for module in graph.modules}
    for module in graph.modules:
        found[room(module)] |= {room(imported) for imported in graph.find_modules_directly_imported_by(module)}
    arrows = {name: others - {name} for name, others in found.items()}
    imported = set().union(*arrows.values())
    return {name: others for name, others in arrows.items() if others or name in imported}


def layers(arrows: dict[str, set[str]]) -> int:
    """Return how many rooms the longest way of imports goes through."""

    @cache
    def height(name: str) -> int:
        return 1 + max(map(height, arrows[name]), default=0)

    return max(map(height, arrows))


def called(arguments: list[str]) -> set[str]:
    """Return the modules of the program of which a call with ``arguments`` calls a function."""
    found: set[str] = set()
    importing = 0

    def note(frame: FrameType, event: str, _: object) -> None:
        nonlocal importing
        if frame.f_code.co_name == "<module>":
            importing += {"call": 1, "return": -1}.get(event, 0)
        elif event == "call" and not importing and frame.f_code.co_flags & IS_FUNCTION:
            found.add(str(frame.f_globals.get("__name__")))

    sys.argv = ["mcpcfg", *arguments]
    sys.setprofile(note)
    try:
        import_module("mcpcfg.compiler.cli.main").main()
    except SystemExit:
        pass
    finally:
        sys.setprofile(None)
    return {one for one in found if one.startswith("mcpcfg.")}


def main() -> None:
    """Run the program."""
    with TemporaryDirectory() as folder:
        (Path(folder) / "mcpcfg").mkdir()
        for name in PACKAGE:
            (Path(folder) / "mcpcfg" / name).symlink_to(ROOT / name)
        sys.path.insert(0, folder)
        report(sys.argv[1:])


def report(call: list[str]) -> None:
    """Write the numbers to standard output. ``call`` is a command with its arguments, or the files of a check."""
    arrows = imports()
    sys.stdout.write(f"{len(arrows)} rooms, {layers(arrows)} layers, {sum(map(len, arrows.values()))} arrows\n")
    if call:
        modules = called(["check", "--no-cache", *call] if Path(call[0]).is_file() else call)
        of_rules = [module for module in modules if ".validators.rules." in module]
        sys.stdout.write(f"{len(modules)} modules called, {len(of_rules)} of them rules\n")


if __name__ == "__main__":
    main()
