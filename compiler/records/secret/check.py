"""What is doubtful in the secrets of a workload, and how they clash with its plain variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...diagnostics.shown import shown
from ..catalogue import permission as rule
from ..fault import Fault
from .reference import OWNED_PREFIXES, RESERVED_PREFIX, is_environment_name, provider_fault

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from ...diagnostics.span import Path
    from .reference import SecretReference


def lint_secrets(
    secrets: Iterable[tuple[Path, SecretReference]], variables: Container[str], provider: str = ""
) -> Iterator[Fault]:
    """Look at secrets, each with its place, beside the names of the plain variables.

    No value is ever shown: names and targets alone are.
    """
    targets: dict[str, str] = {}
    for path, secret in secrets:
        if not is_environment_name(secret.target):
            yield Fault(path, rule.SECRET_TARGET.id, f"{shown(secret.target)} is no name of a variable")
        if secret.target in targets:
            message = f"{shown(secret.target)} gets the secret {shown(targets[secret.target])} too"
            yield Fault(path, rule.SECRET_TWICE.id, message)
        elif secret.target in variables:
            yield Fault(path, rule.SECRET_TWICE.id, f"{shown(secret.target)} is a plain variable too; the secret wins")
        targets.setdefault(secret.target, secret.name)
        yield from lint_secret_name(secret.name, path, provider)


def lint_secret_name(name: str, path: Path, provider: str = "") -> Iterator[Fault]:
    """Look at the name of a secret that a user chose, for the provider that keeps it where it is known."""
    reason = provider_fault(name, provider)
    if reason is not None:
        yield Fault(path, rule.SECRET_UNFIT.id, f"{shown(name)} {reason}")
    if name.startswith(RESERVED_PREFIX):
        message = f"{shown(name)} begins with {RESERVED_PREFIX}, which is kept for the product"
        yield Fault(path, rule.SECRET_RESERVED.id, message)
    elif name.startswith(OWNED_PREFIXES):
        yield Fault(path, rule.SECRET_OWNED.id, f"{shown(name)} is named as the product names its own secrets")
