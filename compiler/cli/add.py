"""``mcpcfg add``: add a resource to an existing project."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Final

import click

from ..admission.describe import UNKNOWN_FIELD
from ..admission.table import checks_of, table_of
from ..check.full import check
from ..diagnostics.plain import value_at
from ..diagnostics.shown import line
from ..diagnostics.span import InputError
from ..disk.output_file import Change, ChangedError, write_changes
from ..disk.walk import boundaries
from ..fix.add.plan import Wish, plan
from ..fix.fixed_file import safe_text, text_patch, visible_text
from ..kube.names import dns_subdomain_faults
from ..project.discovery import with_texts
from ..project.scaffold import TRANSPORTS
from ..project.settings import Options
from ..reading.bound import MAX_DEPTH
from ..reading.excerpt import decode
from ..toolhive.constants import DEFAULT_PORT
from ..toolhive.release import NEWEST_MODELLED
from .call import find_project, rendered
from .option import PATH, ReportCall, config_option, valid_release
from .section import SectionedCommand, section
from .unset_field import add_implied, takes_text, unset_fields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..check.full import Report
    from ..diagnostics.finding import Finding
    from ..fix.add.plan import ProjectChanges

_REMOTE: Final = ("MCPRemoteProxy", "MCPServerEntry")
"""Kinds of servers that run outside of the cluster."""
_UNREADABLE: Final = object()
"""Stands for the value of a text that is not YAML."""
_MOST_ATTEMPTS: Final = 20
"""Maximum number of plans. A plan is dropped if another program changes a file of it before it is written."""


@click.command("add", cls=SectionedCommand)
@click.argument("kind")
@click.argument("name")
@section("Resource")
@click.option("--from-registry", "entry", metavar="SERVER", help="Take the settings of a server from a registry file.")
@click.option(
    "--registry",
    type=PATH,
    metavar="FILE",
    help="Registry file for --from-registry.  [default: those of the project, then the one that comes with mcpcfg]",
)
@click.option("--image", help="Image of the server's container.")
@click.option("--transport", type=click.Choice(TRANSPORTS), help="Transport of the server.")
@click.option("--port", type=click.IntRange(1, 65535), help="Port that the image listens on, unless it speaks stdio.")
@click.option("--url", help="Address of the remote server.")
@click.option("--issuer", help="Issuer of the OIDC provider.")
@click.option("--group", help="Group of the server.  [default: that of servers beside it]")
@click.option("--env", "-e", multiple=True, metavar="NAME=VALUE", help="Environment variable. Repeatable.")
@click.option("--secret", multiple=True, metavar="NAME", help="Environment variable with a secret value. Repeatable.")
@click.option("--set", "fields", multiple=True, metavar="FIELD=VALUE", help="Any other field of the spec. Repeatable.")
@section("Place")
@click.option("--to", "place", type=PATH, metavar="PATH", help="File or folder for the resource.")
@click.option("--namespace", "-n", help="Namespace that the resource states.")
@section("Other options")
@click.option("--yes", "-y", is_flag=True, help="Write the files without asking.")
@click.option("--release", metavar="X.Y", callback=valid_release, help="Release of the operator.")
@config_option
def command(kind: str, name: str, config: str | None, release: str | None, **given: Any) -> int:
    """Add a resource of KIND called NAME to the project in the current folder.

    The file goes where the project keeps such files, and looks like them. The kustomization that lists them lists it,
    too. The change is shown as a diff, and written after you agree. A resource that check would refuse is not added.
    """
    for reason in dns_subdomain_faults(name)[:1]:
        raise click.UsageError(f"NAME {name} {reason}")
    failed: ChangedError | None = None
    for _ in range(_MOST_ATTEMPTS):
        report = check(find_project((), settings_file=config, release=release), Options())
        try:
            return _add(kind, name, report, given)
        except ChangedError as error:
            failed = error
            click.echo(line(f"mcpcfg: {error}; the change is planned again"), err=True)
    raise InputError(f"{failed}: other programs change the project all the time")


def _add(kind: str, name: str, before: Report, given: Mapping[str, Any]) -> int:
    kind = _kind(kind, before)
    release = before.project.settings.profile.judging_release
    settings, secrets = _stated(kind, given, before)
    if kind == "VirtualMCPCompositeToolDefinition":
        settings.setdefault("name", name)
    add_implied(kind, release, settings)
    wish = Wish(kind, name, settings, given["namespace"], given["group"], given["place"], secrets)
    changes = plan(before, wish)
    faults, after = _new_findings(before, changes)
    errors = [finding for finding in faults if finding.severity == "error"]
    unset = unset_fields(kind, release, changes.spec) if errors else []
    if unset:
        errors = [finding for finding in errors if _is_about_stated(finding, changes.spec)]
    if errors:
        report = ReportCall("text", None, None, None, ()).for_stream(sys.stderr)
        click.echo(rendered(after._replace(findings=errors), report, "text"), err=True, nl=False)
        click.echo("mcpcfg: nothing was written: check would refuse the resource", err=True)
        return 1
    if unset:
        raise click.UsageError("\n  ".join((f"{kind} needs more fields. Add to the call:", *unset)))
    if not given["yes"]:
        _show(changes, after)
        if sys.stdin is None or not sys.stdin.isatty():
            raise click.UsageError("nothing was written: add --yes")
        click.confirm(f"Write {len(changes.texts)} file{'s' * (len(changes.texts) != 1)}?", abort=True, err=True)
    write_changes(
        {
            file: Change(changes.before[file], text.encode("utf-8", "surrogateescape"))
            for file, text in changes.texts.items()
        },
        boundaries((".",)),
    )
    if given["yes"]:  # only now, because a change that another program prevents is planned again
        _show(changes, after)
    return 0


def _is_about_stated(finding: Finding, spec: Mapping[str, Any]) -> bool:
    """Return whether a finding is about a field that the call states, and not about an object that lacks fields."""
    value = value_at({"spec": spec}, finding.path or ())
    return finding.rule == UNKNOWN_FIELD.id or not isinstance(value, dict)


def _show(changes: ProjectChanges, after: Report) -> None:
    diff = "".join(_diff(file, changes) for file in sorted(changes.texts))
    sys.stdout.buffer.write(diff.encode("utf-8", "surrogateescape"))
    sys.stdout.flush()
    unapplied = [file for file in changes.texts if file in after.loaded.plan.unapplied]
    for note in (
        *changes.notes,
        *(f"{file} is not applied: {after.loaded.plan.unapplied[file]}" for file in unapplied),
    ):
        click.echo(line(f"note: {note}"), err=True)


def _kind(text: str, report: Report) -> str:
    kinds = [kind for kind in checks_of(report.project.settings.profile).table.kinds if not kind.endswith("List")]
    kind = next((kind for kind in kinds if kind.lower() == text.lower()), None)
    if kind is None:
        later = next((kind for kind in table_of(NEWEST_MODELLED).kinds if kind.lower() == text.lower()), None)
        if later is not None:
            release = report.project.settings.profile.judging_release
            raise click.UsageError(f"release {release} has no kind {later}: choose another one with --release")
        raise click.UsageError(f"KIND {text} is not one of {', '.join(kinds)}")
    return kind


def _stated(kind: str, given: Mapping[str, Any], report: Report) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return the spec that options and the registry entry give, and the names of secret environment variables."""
    entry: dict[str, Any] = {}
    if given["entry"] is not None:
        from .registry_entry import server_settings

        entry = server_settings(given["entry"], given["registry"], report, is_remote=kind in _REMOTE)
    entry |= {key: given[key] for key in ("image", "transport", "port", "url") if given[key] is not None}
    spec: dict[str, Any] = {}
    if kind in _REMOTE:
        spec = {"remoteUrl": entry.get("url"), "transport": entry.get("transport", "streamable-http")}
        _require(spec["remoteUrl"], "--url or --from-registry states the address of the server")
    elif kind == "MCPServer":
        spec = {"image": entry.get("image"), "transport": entry.get("transport", "stdio")}
        _require(spec["image"], "--image or --from-registry states the image of the server")
        if spec["transport"] != "stdio":
            spec["mcpPort"] = entry.get("port") or DEFAULT_PORT
    elif kind == "MCPOIDCConfig" and given["issuer"] is not None:
        spec = {"type": "inline", "inline": {"issuer": given["issuer"]}}
    elif kind == "VirtualMCPServer":
        spec = {"incomingAuth": {"type": "anonymous"}}
    secrets = tuple(dict.fromkeys((*entry.get("secrets", ()), *given["secret"])))
    variables: dict[str, str | None] = {**entry.get("env", {}), **dict(_pair(text, "--env") for text in given["env"])}
    unset = [name for name, value in variables.items() if value is None and name not in secrets]
    if unset:
        raise click.UsageError(f"the server requires a value of {', '.join(unset)}: state it with --env NAME=VALUE")
    if entry.get("args"):
        spec["args"] = entry["args"]
    if variables.keys() - {*secrets}:
        spec["env"] = [{"name": name, "value": value} for name, value in variables.items() if name not in secrets]
    release = report.project.settings.profile.judging_release
    for text in given["fields"]:
        _put(kind, release, spec, *_pair(text, "--set"))
    return spec, secrets


def _require(value: object, words: str) -> None:
    if not value:
        raise click.UsageError(words)


def _pair(text: str, option: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not key or not equals:
        raise click.UsageError(f"{option} {text}: write NAME=VALUE")
    return key, value


def _put(kind: str, release: str, spec: dict[str, Any], path: str, text: str) -> None:
    """Set the field at the dotted path ``path`` of a spec to the value of the YAML text ``text``.

    The value of a field that holds a text is the text itself, unless it is a string in YAML, such as a text in quotes.
    """
    holder = spec
    *above, last = steps = path.removeprefix("spec.").split(".")
    if len(above) > MAX_DEPTH:
        raise click.UsageError(f"--set {above[0]}.…: a field has at most {MAX_DEPTH} others around it")
    for step in above:
        holder = holder.setdefault(step, {})
        if not isinstance(holder, dict):
            raise click.UsageError(f"--set {path}: {step} is no object")
    value = _read_value(text)
    if not isinstance(value, str) and takes_text(kind, release, steps):
        value = text
    if value is _UNREADABLE:
        raise click.UsageError(f"--set {path}: the value is not YAML; to state a text, write '{path}=\"…\"'")
    holder[last] = value


def _read_value(text: str) -> Any:
    """Return the value of a YAML text, or `_UNREADABLE`."""
    from ..reading.document import read_documents

    documents, findings = read_documents(f"value: {text}".encode(), "--set")
    is_readable = not findings and len(documents) == 1 and isinstance(documents[0].data, dict)
    return documents[0].data["value"] if is_readable and len(documents[0].data) == 1 else _UNREADABLE


def _new_findings(before: Report, changes: ProjectChanges) -> tuple[list[Finding], Report]:
    """Check the project as if the changes were written. Return the new findings, and the report of the check."""
    project, places = with_texts(before.project, changes.texts)
    buffers = {places[file]: text.encode("utf-8", "surrogateescape") for file, text in changes.texts.items()}
    after = check(project, Options(buffers=buffers))
    known = {(finding.rule, finding.span.file, finding.path, finding.message) for finding in before.findings}
    new = [
        finding
        for finding in after.findings
        if (finding.rule, finding.span.file, finding.path, finding.message) not in known
    ]
    return new, after


def _diff(file: str, changes: ProjectChanges) -> str:
    """Return the change of a file as a unified diff, with secrets masked; values of an added Secret are empty."""
    text = changes.texts[file]
    before = changes.before[file]
    old = "" if before is None else decode(before)

    def covered(shown: str) -> str:
        has_added = file == changes.secret_file and shown.startswith(old)
        return safe_text(old) + visible_text(shown[len(old) :]) if has_added else safe_text(shown)

    diff = text_patch(file, old, text, covered)
    return f"--- /dev/null\n{diff.partition(chr(10))[2]}" if before is None else diff
