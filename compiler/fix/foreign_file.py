"""Edit files of other programs with ruamel.yaml, which keeps comments and style."""

from __future__ import annotations

import re
import sys
from functools import reduce
from io import StringIO
from operator import getitem
from typing import TYPE_CHECKING, Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from .edit import Edit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..diagnostics.span import Path
    from .source_buffer import SourceBuffer


def put(page: SourceBuffer, values: Mapping[Path, str]) -> tuple[Edit, ...]:
    """Return the edits that replace strings in a document.

    ruamel.yaml normalizes spacing. Therefore only the words that differ between the old and the new strings are edited.
    The result is empty if ruamel.yaml cannot read or write the document, or if the edits would change the number of
    lines, or the number of words in a line.
    """
    start, end = page.value(())
    text = page.text[start:end]
    yaml = YAML()
    yaml.preserve_quotes, yaml.width = True, sys.maxsize
    try:
        document = yaml.load(text.replace("\r\n", "\n") + "\n")
        before = _written_lines(yaml, document)
        for (*steps, last), value in values.items():
            holder = reduce(getitem, steps, document)
            holder[last] = type(holder[last])(value)  # the type holds the style: quotes, a literal block
        after = _written_lines(yaml, document)
    except (YAMLError, RecursionError, ValueError):
        return ()
    lines = text.rstrip().split("\n")
    if not len(lines) == len(before) == len(after):
        return ()
    edits: list[Edit] = []
    for line, old, new in zip(lines, before, after, strict=True):
        words, wanted = old.split(), new.split()
        if old != new and (line.split() != words or len(words) != len(wanted)):
            return ()
        for place, was, now in zip(re.finditer(r"\S+", line), words, wanted, strict=False):
            if was != now:
                edits.append(Edit(start + place.start(), start + place.end(), now))
        start += len(line) + 1
    return tuple(edits)


def _written_lines(yaml: YAML, document: Any) -> list[str]:
    stream = StringIO()
    yaml.dump(document, stream)
    return stream.getvalue().rstrip().split("\n")
