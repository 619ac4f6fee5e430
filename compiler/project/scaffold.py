"""The files of a new project, rendered from templates."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final

from ..diagnostics.named_tuple import NamedTuple
from ..toolhive.profile import TOOLHIVE, Profile
from ..toolhive.release import NEWEST_MODELLED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LAYOUTS: Final[Mapping[str, str]] = {
    "server": "one server in the cluster",
    "remote-proxy": "a proxy before a remote server, with OIDC",
    "virtual-server": "a virtual server over a group, with a workflow",
}
"""Kinds of new projects, each with a description."""
NO_RESOURCES: Final = "none"
"""The layout for an existing project: only the files of pre-commit and CI are written."""

CI: Final = {"github": ".github/workflows/mcpcfg.yaml", "gitlab": ".gitlab-ci.yml"}
"""Configuration file of each CI service, as a path in the project."""

_SOURCE: Final = "set MCPCFG_SOURCE to a source for pip, such as git+https://HOST/OWNER/mcpcfg@COMMIT,"
SOURCE_PLACES: Final = {
    "github": f"{_SOURCE} in Settings, Secrets and variables, Actions, Variables of the repository",
    "gitlab": f"{_SOURCE} in this file, or in Settings, CI/CD, Variables of the project",
}
"""Instruction for each CI service: the setting that a person makes before the job can run."""

TRANSPORTS: Final = ("stdio", "streamable-http", "sse")
BACKEND: Final = "fetch"
"""Name of the server in a project with several resources."""
_GROUP: Final = "tools"
_PLAIN: Final = re.compile(r"[A-Za-z/][A-Za-z0-9./@_-]*(:[A-Za-z0-9./@_-]+)*")


_WORDS: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""Words that YAML 1.1 or another reader takes for booleans or null."""


class ContainerServer(NamedTuple):
    """The MCP server in a container.

    Attributes:
        transport: Transport that the image speaks: ``stdio``, ``streamable-http`` or ``sse``.
        port: Port that the image listens on if it speaks HTTP.
    """

    image: str
    transport: str
    port: int


class Plan(NamedTuple):
    """The choices for a new project.

    Attributes:
        name: Name of the main resource.
        url: URL of the remote server, if the layout has one.
        issuer: URL of the OIDC provider, if the layout has one.
        namespace: Namespace in the kustomization; ``None`` if it is set elsewhere.
        hook: True if pre-commit is configured.
        ci: CI service that is configured, if any.
        installing_file: File that installs this release, relative to the project; empty if none is known. If it is in
            the project, the configuration states no release, because the file decides.
    """

    layout: str
    name: str
    server: ContainerServer | None = None
    url: str = "https://mcp.example.com/mcp"
    issuer: str = "https://login.example.com"
    namespace: str | None = None
    hook: bool = True
    ci: str | None = None
    profile: Profile = TOOLHIVE
    release: str = NEWEST_MODELLED
    installing_file: str = ""


def project_files(plan: Plan) -> dict[str, str]:
    """Return the text of each file of the project, by path in the project."""
    from jinja2 import Environment, PackageLoader

    environment = Environment(  # noqa: S701 - YAML: names are checked by the caller, other values pass ``scalar``
        loader=PackageLoader("mcpcfg.templates", ""), trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters["scalar"] = _scalar
    resources = _resources(plan)
    has_resources = plan.layout != NO_RESOURCES
    values = {
        **plan._asdict(),
        **(plan.server._asdict() if plan.server is not None else {}),
        "api_version": plan.profile._replace(release=plan.release).api_version(),
        "is_built_in": plan.profile._replace(release=None, crds=None) == TOOLHIVE,
        "backend": BACKEND,
        "group": _GROUP if plan.layout == "virtual-server" else None,
        "files": sorted(resources),
    }
    templates = {f"deploy/{file}": template for file, template in resources.items()}
    if has_resources:
        templates |= {"mcpcfg.yaml": "settings", "deploy/kustomization.yaml": "kustomization"}
    if plan.hook:
        templates[".pre-commit-config.yaml"] = "pre_commit"
    if plan.ci is not None:
        templates[CI[plan.ci]] = plan.ci
    texts: dict[str, str] = {}
    for file, template in sorted(templates.items()):
        overrides = {"name": BACKEND} if template == "server" and plan.layout == "virtual-server" else {}
        texts[file] = environment.get_template(f"init_{template}.yaml.j2").render(values | overrides)
    return texts


def _resources(plan: Plan) -> dict[str, str]:
    if plan.layout == NO_RESOURCES:
        return {}
    if plan.layout == "server":
        return {f"{plan.name}.yaml": "server"}
    if plan.layout == "remote-proxy":
        return {f"{plan.name}.yaml": "remote_proxy", "login.yaml": "oidc"}
    return {
        f"{plan.name}.yaml": "virtual_server",
        f"{BACKEND}.yaml": "server",
        "group.yaml": "group",
        "read-page.yaml": "workflow",
    }


def plan_faults(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield the fields of a plan whose values cannot be used, each with a clause that says why.

    The operator would refuse most of these values. A reserved name would give two files one path.
    """
    from ...validators.remote_host import hostname_of, internal
    from ..kube.names import dns_1035_label_faults

    for field, name in (("name", plan.name), ("namespace", plan.namespace)):
        if name is not None and dns_1035_label_faults(name):
            yield field, "must be lower case letters, digits and dashes, and begin with a letter"
    if plan.name in _reserved_names(plan.layout):
        yield "name", "is the name of another file of the project: choose another"
    for field, url in (("url", plan.url), ("issuer", plan.issuer)):
        if not url.startswith(("https://", "http://")):
            yield field, "must begin with https:// or http://"
    host = hostname_of(plan.url)
    if not host or internal(host) is not None:
        yield "url", "must lead to a host outside of the cluster"


def _reserved_names(layout: str) -> frozenset[str]:
    others = {"remote-proxy": ("login",), "virtual-server": (BACKEND, "group", "read-page")}
    return frozenset((*others.get(layout, ()), "kustomization"))


def _scalar(text: str) -> str:
    is_plain = _PLAIN.fullmatch(text) is not None and text.lower() not in _WORDS
    return text if is_plain else json.dumps(text, ensure_ascii=False)
