"""Repositories that deploy resources, mutated and amplified with a view to the languages that their files hold."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import corpus
import yaml
from area import kept
from mutate import DUMPER, LOADER, MOST_ALIASES, of_structure, of_tokens, places_in

if TYPE_CHECKING:
    import random
    from collections.abc import Callable, Sequence

    from corpus import Tree

MOST_BYTES = 300_000
"""Of an input: of much larger ones reading alone takes its time."""
ALIAS = re.compile(rb"(?<![^\s\[{,:-])\*[A-Za-z0-9]")
MARKS = (
    b"ustomiz",
    b"argoproj",
    b"fluxcd",
    b"CustomResourceDefinition",
    b"toolhive-operator",
    b"{op: ",
    b'"op":',
    b"${",
)
COUNTS = (2, 40, 150, 1_000, 5_000, 30_000, 150_000, 150_000)
TELLING = re.compile(r"[<{$*|()\\^=>]|\d\.\d|self|//|\n")
LANGUAGES: dict[bytes, tuple[str, ...]] = {
    b"ResourceSet": (
        "<<",
        "<< ",
        "<<-",
        ">>",
        "<< inputs.tenant >>",
        "<<- range inputs >>",
        "<<- end >>",
        '"',
        "`",
        "\\",
    ),
    b"ApplicationSet": ("{{", "}}", "{{a1}}{{a1}}", "{{path}}", "{{ .path.basename }}", "*", "../", "overlays/*"),
    b"${": ("${", "${a:-", "${a:=${", "${CLUSTER}", "}"),
    b"postBuild": ("${", "${a:-", "${CLUSTER}", "${CLUSTER:=", "}", "$", "$$", "a.*", "a in (b),", "!a,", "(a*)*b"),
    b"atches": (
        "(a*)*b",
        "(.*)*_",
        "(a|a)*",
        ".*",
        "|a",
        "~1",
        "/spec",
        "/0",
        "/-",
        "- ",
        "{",
        "[",
        "&a ",
        "{op: add}\n",
    ),
    b"esources": (
        "../",
        "./",
        "/",
        "a/",
        "/toolhive/",
        "deploy/charts/operator/",
        "?ref=",
        "https://",
        "//",
        "components/",
    ),
    b"toolhive-operator": (
        ">=0.1 ",
        "||",
        "0.1.0 - ",
        ",",
        "1.x.",
        "-- ",
        "/toolhive/",
        "toolhive-operator",
        ":",
        "@",
        "v1.",
    ),
    b"CustomResourceDefinition": (
        "(a*)*b",
        "[a-z]*",
        "self.",
        "self.spec.",
        ".all(x, x > 0)",
        "!",
        "-",
        "(",
        "[",
        "1+",
        "a?:",
    ),
    b"": (" ", "\n", "#", "'", '"', "a", "0", ":", "=", "\u2028", "\U0001f600", "---\n", "${A}"),
}
"""What is repeated, by what stands in the text."""
WORDS: dict[bytes, tuple[Any, ...]] = {
    b"ResourceSet": ("<< inputs.more >>", "<< inputs.x | quote >>", "<< range inputs >><< end >>", "ResourceSet"),
    b"ApplicationSet": ("{{a0}}", "{{path}}", "overlays/*", "*/*", "apps", "{{.path.path}}"),
    b"postBuild": (
        "clusters/one",
        "overlays/prod",
        "apps",
        ".",
        "..",
        "${A}",
        "DB_PASSWORD",
        "values",
        "Kustomization",
        "a=b",
    ),
    b"atches": ("Kustomization", "(.*)*_", "(a*)*b", "/spec/password", "/metadata/name", "", "List", "/spec/a/b/c"),
    b"esources": ("../../base", ".", "..", "kustomization.yaml", "../prod", "*", "-o/tmp/x", "/etc/passwd", "prod"),
    b"toolhive-operator": (">0.1", "0.44.0", "0.20.0", "9.9.9", "v0.36.0", "*", "1e9", 0.4, "latest"),
    b"CustomResourceDefinition": (
        *(
            "quantity('9e99999999').isInteger()",
            "quantity('9e99999999').asInteger() > 1",
            "self.spec.size.matches('(a*)*b')",
        ),
        *(
            "quantity('1e999999').asApproximateFloat() > 1.0",
            "[1,2].map(x, [1,2].map(y, x * y)) == []",
            "self == oldSelf",
        ),
        *(
            "duration('1h') > duration('9999999999h')",
            "1 / 0 == 0",
            "self",
            "9e99999999",
            "array",
            ["object"],
            1e308,
            "(a*)*b",
        ),
    ),
    b"": ("--help", "9e99999999", "NaN", "/builtin", "", "login", "token", None, [], {}, True, -1),
}
"""What a value is replaced by, by what stands in the text."""


def _known(rng: random.Random, words: dict[bytes, tuple[Any, ...]], text: bytes) -> Any:
    """Return one of some words that means something in a text."""
    return rng.choice(words[rng.choice([mark for mark in words if mark in text])])


KEYS = (
    "resources",
    "bases",
    "components",
    "patches",
    "spec",
    "kind",
    "path",
    "inputs",
    "elements",
    "substitute",
    "op",
    "type",
)


@cache
def repositories() -> tuple[Tree, ...]:
    """Return the repositories that are attacked: one with everything, and the examples that something deploys."""
    examples = [tree for tree in corpus.projects() if any(map(deploys, tree.values()))]
    return (*[kept(Path(__file__).with_name("deployment"))] * 2 * len(examples), *examples)


def deploys(text: bytes) -> bool:
    """Return whether a text deploys resources, or may."""
    return any(mark in text for mark in MARKS)


def draw(rng: random.Random) -> Tree:
    """Return a repository in which some files are mutated or amplified."""
    tree = dict(rng.choice(repositories()))
    texts = [text for text in tree.values() if deploys(text)]
    by_language = [[name for name in sorted(tree) if mark in tree[name]] for mark in LANGUAGES]
    name = rng.choice(rng.choice([names for names in by_language if names]))
    for _ in range(rng.choice((1, 1, 2, 3, 5))):
        if rng.random() < 0.3:
            name = rng.choice(rng.choice([names for names in by_language if names]))
        change = rng.choice((of_structure, of_tokens, *(amplified,) * 6))
        tree[name] = change(rng, tree[name], texts)
    if rng.random() < 0.1:
        tree |= levels(rng)
    return {name: text if len(text) <= MOST_BYTES else text[:MOST_BYTES] for name, text in tree.items()}


def amplified(rng: random.Random, text: bytes, others: Sequence[bytes]) -> bytes:
    """Return a text of which one part is repeated, nested, or replaced by a hostile word."""
    try:
        root = [one for one in yaml.load_all(text, LOADER) if one is not None]
        places = places_in(root)
    except (yaml.YAMLError, ValueError, RecursionError):
        places = []
    # A change of what many aliases name would fill the memory.
    if not places or len(text) > MOST_BYTES or len(ALIAS.findall(text)) > MOST_ALIASES:
        return of_tokens(rng, text, others)
    # Lists and objects, texts, and texts that are written in a language of their own.
    kinds: list[list[tuple[Any, Any]]] = [[], [], []]
    for holder, key in places:
        value = holder[key]
        kinds[0 if not isinstance(value, str) else 2 if TELLING.search(value) else 1].append((holder, key))
    holder, key = rng.choice(kinds[rng.choice((0, 0, 1, 2, 2, 2))] or places)
    changes = OF_TEXTS if isinstance(holder[key], str) else OF_OTHERS
    holder[key] = rng.choice(changes)(rng, holder[key], text)
    texts = [json.dumps(one, default=str) if len(text) > 5_000 or rng.random() < 0.3 else _yaml(one) for one in root]
    return "\n---\n".join(texts).encode("utf-8", "surrogatepass")


def _yaml(value: Any) -> str:
    # Texts with several lines may hold patches and templates.
    made: str = yaml.dump(value, Dumper=DUMPER, sort_keys=False, allow_unicode=True, width=10**6)
    return made


def _count(rng: random.Random, size: int) -> int:
    """Return how often something of a size is repeated."""
    return min(rng.choice(COUNTS), max(1, MOST_BYTES // max(1, size) // 2))


def _repeat(rng: random.Random, value: Any, text: bytes) -> Any:
    """Repeat the items of a list or of an object, numbered, or a text."""
    count = _count(rng, len(str(value)))
    if isinstance(value, list):
        items = value or [_known(rng, WORDS, text)]
        return (
            items * count
            if rng.random() < 0.3
            else [_numbered(one, number) for number in range(count) for one in items]
        )
    if isinstance(value, dict):
        return value | {f"{key}{number}": one for number in range(count) for key, one in value.items()}
    return str(value) * count


def _numbered(value: Any, number: int) -> Any:
    """Return data whose texts differ from those of another number; most stay what they were."""
    if isinstance(value, dict):
        return {key: f"{one}{number}" if key in {"name", "cluster", "tenant"} else one for key, one in value.items()}
    return f"{value}{number}" if isinstance(value, str) and "/" not in value else value


def _pieces(rng: random.Random, value: Any, text: bytes) -> Any:
    """Repeat a piece of the language of a text."""
    whole = "".join(str(_known(rng, LANGUAGES, text)) for _ in range(rng.choice((1, 1, 1, 2, 4))))
    whole *= _count(rng, len(whole))
    return rng.choice((whole, f"{value}{whole}", f"{whole}{value}", f"{whole}\n{value}"))


def _chain(rng: random.Random, value: Any, text: bytes) -> Any:
    """Make an object whose texts refer to each other, and each to the next one several times."""
    del text
    opening, closing = rng.choice((("{{", "}}"), ("${", "}"), ("<< inputs.", " >>"), ("$(", ")")))
    count = rng.choice((3, 10, 40, 1_000))
    texts = {f"a{number}": f"{opening}a{number + 1}{closing}" * 2 for number in range(count)}
    return [*value, texts] if isinstance(value, list) else (value if isinstance(value, dict) else {}) | texts


def _deep(rng: random.Random, value: Any, text: bytes) -> Any:
    """Put a value into lists or objects of one key."""
    del text
    for _ in range(rng.choice((2, 20, 90))):
        value = [value] if rng.random() < 0.5 else {rng.choice(KEYS): value}
    return value


def _word(rng: random.Random, value: Any, text: bytes) -> Any:
    """Replace a value by a word that means something here, or by a list of such words."""
    count = _count(rng, 100) if isinstance(value, list) else 0
    return [_known(rng, WORDS, text) for _ in range(count)] or _known(rng, WORDS, text)


def _operations(rng: random.Random, value: Any, text: bytes) -> Any:
    """Make a JSON patch of long paths and many operations."""
    del value, text
    step = rng.choice(("/a", "/0", "/-", "/~1"))
    path = rng.choice(("/spec", "/spec/env/0", "/metadata/labels", "")) + step * _count(rng, 2)
    operation = {"op": rng.choice(("add", "replace", "remove")), "path": path, "value": "x"}
    return json.dumps([operation] * _count(rng, len(path))) + "\n"


Change: TypeAlias = "Callable[[random.Random, Any, bytes], Any]"
OF_TEXTS: tuple[Change, ...] = (_pieces, _pieces, _pieces, _pieces, _word, _word, _repeat, _operations, _deep)
OF_OTHERS: tuple[Change, ...] = (_repeat, _repeat, _repeat, _repeat, _chain, _chain, _word, _deep)


def levels(rng: random.Random) -> Tree:
    """Return kustomizations in levels, each listing all of the next level, and what leads back from each to another."""
    depth, width = rng.choice((2, 4, 8, 16)), rng.choice((1, 2, 3, 6))
    tree: Tree = {}
    for level in range(depth):
        for number in range(width):
            data: dict[str, Any] = {
                "resources": [f"../{level + 1}-{one}" for one in range(width)] if level + 1 < depth else []
            }
            if rng.random() < 0.5:
                data[rng.choice(("namespace", "namePrefix", "nameSuffix"))] = f"n{level}{number}"
            if rng.random() < 0.5:
                patch = f"- {{op: add, path: /spec/targetNamespace, value: n{level}{number}}}\n"
                data["patches"] = [{"target": {"kind": "Kustomization"}, "patch": patch}]
            if rng.random() < 0.3:
                data["components"] = data["resources"]
            tree[f"levels/{level}-{number}/kustomization.yaml"] = json.dumps(data).encode()
    for number in range(rng.choice((0, 1, 20, 100))):
        path = f"levels/{rng.randrange(depth)}-{rng.randrange(width)}"
        one = {"metadata": {"name": f"k{number}"}, "spec": {"path": path, "targetNamespace": f"t{number}"}}
        head = {"apiVersion": "kustomize.toolkit.fluxcd.io/v1", "kind": "Kustomization"}
        tree[f"{rng.choice(sorted(tree)).rpartition('/')[0]}/k{number}.yaml"] = json.dumps(head | one).encode()
    return tree
