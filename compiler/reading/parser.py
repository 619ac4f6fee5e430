"""The parser that turns YAML text into events: libyaml by way of PyYAML, or PyYAML's own in plain Python.

`docs/decisions/1-own-reader.md` says why it is not that of ruamel.yaml. Both parsers of PyYAML emit the same events and
marks; the one in plain Python takes about twenty times as long.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from yaml.error import MarkedYAMLError, YAMLError
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["MarkedYAMLError", "PlainParser", "YAMLError", "event_parser", "extent_of"]


class PlainParser(Reader, Scanner, Parser):
    """PyYAML's parser in plain Python, with the methods of the C one that are used here."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)


event_parser: Callable[[str], Any]
"""Makes a parser whose ``get_event`` returns the events of a text."""
try:
    from yaml._yaml import CParser
except ImportError:  # PyYAML was built without libyaml
    event_parser = PlainParser
else:
    event_parser = CParser


def extent_of(event: Any) -> tuple[int, int]:
    """Return where an event begins and ends, in code points from the beginning of the text."""
    return event.start_mark.index, event.end_mark.index
