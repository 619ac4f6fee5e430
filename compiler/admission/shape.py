"""Build the functions that check objects and fill in defaults, from the shapes of a generated table.

A check takes a value and the list of faults. It returns the value as the API server would store it, which is the same
object if nothing changes. It appends all faults and does not stop at the first. A fault begins with an empty path, and
each enclosing check adds its own step, so paths cost nothing for a valid object.

A shape is a tuple. Its first item names the factory below, and the other items are the arguments of the factory:

========  ======================================================================================================
any       nothing: any value stays unchanged, except null, which counts as "not given"
free      nothing: an object with arbitrary fields, which are not checked
string    allowed texts, pattern, minimum and maximum length, and the format if the API server checks it
integer   minimum, maximum, format; ``number`` has the same
boolean   nothing
list      shape of the items, minimum and maximum length, list type, keys that identify entries
map       shape of the values, and the maximum number of keys, if any
ruled     shape of the value, CEL rules about the value itself
metadata  nothing: the metadata of an object, which Kubernetes declares
status    shape of the status: unknown fields are reported, then the API server drops it from a new object
object    name, fields, required fields, defaults, whether unknown fields are kept, CEL rules
========  ======================================================================================================

CRDs of the user have more shapes. Their CEL rules are only in ``ruled``:

=============  =================================================================================================
bounded        shape of the value, and further keywords that the value must satisfy; see ``constraint.py``
nullable       shape of the value, which may be null
int-or-string  nothing
=============  =================================================================================================

Source: Kubernetes 1.35, k8s.io/apiextensions-apiserver: pkg/apiserver (order of pruning, defaulting, validation),
k8s.io/kube-openapi: pkg/validation/validate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from .leaf import LEAVES, unless_placeholder, wrong_type
from .list_type import repeated
from .violation import CelRule, Sort, Violation

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..toolhive.profile import Profile
    from .constraint import Constraints
    from .leaf import Check, Spellings

    Facts: TypeAlias = tuple[Any, ...]
    Compiled: TypeAlias = Callable[[int, CelRule], Callable[[Any], bool | str]]

_PLAIN = {"string": str, "boolean": bool}
"""Python types of shapes without constraints. A value of the type needs no call of a check."""


class Checks:
    """The checks of a profile by position of their shape. Each check is built on first use.

    Args:
        spellings: The table's spelling for each other spelling of a field name or value.
        profile: The profile whose names the defaults use.
        compiled: Returns the function of a CEL rule of the shape at a position. The function returns whether the rule
            holds, or the message if the rule computes it. Default: the generated functions.
    """

    def __init__(
        self, shapes: tuple[Facts, ...], spellings: Spellings, profile: Profile, compiled: Compiled | None = None
    ) -> None:
        self.compiled = compiled or _generated
        self._shapes = shapes
        self.profile = profile
        self._checks: dict[int, Check] = {}
        self.spellings = spellings

    def check(self, position: int) -> Check:
        """Return the check of the shape at ``position``."""
        check = self._checks.get(position)
        if check is None:
            kind, *facts = self._shapes[position]
            leaf = LEAVES.get(kind)
            check = _FACTORIES[kind](self, *facts) if leaf is None else leaf(self.spellings, *facts)
            self._checks[position] = check
        return check

    def plain_type(self, position: int) -> type | None:
        """Return the Python type of valid values, or ``None`` if the shape checks more than the type."""
        kind, *facts = self._shapes[position]
        return None if any(facts) else _PLAIN.get(kind)

    def accepts_null(self, position: int) -> bool:
        """Return whether the shape at ``position`` accepts null as a value. Otherwise, null means "not given"."""
        word: str = self._shapes[position][0]
        return word == "nullable"


def _list(
    checks: Checks, position: int, fewest: int | None, most: int | None, list_type: str | None, keys: tuple[str, ...]
) -> Check:
    inner = checks.check(position)
    plain = checks.plain_type(position)
    unique = list_type in ("map", "set")

    def check(value: Any, faults: list[Violation]) -> Any:
        if type(value) is not list:
            wrong_type(value, "list", faults)
            return value
        out = value
        count = len(faults)
        for i, item in enumerate(value):
            if type(item) is plain:
                continue
            new = inner(item, faults)
            if new is not item:
                if out is value:
                    out = value.copy()
                out[i] = new
            if faults and len(faults) > count:
                count = _add_step(i, faults, count)
        if fewest is not None and len(out) < fewest:
            faults.append(Violation(Sort.TOO_FEW, [], value, fewest))
        elif most is not None and len(out) > most:
            faults.append(Violation(Sort.TOO_MANY, [], value, most))
        if unique and len(out) > 1:
            faults.extend(Violation(Sort.DUPLICATE, [i], out[i], (first, keys)) for i, first in repeated(out, keys))
        return out

    return check


def _map(checks: Checks, position: int, most: int | None = None) -> Check:
    inner = checks.check(position)
    plain = checks.plain_type(position)
    keeps_null = checks.accepts_null(position)

    def check(value: Any, faults: list[Violation]) -> Any:
        if type(value) is not dict:
            wrong_type(value, "map", faults)
            return value
        out = value
        count = len(faults)
        for key, item in value.items():
            if type(item) is plain:
                continue
            if item is None and not keeps_null:
                out = value.copy() if out is value else out
                del out[key]
                continue
            new = inner(item, faults)
            if new is not item:
                out = value.copy() if out is value else out
                out[key] = new
            if faults and len(faults) > count:
                count = _add_step(key, faults, count)
        if most is not None and len(out) > most:
            faults.append(Violation(Sort.TOO_MANY, [], value, most))
        return out

    return check


def _ruled(checks: Checks, position: int, rules: tuple[Facts, ...]) -> Check:
    inner = checks.check(position)
    evaluate = _evaluation(checks, position, rules)

    def check(value: Any, faults: list[Violation]) -> Any:
        count = len(faults)
        out = inner(value, faults)
        if len(faults) == count or all(fault.sort is Sort.WIDTH for fault in faults[count:]):
            evaluate(out, faults)
        return out

    return check


def _bounded(checks: Checks, position: int, constraints: Constraints) -> Check:
    from .constraint import breaches

    inner = checks.check(position)

    def check(value: Any, faults: list[Violation]) -> Any:
        count = len(faults)
        out = inner(value, faults)
        if not any(not fault.path and fault.sort is not Sort.MISSING for fault in faults[count:]):
            faults.extend(breaches(constraints, out))
        return out

    return check


def _nullable(checks: Checks, position: int) -> Check:
    inner = checks.check(position)
    return lambda value, faults: None if value is None else inner(value, faults)


def _status(checks: Checks, position: int) -> Check:
    inner = checks.check(position)

    def check(value: Any, faults: list[Violation]) -> Any:
        status_faults: list[Violation] = []
        out = inner(value, status_faults)
        faults.extend(pruned(status_faults))
        return out

    return check


def pruned(faults: list[Violation]) -> Iterator[Violation]:
    """Yield the faults about unknown fields in a status. The API server ignores all other faults there."""
    for fault in faults:
        if fault.sort is Sort.UNKNOWN:
            yield fault
        elif fault.sort is Sort.TYPE:
            for path, value in _fields_of(fault.value, fault.path):
                yield Violation(Sort.UNKNOWN, path, value, ())


def _fields_of(value: Any, path: list[str | int]) -> Iterator[tuple[list[str | int], Any]]:
    if isinstance(value, dict):
        yield from (([key, *path], item) for key, item in value.items())
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from _fields_of(item, [i, *path])


def _object(  # noqa: PLR0913, PLR0917 - what the shape holds
    checks: Checks,
    name: str,
    fields: tuple[tuple[str, int], ...],
    required: tuple[str, ...],
    defaults: tuple[tuple[str, Any], ...],
    preserve: bool,  # noqa: FBT001 - comes from the table by position
    rules: tuple[Facts, ...],
) -> Check:
    table: dict[str, Check] = {}
    plain = {key: kind for key, position in fields if (kind := checks.plain_type(position)) is not None}
    for key, position in fields:
        table[key] = _deferred(checks, table, key, position)
    get, get_plain = table.get, plain.get
    filled = {key: _default(checks, dict(fields)[key], value) for key, value in defaults}
    nulls = frozenset(key for key, position in fields if checks.accepts_null(position))
    evaluate = _evaluation(checks, -1, rules) if rules else None

    def check(value: Any, faults: list[Violation]) -> Any:
        if type(value) is not dict:
            wrong_type(value, "object", faults, (name, required))
            return value
        out = filled | value if filled else value
        count = len(faults)
        for key, item in value.items():
            if type(item) is get_plain(key):
                continue
            inner = get(key)
            if inner is not None and item is not None:
                new = inner(item, faults)
                if new is not item:
                    out = value.copy() if out is value else out
                    out[key] = new
                if faults and len(faults) > count:
                    count = _add_step(key, faults, count)
                continue
            if key in nulls:
                continue
            out = value.copy() if out is value else out
            if inner is not None:
                _clear(out, key, filled)
            elif not preserve:
                _unlisted(checks, table, key, out, faults)
                count = len(faults)
        for key in required:
            if key not in out:
                faults.append(Violation(Sort.MISSING, [], value, key))  # noqa: PERF401 - rarely anything
        if evaluate is not None:
            evaluate(out, faults)
        return out

    return _plain_object(check, plain, required) if len(plain) == len(fields) and not (defaults or rules) else check


def _default(checks: Checks, position: int, value: Any) -> Any:
    """Return the default of a field as the API server stores it, with inner defaults and the profile's spelling."""
    if type(value) is str:
        return checks.profile.spell(value)
    return checks.check(position)(value, []) if isinstance(value, dict | list) else value


def _plain_object(otherwise: Check, plain: dict[str, type], required: tuple[str, ...]) -> Check:
    """Return a fast check for objects with fields of plain types only. It calls ``otherwise`` on any deviation."""
    get = plain.get

    def check(value: Any, faults: list[Violation]) -> Any:
        if type(value) is not dict:
            return otherwise(value, faults)
        for key, item in value.items():
            if type(item) is not get(key):
                return otherwise(value, faults)
        for key in required:
            if key not in value:
                return otherwise(value, faults)
        return value

    return check


def _deferred(checks: Checks, table: dict[str, Check], key: str, position: int) -> Check:
    """Return a check that, on first use, builds the check of field ``key`` and replaces itself in ``table``.

    Kinds have many fields, and documents use few of them.
    """

    def first(value: Any, faults: list[Violation]) -> Any:
        check = table[key] = checks.check(position)
        return check(value, faults)

    return first


def _clear(out: dict[str, Any], key: str, filled: dict[str, Any]) -> None:
    if key in filled:
        out[key] = filled[key]
    else:
        del out[key]


def _unlisted(checks: Checks, table: dict[str, Check], key: str, out: dict[str, Any], faults: list[Violation]) -> None:
    """Rename a field that is another spelling of a field of the shape, or record an unknown field; remove ``key``."""
    value = out.pop(key)
    canonical = checks.spellings.get(key, "")
    if canonical in table and canonical not in out:
        count = len(faults)
        faults.append(Violation(Sort.RENAMED, [], value, canonical))
        if value is not None:
            out[canonical] = table[canonical](value, faults)
        _add_step(key, faults, count)
    else:
        unless_placeholder(key, Violation(Sort.UNKNOWN, [key], value, tuple(table)), faults)


def _evaluation(checks: Checks, position: int, rules: tuple[Facts, ...]) -> Callable[[Any, list[Violation]], None]:
    """Return the function that evaluates CEL rules and records broken ones, such as rules that end with an error."""
    from ..language.cel.value import CelError

    functions = [(checks.compiled(position, rule), rule) for rule in (CelRule(*facts) for facts in rules)]

    def evaluate(value: Any, faults: list[Violation]) -> None:
        for function, rule in functions:
            try:
                holds = function(value)
            except CelError:
                holds = False
            if holds is not True:
                broken = rule if holds is False else rule._replace(message=str(holds))
                faults.append(Violation(Sort.RULE, [], value, broken))

    return evaluate


def _generated(_: int, rule: CelRule) -> Callable[[Any], bool]:
    from . import _cel

    function: Callable[[Any], bool] = getattr(_cel, rule.function)
    return function


def _add_step(step: str | int, faults: list[Violation], count: int) -> int:
    for fault in faults[count:]:
        fault.path.append(step)
    return len(faults)


_FACTORIES: dict[str, Callable[..., Check]] = {
    "list": _list,
    "map": _map,
    "ruled": _ruled,
    "bounded": _bounded,
    "nullable": _nullable,
    "status": _status,
    "object": _object,
}
