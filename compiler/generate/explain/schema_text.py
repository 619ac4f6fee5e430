"""The schemas of a release as text, in the names of a profile, for ``mcpcfg schema``.

Schemas of file formats and of the first release are generated files. Other schemas are generated on demand.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from ...admission.table import table_of
from ...toolhive.profile import TOOLHIVE
from ...toolhive.release import NEWEST_MODELLED
from .. import schema_file
from .schema_place import names_of, schema_of

if TYPE_CHECKING:
    from ...toolhive.profile import Profile

_FILES: Final = {"mcpcfg": ["mcpcfg.yaml"]}
"""The names of the files of a format, for formats whose files have a fixed name."""


def schema_text(name: str, profile: Profile) -> str | None:
    """Return the JSON Schema of a kind, its list or a file format as text, or ``None`` for an unknown name."""
    release = profile.judging_release
    if release == NEWEST_MODELLED or name.removesuffix("List") not in table_of(release).kinds:
        return schema_file.schema_text(name, profile)
    return schema_file.respelt(json.dumps(schema_of(name, release), indent=2, ensure_ascii=False) + "\n", profile)


def catalog(profile: Profile, base: str) -> dict[str, str]:
    """Return the text of all schemas by file name, and of a ``catalog.json`` in the format of SchemaStore.

    The catalog says which files follow the schema of a file format. The schema of a Kubernetes kind cannot be chosen by
    the name of a file, so it has no ``fileMatch``.

    Args:
        base: URL of the folder that will hold the schemas.
    """
    names = names_of(profile.judging_release)
    texts = {f"{name}.schema.json": schema_text(name, profile) or "" for name in names}
    entries = []
    for name in names:
        schema = json.loads(texts[f"{name}.schema.json"])
        entry = {"name": schema.get("title", name), "description": schema.get("description", "")}
        entry |= {"url": f"{base.rstrip('/')}/{name}.schema.json"}
        entries.append(entry | ({"fileMatch": _FILES[name]} if name in _FILES else {}))
    listing = {"$schema": "https://json.schemastore.org/schema-catalog.json", "version": 1.0, "schemas": entries}
    return {**texts, "catalog.json": json.dumps(listing, indent=2, ensure_ascii=False) + "\n"}


def crd_text(profile: Profile) -> str:
    """Return the CRDs of all kinds of the judging release as a YAML stream, sorted by name."""
    release = profile.judging_release
    if release == NEWEST_MODELLED:
        return schema_file.crd_text(profile)
    from ..crd import stream
    from ..kind import read_kinds

    return profile.spell(stream(read_kinds(release), TOOLHIVE, release))
