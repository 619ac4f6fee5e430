"""Load CRDs of the user, from the option ``--crds`` or the setting ``crds``, and compile them for admission."""

from __future__ import annotations

import marshal
import os
import sys
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from ..admission.definition import Definition, DefinitionFault, compile_definition, is_definition
from ..admission.definitions import Definitions, unevaluated
from ..diagnostics import file_path
from ..diagnostics.finding import rule
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.span import InputError, Span
from ..diagnostics.version import VERSION
from ..disk import cache_file
from ..disk.cache import code
from ..disk.files import find_files, read_whole, stdin_bytes
from ..disk.stamp import digest
from ..reading.document import read_documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..diagnostics.finding import Finding
    from ..reading.document import Document

UNUSABLE_DEFINITION = rule(
    "ADM094 unusable-crd", "admission", "A CRD that cannot be used to admit objects", unmodelled="all"
)
UNEVALUATED_RULE = rule("ADM095 crd-rule-not-evaluated", "lint", "CEL rules of a CRD that mcpcfg does not evaluate")

_MOST_BYTES: Final = 64 * 1024 * 1024
"""Maximum size of all CRDs of a call. The largest known projects have 6 MiB."""
_STANDARD_INPUT: Final = ("-", "<stdin>")
"""The path that stands for standard input, and its name in findings."""
_MARK: Final = b"CustomResourceDefinition"
_PLACE: Final = ("metadata", "name")


class _CompiledFile(NamedTuple):
    """The compiled CRDs of one file, and the findings about the file."""

    definitions: Sequence[Definition]
    findings: Sequence[Finding]


def load(paths: Iterable[str], cache_folder: str | None = None) -> Definitions:
    """Read and compile the CRDs of files and folders.

    Args:
        paths: CRD files, folders whose YAML and JSON files are searched for CRDs, or ``-`` for standard input.
        cache_folder: Folder of the cache for compiled CRDs; ``None`` to use none. The key is a digest of all texts.
            CRDs with findings are compiled each time.

    Raises:
        InputError: A path does not exist, cannot be read or has no CRD, or the CRDs are larger than 64 MiB together.
    """
    texts = dict(_texts(paths))
    key = digest(b"".join(digest(name.encode()) + digest(text) for name, text in sorted(texts.items())))
    cache_path = cache_folder and file_path.join(cache_folder, f"crds-{key.hex()}")
    cache_key = digest(repr((VERSION, code(), marshal.version)).encode())
    stored = cache_file.read(cache_path, cache_key) if cache_path else None
    if stored is not None:
        definitions = [Definition(*fields) for fields in marshal.loads(stored[0])]  # noqa: S302 - authenticated, so mcpcfg wrote it
        return Definitions(definitions, key.hex())
    compiled = [_compile_file(text, name) for name, text in texts.items()]
    definitions = [definition for file in compiled for definition in file.definitions]
    findings = [finding for file in compiled for finding in file.findings]
    # The cache has no findings, so CRDs with findings are compiled each time.
    if cache_path and not findings:
        cache_file.write(cache_path, cache_key, [[marshal.dumps([tuple(definition) for definition in definitions])]])
    return Definitions(definitions, key.hex(), tuple(findings))


class ReadDefinitions(NamedTuple):
    """The CRDs of one API group, as plain data by kind, and the findings about those that admit nothing.

    Attributes:
        other_count: Number of CRDs of other API groups.
    """

    by_kind: dict[str, dict[str, Any]]
    findings: list[Finding]
    other_count: int


def read_definitions(paths: Iterable[str], group: str) -> ReadDefinitions:
    """Read the CRDs of an API group that the API server would accept. If two define a kind, the first one counts.

    Raises:
        InputError: A path does not exist, cannot be read or has no CRD, or the CRDs are larger than 64 MiB together.
    """
    read = ReadDefinitions({}, [], 0)
    for name, text in _texts(paths):
        documents, findings = read_documents(text, name)
        read.findings.extend(findings)
        for element in (element for document in documents for element in document.elements()):
            if not is_definition(element.data):
                continue
            spec = element.data.get("spec")
            if isinstance(spec, dict) and spec.get("group") != group:
                read = read._replace(other_count=read.other_count + 1)
                continue
            definition = compile_definition(element.data)
            if isinstance(definition, DefinitionFault):
                read.findings.append(_unusable_finding(element, definition))
            else:
                read.by_kind.setdefault(definition.kind, element.data)
    return read


def _texts(paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the path and the content of each file that may contain a CRD.

    Files without the text ``CustomResourceDefinition`` are skipped. A file with a NUL byte is kept, because it may be
    UTF-16, where the search for these bytes fails.
    """
    bytes_left = _MOST_BYTES
    for path in paths:
        is_empty = True
        for name, text in _texts_of(path):
            if _MARK not in text and b"\0" not in text:
                continue
            is_empty = False
            bytes_left -= len(text)
            if bytes_left < 0:
                raise InputError(f"{path}: CRDs of more than {_MOST_BYTES // 1024 // 1024} MiB are not read")
            yield name, text
        if is_empty:  # such as the output of a command that failed: the check would seem to have used its CRDs
            place = "standard input" if path == _STANDARD_INPUT[0] else path
            raise InputError(f"{place} has no CustomResourceDefinition")


def _texts_of(path: str) -> Iterator[tuple[str, bytes]]:
    if path == _STANDARD_INPUT[0]:
        yield _STANDARD_INPUT[1], _standard_input(sys.stdin)
        return
    if not os.path.lexists(path):
        raise InputError(f"no such file or folder: {path}")
    yield from ((file.path, read_whole(file.path)) for file in find_files((path,), base=path))


# A call may load its CRDs several times, such as for --watch and --changed-since, but can read the stream only once.
@lru_cache(maxsize=1)
def _standard_input(stream: object) -> bytes:
    del stream  # only tells two calls in one process apart
    return stdin_bytes()


def _compile_file(text: bytes, file: str) -> _CompiledFile:
    documents, findings = read_documents(text, file)
    definitions: list[Definition] = []
    for document in documents:
        for element in document.elements():
            if not is_definition(element.data):
                continue
            definition = compile_definition(element.data)
            if isinstance(definition, DefinitionFault):
                findings.append(_unusable_finding(element, definition))
                continue
            definitions.append(definition)
            findings += _unevaluated_findings(element, definition)
    return _CompiledFile(definitions, findings)


def _unusable_finding(document: Document, fault: DefinitionFault) -> Finding:
    message = f"the CRD admits nothing: {fault.message}"
    return _finding(document, UNUSABLE_DEFINITION, message, fault.path)


def _unevaluated_findings(document: Document, definition: Definition) -> Iterator[Finding]:
    rules = unevaluated(definition)
    if not rules:
        return
    text, why = rules[0]
    count = "a rule" if len(rules) == 1 else f"{len(rules)} rules"
    # A long rule is cut, so that the message stays readable.
    message = f"{count} of {definition.name} cannot be evaluated here: {' '.join(text.split())[:80]!r}: {why}"
    yield _finding(document, UNEVALUATED_RULE, message, _PLACE)


def _finding(document: Document, rule: Any, message: str, path: Sequence[Any]) -> Finding:
    existing = tuple(path)
    while existing and not document.has(existing):
        existing = existing[:-1]
    span: Span = document.span(existing or ("kind",))
    return rule.finding(span, message, document=document.index)  # type: ignore[no-any-return] # a rule makes findings
