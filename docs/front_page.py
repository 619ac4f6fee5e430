"""Writes the front page of the site: three findings as they are printed, the first paragraphs of the README, and links.

`docs/site/front.md.j2` holds the sentences that stand on no other page.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import jinja2
import pictures
from catches import Catch, catches

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "fixtures" / "catches"
SHOWN = ("group-as-text", "quantity", "optimizer-beside-policies")
"""Files of ``fixtures/catches``: one fault for each of the stages admission, operator and process."""


class Shown(NamedTuple):
    """A fault with what ``mcpcfg check`` prints, as HTML."""

    catch: Catch
    terminal: str


def shown(catch: Catch) -> Shown:
    """Return a fault with the first finding of its file."""
    command = f"mcpcfg check {catch.name}.yaml"
    printed = "\n".join(pictures.output(command, "--color", folder=FOLDER)).partition("\n\n")[0]
    lines = [f"\x1b[1m$ {command}\x1b[0m", *printed.splitlines()]
    return Shown(catch, "".join(f'<span class="line">{pictures.spans(line, "span")}</span>' for line in lines))


def render(playground: str) -> str:
    """Return the page as Markdown, with links to the page ``playground``.

    Links to other pages are relative to the root of the checkout, as in the README.
    """
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    _, purpose, problem, *_ = readme.split("\n\n")
    start = readme.partition("\n## Start\n\n")[2].split("\n\n")[:5]
    start[4] = start[4][start[4].index("If you have no resources yet") :]
    known = catches()
    template = jinja2.Template(
        (ROOT / "docs" / "site" / "front.md.j2").read_text(encoding="utf-8"),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        autoescape=False,
    )
    page: str = template.render(
        playground=playground,
        purpose=purpose,
        problem=problem.removesuffix(":") + ".",
        start=start,
        catches=[shown(known[name]) for name in SHOWN],
    )
    return page
