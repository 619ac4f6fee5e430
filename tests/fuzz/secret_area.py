"""Secrets that are written in any style: quotes, brackets, indentation, comments, texts in texts, and faults."""

from __future__ import annotations

import json
import random
import re
from typing import TYPE_CHECKING, Any

import yaml
from area import Area, called, within
from secret_way import SIGN, ways

from mcpcfg.compiler.diagnostics.secret.source import masked_source
from mcpcfg.compiler.diagnostics.secret.value import secrets_of, without_secrets

if TYPE_CHECKING:
    from corpus import Tree

WAYS = [way for way in ways() if not way.text and way.kind != "secret-creation"]
CHANGES = ("comment", "crlf", "documents", "blank", "nest", "broken", "shuffle", "tail", "tag")
BROKEN = ("bad: x: y", "\tbad", "- bad: [", "bad: 'x", "}", "? x", '"', "---", "{", "%x", "&a", "*b", "@", "|")
OUTPUTS = (("check",), ("check", "-f", "json"), ("check", "-f", "markdown"), ("graph",), ("diff", ".", "a.yaml"))


def draw(rng: random.Random) -> Tree:
    """Return how a secret is written: a line with the number of the way, and a line for each change."""
    changes = [f"{rng.choice(CHANGES)} {rng.randrange(10**6)}" for _ in range(rng.choice((0, 1, 1, 2, 3)))]
    return {"recipe": "\n".join([f"{rng.randrange(len(WAYS))} {rng.randrange(10**6)}", *changes]).encode()}


def hold(recipe: Tree, rng: random.Random) -> None:
    """No output shows the secret, and neither do a text and the data in it."""
    lines = [line.split() for line in recipe["recipe"].decode().splitlines()]
    words = [line for line in lines if len(line) == 2 and line[1].isdigit()]
    if not words or not words[0][0].isdigit():
        return
    text = written(int(words[0][0]) % len(WAYS), int(words[0][1]), words[1:])
    shown = masked_source(text)
    assert len(shown) == len(text), text
    assert SIGN not in shown, text
    with within({"a.yaml": text.encode()}):
        outcome = called(*rng.choice(OUTPUTS))
        assert SIGN not in outcome.out + outcome.err, text


def written(number: int, seed: int, changes: list[list[str]]) -> str:
    """Return a way as text."""
    rng, data, names = random.Random(seed), WAYS[number].data, {name for name, _ in changes}
    for name, _ in changes:
        if name == "nest" and isinstance(data, dict):
            data = {
                "kind": "ConfigMap",
                "data": {"a.json": json.dumps(data) if rng.random() < 0.5 else yaml.dump(data, width=10**6)},
            }
        elif name == "shuffle":
            data = _shuffled(data, rng)
    assert SIGN not in json.dumps(without_secrets(data)), data
    assert any(SIGN in value for value in secrets_of(data).values)
    text = f"{_block(data, rng, 0).strip(' ')}\n"
    assert yaml.safe_load(text) == data, text
    for name, value in changes:
        # What follows a cut or a fault may be what tells that the text before is secret.
        is_last = not {"shuffle"} & names and not re.search("first|form|context|argument|cedar", WAYS[number].id)
        if name in ("tail", "broken") and not is_last:
            continue
        text = _changed(text, name, random.Random(value))
    return text


def _changed(text: str, change: str, rng: random.Random) -> str:
    lines = text.split("\n")
    at = next(number for number, line in enumerate(lines) if SIGN in line)
    if change == "comment":
        return "".join(f"# {line}\n" for line in lines)
    if change == "documents":
        return f"kind: ConfigMap\ndata: {{a: b}}\n---\n{text}---\nkind: Secret\n"
    if change == "broken":
        near = rng.choice((0, at + 1, at + 1, len(lines)))
        lines.insert(near, " " * rng.choice((0, 1, 2, 4)) + rng.choice(BROKEN))
    elif change == "blank" and "|" not in text and text[:1] != "#":
        lines.insert(rng.randrange(len(lines)), rng.choice(("", "   ", "# token: x", "  # a comment")))
    elif change == "tail":
        end = rng.randrange(re.compile(r"[\w.+/=-]*").match(text, text.index(SIGN)).end(), len(text))  # type: ignore[union-attr] # it may be empty
        return text if re.search("(?i)name|secret|type|key|pass", text[end:]) else f"{text[:end]}\n"
    return ("\r\n" if change == "crlf" else "\n").join(lines)


def _shuffled(value: Any, rng: random.Random) -> Any:
    if isinstance(value, dict):
        return {key: _shuffled(value[key], rng) for key in rng.sample(list(value), len(value))}
    return [_shuffled(item, rng) for item in value] if isinstance(value, list) else value


def _block(value: Any, rng: random.Random, column: int) -> str:
    """Return a value as YAML in a random style, from the position after its key on."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.15:
        return f" {_flow(value, rng)}"
    inner = column + rng.choice((1, 2, 2, 4)) if column or rng.random() < 0.9 else 0
    space = "\n" + " " * (inner if column else 0)
    inner = len(space) - 1
    if isinstance(value, dict):
        return "".join(f"{space}{_flow(key, rng)}:{_block(item, rng, inner + 1)}" for key, item in value.items())
    return "".join(f"{space}-{_block(item, rng, inner + 1)}" for item in value)


def _flow(value: Any, rng: random.Random) -> str:
    gap = rng.choice(("", " ", "\n        " * 3))
    if isinstance(value, dict):
        return (
            f"{{{gap}{f',{gap} '.join(f'{_flow(key, rng)}: {_flow(item, rng)}' for key, item in value.items())}{gap}}}"
        )
    if isinstance(value, list):
        return f"[{gap}{f',{gap} '.join(_flow(item, rng) for item in value)}{gap}]"
    styles = [json.dumps(value, ensure_ascii=rng.random() < 0.5)]
    if isinstance(value, str) and value.isprintable():
        styles.append("'" + value.replace("'", "''") + "'")
    plain = str(value)
    if plain and not any(sign in plain for sign in ",[]{}:#\n\"'&*!|>%@`?") and yaml.safe_load(plain) == value:
        styles += [plain, plain]
    return rng.choice(styles)


AREAS = (Area("secrets", "no output shows a secret in whatever style it is written", draw, hold, 60),)
