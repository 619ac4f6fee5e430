"""The metadata that nearly every document has, accepted without a full check."""

from __future__ import annotations

import re
from typing import Any

_NAME = re.compile(r"[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*").fullmatch
_LABEL_KEY = re.compile(r"(?:[a-z0-9]+(?:[-.][a-z0-9]+)*/)?[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?").fullmatch
_LABEL_VALUE = re.compile(r"(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?").fullmatch
_LONGEST_NAME = 253
_LONGEST_NAMESPACE = 63
_SAFE_SIZE = 32 * 1024
"""Characters of annotations that cannot exceed the API server's limit, whatever they are."""

_MOST_SEEN = 4096
_seen: set[str] = set()
"""Keys that are known to be right: a project has the same few everywhere."""


def is_plain(metadata: Any) -> bool:
    """Return whether nothing can be wrong with ``metadata``; where it may be, ``kube/objectmeta.py`` decides."""
    if type(metadata) is not dict or "name" not in metadata:
        return False
    for key, value in metadata.items():
        if key == "name":
            if type(value) is not str or len(value) > _LONGEST_NAME or not _NAME(value):
                return False
        elif key == "namespace":
            if type(value) is not str or not _is_namespace(value):
                return False
        elif key == "labels":
            if type(value) is not dict or not _are_labels(value):
                return False
        elif key == "annotations":
            if type(value) is not dict or not _are_annotations(value):
                return False
        else:
            return False
    return True


def _is_namespace(value: str) -> bool:
    return len(value) <= _LONGEST_NAMESPACE and "." not in value and _NAME(value) is not None


def _are_labels(labels: dict[str, Any]) -> bool:
    for key, value in labels.items():
        if type(value) is not str or not _LABEL_VALUE(value) or not (key in _seen or _is_key(key)):
            return False
    return True


def _are_annotations(annotations: dict[str, Any]) -> bool:
    size = 0
    for key, value in annotations.items():
        if type(value) is not str or not (key in _seen or _is_key(key)):
            return False
        size += len(key) + len(value)
    return size <= _SAFE_SIZE


def _is_key(key: str) -> bool:
    if len(key) > _LONGEST_NAME or not _LABEL_KEY(key):
        return False
    if len(_seen) < _MOST_SEEN:
        _seen.add(key)
    return True
