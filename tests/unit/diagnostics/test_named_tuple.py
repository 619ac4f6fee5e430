"""The classes of ``NamedTuple`` are those of ``typing.NamedTuple``, except that nothing resolves their annotations."""

from __future__ import annotations

import pickle
import typing

import pytest

from mcpcfg.compiler.diagnostics.named_tuple import NamedTuple


class Light(NamedTuple):
    """A pair."""

    name: str
    size: int = 2

    @property
    def twice(self) -> int:
        return 2 * self.size


class Typed(typing.NamedTuple):
    """A pair."""

    name: str
    size: int = 2

    @property
    def twice(self) -> int:
        return 2 * self.size


@pytest.mark.parametrize("made", [Light, Typed])
def test_a_class_has_fields_defaults_methods_and_a_docstring(made: type[Light | Typed]) -> None:
    pair = made("a")
    assert repr(pair) == f"{made.__name__}(name='a', size=2)"
    assert pair == ("a", 2) == made(size=2, name="a")
    assert (pair.twice, pair._replace(size=3).twice) == (4, 6)
    assert (made.__doc__, made.__module__, made._fields) == ("A pair.", __name__, ("name", "size"))
    assert list(made.__annotations__) == ["name", "size"]
    assert pickle.loads(pickle.dumps(pair)) == pair


def test_a_missing_argument_is_an_error() -> None:
    with pytest.raises(TypeError, match="name"):
        Light()  # type: ignore[call-arg]
