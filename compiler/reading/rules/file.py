"""Pages of rules about whole files: characters, bounds, JSON."""

from __future__ import annotations

from typing import Final

from .identity import syntax

FORBIDDEN_CHARACTER: Final = syntax(
    15,
    "forbidden-character",
    "The text holds characters that YAML does not allow",
    """\
Flagged: control characters, a NUL, bytes that are no UTF-8, and a byte order mark inside the file.

Why it bites: YAML is printable text in UTF-8 or UTF-16. A NUL usually means that the file is no text, bytes that are no
UTF-8 that it was saved in an older encoding; a byte order mark inside comes from joining files and becomes part of the
first key.

Example: a Windows tool saved the file in another encoding, and `ü` became one byte that UTF-8 does not have.

Cure: save the file as UTF-8. A control character that is meant goes into double quotes as an escape: `"\\x07"`.

Source: YAML 1.1, section 5.1 (character set).""",
)

BEYOND_BOUNDS: Final = syntax(
    16,
    "beyond-bounds",
    "The file is larger or deeper than is read",
    """\
Flagged: a file of more than 64 MiB or 50,000 documents, a document with more than 500,000 keys and values (two million
in JSON), lists and mappings nested more than 100 deep, and some other forms that only a text made to do harm has.

Why it bites: a short text can be made to keep a reader busy for hours. The bounds are far above what Kubernetes stores
(about 1.5 MB an object), so that a file beyond them is of no use to it.

Example: a dump of a whole cluster in one file, or a list of lists nested a thousand deep.

Cure: split the file; exclude what is no configuration (`exclude` in mcpcfg.yaml).

Source: Kubernetes, the size of an object in etcd; the depth that encoding/json reads is far above.""",
)

JSON_SYNTAX: Final = syntax(
    18,
    "json-syntax",
    "The text is no JSON",
    """\
Flagged: a `.json` file, or a text that begins with `{`, that neither JSON nor, for files with another name, YAML can
take: a comma after the last item, single quotes, comments, a missing comma or bracket, NaN.

Why it bites: the registry server, the proxy runner and the management API read JSON with Go's strict reader. Only what
follows a run configuration is read by nobody: there it is a warning.

Example:

    {"servers": {"fetch": {"image": "example.com/fetch:1",}}}

Cure: leave the last comma out.

Source: RFC 8259; encoding/json.""",
)

UNREADABLE_FILE: Final = syntax(
    19,
    "unreadable-file",
    "A file in a folder cannot be read",
    """\
Flagged: a file that was found in a folder and then was not there, may not be opened, or is a pipe, a socket or a
device.

Why it bites: what it would have declared is missing, so that references to it would look broken without cause. A file
that was named itself and cannot be read is a fault of the call, told with exit status 2.

Example: a link to a file that is gone, or a file of mode 000.

Cure: fix the permissions, or exclude the file (`exclude` in mcpcfg.yaml).

Source: the file system; what a name stands for when it is read.""",
)
