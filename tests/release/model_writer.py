"""Write declarations into the models: fields, values, bounds and rules that a new release has, where no choice is left.

An `Editor` collects changes of source files, and makes them at the end. What it cannot write stays for a person:
`Editor.write` returns the reason.
"""

from __future__ import annotations

import ast
import inspect
import re
import typing
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NotRequired, Required, is_typeddict

from mcpcfg.compiler.generate.missing import Difference, SchemaNode, places, word
from mcpcfg.compiler.models import declare
from mcpcfg.compiler.models.kind import KINDS

_SCALARS = {"string": "str", "integer": "int", "number": "float", "boolean": "bool"}
_BOUNDS = (
    *("pattern", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "maxProperties", "format"),
    "default",
)
_LIST_TYPE, _LIST_KEYS, _MAP_TYPE = "x-kubernetes-list-type", "x-kubernetes-list-map-keys", "x-kubernetes-map-type"
_ANY = "x-kubernetes-preserve-unknown-fields"
_OF_FIELD = {"default", "nullable", _MAP_TYPE}
"""Keywords of an object that its field declares, not its class."""
_IMPORTS = {
    "typing": ("Annotated", "Any", "Literal", "Required", "TypedDict"),
    ".dated": ("During", "Since", "Until", "ValuesSince"),
    ".declare": (
        *("AnyValue", "Atomic", "Cel", "Default", "Enum", "Format", "Int32", "Int64", "ListMap", "ListSet"),
        *("MaxItems", "MaxLength", "MaxProperties", "Maximum", "MinItems", "MinLength", "Minimum", "Pattern"),
        *("PreserveUnknownFields", "rules"),
    ),
}


@dataclass(frozen=True)
class Place:
    """A declared schema: the class that has the field, the field, and the class of its object if it is one."""

    owner: type | None
    key: str
    model: type | None


def declared_places() -> dict[str, Place]:
    """Return the declarations of all kinds, by kind and path, such as ``MCPServer.spec.env[]``."""
    found: dict[str, Place] = {}
    for kind in KINDS:
        for part, model in (("spec", kind.spec), ("status", kind.status)):
            _visit(f"{kind.name}.{part}", model, Place(None, part, None), found, ())
    return found


def _visit(path: str, declared: Any, place: Place, found: dict[str, Place], above: tuple[type, ...]) -> None:
    while (origin := typing.get_origin(declared)) in (Annotated, Required, NotRequired):
        if origin is Annotated and any(isinstance(fact, declare.Opaque) for fact in declared.__metadata__):
            return
        declared = declared.__origin__ if origin is Annotated else typing.get_args(declared)[0]
    arguments = typing.get_args(declared)
    if arguments and type(None) in arguments:
        declared = next(part for part in arguments if part is not type(None))
    if origin in (list, dict):
        found[path] = place
        _visit(path + ("[]" if origin is list else "{}"), arguments[-1], place, found, above)
        return
    model = declared if is_typeddict(declared) else None
    found[path] = Place(place.owner, place.key, model)
    if model is not None and model not in above:
        for key, hint in typing.get_type_hints(model, include_extras=True).items():
            _visit(f"{path}.{key}", hint, Place(model, key, None), found, (*above, model))


class _ByHandError(Exception):
    """A declaration that a person has to write. The message is the reason."""


@dataclass
class _Source:
    """A module of the models with its pending changes: offsets of the replaced text, and the new text."""

    path: Path
    text: str
    tree: ast.Module
    changes: list[tuple[int, int, str]] = field(default_factory=list)

    def offset(self, line: int, column: int) -> int:
        """Return the offset of a position of the syntax tree, whose columns count bytes."""
        lines = self.text.splitlines(keepends=True)
        return sum(map(len, lines[: line - 1])) + len(lines[line - 1].encode()[:column].decode())

    def segment(self, node: ast.expr) -> tuple[int, int]:
        """Return the offsets of an expression."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self.offset(node.lineno, node.col_offset), self.offset(node.end_lineno, node.end_col_offset)

    def write(self) -> None:
        """Write the file with all changes and the names that they need."""
        text = self.text
        # From the end, so offsets stay right. Of two texts at one place, the one that was added first comes first.
        for _, _, (start, end, new) in sorted(
            ((change[0], number, change) for number, change in enumerate(self.changes)), reverse=True
        ):
            text = text[:start] + new + text[end:]
        added = " ".join(new for _, _, new in self.changes)
        imports = [
            f"from {module} import {', '.join(used)}\n"
            for module, names in _IMPORTS.items()
            if (used := [name for name in names if re.search(rf"\b{name}\b", added)])
        ]
        last = max(node.end_lineno or 0 for node in self.tree.body if isinstance(node, ast.ImportFrom))
        lines = text.splitlines(keepends=True)
        self.path.write_text("".join([*lines[:last], *imports, *self.foreign, *lines[last:]]), encoding="utf-8")

    foreign: list[str] = field(default_factory=list)


class Editor:
    """Writes what the CRDs of a release have and the models lack.

    Args:
        crds: The CRDs of the release, by kind.
        known: The CRDs that the models give for the release before.
        release: The release, which new declarations name.
    """

    def __init__(self, crds: dict[str, Any], known: dict[str, Any], release: str) -> None:
        self.release = release
        self._nodes = {f"{kind}{path}": node for kind, crd in crds.items() for path, node in places(crd).items()}
        self._places = declared_places()
        self._sources: dict[Path, _Source] = {}
        self._written: set[tuple[Any, ...]] = set()
        self._paths_of: dict[type, list[str]] = defaultdict(list)
        for path, place in self._places.items():
            if place.model is not None:
                self._paths_of[place.model].append(path)
        nodes = {f"{kind}{path}": node for kind, crd in known.items() for path, node in places(crd).items()}
        self._classes: dict[str, Counter[type]] = defaultdict(Counter)
        for path, place in self._places.items():
            if place.model is not None and path in nodes:
                self._classes[_shape(nodes, path)][place.model] += 1
        self._names = {model.__name__ for model in self._paths_of}
        self._new: dict[str, tuple[str, Path]] = {}
        self._new_rules: dict[type, list[str]] = defaultdict(list)

    def write(self, difference: Difference, all_paths: set[str]) -> str | None:
        """Write a difference, and return ``None``; or return why a person has to write it.

        Args:
            all_paths: Kinds and paths of all differences of the same change and content.
        """
        try:
            self._write(difference, all_paths)
        except _ByHandError as reason:
            return str(reason)
        return None

    def save(self) -> list[Path]:
        """Write the changed modules, and return their paths."""
        for model, rules in self._new_rules.items():  # one decorator for all, because the last one would replace others
            source, node = self._class(model)
            start = source.offset(min((item.lineno for item in node.decorator_list), default=node.lineno), 0)
            source.changes.append((start, start, f"@rules({', '.join(rules)})\n"))
        changed = [source for source in self._sources.values() if source.changes]
        for source in changed:
            source.write()
        return [source.path for source in changed]

    def _write(self, difference: Difference, all_paths: set[str]) -> None:
        path = difference.kind + difference.path
        if not difference.path or difference.change in ("new kind", "missing kind"):
            raise _ByHandError("kinds, names and columns are declared in models/kind.py")
        if difference.change == "new field":
            above, _, key = path.rpartition(".")
            owner = self._places[above].model if above in self._places else None
            if owner is None:
                raise _ByHandError("the object that has it is not declared as a class")
            self._needs_everywhere(owner, f".{key}", all_paths)
            if self._is_first("field", owner, key):
                self._add_field(owner, key, path)
            return
        place = self._places.get(path)
        if place is None:
            raise _ByHandError("the field is not declared as a class has it")
        if difference.change in ("new rule", "missing rule") and place.model is not None:
            self._needs_everywhere(place.model, "", all_paths)
            if self._is_first(difference.change, place.model, difference.after, difference.before):
                self._change_rule(place.model, difference)
            return
        if place.owner is None:
            raise _ByHandError("it is a whole part of the kind")
        suffix = path[path.rindex(f".{place.key}") :]
        self._needs_everywhere(place.owner, suffix, all_paths)
        what = (difference.change, difference.name, str(difference.after), str(difference.before))
        if self._is_first("fact", place.owner, place.key, suffix, *what):
            self._change_field(place.owner, place.key, difference)

    def _needs_everywhere(self, owner: type, suffix: str, all_paths: set[str]) -> None:
        """Refuse a change of a class that some of the places of the class do not have."""
        here = [f"{path}{suffix}" for path in self._paths_of[owner]]
        others = [path for path in here if path not in all_paths and path.removesuffix(suffix) in self._nodes]
        if others:
            raise _ByHandError(f"{owner.__name__} also declares {others[0]}, which differs")

    def _is_first(self, *what: Any) -> bool:
        is_first = what not in self._written
        self._written.add(what)
        return is_first

    def _source(self, model: type) -> _Source:
        path = Path(inspect.getsourcefile(model) or "").resolve()
        if path not in self._sources:
            text = path.read_text(encoding="utf-8")
            self._sources[path] = _Source(path, text, ast.parse(text))
        return self._sources[path]

    def _class(self, model: type) -> tuple[_Source, ast.ClassDef]:
        source = self._source(model)
        for node in source.tree.body:
            if isinstance(node, ast.ClassDef) and node.name == model.__name__:
                return source, node
        raise _ByHandError(f"{model.__name__} is not a class of its module")

    def _annotation(self, owner: type, key: str) -> tuple[_Source, ast.expr]:
        source, node = self._class(owner)
        for statement in node.body:
            if isinstance(statement, ast.AnnAssign) and _name(statement.target) == key:
                return source, statement.annotation
        raise _ByHandError(f"{owner.__name__} inherits {key}")

    # New fields.

    def _add_field(self, owner: type, key: str, path: str) -> None:
        source, node = self._class(owner)
        if not key.isidentifier() or key in owner.__annotations__:
            raise _ByHandError("the class already declares a field of this name, or Python allows no such name")
        text = self._declaration(path, source, node, f"Since({self.release!r})")
        last = node.body[-1]
        assert last.end_lineno is not None
        assert last.end_col_offset is not None
        end = source.offset(last.end_lineno, last.end_col_offset)
        source.changes.append((end, end, f"\n    {key}: {text}"))

    def _declaration(self, path: str, source: _Source, near: ast.ClassDef, dated: str = "") -> str:
        schema = self._nodes[path]
        type_, facts = self._type(path, source, near)
        parts = [type_, _literal(_sentence(schema.description, path)), *facts, *([dated] if dated else [])]
        text = f"Annotated[{', '.join(parts)}]"
        return f"Required[{text}]" if schema.required else text

    def _type(self, path: str, source: _Source, near: ast.ClassDef) -> tuple[str, list[str]]:
        """Return the type of a schema as Python, and its other facts."""
        schema = self._nodes[path]
        facts, type_ = schema.facts, schema.facts.get("type")
        bounds = [word(name, facts[name]) for name in _BOUNDS if name in facts]
        others = facts.keys() - {"type", "enum", *_BOUNDS, _LIST_TYPE, _LIST_KEYS, _MAP_TYPE, _ANY}
        if others:
            raise _ByHandError(f"no declaration is known for {', '.join(sorted(others))}")
        if _LIST_TYPE in facts:
            keys = ", ".join(map(repr, facts.get(_LIST_KEYS, ())))
            bounds.append(f"ListMap({keys})" if facts[_LIST_TYPE] == "map" else word(_LIST_TYPE, facts[_LIST_TYPE]))
        elif facts.get(_MAP_TYPE) == "atomic":
            bounds.append("Atomic()")
        if type_ is None and _ANY in facts:
            return "AnyValue", bounds
        if type_ == "object":
            if f"{path}{{}}" in self._nodes:
                return f"dict[str, {self._nested(f'{path}{{}}', source, near)}]", bounds + _rules(schema)
            if _ANY in facts and not any(name.startswith(f"{path}.") for name in self._nodes):
                return "dict[str, Any]", [*bounds, "PreserveUnknownFields()"]
            return self._class_name(path, source, near), bounds
        if type_ == "array":
            return f"list[{self._nested(f'{path}[]', source, near)}]", bounds + _rules(schema)
        if "enum" in facts:
            if all(isinstance(value, str) and value for value in facts["enum"]):
                return f"Literal[{', '.join(map(repr, facts['enum']))}]", bounds + _rules(schema)
            bounds.append(f"Enum({tuple(facts['enum'])!r})")
        if facts.get("format") in ("int32", "int64") and type_ == "integer":
            bounds.remove(word("format", facts["format"]))
            return {"int32": "Int32", "int64": "Int64"}[facts["format"]], bounds + _rules(schema)
        return _SCALARS[str(type_)], bounds + _rules(schema)

    def _nested(self, path: str, source: _Source, near: ast.ClassDef) -> str:
        type_, facts = self._type(path, source, near)
        return f"Annotated[{', '.join([type_, *facts])}]" if facts else type_

    def _class_name(self, path: str, source: _Source, near: ast.ClassDef) -> str:
        """Return the class for an object: one that has the same schema, or a new one."""
        shape = _shape(self._nodes, path)
        if shape in self._classes:
            model = self._classes[shape].most_common(1)[0][0]
            self._import(source, model.__name__, Path(inspect.getsourcefile(model) or "").resolve())
            return model.__name__
        if shape in self._new:
            name, file = self._new[shape]
            self._import(source, name, file)
            return name
        return self._new_class(path, shape, source, near)

    def _new_class(self, path: str, shape: str, source: _Source, near: ast.ClassDef) -> str:
        key = re.findall(r"\w+", path)[-1]
        if path.endswith("[]"):
            key = key.removesuffix("s")
        name = f"{key[:1].upper()}{key[1:]}"
        while name in self._names:
            name += "Config"
        self._names.add(name)
        self._new[shape] = name, source.path
        depth = path.count(".") + 1
        fields = [inner for inner in self._nodes if inner.startswith(f"{path}.") and inner.count(".") == depth]
        fields = [inner for inner in fields if not inner.endswith(("[]", "{}"))]
        body = [f"    {inner.rpartition('.')[2]}: {self._declaration(inner, source, near)}\n" for inner in fields]
        rules = _rules(self._nodes[path])
        head = f"@rules({', '.join(rules)})\n" if rules else ""
        doc = _sentence(self._nodes[path].description, path)
        text = f'{head}class {name}(TypedDict, total=False):\n    """{doc}"""\n\n{"".join(body)}\n\n'
        first = min((decorator.lineno for decorator in near.decorator_list), default=near.lineno)
        start = source.offset(first, 0)
        source.changes.append((start, start, text))
        return name

    def _import(self, source: _Source, name: str, file: Path) -> None:
        if file != source.path:
            source.foreign.append(f"from .{file.stem} import {name}\n")

    # Changes of declared fields.

    def _change_field(self, owner: type, key: str, difference: Difference) -> None:
        source, annotation = self._annotation(owner, key)
        change, release = difference.change, repr(self.release)
        if change == "missing field":
            self._append(source, annotation, f"Until({release})")
        elif change == "required":
            self._append(source, annotation, f"During(Required, since={release})")
        elif change == "optional":
            self._unrequire(source, annotation, f"During(Required, until={release})")
        elif change == "new values":
            self._extend_literal(source, annotation, difference)
        elif change == "new rule":
            message = difference.node.rules[difference.after] if difference.node else ""
            text = f"Cel({_literal(difference.after)}, {_literal(message)}, since={release})"
            self._append(source, annotation, text)
        elif change == "other keyword":
            self._change_keyword(source, annotation, difference)
        else:
            raise _ByHandError("what the release no longer has needs a decision")

    def _change_keyword(self, source: _Source, annotation: ast.expr, difference: Difference) -> None:
        if difference.path.endswith(("[]", "{}")):
            raise _ByHandError("the keyword is one of the items")
        name, before, after = difference.name, difference.before, difference.after
        is_list = name == _LIST_TYPE and after in ("atomic", "set")
        keys = difference.node.facts.get(_LIST_KEYS) if difference.node else None
        if name in (_LIST_TYPE, _LIST_KEYS) and keys:
            if self._is_first("keys", id(annotation)):
                fact = f"ListMap({', '.join(map(repr, keys))})"
                self._append(source, annotation, f"During({fact}, since={self.release!r})")
        elif after is not None and (is_list or name in _BOUNDS):
            self._append(source, annotation, f"During({word(name, after)}, since={self.release!r})")
        elif after is None and name in _BOUNDS:
            call = word(name, before).partition("(")[0]
            nodes = [node for node in ast.walk(annotation) if isinstance(node, ast.Call) and _name(node.func) == call]
            if len(nodes) != 1:
                raise _ByHandError(f"{call} is declared by an alias")
            start, end = source.segment(nodes[0])
            source.changes.append((start, end, f"During({source.text[start:end]}, until={self.release!r})"))
        else:
            raise _ByHandError(f"no declaration is known for another {name}")

    def _extend_literal(self, source: _Source, annotation: ast.expr, difference: Difference) -> None:
        literals = [
            node for node in ast.walk(annotation) if isinstance(node, ast.Subscript) and _name(node.value) == "Literal"
        ]
        if len(literals) != 1:
            raise _ByHandError("the values are declared by an alias")
        inner = literals[0].slice
        parts = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        ends = {part.value: source.segment(part)[1] for part in parts if isinstance(part, ast.Constant)}
        assert difference.node is not None
        end = next(iter(ends.values()))
        for value in difference.node.facts["enum"]:
            end = ends.get(value, end)
            if value in difference.after:  # after the value that stands before it in the CRD
                source.changes.append((end, end, f", {value!r}"))
        self._append(source, annotation, f"ValuesSince({self.release!r}, {', '.join(map(repr, difference.after))})")

    def _unrequire(self, source: _Source, annotation: ast.expr, fact: str) -> None:
        if not (isinstance(annotation, ast.Subscript) and _name(annotation.value) == "Required"):
            raise _ByHandError("the field is required by an alias")
        start, end = source.segment(annotation)
        source.changes += [(start, source.segment(annotation.slice)[0], ""), (end - 1, end, "")]
        self._append(source, annotation.slice, fact)

    def _append(self, source: _Source, annotation: ast.expr, fact: str) -> None:
        """Add a fact to an annotation. The facts of a field come after those of its type, and replace them."""
        while isinstance(annotation, ast.Subscript) and _name(annotation.value) == "Required":
            annotation = annotation.slice
        start, end = source.segment(annotation)
        if isinstance(annotation, ast.Subscript) and _name(annotation.value) == "Annotated":
            assert isinstance(annotation.slice, ast.Tuple)
            end = source.segment(annotation.slice.elts[-1])[1]
            source.changes.append((end, end, f", {fact}"))
        else:
            source.changes += [(start, start, "Annotated["), (end, end, f", {fact}]")]

    def _change_rule(self, model: type, difference: Difference) -> None:
        source, node = self._class(model)
        calls = [item for item in node.decorator_list if isinstance(item, ast.Call) and _name(item.func) == "rules"]
        stated = _stated_rules(model, calls[0].args) if calls else {}
        if difference.change == "missing rule":
            cel = stated.get(difference.before)
            if not isinstance(cel, ast.Call) or any(keyword.arg == "until" for keyword in cel.keywords):
                raise _ByHandError("the rule is not declared at the class")
            end = source.segment(cel.keywords[-1].value if cel.keywords else cel.args[-1])[1]
            source.changes.append((end, end, f", until={self.release!r}"))
            return
        assert difference.node is not None
        message = difference.node.rules[difference.after]
        text = f"Cel({_literal(difference.after)}, {_literal(message)}, since={self.release!r})"
        order = list(difference.node.rules)
        before = [rule for rule in order[: order.index(difference.after)] if rule in stated]
        if not calls:
            self._new_rules[model].append(text)
        elif before:
            end = source.segment(stated[before[-1]])[1]
            source.changes.append((end, end, f", {text}"))
        else:
            start = source.segment(calls[0].args[0])[0]
            source.changes.append((start, start, f"{text}, "))


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _stated_rules(model: type, arguments: list[ast.expr]) -> dict[str, ast.expr]:
    """Return the argument of the decorator that declares each rule. One of them may be a tuple with several rules."""
    rules = [cel.rule for cel in getattr(model, "__cel__", ())]
    in_tuple = len(rules) - sum(not isinstance(argument, ast.Starred) for argument in arguments)
    owners = [argument for argument in arguments for _ in range(in_tuple if isinstance(argument, ast.Starred) else 1)]
    return dict(zip(rules, owners, strict=True)) if len(owners) == len(rules) else {}


def _rules(schema: SchemaNode) -> list[str]:
    return [f"Cel({_literal(rule)}, {_literal(message)})" for rule, message in schema.rules.items()]


def _literal(text: str) -> str:
    """Return a text as Python, in parts of at most 90 characters."""
    parts = re.findall(r".{1,90}", text, re.DOTALL) or [""]
    return " ".join(map(repr, parts))


def _shape(nodes: dict[str, SchemaNode], path: str) -> str:
    """Return a text that two objects share if one class can declare both."""
    inside = [(name[len(path) :], node) for name, node in nodes.items() if name.startswith((f"{path}.", f"{path}["))]
    own = nodes[path]
    facts = {key: value for key, value in own.facts.items() if key not in _OF_FIELD}
    return repr(
        (
            sorted(facts.items(), key=str),
            [*own.rules],
            sorted((name, sorted(node.facts.items(), key=str), node.required, [*node.rules]) for name, node in inside),
        )
    )


def _sentence(description: str, path: str) -> str:
    """Return the first sentence of a description, or words from the name of the field."""
    first = re.split(r"(?<=[.])\s(?=[A-Z])", " ".join(description.split()), maxsplit=1)[0]
    if first:
        return first if first.endswith(".") else f"{first}."
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", re.findall(r"\w+", path)[-1]).lower()
    return f"{words.capitalize()}."
