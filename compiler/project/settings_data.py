"""Configuration data, shaped as the settings that it makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...validators.custom_rule_definition import CustomRule
from ..diagnostics.span import InputError
from ..toolhive.operator import Images, OperatorSettings
from ..toolhive.profile import TOOLHIVE, profile_of_release
from ..toolhive.release import NEWEST, whole_release
from .settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..toolhive.profile import Profile


def from_data(data: Mapping[str, Any], file: str) -> Settings:
    """Shape validated configuration data; see ``schemas/mcpcfg.schema.json`` for its form.

    Raises:
        KeyError: ``profile`` names a set of names that ``profiles`` lacks.
    """
    profile = _profile(data.get("profile", TOOLHIVE.name), data.get("profiles", {}))
    stated = data.get("release")
    if stated is not None:
        profile = of_release(profile, stated, f"{file}: ")
    images = data.get("images", {})
    operator = OperatorSettings(
        images=Images(
            proxy_runner=images.get("proxyRunner", ""),
            vmcp=images.get("vmcp", ""),
            registry=images.get("registry", ""),
        ),
        proxy_host=data.get("proxyHost", OperatorSettings().proxy_host),
        platform=data.get("platform", "kubernetes"),
        usage_metrics=data.get("usageMetrics", True),
    )
    return Settings(
        file=file,
        profile=profile,
        namespace=data.get("namespace"),
        external={kind: frozenset(names) for kind, names in data.get("external", {}).items()},
        exclude=tuple(data.get("exclude", ())),
        skills=tuple(data.get("skills", ())),
        isolated=tuple(data.get("isolated", ())),
        unused=data.get("unused", "warning"),
        rules=dict(data.get("rules", {})),
        custom_rules=tuple(_custom_rule(rule) for rule in data.get("customRules", ())),
        fail_on=data.get("failOn", "error"),
        severity=data.get("severity"),
        baseline=data.get("baseline"),
        secrets_provider=data.get("secretsProvider", ""),
        operator=operator,
        crds=tuple(data.get("crds", ())),
        release_from=file if stated is not None else "",
        release_by="statement" if stated is not None else "default",
    )


def of_release(profile: Profile, stated: str, at: str = "") -> Profile:
    """Return a profile with the release of the operator that is stated; ``at`` begins the message where it is none.

    Raises:
        InputError: The text names no release.
    """
    release = whole_release(stated)
    if release is None:
        raise InputError(f"{at}{stated!r} is no release of the operator: write X.Y.Z, such as {NEWEST}")
    return profile_of_release(profile, release)


def _custom_rule(data: Mapping[str, Any]) -> CustomRule:
    return CustomRule(
        id=data["id"],
        kind=data["kind"],
        expression=data["expression"],
        message=data["message"],
        severity=data.get("severity", "error"),
        hint=data.get("hint"),
        field=tuple(data["field"].split(".")) if data.get("field") else (),
    )


def _profile(name: str, profiles: Mapping[str, Any]) -> Profile:
    if name == TOOLHIVE.name and name not in profiles:
        return TOOLHIVE
    given = profiles[name]
    return TOOLHIVE._replace(
        name=name,
        api_group=given.get("apiGroup", TOOLHIVE.api_group),
        versions=tuple(given.get("versions", TOOLHIVE.versions)),
        **{word: given[word] for word in ("prefix", "product", "organization", "cloud") if word in given},
    )
