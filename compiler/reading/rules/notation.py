"""Pages of rules about how YAML is written: indentation, quotes, brackets, colons."""

from __future__ import annotations

from typing import Final

from ...diagnostics.finding import rule

YAML_SYNTAX: Final = rule(
    "SYN001",
    "yaml-syntax",
    "The text is not YAML",
    stage="syntax",
    checks="Text that the YAML reader refuses and that none of the more specific rules of this topic covers: an unknown"
    " directive, a block scalar with an invalid header, a tag with an undefined handle, text after the end of a"
    " document, a directive before an object, anything but a comment on the line of its `---`.",
    why="kubectl, Flux and the operator read YAML with a port of libyaml; what it refuses never reaches the cluster,"
    " and usually blocks everything else in the same apply. One document that cannot be read does not hide the others:"
    " they are checked, but references to what the broken one would have declared lead nowhere.",
    example="""
        command: |bash        # the text must begin on the next line
          echo hello
        """,
    fix="Begin the block on the next line:\n\n    command: |\n      echo hello",
    source="YAML 1.1; go.yaml.in/yaml/v2 v2.4.2, which sigs.k8s.io/yaml v1.6.0 reads with.",
)

TAB_INDENTATION: Final = rule(
    "SYN002",
    "tab-indentation",
    "A tab is used to indent",
    stage="syntax",
    checks="A tab at the beginning of a line or after a list's dash, where YAML counts columns.",
    why="YAML allows only spaces for indentation, because a tab has no fixed width; every reader refuses the tab.",
    example="""
        spec:
        <tab>image: example.com/server:1
        """,
    fix="Indent with spaces (most editors can convert the file). Tabs inside values and before comments are fine.",
    source="YAML 1.1, section 4.2.1 (indentation spaces).",
)

UNCLOSED_QUOTE: Final = rule(
    "SYN003",
    "unclosed-quote",
    "A quoted value does not end where it should",
    stage="syntax",
    checks="A value that begins with a quote that is never closed, or that continues after the closing quote.",
    why="A quoted value may span lines, so the reader treats everything up to the end of the document as text. The"
    " finding is therefore at the opening quote.",
    example="""
        description: "Fetches a page
        transport: stdio

        message: 'it's here'
        """,
    fix="Close the quote; double a quote inside single quotes (`'it''s here'`), and escape one inside double"
    ' quotes (`\\"`).',
    source="YAML 1.1, section 5.4 and 7.3 (quoted styles).",
)

UNCLOSED_BRACKET: Final = rule(
    "SYN004",
    "unclosed-bracket",
    "A list or mapping in brackets does not end where it should",
    stage="syntax",
    checks="A `[` or `{` that is not closed, or in which a comma is missing.",
    why="Inside brackets indentation has no meaning; the reader goes on into the next keys and fails at a colon that it"
    " did not expect. There, values that contain a comma, a bracket, or a colon and a space need quotes.",
    example="""
        args: [--host, 0.0.0.0
        transport: stdio
        """,
    fix="Close the bracket:\n\n    args: [--host, 0.0.0.0]",
    source="YAML 1.1, section 7.4 (flow collections).",
)

BAD_INDENTATION: Final = rule(
    "SYN005",
    "bad-indentation",
    "A line is indented in a way that matches no line above",
    stage="syntax",
    checks="A key or list item that begins in a column where nothing is open, a key below a value that is already"
    " complete, and a list that begins on the line of its key.",
    why="The column decides what a line belongs to. Readers refuse a column that belongs to nothing, but not one that"
    " happens to belong to something else, so check the surrounding lines too.",
    example="""
        metadata:
          name: fetch
         namespace: tools
        """,
    fix="Begin all keys of a mapping in the same column.",
    source="YAML 1.1, section 8.2 (block collection styles).",
)

COLON_IN_VALUE: Final = rule(
    "SYN006",
    "colon-in-value",
    "An unquoted value contains a colon and a space",
    stage="syntax",
    checks="A second colon followed by a space on the line of a key.",
    why="A colon followed by a space marks a key. `a: b: c` would be a mapping inside a value on the same line, which"
    " YAML does not allow.",
    example="description: Warning: experimental",
    fix='Quote the value: `description: "Warning: experimental"`.',
    source="YAML 1.1, section 7.3.3 (plain style).",
)

MISSING_COLON: Final = rule(
    "SYN007",
    "missing-colon",
    "A key lacks its colon, or the space after it",
    stage="syntax",
    checks="A line among the keys of a mapping that is not a key, and a colon without the space that makes it one.",
    why="To YAML `key:value` is a single string, like `http://example.com` or `8080:80`.",
    example="""
        spec:
          image:example.com/server:1
          transport: stdio
        """,
    fix="Write `image: example.com/server:1`.",
    source="YAML 1.1, section 7.3.3 (plain style).",
)

RESERVED_CHARACTER: Final = rule(
    "SYN008",
    "reserved-character",
    "An unquoted value begins with a character that YAML reserves",
    stage="syntax",
    checks="A value that begins with `@`, a backtick, `%`, `,`, `]` or `}`, or with `*` or `&` and no name after it;"
    " and a `?` in an unquoted value inside brackets.",
    why="These characters have, or are reserved for, a special meaning: `*` marks an alias, `&` an anchor, and inside"
    " brackets the reader that Kubernetes uses treats `?` as a key indicator, unlike newer YAML readers.",
    example="""
        allowHost: [*.example.com]
        args: [--url=http://example.com/?a=b]
        """,
    fix='Quote the value: `["*.example.com"]`.',
    source="YAML 1.1, section 5.3 (indicator characters); go.yaml.in/yaml/v2 v2.4.2 for the question mark.",
)

UNKNOWN_ESCAPE: Final = rule(
    "SYN009",
    "unknown-escape",
    "A double-quoted value contains an escape that YAML does not know",
    stage="syntax",
    checks="A backslash in double quotes before a character with which it does not form an escape, and `\\x`, `\\u` or"
    " `\\U` with too few digits or for an invalid character.",
    why="In double quotes a backslash begins an escape; regular expressions and Windows paths are full of backslashes"
    " that are not meant as one. `\\/` is an escape in JSON but not in the YAML that Kubernetes reads; `\\'` is one"
    " there, for a single quote.",
    example='pattern: "^\\d+$"',
    fix="Use single quotes, where a backslash has no special meaning: `'^\\d+$'`.",
    source="YAML 1.1, section 5.6 (escape sequences); yaml_parser_scan_flow_scalar of go.yaml.in/yaml.",
)
