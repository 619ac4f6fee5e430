"""Read the generated files in ``schemas/``: JSON Schemas and CRDs."""

from __future__ import annotations

import os
import re

from ..diagnostics import file_path
from ..toolhive.profile import LATER_VERSION, TOOLHIVE, Profile

_FOLDER = file_path.normpath(file_path.join(os.path.dirname(file_path.abspath(__file__)), "..", "..", "schemas"))
_SUFFIX = ".schema.json"
SINCE = "x-since"
"""Schema keyword with the release that added a field or kind, unless that is the first one."""


def schema_names() -> tuple[str, ...]:
    """Return the sorted names of the kinds, lists and file formats that have a JSON Schema."""
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in os.listdir(_FOLDER) if name.endswith(_SUFFIX)))


def schema_text(name: str, profile: Profile = TOOLHIVE) -> str | None:
    """Return the JSON Schema of a kind, a list of a kind or a file format, or ``None`` if there is none of that name.

    The schema contains the names of the profile. Only ``mcpcfg``, the schema of the configuration, is always the same.
    """
    if name not in schema_names():
        return None
    text = _text(name + _SUFFIX)
    return text if name == "mcpcfg" else respelt(text, profile)


def respelt(text: str, profile: Profile) -> str:
    """Return the text of a JSON Schema with the names and API versions of a profile."""
    if profile is TOOLHIVE:
        return text
    # The text has the first version and, if the kind has it, the later one.
    first, later = (f'"{profile.api_group}/{version}"' for version in (profile.versions[0], LATER_VERSION))

    def served(enum: re.Match[str]) -> str:
        versions = [f'"{profile.api_group}/{version}"' for version in profile.versions]
        return ",\n".join(enum[1] + version for version in dict.fromkeys([*versions, *([later] if enum[2] else [])]))

    pattern = f"(?m)^( *){re.escape(first)}(,\n *{re.escape(later)})?$"
    return re.sub(pattern, served, _spelled(text, profile))


def crd_text(profile: Profile = TOOLHIVE) -> str:
    """Return the CustomResourceDefinitions of all kinds as a YAML stream, with the names of a profile."""
    text = _spelled(_text("crds.yaml"), profile)
    if profile.versions == TOOLHIVE.versions:
        return text
    import yaml

    from ..golang.yaml.sigs import dump

    definitions = list(yaml.safe_load_all(text))
    for definition in definitions:
        stored = next(version for version in definition["spec"]["versions"] if version["storage"])
        definition["spec"]["versions"] = [
            stored | {"name": name, "storage": name == profile.versions[0]} for name in profile.versions
        ]
    return "---\n".join(map(dump, definitions))


def _spelled(text: str, profile: Profile) -> str:
    """Return a text in the names of a profile. The first version stays the first: `spell` writes the newest."""
    mark = "\0"
    neutral = text.replace(TOOLHIVE.api_group + "/" + TOOLHIVE.versions[0], mark)
    return profile.spell(neutral).replace(mark, f"{profile.api_group}/{profile.versions[0]}")


def _text(file: str) -> str:
    with open(file_path.join(_FOLDER, file), encoding="utf-8") as stream:
        return stream.read()
