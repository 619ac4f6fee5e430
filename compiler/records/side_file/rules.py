"""Rules of files beside a run configuration (audit, webhooks, tool overrides, environment), and of bodies of the API.

They hold for the same blocks inside of a run configuration too.
"""

from __future__ import annotations

from ...diagnostics.finding import rule

NOT_JSON = rule(
    "FIL003",
    "file-not-json",
    "A file is YAML, but is read as JSON",
    stage="process",
    checks="The file is written in YAML, but the program reads only JSON there.",
    why="The program cannot decode the file, and does not start.",
    example="transport: stdio",
    fix='Write `{ "transport": "stdio" }`.',
    source="toolhive 0.21.0: encoding/json of Go reads these files.",
)
