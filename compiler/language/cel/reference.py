"""Evaluate with cel-python for comparison. It is slow to import, so it is only used on demand.

Known differences of cel-python 0.5 from cel-go: ``==`` between types is an error instead of false, ``duration('1d')``
is accepted, trailing commas are refused, and types are not checked before evaluation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..fault import FaultError
from .value import CelError

if TYPE_CHECKING:
    from collections.abc import Callable


def compile_reference(expression: str) -> Callable[..., Any]:
    """Return a function that evaluates ``expression``. The function takes the values of variables by name.

    The values may be any plain data. The function returns the value of the expression, or raises ``CelError``.

    Raises:
        FaultError: cel-python does not parse the expression.
    """
    import celpy
    from celpy import celparser, celtypes, evaluation
    from celpy.adapter import json_to_cel

    # The library quotes nested errors and escapes each level again, so the text of a few levels is endless.
    evaluation.CELEvalError.__repr__ = object.__repr__  # type: ignore[method-assign] # so it is replaced
    environment = celpy.Environment(runner_class=celpy.InterpretedRunner)
    try:
        program = environment.program(environment.compile(expression))
    except celparser.CELParseError as error:
        lines = expression.split("\n")[: (error.line or 1) - 1]
        offset = sum(len(line) + 1 for line in lines) + (error.column or 1) - 1
        raise FaultError.at(expression, offset, "cel-python does not read this") from None

    def evaluate(**values: Any) -> Any:
        try:
            result = program.evaluate({name: json_to_cel(_decoded(value)) for name, value in values.items()})
        except (evaluation.CELEvalError, ValueError) as error:
            raise CelError(str(error.args[0])) from None
        return bool(result) if isinstance(result, celtypes.BoolType) else result

    return evaluate


def _decoded(value: Any) -> Any:
    """Return plain data with integers beyond 64 bits as floats, like the API server decodes them.

    Source: sigs.k8s.io/json, which `k8s.io/apimachinery` decodes with.
    """
    if isinstance(value, dict):
        return {key: _decoded(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_decoded(inner) for inner in value]
    return float(value) if type(value) is int and not -(2**63) <= value < 2**63 else value
