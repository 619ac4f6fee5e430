"""Check the secrets of a workload, and conflicts with its plain variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from .reference import OWNED_PREFIXES, RESERVED_PREFIX, is_environment_name, provider_fault

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from ...diagnostics.span import Path
    from .reference import SecretReference

_SOURCE = "toolhive 0.21.0, secrets: parameters, providers, scopes."

SECRET_FORM = rule(
    "PRM020",
    "secret-reference-malformed",
    "A reference to a secret cannot be read",
    stage="process",
    checks="A secret of a run configuration is not of the form `NAME,target=ENV`, or lacks the name or target.",
    why="The workload cannot be started.",
    example='"secrets": ["api-key"]',
    fix='Write `"secrets": ["api-key,target=API_KEY"]`.',
    source=_SOURCE,
    is_secret=True,
)
SECRET_TARGET = rule(
    "PRM021",
    "secret-target-unusable",
    "The target of a secret is not a valid name of an environment variable",
    stage="lint",
    checks="The target of a secret contains something other than letters, digits and underscores.",
    why="It becomes the name of a variable in the container that most programs cannot read.",
    example='{ "name": "api-key", "target": "api-key" }',
    fix='Write `{ "name": "api-key", "target": "API_KEY" }`.',
    source="POSIX.1-2017, section 8.1: environment variable definition.",
)
SECRET_TWICE = rule(
    "PRM022",
    "secret-target-twice",
    "A secret sets a variable that is already set",
    stage="lint",
    checks="Two secrets have the same target, or a secret has the name of a plain variable.",
    why="The later secret wins, and secrets win over plain values.",
    example='"env_vars": { "API_KEY": "x" }, "secrets": [ { "name": "k", "target": "API_KEY" } ]',
    fix="Keep one of them.",
    source=_SOURCE,
)
SECRET_RESERVED = rule(
    "PRM023",
    "secret-name-reserved",
    "The name of a secret is reserved",
    stage="lint",
    checks="The name of a secret begins with `__thv_`.",
    why="Such names are reserved for the product: users cannot read those secrets, and the workload cannot be started.",
    example='{ "name": "__thv_workloads_x", "target": "X" }',
    fix="Use a secret of your own.",
    source=_SOURCE,
)
SECRET_OWNED = rule(
    "PRM024",
    "secret-name-owned",
    "The name of a secret is one that the product generates itself",
    stage="lint",
    severity="info",
    checks="The name begins like the names of secrets that the product stores for tokens and registry variables.",
    why="The product may replace or delete it.",
    example='{ "name": "OAUTH_CLIENT_SECRET_docs", "target": "X" }',
    fix="Use a name of your own.",
    source=_SOURCE,
)
SECRET_UNFIT = rule(
    "PRM025",
    "secret-name-unfit",
    "The name of a secret does not fit its provider",
    stage="lint",
    checks="The name begins with `op://` and lacks a vault, an item or a field; or the name does not fit the"
    " `secretsProvider` of the configuration: names in 1Password begin with `op://`, and names in the environment"
    " become part of a variable's name.",
    why="The provider does not find the secret, and the workload does not start. Where it is allowed, a variable"
    " `TOOLHIVE_SECRET_NAME` can provide the value.",
    example='"secrets": ["op://vault/item,target=API_KEY"]',
    fix='Write `"secrets": ["op://vault/item/field,target=API_KEY"]`.',
    source=_SOURCE,
)


def lint_secrets(
    secrets: Iterable[tuple[Path, SecretReference]], variables: Container[str], provider: str = ""
) -> Iterator[Fault]:
    """Yield the lints of secrets: unsuitable names, and targets that another secret or a plain variable sets too.

    ``variables`` are the names of the plain variables. Messages only contain names and targets, never values.
    """
    targets: dict[str, str] = {}
    for path, secret in secrets:
        if not is_environment_name(secret.target):
            hint = "write only letters, digits and underscores, not beginning with a digit"
            yield Fault(path, SECRET_TARGET, f"{shown(secret.target)} is not a valid variable name", hint)
        if secret.target in targets:
            message = f"{shown(secret.target)} gets the secret {shown(targets[secret.target])} too"
            yield Fault(path, SECRET_TWICE, message, "choose another target")
        elif secret.target in variables:
            hint = "keep one of them"
            yield Fault(path, SECRET_TWICE, f"{shown(secret.target)} is also a plain variable; the secret wins", hint)
        targets.setdefault(secret.target, secret.name)
        yield from lint_secret_name(secret.name, path, provider)


def lint_secret_name(name: str, path: Path, provider: str = "") -> Iterator[Fault]:
    """Yield the lints of a secret's name. ``provider`` is the secrets provider; empty if it is unknown."""
    reason = provider_fault(name, provider)
    if reason is not None:
        yield Fault(path, SECRET_UNFIT, f"{shown(name)} {reason}")
    if name.startswith(RESERVED_PREFIX):
        message = f"{shown(name)} begins with {RESERVED_PREFIX}, which is reserved for the product"
        yield Fault(path, SECRET_RESERVED, message, "use a secret of your own")
    elif name.startswith(OWNED_PREFIXES):
        hint = "use a name of your own"
        yield Fault(path, SECRET_OWNED, f"{shown(name)} is named like the product's own secrets", hint)
