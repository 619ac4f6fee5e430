"""Validation of strings in pods that are neither names nor keys: paths, addresses, search domains.

Every ``…_faults`` function returns clauses that follow the text, and an empty tuple for a valid text.

Source: Kubernetes 1.35, pkg/apis/core/validation.
"""

from __future__ import annotations

import re

from ..names import LABEL_LENGTH, SUBDOMAIN_LENGTH, Reasons, dns_subdomain_faults


def no_backstep_faults(path: str) -> Reasons:
    """Return the reason why a path is invalid if one of its segments is ".."."""
    return ('must not have ".." as a part',) if ".." in path.split("/") else ()


def descending_path_faults(path: str) -> Reasons:
    """Return the reasons why ``path`` is not a relative path without the segment ".."."""
    relative: Reasons = ("must be a relative path",) if path.startswith("/") else ()
    return relative + no_backstep_faults(path)


def file_path_faults(path: str) -> Reasons:
    """Return the reasons why ``path`` cannot be the relative path of a file in a volume.

    It must not begin with two dots, because Kubernetes reserves such names.
    """
    reasons = descending_path_faults(path)
    if path.startswith("..") and not path.startswith("../") and path != "..":
        reasons += ('must not begin with ".."',)
    return reasons


def address_faults(text: str) -> Reasons:
    """Return the reasons why ``text`` is not an IP address. Numbers of an IPv4 address may have leading zeros."""
    import ipaddress

    plain = ".".join(part.lstrip("0") or "0" if part.isdigit() else part for part in text.split("."))
    try:
        ipaddress.ip_address(plain if "." in text and ":" not in text else text)
    except ValueError:
        return ("must be an IP address",)
    return ("must be an IP address",) if "%" in text else ()


def search_domain_faults(domain: str) -> Reasons:
    """Return the reasons why ``domain`` is not a DNS search domain: a dot, or a subdomain that may have underscores."""
    return () if domain == "." else dns_subdomain_faults(domain.removesuffix(".").replace("_", "a"))


def hostname_override_faults(name: str) -> Reasons:
    """Return the reasons why ``name`` cannot replace the pod's host name. Linux limits host names to 64 characters."""
    reasons: Reasons = ("must have at most 64 characters",) if len(name) > 64 else ()
    return reasons + dns_subdomain_faults(name)


def header_name_faults(name: str) -> Reasons:
    """Return the reasons why ``name`` cannot name an HTTP header that a probe sends."""
    if name.isascii() and name and name.replace("-", "a").isalnum():
        return ()
    return ('may have letters, digits and "-" only',)


def absolute_path_faults(path: str) -> Reasons:
    """Return the reason why ``path`` is not absolute, as an NFS export must be."""
    return () if path.startswith("/") else ("must be an absolute path",)


def driver_faults(name: str) -> Reasons:
    """Return why ``name`` cannot name a CSI driver: a DNS subdomain of at most 63 bytes, with capitals or not."""
    reasons: Reasons = ("must have at most 63 characters",) if len(name) > LABEL_LENGTH else ()
    return reasons + dns_subdomain_faults(name.lower())


def sysctl_faults(name: str) -> Reasons:
    """Return the reasons why ``name`` cannot name a kernel parameter. Dots or slashes separate its segments."""
    parts = name.replace("/", ".").split(".")
    if len(name) <= SUBDOMAIN_LENGTH and all(re.fullmatch(_SYSCTL_PART, part) for part in parts):
        return ()
    return ("must be parts of lower-case letters, digits, dashes and underscores, divided by dots",)


_SYSCTL_PART = r"[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
