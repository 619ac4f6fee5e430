"""Choose the parser from YAML text to events: libyaml through PyYAML, or PyYAML's own parser in Python.

`docs/decisions/1-own-reader.md` explains why ruamel.yaml is not used. Both parsers emit the same events and marks, but
the one in Python is about twenty times slower.
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
    """PyYAML's parser in Python, with the methods of the C parser that are used here."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)


event_parser: Callable[[str], Any]
"""Returns a parser whose ``get_event`` returns the events of a text."""
try:
    from yaml._yaml import CParser
except ImportError:  # PyYAML was built without libyaml
    event_parser = PlainParser
else:
    event_parser = CParser


def extent_of(event: Any) -> tuple[int, int]:
    """Return the start and end of an event, in code points from the start of the text."""
    return event.start_mark.index, event.end_mark.index
