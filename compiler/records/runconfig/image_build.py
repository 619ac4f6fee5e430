"""Check the settings with which the runner builds an image from a package.

Source: toolhive 0.21.0 and 0.44.0, package container/templates.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ...diagnostics.fault import Fault
from ...diagnostics.finding import rule
from ...diagnostics.shown import shown
from ...golang.image_reference import parse_image

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BUILD = rule("RUN054 runconfig-build-refused", "lint", "A setting for building an image is refused when it is used")


_PACKAGE = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._+\-]*\Z")
_CONSTRAINT = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+\[\],<>=!~* -]*\Z")
_LONGEST = 128
"""The product refuses names and version constraints of packages with more characters (``maxPackageNameLength``)."""
_VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*\Z")
_RESERVED = frozenset(
    ["PATH", "HOME", "USER", "SHELL", "PWD", "HOSTNAME", "TERM", "LANG", "LC_ALL", "LD_PRELOAD", "LD_LIBRARY_PATH"]
)
"""Variables that ToolHive refuses to set in a build."""

_UNSAFE = ("`", "$(", "${", "\\", "\n", "\r", '"', ";", "&&", "|", ">", "<")
"""Texts that ToolHive refuses in the value of a variable. A Dockerfile has the value between quotes."""


def build_faults(runtime: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield the faults of a decoded ``runtime_config``. Paths begin with ``runtime_config``."""
    image = runtime["builder_image"]
    if image and (not image.strip() or parse_image(image) is None):
        hint = "write an image such as golang:1.25"
        yield Fault(("runtime_config", "builder_image"), BUILD, f"{shown(image)} is not an image", hint)
    for number, package in enumerate(runtime["additional_packages"] or ()):
        if not _PACKAGE.match(package) or len(package) > _LONGEST:
            path = ("runtime_config", "additional_packages", number)
            yield Fault(path, BUILD, f"{shown(package)} is not a valid package name", "write one name in each item")
    for number, constraint in enumerate(runtime.get("build_with") or ()):
        if not _CONSTRAINT.match(constraint) or len(constraint) > _LONGEST:
            path = ("runtime_config", "build_with", number)
            yield Fault(path, BUILD, f"{shown(constraint)} is not a package with its versions")
    for name, value in (runtime.get("runtime_env") or {}).items():
        reason = _variable_fault(name, value)
        if reason is not None:
            yield Fault(("runtime_config", "runtime_env", name), BUILD, reason, on_key=True)


def _variable_fault(name: str, value: str) -> str | None:
    if not _VARIABLE.match(name):
        return f"{shown(name)} is not a name of capital letters, digits and underscores"
    if name in _RESERVED:
        return f"{name} cannot be set"
    unsafe = next((part for part in _UNSAFE if part in value), None)
    return None if unsafe is None else f"the value of {name} holds {shown(unsafe)}"
