"""Choose the cloud role of a user with the mappings of a resource or file: ``simulate role``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .subject import QuestionError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..role import RoleChoice
    from .subject import AnswerSubject

KINDS = ("MCPExternalAuthConfig", "MCPServer", "MCPRemoteProxy")


def choice(subject: AnswerSubject, name: str, claims: Mapping[str, Any]) -> RoleChoice:
    """Return the role that the mappings of the subject give to a user with these claims.

    ``name`` is the name of the subject for messages.

    Raises:
        QuestionError: The subject has no ``awsSts`` block, and refers to no MCPExternalAuthConfig with this block.
    """
    from ..role import choose_role

    return choose_role(_config(subject, name), claims)


def can_be_subject(data: dict[str, Any]) -> bool:
    """Return whether a document that is not a resource has role mappings."""
    return isinstance(data.get("aws_sts_config"), dict) or "role_mappings" in data or "fallback_role_arn" in data


def _config(given: AnswerSubject, name: str) -> dict[str, Any]:
    if given.resource is None:
        inner = given.data.get("aws_sts_config")
        return inner if isinstance(inner, dict) else given.data
    config = given.resource
    if config.kind != "MCPExternalAuthConfig":
        target = given.workspace.target(config, "spec", "externalAuthConfigRef", "name")
        if target is None:
            raise QuestionError(f"{name} refers to no MCPExternalAuthConfig among the files")
        config = target
    block = config.spec.get("awsSts")
    if not isinstance(block, dict):
        raise QuestionError(
            f'MCPExternalAuthConfig "{config.name}" is of type {config.spec.get("type")}; roles are chosen by awsSts'
        )
    from ..role import config_of_spec

    return config_of_spec(block)
