"""Modules of Python that click imports at its start, and that most commands do not need.

``inspect`` imports six more modules, and ``platform`` compiles nine patterns: together a tenth of the instructions of a
check of one file. Of each, the start needs one function.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


class _Postponed(ModuleType):
    """A module with one function. It becomes the real module if something else of it is used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # the import system asks for them, and does without
            raise AttributeError(name)
        return getattr(self.loaded(), name)

    def loaded(self) -> ModuleType:
        """Return the real module, and give this one all that the real one has."""
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        module = import_module(self.__name__)
        self.__dict__.update(vars(module))
        return module


def postpone() -> None:
    """Let the next import of ``inspect`` and of ``platform`` cost nothing, unless they are already imported."""
    _put("inspect", "cleandoc", _cleandoc)  # click calls it for the help of each option
    if hasattr(os, "uname"):
        _put("platform", "system", _system)  # `uuid` calls it, which click imports for a type of options


def _put(name: str, function: str, body: Callable[..., str]) -> None:
    if name not in sys.modules:
        module = _Postponed(name)
        setattr(module, function, body)
        sys.modules[name] = module


def _cleandoc(doc: str) -> str:
    if "\n" not in doc and "\t" not in doc:
        return doc.lstrip()
    inspect: Any = import_module("inspect")
    return str((inspect.loaded() if isinstance(inspect, _Postponed) else inspect).cleandoc(doc))


def _system() -> str:
    return os.uname().sysname
