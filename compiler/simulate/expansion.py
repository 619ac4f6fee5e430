"""Expand the templates of a workflow like the running vMCP server.

Source: docs/operator/virtual-server.md, "Templates" and "Running a workflow".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.budget import OF_WORKFLOW, Budget
from ..language.template.executor import execute
from ..language.template.node import Template
from ..language.template.parser import parse
from ..language.template.value import ExecutionError, LimitError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..diagnostics.fault import Flaw

_DEEPEST: Final = 100
"""The vMCP server's maximum for the nesting of arguments."""

_TRUTHS: Final = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


class Expander:
    """Expands the templates of one run, which share a budget of time and memory."""

    def __init__(self) -> None:
        self._parsed: dict[str, Template | Flaw] = {}
        self._budget = Budget(OF_WORKFLOW)

    def text(self, text: str, root: Mapping[str, Any]) -> str:
        """Return the text that a template expands to.

        Raises:
            ExecutionError: The template does not parse, or Go would stop executing it.
            LimitError: The run exceeds the limits of the simulation.
        """
        if "{{" not in text:
            return self._counted(text)
        parsed = self._parsed.get(text)
        if parsed is None:
            parsed = self._parsed[text] = parse(text)
        if not isinstance(parsed, Template):
            raise ExecutionError(f"the template does not parse: {parsed.message}")
        return self._counted(execute(parsed, root, budget=self._budget))

    def value(self, value: Any, root: Mapping[str, Any], *, depth: int = 0) -> Any:
        """Return ``value`` with the strings at every depth expanded. All other values stay unchanged.

        Raises:
            ExecutionError: The value is nested too deeply, or a template fails; see `text`.
        """
        if depth > _DEEPEST:
            raise ExecutionError(f"the arguments are nested more than {_DEEPEST} levels deep")
        if isinstance(value, str):
            return self.text(value, root)
        if isinstance(value, dict):
            return {key: self.value(child, root, depth=depth + 1) for key, child in value.items()}
        if isinstance(value, list):
            return [self.value(child, root, depth=depth + 1) for child in value]
        return value

    def arguments(self, arguments: Mapping[str, Any], root: Mapping[str, Any]) -> dict[str, Any]:
        """Return the expanded arguments of a tool call.

        Raises:
            ExecutionError: An argument is nested too deeply, or a template fails; see `text`.
        """
        return {key: self.value(value, root) for key, value in arguments.items()}

    def condition(self, text: str, root: Mapping[str, Any]) -> bool:
        """Expand a condition and return its value.

        Raises:
            ExecutionError: The value is neither true nor false.
        """
        result = self.text(text, root)
        if result not in _TRUTHS:
            # The result may have any length, so the message quotes only its start.
            raise ExecutionError(f'the condition is "{result[:60]}", which is neither true nor false')
        return _TRUTHS[result]

    def _counted(self, text: str) -> str:
        if not self._budget.grants(characters=len(text)):
            raise LimitError("the workflow makes more than 64 MiB of text")
        return text
