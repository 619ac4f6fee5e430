"""Helm templates, which are no YAML until they are rendered."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mcpcfg.compiler.finding import Finding

_HELM_OBJECT: Final = re.compile(r"\{\{[^{}\n]*(?<!\w)\.(?:Values|Release|Chart|Capabilities)\b")
_ACTION: Final = (
    r"\{\{-?[ \t]*(?:(?:if|else|end|range|with|define|template|block|include|toYaml|tpl)\b|/\*|\$\w+[ \t]*:?=)"
)
_CONTROL: Final = re.compile("^" + _ACTION, re.MULTILINE)
_INDENTED_CONTROL: Final = re.compile(r"[ \t]*" + _ACTION)
_HELM_CALL: Final = re.compile(r"\{\{-?[ \t]*(?:include|template|tpl|toYaml|nindent)\b")


def is_template(text: str) -> bool:
    """Tell whether ``text``, which holds ``{{``, is clearly a Helm template.

    It is where an expression names one of Helm's objects (``.Values``), outside comments, or where a line that begins
    with an action (``{{- if … }}``) stands in the first column, where no text in a value can stand. An expression such
    as ``{{.params.url}}`` is an ordinary value of a composite tool.
    """
    if (text.startswith("{{") or "\n{{" in text) and _CONTROL.search(text):
        return True
    return any(
        not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].lstrip().startswith("#")
        for match in _HELM_OBJECT.finditer(text)
    )


def is_broken_template(text: str, findings: Iterable[Finding]) -> bool:
    """Tell whether what makes ``text`` no YAML is an action of a template on the line that is at fault."""
    lines = text.splitlines()
    return any(
        _INDENTED_CONTROL.match(line) or _HELM_CALL.search(line)
        for finding in findings
        for line in lines[finding.span.line - 1 : finding.span.line]
    )
