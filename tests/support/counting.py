"""How often work is done, in tests of what it costs: calls are the same on every machine, seconds are not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest


def counted(monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> list[tuple[Any, ...]]:
    """Record the arguments of each call of a function."""
    work: Callable[..., Any] = getattr(owner, name)
    calls: list[tuple[Any, ...]] = []

    def noting(*args: Any, **named: Any) -> Any:
        calls.append(args)
        return work(*args, **named)

    monkeypatch.setattr(owner, name, noting)
    return calls
