"""Read the declared kinds with the models of their specs and statuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..models.kind import kinds_of
from .declaration import DeclarationReader
from .model import Model, ModelField, Value

if TYPE_CHECKING:
    from ..models.dated import Kind


@dataclass(frozen=True, slots=True)
class ReadKind:
    """A kind with its models, as they apply to one release.

    Attributes:
        parts: Fields besides ``metadata``: ``spec`` and ``status``.
    """

    kind: Kind
    spec: Model
    parts: tuple[ModelField, ...]


def read_kinds(release: str) -> list[ReadKind]:
    """Return the kinds of a release as the API server sees them, in order of name."""
    reader = DeclarationReader(of_crd=True, release=release)
    return [read_kind(reader, kind) for kind in kinds_of(release)]


def read_kind(reader: DeclarationReader, kind: Kind) -> ReadKind:
    """Return a kind with the models of its spec and status, read by ``reader``."""
    spec, status = reader.model(kind.spec), reader.model(kind.status)
    return ReadKind(
        kind,
        spec,
        (
            ModelField(
                key="spec", value=Value(type="object", model=spec, preserve=spec.preserve), description=spec.description
            ),
            ModelField(
                key="status",
                value=Value(type="object", model=status, preserve=status.preserve),
                description=f"{status.description} Only the operator writes it.",
            ),
        ),
    )
