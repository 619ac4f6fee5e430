"""The CRDs that a call or the configuration names: files to what admits objects by them."""

from __future__ import annotations

import marshal
import os
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..admission.definition import Definition, DefinitionFault, compile_definition, is_definition
from ..admission.definitions import Definitions, unevaluated
from ..diagnostics import file_path
from ..diagnostics.finding import rule
from ..diagnostics.span import InputError, Span
from ..diagnostics.version import VERSION
from ..disk.files import find_files, read_whole
from ..disk.stamp import digest
from ..reading.document import read_documents
from ..speed import cache_file
from ..speed.cache import code

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ..diagnostics.finding import Finding
    from ..reading.document import Document

UNUSABLE_DEFINITION = rule(
    "ADM094",
    "unusable-crd",
    "A CRD that cannot be used to admit objects",
    stage="admission",
    unmodelled="all",
    checks="A CRD named by `--crds` or `crds` that cannot be read, that has no schema, or whose schema the API server"
    " refuses: no type, a pattern that is not a regular expression, a version other than `apiextensions.k8s.io/v1`.",
    why="The API server refuses it as well, and objects of its kind are not checked.",
    example="""
        apiVersion: apiextensions.k8s.io/v1beta1
        kind: CustomResourceDefinition
        """,
    fix="Use the CRD from a release of the program that it belongs to.",
    source='Kubernetes, "Extend the Kubernetes API with CustomResourceDefinitions".',
)
UNEVALUATED_RULE = rule(
    "ADM095",
    "crd-rule-not-evaluated",
    "CEL rules of a CRD that mcpcfg does not evaluate",
    stage="lint",
    checks="A CRD named by `--crds` or `crds` with CEL rules that use a function or syntax that mcpcfg does not"
    " evaluate, or that do not fit their schema. Reported once for each CRD.",
    why="The API server may refuse an object because of such a rule, and mcpcfg does not notice.",
    example='rule: "self.items == google.protobuf.ListValue{}"',
    fix="Nothing has to be changed; turn the rule off if you accept the gap.",
    source="Kubernetes, validation rules of custom resources (`x-kubernetes-validations`).",
)

_MOST_BYTES: Final = 64 * 1024 * 1024
"""Of all CRDs of a call; the largest known projects have 6 MiB."""
_MARK: Final = b"CustomResourceDefinition"
_PLACE: Final = ("metadata", "name")


class _Compiled(NamedTuple):
    """What is known of one file.

    Attributes:
        definitions: Its CRDs.
        findings: What is wrong with them, and with the text.
    """

    definitions: Sequence[Definition]
    findings: Sequence[Finding]


def load(paths: Iterable[str], *, is_kept: bool = False) -> Definitions:
    """Read and compile the CRDs of files and folders.

    Args:
        paths: Of a folder every YAML and JSON file below it counts; what is no CRD in it is left alone.
        is_kept: Whether compiled CRDs are kept for later calls, under the digest of their texts.

    Raises:
        InputError: A path does not exist or cannot be read, or all together are too large.
    """
    texts = dict(_texts(paths))
    key = digest(b"".join(digest(name.encode()) + digest(text) for name, text in sorted(texts.items())))
    place = file_path.join(cache_file.folder(), f"crds-{key.hex()}")
    basis = digest(repr((VERSION, code(), marshal.version)).encode())
    known = cache_file.read(place, basis) if is_kept else None
    if known is not None:
        definitions = [Definition(*one) for one in marshal.loads(known[0])]  # noqa: S302 - as we wrote it
        return Definitions(definitions, key.hex())
    compiled = [_compiled(text, name) for name, text in texts.items()]
    definitions = [one for each in compiled for one in each.definitions]
    findings = [one for each in compiled for one in each.findings]
    if is_kept and not findings:
        cache_file.write(place, basis, [[marshal.dumps([tuple(one) for one in definitions])]])
    return Definitions(definitions, key.hex(), tuple(findings))


def _texts(paths: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the name and the text of each file that may hold a CRD."""
    left = _MOST_BYTES
    for path in paths:
        if not os.path.lexists(path):
            raise InputError(f"no such file or folder: {path}")
        for found in find_files((path,), base=path):
            text = read_whole(found.path)
            if _MARK not in text and b"\0" not in text:
                continue
            left -= len(text)
            if left < 0:
                raise InputError(f"{path}: CRDs of more than {_MOST_BYTES // 1024 // 1024} MiB are not read")
            yield found.path, text


def _compiled(text: bytes, file: str) -> _Compiled:
    documents, findings = read_documents(text, file)
    definitions: list[Definition] = []
    for document in documents:
        for element in document.elements():
            if not is_definition(element.data):
                continue
            found = compile_definition(element.data)
            if isinstance(found, DefinitionFault):
                findings.append(_unusable(element, found))
                continue
            definitions.append(found)
            findings += _unevaluated(element, found)
    return _Compiled(definitions, findings)


def _unusable(document: Document, fault: DefinitionFault) -> Finding:
    message = f"the CRD admits nothing: {fault.message}"
    return _finding(document, UNUSABLE_DEFINITION, message, fault.path)


def _unevaluated(document: Document, definition: Definition) -> Iterator[Finding]:
    found = unevaluated(definition)
    if not found:
        return
    text, why = found[0]
    count = "a rule" if len(found) == 1 else f"{len(found)} rules"
    message = f"{count} of {definition.name} cannot be evaluated here: {' '.join(text.split())[:80]!r}: {why}"
    yield _finding(document, UNEVALUATED_RULE, message, _PLACE)


def _finding(document: Document, rule: Any, message: str, path: Sequence[Any]) -> Finding:
    place = tuple(path)
    while place and not document.has(place):
        place = place[:-1]
    span: Span = document.span(place or ("kind",))
    return rule.finding(span, message, document=document.index)  # type: ignore[no-any-return] # a rule makes findings
