"""Pages of rules about whole files: characters, bounds, JSON."""

from __future__ import annotations

from typing import Final

from ...diagnostics.finding import rule

FORBIDDEN_CHARACTER: Final = rule(
    "SYN015",
    "forbidden-character",
    "The text contains characters that YAML does not allow",
    stage="syntax",
    checks="Control characters, a NUL, bytes that are not UTF-8, and a byte order mark inside the file.",
    why="YAML is printable text in UTF-8 or UTF-16. A NUL usually means that the file is not text; bytes that are not"
    " UTF-8 mean that it was saved in an older encoding. A byte order mark inside the file comes from joining files and"
    " becomes part of the next key.",
    example="name: Müller   # saved as Latin-1: ü is the single byte FC",
    fix='Save the file as UTF-8. Write an intended control character as an escape in double quotes: `"\\x07"`.',
    source="YAML 1.1, section 5.1 (character set).",
)

BEYOND_BOUNDS: Final = rule(
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

JSON_SYNTAX: Final = rule(
    "SYN018",
    "json-syntax",
    "The text is not JSON",
    stage="syntax",
    checks="A `.json` file, or a text that begins with `{`, that can be read neither as JSON nor, unless the file is"
    " named `.json`, as YAML: a comma after the last item, single quotes, comments, a missing comma or bracket, NaN.",
    why="The registry server, the proxy runner and the management API read JSON with Go's strict reader. Only text"
    " after the end of a run configuration is never read; there the finding is a warning.",
    example='{"servers": {"fetch": {"image": "example.com/fetch:1",}}}',
    fix="Write valid JSON: in the example, remove the last comma.",
    source="RFC 8259; encoding/json.",
)

UNREADABLE_FILE: Final = rule(
    "SYN019",
    "unreadable-file",
    "A file in a folder cannot be read",
    stage="syntax",
    checks="A file that was found in a folder but then did not exist, may not be opened, or is a pipe, a socket or a"
    " device.",
    why="What it would have declared is missing, so references to it would be reported without cause. A file that is"
    " named on the command line and cannot be read ends the call with exit status 2.",
    example="servers.yaml -> /srv/gone.yaml   # a link to a file that does not exist",
    fix="Fix the permissions, or exclude the file (`exclude` in mcpcfg.yaml).",
    source="The file system, as mcpcfg finds it.",
)
