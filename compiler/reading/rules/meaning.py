"""Pages of rules about what YAML says: keys, values, aliases and merges."""

from __future__ import annotations

from typing import Final

from .identity import syntax

DUPLICATE_KEY: Final = syntax(
    10,
    "duplicate-key",
    "A key is written twice in one mapping",
    """\
Flagged: the second of two equal keys of one mapping, with a note to the first. `yes` and `true`, or `1` and `"1"`, are
equal once they are keys of JSON.

Why it bites: strict readers refuse it; lenient ones keep one of the two values, silently, and which one is theirs to
choose. A frequent cause is a missing `---` between two documents. Of records that are read as plain JSON (registries,
run configurations, workloads, profiles) the last value counts: there it is a warning.

Example:

    spec:
      image: example.com/server:1
      image: example.com/server:2

Cure: keep one of the two, or separate the documents.

Source: YAMLToJSONStrict of sigs.k8s.io/yaml v1.6.0; gopkg.in/yaml.v3 v3.0.1.""",
)

UNKNOWN_ALIAS: Final = syntax(
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

UNSUITABLE_KEY: Final = syntax(
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
    url: {{.params.url}}

Cure: put the key, or the value, into quotes.

Source: convertToJSONableObject of sigs.k8s.io/yaml v1.6.0.""",
)

UNSUITABLE_VALUE: Final = syntax(
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

EXCESSIVE_ALIASES: Final = syntax(
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
