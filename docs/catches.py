"""Reads the page ``docs/catches.md``: its faults, and where each stands."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

PAGE = Path(__file__).with_suffix(".md")


class Catch(NamedTuple):
    """A fault of the page.

    Attributes:
        name: The name of its file in ``fixtures/catches``, without the suffix.
        title: The heading of its section.
        consequence: What happens in the cluster, as sentences.
    """

    name: str
    title: str
    consequence: str

    @property
    def anchor(self) -> str:
        """The anchor of the heading."""
        return re.sub(r"[^\w\- ]", "", self.title.lower()).replace(" ", "-")


def catches() -> dict[str, Catch]:
    """Return the faults by name, in the order of the page."""
    found: dict[str, Catch] = {}
    for section in PAGE.read_text(encoding="utf-8").split("\n## ")[1:]:
        (cluster,) = re.findall(r"^In the cluster: ([^\n]*\n)", section, re.MULTILINE)
        (name,) = re.findall(r"^\$ mcpcfg check fixtures/catches/(\S+)\.yaml$", section, re.MULTILINE)
        sentences = re.findall(r"[^.:]+\.(?=\s)", cluster)
        found[name] = Catch(name, section.partition("\n")[0], "".join(sentences).strip())
    return found
