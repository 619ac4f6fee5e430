"""Read texts in ConfigMaps like the operator: as lenient YAML, and as JSON if that fails.

Source: the authorization configuration of the operator, v0.21.0; sigs.k8s.io/yaml v1.6.0, Unmarshal.
"""

from __future__ import annotations

from typing import Any

from ..diagnostics.named_tuple import NamedTuple
from .fault import ReadError, UnreadableError


class LooseText(NamedTuple):
    """The first document of a text in a ConfigMap.

    Attributes:
        data: The plain data, or ``None`` if the document is empty.
        is_json: True if only the JSON decoder accepts the text. The operator then uses the text itself.
    """

    data: Any
    is_json: bool = False


def read_loosely(text: str) -> LooseText:
    """Return the first document of a text. The last of duplicate keys counts.

    Raises:
        UnreadableError: The text is neither YAML nor JSON. The faults are those of the format that it resembles.
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
    if any(remark.rule is not DUPLICATE_KEY for remark in remarks):
        raise UnreadableError(faults)
    return LooseText(value, is_json=True)


def _read_yaml(text: str) -> Any:
    from .character import forbidden
    from .data import data_of
    from .tree import compose

    forbidden(text)
    root = next(compose(text), None)
    return None if root is None else data_of(root, "kubernetes", strict=False)
