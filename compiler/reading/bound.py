"""Limits of the input, which stop hostile texts before they cost too much.

The limits are far above anything that Kubernetes stores (1.5 MB per object). With them, reading any text ends within
seconds and a few hundred megabytes.
"""

from __future__ import annotations

from typing import Final

from ..diagnostics.finding import rule

BEYOND_BOUNDS = rule("SYN016 beyond-bounds", "syntax", "The file is larger or more deeply nested than mcpcfg reads")

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
