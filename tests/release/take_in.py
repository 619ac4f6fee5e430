"""Take in a release of the operator whose CRDs, and if at hand its chart, lie in a folder: ``make release``.

It writes what leaves no choice: declarations in the models, the release in the list, fingerprints and generated files.
A page in Markdown lists what differs, what was written, and what is left for a person.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from chart_facts import RECORD, changes, facts_of
from model_writer import Editor

from mcpcfg.compiler.generate.crd_sentence import path_of, sentence
from mcpcfg.compiler.generate.fingerprint import FINGERPRINTS, definitions, digest, recorded
from mcpcfg.compiler.generate.missing import Difference, declaration_of, differences
from mcpcfg.compiler.project.crd_files import read_definitions
from mcpcfg.compiler.toolhive.profile import TOOLHIVE
from mcpcfg.compiler.toolhive.release import RELEASES, release_key, whole_release

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[2]
RELEASE_LIST = "compiler/toolhive/release.py"
_READING: Final = """\
- [ ] Descriptions are those of the CRDs: write them in plain English.
- [ ] A new class has the name of its field: give it Go's name, and move it if another module fits better.
- [ ] CRDs sort fields by name: put new fields where Go declares them, because hashes and files follow that order.
- [ ] Which strings name other objects (`RefTo`)? Which changes do rules, compile steps and `upgrade` have to know?
- [ ] Read the notes of the release, and the changes of its operator, processes and charts; see docs/release.md.
"""


class Outcome(NamedTuple):
    """What was done about the CRDs of a release.

    Attributes:
        base: The release that it was compared with.
        written: Differences that were written into the models.
        left: Differences that a person has to write, each with the reason.
    """

    base: str
    written: list[Difference]
    left: list[tuple[Difference, str]]


def main(arguments: Sequence[str] | None = None) -> int:
    """Take in the release that the arguments name. Return 0; an input that cannot be read ends the program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--release", required=True, help="the release, such as 0.70.0")
    parser.add_argument("--crds", required=True, help="the folder of its CRDs")
    parser.add_argument("--chart", default="", help="the folder of the operator's chart")
    parser.add_argument("--date", default="", help="the day of the release; today if not given")
    parser.add_argument("--page", default="", help="the file for the page; standard output if not given")
    call = parser.parse_args(arguments)
    release = whole_release(call.release)
    if release is None or release != call.release.removeprefix("v"):
        raise SystemExit(f"{call.release} is no release such as 0.70.0")
    date = call.date or dt.datetime.now(tz=dt.UTC).date().isoformat()
    read = read_definitions((call.crds,), TOOLHIVE.api_group)
    if read.findings or not read.by_kind:
        reasons = [str(finding.message) for finding in read.findings] or ["it has no CRD of the operator"]
        raise SystemExit(f"{call.crds}: {'; '.join(reasons)}")
    chart = facts_of(Path(call.chart)) if call.chart else None
    outcome = write_models(read.by_kind, release)
    list_release(ROOT / RELEASE_LIST, release, date, has_changes=bool(outcome.written or outcome.left))
    _record_fingerprints(read.by_kind, release)
    differing = _differing(call.crds, release)
    _run("-P", "-m", "mcpcfg.compiler.generate")
    differing += _other_kinds(release)
    text = page(release, outcome, differing, _chart_lines(chart))
    if call.page:
        Path(call.page).write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


def write_models(crds: dict[str, Any], release: str) -> Outcome:
    """Write into the models what CRDs have and the models lack."""
    earlier = [known for known in RELEASES if release_key(known) <= release_key(release)]
    known = definitions(earlier[-1])
    editor, outcome = Editor(crds, known, release), Outcome(earlier[-1], [], [])
    found = [difference for difference in differences(crds, known) if not difference.is_nested]
    paths: dict[tuple[str, ...], set[str]] = defaultdict(set)
    for difference in found:
        paths[_content(difference)].add(difference.kind + difference.path)
    for difference in found:
        reason = editor.write(difference, paths[_content(difference)])
        if reason is None:
            outcome.written.append(difference)
        else:
            outcome.left.append((difference, reason))
    changed = [str(path) for path in editor.save()]
    if changed:
        _run("-m", "ruff", "check", "--quiet", "--fix", "--select", "I,F401,F811", *changed)
        _run("-m", "ruff", "format", "--quiet", *changed)
    return outcome


def _content(difference: Difference) -> tuple[str, ...]:
    """Return what all places of one declaration share."""
    name = difference.path.rpartition(".")[2] if difference.change in ("new field", "missing field") else ""
    return (difference.change, name, difference.name, str(difference.before), str(difference.after))


def list_release(file: Path, release: str, date: str, *, has_changes: bool) -> None:
    """Add a release to the list of known releases, to those with other schemas, and to those with known schemas."""
    text = file.read_text(encoding="utf-8")
    dates = dict(re.findall(r'^    "(\d+\.\d+\.\d+)": "([\d-]+)",$', text, re.MULTILINE))
    if release not in dates:
        dates[release] = date
        rows = "".join(f'    "{known}": "{dates[known]}",\n' for known in sorted(dates, key=release_key))
        text = re.sub(r"(?s)(RELEASE_DATES: [^\n]*\{\n).*?(?=\}\n)", lambda match: match[1] + rows, text)
    for name, is_added in (("SCHEMA_CHANGES", has_changes), ("SCHEMAS_KNOWN", True)):
        block = re.search(rf"^{name}: [^\n]*?= \((.*?)\)\n\"\"\"", text, re.MULTILINE | re.DOTALL)
        assert block is not None, name
        listed = re.findall(r'"(\d+\.\d+\.\d+)"', block[1])
        if is_added and release not in listed:
            listed = sorted([*listed, release], key=release_key)
            body = f"\n    {', '.join(map(json.dumps, listed))},\n"
            text = text[: block.start(1)] + body + text[block.end(1) :]
    file.write_text(text, encoding="utf-8")
    _run("-m", "ruff", "format", "--quiet", str(file))


def _record_fingerprints(crds: dict[str, Any], release: str) -> None:
    """Record the fingerprints of the CRDs, so that ``make generated`` fails as long as the models differ."""
    path = ROOT / FINGERPRINTS
    digests = {kind: digest(crd) for kind, crd in crds.items()}
    found = recorded(json.loads(path.read_text(encoding="utf-8")), release, digests)
    path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


def _differing(folder: str, release: str) -> list[str]:
    """Return what the models still lack after the changes. Another process reads the changed models."""
    return _run("-P", "-m", "mcpcfg.compiler.generate", "--crds", folder, "--release", release).splitlines()


def _other_kinds(release: str) -> list[str]:
    """Return the kinds whose CRD still has another fingerprint, such as for another order of rules."""
    lines = _run("-P", "-m", "mcpcfg.compiler.generate", "--check", errors=True).splitlines()
    return [line.partition(": ")[0] for line in lines if f"of release {release} is not" in line]


def _chart_lines(chart: dict[str, Any] | None) -> list[str] | None:
    """Return what differs from the chart that was taken in last, and record the chart; ``None`` without a chart."""
    if chart is None:
        return None
    path = ROOT / RECORD
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    path.write_text(json.dumps(chart, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return [*changes(before, chart)]


def page(release: str, outcome: Outcome, differing: list[str], chart: list[str] | None) -> str:
    """Return the page about a release in Markdown.

    Args:
        differing: Declarations that the models still lack.
        chart: Lines about the chart; ``None`` if no chart was given.
    """
    count = len(outcome.written) + len(outcome.left)
    head = (
        f"Compared with {outcome.base}: {count} differences, {len(outcome.written)} written, {len(outcome.left)} left."
    )
    parts = [f"# Release {release}\n", f"{head}\n"]
    by_hand = [
        f"- [ ] `{_place(difference)}`: {sentence(difference)}. {reason}. "
        f"Declare `{declaration_of(difference, release)}`"
        for difference, reason in outcome.left
    ]
    written = {_place(difference) for difference in outcome.written}
    by_hand += [
        f"- [ ] `{line}` (written, but not as the CRD has it)" for line in differing if _is_below(line, written)
    ]
    parts += ["## Write by hand\n", "\n".join(by_hand or ["Nothing."]) + "\n"]
    parts += ["## Read\n", _READING]
    lines = [f"- `{_place(difference)}`: {sentence(difference)}" for difference in outcome.written]
    parts += ["## Written into the models\n", "\n".join(lines or ["Nothing."]) + "\n"]
    if chart is None:
        parts += ["## Chart\n", "No chart was given: read its values and templates.\n"]
    else:
        parts += ["## Chart\n", "\n".join(f"- [ ] {line}" for line in chart) + "\n" if chart else "No change.\n"]
    return "\n".join(parts)


def _place(difference: Difference) -> str:
    return ".".join(filter(None, (difference.kind, path_of(difference))))


def _is_below(line: str, places: set[str]) -> bool:
    path = line.partition(": ")[0]
    return any(path == place or path.startswith((f"{place}.", f"{place}[", f"{place}{{")) for place in places)


def _run(*arguments: str, errors: bool = False) -> str:
    """Run Python with arguments in the root of the checkout, and return its standard output, or standard error."""
    done = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or "Traceback" in done.stderr:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr}")
    return done.stderr if errors else done.stdout


if __name__ == "__main__":
    sys.exit(main())
