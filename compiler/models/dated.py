"""Annotations for facts that apply only in some releases of the operator, and the declaration of a kind.

A fact without such an annotation applies in all releases::

    obo: Annotated[OBOConfig, "For type obo.", Since("0.29.0")]
    userInfo: Annotated[UserInfoConfig, "Who the user is.", During(Required, until="0.26.0")]
    type: Annotated[Literal["oidc", "obo"], "The method.", ValuesSince("0.29.0", "obo")]

``since`` is the first release with a fact, ``until`` the first release without it. ``Cel`` has both as attributes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Since:
    """The first release that has the field."""

    release: str


@dataclass(frozen=True, slots=True)
class Until:
    """The first release that no longer has the field."""

    release: str


@dataclass(frozen=True, slots=True)
class During:
    """A constraint, a description or ``Required`` that applies to the field only in some releases.

    Attributes:
        fact: The annotation that applies in these releases.
        since: The first release with the fact; ``None`` for the oldest release.
        until: The first release without the fact; ``None`` if the fact still applies.
    """

    fact: Any
    since: str | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True)
class ValuesSince:
    """Values of the field's ``Literal`` that only this release and later ones allow."""

    release: str
    values: tuple[str, ...]

    def __init__(self, release: str, *values: str) -> None:
        object.__setattr__(self, "release", release)
        object.__setattr__(self, "values", values)


@dataclass(frozen=True, slots=True)
class Column:
    """One entry of a kind's ``additionalPrinterColumns``.

    Attributes:
        name: The heading.
        type: ``string``, ``integer``, ``boolean`` or ``date``.
        path: JSON path of the value.
        since: The first release with the column; ``None`` for the oldest release.
        until: The first release without the column; ``None`` if it still exists.
    """

    name: str
    type: str
    path: str
    since: str | None = None
    until: str | None = None


FORMER_SHORT_NAMES_UNTIL: Final = "0.50.0"
"""The first release without the short names that differ from the name of the kind in capital letters alone."""


@dataclass(frozen=True, slots=True)
class Kind:
    """The declaration of a Kubernetes kind.

    Attributes:
        name: The name in CamelCase: ``MCPServer``.
        plural: The plural in URLs: ``mcpservers``.
        short_names: Other names that kubectl accepts.
        former_short_names: Other names that kubectl accepted before ``FORMER_SHORT_NAMES_UNTIL``.
        description: One sentence for schemas and reference pages.
        spec: The model of ``spec``.
        status: The model of ``status``.
        columns: The columns of ``kubectl get``.
        since: The first release with the kind; ``None`` for the oldest release.
        deprecated_since: The first release that deprecates all versions of the kind; ``None`` if none does.
        only_first_version: True if v1alpha1 is the only version of the kind.
    """

    name: str
    plural: str
    short_names: tuple[str, ...]
    description: str
    spec: type
    status: type
    columns: tuple[Column, ...] = ()
    former_short_names: tuple[str, ...] = ()
    since: str | None = None
    deprecated_since: str | None = None
    only_first_version: bool = False
