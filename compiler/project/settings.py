"""What ``mcpcfg.yaml``, or ``[tool.mcpcfg]`` in ``pyproject.toml``, says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from mcpcfg.compiler.profile import TOOLHIVE, Profile

if TYPE_CHECKING:
    from collections.abc import Mapping

    from mcpcfg.compiler.finding import Severity

Level: TypeAlias = Literal["error", "warning", "info", "off"]
Platform: TypeAlias = Literal["kubernetes", "openshift"]

PROXY_RUNNER_IMAGE = "ghcr.io/stacklok/toolhive/proxyrunner:latest"
VMCP_IMAGE = "ghcr.io/stacklok/toolhive/vmcp:latest"
REGISTRY_IMAGE = "ghcr.io/stacklok/thv-registry-api:latest"


class Images(NamedTuple):
    """The images that the operator takes from its own environment, with its defaults."""

    proxy_runner: str = PROXY_RUNNER_IMAGE
    vmcp: str = VMCP_IMAGE
    registry: str = REGISTRY_IMAGE


class OperatorSettings(NamedTuple):
    """What the operator reads from its own surroundings and what changes its output.

    Attributes:
        images: Images of the pods that it starts.
        proxy_host: Host that proxies listen on.
        platform: Decides the security contexts.
        usage_metrics: Whether proxies report anonymous usage; off where the operator runs inside CI.
    """

    images: Images = Images()
    proxy_host: str = "0.0.0.0"  # noqa: S104 - the operator's default, inside a pod
    platform: Platform = "kubernetes"
    usage_metrics: bool = True


class CustomRule(NamedTuple):
    """A CEL rule of the project's own.

    Attributes:
        id: Three letters and three digits, other than those of the built-in rules.
        kind: The kind that it looks at.
        expression: CEL over ``self`` and ``references``; false is a finding.
        message: What is wrong then.
        severity: Of its findings.
        hint: What to do instead.
        field: Where its findings stand; the resource's name when empty.
    """

    id: str
    kind: str
    expression: str
    message: str
    severity: Severity = "error"
    hint: str | None = None
    field: tuple[str, ...] = ()


class Settings(NamedTuple):
    """The project's configuration, with defaults for what it does not say.

    Attributes:
        file: Where it was read from, ``None`` where there is none.
        profile: The names that the operator goes by: API group, product prefix, cloud word.
        namespace: For documents that state none.
        external: Kind to names that exist outside the files; ``*`` for all of the kind.
        exclude: Patterns of paths, relative to the project's root, that are not read.
        rules: Rule id to severity or ``off``.
        custom_rules: The project's own rules.
        fail_on: The severity from which on the exit status is 1.
        baseline: A file of findings that are known and accepted.
        secrets_provider: What keeps the secrets of workloads; empty where it is not said.
        operator: What the operator reads from its surroundings.
    """

    file: str | None = None
    profile: Profile = TOOLHIVE
    namespace: str | None = None
    external: Mapping[str, frozenset[str]] = {}
    exclude: tuple[str, ...] = ()
    rules: Mapping[str, Level] = {}
    custom_rules: tuple[CustomRule, ...] = ()
    fail_on: Literal["error", "warning", "info", "never"] = "error"
    baseline: str | None = None
    secrets_provider: str = ""
    operator: OperatorSettings = OperatorSettings()


def from_data(data: Mapping[str, Any], file: str) -> Settings:
    """Shape validated configuration data; see ``schemas/mcpcfg.schema.json`` for its form.

    Raises:
        KeyError: ``profile`` names a set of names that ``profiles`` lacks.
    """
    images = data.get("images", {})
    operator = OperatorSettings(
        images=Images(
            proxy_runner=images.get("proxyRunner", PROXY_RUNNER_IMAGE),
            vmcp=images.get("vmcp", VMCP_IMAGE),
            registry=images.get("registry", REGISTRY_IMAGE),
        ),
        proxy_host=data.get("proxyHost", OperatorSettings().proxy_host),
        platform=data.get("platform", "kubernetes"),
        usage_metrics=data.get("usageMetrics", True),
    )
    return Settings(
        file=file,
        profile=_profile(data.get("profile", TOOLHIVE.name), data.get("profiles", {})),
        namespace=data.get("namespace"),
        external={kind: frozenset(names) for kind, names in data.get("external", {}).items()},
        exclude=tuple(data.get("exclude", ())),
        rules=dict(data.get("rules", {})),
        custom_rules=tuple(_custom_rule(rule) for rule in data.get("customRules", ())),
        fail_on=data.get("failOn", "error"),
        baseline=data.get("baseline"),
        secrets_provider=data.get("secretsProvider", ""),
        operator=operator,
    )


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
        prefix=given.get("prefix", TOOLHIVE.prefix),
        product=given.get("product", TOOLHIVE.product),
        cloud=given.get("cloud", TOOLHIVE.cloud),
    )
