"""Pages of rules about whole files: characters, bounds, JSON."""

from __future__ import annotations

from typing import Final

from ...diagnostics.finding import rule

FORBIDDEN_CHARACTER: Final = rule(
    "SYN015",
    "forbidden-character",
    "The text holds characters that YAML does not allow",
    stage="syntax",
    checks="Control characters, a NUL, bytes that are not UTF-8, and a byte order mark inside the file.",
    why="YAML is printable text in UTF-8 or UTF-16. A NUL usually means that the file is not text, bytes that are not"
    " UTF-8 that it was saved in an older encoding; a byte order mark inside comes from joining files and becomes part"
    " of the first key.",
    example="name: Müller   # saved as Latin-1: ü is the single byte FC",
    fix='Save the file as UTF-8. A control character that is meant goes into double quotes as an escape: `"\\x07"`.',
    source="YAML 1.1, section 5.1 (character set).",
)

BEYOND_BOUNDS: Final = rule(
    "SYN016",
    "beyond-bounds",
    "The file is larger or deeper than is read",
    stage="syntax",
    checks="A file of more than 64 MiB or 50,000 documents, a document with more than 500,000 keys and values (two"
    " million in JSON), lists and mappings nested more than 100 deep, more than 20,000 faults, and some other forms"
    " that only a text made to do harm has.",
    why="A short text can be made to keep a reader busy for hours. The bounds are far above what Kubernetes stores"
    " (about 1.5 MB an object), so that a file beyond them is of no use to it.",
    example="[[[[…]]]]   # lists nested a thousand deep",
    fix="Split the file; exclude what is not configuration (`exclude` in mcpcfg.yaml).",
    source="Kubernetes, the size of an object in etcd; the depth that encoding/json reads is far above.",
)

JSON_SYNTAX: Final = rule(
    "SYN018",
    "json-syntax",
    "The text is not JSON",
    stage="syntax",
    checks="A `.json` file, or a text that begins with `{`, that neither JSON nor, for files with another name, YAML"
    " can take: a comma after the last item, single quotes, comments, a missing comma or bracket, NaN.",
    why="The registry server, the proxy runner and the management API read JSON with Go's strict reader. Only what"
    " follows a run configuration is never read: there it is a warning.",
    example='{"servers": {"fetch": {"image": "example.com/fetch:1",}}}',
    fix="Leave the last comma out.",
    source="RFC 8259; encoding/json.",
)

UNREADABLE_FILE: Final = rule(
    "SYN019",
    "unreadable-file",
    "A file in a folder cannot be read",
    stage="syntax",
    checks="A file that was found in a folder and then was not there, may not be opened, or is a pipe, a socket or a"
    " device.",
    why="What it would have declared is missing, so that references to it would look broken without cause. A file that"
    " was named itself and cannot be read is an error of the call, with exit status 2.",
    example="servers.yaml -> /srv/gone.yaml   # a link to a file that does not exist",
    fix="Fix the permissions, or exclude the file (`exclude` in mcpcfg.yaml).",
    source="The file system; what a name stands for when it is read.",
)
