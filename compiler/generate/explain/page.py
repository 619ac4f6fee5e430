"""The page of a rule, a kind or a field, as ``mcpcfg explain`` prints it."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING, Any

from ....validators import registry
from ...diagnostics.address import rule_address
from ...diagnostics.named_tuple import NamedTuple
from ...diagnostics.retired import current_id, retirement
from ...diagnostics.span import InputError
from ...diagnostics.suggestion import several
from ...toolhive.release import NEWEST_KNOWN
from .field_page import crd_page, field_page, schema_name

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ...diagnostics.finding import Rule
    from ...toolhive.profile import Profile


WIDTH = 100
"""The length at which lines of paragraphs are wrapped, because longer lines are hard to read."""

_NAMED = "; name a rule (REF004), a kind (MCPServer), a field (MCPServer.spec.image) or a resource (MCPServer/NAME)"
"""What can be explained, as the end of a message."""
_REFUSING = {
    "syntax": "the YAML or JSON reader refuses the text",
    "admission": "the API server refuses the resource",
    "operator": "the operator refuses the stored resource",
    "process": "the program in the pod refuses it",
    "lint": "nobody refuses it",
}
"""What the stages of rules mean."""
_REFUSING_RECORDS = _REFUSING | {
    "admission": "the published schema refuses the record",
    "process": "the program that reads it refuses it",
}
"""What the stages of rules about records and their files mean."""
_OF_RECORDS = frozenset({"CAT", "FIL", "PRM", "REG", "RUN", "SKL", "WRK"})
"""Topics of rules about records."""


class Explanation(NamedTuple):
    """The page that ``mcpcfg explain`` prints, and the rules that it explains.

    Attributes:
        rules: The explained rules, in the names of the profile; empty for a kind, a field or a removed rule.
    """

    page: str
    rules: tuple[Rule, ...] = ()

    def wrapped(self, width: int) -> str:
        """Return the page with the paragraphs and lists of rules wrapped at ``width``. Code is not changed."""
        return _wrapped(self.page, width) if self.rules else self.page

    def as_json(self) -> dict[str, Any]:
        """Return the explanation as plain data, in the form that ``--format json`` prints."""
        return {"version": 1, "page": self.wrapped(WIDTH), "rules": [_rule_data(rule) for rule in self.rules]}


def explanation(what: str, profile: Profile, crds: Callable[[], Mapping[str, Mapping[str, Any]]] = dict) -> Explanation:
    """Return the page of a rule, a kind or a field, in the names of a profile.

    Args:
        what: Id or name of a rule, name of a kind or file format, or a field such as ``MCPServer.spec.rateLimiting``.
        crds: Returns the CRDs that the user gives, by kind; not called for a rule. They replace the known schemas.

    Raises:
        InputError: No rule, kind or field has that name. The message suggests similar names.
    """
    rules = registry.all_rules()
    before = ""
    if retired := retirement(what.upper()):
        if current_id(what.upper()) not in rules:
            return Explanation(f"{retired}.\n")
        before = f"{retired}.\n\n"
    matching = [rule for rule in rules.values() if current_id(what.upper()) == rule.id or what.lower() == rule.name]
    if matching:
        spelled = tuple(rule.respelt(profile.spell) for rule in matching)
        return Explanation(before + "\n".join(map(_page, spelled)), spelled)
    release = profile.judging_release
    page, siblings = crd_page(what, crds(), profile)
    if siblings and page is None:
        raise InputError(_unknown(what, _near_field(what, siblings)))
    if page is None:
        page, siblings = field_page(what, profile, release)
    if page is not None:
        return Explanation(f"{page}\n")
    page, _ = field_page(what, profile, NEWEST_KNOWN)
    if page is not None:
        return Explanation(f"{page}\n\nRelease {release} does not have it.\n")
    if schema_name(what, release) is None:
        near = _near_kind(what, [*rules, *(rule.name for rule in rules.values())], profile)
    else:
        near = _near_field(what, siblings)
    raise InputError(_unknown(what, near))


def _unknown(what: str, near: list[str]) -> str:
    """Return the message for an unknown name, with similar ones."""
    # More than three names are a list of possibilities, not a guess.
    hint = f"; did you mean {', '.join(near)}?" if len(near) <= 3 and near else f"; there is {', '.join(near)}"
    return f"nothing is known about {what!r}{hint if near else _NAMED}"


def _rule_data(rule: Rule) -> dict[str, Any]:
    fields = ("id", "name", "stage", "severity", "title")
    return {field: getattr(rule, field) for field in fields} | rule.page.as_json()


def _page(rule: Rule) -> str:
    level = f"{rule.severity}, off unless configured" if rule.is_opt_in else rule.severity
    page = f"{rule.title}.\n\n{rule.page}\n{_table(facts(rule))}"
    link = f"\nOnline: {uri}\n" if (uri := rule_address(rule.id)) else ""
    return f"{rule.id} {rule.name} ({rule.stage} {level})\n\n{page}\n{link}"


def facts(rule: Rule) -> dict[str, str]:
    """Return what the table on the page of a rule says: stage, releases, and how findings are reported."""
    refusing = _REFUSING_RECORDS if rule.id[:3] in _OF_RECORDS else _REFUSING
    rows = {"Stage": f"{rule.stage}: {refusing[rule.stage]}"}
    if not rule.id.startswith("CFG"):
        is_certain = rule.stage == "process" and rule.severity == "error"
        others = "elsewhere the error may be a warning" if is_certain else "other releases are assumed to be alike"
        rows |= {"Releases": rule.releases, "Verified": f"{' and '.join(rule.verified)}; {others}"}
    if rule.is_one_change:
        rows["Report"] = "shows the first place; the others are notes"
    return rows


def _table(rows: dict[str, str]) -> str:
    return "\n".join(f"    {label:<8}  {text}" for label, text in rows.items())


def _wrapped(page: str, width: int) -> str:
    """Return a page with its paragraphs and lists wrapped. Indented lines, such as an example, stay unchanged."""
    return "\n".join(line if line.startswith(" ") else _filled(line, width) for line in page.split("\n"))


def _filled(line: str, width: int) -> str:
    hanging = "  " if line.startswith("- ") else ""
    return fill(line, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)


def _near_kind(what: str, rules: Iterable[str], profile: Profile) -> list[str]:
    """Return names similar to ``what``, whose first part is not a kind.

    Without a dot, they are names of rules and kinds. With a dot, they are fields of similar kinds that have the field.
    A path that begins with ``spec`` or ``status`` lacks the kind, so any kind with that field is similar.
    """
    from .schema_place import names_of

    kind, dot, rest = what.partition(".")
    kinds = [name for name in names_of() if not name.endswith("List")]
    if kind in ("spec", "status"):
        fields = (f"{name}.{what}" for name in kinds)
        return [field for field in fields if field_page(field, profile)[0] is not None]
    names = {name.lower(): name for name in ([] if dot else rules)} | {
        name.lower(): f"{name}{dot}{rest}" for name in kinds
    }
    near = [names[name] for name in several(kind.lower(), names)]
    return [name for name in near if not dot or field_page(name, profile)[0] is not None]


def _near_field(what: str, siblings: Iterable[str]) -> list[str]:
    """Return fields similar to the unknown field ``what``, with their paths, or else the names of all its siblings."""
    fields = {field.rpartition(".")[2].lower(): field for field in siblings}
    depth = next(iter(fields.values()), "").count(".")
    wanted = what.split(".")[depth].lower() if fields else ""
    near = several(wanted, fields)
    return [fields[name] for name in near] or [field.rpartition(".")[2] for field in fields.values()]
