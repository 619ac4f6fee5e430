"""Replace the placeholders in compiled Secrets for values that the operator generates randomly.

Source: docs/operator/virtual-server.md, "Secret of sessions".
"""

from __future__ import annotations

import base64
import secrets
from typing import TYPE_CHECKING

from ..golang.yaml.sigs import dump
from .virtualmcpserver import RANDOM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from .build import Object
    from .target import Artifact

SECRET_BYTES = 32
"""The size of a session secret. The operator refuses a secret that does not decode to 32 bytes."""


def has_placeholder(artifact: Artifact) -> bool:
    """Return whether an artifact is a Secret with a placeholder for a random value."""
    compiled = artifact.compiled if RANDOM in artifact.text else None
    return compiled is not None and compiled.get("kind") == "Secret" and RANDOM in (compiled.get("data") or {}).values()


def filled(artifacts: Iterable[Artifact], present: Callable[[str], Object | None]) -> list[Artifact]:
    """Return the artifacts with values in place of the placeholders in Secrets.

    Args:
        present: Returns the Secret that an earlier run wrote at a path, or ``None``. Its values are reused, and missing
            values are random.
    """
    return [_filled(artifact, present) if has_placeholder(artifact) else artifact for artifact in artifacts]


def _filled(artifact: Artifact, present: Callable[[str], Object | None]) -> Artifact:
    compiled = artifact.compiled
    assert compiled is not None
    before = present(artifact.path) or {}
    kept = before.get("data")
    values = kept if isinstance(kept, dict) else {}
    data = {key: _value(values.get(key)) if value == RANDOM else value for key, value in compiled["data"].items()}
    return artifact._replace(text=dump({**compiled, "data": data}))


def _value(before: object) -> str:
    """Return ``before`` if it is a value of an earlier run, or else random bytes that are encoded twice as base64."""
    if isinstance(before, str) and before != RANDOM:
        return before
    return base64.b64encode(base64.b64encode(secrets.token_bytes(SECRET_BYTES))).decode()
