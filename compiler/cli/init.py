"""``mcpcfg init``: write the files of a new project, which passes all checks."""

from __future__ import annotations

import os
import sys
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

import click

from ..diagnostics import file_path
from ..diagnostics.shown import line
from ..diagnostics.span import InputError
from ..disk.output_file import Change, write_changes
from ..disk.walk import boundary
from ..fix.add.manifest import neighbor_schema, with_schema
from ..project import scaffold
from ..project.discovery import settings_at
from ..project.kustomize import has_kustomization_name
from ..toolhive.constants import DEFAULT_PORT
from .amendment import agree, amendments, asked_workflow, changes_of, new_files
from .option import FOLDER, PATH, config_option, valid_release

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ..project.pin import Pinned
    from ..toolhive.profile import Profile

_MOST_FILES: Final = 5_000
"""Maximum number of files that are searched for a schema comment, and for the release of the operator.

So the command ends soon in a large folder too.
"""


@click.command("init")
@click.argument("folder", default=".", type=FOLDER, metavar="[PATH]")
@click.option(
    "--kind",
    type=click.Choice([*scaffold.LAYOUTS, scaffold.NO_RESOURCES]),
    help="Kind of the starting project; none only writes the files of pre-commit and CI.  [default: server]",
)
@click.option("--name", help="Name of the server.")
@click.option("--image", help="Image of the server's container.  [default: that of the server fetch]")
@click.option(
    "--transport",
    type=click.Choice(scaffold.TRANSPORTS),
    help="Transport of the image.  [default: that of its registry record, else stdio]",
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    help=f"Port that it listens on, unless it speaks stdio.  [default: as the record states, else {DEFAULT_PORT}]",
)
@click.option("--url", help="Address of the remote server.")
@click.option("--issuer", help="Issuer of the OIDC provider.")
@click.option("--namespace", "-n", help="Namespace that kustomize sets.")
@click.option(
    "--release",
    metavar="X.Y",
    callback=valid_release,
    help="Release of the operator.  [default: the installed one, else the newest whose output was compared with an"
    " operator]",
)
@click.option("--hook/--no-hook", default=None, help="Configure pre-commit.  [default: hook]")
@click.option("--ci", type=click.Choice([*scaffold.CI, "none"]), help="Configure CI.  [default: none]")
@click.option("--workflow", type=PATH, metavar="FILE", help="Workflow of GitHub Actions that the job is added to.")
@click.option("--yes", "-y", is_flag=True, help="Add to existing files of pre-commit and CI without asking.")
@config_option
def command(folder: str, config: str | None, **given: Any) -> int:
    """Create a working project in PATH, by default the current one.

    On a terminal, init asks for the settings that no option states. It never overwrites a file. If the files of
    pre-commit and CI exist, it shows how it would add the hook and the job to them, and asks.

    The names and the release of the operator come from the configuration above PATH. Without one, the release is
    that which the Git repository installs.
    """
    from ..admission.table import checks_of

    asks = given["kind"] is None and sys.stdin is not None and sys.stdin.isatty()
    plan = _plan({**given, "ci": "github" if given["workflow"] else given["ci"]}, ask=asks)
    workflow = given["workflow"] or (asked_workflow(folder) if asks and plan.ci == "github" else None)
    texts = scaffold.project_files(plan)
    amended = amendments(folder, texts, workflow)
    existing = [file for file in texts if os.path.lexists(file_path.join(folder, file)) and file not in amended]
    if existing:
        raise InputError(
            f"{', '.join(existing)} {'are' if len(existing) > 1 else 'is'} there already: nothing was written"
        )
    profile = settings_at(_nearest_folder(folder), config, given["release"]).profile
    plan = plan._replace(profile=profile, release=profile.release or plan.release)
    others = _repository_texts(_nearest_folder(folder)) if plan.layout != scaffold.NO_RESOURCES else {}
    installing = _installing_pin(others, folder, profile) if profile.release is None else None
    if installing is not None:
        file, pin = installing
        plan = plan._replace(release=pin.release, installing_file=line(file_path.relpath(file, folder)))
    agree(amended, yes=given["yes"])
    neighbor = neighbor_schema(others.values(), checks_of(profile).table.kinds) if others else None
    texts = {**scaffold.project_files(plan), **new_files(amended)}
    changes: dict[str, Change] = {}
    for file, text in ((file, text) for file, text in texts.items() if file not in amended):
        is_resource = os.path.dirname(file) == "deploy" and not has_kustomization_name(file)
        text_of_file = with_schema(text, neighbor) if neighbor and is_resource else text
        changes[file_path.join(folder, file)] = Change(None, text_of_file.encode())
    changes |= changes_of(amended)
    write_changes(changes, (boundary(folder),))
    for file, change in changes.items():
        verb = "wrote" if change.before is None else "changed"
        click.echo(line(f"{verb} {file_path.normpath(file)}"))
    if installing is not None:
        place = f"{installing.file}:{installing.pin.place.span.line}"
        click.echo(line(f"the operator's release is {plan.release}, which {place} installs"), err=True)
    if plan.hook:
        click.echo("the hook runs the mcpcfg of the PATH: pipx install PATH/TO/mcpcfg puts it there", err=True)
    if plan.ci is not None:
        file = scaffold.CI[plan.ci]
        job = amended[file].path if file in amended else file
        click.echo(f"{job} installs mcpcfg: {scaffold.SOURCE_PLACES[plan.ci]}", err=True)
    before = "" if file_path.normpath(folder) == "." else f"cd {folder} && "
    if plan.layout == scaffold.NO_RESOURCES:
        click.echo(f"next: {before}mcpcfg check", err=True)
        return 0
    click.echo(f"next: {before}mcpcfg check && mcpcfg build --target kubernetes --output-dir compiled", err=True)
    return 0


def _repository_texts(folder: str) -> dict[str, bytes]:
    """Return the texts of the first files in the Git repository around a folder, by path.

    The result is empty outside of a repository, where the folders above may hold anything.
    """
    from ..disk.files import FoundFile, find_files, read_file
    from ..disk.walk import boundary

    root = boundary(folder)
    if not os.path.exists(file_path.join(root, ".git")):
        return {}
    texts = {
        file.path: read_file(FoundFile(file.path, is_named=False))
        for file in islice(find_files([file_path.relpath(root)]), _MOST_FILES)
    }
    return {path: text for path, text in texts.items() if isinstance(text, bytes)}


def _installing_pin(texts: Mapping[str, bytes], folder: str, profile: Profile) -> Pinned | None:
    """Return the place in the texts that states the operator's release for a folder, or ``None`` if there is none."""
    from ..project.kustomize import read_pins
    from ..project.pin import NearestPins, Pinned, merge_crd_pins
    from ..reading.document import read_documents

    product = profile.product.encode()
    pins = [
        Pinned(file, pin)
        for file, text in texts.items()
        if product in text
        for pin in read_pins(read_documents(text, file)[0], text, profile)
        if pin.release
    ]
    return NearestPins(merge_crd_pins(pins)).pin_for(folder) if pins else None


def _nearest_folder(folder: str) -> str:
    path = file_path.abspath(folder)
    while not os.path.isdir(path):
        path = os.path.dirname(path)
    return path


def _plan(given: dict[str, Any], *, ask: bool) -> scaffold.Plan:
    layout = given["kind"]
    if layout is None and not ask:
        layout = "server"
    if layout is None:
        layouts = {**scaffold.LAYOUTS, scaffold.NO_RESOURCES: "only pre-commit and CI, for a project that exists"}
        for kind, words in layouts.items():
            click.echo(f"  {kind:<15} {words}")
        layout = click.prompt("What shall it begin as?", type=click.Choice(list(layouts)), default="server")
    defaults = scaffold.Plan(layout, {"server": "fetch", "remote-proxy": "remote"}.get(layout, "gateway"))

    def answer(option: str, question: str, default: str | None) -> str | None:
        if given[option] is None and ask:
            answer: str = click.prompt(
                question,
                default=default or "",
                show_default=default is not None,
                value_proc=lambda text: _accepted(defaults, option, text),
            )
            return answer or None
        return given[option] or default

    has_resources = layout != scaffold.NO_RESOURCES
    name = (answer("name", "Name of the server", defaults.name) or "") if has_resources else defaults.name
    server = _server(given, answer, ask=ask) if has_resources and layout != "remote-proxy" else None
    url = answer("url", "Address of the remote server", defaults.url) if layout == "remote-proxy" else None
    issuer = answer("issuer", "Issuer of the OIDC provider", defaults.issuer) if layout == "remote-proxy" else None
    namespace = answer("namespace", "Namespace (empty: set elsewhere)", None) if has_resources else None
    hook, ci = given["hook"], given["ci"]
    if ask:
        hook = click.confirm("Configure pre-commit?", default=True) if hook is None else hook
        ci = ci or click.prompt("CI", type=click.Choice([*scaffold.CI, "none"]), default="none")
    plan = scaffold.Plan(
        layout,
        name,
        server,
        url or defaults.url,
        issuer or defaults.issuer,
        namespace,
        hook is not False,
        None if ci in (None, "none") else ci,
    )
    for field, reason in scaffold.plan_faults(plan):
        raise click.UsageError(f"--{field} {getattr(plan, field)!r} {reason}")
    return plan


def _accepted(plan: scaffold.Plan, option: str, text: str) -> str:
    if text and option in plan._fields:
        answered: dict[str, Any] = {option: text}
        for field, reason in scaffold.plan_faults(plan._replace(**answered)):
            if field == option:
                raise click.BadParameter(f"{text} {reason}")
    return text


def _server(given: Mapping[str, Any], answer: Callable[..., str | None], *, ask: bool) -> scaffold.ContainerServer:
    """Return the container server to start with.

    Transport and port come from options, or else from the registry entry of the image. If the image has no entry, ask
    for the transport.
    """
    first = known_server()
    assert first is not None
    image = answer("image", "Image", first.image) or first.image
    recorded = known_server(image)
    transport = given["transport"]
    if transport is None and recorded is None and ask:
        transport = click.prompt("How does it speak MCP?", type=click.Choice(scaffold.TRANSPORTS), default="stdio")
    server = recorded or scaffold.ContainerServer(image, "stdio", DEFAULT_PORT)
    server = server._replace(transport=transport or server.transport, port=given["port"] or server.port)
    if given["port"] is not None and server.transport == "stdio":
        raise click.UsageError("--port is of servers that speak over HTTP: it does not go with stdio")
    return server


def known_server(image: str | None = None) -> scaffold.ContainerServer | None:
    """Return the server of an image as the registry that comes with mcpcfg describes it, or ``None`` if it is missing.

    The tag of the image does not matter. Without an image, return the server of the default project.
    """
    from ..golang.image_reference import repository
    from ..records.registry.file import built_in_registry
    from ..records.registry.query import find_server

    registry = built_in_registry()
    if image is None:
        entry_: Mapping[str, Any] = find_server(registry, scaffold.BACKEND)[1]
    else:
        entries = (registry.data["servers"] or {}).values()
        matching = [entry for entry in entries if repository(entry["image"]) == repository(image)]
        if not matching:
            return None
        entry_ = matching[0]
    return scaffold.ContainerServer(
        image or entry_["image"], entry_["transport"], entry_["target_port"] or DEFAULT_PORT
    )
