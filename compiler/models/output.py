"""JSON that mcpcfg itself writes: the reports of commands, and the answers of its MCP server.

``version`` changes when a program that reads the output would have to change. New fields may come at any time.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required, TypeAlias, TypedDict

from .declare import Maximum, Minimum

Version: TypeAlias = Annotated[int, "Version of the format.", Minimum(1), Maximum(1)]
Count: TypeAlias = Annotated[int, Minimum(0)]
Position: TypeAlias = Annotated[int, Minimum(1)]
Severity: TypeAlias = Literal["error", "warning", "info"]
Stage: TypeAlias = Literal["syntax", "admission", "operator", "process", "lint"]


class FindingNote(TypedDict, total=False):
    """An explanation of a finding, and the place that it refers to, if any."""

    message: Required[Annotated[str, "The explanation, one clause."]]
    file: Annotated[str, "File of the place."]
    line: Annotated[Position, "Line of the place, from 1."]
    column: Annotated[Position, "Column of the place in code points, from 1."]


class TextEdit(TypedDict, total=False):
    """A replacement of a range of a file. Positions start at 1, columns count code points, and the end is exclusive."""

    line: Required[Annotated[Position, "First line of the replaced text."]]
    column: Required[Annotated[Position, "Column of its first character."]]
    end_line: Required[Annotated[Position, "Line of the position after its last character."]]
    end_column: Required[Annotated[Position, "Column of that position."]]
    text: Required[Annotated[str, "The new text."]]


class FindingFix(TypedDict, total=False):
    """A fix that needs no review. Its edits refer to the file as it was checked, and do not overlap."""

    title: Required[Annotated[str, "What the fix does."]]
    edits: Required[Annotated[list[TextEdit], "Replacements in the file of the finding."]]


class ReportedFinding(TypedDict, total=False):
    """A fault that mcpcfg found in a file."""

    rule: Required[Annotated[str, "Stable id of the rule."]]
    name: Required[Annotated[str, "Readable name of the rule."]]
    severity: Required[Annotated[Severity, "Severity. An error means that something refuses the file."]]
    stage: Required[Annotated[Stage, "Who would refuse the file."]]
    file: Required[Annotated[str, "Path of the file, as the call named it or below the folder that it named."]]
    document: Annotated[Count, "Index of the document among the non-empty documents of the file, from 0."]
    line: Required[Annotated[Position, "Line of the text to edit, from 1."]]
    column: Required[Annotated[Position, "Column of the text to edit in code points, from 1."]]
    end_line: Required[Annotated[Position, "Line of the position after the text."]]
    end_column: Required[Annotated[Position, "Column of that position."]]
    kind: Annotated[str, "Kind of the resource."]
    namespace: Annotated[str, "Namespace of the resource."]
    resource: Annotated[str, "Name of the resource."]
    path: Annotated[str, "JSON Pointer into the document."]
    message: Required[Annotated[str, "The fault, one clause."]]
    hint: Annotated[str, "What to do instead."]
    notes: Annotated[list[FindingNote], "Other places that explain the fault, in reading order."]
    fix: Annotated[FindingFix, "A safe fix, if there is one that shows no secret."]


OtherPin = TypedDict(
    "OtherPin",
    {
        "version": Required[Annotated[str, "The release."]],
        "from": Required[Annotated[str, "Place that pins it."]],
        "judged_by": Required[Annotated[str, "The modelled release that judges instead."]],
    },
    total=False,
)
OtherPin.__doc__ = """A release that the project pins for some of its files, and that is not modelled."""

JudgingRelease = TypedDict(
    "JudgingRelease",
    {
        "version": Required[Annotated[str, "The installed release."]],
        "from": Required[Annotated[str, "What decides it: default, an option, the configuration, or file:line."]],
        "judged_by": Required[Annotated[str, "The modelled release that judges."]],
        "unread_pin": Annotated[str, "A pinned version that is no release, with its place."],
        "other_pins": Annotated[list[OtherPin], "Further releases that are not modelled."],
    },
    total=False,
)
JudgingRelease.__doc__ = """The release of the operator whose schemas and rules judge the project."""


class CheckSummary(TypedDict, total=False):
    """Numbers of files and findings, and the release that judges. Findings that are not shown are also counted."""

    files: Required[Annotated[Count, "Files that were read."]]
    documents: Required[Annotated[Count, "Documents in these files."]]
    errors: Required[Annotated[Count, "Errors."]]
    warnings: Required[Annotated[Count, "Warnings."]]
    infos: Required[Annotated[Count, "Infos."]]
    release: Required[Annotated[JudgingRelease, "The release that judges."]]
    templates: Annotated[Count, "Templates of charts that were not read."]


class CheckOutput(TypedDict, total=False):
    """The report of mcpcfg check --format json, and of the tool check of mcpcfg mcp."""

    version: Required[Version]
    findings: Required[Annotated[list[ReportedFinding], "The findings, by file, line, column and rule."]]
    summary: Required[Annotated[CheckSummary, "Numbers, and the release that judges."]]
    remarks: Annotated[list[str], "What is not read or not shown, and why. The MCP server alone writes them here."]


class ChangedField(TypedDict, total=False):
    """A changed value of an object. ``old`` or ``new`` is missing if that state lacks the value."""

    path: Required[Annotated[str, "JSON Pointer into the object."]]
    old: Annotated[Any, "The old value."]
    new: Annotated[Any, "The new value."]


class ChangedObject(TypedDict, total=False):
    """A compiled object that differs between two trees."""

    namespace: Required[Annotated[str, "Namespace of the object."]]
    kind: Required[Annotated[str, "Kind of the object."]]
    name: Required[Annotated[str, "Name of the object."]]
    cluster: Annotated[str, "Cluster of the object, if the project has several."]
    file: Annotated[str, "File that the object is compiled from, if that file stands alone."]
    change: Required[Annotated[Literal["added", "removed", "changed"], "What happens to the object."]]
    effects: Required[Annotated[list[str], "What the change does in the cluster, clause by clause."]]
    fields: Required[Annotated[list[ChangedField], "Changed values; empty for an added or removed object."]]


class DiffOutput(TypedDict, total=False):
    """The report of mcpcfg diff --format json, and of the tool diff of mcpcfg mcp."""

    version: Required[Version]
    changes: Required[Annotated[list[ChangedObject], "Objects that differ."]]
    remarks: Annotated[list[str], "What is not compared, and why. The MCP server alone writes them here."]


class RewrittenFile(TypedDict, total=False):
    """A file that an upgrade rewrites."""

    file: Required[Annotated[str, "Path of the file."]]
    changes: Required[Annotated[list[str], "What is rewritten."]]


class AffectedResource(TypedDict, total=False):
    """A resource that a release affects."""

    file: Required[Annotated[str, "File of the resource."]]
    line: Required[Annotated[Position, "Line of the resource, from 1."]]
    column: Required[Annotated[Position, "Column of the resource, from 1."]]
    kind: Annotated[str, "Kind of the resource."]
    namespace: Annotated[str, "Namespace of the resource."]
    resource: Annotated[str, "Name of the resource."]
    message: Annotated[str, "The fault, one clause."]
    hint: Annotated[str, "What to do."]


class UpgradeEvent(TypedDict, total=False):
    """A change of behavior that a release brings, and the resources that it affects."""

    release: Required[Annotated[str, "The first release with the difference."]]
    what: Required[
        Annotated[
            Literal["acts", "refused", "warned", "accepted", "restarts"],
            "Whether something starts to act, is refused, warned of or accepted from now on, or only restarts.",
        ]
    ]
    message: Required[Annotated[str, "The difference, one clause."]]
    rule: Annotated[str, "Rule of the findings that appear or disappear."]
    restarts: Required[Annotated[bool, "Whether the pods restart."]]
    resources: Required[Annotated[list[AffectedResource], "The affected resources."]]


UpgradeOutput = TypedDict(
    "UpgradeOutput",
    {
        "version": Required[Version],
        "from": Required[Annotated[str, "The release that judges the project now; the earliest of several."]],
        "to": Required[Annotated[str, "The release that the project is rewritten for."]],
        "files": Required[Annotated[list[RewrittenFile], "The rewritten files."]],
        "events": Required[Annotated[list[UpgradeEvent], "The differences, in the order of releases."]],
        "refused": Required[Annotated[Count, "Errors that both releases report."]],
        "remarks": Required[Annotated[list[str], "What else needs a person."]],
    },
    total=False,
)
UpgradeOutput.__doc__ = """The report of mcpcfg upgrade --format json."""


class RuleEntry(TypedDict, total=False):
    """A rule that mcpcfg checks."""

    id: Required[Annotated[str, "Stable id."]]
    name: Required[Annotated[str, "Readable name."]]
    stage: Required[Annotated[Stage, "Who would refuse the file."]]
    severity: Required[Annotated[Severity, "Default severity."]]
    title: Required[Annotated[str, "The fault, one clause."]]
    since: Required[Annotated[str | None, "The first release with the fault; null for all."]]
    until: Required[Annotated[str | None, "The first release without the fault; null for none."]]
    verified: Required[Annotated[list[str], "Releases at which the fault was observed."]]
    on: Required[Annotated[bool, "Whether the rule is on unless the configuration says otherwise."]]


class ReleaseEntry(TypedDict, total=False):
    """A release of the operator."""

    release: Required[Annotated[str, "The release."]]
    date: Required[Annotated[str, "Day of the release."]]
    level: Required[
        Annotated[
            Literal["recorded", "read", "schemas known", "documented"],
            "Whether the behavior of its operator was recorded, its changes were read, its CRDs are known, or only some"
            " changes are documented.",
        ]
    ]
    versions: Required[Annotated[list[str], "Versions of the kinds that it serves."]]
    verified: Required[Annotated[str, "What was verified."]]


CrdChange: TypeAlias = Literal[
    "new kind",
    "new field",
    "missing field",
    "required",
    "optional",
    "new values",
    "missing values",
    "new rule",
    "missing rule",
    "other keyword",
]
"""What differs between CRDs. ``new`` is what the models lack, and ``missing`` what the CRDs lack."""


class CrdDifference(TypedDict, total=False):
    """A difference between CRDs of the user and those of the nearest known release."""

    kind: Required[Annotated[str, "The kind."]]
    path: Required[Annotated[str, "Path of the field, such as spec.env[].name; empty for the CRD itself."]]
    change: Required[Annotated[CrdChange, "What differs."]]
    sentence: Required[Annotated[str, "The difference in words."]]


class CrdConfiguration(TypedDict, total=False):
    """The part of the configuration that makes mcpcfg admit objects by the CRDs."""

    crds: Required[Annotated[list[str], "Files and folders of the CRDs."]]


class ReleaseCrdsOutput(TypedDict, total=False):
    """How CRDs of the user differ from those of the nearest known release."""

    version: Required[Version]
    release: Required[Annotated[str, "The known release with the fewest differences."]]
    kinds: Required[Annotated[list[str], "The kinds that the CRDs define."]]
    unknown: Required[Annotated[list[CrdDifference], "What the CRDs have and mcpcfg does not know."]]
    absent: Required[Annotated[list[CrdDifference], "What the release has and the CRDs lack."]]
    configuration: Required[Annotated[CrdConfiguration, "What to write into mcpcfg.yaml."]]


class ExplainedRule(TypedDict, total=False):
    """A rule, with the sections of its page."""

    id: Required[Annotated[str, "Stable id."]]
    name: Required[Annotated[str, "Readable name."]]
    stage: Required[Annotated[Stage, "Who would refuse the file."]]
    severity: Required[Annotated[Severity, "Default severity."]]
    title: Required[Annotated[str, "The fault, one clause."]]
    checks: Required[Annotated[str, "What is checked."]]
    why: Required[Annotated[str, "Why it matters."]]
    example: Required[Annotated[str, "A file, or a part of one, that has the fault."]]
    right: Annotated[str, "The same without the fault."]
    fix: Required[Annotated[str, "The change that removes the fault."]]
    source: Required[Annotated[str, "The specification behind the rule."]]


class ExplainOutput(TypedDict, total=False):
    """The page of mcpcfg explain --format json, and of the tool explain of mcpcfg mcp."""

    version: Required[Version]
    page: Required[Annotated[str, "The page as text."]]
    rules: Required[Annotated[list[ExplainedRule], "The explained rules; empty for a kind or a field."]]


class FixedFile(TypedDict, total=False):
    """A file that the fixes change."""

    file: Required[Annotated[str, "Path of the file."]]
    titles: Required[Annotated[list[str], "The fixes, in order."]]
    diff: Required[Annotated[str, "The change as a unified diff. Secrets in it are masked."]]


class FixOutput(TypedDict, total=False):
    """The answer of the tool fix of mcpcfg mcp."""

    version: Required[Version]
    files: Required[Annotated[list[FixedFile], "The files that can be fixed."]]
    written: Required[Annotated[bool, "Whether the files were written."]]


class BuiltFile(TypedDict, total=False):
    """A file with a compiled object or text."""

    path: Required[Annotated[str, "Path of the file below an output folder."]]
    text: Required[Annotated[str, "Exact content of the file, with secrets masked."]]


class BuildOutput(TypedDict, total=False):
    """The answer of the tool build of mcpcfg mcp."""

    version: Required[Version]
    target: Required[Annotated[str, "The target."]]
    files: Required[Annotated[list[BuiltFile], "The compiled files, in order."]]
    omitted: Required[Annotated[list[str], "Paths of files that are left out because the answer would be too large."]]
    complete: Required[Annotated[bool, "Whether everything was compiled."]]
    findings: Required[Annotated[list[ReportedFinding], "Errors that keep resources from being compiled."]]
    remarks: Required[Annotated[list[str], "What is not compiled or not shown, and why."]]


class PageNumbers(TypedDict, total=False):
    """The position of a page in the list of all results."""

    total: Required[Annotated[Count, "Number of all servers that match."]]
    page: Required[Annotated[Position, "Number of the page."]]
    limit: Required[Annotated[Position, "Number of servers on a page."]]


class SearchOutput(TypedDict, total=False):
    """The answer of the tool search_registry of mcpcfg mcp: a page of records as the API writes it."""

    servers: Required[Annotated[list[dict[str, Any]], "Records of the servers, with packages and remotes."]]
    metadata: Required[Annotated[PageNumbers, "Total number of matches, page number and page size."]]


class GraphOutput(TypedDict, total=False):
    """The answer of the tool graph of mcpcfg mcp."""

    version: Required[Version]
    mermaid: Required[Annotated[str, "The picture as Mermaid."]]
