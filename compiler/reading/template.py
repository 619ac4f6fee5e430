"""Helm templates, which are no YAML until they are rendered."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from .bound import may_be_deep
from .excerpt import excerpts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from mcpcfg.compiler.finding import Finding

    from .excerpt import Excerpt

_HELM_OBJECT: Final = re.compile(r"\{\{[^{}\n]*(?<!\w)\.(?:Values|Release|Chart|Capabilities)\b")
# Compiled where a line begins with an action, or a text is no YAML.
_ACTION: Final = (
    r"\{\{-?[ \t]*(?:(?:if|else|end|range|with|define|template|block|include|toYaml|tpl)\b|/\*|\$\w+[ \t]*:?=)"
)
_CONTROL: Final = "(?m:^)" + _ACTION


def is_template(text: str) -> bool:
    """Tell whether ``text``, which holds ``{{``, is clearly a Helm template.

    It is where an expression names one of Helm's objects (``.Values``), outside comments, or where a line that begins
    with an action (``{{- if … }}``) stands in the first column, where no text in a value can stand. An expression such
    as ``{{.params.url}}`` is an ordinary value of a composite tool.
    """
    if (text.startswith("{{") or "\n{{" in text) and re.search(_CONTROL, text):
        return True
    return any(
        not text[text.rfind("\n", 0, match.start()) + 1 : match.start()].lstrip().startswith("#")
        for match in _HELM_OBJECT.finditer(text)
    )


def is_broken_template(text: str, findings: Iterable[Finding]) -> bool:
    """Tell whether ``text``, which is no YAML, has an action of a template where YAML expects a value of its own.

    One inside a quoted value or a block of text says nothing; one that the reader took for a mapping in braces, or at
    which it gave up, does.
    """
    lines = text.splitlines()
    at_fault = (lines[finding.span.line - 1].strip() for finding in findings if finding.span.line <= len(lines))
    action = re.compile(_ACTION)
    return any(action.match(line) for line in at_fault) or any(
        action.match(text, start) for excerpt in excerpts(text, "") for start in _braces(excerpt)
    )


def _braces(excerpt: Excerpt) -> Iterator[int]:
    """Yield where mappings in braces begin, as far as the excerpt is YAML."""
    # Loaded for texts that are no YAML only: many sound ones have expressions in braces.
    from yaml.events import MappingStartEvent, StreamEndEvent

    from .parser import YAMLError, event_parser, extent_of

    body = excerpt.body
    if "{{" not in body or may_be_deep(body):
        return
    with suppress(YAMLError, UnicodeError):
        parser = event_parser(body)
        while type(event := parser.get_event()) is not StreamEndEvent:
            if type(event) is MappingStartEvent and event.flow_style:
                yield excerpt.start + extent_of(event)[0]
