"""Validation of strings in pods that are neither names nor keys: paths, addresses, search domains.

Every ``…_faults`` function returns the reasons why a text is invalid, as clauses that follow the text.

Source: Kubernetes 1.35, pkg/apis/core/validation.
"""

from __future__ import annotations

import re

from ..names import LABEL_LENGTH, SUBDOMAIN_LENGTH, Reasons, dns_subdomain_faults


def no_backstep_faults(path: str) -> Reasons:
    """Check that no part of a path is ".."."""
    return ('must not have ".." as a part',) if ".." in path.split("/") else ()


def descending_path_faults(path: str) -> Reasons:
    """Check a relative path without ".."."""
    relative: Reasons = ("must be a relative path",) if path.startswith("/") else ()
    return relative + no_backstep_faults(path)


def file_path_faults(path: str) -> Reasons:
    """Check the relative path of a file in a volume. It must not begin with two dots, which Kubernetes reserves."""
    reasons = descending_path_faults(path)
    if path.startswith("..") and not path.startswith("../") and path != "..":
        reasons += ('must not begin with ".."',)
    return reasons


def address_faults(text: str) -> Reasons:
    """Check an IP address. Parts of an IPv4 address may have leading zeros."""
    import ipaddress

    plain = ".".join(part.lstrip("0") or "0" if part.isdigit() else part for part in text.split("."))
    try:
        ipaddress.ip_address(plain if "." in text and ":" not in text else text)
    except ValueError:
        return ("must be an IP address",)
    return ("must be an IP address",) if "%" in text else ()


def search_domain_faults(domain: str) -> Reasons:
    """Check a DNS search domain: the root, or a subdomain that may have underscores."""
    return () if domain == "." else dns_subdomain_faults(domain.removesuffix(".").replace("_", "a"))


def hostname_override_faults(name: str) -> Reasons:
    """Check the host name that replaces the pod's. Linux limits host names to 64 characters."""
    reasons: Reasons = ("must have at most 64 characters",) if len(name) > 64 else ()
    return reasons + dns_subdomain_faults(name)


def header_name_faults(name: str) -> Reasons:
    """Check the name of a header that a probe sends."""
    if name.isascii() and name and name.replace("-", "a").isalnum():
        return ()
    return ('may have letters, digits and "-" only',)


def absolute_path_faults(path: str) -> Reasons:
    """Check a path that must be absolute, such as an NFS export."""
    return () if path.startswith("/") else ("must be an absolute path",)


def driver_faults(name: str) -> Reasons:
    """Check the name of a CSI driver: a subdomain of at most 63 bytes that may have capitals."""
    reasons: Reasons = ("must have at most 63 characters",) if len(name) > LABEL_LENGTH else ()
    return reasons + dns_subdomain_faults(name.lower())


def sysctl_faults(name: str) -> Reasons:
    """Check the name of a kernel parameter: parts separated by dots or slashes."""
    parts = name.replace("/", ".").split(".")
    if len(name) <= SUBDOMAIN_LENGTH and all(re.fullmatch(_SYSCTL_PART, part) for part in parts):
        return ()
    return ("must be parts of lower-case letters, digits, dashes and underscores, divided by dots",)


_SYSCTL_PART = r"[a-z0-9]([-_a-z0-9]*[a-z0-9])?"
