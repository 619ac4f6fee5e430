"""The schemas of a release as text, in the names of a profile, for ``mcpcfg schema``.

Schemas of the first release are generated files; those of a later release are generated on demand.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from ...schemas import generated
from ..admission.table import table_of
from ..diagnostics.version import RELEASE
from ..toolhive.profile import TOOLHIVE
from .schema_place import schema_of

if TYPE_CHECKING:
    from ..toolhive.profile import Profile


def schema_text(name: str, profile: Profile) -> str | None:
    """Return the JSON Schema of a kind, its list or a file format, or ``None`` for an unknown name."""
    release = profile.judging_release
    if release == RELEASE or name not in table_of(release).kinds:
        return generated.schema_text(name, profile)
    return generated.respelt(json.dumps(schema_of(name, release), indent=2, ensure_ascii=False) + "\n", profile)


def crd_text(profile: Profile) -> str:
    """Return the CRDs of all kinds as a YAML stream, sorted by name."""
    release = profile.judging_release
    if release == RELEASE:
        return generated.crd_text(profile)
    from ..generate.crd import stream
    from ..generate.kind import read_kinds

    return profile.spell(stream(read_kinds(release), TOOLHIVE, release))
