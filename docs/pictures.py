"""Draws the pictures ``docs/images/session.svg`` and ``graph.svg`` from the output of mcpcfg. Run it in the root."""

from __future__ import annotations

import re
import subprocess
import sys
from html import escape
from pathlib import Path

IMAGES = Path(__file__).parent / "images"
SESSION = (
    "mcpcfg check fixtures/projects/broken-references --select ADM004,REF004",
    "mcpcfg explain REF004",
    "mcpcfg build fixtures/projects/first-server --target runconfig",
)
MOST_LINES = 12
"""Number of lines that are shown of the output of a command."""
COLORS = {"1": "head", "2": "quiet", "31;1": "error", "33;1": "warning"}
STYLE = """<style>
text { font: 13px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328; white-space: pre; }
rect { fill: #f6f8fa; stroke: #d0d7de; } .head { font-weight: 600; } .quiet { fill: #59636e; }
.error { fill: #cf222e; font-weight: 600; } .warning { fill: #9a6700; }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3; } rect { fill: #161b22; stroke: #3d444d; }
.quiet { fill: #9198a1; } .error { fill: #f85149; } .warning { fill: #d29922; } }
</style>"""


def output(command: str, *more: str, folder: Path | None = None) -> list[str]:
    """Return the lines that a call of mcpcfg prints in a folder: first its output, then those of standard error."""
    words = [sys.executable, "-P", "-m", *command.split(), *more]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder)
    return (done.stdout + done.stderr).splitlines()


def spans(line: str, tag: str = "tspan") -> str:
    """Return a line of a terminal as text of SVG or HTML, with a class for each color."""
    out = ""
    for color, text in re.findall(r"(?:\x1b\[([\d;]+)m|^)([^\x1b]*)", line):
        style = COLORS.get(color)
        out += f'<{tag} class="{style}">{escape(text)}</{tag}>' if style else escape(text)
    return out


def session() -> str:
    """Return the picture of a terminal."""
    lines: list[str] = []
    for command in SESSION:
        shown = output(command, *(["--color"] if " check " in command else []))
        more = ["…"] if len(shown) > MOST_LINES else []
        lines += [f"\x1b[1m$ {command}\x1b[0m", *shown[:MOST_LINES], *more, ""]
    width = max(len(re.sub(r"\x1b\[[\d;]*m", "", line)) for line in lines) * 8 + 32
    height = len(lines) * 18 + 12
    texts = [f'<text x="16" y="{number * 18 + 24}">{spans(line)}</text>' for number, line in enumerate(lines) if line]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="A session">'
    box = f'<rect x=".5" y=".5" width="{width - 1}" height="{height - 1}" rx="8"/>'
    return "\n".join([head, STYLE, box, *texts, "</svg>", ""])


def graph() -> str:
    """Return the picture of a project, taken out of the page that ``mcpcfg graph`` writes."""
    page = "\n".join(output("mcpcfg graph fixtures/projects/virtual-server --format html"))
    picture: str = re.findall(r"<svg id=.*?</svg>", page, re.DOTALL)[0].replace(
        "<svg ", '<svg xmlns="http://www.w3.org/2000/svg" font-family="system-ui, sans-serif" ', 1
    )
    rules = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)[0]
    parts = (r":root.*?}\n", r"@media \(prefers.*?} }\n", r"\.(?:edge|frame|node|step)\b[^\n]*\n")
    kept = re.findall(rf"^  (?:{'|'.join(parts)})", rules, re.MULTILINE | re.DOTALL)
    return picture.replace(">", f">\n<style>\n{''.join(kept)}</style>", 1) + "\n"


if __name__ == "__main__":
    (IMAGES / "session.svg").write_text(session(), encoding="utf-8")
    (IMAGES / "graph.svg").write_text(graph(), encoding="utf-8")
