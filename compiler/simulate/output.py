"""Build the output of a workflow from its ``output`` block.

Source: docs/operator/virtual-server.md, "Running a workflow".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..diagnostics.plain import mapping
from ..language.template.value import ExecutionError, LimitError
from ..vmcp.workflow.coercion import coerced, coerced_default

if TYPE_CHECKING:
    from collections.abc import Mapping

    from .expansion import Expander


def build(properties: Mapping[str, Any], expander: Expander, root: Mapping[str, Any]) -> dict[str, Any]:
    """Return the value of every property of an ``output`` block, by name.

    Raises:
        ExecutionError: A property has no value and no default.
    """
    return {name: _property(str(name), prop, expander, root) for name, prop in properties.items()}


def _property(name: str, prop: Any, expander: Expander, root: Mapping[str, Any]) -> Any:
    if not isinstance(prop, dict):
        raise ExecutionError(f'the output "{name}" is not described')
    value = prop.get("value")
    if not isinstance(value, str) or not value:
        return build(mapping(prop.get("properties")), expander, root)
    kind, default = prop.get("type"), prop.get("default")
    try:
        text = expander.text(value, root)
        if text == "<no value>" and default is not None:
            return coerced_default(default, kind)
        return coerced(text, kind)
    except LimitError:
        raise
    except ExecutionError as fault:
        if default is None:
            raise ExecutionError(f'the output "{name}" has no value: {fault}') from None
        return coerced_default(default, kind)
