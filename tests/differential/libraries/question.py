"""What Go's libraries are asked: mutated fixtures, and expressions that are drawn from grammars."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import corpus
from mutate import of_tokens

if TYPE_CHECKING:
    import random

CLAIMS: dict[str, Any] = {
    "s": "abc",
    "n": 2.0,
    "b": True,
    "z": None,
    "l": ["a", 1.0, None],
    "m": {"a": 1.0, "k": ["x"]},
    "e": {},
    "groups": ["admins", "dev-x"],
    "email": "a@example.com",
    "t": "2020-02-29T23:59:59.5Z",
    "d": "1h30m",
}
DATA: dict[str, Any] = {
    "params": {"n": 3, "name": 'a"<b', "items": ["x", {"k": None}], "f": 1.5},
    "l": [1, [2]],
    "z": None,
}
TEXTS = ["", "a", "aabbcc x", "Ω é", "line\nline", "A1_-.", "a+b", "\\Q", "0x1f"]

_ATOMS = {
    "bool": ("claims.b", "true", "false", "has(claims.s)", "has(claims.nope.a)", "has(claims.m.a)", "'a' in claims.l"),
    "number": (
        "claims.n",
        "1",
        "-2",
        "3u",
        "2.5",
        "0x1f",
        "9223372036854775807",
        "claims.m.a",
        "size(claims.l)",
        "1e400",
    ),
    "text": (
        "claims.s",
        "claims.email",
        "'a'",
        '"b"',
        "r'\\d+'",
        "'''q'''",
        "'\\u00e9'",
        "claims.t",
        "claims.d",
        "''",
        "'^a.*$'",
    ),
    "list": ("claims.l", "claims.groups", "[]", "[1, 2]", "['a', 'b']", "claims.m.k", "[[1], []]"),
    "map": ("claims.m", "claims.e", "{}", "{'a': 1}", "{1: 'x', true: null}", "claims"),
    "dyn": (
        "claims.z",
        "claims.nope",
        "claims.l[0]",
        "claims['s']",
        "null",
        "x",
        "g",
        "b'x'",
        "type(1)",
        "int",
        "dyn(1)",
    ),
    "time": ("duration('1h')", "timestamp('2020-01-01T00:00:00Z')", "timestamp(claims.t)", "duration(claims.d)"),
}
_SHAPES = {
    "bool": (
        *(
            "{bool} && {bool}",
            "{bool} || {bool}",
            "!{bool}",
            "{number} == {number}",
            "{text} != {text}",
            "{list} == {list}",
        ),
        *(
            "{number} < {number}",
            "{text} >= {text}",
            "{text}.contains({text})",
            "{text}.startsWith({text})",
            "{any} == {any}",
        ),
        *(
            "{text}.matches({text})",
            "{text}.endsWith({text})",
            "{any} in {list}",
            "{text} in {map}",
            "{list}.all(x, {bool})",
        ),
        *(
            "{list}.exists(x, x == {any})",
            "{list}.exists_one(g, {bool})",
            "{map}.all(x, {bool})",
            "bool({text})",
            "{time} < {time}",
        ),
        *("has({map}.a)", "({bool}) ? {bool} : {bool}", "type({any}) == type({any})", "{dyn} == {any}", "{dyn}"),
    ),
    "number": (
        *(
            "{number} + {number}",
            "{number} - {number}",
            "{number} * {number}",
            "{number} / {number}",
            "{number} % {number}",
        ),
        *("-{number}", "int({any})", "uint({any})", "double({any})", "size({text})", "size({list})", "{map}.size()"),
        *(
            "{time}.getFullYear()",
            "{time}.getHours()",
            "{time}.getSeconds('+01:00')",
            "{time}.getMilliseconds()",
            "{list}[{number}]",
        ),
    ),
    "text": (
        "{text} + {text}",
        "string({any})",
        "({bool}) ? {text} : {text}",
        "{list}[0]",
        "{map}['a']",
        "string({time})",
    ),
    "list": (
        "{list} + {list}",
        "[{any}, {any}]",
        "{list}.map(x, {any})",
        "{list}.filter(x, {bool})",
        "{map}.map(x, {bool}, {any})",
    ),
    "map": ("{{{text}: {any}}}", "{{{any}: {any}, {any}: {any}}}", "{list}[0]"),
    "dyn": ("dyn({any})", "{list}[{number}]", "{map}[{any}]", "{map}.a", "bytes({text})", "{any}"),
    "time": ("{time} - {time}", "{time} + {time}", "timestamp({any})", "duration({any})"),
}


def matcher(rng: random.Random, kind: str = "bool", depth: int = 4) -> str:
    """Return a CEL expression over ``claims``; most are well formed, and of the type that is asked for."""
    if kind == "any" or rng.random() < 0.03:
        kind = rng.choice(sorted(_ATOMS))
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(_ATOMS[kind])
    parts = re.split(r"\{(\w+)\}", rng.choice(_SHAPES[kind]))
    made = [matcher(rng, part, depth - 1) if at % 2 else part for at, part in enumerate(parts)]
    text = "".join(made).replace("{{", "{").replace("}}", "}")
    return f"({text})" if rng.random() < 0.7 else text


_TERMS = (
    *(
        ".params.n",
        ".params.name",
        ".params.items",
        ".params",
        ".l",
        ".z",
        ".nope",
        ".nope.x",
        ".",
        "$",
        "nil",
        "1",
        "2.5",
    ),
    *('"a"', "`b`", "'c'", "true", "-3", "0x1F", "1e3", '"%v|%5.2f|%q"', "$x"),
)
_CALLS = (
    *(
        "and",
        "or",
        "not",
        "len",
        "index",
        "slice",
        "print",
        "printf",
        "println",
        "html",
        "js",
        "urlquery",
        "eq",
        "ne",
        "lt",
    ),
    *("le", "gt", "ge", "json", "quote", "fromJson", "call"),
)


def pipe(rng: random.Random, depth: int = 3) -> str:
    """Return a pipeline of a template."""
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(_TERMS)
    words = [rng.choice(_CALLS), *(f"({pipe(rng, depth - 1)})" for _ in range(rng.choice((0, 1, 1, 2))))]
    later = f" | {rng.choice(_CALLS)}" if rng.random() < 0.3 else ""
    return " ".join(words) + later


def template(rng: random.Random, depth: int = 2) -> str:
    """Return a template."""
    shapes = (
        lambda: f"{{{{{pipe(rng)}}}}}",
        lambda: f"{{{{- {pipe(rng)} -}}}} b",
        lambda: f"{{{{$x := {pipe(rng)}}}}}{template(rng, depth - 1)}{{{{$x}}}}",
        lambda: f"{{{{if {pipe(rng)}}}}}{template(rng, depth - 1)}{{{{else}}}}no{{{{end}}}}",
        lambda: f"{{{{range $i, $x := {pipe(rng)}}}}}{template(rng, depth - 1)}{{{{else}}}}none{{{{end}}}}",
        lambda: f"{{{{with {pipe(rng)}}}}}{template(rng, depth - 1)}{{{{end}}}}",
        lambda: f'{{{{define "t"}}}}{template(rng, depth - 1)}{{{{end}}}}{{{{template "t" {pipe(rng)}}}}}',
    )
    return rng.choice(shapes)() if depth > 0 else rng.choice((shapes[0](), "text ", "{{/* c */}}"))


_PIECES = (
    *(
        "a",
        "b",
        ".",
        "[ab]",
        "[^a]",
        r"\.",
        r"\d",
        r"\W",
        r"\b",
        "^",
        "$",
        "a*",
        "b+?",
        "(?:x)?",
        "{2}",
        "{0,3}",
        "{,2}",
        "|",
    ),
    *(
        "(",
        ")",
        "(?i)",
        "(?P<n>a)",
        "(?<n>b)",
        r"\p{Greek}",
        r"\pL",
        "[[:alpha:]]",
        r"\x{3a9}",
        r"\Q",
        r"\E",
        r"\A",
        r"\z",
    ),
    *(
        r"\Z",
        r"\C",
        "(?=a)",
        "(?!b)",
        r"\1",
        "*",
        "+",
        "?",
        "[",
        "]",
        "-",
        "\\",
        "é",
        "Ω",
        r"\n",
        r"[\d-z]",
        "{1001}",
        "x{2}{3}",
    ),
)


def pattern(rng: random.Random) -> str:
    """Return a regular expression, or nearly one."""
    return "".join(rng.choice(_PIECES) for _ in range(rng.randrange(1, 8)))


def text(rng: random.Random) -> str:
    """Return a YAML or JSON text, mutated most of the time."""
    return corpus.text(rng, corpus.texts()).decode("utf-8", "replace")


def json_text(rng: random.Random) -> str:
    """Return a JSON text, mutated most of the time."""
    found = [one for one in corpus.texts() if one.lstrip()[:1] in {b"{", b"["}]
    made = corpus.text(rng, found).decode("utf-8", "replace")
    return made if rng.random() < 0.5 else of_tokens(rng, made.encode(), found).decode("utf-8", "replace")
