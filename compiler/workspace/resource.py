"""A Kubernetes object of the input, with its identity, its defaulted data and its positions in the text."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeAlias, TypeVar

from ..diagnostics.finding import Finding, Note, Rule, Severity, Subject
from ..toolhive.profile import TOOLHIVE, Profile
from ..toolhive.release import holds
from .stated_reference import StatedReference, stated_references

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Self, TypedDict

    from typing_extensions import TypeVar as DefaultingTypeVar

    from ..diagnostics.doubt import Doubt
    from ..diagnostics.secret.source import SecretPlaces
    from ..diagnostics.secret.value import Secrets
    from ..diagnostics.span import Path, Span
    from ..reading.document import Document, Place

    class AnySpec(TypedDict):
        """The spec of an unknown kind; the type checker refuses to read any field of it."""

    SpecT = DefaultingTypeVar("SpecT", default=AnySpec, covariant=True)  # noqa: PLC0105 - it reads better so
else:
    SpecT = TypeVar("SpecT")

Result = TypeVar("Result")
Identity: TypeAlias = "tuple[str, str | None, str]"
"""Kind, namespace and name of a resource."""

UNKNOWN_NAMESPACE = "default"
"""The namespace that messages and compiled objects show if nothing states one."""


class Resource(Generic[SpecT]):
    """An object of the input, as the API server would store it.

    For the type checker, a resource is generic in the model of its spec: ``Resource[MCPServerSpec]``, or
    ``Resource[MCPServerSpec | MCPRemoteProxySpec]`` for several kinds. No field of a plain ``Resource`` can be read.

    Attributes:
        document: The document of the object; ``document.data`` is the object without defaults.
        data: The object with defaults. If the API server refuses the object, only its sound parts.
        kind: Kind such as ``MCPServer`` or ``Secret``.
        namespace: The namespace that the document, its kustomization or the call states; ``None`` if nothing does.
        spec: ``data["spec"]``, or an empty mapping.
        admitted: True if the API server would store the object.
        has_unknown_values: True if a placeholder stands for a value that could change the verdict of admission.
        renamed: Fields in another spelling: the path as written, and the name of the field in ``data``.
        doubts: Places about which admission has reported a fault, so rules skip them.
        refused: The rule that reports a stored value that the operator cannot decode. `Verdicts` has refusals by rules.
        origins: The places of values that the document does not state, by path: the namespace, and values of variables.
        profile: The names and the release of the operator that judges the resource.
        roots: The roots that apply this copy, as `Layout` defines them; empty if the resource is not a copy.
        copy_id: Distinguishes copies of a resource within a namespace; empty if the resource is not a copy.
    """

    __slots__ = (
        "_computed",
        "_spans",
        "_stated_references",
        "admitted",
        "copy_id",
        "data",
        "document",
        "doubts",
        "has_unknown_values",
        "kind",
        "name",
        "namespace",
        "origins",
        "profile",
        "refused",
        "renamed",
        "roots",
        "spec",
    )

    def __init__(  # noqa: PLR0913 - the facts of a resource
        self,
        document: Document,
        data: dict[str, Any],
        kind: str,
        name: str,
        namespace: str | None,
        *,
        admitted: bool = True,
        has_unknown_values: bool = False,
        renamed: tuple[tuple[Path, str], ...] = (),
        doubts: tuple[Doubt, ...] = (),
        refused: str | None = None,
        stated_references: tuple[StatedReference, ...] | None = None,
        origins: Mapping[Path, Place] = MappingProxyType({}),
        profile: Profile = TOOLHIVE,
        roots: tuple[str, ...] = (),
        copy_id: str = "",
    ) -> None:
        self.document: Final = document
        self.data: Final = data
        self.kind: Final = kind
        self.name: Final = name
        self.namespace: Final = namespace
        stated = data.get("spec")
        spec: Any = stated if isinstance(stated, dict) else {}
        self.spec: Final[SpecT] = spec
        self.admitted: Final = admitted
        self.has_unknown_values: Final = has_unknown_values
        self.renamed: Final = renamed
        self.doubts: Final = doubts
        self.refused: Final = refused
        self.origins: Final = origins
        self.profile: Final = profile
        self.roots: Final = roots
        self.copy_id: Final = copy_id
        self._stated_references = stated_references
        self._spans: dict[tuple[Path, str], Span] = {}
        self._computed: dict[Callable[[Any], Any], Any] = {}

    def placed(
        self,
        namespace: str | None,
        profile: Profile = TOOLHIVE,
        namespace_origin: Place | None = None,
        roots: tuple[str, ...] = (),
        copy_id: str = "",
    ) -> Resource[SpecT]:
        """Return a copy of the resource for a workspace, with its namespace and the operator's release.

        Args:
            namespace: The namespace that the document states, or that applies if it states none.
            namespace_origin: The place that states the namespace, if the document does not.
            roots: The roots that apply this copy; empty if the resource is not a copy.
            copy_id: Distinguishes copies of a resource within a namespace; empty if the resource is not a copy.
        """
        origins = self.origins if namespace_origin is None else {**self.origins, NAMESPACE: namespace_origin}
        return self._copy(namespace, profile, origins, roots, copy_id, admitted=self.admitted)

    def repeated(self) -> Resource[SpecT]:
        """Return a copy of the resource that is marked as refused, because it repeats another resource."""
        return self._copy(self.namespace, self.profile, self.origins, self.roots, self.copy_id, admitted=False)

    def _copy(
        self,
        namespace: str | None,
        profile: Profile,
        origins: Mapping[Path, Place],
        roots: tuple[str, ...],
        copy_id: str,
        *,
        admitted: bool,
    ) -> Resource[SpecT]:
        """Return a copy with other attributes, which shares the data and the cache of `once` with this resource."""
        resource: Resource[SpecT] = Resource(
            self.document,
            self.data,
            self.kind,
            self.name,
            namespace,
            admitted=admitted,
            has_unknown_values=self.has_unknown_values,
            renamed=self.renamed,
            doubts=self.doubts,
            refused=self.refused,
            stated_references=self.stated_references,
            origins=origins,
            profile=profile,
            roots=roots,
            copy_id=copy_id,
        )
        resource._spans, resource._computed = self._spans, self._computed
        return resource

    def __repr__(self) -> str:
        return f"<{self.kind} {self.printed_namespace}/{self.name}>"

    @property
    def stated_references(self) -> tuple[StatedReference, ...]:
        """The references that the resource states, not resolved, in the order of the fields of its kind."""
        if self._stated_references is None:
            self._stated_references = stated_references(self.kind, self.data)
        return self._stated_references

    @property
    def identity(self) -> Identity:
        """Kind, namespace and name of the resource."""
        return self.kind, self.namespace, self.name

    @property
    def declared_at(self) -> tuple[str, int, Path]:
        """File, zero-based index of the document, and path in the document; the same for all copies of a resource."""
        return self.document.file, self.document.index, self.document.prefix

    @property
    def is_file(self) -> bool:
        """True if the resource stands for a file of another program. Its name is then the path of the file."""
        return self.name == self.document.file

    @property
    def targets(self) -> list[tuple[str, str]]:
        """Kind and name of each object that the resource refers to."""
        return [(reference.kind, reference.name) for reference in self.stated_references]

    @property
    def release(self) -> str:
        """The release of the operator that judges the resource."""
        return self.profile.judging_release

    def is_judged(self, *, since: str | None = None, until: str | None = None) -> bool:
        """Return whether the judging release is at least ``since`` and before ``until``; ``None`` is no limit."""
        return holds(since, until, self.release)

    @property
    def metadata(self) -> dict[str, Any]:
        """The ``metadata`` of the object; empty if it is not a mapping."""
        metadata = self.data.get("metadata")
        return metadata if isinstance(metadata, dict) else {}

    def entries(self, field: str) -> dict[str, Any]:
        """Return the mapping in ``field`` of a Secret or ConfigMap; empty if the field is not a mapping."""
        entries = self.data.get(field)
        return entries if isinstance(entries, dict) else {}

    @property
    def printed_namespace(self) -> str:
        """The namespace that messages and compiled objects show; ``default`` if none is stated."""
        return self.namespace or UNKNOWN_NAMESPACE

    @property
    def subject(self) -> Subject:
        """The identity of the resource in findings."""
        return Subject(self.kind, self.namespace or UNKNOWN_NAMESPACE, self.name)

    def once(self, work: Callable[[Self], Result]) -> Result:
        """Return ``work(self)``, which is computed only once.

        Copies of the resource share the result, so ``work`` may only read the data and the document.
        """
        if work not in self._computed:
            self._computed[work] = work(self)
        result: Result = self._computed[work]
        return result

    def states(self, *path: str | int) -> bool:
        """Return whether the document states the field at ``path``, rather than the defaults of the API server."""
        # The document may have to be read from its file again, so the stored data is tested first.
        return _holds(self.data, path) and _holds(self.document.data, self._as_written(path))

    def at(self, path: Path, on: Literal["value", "key"] = "value") -> Span:
        """Return the span of a value or of its key. If the value is missing, return the span of the nearest parent.

        Spans are cached, because several findings and notes often point to the same place.
        """
        span = self._spans.get((path, on))
        if span is None:
            written_path = self._as_written(path) if self.renamed else path
            span = self.document.key_span(written_path) if on == "key" else self.document.span(written_path)
            self._spans[path, on] = span
        return span

    def at_offset(self, path: Path, offset: int, length: int | None = None) -> Span:
        """Return the span of a part of the text at ``path``, or of the whole text if its source has escapes or folds.

        Args:
            offset: The start of the part in code points.
            length: The length of the part. Default: the word at ``offset``.
        """
        value: Any = self.data
        if _holds(value, path):
            for step in path:
                value = value[step]
        text = value if isinstance(value, str) else None
        return self.document.span_within(self._as_written(path), offset, length, text)

    def pointer(self, path: Path) -> Path:
        """Return the path of a value from the root of the document, with the field names that the document uses."""
        written_path = self._as_written(path) if self.renamed else path
        return self.document.prefix + written_path

    def is_in_doubt(self, finding: Finding) -> bool:
        """Return whether a finding of a rule may only be a consequence of a fault that admission has reported."""
        if finding.path is None or not self.doubts:
            return False
        path = finding.path[len(self.document.prefix) :]
        return any(doubt.covers(path, is_lint=finding.stage == "lint") for doubt in self.doubts)

    def _as_written(self, path: Path) -> Path:
        """Return the path with the field names that the document uses, such as misspelled ones."""
        for written, name in self.renamed:
            if path[: len(written)] == (*written[:-1], name):
                path = (*written, *path[len(written) :])
        return path

    def note(self, message: str, path: Path = ("metadata", "name")) -> Note:
        """Return a note at a place in this resource, for a finding about another resource."""
        return Note(message, self.at(path))

    def finding(  # noqa: PLR0913 - each argument is one fact of the finding
        self,
        rule: Rule,
        path: Path,
        message: str,
        *,
        hint: str | None = None,
        notes: tuple[Note, ...] = (),
        on: Literal["value", "key"] = "value",
        severity: Severity | None = None,
        span: Span | None = None,
    ) -> Finding:
        """Return a finding about the value, or the key, at ``path``.

        If the message quotes a namespace that the document does not state, or if the value comes from a variable, a
        note points to its origin. ``span`` is the span of the finding, if it differs from that of ``path``.
        """
        if self.origins:
            notes = (*notes, *self._origin_notes(path, message))
        span = span or self.at(path, on)
        finding = rule.finding(
            span,
            message,
            document=self.document.index,
            subject=self.subject,
            path=self.pointer(path),
            hint=hint,
            notes=notes,
            severity=severity,
            hidden=self.once(_places).near(span),
            secrets=self.once(_secrets),
        )
        return finding._replace(copy_id=self.copy_id) if self.copy_id else finding

    def _origin_notes(self, path: Path, message: str) -> Iterator[Note]:
        namespace = self.origins.get(NAMESPACE)
        if namespace is not None and f'"{self.namespace}"' in message:
            yield Note(f'namespace "{self.namespace}" is set here', namespace.span)
        value = self.origins.get(path)
        if value is not None and path != NAMESPACE:
            yield variable_note(value)


NAMESPACE: Final[Path] = ("metadata", "namespace")
POST_BUILD: Final[Path] = ("spec", "postBuild")
"""Path of the block in a Flux Kustomization that gives variables their values."""


def variable_note(origin: Place) -> Note:
    """Return a note that points to the value of a variable, or to the block that gives it none."""
    is_unstated = origin.path == POST_BUILD
    return Note("this gives the variable no value" if is_unstated else "the value comes from here", origin.span)


def _secrets(resource: Resource[Any]) -> Secrets:
    from ..diagnostics.secret.value import secrets_of

    return secrets_of(resource.data)


def _places(resource: Resource[Any]) -> SecretPlaces:
    from ..diagnostics.secret.source import SecretPlaces

    def span_of(path: Path) -> Span | None:
        origin = resource.origins.get(path) if resource.origins else None
        if origin is not None:
            return None if origin.path == POST_BUILD else origin.span
        return resource.at(path) if resource.states(*path) else None

    return SecretPlaces(resource.once(_secrets).paths, span_of)


def _holds(data: Any, path: Path) -> bool:
    for step in path:
        if isinstance(data, dict):
            if step not in data:
                return False
        elif not (isinstance(data, list) and isinstance(step, int) and step < len(data)):
            return False
        data = data[step]
    return True
