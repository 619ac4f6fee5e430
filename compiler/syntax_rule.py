"""The rules of stage ``syntax``, and what is told of files that are not read: their identities and their pages."""

from __future__ import annotations

from typing import Final

from .finding import Rule


def _syntax(number: int, name: str, title: str, doc: str) -> Rule:
    return Rule(id=f"SYN{number:03}", name=name, stage="syntax", severity="error", title=title, doc=doc)


YAML_SYNTAX: Final = _syntax(
    1,
    "yaml-syntax",
    "The text is no YAML",
    """\
Flagged: text that the YAML reader cannot take, where none of the more particular rules of this topic fits: a directive
that it does not know, a block of text with a wrong header, a tag with an undefined handle, text after the end of a
document, `%YAML` with another version than 1.1.

Why it bites: kubectl, Flux and the operator read YAML with a port of libyaml; what it refuses never reaches the
cluster, and usually holds up everything else in the same apply. One document that cannot be read does not hide the
others: they are checked, but references to what the broken one would have declared lead nowhere.

Example:

    command: |bash        # a block of text begins on the next line
      echo hello

Cure: begin the block on the next line:

    command: |
      echo hello

Source: YAML 1.1; go.yaml.in/yaml/v2 v2.4.2, which sigs.k8s.io/yaml v1.6.0 reads with.""",
)

TAB_INDENTATION: Final = _syntax(
    2,
    "tab-indentation",
    "A tab is used to indent",
    """\
Flagged: a tab at the beginning of a line, or after a list's dash, where YAML counts columns.

Why it bites: YAML indents with spaces alone, because a tab has no width of its own; every reader refuses it.

Example:

    spec:
    <tab>image: example.com/server:1

Cure: indent with spaces (most editors can convert the file). Tabs inside values and before comments are fine.

Source: YAML 1.1, section 4.2.1 (indentation spaces).""",
)

UNCLOSED_QUOTE: Final = _syntax(
    3,
    "unclosed-quote",
    "A quoted value does not end where it should",
    """\
Flagged: a value that begins with a quote which is never closed, or that goes on after the closing quote.

Why it bites: a quoted value may span lines, so that the reader takes all that follows for text until it meets the end
of the document. The finding therefore stands at the opening quote.

Example:

    description: "Fetches a page
    transport: stdio

    message: 'it's here'

Cure: close the quote; inside single quotes a quote is doubled (`'it''s here'`), inside double quotes escaped
(`\\"`).

Source: YAML 1.1, section 5.4 and 7.3 (quoted styles).""",
)

UNCLOSED_BRACKET: Final = _syntax(
    4,
    "unclosed-bracket",
    "A list or mapping in brackets does not end where it should",
    """\
Flagged: a `[` or `{` that is not closed, or in which a comma is missing.

Why it bites: inside brackets indentation means nothing; the reader goes on into the next keys and then gives up at a
colon that it did not expect. Values with a colon and a space, a comma or a bracket in them need quotes there.

Example:

    args: [--host, 0.0.0.0
    transport: stdio

Cure: close the bracket:

    args: [--host, 0.0.0.0]

Source: YAML 1.1, section 7.4 (flow collections).""",
)

BAD_INDENTATION: Final = _syntax(
    5,
    "bad-indentation",
    "A line is indented in a way that fits no line above",
    """\
Flagged: a key or list item that begins in a column in which nothing is open, a key below a value that is already
complete, and a list that begins on the line of its key.

Why it bites: the column decides what a line belongs to. Readers refuse a column that belongs to nothing; where it
happens to belong to something else they do not, so look at the lines around as well.

Example:

    metadata:
      name: fetch
     namespace: tools

Cure: let the keys of one mapping begin in one column.

Source: YAML 1.1, section 8.2 (block collection styles).""",
)

COLON_IN_VALUE: Final = _syntax(
    6,
    "colon-in-value",
    "An unquoted value holds a colon and a space",
    """\
Flagged: a second colon with a space after it on the line of a key.

Why it bites: a colon and a space make a key. `a: b: c` would be a mapping inside a value on one line, which YAML does
not have.

Example:

    description: Warning: experimental

Cure: put the value into quotes: `description: "Warning: experimental"`.

Source: YAML 1.1, section 7.3.3 (plain style).""",
)

MISSING_COLON: Final = _syntax(
    7,
    "missing-colon",
    "A key lacks its colon, or the space after it",
    """\
Flagged: a line among the keys of a mapping that is no key, and a colon without the space that makes it one.

Why it bites: `key:value` is one piece of text to YAML, as in `http://example.com` or `8080:80`.

Example:

    spec:
      image:example.com/server:1
      transport: stdio

Cure: `image: example.com/server:1`.

Source: YAML 1.1, section 7.3.3 (plain style).""",
)

RESERVED_CHARACTER: Final = _syntax(
    8,
    "reserved-character",
    "An unquoted value begins with a character that YAML reserves",
    """\
Flagged: a value that begins with `@`, a backtick, `%`, `,`, `]` or `}`, or with `*` or `&` and no name after it; and a
`?` in an unquoted value inside brackets.

Why it bites: these characters have, or are kept for, a meaning of their own: `*` is an alias, `&` an anchor, and inside
brackets the reader that Kubernetes uses takes `?` for the sign of a key, unlike newer readers of YAML.

Example:

    allowHost: [*.example.com]
    args: [--url=http://example.com/?a=b]

Cure: put the value into quotes: `["*.example.com"]`.

Source: YAML 1.1, section 5.3 (indicator characters); go.yaml.in/yaml/v2 v2.4.2 for the question mark.""",
)

UNKNOWN_ESCAPE: Final = _syntax(
    9,
    "unknown-escape",
    "A double-quoted value holds an escape that YAML does not know",
    """\
Flagged: a backslash in double quotes before a character with which it makes no escape, and `\\x`, `\\u` or `\\U`
without enough digits or for no character.

Why it bites: in double quotes a backslash begins an escape; regular expressions and Windows paths are full of others.
`\\/` is an escape in JSON but not in the YAML that Kubernetes reads.

Example:

    pattern: "^\\d+$"

Cure: use single quotes, where a backslash is only a backslash: `'^\\d+$'`.

Source: YAML 1.1, section 5.6 (escape sequences).""",
)

DUPLICATE_KEY: Final = _syntax(
    10,
    "duplicate-key",
    "A key is written twice in one mapping",
    """\
Flagged: the second of two equal keys of one mapping, with a note to the first. `yes` and `true`, or `1` and `"1"`, are
equal once they are keys of JSON.

Why it bites: strict readers refuse it; lenient ones keep one of the two values, silently, and which one is theirs to
choose. A frequent cause is a missing `---` between two documents.

Example:

    spec:
      image: example.com/server:1
      image: example.com/server:2

Cure: keep one of the two, or separate the documents.

Source: YAMLToJSONStrict of sigs.k8s.io/yaml v1.6.0; gopkg.in/yaml.v3 v3.0.1.""",
)

MERGE_OVERRIDE: Final = _syntax(
    11,
    "merge-override",
    "A key is both written out and merged",
    """\
Flagged: a mapping with a merge key `<<` that brings in a key which the mapping has itself, or which another merge has
brought in already.

Why it bites: the YAML of other programs lets the written key win. Kubernetes' strict reader (and with it kubeconform,
flux-schema and kubectl-validate) counts it as a key written twice; its lenient reader takes whatever comes last in the
text, so that a merge below a key silently undoes it.

Example:

    limits: &limits {cpu: 100m, memory: 64Mi}
    requests:
      <<: *limits
      cpu: 50m

Cure: merge only what is not overridden, or write the values out. The vMCP process's own configuration file is read
by another library and may override.

Source: decode.go of go.yaml.in/yaml/v2 v2.4.2 (setMapIndex in strict mode).""",
)

UNKNOWN_ALIAS: Final = _syntax(
    12,
    "unknown-alias",
    "An alias names an anchor that does not stand before it",
    """\
Flagged: `*name` where no `&name` stands before it in the same document.

Why it bites: anchors end with their document; one that is set in another document of the file is not known in this one.

Example:

    env: *common

Cure: set the anchor first (`env: &common`), or put a value that begins with `*` into quotes.

Source: YAML 1.1, section 7.1 (alias nodes).""",
)

UNSUITABLE_KEY: Final = _syntax(
    13,
    "unsuitable-key",
    "A key is null, a list or a mapping",
    """\
Flagged: a key that cannot become the text that a key of JSON is.

Why it bites: Kubernetes turns YAML into JSON. Numbers and booleans become text; null, lists and mappings cannot. A
value that begins with `{{` is usually meant as text and misses its quotes: to YAML it is a mapping with a mapping for a
key.

Example:

    null: nothing
    image: {{ image }}

Cure: put the key, or the value, into quotes.

Source: convertToJSONableObject of sigs.k8s.io/yaml v1.6.0.""",
)

UNSUITABLE_VALUE: Final = _syntax(
    14,
    "unsuitable-value",
    "A value cannot be what it is said to be",
    """\
Flagged: `.inf` and `.nan`, which JSON cannot hold; a value that does not fit its tag, such as `!!int four`; `!!binary`
that is no base64; a merge key `<<` with a value that is no mapping.

Why it bites: the reader refuses the document.

Example:

    timeout: .inf

Cure: write a number, or put the text into quotes.

Source: encoding/json (unsupported value); resolve.go of go.yaml.in/yaml/v2 v2.4.2.""",
)

FORBIDDEN_CHARACTER: Final = _syntax(
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

BEYOND_BOUNDS: Final = _syntax(
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

EXCESSIVE_ALIASES: Final = _syntax(
    17,
    "excessive-aliases",
    "The document consists of repetition",
    """\
Flagged: a document of which nearly all is repeated by aliases, and an alias inside the value that it repeats.

Why it bites: ten lines of aliases to aliases make a billion values. Kubernetes' reader counts what it decodes and
refuses a document in which more than 99 in 100 values come from aliases (fewer in very large ones).

Example:

    a: &a [x, x, x, x, x, x, x, x, x, x]
    b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
    c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
    d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
    e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]
    f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]
    g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f, *f]

Cure: write the values out.

Source: decode.go of go.yaml.in/yaml/v2 v2.4.2 (allowedAliasRatio).""",
)

JSON_SYNTAX: Final = _syntax(
    18,
    "json-syntax",
    "The text is no JSON",
    """\
Flagged: a `.json` file, or a text that begins with `{`, that neither JSON nor, for files with another name, YAML can
take: a comma after the last item, single quotes, comments, a missing comma or bracket, NaN.

Why it bites: the registry server, the proxy runner and the management API read JSON with Go's strict reader.

Example:

    {"servers": {"fetch": {"image": "example.com/fetch:1",}}}

Cure: leave the last comma out.

Source: RFC 8259; encoding/json.""",
)

UNREADABLE_FILE: Final = _syntax(
    19,
    "unreadable-file",
    "A file in a folder cannot be read",
    """\
Flagged: a file that was found in a folder and then was not there, may not be opened, or is a pipe, a socket or a
device.

Why it bites: what it would have declared is missing, so that references to it would look broken without cause. A file
that was named itself and cannot be read is a fault of the call, told with exit status 2.

Example: a link to a file that is gone, or a file of mode 000.

Cure: mend the permissions, or exclude the file (`exclude` in mcpcfg.yaml).

Source: the file system; what a name stands for when it is read.""",
)

HELM_TEMPLATE: Final = Rule(
    id="SYN020",
    name="helm-template",
    stage="lint",
    severity="info",
    title="The file is a Helm template and was skipped",
    doc="""\
Flagged: a file with Helm's template language in it (`{{- if .Values.enabled }}`, `{{ include "chart.name" . }}`). It is
not checked: what it says is decided when it is rendered, and until then it is often no YAML.

Why it bites: a folder of templates would otherwise look as if it had passed.

Example:

    {{- if .Values.enabled }}
    kind: MCPServer
    {{- end }}

Cure: check what Helm makes of it:

    helm template ./chart | mcpcfg check -

Expressions in values, such as the `{{.params.url}}` of a composite tool, do not make a file a template.

Source: Helm's built-in objects (Values, Release, Chart, Capabilities) and the actions of Go's text/template.""",
)

RULES: Final = (
    YAML_SYNTAX,
    TAB_INDENTATION,
    UNCLOSED_QUOTE,
    UNCLOSED_BRACKET,
    BAD_INDENTATION,
    COLON_IN_VALUE,
    MISSING_COLON,
    RESERVED_CHARACTER,
    UNKNOWN_ESCAPE,
    DUPLICATE_KEY,
    MERGE_OVERRIDE,
    UNKNOWN_ALIAS,
    UNSUITABLE_KEY,
    UNSUITABLE_VALUE,
    FORBIDDEN_CHARACTER,
    BEYOND_BOUNDS,
    EXCESSIVE_ALIASES,
    JSON_SYNTAX,
    UNREADABLE_FILE,
    HELM_TEMPLATE,
)
"""All of them, in the order of their ids."""
