"""Read the values of Secrets and ConfigMaps that the project declares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ..diagnostics.placeholder import is_placeholder
from .reference import declared_keys

if TYPE_CHECKING:
    from ..diagnostics.span import Path
    from .reference import Reference
    from .resource import Resource

_PLAIN: Final = {"Secret": "stringData", "ConfigMap": "data"}
_CODED: Final = {"Secret": "data", "ConfigMap": "binaryData"}
_FILLED_BY: Final = (
    "inject-trusted-cabundle",
    "inject-cabundle",
    "replicator.v1.mittwald.de/",
    "secret-generator.v1.mittwald.de/",
    "reflector.v1.k8s.emberstack.com/",
    "avp.kubernetes.io/",
    "vault.security.banzaicloud.io/",
)
"""Parts of labels and annotations of objects whose values a program in the cluster fills in or replaces."""
_REFERRING: Final = ("ENC[", "ref+", "vault:", "<path:", "{{")
"""Beginnings of values that another program replaces: SOPS, vals, Vault, the Vault plugin of Argo CD, templates."""


def declared_value(reference: Reference | None) -> tuple[bytes, Path] | None:
    """Return the value that a reference to a key leads to, and its path in the Secret or ConfigMap.

    Return ``None`` if the value is unknown or invalid, such as a placeholder, or the target is not declared.
    """
    if reference is None or reference.target is None or reference.problem is not None or not reference.key:
        return None
    target, key = reference.target, reference.key
    if target.kind not in _PLAIN or declared_keys(target) is None or _is_filled_later(target):
        return None
    # The API server writes stringData over data.
    plain, coded = _PLAIN[target.kind], _CODED[target.kind]
    text = target.entries(plain).get(key)
    if isinstance(text, str):
        return None if _is_unknown(text) else (text.encode("utf-8", "replace"), (plain, key))
    text = target.entries(coded).get(key)
    if not isinstance(text, str) or _is_unknown(text):
        return None
    import binascii

    try:
        return binascii.a2b_base64(text), (coded, key)
    except ValueError:
        return None


def _is_unknown(text: str) -> bool:
    return is_placeholder(text) or text.lstrip().startswith(_REFERRING)


def _is_filled_later(target: Resource) -> bool:
    """Return whether a program in the cluster, or SOPS, may change the values."""
    stated = (target.metadata.get(field) for field in ("labels", "annotations"))
    marks = [str(mark) for marked in stated if isinstance(marked, dict) for mark in marked]
    return "sops" in target.data or any(part in mark for mark in marks for part in _FILLED_BY)
