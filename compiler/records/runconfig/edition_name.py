"""Translate the keys of a run configuration between an edition of ToolHive and the models of mcpcfg."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...toolhive.constants import (
    BASE_NAME_LABEL,
    CA_BUNDLE_KEY,
    ISOLATION_LABEL,
    OIDC_SECRET_VARIABLE,
    OWN_LABEL,
    PORT_LABEL,
    STS_KEY,
    STS_MIDDLEWARE,
    TOKEN_EXCHANGE_VARIABLE,
    TRANSPORT_LABEL,
    WORKLOAD_LABEL,
)
from ...toolhive.profile import NEUTRAL, Profile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...diagnostics.fault import Fault
    from ...diagnostics.span import Path

_NAMES = (STS_KEY, CA_BUNDLE_KEY, STS_MIDDLEWARE)
"""Keys and types of middleware whose names differ between editions."""
_LABELS = (OWN_LABEL, WORKLOAD_LABEL, BASE_NAME_LABEL, TRANSPORT_LABEL, PORT_LABEL, ISOLATION_LABEL)
_SHOWN = (STS_KEY, CA_BUNDLE_KEY, STS_MIDDLEWARE, OIDC_SECRET_VARIABLE, TOKEN_EXCHANGE_VARIABLE)
"""Names that differ between editions and that messages may contain."""
_LABELED = "container_labels"
"""The field whose keys are labels."""
_USER_NAMED = frozenset(
    {
        *("add_headers", "add_headers_from_secret", "add_plaintext_headers", "additional_authorization_params"),
        *("additional_headers", "authz_config", "config_data", "customAttributes", "env_vars", "headers"),
        *("oauth_params", "runtime_env", "tools_override"),
    }
)
"""The fields whose keys are names that a user chooses."""


class EditionNames:
    """Translates the keys, labels and types of middleware in a run configuration.

    Args:
        profile: The names of the edition that reads the file.
    """

    def __init__(self, profile: Profile) -> None:
        self._profile = profile
        self._names = {name: profile.spell(name) for name in _NAMES}
        self._labels = {label: profile.spell(label) for label in _LABELS}
        self._model_names = {edition.spell(key): key for edition in (NEUTRAL, profile) for key in _NAMES}
        self._model_labels = {spelled: label for label, spelled in self._labels.items()}

    def to_models(self, value: Any) -> Any:
        """Return a run configuration of the edition with the names of the models."""
        return _renamed(value, self._model_names, self._model_labels)

    def to_edition(self, value: Any) -> Any:
        """Return a run configuration of the models with the names of the edition."""
        return _renamed(value, self._names, self._labels)

    def original_fault(self, fault: Fault, document: Any) -> Fault:
        """Return a fault of the translated data with the path and the names of the original ``document``."""
        words = [fault.message, fault.hint or ""]
        for name in _SHOWN:
            words = [text.replace(name, self._profile.spell(name)) for text in words]
        message, hint = words
        return fault._replace(path=self._original_path(fault.path, document), message=message, hint=hint or None)

    def _original_path(self, path: Path, value: Any) -> Path:
        out: list[str | int] = []
        for step in path:
            key = step
            if isinstance(value, dict) and step not in value:
                names = self._model_labels if out == [_LABELED] else self._model_names
                key = next((candidate for candidate in value if names.get(candidate) == step), step)
            out.append(key)
            exists = isinstance(value, dict) or (isinstance(value, list) and isinstance(key, int) and key < len(value))
            value = (value.get(key) if isinstance(value, dict) else value[key]) if exists else None
        return tuple(out)


def _renamed(value: Any, names: Mapping[str, str], labels: Mapping[str, str]) -> Any:
    """Return data with renamed keys, labels and types of middleware. A key stays if its new name is taken."""
    if isinstance(value, list):
        return [_renamed(item, names, labels) for item in value]
    if not isinstance(value, dict):
        return value
    out = type(value)()  # a SortedMap stays a SortedMap
    for key, item in value.items():
        name = names.get(key, key)
        of_key = labels if key == _LABELED else names
        out[key if name in value else name] = item if key in _USER_NAMED else _renamed(item, of_key, labels)
    if "parameters" in out and isinstance(out.get("type"), str):
        out["type"] = names.get(out["type"], out["type"])
    return out
