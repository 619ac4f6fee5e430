"""The names and forms of secrets. `pattern.tsv` has them, says what each table is for, and has the source of each."""

from __future__ import annotations

import os
from typing import Final

from ..named_tuple import NamedTuple


class Form(NamedTuple):
    """The form of a secret in a text.

    Attributes:
        source: The specification, or the program that looks for the form.
        pattern: Pattern of the secret. Groups are the parts to mask, except ``name``, which must be a sensitive name.
        signs: Texts of which every such secret has one. A search for them is fast.
        before: Number of characters of a token before the sign.
    """

    source: str
    pattern: str
    signs: tuple[str, ...]
    before: int = 0


PATTERNS: Final[dict[str, str]] = {}
"""One pattern for each table: an alternative for each row."""
WORDS: Final[dict[str, frozenset[str]]] = {}
FORMS: Final[dict[str, tuple[Form, ...]]] = {}

with open(f"{os.path.dirname(__file__)}/pattern.tsv", encoding="utf-8") as _file:
    for _line in _file:
        if _line[0] != "#":
            _table, _source, _pattern, *_more = _line.rstrip("\n").split("\t")
            if _more:
                _form = Form(_source, _pattern, tuple(_more[0].split()), int(*_more[1:]))
                FORMS[_table] = (*FORMS.get(_table, ()), _form)
            else:
                PATTERNS[_table] = f"{PATTERNS[_table]}|{_pattern}" if _table in PATTERNS else _pattern
                WORDS[_table] = WORDS.get(_table, frozenset()).union(_pattern.split())
