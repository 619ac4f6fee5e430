"""Pages of rules about what YAML means: keys, values, aliases and merges."""

from __future__ import annotations

from typing import Final

from ...diagnostics.finding import rule

DUPLICATE_KEY: Final = rule(
    "SYN010",
    "duplicate-key",
    "A mapping has the same key twice",
    stage="syntax",
    checks="The second of two equal keys of one mapping, with a note that points to the first. `yes` and `true`, or `1`"
    ' and `"1"`, are equal once they are keys of JSON.',
    why="Strict readers refuse it; lenient ones silently keep one of the two values, and which one depends on the"
    " reader. A common cause is a missing `---` between two documents. In records that are read as plain JSON"
    " (registries, run configurations, workloads, profiles) the last value is used; there the finding is a warning.",
    example="""
        spec:
          image: example.com/server:1
          image: example.com/server:2
        """,
    fix="Keep one of the two, or separate the documents.",
    source="YAMLToJSONStrict of sigs.k8s.io/yaml v1.6.0; gopkg.in/yaml.v3 v3.0.1.",
)

UNKNOWN_ALIAS: Final = rule(
    "SYN012",
    "unknown-alias",
    "An alias names an anchor that is not defined before it",
    stage="syntax",
    checks="`*name` without a `&name` before it in the same document.",
    why="The reader refuses the document. Anchors end with their document; one defined in another document of the file"
    " is not known in this one.",
    example="env: *common",
    fix="Define the anchor first (`env: &common`), or quote a value that begins with `*`.",
    source="YAML 1.1, section 7.1 (alias nodes).",
)

UNSUITABLE_KEY: Final = rule(
    "SYN013",
    "unsuitable-key",
    "A key is null, a list or a mapping",
    stage="syntax",
    checks="A key that cannot become a string, as JSON requires of keys.",
    why="Kubernetes turns YAML into JSON. Numbers and booleans become strings; null, lists and mappings cannot. A value"
    " that begins with `{{` is usually meant as text and lacks quotes: in YAML it is a mapping whose key is a"
    " mapping.",
    example="""
        null: nothing
        url: {{.params.url}}
        """,
    fix="Quote the key, or the value.",
    source="convertToJSONableObject of sigs.k8s.io/yaml v1.6.0.",
)

UNSUITABLE_VALUE: Final = rule(
    "SYN014",
    "unsuitable-value",
    "A value does not fit its tag",
    stage="syntax",
    checks="`.inf` and `.nan`, which JSON cannot represent; a value that does not fit its tag, such as `!!int four`;"
    " `!!binary` that is not base64; a merge key `<<` with a value that is not a mapping.",
    why="The reader refuses the document.",
    example="timeout: .inf",
    fix="Write a number, or quote the text.",
    source="encoding/json (unsupported value); resolve.go of go.yaml.in/yaml/v2 v2.4.2.",
)

EXCESSIVE_ALIASES: Final = rule(
    "SYN017",
    "excessive-aliases",
    "The document consists almost entirely of repetition",
    stage="syntax",
    checks="A document that consists almost entirely of values repeated by aliases, and an alias inside the value that"
    " it repeats.",
    why="Ten lines of aliases to aliases make a billion values. Kubernetes' reader counts what it decodes and refuses"
    " a document in which more than 99 in 100 values come from aliases (fewer in very large ones).",
    example="""
        a: &a [x, x, x, x, x, x, x, x, x, x]
        b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
        c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
        d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
        e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]
        f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]
        g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f, *f]
        """,
    fix="Write the values out.",
    source="decode.go of go.yaml.in/yaml/v2 v2.4.2 (allowedAliasRatio).",
)
