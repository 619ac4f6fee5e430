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

SECRET_FORM = rule(
    "PRM020 secret-reference-malformed", "process", "A reference to a secret cannot be read", is_secret=True
)
SECRET_TARGET = rule(
    "PRM021 secret-target-unusable", "lint", "The target of a secret is not a valid name of an environment variable"
)
SECRET_TWICE = rule("PRM022 secret-target-twice", "lint", "A secret sets a variable that is already set")
SECRET_RESERVED = rule("PRM023 secret-name-reserved", "lint", "The name of a secret is reserved")
SECRET_OWNED = rule(
    "PRM024 secret-name-owned", "lint", "The name of a secret is one that the product generates itself", severity="info"
)
SECRET_UNFIT = rule("PRM025 secret-name-unfit", "lint", "The name of a secret does not fit its provider")


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
