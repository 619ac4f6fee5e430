"""A Kubernetes object among the input: its identity, its defaulted data, and its places in the text."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeAlias, TypeVar

from ..diagnostics.finding import Finding, Note, Rule, Severity, Subject
from ..diagnostics.secret_value import Secrets, secrets_of
from ..toolhive.profile import TOOLHIVE, Profile
from ..toolhive.release import holds
from .stated_reference import Named, names_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Self, TypedDict

    from typing_extensions import TypeVar as DefaultingTypeVar

    from ..diagnostics.doubt import Doubt
    from ..diagnostics.span import Path, Span
    from ..reading.document import Document, Place

    class AnySpec(TypedDict):
        """The spec of a kind that is not known: no field of it can be asked for."""

    SpecT = DefaultingTypeVar("SpecT", default=AnySpec, covariant=True)  # noqa: PLC0105 - it reads better so
else:
    SpecT = TypeVar("SpecT")

Result = TypeVar("Result")
Identity: TypeAlias = "tuple[str, str | None, str]"
"""Kind, namespace and name of a resource."""

UNKNOWN_NAMESPACE = "default"
"""How a namespace that nothing states is printed."""


class Resource(Generic[SpecT]):
    """One object of the input, after admission.

    To the type checker it is generic in the model of its spec: ``Resource[MCPServerSpec]``, and of several kinds
    ``Resource[MCPServerSpec | MCPRemoteProxySpec]``. Of a mere ``Resource`` no field can be read.

    Attributes:
        document: Where it was read from; ``document.data`` is the object as the text states it.
        data: The object as the API server would store it: defaults filled in; of one that it refuses what is sound.
        kind: Its kind, ``MCPServer``, ``Secret``, ….
        name: ``metadata.name``.
        namespace: What the document, its kustomization or the call states; ``None`` where nothing does.
        spec: ``data["spec"]``, or an empty mapping.
        admitted: Whether the API server would store it.
        has_unknown_values: Whether a placeholder stands where its value decides.
        renamed: Fields in another spelling: their path as written, and their name in ``data``.
        doubts: Places that rules skip, as admission has reported what is wrong there.
        refused: The rule about a value which the API server stores and the operator cannot read; `Verdicts` has the
            refusals by other rules.
        origins: What states values that the document does not, by their paths: its namespace, and what is put in place
            of variables.
        profile: The names that the operator goes by.
        roots: Of a copy for some of the outermost kustomizations that lead to its file: these.
        way: Of a copy: what tells it from others of its namespace.
    """

    __slots__ = (
        "_named",
        "_spans",
        "_worked_out",
        "admitted",
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
        "way",
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
        named: tuple[Named, ...] | None = None,
        origins: Mapping[Path, Place] = MappingProxyType({}),
        profile: Profile = TOOLHIVE,
        roots: tuple[str, ...] = (),
        way: str = "",
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
        self.way: Final = way
        self._named = named
        self._spans: dict[tuple[Path, str], Span] = {}
        self._worked_out: dict[Callable[[Any], Any], Any] = {}

    def placed(
        self,
        namespace: str | None,
        profile: Profile = TOOLHIVE,
        decided: Place | None = None,
        roots: tuple[str, ...] = (),
        way: str = "",
    ) -> Resource[SpecT]:
        """Return the resource as one of a workspace, which puts it into ``namespace`` and runs rules over it.

        Args:
            namespace: What the document states, or what decides where it states none.
            profile: The names that the operator goes by.
            decided: Where the namespace is stated, if not in the document.
            roots: As the attribute.
            way: As the attribute.
        """
        origins = self.origins if decided is None else {**self.origins, NAMESPACE: decided}
        return self._with(namespace, profile, origins, roots, way, admitted=self.admitted)

    def repeated(self) -> Resource[SpecT]:
        """Return the resource as the API server refuses it, because another one has its identity."""
        return self._with(self.namespace, self.profile, self.origins, self.roots, self.way, admitted=False)

    def _with(
        self,
        namespace: str | None,
        profile: Profile,
        origins: Mapping[Path, Place],
        roots: tuple[str, ...],
        way: str,
        *,
        admitted: bool,
    ) -> Resource[SpecT]:
        """Return a resource of the same data, which shares what was worked out of that."""
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
            named=self.named,
            origins=origins,
            profile=profile,
            roots=roots,
            way=way,
        )
        resource._spans, resource._worked_out = self._spans, self._worked_out
        return resource

    def __repr__(self) -> str:
        return f"<{self.kind} {self.printed_namespace}/{self.name}>"

    @property
    def named(self) -> tuple[Named, ...]:
        """The names of other objects that it states, in the order of its kind's fields."""
        if self._named is None:
            self._named = names_in(self.kind, self.data)
        return self._named

    @property
    def identity(self) -> Identity:
        """Kind, namespace and name."""
        return self.kind, self.namespace, self.name

    @property
    def declared_at(self) -> tuple[str, int, Path]:
        """The place that declares it, which all copies of a resource have in common."""
        return self.document.file, self.document.index, self.document.prefix

    @property
    def is_file(self) -> bool:
        """Whether this stands for a whole file of another program, which has no name but its path."""
        return self.name == self.document.file

    @property
    def targets(self) -> list[tuple[str, str]]:
        """Kind and name of the objects that it names."""
        return [(one.kind, one.name) for one in self.named]

    @property
    def release(self) -> str:
        """The release by which it is judged."""
        return self.profile.judging_release

    def is_judged(self, *, since: str | None = None, until: str | None = None) -> bool:
        """Return whether what holds from one release on, and no longer in another, holds for it."""
        return holds(since, until, self.release)

    @property
    def metadata(self) -> dict[str, Any]:
        """``metadata``, or an empty mapping where it is not one."""
        metadata = self.data.get("metadata")
        return metadata if isinstance(metadata, dict) else {}

    def entries(self, field: str) -> dict[str, Any]:
        """What a Secret or ConfigMap holds under ``field``; an empty mapping where that is none."""
        entries = self.data.get(field)
        return entries if isinstance(entries, dict) else {}

    @property
    def printed_namespace(self) -> str:
        """The namespace as messages and compiled objects name it."""
        return self.namespace or UNKNOWN_NAMESPACE

    @property
    def subject(self) -> Subject:
        """The identity that findings carry."""
        return Subject(self.kind, self.namespace or UNKNOWN_NAMESPACE, self.name)

    def once(self, work: Callable[[Self], Result]) -> Result:
        """Return ``work`` of this resource, computed once; it must look at nothing else."""
        if work not in self._worked_out:
            self._worked_out[work] = work(self)
        result: Result = self._worked_out[work]
        return result

    def states(self, *path: str | int) -> bool:
        """Return whether the text itself states the field at ``path``, as opposed to the API server's defaults."""
        # What is not stored is not stated either: the text, which may have to be read again, is asked last.
        return _holds(self.data, path) and _holds(self.document.data, self._as_written(path))

    def at(self, path: Path, on: Literal["value", "key"] = "value") -> Span:
        """Return the place of a value, or of its key; where it is missing, of the nearest parent.

        Several findings and notes may stand at one place: it is looked for once.
        """
        span = self._spans.get((path, on))
        if span is None:
            written = self._as_written(path) if self.renamed else path
            span = self.document.key_span(written) if on == "key" else self.document.span(written)
            self._spans[path, on] = span
        return span

    def at_offset(self, path: Path, offset: int, length: int | None = None) -> Span:
        """Return the place of a stretch of the text at ``path``: of ``length``, or of the word at ``offset``."""
        value: Any = self.data
        if _holds(value, path):
            for step in path:
                value = value[step]
        text = value if isinstance(value, str) else None
        return self.document.span_within(self._as_written(path), offset, length, text)

    def pointer(self, path: Path) -> Path:
        """Return the way to a value from the root of the document, as the text has it."""
        written = self._as_written(path) if self.renamed else path
        return self.document.prefix + written

    def is_in_doubt(self, finding: Finding) -> bool:
        """Return whether a rule's finding about this resource may follow from what admission has reported."""
        if finding.path is None or not self.doubts:
            return False
        path = finding.path[len(self.document.prefix) :]
        return any(doubt.covers(path, is_lint=finding.stage == "lint") for doubt in self.doubts)

    def _as_written(self, path: Path) -> Path:
        for written, name in self.renamed:
            if path[: len(written)] == (*written[:-1], name):
                path = (*written, *path[len(written) :])
        return path

    def note(self, message: str, path: Path = ("metadata", "name")) -> Note:
        """Point to a place in this resource from a finding about another."""
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
        """Return a finding about the value (or key) at ``path`` of this resource; ``span`` is its place, if known.

        Where its message names a namespace that something else decides, a note points there.
        """
        if self.origins:
            notes = (*notes, *self._origin_notes(path, message))
        found = rule.finding(
            span or self.at(path, on),
            message,
            document=self.document.index,
            subject=self.subject,
            path=self.pointer(path),
            hint=hint,
            notes=notes,
            severity=severity,
            secrets=self.once(_secrets),
        )
        return found._replace(way=self.way) if self.way else found

    def _origin_notes(self, path: Path, message: str) -> Iterator[Note]:
        namespace = self.origins.get(NAMESPACE)
        if namespace is not None and f'"{self.namespace}"' in message:
            yield Note(f'namespace "{self.namespace}" is set here', namespace.span)
        value = self.origins.get(path)
        if value is not None and path != NAMESPACE:
            yield Note(SUBSTITUTED, value.span)


NAMESPACE: Final[Path] = ("metadata", "namespace")
SUBSTITUTED: Final = "the value comes from here"


def _secrets(resource: Resource[Any]) -> Secrets:
    return secrets_of(resource.data)


def _holds(data: Any, path: Path) -> bool:
    for step in path:
        if isinstance(data, dict):
            if step not in data:
                return False
        elif not (isinstance(data, list) and isinstance(step, int) and step < len(data)):
            return False
        data = data[step]
    return True
