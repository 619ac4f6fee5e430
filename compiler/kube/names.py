"""Kubernetes' rules for names, keys and label values.

Every ``…_faults`` function returns clauses that follow the text ("must …", "has …"), and an empty tuple for a valid
text. Lengths count UTF-8 bytes, as in the API server.

Source: Kubernetes 1.35, k8s.io/apimachinery: pkg/api/validate/content, pkg/util/validation.
"""

from __future__ import annotations

import itertools
from typing import TypeAlias

Reasons: TypeAlias = tuple[str, ...]

LABEL_LENGTH = 63
"""Maximum bytes of a DNS label (RFC 1123), and of a label value."""
PORT_NAME_LENGTH = 15
"""Maximum bytes of a service name (RFC 6335)."""
SUBDOMAIN_LENGTH = 253
"""Maximum bytes of a DNS subdomain (RFC 1123)."""
ANNOTATIONS_SIZE = 256 * 1024
"""Maximum bytes of all annotations of an object in the API server (``TotalAnnotationSizeLimitB``)."""

_DIGITS = "0123456789"
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_LOWER_ALPHANUMERIC = _LOWER + _DIGITS
_ALPHANUMERIC = _UPPER + _LOWER_ALPHANUMERIC


def dns_label_faults(name: str) -> Reasons:
    """Return the reasons why ``name`` is not a DNS label (RFC 1123), such as the name of a namespace or container."""
    if _is_dns_label(name):
        return _length_faults(name, LABEL_LENGTH)
    if _is_dns_subdomain(name):
        return (*_length_faults(name, LABEL_LENGTH), "must not have dots")
    return (*_length_faults(name, LABEL_LENGTH), _dns_fault(name, "-", _LOWER_ALPHANUMERIC))


def dns_subdomain_faults(name: str) -> Reasons:
    """Return the reasons why ``name`` is not a DNS subdomain (RFC 1123), such as the name of most resources."""
    if _is_dns_subdomain(name):
        return _length_faults(name, SUBDOMAIN_LENGTH)
    return (*_length_faults(name, SUBDOMAIN_LENGTH), _dns_fault(name, "-.", _LOWER_ALPHANUMERIC))


def dns_1035_label_faults(name: str) -> Reasons:
    """Return the reasons why ``name`` is not a DNS label of RFC 1035, as the name of a Service must be."""
    if _is_dns_label(name) and name[0] not in _DIGITS:
        return _length_faults(name, LABEL_LENGTH)
    return (*_length_faults(name, LABEL_LENGTH), _dns_fault(name, "-", _LOWER))


def name_prefix(prefix: str) -> str:
    """Return the name that the API server validates if an object has ``prefix`` as ``generateName``.

    A trailing dash is replaced by a letter, because the generated characters will follow it.
    """
    # Go replaces the last two bytes, so a multi-byte letter before the dash would stay incomplete.
    return prefix[:-2] + "a" if len(prefix) > 1 and prefix[-1] == "-" and prefix[-2].isascii() else prefix


def label_key_faults(key: str) -> Reasons:
    """Return the reasons why ``key`` is not a label key, also called a qualified name: ``[subdomain/]name``."""
    prefix, slash, name = key.partition("/")
    if not slash:
        return _key_name_faults(prefix)
    if "/" in name:
        return ('has more than one "/"',)
    if not prefix:
        return ('must not begin with "/"', *_key_name_faults(name))
    return (*(f'before the "/" {reason}' for reason in dns_subdomain_faults(prefix)), *_key_name_faults(name))


def annotation_key_faults(key: str) -> Reasons:
    """Return the reasons why ``key`` is not an annotation key: a label key whose prefix may have capitals."""
    return label_key_faults(key.replace("\u0130", "i").lower())  # Go lowers the dotted capital I to one letter


def label_value_faults(value: str) -> Reasons:
    """Return the reasons why ``value`` is not a label value. An empty value is valid."""
    return _key_name_faults(value) if value else ()


def annotations_size(annotations: dict[str, str]) -> int:
    """Return the size of all keys and values in bytes. The API server accepts up to ``ANNOTATIONS_SIZE``."""
    return sum(_size(key) + _size(value) for key, value in annotations.items())


def relaxed_env_name_faults(name: str) -> Reasons:
    """Return the reasons why ``name`` cannot name an environment variable since Kubernetes 1.32.

    A name is valid if it consists of printable ASCII characters other than ``=``.
    """
    if not name:
        return ("must not be empty",)
    if name.isascii() and name.isprintable() and "=" not in name:
        return ()
    return ('must consist of printable ASCII characters other than "="',)


def config_key_faults(key: str) -> Reasons:
    """Return the reasons why ``key`` cannot be a key of a Secret or ConfigMap."""
    if not key:
        return ("must not be empty",)
    reasons = _length_faults(key, SUBDOMAIN_LENGTH)
    if key.strip(_ALPHANUMERIC + "-_."):
        reasons += (_character_fault(key, _ALPHANUMERIC + "-_.", 'letters, digits, "-", "_" and "."'),)
    if key == "." or key.startswith(".."):
        reasons += (f"must not {'be' if key in {'.', '..'} else 'begin with'} {'two dots' if key != '.' else 'a dot'}",)
    return reasons


def port_name_faults(name: str) -> Reasons:
    """Return the reasons why ``name`` cannot name a port: it must be a service name (RFC 6335) in lower case."""
    reasons = _length_faults(name, PORT_NAME_LENGTH)
    if not name or name.strip(_LOWER_ALPHANUMERIC + "-"):
        return (*reasons, _character_fault(name, _LOWER_ALPHANUMERIC + "-", 'lower-case letters, digits and "-"'))
    if not name.strip(_DIGITS + "-"):
        reasons += ("must have a letter",)
    if "--" in name or name[0] == "-" or name[-1] == "-":
        reasons += ("must have a letter or digit before and after every dash",)
    return reasons


def path_segment_faults(name: str) -> Reasons:
    """Return the reasons why ``name`` is not a segment of a URL path, which names of Roles and RoleBindings must be."""
    if name in {".", ".."}:
        return ("must not be dots alone",)
    return tuple(f'must not have "{c}"' for c in "/%" if c in name)


def likely_name(name: str) -> str | None:
    """Return a valid DNS subdomain similar to ``name``, or ``None`` if ``name`` is valid or cannot be repaired."""
    tried = "".join(c if c in _LOWER_ALPHANUMERIC + "-." else "-" for c in name.lower())
    tried = ".".join(part.strip("-") for part in tried.split("."))
    return tried if tried != name and not dns_subdomain_faults(tried) else None


def likely_text(text: str, reasons: Reasons) -> str | None:
    """Return ``text`` with the characters replaced that it may not have according to ``reasons``, or ``None``.

    ``reasons`` are clauses of this module. The result is ``None`` if they name another fault.
    """
    if not any(
        reason.startswith(("may have ", "must begin ", "must end ", "must not have dots")) for reason in reasons
    ):
        return None
    words = " ".join(reason.partition(" only, not ")[0] for reason in reasons)
    tried = text.lower() if "lower-case" in words else text
    allowed = "-" + ("._" if '"_"' in words else "." if '"."' in words else "")
    tried = "".join(c if (c.isascii() and c.isalnum()) or c in allowed else "-" for c in tried).strip("-_.")
    return tried if tried and tried != text else None


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))


def _length_faults(text: str, longest: int) -> Reasons:
    size = _size(text)
    return (f"must have at most {longest} characters, not {size}",) if size > longest else ()


def _is_dns_label(name: str) -> bool:
    return bool(name) and not name.strip(_LOWER_ALPHANUMERIC + "-") and name[0] != "-" and name[-1] != "-"


def _is_dns_subdomain(name: str) -> bool:
    return all(map(_is_dns_label, name.split(".")))


def _dns_fault(name: str, others: str, first: str) -> str:
    """Return the reason why ``name``, which is known to be invalid, is not a DNS name, as a clause that follows it.

    Args:
        others: Allowed characters besides lower-case letters and digits.
        first: Characters that the name may begin with.
    """
    allowed = _LOWER_ALPHANUMERIC + others
    if not name or name.strip(allowed):
        words = 'lower-case letters, digits, "-" and "."' if "." in others else 'lower-case letters, digits and "-"'
        return _character_fault(name, allowed, words)
    if name[0] not in first:
        return "must begin with a letter" if first == _LOWER else "must begin with a letter or digit"
    if name[-1] not in _LOWER_ALPHANUMERIC:
        return "must end with a letter or digit"
    return "must have a letter or digit before and after every dot"


def _key_name_faults(name: str) -> Reasons:
    if not name:
        return ("must not be empty",)
    reasons = _length_faults(name, LABEL_LENGTH)
    if name.strip(_ALPHANUMERIC + "-_."):
        return (*reasons, _character_fault(name, _ALPHANUMERIC + "-_.", 'letters, digits, "-", "_" and "."'))
    if name[0] in "-_." or name[-1] in "-_.":
        return (*reasons, "must begin and end with a letter or digit")
    return reasons


def _character_fault(text: str, allowed: str, words: str) -> str:
    if not text:
        return "must not be empty"
    # A hostile name may have any number of them, so only the first 20 are read, and four are named.
    strange = dict.fromkeys(itertools.islice((c for c in text if c not in allowed), 20))
    named = ", ".join(f'"{c}"' if c.isprintable() else f"U+{ord(c):04X}" for c in list(strange)[:4])
    return f"may have {words} only, not {named}"
