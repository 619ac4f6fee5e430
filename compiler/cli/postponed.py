"""Import click without work of its import that no command needs.

click imports ``inspect``, ``gettext``, ``threading``, ``datetime`` and ``uuid`` at its start, and compiles its
annotations: together a sixth of the instructions of a check of one file. Of the first three, mcpcfg needs four names,
and no option of a command is a date or a UUID.
"""

from __future__ import annotations

import sys
import typing
from _thread import _local
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


class _StandIn(ModuleType):
    """A module with some names of the real one. If click asks for another name, the real module is imported."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # the import system asks for them, and does without
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


class _Annotation:
    """An annotation that click states as a text. `typing.ForwardRef` would compile it."""

    def __init__(self, *_: object, **__: object) -> None: ...


def _cleandoc(doc: str) -> str:
    """Return the text without indentation, as `inspect.cleandoc` does. click calls it for the help of each option."""
    return doc.lstrip() if "\n" not in doc and "\t" not in doc else str(import_module("inspect").cleandoc(doc))


def _untranslated(singular: str, plural: str, number: int) -> str:
    return singular if number == 1 else plural


_STAND_INS: Final[Mapping[str, Mapping[str, object]]] = {
    "datetime": {"datetime": object},  # the value of an option of type `click.DateTime`
    "gettext": {"gettext": str, "ngettext": _untranslated},  # click has no translations
    "inspect": {"cleandoc": _cleandoc},
    "threading": {"local": _local},
    "uuid": {"UUID": object},  # the value of an option of type `click.UUID`
}
"""Names that click uses of each module, by module."""


def import_click() -> None:
    """Import click with a stand-in for each module that is not imported yet. Other importers get the real modules."""
    stand_ins = {name: _StandIn(name) for name in _STAND_INS if name not in sys.modules}
    for name, stand_in in stand_ins.items():
        vars(stand_in).update(_STAND_INS[name])
    forward_ref = vars(typing).get("ForwardRef")  # Python 3.14 has it elsewhere, and does not compile
    sys.modules.update(stand_ins)
    if forward_ref is not None:
        setattr(typing, "ForwardRef", _Annotation)  # noqa: B010 - mypy refuses an assignment
    try:
        import_module("click")
    finally:
        if forward_ref is not None:
            setattr(typing, "ForwardRef", forward_ref)  # noqa: B010
        for name, stand_in in stand_ins.items():
            if sys.modules.get(name) is stand_in:
                del sys.modules[name]
