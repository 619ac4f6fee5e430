"""What a document is: its kind, its version and its group, where they are not plainly ours."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from mcpcfg.compiler.finding import Finding, Rule, Subject
from mcpcfg.compiler.kube.fault import shown
from mcpcfg.compiler.reading.placeholder import is_placeholder
from mcpcfg.compiler.profile import LATER_VERSION, Profile

from .hint import similar
from . import rule_identity
from .rule_identity import MISSING_TYPE, UNKNOWN_KIND, UNKNOWN_VERSION, WRONG_API_GROUP
from .table import KINDS

if TYPE_CHECKING:
    from mcpcfg.compiler.document import Document
    from mcpcfg.compiler.source import Path

_RESEMBLANCE = 0.85
"""Share of its letters that a group has in common with ours to be taken for a slip."""
_LIST = "List"


def subject_of(data: Any, namespace: str) -> Subject:
    """Give the identity of an object as findings name it, as far as it states one."""
    metadata = data.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    return Subject(
        _text(data.get("kind")), _text(metadata.get("namespace")) or namespace, _text(metadata.get("name"))
    )


def identity_findings(document: Document, profile: Profile, namespace: str) -> list[Finding]:
    """Tell an object that is nearly one of ours; none for the objects of others."""
    data = document.data
    kind, api_version = data.get("kind"), data.get("apiVersion")
    if any(isinstance(one, str) and is_placeholder(one) for one in (kind, api_version)):
        return []
    subject = subject_of(data, namespace)

    def finding(rule: Rule, place: Path, message: str, hint: str | None) -> list[Finding]:
        span = document.span(place) if document.has(place) else document.span(("kind",))
        path = document.prefix + (place if document.has(place) else ())
        return [rule.finding(span, message, document=document.index, subject=subject, path=path, hint=hint)]

    ours = isinstance(kind, str) and kind.removesuffix(_LIST) in KINDS
    if not isinstance(api_version, str) or not api_version:
        if not ours:
            return []
        message = f"{kind} has no apiVersion" if api_version in (None, "") else "apiVersion is no text"
        return finding(MISSING_TYPE, ("apiVersion",), message, f"write apiVersion: {profile.api_version()}")
    group, _, version = api_version.rpartition("/")
    if group != profile.api_group:
        if ours and _resembles(group, profile.api_group):
            message = f"{kind} is not of the API group {shown(group)}" if group else f"{kind} needs an API group"
            return finding(WRONG_API_GROUP, ("apiVersion",), message, f"write {profile.api_version()}")
        return []
    if not isinstance(kind, str) or not kind:
        message = f"an object of {group} has no kind" if kind in (None, "") else "kind is no text"
        return finding(MISSING_TYPE, ("kind",), message, None)
    if not ours:
        meant = similar(kind, KINDS)
        message = f"{group} has no kind {shown(kind)}"
        return finding(UNKNOWN_KIND, ("kind",), message, None if meant is None else f'did you mean "{meant}"?')
    if not profile.serves(api_version) and version != LATER_VERSION:
        message = f"{group} has no version {shown(version)}"
        return finding(UNKNOWN_VERSION, ("apiVersion",), message, f"write {profile.api_version()}")
    return []


def later_version_finding(document: Document, namespace: str) -> Finding:
    """Tell that a document is of a later version; the caller tells it once in a run."""
    return rule_identity.LATER_VERSION.finding(
        document.span(("apiVersion",)),
        f"{shown(document.data['apiVersion'])} is read by the schemas of the operator v0.21.0",
        document=document.index,
        subject=subject_of(document.data, namespace),
        path=(*document.prefix, "apiVersion"),
    )


def _resembles(group: str, ours: str) -> bool:
    """Tell whether ``group`` is missing, differs in its last part only, or in a few letters."""
    if not group or group.rpartition(".")[0] == ours.rpartition(".")[0]:
        return True
    same = sum(block.size for block in SequenceMatcher(None, group[:253], ours, autojunk=False).get_matching_blocks())
    return 2 * same / (len(group[:253]) + len(ours)) >= _RESEMBLANCE


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
