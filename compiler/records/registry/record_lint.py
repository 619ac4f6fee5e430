"""Check catalog records by the rules of the public catalog, and for data that the service ignores.

Paths are relative to the record. Every fault is a lint, because the published schema accepts it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...golang import url
from ...golang.image_reference import parse_image
from .extension_lint import lint_extensions

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ...diagnostics.span import Path

TEMPLATE_VARIABLE = rule("CAT018 catalog-url-variable-undefined", "lint", "A URL names a variable that nothing defines")
PACKAGES_UNUSED = rule(
    "CAT022 catalog-packages-unused", "lint", "A record with remotes has more than the service uses", severity="info"
)
DEFAULT_NOT_A_CHOICE = rule(
    "CAT023 catalog-default-not-a-choice", "lint", "The default or value of an input is not one of its choices"
)

NAME_PARTS = rule("CAT010 catalog-name-refused", "lint", "The public catalog refuses the name of the server")
VERSION_RANGE = rule("CAT011 catalog-version-range", "lint", "A version is a range or the word latest")
REPOSITORY = rule("CAT012 catalog-repository-refused", "lint", "The public catalog refuses the repository")
NOT_HTTPS = rule("CAT013 catalog-url-not-https", "lint", "A home page or icon is not served over https")
BLANK_TITLE = rule("CAT014 catalog-title-blank", "lint", "The title is blank")
IDENTIFIER = rule("CAT015 catalog-package-refused", "lint", "The public catalog refuses a package")
NAMED_ARGUMENT = rule("CAT016 catalog-argument-refused", "lint", "A named argument mixes its name with its value")
TRANSPORT_URL = rule("CAT017 catalog-transport-url-refused", "lint", "The URL of a transport cannot be used")


_NAME_PART = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]*[a-zA-Z0-9]\Z")
_NAMESPACE = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9.-]*[a-zA-Z0-9]\Z")
_NUMBER = r"v?\d+(?:\.\d+){0,3}(?:-[0-9A-Za-z.-]+)?"
_RANGES = tuple(
    re.compile(pattern, re.ASCII)
    for pattern in (
        rf"(?:\^|~|>=|<=|>|<|=)\s*{_NUMBER}\Z",
        rf"{_NUMBER}\s-\s*{_NUMBER}\Z",
        rf"{_NUMBER}\s*(?:\|\|\s*{_NUMBER}\s*)+\Z",
    )
)
_WILDCARD = re.compile(r"(?:v?\d+|[xX*])(?:\.(?:\d+|[xX*])){1,2}(?:-[0-9A-Za-z.-]+)?\Z", re.ASCII)
_REPOSITORIES = {
    source: re.compile(rf"https?://(?:www\.)?{source}\.com/[\w.-]+/[\w.-]+/?\Z", re.ASCII)
    for source in ("github", "gitlab")
}
_SUBFOLDER = re.compile(r"[a-zA-Z0-9\-_./]+\Z")
_VARIABLE = re.compile(r"\{([^}]+)\}")
_IMAGE_HOSTS = frozenset({"docker.io", "registry-1.docker.io", "index.docker.io", "ghcr.io", "mcr.microsoft.com"})
_IMAGE_DOMAINS = (".pkg.dev", ".azurecr.io")
_RELEASE_HOSTS = frozenset({"github.com", "www.github.com", "gitlab.com", "www.gitlab.com"})


def lint_record(record: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the lints of a decoded record."""
    yield from _lint_head(record)
    for i, package in enumerate(record["packages"] or ()):
        yield from _lint_package(package, ("packages", i))
    for i, remote in enumerate(record["remotes"] or ()):
        yield from _lint_remote(remote, ("remotes", i))
    yield from lint_extensions(record)
    if record["remotes"] and (record["packages"] or len(record["remotes"]) > 1):
        path: Path = ("packages",) if record["packages"] else ("remotes", 1)
        message = "the service uses the first remote of a record and nothing else"
        hint = "split it into two records if both are to be run"
        yield Fault(path, PACKAGES_UNUSED, message, hint)


def _lint_head(record: Mapping[str, Any]) -> Iterator[Fault]:
    namespace, slash, name = record["name"].partition("/")
    if slash and not (_NAMESPACE.match(namespace) and _NAME_PART.match(name)):
        message = f'each part of "{record["name"]}" must be two or more characters, with letters or digits at both ends'
        yield Fault(("name",), NAME_PARTS, message, "write each part as in io.github.acme/weather")
    yield from _lint_version(record["version"], ("version",))
    yield from _lint_repository(record["repository"])
    if record["websiteUrl"]:
        yield from _lint_https(record["websiteUrl"], ("websiteUrl",))
    if record["title"] and not record["title"].strip():
        hint = "write a title, or leave the field out"
        yield Fault(("title",), BLANK_TITLE, "the title consists only of white space", hint)
    for i, icon in enumerate(record["icons"] or ()):
        yield from _lint_https(icon["src"], ("icons", i, "src"))


def _lint_version(version: str, path: Path) -> Iterator[Fault]:
    text = version.strip()
    ranged = any(pattern.match(text) for pattern in _RANGES)
    if version == "latest" or ranged or (_WILDCARD.match(text) and not {"x", "X", "*"}.isdisjoint(text)):
        hint = "write one version, such as 1.2.0"
        yield Fault(path, VERSION_RANGE, f"{shown(version)} is not a single version", hint)


def _lint_repository(repository: Mapping[str, Any] | None) -> Iterator[Fault]:
    if repository is None or not (repository["url"] or repository["source"]):
        return
    pattern = _REPOSITORIES.get(repository["source"])
    if pattern is None:
        message = f'the source {shown(repository["source"])} is neither "github" nor "gitlab"'
        yield Fault(("repository", "source"), REPOSITORY, message)
    elif not pattern.match(repository["url"]):
        message = f"{shown(repository['url'])} is not a repository on {repository['source']}"
        hint = f"write https://{repository['source']}.com/OWNER/NAME"
        yield Fault(("repository", "url"), REPOSITORY, message, hint)
    folder = repository["subfolder"]
    if folder and (not _SUBFOLDER.match(folder) or {"", ".", ".."} & set(folder.split("/"))):
        hint = "write a path within the repository, such as src/server"
        yield Fault(("repository", "subfolder"), REPOSITORY, f"{shown(folder)} is not a plain relative path", hint)


def _lint_https(text: str, path: Path) -> Iterator[Fault]:
    try:
        https = url.parse(text).scheme == "https"
    except url.UrlError:
        https = False
    if not https:
        yield Fault(path, NOT_HTTPS, f"{shown(text)} is not an https URL", "write an https address")


def _lint_package(package: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    if " " in package["identifier"]:
        yield Fault((*path, "identifier"), IDENTIFIER, f"{shown(package['identifier'])} holds a space")
    yield from _lint_package_type(package, path)
    yield from _lint_version(package["version"], (*path, "version"))
    defined = {variable["name"] for variable in package["environmentVariables"] or ()}
    for key in ("runtimeArguments", "packageArguments"):
        for i, argument in enumerate(package[key] or ()):
            defined |= {argument["name"], argument["valueHint"]}
            yield from _lint_argument(argument, (*path, key, i))
            yield from _lint_choice(argument, (*path, key, i))
    for i, variable in enumerate(package["environmentVariables"] or ()):
        yield from _lint_choice(variable, (*path, "environmentVariables", i))
    transport = package["transport"]
    where = (*path, "transport", "url")
    if transport["type"] == "stdio" and transport["url"]:
        hint = "remove the URL, or state another transport"
        yield Fault(where, TRANSPORT_URL, "a stdio transport has no URL", hint)
    elif transport["url"]:
        yield from _lint_template(transport["url"], defined, where)


def _lint_package_type(package: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    kind = package["registryType"]
    refused: tuple[str, ...] = ()
    if kind == "oci":
        refused = ("registryBaseUrl", "version", "fileSha256")
        yield from _lint_image(package["identifier"], (*path, "identifier"))
    elif kind in {"npm", "pypi", "nuget"}:
        refused = ("fileSha256",)
        if not package["version"]:
            yield Fault(path, IDENTIFIER, f'a package of type {kind} needs a "version"')
    elif kind == "mcpb":
        refused = ("registryBaseUrl",)
        if not package["fileSha256"]:
            yield Fault(path, IDENTIFIER, 'a package of type mcpb needs "fileSha256"')
        yield from _lint_release(package["identifier"], (*path, "identifier"))
    for key in refused:
        if package[key]:
            message = f'a package of type {kind} has no "{key}"'
            hint = "state it in the identifier" if kind == "oci" and key != "fileSha256" else None
            yield Fault((*path, key), IDENTIFIER, message, hint, on_key=True)


def _lint_image(identifier: str, path: Path) -> Iterator[Fault]:
    image = parse_image(identifier)
    if image is None:
        yield Fault(path, IDENTIFIER, f"{shown(identifier)} is not an image reference")
    elif image.registry not in _IMAGE_HOSTS and not image.registry.endswith(_IMAGE_DOMAINS):
        yield Fault(path, IDENTIFIER, f"the public catalog accepts no images from {image.registry}")


def _lint_release(identifier: str, path: Path) -> Iterator[Fault]:
    try:
        parts = url.parse(identifier)
    except url.UrlError:
        parts = url.Url()
    release = "/releases/download/" in parts.path or "/-/releases/" in parts.path or "/-/package_files/" in parts.path
    if parts.scheme != "https" or parts.host.lower() not in _RELEASE_HOSTS or not release:
        message = f"{shown(identifier)} is not a file of a release on GitHub or GitLab"
        yield Fault(path, IDENTIFIER, message)
    elif "mcp" not in identifier.lower():
        yield Fault(path, IDENTIFIER, f'the URL {shown(identifier)} does not hold "mcp"')


def _lint_argument(argument: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    if argument["type"] != "named":
        return
    name = argument["name"]
    if not name or any(character in name for character in "<> $"):
        hint = "write only the name, and put the rest in value"
        yield Fault((*path, "name"), NAMED_ARGUMENT, f"{shown(name)} is not a plain argument name", hint)
        return
    for key in ("value", "default"):
        if argument[key].startswith(name):
            hint = "write it without the name"
            yield Fault((*path, key), NAMED_ARGUMENT, f'{shown(argument[key])} repeats the name "{name}"', hint)


def _lint_choice(given: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    for key in ("value", "default"):
        if given["choices"] and given[key] and "{" not in given[key] and given[key] not in given["choices"]:
            hint = "choose one of them, or add it"
            yield Fault((*path, key), DEFAULT_NOT_A_CHOICE, f"{shown(given[key])} is not one of the choices", hint)


def _lint_remote(remote: Mapping[str, Any], path: Path) -> Iterator[Fault]:
    where = (*path, "url")
    faults = list(_lint_template(remote["url"], set(remote["variables"] or ()), where))
    yield from faults
    for i, header in enumerate(remote["headers"] or ()):
        yield from _lint_choice(header, (*path, "headers", i))
    if faults or not remote["url"]:
        return
    parts = url.parse(_with_sample_values(remote["url"]))
    if parts.scheme != "https":
        hint = "write the https address that clients reach, or describe a package instead"
        yield Fault(where, TRANSPORT_URL, f"{shown(remote['url'])} is not an https URL", hint)
    elif parts.hostname in {"localhost", "127.0.0.1"} or parts.hostname.endswith(".localhost"):
        hint = "write the address that all clients reach, or describe a package instead"
        yield Fault(where, TRANSPORT_URL, f"{shown(remote['url'])} is on the machine of each user", hint)


def _lint_template(text: str, defined: set[str], path: Path) -> Iterator[Fault]:
    for variable in _VARIABLE.findall(_up_to_last_brace(text)):
        if variable not in defined:
            hint = f"define {variable}, or write the URL without it"
            yield Fault(path, TEMPLATE_VARIABLE, f'nothing defines the variable "{variable}" of the URL', hint)
    try:
        parts = url.parse(_with_sample_values(text))
    except url.UrlError as error:
        yield Fault(path, TRANSPORT_URL, f"{shown(text)} is not a URL: {error}", "write an https address")
        return
    if not parts.host:
        yield Fault(path, TRANSPORT_URL, f"{shown(text)} has no host", "write an https address with a host")


def _with_sample_values(text: str) -> str:
    """Return a URL template with a sample value for each variable in braces, so the URL can be parsed."""
    text = text.replace("{protocol}", "http").replace("{scheme}", "http")
    braced = re.sub(r":\{[^{}]+\}(?=/|\Z)", ":8080", _up_to_last_brace(text))
    return _VARIABLE.sub("placeholder", braced) + text[len(_up_to_last_brace(text)) :]


def _up_to_last_brace(text: str) -> str:
    """Return a text up to its last closing brace. A search for variables in the rest would take quadratic time."""
    return text[: text.rfind("}") + 1]
