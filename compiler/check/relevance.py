"""Skip documents that cannot affect findings: they are counted, but not parsed.

Only documents that begin with ``apiVersion`` and ``kind`` on two plain lines are skipped. They are objects of other
programs, whose faults are not reported. The documents in this table are parsed although they begin so:

| mark | why it matters |
| --- | --- |
| kinds of the operator, and lists of any kind | they are checked, and reported if their group is misspelt |
| the name of the product, its API group, groups of ``crds:`` | it may install the operator or hold its objects |
| ConfigMap, Secret, ServiceAccount, Namespace, kinds that create Secrets | references name them |
| kinds of Flux, Argo CD and kustomize, ResourceSet, tests of Chainsaw | they decide what is applied, and where |
| routes, Services, monitors, HelmChart | they use Services of the operator, or install it |
| a HelmRelease whose name contains ``mcp`` | its chart may create a Service with a name that the operator would use |
| a HelmRelease of a chart in a folder | the chart may depend on that of the operator |
| a HelmRelease with a value ``operator`` | its source, which may have any name, may hold the operator's chart |
| a HelmRelease or OCIRepository with an escape | that may hide such a name, or the name of the product |
| ``configMapGenerator`` | it may hold values of the operator's chart |
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

from ..admission.table import checks_of
from ..project.kustomize import DELIVERY_KINDS, has_kustomization_name
from ..reading.template import is_template
from ..workspace.index import CORE_KINDS, SECRET_MAKERS
from ..workspace.other_kind import GROUPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..toolhive.profile import Profile

_NAMING: Final = frozenset({"HelmRelease", "OCIRepository"})
_ESCAPE: Final = r"\\[xuU\n]"
"""Pattern of an escape that can stand for a letter, or of an escaped line break, in double quotes."""
_FOLDER: Final = r"chart[\"']?\s*+:\s*+(?![\"']?[A-Za-z0-9])"
"""Pattern of a HelmRelease whose chart is not stated as a plain name, so it may be in a folder."""
_VALUES: Final = r"operator(?<!\woperator)[\"']?\s*+:[ \t]*+(?![\"']?[A-Z])"
"""Pattern of the key ``operator``, which the values of the operator's chart have. ``operator: Exists`` does not match.

Both patterns begin with a word, because `re` finds such patterns ten times as fast.
"""
_NAME: Final = r"(?s)\nmetadata:\n(?:  [^\n]*+\n)*?  name: (?:&[A-Za-z]++ )?(?!(?:mc?|vm?)\b)(?:(?!mcp)[a-z0-9-])++\n"
"""Pattern of a HelmRelease whose name can be neither a Service name of the operator nor the beginning of one."""
# The patterns below use possessive quantifiers, so hostile text cannot make them backtrack.
_GAPS: Final = r"(?>(?:[ \t]*+(?:#[^\n]*+)?\n)*)"
_END: Final = r"[ \t]*+(?:(?<=[ \t])#[^\n]*+)?\n"
_VERSION: Final = rf"apiVersion: (?!builtin\b)[\w.-]++(?:/[\w.-]++)?{_END}"
_KIND: Final = rf"kind: ([A-Z]\w*+){_END}"
_BEGINNING: Final = re.compile(
    rf"(?:---(?=[ \t\n])[ \t]*+(?:#[^\n]*+)?\n)?{_GAPS}(?:{_VERSION}{_KIND}|{_KIND}{_VERSION})(?=[A-Za-z])", re.ASCII
)
_AMBIGUOUS: Final = r"\r|\n---|\n\.\.\.|\n(?:- )?[\"']?(?:apiVersion|kind)[\"']?[ \t]*:"
"""Pattern of a text that may start another document, or state a second type in a broken document."""


def droppable(texts: Sequence[str], file: str, profile: Profile) -> Sequence[bool]:
    """Return for each part of a file whether it is a single document that cannot affect findings.

    Args:
        texts: The parts of the file, split as kubectl does.
        file: The path of the file. A file with the name of a kustomization is never skipped.
    """
    if has_kustomization_name(file):
        return [False] * len(texts)
    kinds = [_dropped_kind(text, profile) for text in texts]
    # A file with such an object counts as one that may be applied, so the severity of errors in it depends on whether
    # something applies it. Therefore, such an object is only dropped together with the whole file.
    is_whole = None not in kinds
    return [kind is not None and (is_whole or kind not in GROUPS) for kind in kinds]


def _dropped_kind(text: str, profile: Profile) -> str | None:
    """Return the kind of a single document that cannot affect findings by its own text; ``None`` for other texts."""
    beginning = _BEGINNING.match(text)
    if beginning is None:
        return None
    kind = beginning[1] or beginning[2]
    parsed, marks = _marks(profile)
    is_dropped = not (
        kind in parsed
        or kind.endswith("List")
        or any(mark in text for mark in marks)
        or (kind in _NAMING and re.search(_ESCAPE, text) is not None)
        or (kind == "HelmRelease" and (re.search(_NAME, text) is None or _may_install(text)))
        or re.compile(_AMBIGUOUS).search(text, beginning.end() - 1) is not None
        or is_template(text)
    )
    return kind if is_dropped else None


def _may_install(text: str) -> bool:
    return re.search(_FOLDER, text) is not None or re.search(_VALUES, text) is not None


@cache
def _marks(profile: Profile) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the kinds that are never skipped, and the texts whose documents are never skipped."""
    kinds = {*checks_of(profile).table.kinds, *CORE_KINDS, *SECRET_MAKERS, *GROUPS, *DELIVERY_KINDS} - _NAMING
    groups = () if profile.crds is None else profile.crds.groups
    names = (profile.product, profile.api_group.rpartition(".")[0], "configMapGenerator")
    return frozenset(kinds), (*names, *sorted(groups))
