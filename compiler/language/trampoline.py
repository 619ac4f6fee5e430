"""Recursion without the Python stack, for parsers of texts with unlimited nesting."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import wraps
from typing import Any, ParamSpec, TypeAlias, TypeVar

T = TypeVar("T")
P = ParamSpec("P")

Step: TypeAlias = Generator["Step[Any]", Any, T]
"""A recursive function written as a generator. ``value = yield self.part()`` replaces ``value = self.part()``."""


def run(step: Step[T]) -> T:
    """Run ``step`` and all steps that it yields, and return the value of ``step``.

    Steps that wait for another step are kept in a list, so nesting does not use Python's stack.

    Raises:
        Exception: A step raised the exception, and no waiting step handled it.
    """
    waiting: list[Step[Any]] = []
    current: Step[Any] = step
    value: Any = None
    error: BaseException | None = None
    while True:
        try:
            called = current.send(value) if error is None else current.throw(error)
        except StopIteration as end:
            value, error = end.value, None
        except Exception as raised:  # noqa: BLE001 - passed to the waiting steps, and finally to the caller
            value, error = None, raised
        else:
            waiting.append(current)
            current, value, error = called, None, None
            continue
        if waiting:
            current = waiting.pop()
        elif error is not None:
            raise error
        else:
            result: T = value
            return result


def ready(value: T) -> Step[T]:
    """Return a step that returns ``value`` without running another step."""
    return value
    yield  # makes it a generator


def entry(function: Callable[P, Step[T]]) -> Callable[P, T]:
    """Return a plain function that calls ``function`` and runs the step that it returns."""

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        return run(function(*args, **kwargs))

    return call
