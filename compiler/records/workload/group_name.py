"""Check names of groups and labels of workloads.

Source: toolhive 0.21.0, packages groups and labels.
"""

from __future__ import annotations

import re

LONGEST_KEY = 253
"""The maximum length of a label's key in characters. The product refuses longer keys."""

_GROUP = re.compile(r"[a-z0-9_\-\s]+\Z", re.ASCII)
_PART = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?\Z")
_SUBDOMAIN = re.compile(r"[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*\Z")


def group_fault(name: str) -> str | None:
    """Return why a group cannot have this name, as a clause, or ``None``."""
    if not name.strip():
        return "it is empty"
    if "\x00" in name:
        return "it contains a null character"
    if name != name.lower():
        return "it has capital letters"
    if not _GROUP.match(name):
        return "it contains characters other than letters, digits, hyphens, underscores and spaces"
    if name != name.strip():
        return "it begins or ends with white space"
    return "it has two spaces in a row" if "  " in name else None


def label_fault(key: str, value: str) -> str | None:
    """Return why ToolHive does not accept a label, as a clause, or ``None``."""
    prefix, slash, name = key.rpartition("/")
    if len(key) > LONGEST_KEY:
        return f"its key is longer than {LONGEST_KEY} characters"
    if slash and not _SUBDOMAIN.match(prefix):
        return "the part of its key before the slash is not a domain"
    if not _PART.match(name):
        return "its key is not of up to 63 letters, digits, dots, hyphens and underscores"
    if value and not _PART.match(value):
        return "its value is not of up to 63 letters, digits, dots, hyphens and underscores"
    return None
