"""Convert the data of a configuration file into settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...validators.custom_rule_definition import CustomRuleDefinition
from ..diagnostics.span import InputError
from ..toolhive.operator import Images, OperatorSettings
from ..toolhive.profile import TOOLHIVE, profile_of_release
from ..toolhive.release import NEWEST_MODELLED, whole_release
from .settings import ProjectSettings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..toolhive.profile import Profile


def from_data(data: Mapping[str, Any], file: str) -> ProjectSettings:
    """Return the settings of a configuration.

    Args:
        data: Data that ``schemas/mcpcfg.schema.json`` accepts.
        file: Path of the configuration, for messages.

    Raises:
        KeyError: The name in ``profile`` is not in ``profiles``.
        InputError: The stated release is not a release.
    """
    profile = _profile(data.get("profile", TOOLHIVE.name), data.get("profiles", {}))
    stated = data.get("release")
    if stated is not None:
        profile = profile_with_release(profile, stated, f"{file}: ")
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
    return ProjectSettings(
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


def profile_with_release(profile: Profile, stated: str, message_prefix: str = "") -> Profile:
    """Return a profile with another release of the operator.

    Args:
        stated: Release as the user wrote it.
        message_prefix: Beginning of the message if ``stated`` is not a release.

    Raises:
        InputError: The text is not a release.
    """
    release = whole_release(stated)
    if release is None:
        raise InputError(
            f"{message_prefix}{stated!r} is no release of the operator: write X.Y.Z, such as {NEWEST_MODELLED}"
        )
    return profile_of_release(profile, release)


def _custom_rule(data: Mapping[str, Any]) -> CustomRuleDefinition:
    return CustomRuleDefinition(
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
    names = profiles[name]
    return TOOLHIVE._replace(
        name=name,
        api_group=names.get("apiGroup", TOOLHIVE.api_group),
        versions=tuple(names.get("versions", TOOLHIVE.versions)),
        **{word: names[word] for word in ("prefix", "product", "organization", "cloud") if word in names},
    )
