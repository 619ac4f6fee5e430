"""A starting project: its files as texts, filled in from the templates."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, NamedTuple

from ..diagnostics.version import RECORDED
from ..toolhive.profile import TOOLHIVE, Profile

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

LAYOUTS: Final[Mapping[str, str]] = {
    "server": "one server in the cluster",
    "remote-proxy": "a proxy before a remote server, with OIDC",
    "virtual-server": "a virtual server over a group, with a workflow",
}
"""What a project may begin as, in words."""

CI: Final = {"github": ".github/workflows/mcpcfg.yaml", "gitlab": ".gitlab-ci.yml"}
"""CI service to the file that it reads."""

_SOURCE: Final = "set MCPCFG_SOURCE to a source for pip, such as git+https://HOST/OWNER/mcpcfg@COMMIT,"
SOURCE_PLACES: Final = {
    "github": f"{_SOURCE} in Settings, Secrets and variables, Actions, Variables of the repository",
    "gitlab": f"{_SOURCE} in this file, or in Settings, CI/CD, Variables of the project",
}
"""CI service to what a person has to edit before the job runs."""

TRANSPORTS: Final = ("stdio", "streamable-http", "sse")
BACKEND: Final = "fetch"
"""The server that projects begin with."""
_GROUP: Final = "tools"
_PLAIN: Final = re.compile(r"[A-Za-z/][A-Za-z0-9./@_-]*(:[A-Za-z0-9./@_-]+)*")


_WORDS: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""Texts that some reader of YAML takes for something else."""


class Server(NamedTuple):
    """What runs in a container, and how it is reached.

    Attributes:
        image: Of the container.
        transport: How the image speaks MCP.
        port: That it listens on, where it speaks over HTTP.
    """

    image: str
    transport: str
    port: int


class Plan(NamedTuple):
    """What a starting project is to be.

    Attributes:
        layout: What it begins as.
        name: Of its server.
        server: What its container runs, where there is one.
        url: Of the remote server, where there is one.
        issuer: Of the OIDC provider, where there is one.
        namespace: That kustomize sets; none where another hand sets it.
        hook: Whether to configure pre-commit.
        ci: The CI service to configure.
        profile: The names that the operator goes by.
        release: Of the operator, for the configuration to state.
    """

    layout: str
    name: str
    server: Server | None = None
    url: str = "https://mcp.example.com/mcp"
    issuer: str = "https://login.example.com"
    namespace: str | None = None
    hook: bool = True
    ci: str | None = None
    profile: Profile = TOOLHIVE
    release: str = RECORDED[-1]


def project_files(plan: Plan) -> dict[str, str]:
    """Return the files of the project: path in the project to text."""
    from jinja2 import Environment, PackageLoader

    environment = Environment(  # noqa: S701 - YAML: names are checked by the caller, other values pass ``scalar``
        loader=PackageLoader("mcpcfg.templates", ""), trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    environment.filters["scalar"] = _scalar
    resources = _resources(plan)
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
    templates |= {"mcpcfg.yaml": "settings", "deploy/kustomization.yaml": "kustomization"}
    if plan.hook:
        templates[".pre-commit-config.yaml"] = "pre_commit"
    if plan.ci is not None:
        templates[CI[plan.ci]] = plan.ci
    texts: dict[str, str] = {}
    for file, template in sorted(templates.items()):
        own = {"name": BACKEND} if template == "server" and plan.layout == "virtual-server" else {}
        texts[file] = environment.get_template(f"init_{template}.yaml.j2").render(values | own)
    return texts


def _resources(plan: Plan) -> dict[str, str]:
    """Return the files of the resources, each with its template."""
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
    """Yield the fields of a plan that the operator would refuse, each with what is wrong with its value."""
    from ...validators.remote_host import hostname_of, internal
    from ..kube.names import dns_1035_label_faults

    for field, name in (("name", plan.name), ("namespace", plan.namespace)):
        if name is not None and dns_1035_label_faults(name):
            yield field, "must be lower case letters, digits and dashes, and begin with a letter"
    if plan.name in _taken_names(plan.layout):
        yield "name", "is the name of another file of the project: choose another"
    for field, url in (("url", plan.url), ("issuer", plan.issuer)):
        if not url.startswith(("https://", "http://")):
            yield field, "must begin with https:// or http://"
    host = hostname_of(plan.url)
    if not host or internal(host) is not None:
        yield "url", "must lead to a host outside of the cluster"


def _taken_names(layout: str) -> frozenset[str]:
    """Return the names that the project's own server cannot have, as other files of the layout have them."""
    others = {"remote-proxy": ("login",), "virtual-server": (BACKEND, "group", "read-page")}
    return frozenset((*others.get(layout, ()), "kustomization"))


def _scalar(text: str) -> str:
    is_plain = _PLAIN.fullmatch(text) is not None and text.lower() not in _WORDS
    return text if is_plain else json.dumps(text, ensure_ascii=False)
