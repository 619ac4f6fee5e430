"""The words for what does not hold in every release of the operator, and the declaration of a kind.

Where nothing is stated, a fact holds in all releases::

    obo: Annotated[OBOConfig, "For type obo.", Since("0.29.0")]
    userInfo: Annotated[UserInfoConfig, "Who the user is.", During(Required, until="0.26.0")]
    type: Annotated[Literal["oidc", "obo"], "The way.", ValuesSince("0.29.0", "obo")]

``since`` is the first release with a fact, ``until`` the first one without it. A ``Cel`` bears both itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
    """A fact of the field that holds in some releases: a constraint, a description, ``Required``."""

    fact: Any
    since: str | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True)
class ValuesSince:
    """Texts of the field's ``Literal`` that it allows from a release on."""

    release: str
    values: tuple[str, ...]

    def __init__(self, release: str, *values: str) -> None:
        object.__setattr__(self, "release", release)
        object.__setattr__(self, "values", values)


@dataclass(frozen=True, slots=True)
class Column:
    """One of a kind's ``additionalPrinterColumns``.

    Attributes:
        name: The heading.
        type: ``string``, ``integer``, ``boolean``, ``date``.
        path: The JSON path of the value.
        since: The first release that has it.
        until: The first release that no longer has it.
    """

    name: str
    type: str
    path: str
    since: str | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """One Kubernetes kind.

    Attributes:
        name: ``MCPServer``.
        plural: As in URLs, ``mcpservers``.
        short_names: What kubectl accepts besides.
        description: One sentence for schemas and pages.
        spec: The model of ``spec``.
        status: The model of ``status``.
        columns: What kubectl lists.
        since: The first release that has the kind.
        deprecated_since: The first release that deprecates the kind itself, in all its versions.
        only_first_version: Whether it is served as v1alpha1 alone.
    """

    name: str
    plural: str
    short_names: tuple[str, ...]
    description: str
    spec: type
    status: type
    columns: tuple[Column, ...] = ()
    since: str | None = None
    deprecated_since: str | None = None
    only_first_version: bool = False
