"""Skills of a catalog: whether the service could install them by their name.

Source: toolhive 0.21.0, skill service: resolving registry packages, Git references.
"""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...golang import url
from ..image_reference import parse_image
from . import catalog_rules as rule

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_REF = re.compile(r"[A-Za-z0-9._/-]+\Z")


def lint_skill(skill: Mapping[str, Any]) -> Iterator[Fault]:
    """Check a skill as it was decoded; paths begin at the skill."""
    packages = skill["packages"] or ()
    if not any(is_installable(package) for package in packages):
        found = "the service can install none of its packages" if packages else "it has no packages to install"
        yield Fault(("packages",) if packages else (), rule.NOT_INSTALLABLE.id, found)
    for i, package in enumerate(packages):
        for key in ("ref", "commit"):
            if package["registryType"] == "git" and package[key]:
                message = f'the "{key}" of a git package is not used for installing'
                yield Fault(("packages", i, key), rule.PIN_IGNORED.id, message)


def is_installable(package: Mapping[str, Any]) -> bool:
    """Return whether the service can install from a package."""
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
    """Return what is wrong with ``git://host/owner/repo[@ref][#path]``, or ``None``."""
    if not reference.startswith("git://"):
        return "it does not begin with git://"
    rest, hash_sign, path = reference.removeprefix("git://").partition("#")
    if hash_sign and _path_fault(path):
        return f'"{path}" is no path in a repository'
    host, _, repository = rest.partition("/")
    repository, at, ref = repository.rpartition("@") if "@" in repository else (repository, "", "")
    if at and ref and (not _REF.match(ref) or ".." in ref):
        return f'"{ref}" is no Git reference'
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
