"""Mutation of texts at three levels: their bytes, their tokens, and the data that they hold."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

TOKEN = re.compile(rb"[\w./-]+|\s+|[^\w\s]", re.ASCII)
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
DUMPER = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
MOST = 64 * 1024
"""Bytes of a text that grows from mutation to mutation."""

MOST_ALIASES = 8
"""Of a text that is taken apart: a few dozen can stand for billions of values."""

BYTES = (
    b"\0",
    b"\r",
    b"\r\n",
    b"\xff",
    b"\xc3",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"\xc2\x85",
    b"\xc2\xa0",
    b"\t",
    b"\\",
)
WORDS = (
    *(
        b"---",
        b"\n---\n",
        b"\n---#c\n",
        b"\n...\n",
        b"%YAML 1.1\n",
        b"- ",
        b": ",
        b"? ",
        b"|\n",
        b">-\n",
        b"&a ",
        b"*a",
    ),
    *(
        b"<<: ",
        b"!!int ",
        b"!!binary ",
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b"#",
        b'"',
        b"'",
        b"{{",
        b"}}",
        b"${X}",
        b"${X:=y}",
    ),
    *(
        b"null",
        b"~",
        b"yes",
        b"0x1",
        b"010",
        b"1e400",
        b".inf",
        b"18446744073709551616",
        b"2001-01-01",
        b"-0",
        b"1_000",
    ),
    *(
        b"# mcpcfg: ignore[ADM001]",
        b"# mcpcfg: ignore",
        b"$patch: delete",
        b"%s",
        b"../..",
        b"/etc/passwd",
        b"file:///",
    ),
    *(b"true", b"false", b"self", b".all(x, x)", b"matches('(a+)+$')", b"&&", b"||", b"in", b"has(", b"{{range .}}"),
    *(b"{{end}}", b'{{printf "%v" .}}', b"permit(principal, action, resource);", b"when { true }", b"\\p{L}", b"(?i)"),
)
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 65_536, 2**31, 2**63, 2**64, -(2**63) - 1, 0.5, 1e308, -0.0),
    *(
        "",
        " ",
        "x",
        "\n",
        "\0",
        "\x1b[31m",
        "\u202e",
        "\ud7ff",
        "é" * 64,
        "a" * 300,
        "a.b/c",
        "A B",
        "-",
        "..",
        "/",
        "%",
    ),
    *(
        "null",
        "yes",
        "1",
        "1.0",
        "1e3",
        "12Mi",
        "1h30m",
        "{{.params.x}}",
        "{{",
        "${X}",
        "$(X)",
        "<no value>",
        "*",
        "^a$",
    ),
    *(
        "https://user:pass@example.com:99999/%zz",
        "http://[::1",
        "permit(",
        "self.x",
        "claims.a == 'b'",
        "ghcr.io/a/b@sha256:0",
    ),
    *([], {}, [[]], [{}], [None], {"": ""}, {"a": {"b": ["c"]}}, ["a", "a"], {"$ref": "#"}),
)


def mutated(rng: random.Random, text: bytes, others: Sequence[bytes]) -> bytes:
    """Return a text with one to six mutations; ``others`` are texts that parts are taken from."""
    for _ in range(rng.choice((1, 1, 2, 3, 6))):
        text = rng.choice(LEVELS)(rng, text, others)[:MOST]
    return text


def of_bytes(rng: random.Random, text: bytes, others: Sequence[bytes]) -> bytes:
    """Flip, insert, remove or repeat bytes."""
    at = rng.randrange(len(text) + 1)
    length = rng.choice((1, 1, 2, 8, 64))
    what = rng.randrange(5)
    if what == 0 and at < len(text):
        return text[:at] + bytes([text[at] ^ (1 << rng.randrange(8))]) + text[at + 1 :]
    if what == 1:
        return text[:at] + rng.choice(BYTES) + text[at:]
    if what == 2:
        return text[:at] + text[at + length :]
    if what == 3:
        return text[:at] + text[at : at + length] * rng.choice((2, 3, 40)) + text[at + length :]
    other = rng.choice(others)
    start = rng.randrange(len(other) + 1)
    return text[:at] + other[start : start + length] + text[at:]


def of_tokens(rng: random.Random, text: bytes, others: Sequence[bytes]) -> bytes:
    """Exchange, remove, repeat or insert words, signs and lines."""
    what = rng.randrange(6)
    parts = text.splitlines(keepends=True) if what == 0 else TOKEN.findall(text)
    if not parts:
        return rng.choice(WORDS)
    one, two = rng.randrange(len(parts)), rng.randrange(len(parts))
    if what in {0, 1}:
        parts[one], parts[two] = parts[two], parts[one]
    elif what == 2:
        del parts[one : one + rng.choice((1, 1, 3))]
    elif what == 3:
        parts.insert(two, parts[one])
    elif what == 4:
        parts.insert(one, rng.choice(WORDS))
    else:
        foreign = TOKEN.findall(rng.choice(others)[:4_000]) or [b""]
        parts[one] = rng.choice(foreign)
    return b"".join(parts)


def of_structure(rng: random.Random, text: bytes, others: Sequence[bytes]) -> bytes:
    """Exchange, remove, rename, repeat or wrap parts of the data; a text that holds none gets other tokens."""
    documents = parsed(text)
    if not documents:
        return of_tokens(rng, text, others)
    root = [json.loads(json.dumps(one)) for one in documents]
    places = list(places_in(root))
    holder, key = rng.choice(places)
    _change(rng, holder, key, places, others)
    if text.lstrip()[:1] in {b"{", b"["} and len(root) == 1:
        return json.dumps(root[0], indent=rng.choice((None, 2))).encode()
    return yaml.dump_all(
        root, Dumper=DUMPER, sort_keys=False, allow_unicode=True, default_flow_style=rng.choice((False, False, None))
    ).encode()


def parsed(text: bytes) -> list[Any]:
    """Return the documents of a text, none where it cannot be read or holds what JSON cannot."""
    if len(text) > MOST or text.count(b"*") > MOST_ALIASES:
        return []
    try:
        found = [one for one in yaml.load_all(text, LOADER) if one is not None]
        json.dumps(found)
    except (yaml.YAMLError, ValueError, TypeError, RecursionError, AttributeError, LookupError):
        return []
    return found


def places_in(root: Any) -> list[tuple[Any, Any]]:
    """Return each value within lists and mappings as the pair of what holds it and its key or position there."""
    waiting, found = [root], []
    while waiting:
        holder = waiting.pop()
        for key, value in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
            found.append((holder, key))
            if isinstance(value, dict | list):
                waiting.append(value)
    return found


def _change(rng: random.Random, holder: Any, key: Any, places: list[tuple[Any, Any]], others: Sequence[bytes]) -> None:
    value = holder[key]
    what = rng.randrange(8)
    if what == 0:
        del holder[key]
    elif what == 1:
        holder[key] = rng.choice(VALUES)
    elif what == 2:
        other, place = rng.choice(places)
        holder[key] = json.loads(json.dumps(other[place]))
    elif what == 3 and isinstance(holder, dict):
        new = rng.choice([*(str(one) for _, one in places[:50]), "", "x", f"{key}s", str(key)[:-1], str(key).upper()])
        holder[new] = holder.pop(key)
    elif what == 4 and isinstance(holder, list):
        holder.insert(key, json.loads(json.dumps(value)))
    elif what == 5:
        holder[key] = rng.choice(([value], [value, value], {"a": value}, {str(key): value}))
    elif what == 6 and isinstance(value, str):
        holder[key] = of_tokens(rng, value.encode(), others).decode("utf-8", "replace").replace("\ufffe", "")
    else:
        found = parsed(rng.choice(others))
        if found:
            other, place = rng.choice(list(places_in(found)))
            holder[key] = other[place]


LEVELS: tuple[Callable[[random.Random, bytes, Sequence[bytes]], bytes], ...] = (
    of_bytes,
    of_tokens,
    of_structure,
    of_structure,
)
