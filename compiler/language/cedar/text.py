"""Write policies that cedar-go has parsed in a form that cedarpy parses with the same meaning.

Every expression is in parentheses, and every attribute in quotes. A call with the wrong number of arguments is replaced
by a call that fails on evaluation, like in cedar-go. Types that are only possible in JSON, and ids with unusual
characters, are renamed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from ..trampoline import Step, entry
from .expression import Attribute, Constant, Entity, ExtensionCall, Is, Like, Name, Node, Operation, Record, Set
from .extension import PARSERS
from .function import FUNCTIONS, METHODS
from .lexer import KEYWORDS

if TYPE_CHECKING:
    from .expression import PolicyCondition
    from .syntax import EntityId, Policy, PolicyScope

_FAILS: Final = 'decimal("fails")'  # cedarpy accepts the call, and fails when it evaluates it
_PLAIN_TYPE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*")
_PLAIN_ID = re.compile(r"[ !#-&(-\[\]-~]*")
_RENAMED: Final = "Renamed_"
_ODD = re.compile(r"[^A-Za-z0-9 _./@:+-]")


def quoted(text: str) -> str:
    """Return ``text`` as a string literal of Cedar."""
    return f'"{_ODD.sub(_escaped, text)}"'


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{{{ord(match.group()):x}}}"


def type_name(name: str) -> str:
    """Return the entity type ``name``, or a valid type that is derived from it if Cedar does not accept ``name``."""
    plain = _PLAIN_TYPE.fullmatch(name) and not name.startswith(_RENAMED)
    if plain and not KEYWORDS.intersection(name.split("::")):
        return name
    return f"{_RENAMED}{name.encode('utf-8', 'replace').hex()}"


def id_name(name: str) -> str:
    """Return the id ``name``, or a plain id that is derived from it if ``name`` has unusual characters.

    The replacement is safe because policies only compare ids. It is necessary because cedarpy requires the ids of a
    request to be escaped exactly as Rust does.
    """
    if _PLAIN_ID.fullmatch(name) and not name.startswith(_RENAMED):
        return name
    return f"{_RENAMED}{name.encode('utf-8', 'replace').hex()}"


def entity_text(entity: EntityId) -> str:
    """Return an entity as ``Type::"id"``."""
    return f'{type_name(entity.type)}::"{id_name(entity.id)}"'


@entry
def policy_text(policy: Policy) -> Step[str]:
    """Return a policy without its annotations as text for cedarpy."""
    head = ", ".join(
        (_scope("principal", policy.principal), _scope("action", policy.action), _scope("resource", policy.resource))
    )
    conditions = []
    for condition in policy.conditions:
        conditions.append((yield _condition(condition)))  # noqa: PERF401 - no yield in a comprehension
    return f"{policy.effect}({head}){''.join(conditions)};"


def _scope(variable: str, scope: PolicyScope) -> str:
    entities = ", ".join(entity_text(entity) for entity in scope.entities)
    if scope.is_equal:
        return f"{variable} == {entities}"
    if scope.is_set:
        return f"{variable} in [{entities}]"
    kind = f" is {type_name(scope.type)}" if scope.type is not None else ""
    return f"{variable}{kind}{f' in {entities}' if entities else ''}"


def _condition(condition: PolicyCondition) -> Step[str]:
    body: str = yield _node_text(condition.body)
    return f" {condition.kind} {{ {body} }}"


def _node_texts(nodes: tuple[Node, ...]) -> Step[list[str]]:
    written: list[str] = []
    for node in nodes:
        written.append((yield _node_text(node)))  # noqa: PERF401 - no yield in a comprehension
    return written


def _node_text(node: Node) -> Step[str]:  # noqa: PLR0911 - one line for each kind of node
    match node:
        case Constant(value=value):
            return _constant(value)
        case Entity(entity=entity):
            return entity_text(entity)
        case Name(name=name):
            return name
        case Operation():
            return _operation(node.operator, (yield _node_texts(node.operands)))
        case Attribute():
            operand = yield _node_text(node.operand)
            return f"({operand} has {quoted(node.name)})" if node.test else f"{operand}[{quoted(node.name)}]"
        case Like():
            operand = yield _node_text(node.operand)
            return f"({operand} like {_pattern(node.pattern)})"
        case Is():
            operand = yield _node_text(node.operand)
            within = "" if node.within is None else f" in {yield _node_text(node.within)}"
            return f"({operand} is {type_name(node.type)}{within})"
        case ExtensionCall():
            return _call(node, (yield _node_texts(node.args)))
        case Set():
            return f"[{', '.join((yield _node_texts(node.items)))}]"
        case Record():
            values = yield _node_texts(tuple(value for _, value in node.members))
            pairs = zip(node.members, values, strict=True)
            return f"{{{', '.join(f'{quoted(name)}: {value}' for (name, _), value in pairs)}}}"


def _constant(value: bool | int | str) -> str:  # noqa: FBT001 - one of three kinds
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return f"({value})"
    return quoted(value)


def _operation(operator: str, operands: list[str]) -> str:
    match operator:
        case "if":
            return f"(if {operands[0]} then {operands[1]} else {operands[2]})"
        case "!":
            return f"(!{operands[0]})"
        case "neg":
            return f"(-({operands[0]}))"
        case _:
            return f"({f' {operator} '.join(operands)})"


def _call(node: ExtensionCall, args: list[str]) -> str:
    expected = FUNCTIONS.get(node.name) if not node.method else METHODS.get(node.name)
    if expected is not None and len(args) != expected + node.method:
        return _FAILS
    if node.method:
        return f"{args[0]}.{node.name}({', '.join(args[1:])})"
    argument = node.args[0]
    if isinstance(argument, Constant) and isinstance(argument.value, str):
        return extension_text(node.name, argument.value)
    return f"{node.name}({args[0]})"


def extension_text(function: str, text: str) -> str:
    """Return the call of an extension function on ``text`` in normal form. If ``text`` is invalid, the call fails."""
    try:
        return f"{function}({quoted(PARSERS[function](text))})"
    except ValueError:
        return _FAILS


def _pattern(pattern: tuple[str | None, ...]) -> str:
    parts = ("*" if part is None else _ODD.sub(_escaped_in_pattern, part) for part in pattern)
    return f'"{"".join(parts)}"'


def _escaped_in_pattern(match: re.Match[str]) -> str:
    return r"\*" if match.group() == "*" else _escaped(match)
