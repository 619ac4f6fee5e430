"""Lays out the pages of the site in ``build/site``: the documentation, and a reference from the program itself.

Run ``make docs``: it runs this file, builds the site with Zensical, and runs this file with ``--check`` on the HTML.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import catches
import click
import front_page
from field_links import linked

from mcpcfg.compiler.cli.main import GROUPS, program
from mcpcfg.compiler.diagnostics.address import ADDRESS
from mcpcfg.compiler.generate.explain.page import facts
from mcpcfg.validators.registry import MODULES, ROOM, all_rules, rules_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mcpcfg.compiler.diagnostics.finding import Rule

ROOT = Path(__file__).resolve().parents[1]
SITE = ROOT / "build" / "site"
PLAYGROUND = "playground/"
"""The playground in the site. The fragment of its address names an example (`editors/playground/page.js`)."""
FENCE = re.compile(r"^( *)```.*?^\1```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?!https?:|#)([^)\s#]+)(#[^)\s]*)?\)")
LOADED = re.compile(r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"']?(?:https?:)?//|<link\b[^>]*stylesheet[^>]*//")
"""Something that a page loads from another host."""


def sources() -> dict[Path, str]:
    """Return where each file of the documentation stands on the site."""
    pages = {path: path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.*")}
    pages = {path: place for path, place in pages.items() if path.suffix in {".md", ".svg", ".png"}}
    pages |= {path: path.name for path in ROOT.glob("*.md")}
    return pages | {ROOT / "README.md": "overview.md", ROOT / "LICENSE": "LICENSE"}


def relinked(text: str, source: Path, places: dict[Path, str]) -> str:
    """Return a page with its links changed from the checkout to the site. Links to code become plain text."""

    def replace(link: re.Match[str]) -> str:
        target = (source.parent / link[3]).resolve()
        target = target / "index.md" if target.is_dir() else target
        if target not in places:
            return link[2]
        path = os.path.relpath(places[target], os.path.dirname(places[source]) or ".")
        return f"{link[1]}[{link[2]}]({path}{link[4] or ''})"

    parts, end = [], 0
    for fence in FENCE.finditer(text):
        parts += [LINK.sub(replace, text[end : fence.start()]), fence[0]]
        end = fence.end()
    return "".join([*parts, LINK.sub(replace, text[end:])])


def escaped(text: str) -> str:
    """Return a text of a rule with Markdown escaped, except code in backticks."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\<>*_\[\]|])", r"\\\1", part) for part in parts)


def block(text: str, language: str = "yaml") -> str:
    """Return a block of code."""
    return f"```{language}\n{text.strip(chr(10))}\n```\n"


SHOWN = {
    "AUT006": "invalid-no-key-in-an-open-world.yaml",
    "AUT042": "invalid-differs.yaml",
    "AUT049": "invalid-differs.yaml",
    "OID002": "invalid-only-in-binary-data.yaml",
    "REF003": "invalid-misspelt.yaml",
    "REF008": "invalid-no-such-key.yaml",
    "REF009": "invalid-entry-key.yaml",
    "REF010": "invalid-no-such-key-in-an-open-world.yaml",
}
"""The faulty fixtures of rules whose smallest one needs ``--closed``. The playground has no options."""
BUILT = frozenset({"BLD001"})
"""Rules that only ``build`` reports, so the playground does not."""


def smallest(rule: Rule, pattern: str) -> Path | None:
    """Return the smallest fixture of a rule about resources whose name matches, or ``None``. It may be a folder."""
    if pattern.startswith("invalid") and rule.id in SHOWN:
        return ROOT / "fixtures" / "rules" / rule.id / SHOWN[rule.id]
    files = [path for path in (ROOT / "fixtures" / "rules" / rule.id).glob(pattern) if path.suffix != ".out"]
    return min(files, key=lambda file: (file.stat().st_size, file.name), default=None)


def fixture_text(path: Path) -> str:
    """Return the text of a fixture; of a folder, the texts of its files, each below its name."""
    if path.is_file():
        return path.read_text(encoding="utf-8")
    files = sorted(file for file in path.rglob("*") if file.is_file())
    return "---\n".join(f"# {file.relative_to(path).as_posix()}\n{file.read_text(encoding='utf-8')}" for file in files)


def try_links(root: str, example: str, *, has_right: bool) -> str:
    """Return links that open a wrong example in the playground, and the right one. ``root`` leads to the first page."""
    tries = {"Try it": example} | ({"Try the right one": f"{example}/right"} if has_right else {})
    return " · ".join(f'<a href="{root}{PLAYGROUND}#{fragment}">{title}</a>' for title, fragment in tries.items())


def whole_file(rule: Rule) -> Iterator[str]:
    """Yield a whole file with the fault, and what ``check`` prints about it: a fixture of the tests."""
    wrong = smallest(rule, "invalid-*")
    if wrong is None:
        return
    yield f"## In a whole file\n\n{block(fixture_text(wrong))}"
    result = wrong.with_suffix(".out")
    if result.exists():
        finding = json.JSONDecoder().raw_decode(result.read_text(encoding="utf-8"))[0]
        hint = f"\nhint: {finding['hint']}" if finding.get("hint") else ""
        yield block(f"{finding['line']}:{finding['column']}: {finding['message']}{hint}", "text")


def rule_page(rule: Rule, before: Rule | None, after: Rule | None) -> str:
    """Return the page of a rule: the sections that ``mcpcfg explain`` prints, and a whole file.

    The page links to the pages of the rules ``before`` and ``after`` it.
    """
    level = f"{rule.severity}, off unless configured" if rule.is_opt_in else rule.severity
    rows = facts(rule)
    table = "\n".join(f"| {label} | {text} |" for label, text in rows.items())
    head = f"# {rule.id} {rule.name}\n\n{rule.title}.\n\n| Severity | {level} |\n| --- | --- |\n{table}\n"
    if rule.id not in BUILT and smallest(rule, "invalid-*") is not None:
        head += f"\n{try_links('../', f'rule={rule.id}', has_right=smallest(rule, 'valid-*') is not None)}\n"
    ways = {"Previous": before, "Next": after}
    others = [f"{way}: [{other.id} {other.name}]({other.id}.md)" for way, other in ways.items() if other is not None]
    foot = f"---\n\n{' · '.join([*others, '[All rules](index.md)'])}\n"
    page = rule.page.markdown().replace("](docs/", "](../")
    return "\n".join([head, linked(page, all_rules().keys() - {rule.id}), *whole_file(rule), foot])


def with_tries(page: str) -> str:
    """Return the page about what mcpcfg catches with links that open each fault in the playground."""
    for name in catches.catches():
        console = f"```console\n$ mcpcfg check fixtures/catches/{name}.yaml\n"
        page = page.replace(console, f"{try_links('', f'catch={name}', has_right=True)}\n\n{console}")
    return page


def kinds_of_rules() -> dict[str, set[str]]:
    """Return the kinds of resources that each rule of ``validators/rules/`` is about, by the id of the rule."""
    kinds: dict[str, set[str]] = {}
    for module in MODULES:
        for rule in rules_of(import_module(f"{ROOM}.{module.name}")):
            kinds.setdefault(rule.id, set()).update(module.kinds)
    return kinds


def rule_index(rules: Mapping[str, Rule]) -> str:
    """Return the table of all rules, and the fields that filter it."""
    kinds = kinds_of_rules()
    rows = [
        f"| [{rule.id}]({rule.id}.md) | {rule.name} | {rule.stage} | {rule.severity}"
        f" | {', '.join(sorted(kinds.get(rule.id, ())))} | {escaped(rule.title)} |"
        for rule in sorted(rules.values())
    ]
    choices = "".join(
        f'<label>{name} <select name="{name}"><option value="">all</option></select></label>'
        for name in ("stage", "severity", "kind", "topic")
    )
    words = '<input name="words" type="search" placeholder="Words" aria-label="Words">'
    form = f'<form id="rule-filter" hidden>{words}{choices}<output name="count"></output></form>\n'
    head = ["# Rules\n", form, "| rule | name | stage | severity | kinds | fault |", f"|{' --- |' * 6}"]
    return "\n".join([*head, *rows, ""])


def command_page(command: click.Command, words: str, parent: click.Context, depth: int = 1) -> str:
    """Return the help of a command and of its subcommands."""
    context = click.Context(command, parent, info_name=words.rpartition(" ")[2], terminal_width=100)
    page = f"{'#' * depth} {words}\n\n{block(command.get_help(context), 'text')}\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            page += command_page(inner, f"{words} {name}", context, depth + 1) if inner else ""
    return page


def pages() -> dict[str, str]:
    """Return the generated pages by place."""
    rules = all_rules()
    context = click.Context(program, info_name="mcpcfg", **program.context_settings)
    generated = {"rules/index.md": rule_index(rules)}
    neighbors = [None, *rules.values(), None]
    for before, rule, after in zip(neighbors, rules.values(), neighbors[2:], strict=False):
        generated[f"rules/{rule.id}.md"] = rule_page(rule, before, after)
    index = "# Commands\n"
    for title, commands in GROUPS.items():
        index += f"\n## {title}\n\n| command | job |\n| --- | --- |\n"
        index += "".join(f"| [{name}]({name}.md) | {text} |\n" for name, text in commands.items())
        for name in commands:
            command = program.get_command(context, name)
            generated[f"commands/{name}.md"] = command_page(command, f"mcpcfg {name}", context) if command else ""
    front = relinked(front_page.render(PLAYGROUND), ROOT / "README.md", sources())
    return generated | {"commands/index.md": index, "index.md": front}


def copied_pages() -> dict[str, str]:
    """Return the pages of the documentation by place."""
    places = sources()
    texts = {
        source: relinked(source.read_text(encoding="utf-8"), source, places)
        for source in places
        if source.suffix == ".md"
    }
    texts[catches.PAGE] = with_tries(texts[catches.PAGE])
    return {places[source]: text for source, text in texts.items()}


def with_menu(place: str, text: str, settings: str) -> str:
    """Return a page that shows the menu of its section. Pages that stand in no section hide it, and get its space."""
    parts = [part for entry in tomllib.loads(settings)["project"]["nav"] for part in entry.values()]
    in_sections = {page for part in parts if isinstance(part, list) for entry in part for page in entry.values()}
    is_whole = place in in_sections or text.startswith("---\n")
    return text if is_whole else f"---\nhide: [navigation]\n---\n\n{text}"


def lay_out() -> None:
    """Write the pages and the configuration of the site."""
    shutil.rmtree(SITE, ignore_errors=True)
    settings = (ROOT / "docs" / "site.toml").read_text(encoding="utf-8")
    for place, text in (copied_pages() | pages()).items():
        target = SITE / "pages" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(with_menu(place, text, settings), encoding="utf-8")
    copied = {source: place for source, place in sources().items() if source.suffix != ".md"}
    copied |= {ROOT / "docs" / "site" / name: name for name in ("rules.js", "site.css")}
    for source, place in copied.items():
        target = SITE / "pages" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    address = f'site_url = "{ADDRESS}"\n' if ADDRESS else ""
    (SITE / "zensical.toml").write_text(settings.replace("[project]\n", f"[project]\n{address}", 1), encoding="utf-8")


def check() -> None:
    """Stop if a page is missing or loads something from another host."""
    html = {path.relative_to(SITE / "html").as_posix(): path for path in (SITE / "html").rglob("*.html")}
    missing = [rule for rule in all_rules() if f"rules/{rule}/index.html" not in html]
    loading = [name for name, path in html.items() if LOADED.search(path.read_text(encoding="utf-8"))]
    if missing or loading:
        raise SystemExit(f"rules without a page: {missing}; pages that load from another host: {loading}")
    print(f"{len(html)} pages in {SITE / 'html'}")


if __name__ == "__main__":
    check() if "--check" in sys.argv else lay_out()
