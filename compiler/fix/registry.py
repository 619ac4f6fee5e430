"""The function that fixes findings, for each rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import field, grant, identity, missing, value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .edit import FileFix
    from .fix_context import FixContext

FIXES: Mapping[str, Callable[[FixContext], FileFix | None]] = {
    "ADM001": field.unknown_field,
    "ADM002": value.wrong_type,
    "ADM003": missing.missing_field,
    "ADM004": value.unsupported_value,
    "ADM005": value.unit_missing,
    "ADM022": value.metadata_value,
    "ADM030": identity.unknown_kind,
    "ADM032": identity.wrong_group,
    "ADM033": missing.missing_version,
}
"""Function that fixes a finding, by rule. It returns ``None`` if the finding has no mechanical fix."""

RULE_FIXES: Mapping[str, Callable[[FixContext], FileFix | None]] = {"EAS018": grant.moved_grants}
"""The same for rules about resources, whose findings only a check of the project has."""
