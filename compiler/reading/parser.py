"""The parser that turns YAML text into nodes or events: libyaml by way of PyYAML, or PyYAML's own in plain Python.

PyYAML is taken for reading because its binding is 1.8 times as fast as that of ruamel.yaml.clib, marks included, and
costs the same to import. Both give the same marks; without the C module reading is twenty times slower and as right.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Final

from yaml.composer import Composer
from yaml.error import MarkedYAMLError, YAMLError
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from .bound import MAX_NODES

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "HAS_LIBYAML",
    "BoundedNodeParser",
    "MarkedYAMLError",
    "NodeParser",
    "PlainParser",
    "YAMLError",
    "event_parser",
]


class PlainParser(Reader, Scanner, Parser, Composer):
    """PyYAML's parser in plain Python, with the methods of the C one."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)


try:
    from yaml._yaml import CParser
except ImportError:  # PyYAML was built without libyaml
    HAS_LIBYAML: Final = False
    _Base: Any = PlainParser
else:
    HAS_LIBYAML: Final = True  # type: ignore[misc] # one of two
    _Base = CParser

event_parser: Callable[[str], Any] = _Base
"""Make a parser whose ``get_event`` gives the events of a text."""


def extent_of(event: Any) -> tuple[int, int]:
    """Return where an event begins and ends, in code points from the beginning of the text."""
    return event.start_mark.index, event.end_mark.index


class NodeParser(_Base):  # type: ignore[misc] # the base is chosen above
    """A parser whose ``get_node`` gives trees of nodes without tags.

    The hooks of the resolver are called for each node. They are builtins where possible: Python functions there cost a
    twentieth of the whole reading.
    """

    descend_resolver: Any = {}.get  # called with two arguments; what it gives is not used
    ascend_resolver: Any = [].clear

    @staticmethod
    def resolve(kind: object, text: object, implicit: object, /) -> None:
        """Leave the meaning of a scalar to others."""


class BoundedNodeParser(NodeParser):
    """A `NodeParser` for large texts: more than `MAX_NODES` nodes end it with ``StopIteration``."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.ascend_resolver = itertools.repeat(None, MAX_NODES).__next__
