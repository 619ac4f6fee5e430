"""The page of a rule: the sections below a heading of ``validators/pages/TOPIC.md``."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Final

from .named_tuple import NamedTuple
from .version import RECORDED

if TYPE_CHECKING:
    from collections.abc import Callable

_FOLDER: Final = FilePath(__file__).parents[2] / "validators" / "pages"
_OPERATOR: Final = "https://github.com/stacklok/toolhive/blob"
"""The repository that a link such as ``toolhive:pkg/runner`` or ``toolhive@0.44.0:pkg/runner`` leads to."""

_RULE: Final = r"(?m)^## ([A-Z]{3}\d{3}) (\S+)\n"
_SECTION: Final = r"(?m)^### (.*)\n"
_FENCE: Final = r"(?ms)^```(\w+) ?(\S*)\n(.*?)^```$"
_LINK: Final = r"\[([^\]]+)\]\((\S+)\)"
_SHORT_LINK: Final = r"\]\(toolhive(?:@([\d.]+))?:"
_WRAP: Final = r"(?<!\n)\n *(?![-\n ])"
"""A line break within a paragraph or an item of a list."""


class Example(NamedTuple):
    """Code on a page that a test runs.

    Attributes:
        language: Language of the code, such as ``yaml``.
        place: Place of the code, such as ``MCPServer.spec``; empty for a whole file.
    """

    text: str
    language: str
    place: str

    def __str__(self) -> str:
        from textwrap import indent

        return indent(self.text, "    ")

    def respelt(self, spell: Callable[[str], str]) -> Example:
        """Return the example with the names of another edition; ``spell`` is `Profile.spell`."""
        return Example(spell(self.text), self.language, spell(self.place))

    def markdown(self) -> str:
        """Return the code as a block of Markdown, below a sentence about its place."""
        place = f"In `{self.place}`:\n\n" if self.place else ""
        return f"{place}```{self.language}\n{self.text}\n```"


class Page(NamedTuple):
    """The sections that ``mcpcfg explain`` prints about a rule, in Markdown with each paragraph on one line.

    Attributes:
        checks: The fault that the rule reports, and its place.
        why: The consequence of the fault, and when it occurs.
        wrong: A file, or a part of a file, that has the fault.
        right: The same without the fault; ``None`` if no text can show that.
        fix: The change that removes the fault.
        source: Links to the specification or the code of the behavior.
    """

    checks: str
    why: str
    wrong: Example
    right: Example | None
    fix: str
    source: str

    def __str__(self) -> str:
        place = f", in {self.wrong.place}" if self.wrong.place else ""
        sections = [
            ("What it checks", self.checks),
            ("Why this matters", self.why),
            (f"Wrong{place}", f"\n\n{self.wrong}"),
            *([("Right", f"\n\n{self.right}")] if self.right is not None else []),
            ("Fix", self.fix),
            ("Source", self.source),
        ]
        gaps = {"\n": "", "-": "\n\n"}
        texts = (f"{heading}:{gaps.get(text[0], ' ')}{text}" for heading, text in sections)
        return without_links("\n\n".join(texts)) + "\n"

    def markdown(self) -> str:
        """Return the page as Markdown with headings of the second level."""
        right = [("Right", self.right.markdown())] if self.right is not None else []
        first = [("What it checks", self.checks), ("Why this matters", self.why), ("Wrong", self.wrong.markdown())]
        sections = [*first, *right, ("Fix", self.fix), ("Source", self.source)]
        return "\n\n".join(f"## {heading}\n\n{text}" for heading, text in sections) + "\n"

    def respelt(self, spell: Callable[[str], str]) -> Page:
        """Return the page with the names of another edition; ``spell`` is `Profile.spell`."""
        wrong, right = self.wrong.respelt(spell), self.right and self.right.respelt(spell)
        return Page(spell(self.checks), spell(self.why), wrong, right, spell(self.fix), spell(self.source))

    def as_json(self) -> dict[str, str]:
        """Return the sections as plain texts. ``right`` is left out if there is no such example."""
        right = {} if self.right is None else {"right": self.right.text}
        texts = {name: without_links(getattr(self, name)) for name in ("checks", "why", "fix", "source")}
        return (
            {"checks": texts["checks"], "why": texts["why"], "example": self.wrong.text}
            | right
            | {"fix": texts["fix"], "source": texts["source"]}
        )


@cache
def pages_of(topic: str) -> dict[tuple[str, str], Page]:
    """Return the pages of a topic, such as ``REF``, by id and name of their rules."""
    text = (_FOLDER / f"{topic}.md").read_text(encoding="utf-8")
    parts = iter(re.split(_RULE, text)[1:])
    return {(id_, name): _page(body) for id_, name, body in zip(parts, parts, parts, strict=True)}


def _page(body: str) -> Page:
    body = re.sub(_SHORT_LINK, lambda link: f"]({_OPERATOR}/v{link[1] or RECORDED[0]}/", body)
    checks, *rest = re.split(_SECTION, body)
    sections = dict(zip(rest[::2], rest[1::2], strict=True))
    wrong = _example(sections["Wrong"])
    right = _example(sections["Right"]) if "Right" in sections else None
    why, fix, source = (_unwrapped(sections[heading]) for heading in ("Why this matters", "Fix", "Source"))
    return Page(_unwrapped(checks), why, wrong, right, fix, source)


def _example(text: str) -> Example:
    language, place, code = re.split(_FENCE, text)[1:4]
    return Example(code.rstrip("\n"), language, place)


def _unwrapped(text: str) -> str:
    return re.sub(_WRAP, " ", text.strip("\n"))


def without_links(text: str) -> str:
    """Return a text without the markup of links: ``the runner <https://…>``."""
    return re.sub(_LINK, r"\1 <\2>", text)
