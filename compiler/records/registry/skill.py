"""Check catalog skills: whether the service can install them by name, and how their packages pin a version.

Source: toolhive 0.21.0, skill service: resolving registry packages, Git references.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...golang import url
from ...golang.image_reference import parse_image

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

NOT_INSTALLABLE = rule("CAT030 catalog-skill-not-installable", "lint", "A skill has no package that can be installed")
PIN_IGNORED = rule(
    "CAT031 catalog-skill-pin-ignored",
    "lint",
    "The reference or commit of a git package is ignored on installation",
    severity="info",
)
SKILL_NAMESPACE = rule(
    "CAT032 catalog-skill-namespace-odd", "lint", "The namespace of a skill is not a reversed domain name"
)
SKILL_PACKAGE = rule(
    "CAT033 catalog-skill-package-odd",
    "lint",
    "A package of a skill has an invalid field, or one of another kind of package",
)


_REF = re.compile(r"[A-Za-z0-9._/-]+\Z")
_NAMESPACE = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)+\Z")
_DIGEST = re.compile(r"sha256:[0-9a-f]{64}\Z")
_COMMIT = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})\Z")
_FIELDS_OF_OTHERS = {"oci": ("url", "ref", "commit", "subfolder"), "git": ("identifier", "digest", "mediaType")}
"""For each type of package, the fields that only the other type has."""


def lint_skill(skill: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the lints of a decoded skill. Paths are relative to the skill."""
    namespace = skill["namespace"]
    if namespace and not _NAMESPACE.match(namespace):
        message = f"the namespace {shown(namespace)} is not a reversed domain name"
        yield Fault(("namespace",), SKILL_NAMESPACE, message, "write it in a form such as io.github.acme")
    packages = skill["packages"] or ()
    is_usable = any(is_installable(package) for package in packages)
    if not is_usable:
        message = "the service can install none of its packages" if packages else "it has no packages to install"
        hint = "add a package of type oci, or one of type git with the address of a repository"
        yield Fault(("packages",) if packages else (), NOT_INSTALLABLE, message, hint)
    for i, package in enumerate(packages):
        if is_usable and not is_installable(package):
            hint = "remove it, or correct its address"
            yield Fault(("packages", i), SKILL_PACKAGE, "the service cannot install this package", hint)
        for key, message in _questionable_fields(package):
            yield Fault(("packages", i, key), SKILL_PACKAGE, message)
        for key in ("ref", "commit"):
            if package["registryType"] == "git" and package[key]:
                message = f'the "{key}" of a git package is ignored on installation'
                hint = "publish a package of type oci if the version matters"
                yield Fault(("packages", i, key), PIN_IGNORED, message, hint)


def _questionable_fields(package: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the fields of a package that are malformed or belong to the other type of package, each with a message."""
    kind = package["registryType"]
    for key in _FIELDS_OF_OTHERS.get(kind, ()):
        if package[key]:
            yield key, f'a package of type {kind} has no "{key}"'
    if kind == "oci" and package["digest"]:
        named = package["identifier"].partition("@")[2]
        if not _DIGEST.match(package["digest"]):
            yield (
                "digest",
                f"{shown(package['digest'])} is not a digest of the form sha256:… with 64 hexadecimal digits",
            )
        elif named and named != package["digest"]:
            yield "digest", "the digest is not that of the identifier"
    elif kind == "git":
        if package["commit"] and not _COMMIT.match(package["commit"]):
            yield "commit", f"{shown(package['commit'])} is not a commit of 40 or 64 hexadecimal digits"
        if package["ref"] and (not _REF.match(package["ref"]) or ".." in package["ref"]):
            yield "ref", f"{shown(package['ref'])} is not a Git reference"


def is_installable(package: Mapping[str, Any]) -> bool:
    """Return whether the service can install a skill from a package: an OCI image or a Git repository."""
    if package["registryType"] == "oci":
        return bool(package["identifier"]) and parse_image(package["identifier"]) is not None
    if package["registryType"] != "git" or not package["url"]:
        return False
    scheme, separator, rest = package["url"].partition("://")
    if not separator or scheme not in {"https", "http", "git"}:
        return False
    folder = package["subfolder"]
    return git_reference_fault(f"git://{rest}" + (f"#{folder}" if folder else "")) is None


def git_reference_fault(reference: str) -> str | None:
    """Return why the service refuses a reference ``git://host/owner/repo[@ref][#path]``, as a clause, or ``None``."""
    if not reference.startswith("git://"):
        return "it does not begin with git://"
    rest, hash_sign, path = reference.removeprefix("git://").partition("#")
    if hash_sign and _path_fault(path):
        return f'"{path}" is not a path in a repository'
    host, _, repository = rest.partition("/")
    repository, at, ref = repository.rpartition("@") if "@" in repository else (repository, "", "")
    if at and ref and (not _REF.match(ref) or ".." in ref):
        return f'"{ref}" is not a Git reference'
    if not host or _is_private(host):
        return "its host is missing or on a private network"
    parts = repository.split("/")
    if len(parts) < 2 or not all(parts):
        return "it does not name an owner and a repository"
    return None


def _path_fault(path: str) -> bool:
    return bool(path) and (path.startswith("/") or "\\" in path or "\x00" in path or ".." in path.split("/"))


def _is_private(host: str) -> bool:
    name = url.Url(host=host).hostname.lower()
    if name == "localhost":
        return True
    try:
        address = ip_address(name)
    except ValueError:
        return False
    return address.is_private or address.is_loopback or address.is_link_local
