"""The metadata that nearly every document has, told to be right without a closer look."""

from __future__ import annotations

import re
from typing import Any

_NAME = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*").fullmatch
_LABEL_KEY = re.compile(
    r"(?:[a-z0-9]+(?:[-.][a-z0-9]+)*/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
).fullmatch
_LABEL_VALUE = re.compile(r"(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?").fullmatch
_LONGEST_NAME = 253
_LONGEST_NAMESPACE = 63
_SAFE_SIZE = 32 * 1024
"""Characters of annotations that cannot exceed the API server's limit, whatever they are."""


def is_plain(metadata: Any) -> bool:
    """Tell whether nothing can be wrong with ``metadata``; where this says no, ``kube/objectmeta.py`` decides."""
    if type(metadata) is not dict or "name" not in metadata:
        return False
    for key, value in metadata.items():
        if key in ("name", "namespace"):
            longest = _LONGEST_NAME if key == "name" else _LONGEST_NAMESPACE
            if type(value) is not str or len(value) > longest or not _NAME(value):
                return False
            if key == "namespace" and "." in value:
                return False
        elif key == "labels":
            if type(value) is not dict or not all(map(_is_label, value.items())):
                return False
        elif key == "annotations":
            if type(value) is not dict or not _are_annotations(value):
                return False
        else:
            return False
    return True


def _is_label(label: tuple[str, Any]) -> bool:
    key, value = label
    return _is_key(key) and type(value) is str and _LABEL_VALUE(value) is not None


def _are_annotations(annotations: dict[str, Any]) -> bool:
    size = 0
    for key, value in annotations.items():
        if type(value) is not str or not _is_key(key):
            return False
        size += len(key) + len(value)
    return size <= _SAFE_SIZE


def _is_key(key: str) -> bool:
    return len(key) <= _LONGEST_NAME and _LABEL_KEY(key) is not None
