"""Pages of rules about how YAML is written: indentation, quotes, brackets, colons."""

from __future__ import annotations

from typing import Final

from ...diagnostics.finding import rule

YAML_SYNTAX: Final = rule(
    "SYN001",
    "yaml-syntax",
    "The text is not YAML",
    stage="syntax",
    checks="Text that the YAML reader cannot take, where none of the more particular rules of this topic fits: a"
    " directive that it does not know, a block of text with a wrong header, a tag with an undefined handle, text after"
    " the end of a document, a directive before an object, more than a comment on the line of its `---`.",
    why="kubectl, Flux and the operator read YAML with a port of libyaml; what it refuses never reaches the cluster,"
    " and usually holds up everything else in the same apply. One document that cannot be read does not hide the"
    " others: they are checked, but references to what the broken one would have declared lead nowhere.",
    example="""
        command: |bash        # a block of text begins on the next line
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
    checks="A tab at the beginning of a line, or after a list's dash, where YAML counts columns.",
    why="YAML indents with spaces alone, because a tab has no width of its own; every reader refuses it.",
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
    checks="A value that begins with a quote which is never closed, or that goes on after the closing quote.",
    why="A quoted value may span lines, so that the reader takes all that follows for text until it meets the end of"
    " the document. The finding therefore stands at the opening quote.",
    example="""
        description: "Fetches a page
        transport: stdio

        message: 'it's here'
        """,
    fix="Close the quote; inside single quotes a quote is doubled (`'it''s here'`), inside double quotes escaped"
    ' (`\\"`).',
    source="YAML 1.1, section 5.4 and 7.3 (quoted styles).",
)

UNCLOSED_BRACKET: Final = rule(
    "SYN004",
    "unclosed-bracket",
    "A list or mapping in brackets does not end where it should",
    stage="syntax",
    checks="A `[` or `{` that is not closed, or in which a comma is missing.",
    why="Inside brackets indentation means nothing; the reader goes on into the next keys and then gives up at a colon"
    " that it did not expect. Values with a colon and a space, a comma or a bracket in them need quotes there.",
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
    "A line is indented in a way that fits no line above",
    stage="syntax",
    checks="A key or list item that begins in a column in which nothing is open, a key below a value that is already"
    " complete, and a list that begins on the line of its key.",
    why="The column decides what a line belongs to. Readers refuse a column that belongs to nothing; where it happens"
    " to belong to something else they do not, so look at the lines around as well.",
    example="""
        metadata:
          name: fetch
         namespace: tools
        """,
    fix="Let the keys of one mapping begin in one column.",
    source="YAML 1.1, section 8.2 (block collection styles).",
)

COLON_IN_VALUE: Final = rule(
    "SYN006",
    "colon-in-value",
    "An unquoted value holds a colon and a space",
    stage="syntax",
    checks="A second colon with a space after it on the line of a key.",
    why="A colon and a space make a key. `a: b: c` would be a mapping inside a value on one line, which YAML does not"
    " have.",
    example="description: Warning: experimental",
    fix='Put the value into quotes: `description: "Warning: experimental"`.',
    source="YAML 1.1, section 7.3.3 (plain style).",
)

MISSING_COLON: Final = rule(
    "SYN007",
    "missing-colon",
    "A key lacks its colon, or the space after it",
    stage="syntax",
    checks="A line among the keys of a mapping that is not a key, and a colon without the space that makes it one.",
    why="`key:value` is one piece of text to YAML, as in `http://example.com` or `8080:80`.",
    example="""
        spec:
          image:example.com/server:1
          transport: stdio
        """,
    fix="`image: example.com/server:1`.",
    source="YAML 1.1, section 7.3.3 (plain style).",
)

RESERVED_CHARACTER: Final = rule(
    "SYN008",
    "reserved-character",
    "An unquoted value begins with a character that YAML reserves",
    stage="syntax",
    checks="A value that begins with `@`, a backtick, `%`, `,`, `]` or `}`, or with `*` or `&` and no name after it;"
    " and a `?` in an unquoted value inside brackets.",
    why="These characters have, or are kept for, a meaning of their own: `*` is an alias, `&` an anchor, and inside"
    " brackets the reader that Kubernetes uses takes `?` for the sign of a key, unlike newer readers of YAML.",
    example="""
        allowHost: [*.example.com]
        args: [--url=http://example.com/?a=b]
        """,
    fix='Put the value into quotes: `["*.example.com"]`.',
    source="YAML 1.1, section 5.3 (indicator characters); go.yaml.in/yaml/v2 v2.4.2 for the question mark.",
)

UNKNOWN_ESCAPE: Final = rule(
    "SYN009",
    "unknown-escape",
    "A double-quoted value holds an escape that YAML does not know",
    stage="syntax",
    checks="A backslash in double quotes before a character with which it makes no escape, and `\\x`, `\\u` or `\\U`"
    " without enough digits or for no character.",
    why="In double quotes a backslash begins an escape; regular expressions and Windows paths are full of others."
    " `\\/` is an escape in JSON but not in the YAML that Kubernetes reads; `\\'` is one there, for a single quote.",
    example='pattern: "^\\d+$"',
    fix="Use single quotes, where a backslash is only a backslash: `'^\\d+$'`.",
    source="YAML 1.1, section 5.6 (escape sequences); yaml_parser_scan_flow_scalar of go.yaml.in/yaml.",
)
