"""Access to what ``make generate`` wrote: Go types, schemas and CRDs."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from ..compiler.toolhive.profile import TOOLHIVE, Profile

if TYPE_CHECKING:
    from ..compiler.golang.spew import Struct

_FOLDER = os.path.dirname(os.path.abspath(__file__))
_SUFFIX = ".schema.json"
SINCE = "x-since"
"""Key of a schema: the release that brought a field or kind, where that is not the first one."""


def spec_type(kind: str) -> Struct:
    """Return the Go type of the spec of a kind that the operator hashes, with the fields of every release.

    A ``KeyError`` is a slip of ours.
    """
    from ._spew import SPECS

    return SPECS[kind]


def schema_names() -> tuple[str, ...]:
    """Name the kinds, their lists and the file formats that have a JSON Schema, sorted."""
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in os.listdir(_FOLDER) if name.endswith(_SUFFIX)))


def schema_text(name: str, profile: Profile = TOOLHIVE) -> str | None:
    """Return the JSON Schema of a kind, a list of a kind or a file format; ``None`` where ``name`` is none of them.

    It has the names of a profile, but for that of the configuration, which describes profiles.
    """
    if name not in schema_names():
        return None
    text = _text(name + _SUFFIX)
    return text if name == "mcpcfg" else respelt(text, profile)


def respelt(text: str, profile: Profile) -> str:
    """Return a schema in the names of a profile, with the versions that it serves."""
    if profile is TOOLHIVE:
        return text
    # Of the versions that a profile serves the text has the stored one.
    stored = f'( *)"{re.escape(TOOLHIVE.api_version())}",\n'
    served = "".join(f'\\1"{profile.api_group}/{version}",\n' for version in profile.versions)
    return profile.spell(re.sub(stored, served, text))


def crd_text(profile: Profile = TOOLHIVE) -> str:
    """Return the CustomResourceDefinitions of all kinds, a YAML stream sorted by name, in the names of a profile."""
    text = profile.spell(_text("crds.yaml"))
    if profile.versions == TOOLHIVE.versions:
        return text
    import yaml

    from ..compiler.golang.yaml.sigs import dump

    definitions = list(yaml.safe_load_all(text))
    for one in definitions:
        (version,) = one["spec"]["versions"]
        one["spec"]["versions"] = [
            version | {"name": name, "storage": name == profile.versions[0]} for name in profile.versions
        ]
    return "---\n".join(map(dump, definitions))


def _text(file: str) -> str:
    with open(os.path.join(_FOLDER, file), encoding="utf-8") as stream:
        return stream.read()
