"""Limits of the input, which stop hostile texts before they cost too much.

The limits are far above anything that Kubernetes stores (1.5 MB per object). With them, reading any text ends within
seconds and a few hundred megabytes.
"""

from __future__ import annotations

from typing import Final

from ..diagnostics.finding import rule

BEYOND_BOUNDS = rule(
    "SYN016",
    "beyond-bounds",
    "The file is larger or more deeply nested than mcpcfg reads",
    stage="syntax",
    checks="A file of more than 64 MiB or 50,000 documents, a document with more than 500,000 keys and values (two"
    " million in JSON), lists and mappings nested more than 100 deep, more than 20,000 faults, and some other forms"
    " that only malicious files have. Aliases, ResourceSets, ApplicationSets, kustomizations and objects of Flux or"
    " Argo CD that expand to more than SECURITY.md says.",
    why="A short text can be made to keep a reader busy for hours. The bounds are far above what Kubernetes stores"
    " (about 1.5 MB per object), so a file beyond them could not be applied anyway.",
    example="[[[[…]]]]   # lists nested a thousand deep",
    fix="Split the file, or exclude it if it is not configuration (`exclude` in mcpcfg.yaml).",
    source="Kubernetes, the size of an object in etcd; the depth that encoding/json reads is far above.",
)

MAX_FILE_BYTES: Final = 64 * 1024 * 1024
"""Maximum size of a file in bytes (64 MiB). A file is in memory several times, as bytes, text and data."""

MAX_DOCUMENTS: Final = 50_000
"""Maximum number of YAML documents in a file. Each costs time and memory even if it is tiny."""

MAX_NODES: Final = 500_000
"""Maximum number of keys and values in a document, before aliases are expanded. Each takes memory as a node."""

MAX_DEPTH: Final = 100
"""The maximum nesting of lists and mappings. Go's readers allow 10,000, far more than resources need."""

MAX_FAULTS: Final = 100
"""Maximum number of faults that are reported about one document. Later faults are mostly consequences."""

MAX_FINDINGS: Final = 20_000
"""Maximum number of reported faults in a file, which bounds the report. Each faulty document gets at least one."""

MAX_JSON_VALUES: Final = 2_000_000
"""Maximum number of values in a JSON text, because each takes memory. Brackets, braces and commas are counted."""

MAX_DIRECTIVES: Final = 64
"""The maximum number of ``%TAG`` directives in an excerpt. The parser compares each with all earlier ones."""
