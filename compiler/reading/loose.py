"""Texts as the operator reads those of ConfigMaps: YAML without strictness, and JSON where that fails.

Source: the authorization configuration of the operator, v0.21.0; sigs.k8s.io/yaml v1.6.0, Unmarshal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .fault import ReadError, UnreadableError


class LooseText(NamedTuple):
    """What a text holds.

    Attributes:
        data: Its first document as plain data; ``None`` where it is empty.
        is_json: Whether only the JSON decoder takes it: what is made of it is then the text itself.
    """

    data: Any
    is_json: bool = False


def read_loosely(text: str) -> LooseText:
    """Read the first document of a text; of a key that stands twice the last value counts.

    Raises:
        UnreadableError: It is neither YAML nor JSON; the faults are those of what it looks like.
    """
    try:
        return LooseText(_read_yaml(text))
    except (ReadError, UnreadableError) as refused:
        faults = refused.faults if isinstance(refused, UnreadableError) else (refused,)
    from .data import DUPLICATE_KEY
    from .json_text import read_first_json

    try:
        value, _, remarks = read_first_json(text)
    except UnreadableError as no_json:
        raise no_json if text.lstrip().startswith("{") else UnreadableError(faults) from None
    # Unlike a stream, a text that is decoded at once may hold nothing behind its value.
    if any(one.rule is not DUPLICATE_KEY for one in remarks):
        raise UnreadableError(faults)
    return LooseText(value, is_json=True)


def _read_yaml(text: str) -> Any:
    from .character import forbidden
    from .data import data_of
    from .tree import compose

    forbidden(text)
    root = next(compose(text), None)
    return None if root is None else data_of(root, "kubernetes", strict=False)
