"""The classes of ``NamedTuple`` are those of ``typing.NamedTuple``, except that nothing resolves their annotations."""

from __future__ import annotations

import copy
import inspect
import pickle
import typing
from typing import Any

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


@pytest.mark.parametrize("made", [Light, Typed])
def test_a_wrong_call_is_an_error_that_names_the_fault(made: Any) -> None:
    with pytest.raises(TypeError, match=rf"{made.__name__}.__new__\(\) missing 1 required .* 'name'"):
        made()
    with pytest.raises(TypeError, match="Expected 2 arguments, got 3"):
        made._make("abc")
    # Python raises a ValueError before 3.13.
    with pytest.raises((TypeError, ValueError), match="unexpected field names: \\['color'\\]"):
        made("a")._replace(color=1)


@pytest.mark.parametrize("made", [Light, Typed])
def test_a_tuple_has_a_signature_and_can_be_copied_and_matched(made: Any) -> None:
    pair = made("a")
    parameters = inspect.signature(made).parameters
    assert list(parameters) == ["name", "size"]
    assert [parameter.default for parameter in parameters.values()] == [inspect.Parameter.empty, 2]
    assert (made._make("ab"), pair._asdict()) == (("a", "b"), {"name": "a", "size": 2})
    assert type(copy.deepcopy(pair)) is made
    match pair:
        case Light(name, size) | Typed(name, size):
            assert (name, size) == pair
