"""Let the encoder of Go structs refuse a key that no release of the struct has, instead of leaving it out.

A compile step that writes such a key has a fault: the model lacks the field, or the key is misspelt. Users lose the
value, but no more, so only tests fail.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from mcpcfg.compiler.golang.shape import Encoder, StructTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


_DROPPING: Any = vars(Encoder)["_struct"]


@contextmanager
def unknown_keys_dropped() -> Iterator[None]:
    """Encode as the program does within the ``with`` block: without the keys that a struct lacks."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Encoder, "_struct", _DROPPING)
        yield


@contextmanager
def unknown_keys_refused() -> Iterator[None]:
    """Raise `AssertionError` for an unknown key in each struct that is encoded within the ``with`` block."""
    known: dict[tuple[str, str], set[str]] = {}

    def checked(encoder: Encoder, value: Mapping[str, Any], name: str) -> Any:
        table = vars(encoder)["_structs"]
        if isinstance(table, StructTable):
            fields: str = vars(table)["_lines"][name]
            if (name, fields) not in known:
                # With the fields of all releases: a step may write a field that the judging release lacks.
                known[name, fields] = {key for key, _, _ in StructTable(f"{name} {fields}")[name]}
            unknown = value.keys() - known[name, fields]
            assert not unknown, f"no release of {name} has {', '.join(sorted(unknown))}: add it to the model"
        return _DROPPING(encoder, value, name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Encoder, "_struct", checked)
        yield
