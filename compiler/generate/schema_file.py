"""Read the generated files in ``schemas/``: JSON Schemas and CRDs."""

from __future__ import annotations

import os
import re

from ..diagnostics import file_path
from ..toolhive.profile import TOOLHIVE, Profile

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
    # The text only contains the stored version.
    stored = f'( *)"{re.escape(TOOLHIVE.api_version())}",\n'
    served = "".join(f'\\1"{profile.api_group}/{version}",\n' for version in profile.versions)
    return profile.spell(re.sub(stored, served, text))


def crd_text(profile: Profile = TOOLHIVE) -> str:
    """Return the CustomResourceDefinitions of all kinds as a YAML stream, with the names of a profile."""
    text = profile.spell(_text("crds.yaml"))
    if profile.versions == TOOLHIVE.versions:
        return text
    import yaml

    from ..golang.yaml.sigs import dump

    definitions = list(yaml.safe_load_all(text))
    for definition in definitions:
        (version,) = definition["spec"]["versions"]
        definition["spec"]["versions"] = [
            version | {"name": name, "storage": name == profile.versions[0]} for name in profile.versions
        ]
    return "---\n".join(map(dump, definitions))


def _text(file: str) -> str:
    with open(file_path.join(_FOLDER, file), encoding="utf-8") as stream:
        return stream.read()
