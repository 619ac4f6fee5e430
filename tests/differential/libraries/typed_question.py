"""Expressions over Kubernetes' CEL library, drawn from the signatures of its functions."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Final

from mcpcfg.compiler.kube.cel.function import LIBRARY
from mcpcfg.compiler.language.cel import types
from mcpcfg.compiler.language.cel.types import Type, list_of, map_of

if TYPE_CHECKING:
    import random

    from mcpcfg.compiler.language.cel.overloads import Overload

VARIABLES: Final[dict[str, Type]] = {
    "s": types.STRING,
    "i": types.INT,
    "l": list_of(types.STRING),
    "n": list_of(types.INT),
    "m": map_of(types.STRING, types.STRING),
    "x": types.DYN,
}
VALUES: Final[dict[str, Any]] = {
    "s": "A-b 1.2.3,é",
    "i": 3,
    "l": ["b", "a", "", "a"],
    "n": [3, 1, 2],
    "m": {"a": "10Mi", "k": "10.0.0.0/8"},
    "x": {"a": "::1", "l": [1, "a", None], "n": 2.5},
}
_TEXTS_FOR: Final = {
    "url": ("https://u:p@example.com:80/a%20b?q=1&q=2#f", "/a/b?x", "http://[::1]:8080", "mailto:a", "http://a b", ""),
    "quantity": ("10Mi", "1.5", "100m", "-3", "1e3", "5Ki", "0.1", "1E", "12x", "", "9223372036854775808", "+1.50G"),
    "ip": ("10.0.0.1", "::1", "fe80::1", "224.0.0.1", "::ffff:1.2.3.4", "1.2.3", "01.2.3.4", "2001:DB8::A", "0.0.0.0"),
    "cidr": (
        "10.0.0.0/8",
        "10.1.2.3/16",
        "::/0",
        "fd00::/8",
        "10.0.0.0",
        "10.0.0.0/33",
        "::ffff:1.2.3.4/120",
        "::1/128",
    ),
    "semver": ("1.2.3", "v1.2.3", "1.2", "1.2.3-rc.1+b", "1.02.3", "1.2.3-", "0.0.0", "v1", "1.2.3-rc.2", ""),
    "find": ("[a-z]+", "\\\\d", "(a)|b", "^$", "[", "a*", "(?i)A"),
    "format.named": ("dns1123Label", "uuid", "date", "datetime", "byte", "uri", "labelValue", "nope"),
    "validate": ("a", "A_b", "a.b", "2020-01-01", "aGk=", "https://a", "a" * 64, "-a", ""),
    "format": ("%s", "%d|%s", "%.2f", "%x", "%%", "%b", "%e", "%q", "%X", "%o", "a", "%5d"),
    "duration": ("1h", "90s", "1.5ms", "x"),
    "timestamp": ("2020-02-29T23:59:59.5Z", "2021-01-01T00:00:00+01:00", "x"),
    "int": ("12", "-1", "0x1", "x"),
    "double": ("1.5", "1e400", "NaN", "x"),
    "bool": ("true", "F", "x"),
}
_TEXTS: Final = sorted({text for texts in _TEXTS_FOR.values() for text in texts})
VARIABLES["t"], VALUES["t"] = list_of(types.STRING), [text.replace("\\\\", "\\") for text in _TEXTS]
"""Most texts are no constants: those the API server tries when it is given the CRD."""

_TEXTS_FOR_LIKE: Final = {
    "isURL": "url",
    "isQuantity": "quantity",
    "isIP": "ip",
    "ip.isCanonical": "ip",
    "containsIP": "ip",
    "isCIDR": "cidr",
    "containsCIDR": "cidr",
    "isSemver": "semver",
    "findAll": "find",
    "matches": "find",
    "uint": "int",
}
_ATOMS: Final = {
    "string": ("s", "l[0]", "m.a", "x.a", "'a'", "''", "'aXbXc'", "'é\\u2028'", "'a,b,,c'", "'%s'", "'  a '"),
    "int": ("i", "0", "1", "-1", "2", "n[0]", "100", "9223372036854775807"),
    "uint": ("1u", "0u", "7u"),
    "double": ("1.5", "-0.0", "2.0", "x.n", "1e300"),
    "bool": ("true", "false", "has(x.a)", "'a' in m"),
    "bytes": ("b'a'", "b''", "bytes(s)"),
    "null_type": ("null",),
    "dyn": ("x", "x.a", "x.l", "x.nope", "dyn(1)", "x.l[0]", "dyn([1, 'a'])"),
}
_MACROS: Final = (
    "{list}.all(y, {bool})",
    "{list}.exists(y, y == {any})",
    "{list}.exists_one(y, {bool})",
    "{map}.all(y, y != {string})",
    "x.?a.hasValue()",
    "x.?nope.orValue({any}) == {any}",
    "l[?{int}].hasValue()",
    "m[?{string}].optMap(y, y + {string}).orValue({string}) == {string}",
    "optional.of({any}).optFlatMap(y, x.?a).hasValue()",
    "{any} == {any}",
)
_CONCRETE: Final = (types.STRING, types.INT, types.BOOL, types.DOUBLE, types.DYN)
_FUNCTIONS: Final = {
    name: overloads for name, overloads in LIBRARY.all_functions().items() if name not in ("_==_", "_!=_")
}


def expression(rng: random.Random) -> str:
    """Return an expression that is a boolean, if it has a value; a few are of no type at all."""
    return _of(rng, types.BOOL, 4)


def _of(rng: random.Random, wanted: Type, depth: int, hint: str = "") -> str:
    """Return an expression of a type; ``hint`` is the function that it is for."""
    if rng.random() < 0.02:
        wanted = rng.choice(_CONCRETE)
    if wanted.kind == "variable":
        wanted = rng.choice(_CONCRETE)
    if hint in ("lists.range", "flatten") and wanted == types.INT:  # no cost is known here for what these would take
        return rng.choice(("0", "1", "i", "-1"))
    if wanted.kind == "string" and (texts := _TEXTS_FOR.get(_TEXTS_FOR_LIKE.get(hint, hint))) and rng.random() < 0.8:
        text = rng.choice(texts)
        return f"t[{_TEXTS.index(text)}]" if rng.random() < 0.9 else f"'{text}'"
    made = None if rng.random() < (0.15, 0.7, 0.5, 0.3, 0.1)[depth] else _called(rng, wanted, depth)
    if made is not None or (depth > 0 and wanted.kind == "bool" and (made := _macro(rng, depth))):
        return made
    return (
        _atom(rng, wanted, depth)
        if depth == 0 or rng.random() < 0.5
        else _called(rng, wanted, depth) or _atom(rng, wanted, depth)
    )


def _atom(rng: random.Random, wanted: Type, depth: int) -> str:
    below = max(depth - 1, 0)
    if wanted.kind == "list":
        known = [name for name, kind in VARIABLES.items() if kind == wanted]
        items = (_of(rng, wanted.parameters[0], below) for _ in range(rng.randrange(4)))
        return rng.choice(known) if known and rng.random() < 0.5 else f"[{', '.join(items)}]"
    if wanted.kind == "map":
        return "m" if rng.random() < 0.5 else f"{{'a': {_of(rng, wanted.parameters[1], below)}}}"
    if wanted.kind in _ATOMS:
        return rng.choice(_ATOMS[wanted.kind])
    if wanted.kind == "optional":
        return f"optional.of({_of(rng, wanted.parameters[0], below)})"
    if wanted.kind == "format":
        return f"format.named({_of(rng, types.STRING, 0, 'format.named')}).value()"
    return f"{wanted.kind}({_of(rng, types.STRING, 0, wanted.kind)})"  # what a text stands for


def _called(rng: random.Random, wanted: Type, depth: int) -> str | None:
    """Return a call of a function that returns the type; ``None`` where there is none."""
    if depth == 0:
        return None
    fitting = _fitting(wanted)
    # By name first: operators have many signatures.
    names = sorted({name for name, _, _ in fitting})
    if not names:
        return None
    name = rng.choice(names)
    _, overload, known = rng.choice([one for one in fitting if one[0] == name])
    chosen = {Type("variable", (), letter): rng.choice(_CONCRETE) for letter in ("A", "B")} | known
    kinds = [types.substitute(chosen, one, free_to_dyn=True) for one in overload.arguments]
    return _written(name, overload, [_of(rng, kind, depth - 1, name) for kind in kinds])


@cache
def _fitting(wanted: Type) -> list[tuple[str, Overload, types.Substitution]]:
    """Return the signatures that have a result of the type, each with what its letters stand for then."""
    return [
        (name, overload, known)
        for name, overloads in _FUNCTIONS.items()
        for overload in overloads
        if (known := types.assign({}, [(overload.result, wanted)])) is not None
    ]


def _written(name: str, overload: Overload, given: list[str]) -> str:
    if name == "_[_]":
        return f"{given[0]}[{given[1]}]"
    if name == "_?_:_":
        return f"({given[0]} ? {given[1]} : {given[2]})"
    if name == "@in":
        return f"({given[0]} in {given[1]})"
    if name.startswith("_") and name.endswith("_"):
        return f"({given[0]} {name.strip('_')} {given[1]})"
    if name in ("!_", "-_"):
        return f"{name[0]}({given[0]})"
    if overload.member:
        return f"{given[0]}.{name}({', '.join(given[1:])})"
    return f"{name}({', '.join(given)})"


def _macro(rng: random.Random, depth: int) -> str:
    of = {"string": types.STRING, "int": types.INT, "bool": types.BOOL, "list": list_of(types.STRING)}
    of |= {"map": VARIABLES["m"], "any": rng.choice(_CONCRETE)}
    return rng.choice(_MACROS).format_map({name: _of(rng, kind, depth - 1) for name, kind in of.items()})
