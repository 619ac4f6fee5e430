"""Read the configuration file. Unknown keys and wrong types are errors, as in any other input."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...validators.custom_rule_definition import CustomRuleDefinition
from ..diagnostics.finding import rule
from ..diagnostics.named_tuple import NamedTuple
from ..diagnostics.shown import line as as_line
from ..diagnostics.span import InputError
from ..diagnostics.suggestion import nearest
from ..disk.files import read_whole
from ..reading.bound import MAX_DEPTH
from ..reading.document import read_documents
from ..toolhive.operator import Images, OperatorSettings
from ..toolhive.profile import TOOLHIVE
from .settings import ProjectSettings, namespace_fault, profile_with_release

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..diagnostics.finding import Finding
    from ..diagnostics.span import Span
    from ..reading.document import Document
    from ..toolhive.profile import Profile

REFUSED = rule("CFG011 configuration-refused", "process", "An mcpcfg configuration file is not valid", unmodelled="all")
_ID = re.compile("[A-Z]{3}[0-9]{3}")
_MOST_FAULTS = 100
"""Maximum number of faults that a message lists, because nobody reads more."""
MOST_BYTES = 1 << 20
"""Maximum size of a configuration. Each pattern in it is compiled and compared with the path of each file."""
_DEEP_KEY = rf"""(?<![\w-])(?:(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){{{MAX_DEPTH}}}"""
"""A dotted TOML key that nests tables deeper than `MAX_DEPTH`. tomllib takes quadratic time for its parts."""


class SettingsFault(NamedTuple):
    """A fault in a configuration, with a hint on how to fix it."""

    span: Span
    message: str
    hint: str | None = None


def check_settings(document: Document, *_: object) -> list[Finding]:
    """Return the findings for a configuration file that is checked itself, with ``--as mcpcfg``."""
    faults = settings_faults(document.data.encode("utf-8", "surrogateescape"), document.file)
    return [REFUSED.finding(fault.span, fault.message, document=0, hint=fault.hint) for fault in faults]


def read_settings(file: str) -> ProjectSettings:
    """Return the settings in an ``mcpcfg.yaml``, or in the ``[tool.mcpcfg]`` table of a ``pyproject.toml``.

    Raises:
        InputError: The file cannot be read or is not valid. The message lists the faults with their places.
    """
    data = _toml_table(file) if file.endswith(".toml") else _yaml_settings(file)
    try:
        return _settings(data, file)
    except KeyError as error:
        raise InputError(f"{file}: profile {error} is not one of those under profiles") from error


def _toml_table(file: str) -> dict[str, Any]:
    import json
    import tomllib

    text = read_whole(file, MOST_BYTES)
    too_deep = InputError(f"{file}: lists and tables lie too deep in one another")
    if re.search(_DEEP_KEY.encode(), text):
        raise too_deep
    try:
        tool = tomllib.loads(text.decode()).get("tool")
        settings_json = json.dumps(tool.get("mcpcfg", {}) if isinstance(tool, dict) else {}, default=str).encode()
    except RecursionError:
        raise too_deep from None
    except ValueError as error:  # The text is not UTF-8 or not TOML, or has an integer of thousands of digits.
        raise InputError(f"{file}: {error}") from None
    return _valid_data(settings_json, file, f"{file} [tool.mcpcfg]")


def _yaml_settings(file: str) -> dict[str, Any]:
    return _valid_data(read_whole(file, MOST_BYTES), file, None)


def settings_faults(text: bytes, file: str) -> list[SettingsFault]:
    """Return the faults in the text of an ``mcpcfg.yaml``."""
    return _faults(text, file)[0]


def _valid_data(text: bytes, file: str, source: str | None) -> dict[str, Any]:
    """Return the data of a configuration; empty if the text is empty.

    Args:
        source: Prefix of each fault in the message; ``None`` for its place in the file. TOML has no places.
    """
    faults, data = _faults(text, file)
    if faults:
        lines = [as_line(_fault_line(fault.span, source, fault.message, fault.hint)) for fault in faults[:_MOST_FAULTS]]
        more = [f"  and {len(faults) - _MOST_FAULTS} more"] if len(faults) > _MOST_FAULTS else []
        raise InputError("\n".join(["the configuration is not valid:", *dict.fromkeys(lines), *more]))
    return data if isinstance(data, dict) else {}


def _faults(text: bytes, file: str) -> tuple[list[SettingsFault], Any]:
    """Return the faults of a configuration, and its data.

    Custom rules are only checked in a configuration that its schema accepts, and rule ids only if the custom rules have
    no faults.
    """
    # The Kubernetes dialect would read the word off, a level of rules, as false.
    documents, findings = read_documents(text, file, dialect="vmcp")
    data = documents[0].data if documents else None
    if documents and not findings:
        from ..admission.admit import admit_file

        findings, data = admit_file("mcpcfg", documents[0])
    faults = [SettingsFault(finding.span, _clear_message(finding, documents), finding.hint) for finding in findings]
    if not faults and isinstance(data, dict) and data.get("customRules"):
        faults = [SettingsFault(span, message) for span, message in _custom_rule_faults(documents[0])]
    if not faults and isinstance(data, dict) and data.get("rules"):
        faults = [SettingsFault(*row) for row in _unknown_rule_faults(documents[0])]
    return faults, data


def _clear_message(finding: Finding, documents: list[Document]) -> str:
    if finding.path != ("namespace",) or not isinstance(documents[0].data["namespace"], str):
        return finding.message
    return namespace_fault(documents[0].data["namespace"]) or finding.message


def _fault_line(span: Span, source: str | None, message: str, hint: str | None) -> str:
    place = source or f"{span.file}:{span.line}:{span.column}"
    return f"  {place}: {message}" + (f" ({hint})" if hint else "")


def _unknown_rule_faults(document: Document) -> Iterator[tuple[Span, str, str | None]]:
    from ...validators.custom_rule import is_taken

    custom_ids = {row["id"] for row in document.data.get("customRules") or ()}
    unknown_ids = [
        id_ for id_ in document.data["rules"] if id_ not in custom_ids and not (is_taken(id_) and _ID.fullmatch(id_))
    ]
    if not unknown_ids:
        return
    from ...validators.registry import all_rules

    ids = {name: rule.id for rule in all_rules().values() for name in (rule.id, rule.name)}
    for number, id_ in enumerate(unknown_ids):
        suggestion = ids.get(id_)
        if suggestion is None and number < _MOST_FAULTS:
            suggestion = nearest(id_.upper(), [*ids.values(), *custom_ids])
        hint = f"did you mean {suggestion}?" if suggestion else None
        yield document.key_span(("rules", id_)), f'there is no rule "{id_}"', hint


def _custom_rule_faults(document: Document) -> Iterator[tuple[Span, str]]:
    from ...validators import custom_rule

    seen: set[str] = set()
    for number, row in enumerate(document.data["customRules"]):
        id_, kind = row["id"], row["kind"]
        if id_ in seen or custom_rule.is_taken(id_):
            owner = "another custom rule" if id_ in seen else "a rule of mcpcfg"
            yield document.span(("customRules", number, "id")), f"{id_} is {owner} already"
        seen.add(id_)
        if not custom_rule.is_kind(kind):
            yield document.span(("customRules", number, "kind")), f'"{kind}" is not a kind that rules can check'
        for fault in custom_rule.expression_faults(row["expression"]):
            line, column = fault.position(row["expression"])
            message = f"{id_}, expression {line}:{column}: {fault.message}"
            yield document.span(("customRules", number, "expression")), message


def _settings(data: Mapping[str, Any], file: str) -> ProjectSettings:
    """Return the settings of a configuration.

    Args:
        data: Data that ``schemas/mcpcfg.schema.json`` accepts.
        file: Path of the configuration, for messages.

    Raises:
        KeyError: The name in ``profile`` is not in ``profiles``.
        InputError: The stated release is not a release.
    """
    profile = _profile(data.get("profile", TOOLHIVE.name), data.get("profiles", {}))
    stated = data.get("release")
    if stated is not None:
        profile = profile_with_release(profile, stated, f"{file}: ")
    images = data.get("images", {})
    operator = OperatorSettings(
        images=Images(
            proxy_runner=images.get("proxyRunner", ""), vmcp=images.get("vmcp", ""), registry=images.get("registry", "")
        ),
        proxy_host=data.get("proxyHost", OperatorSettings().proxy_host),
        platform=data.get("platform", "kubernetes"),
        usage_metrics=data.get("usageMetrics", True),
    )
    return ProjectSettings(
        file=file,
        profile=profile,
        namespace=data.get("namespace"),
        external={kind: frozenset(names) for kind, names in data.get("external", {}).items()},
        exclude=tuple(data.get("exclude", ())),
        skills=tuple(data.get("skills", ())),
        isolated=tuple(data.get("isolated", ())),
        unused=data.get("unused", "warning"),
        rules=dict(data.get("rules", {})),
        custom_rules=tuple(_custom_rule(rule) for rule in data.get("customRules", ())),
        fail_on=data.get("failOn", "error"),
        severity=data.get("severity"),
        baseline=data.get("baseline"),
        secrets_provider=data.get("secretsProvider", ""),
        operator=operator,
        crds=tuple(data.get("crds", ())),
        release_from=file if stated is not None else "",
        release_by="statement" if stated is not None else "default",
    )


def _custom_rule(data: Mapping[str, Any]) -> CustomRuleDefinition:
    return CustomRuleDefinition(
        id=data["id"],
        kind=data["kind"],
        expression=data["expression"],
        message=data["message"],
        severity=data.get("severity", "error"),
        hint=data.get("hint"),
        field=tuple(data["field"].split(".")) if data.get("field") else (),
    )


def _profile(name: str, profiles: Mapping[str, Any]) -> Profile:
    if name == TOOLHIVE.name and name not in profiles:
        return TOOLHIVE
    names = profiles[name]
    return TOOLHIVE._replace(
        name=name,
        api_group=names.get("apiGroup", TOOLHIVE.api_group),
        versions=tuple(names.get("versions", TOOLHIVE.versions)),
        **{word: names[word] for word in ("prefix", "product", "organization", "cloud") if word in names},
    )
