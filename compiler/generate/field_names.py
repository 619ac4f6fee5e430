"""Check that each field name in compile steps and rules is a field of a model or of Kubernetes.

mypy checks the names of fields that are read from a model (see `mypy_fields`). This module checks the others: names in
paths (``("spec", "oidcConfigRef", "name")``), in ``@reads``, in tuples over which a loop runs, and the keys of mappings
that are built. A path from ``spec`` must exist in the schema of some kind. Any other name must be a field of some
model.

``python -m mcpcfg.compiler.generate.field_names [CHECKOUT]`` prints unknown names. See ``make types``.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..models.kind import KINDS
from ..toolhive.release import NEWEST_KNOWN
from .json_schema import kind_schema
from .kind import read_kinds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_ROOT = Path(__file__).resolve().parents[2]
RECORDS = ("client", "permission", "registry", "runconfig", "secret", "side_file", "skill", "workload")
FOLDERS = (
    *("compiler/emit", "compiler/vmcp", "compiler/vmcp/workflow", "validators"),
    *(f"compiler/records/{room}" for room in RECORDS),
)
"""Folders in which field names are checked."""

BUILDERS = ("compiler/emit", "validators", "validators/rules")
"""Folders of `FOLDERS` that build objects, so the keys of mappings are field names too."""

STRUCT_TABLES = frozenset({"validators/authz_document.py"})
"""Modules with tables that begin with names of Go structs, which are not field names."""

OTHER_NAMES = frozenset(
    "app toolhive tool_type workload_type workload_status data stringData spec status template strategy"
    " updateStrategy volumeClaimTemplates targetPort appProtocol nodePort clusterIP clientIP sessionAffinityConfig"
    " roleRef subjects"
    " apiGroups verbs configmaps additionalProperties database params backend runconfig resource_url"
    " ConfigMap Secret undecodable m Ki Mi Gi recovery usagemetrics nanoseconds mcpserver_generation bodylimit"
    " max_bytes httpv1 HelmRelease Kustomization crds".split()
)
"""Names in code that look like fields, although no model has such a field.

In this order, they are labels and metadata; fields of built objects other than pods (Kubernetes API, 1.35); words of
JSON Schema, of the configuration of a registry server, and of templates; compile targets and an argument; kinds of
Kubernetes, a code, units and middlewares; fields of RunConfig in later releases; a type of authorization; kinds of
Helm and Flux; and a value of the chart.
"""

OWN_MODELS = frozenset("__init__ agent dated declare history kind output settings simulated spec state".split())
"""Modules of ``models/`` that declare formats of mcpcfg itself, or words for the declarations of others."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_READERS = frozenset({"get", "pop", "setdefault"})
_FOLLOWERS = frozenset({"target", "reference", "leading", "states", "reads"})
_POD_LISTS = frozenset({"containers", "initContainers", "ephemeralContainers", "volumes"})
_ROOTS = frozenset({"spec", "metadata", "data", "stringData"})


@cache
def schemas() -> dict[str, Any]:
    """Return the JSON Schemas of kinds and file formats, by name, except formats of mcpcfg itself."""
    paths = sorted((_ROOT / "schemas").glob("*.schema.json"))
    named = {path.name.partition(".")[0]: path for path in paths if not path.name.startswith(("mcpcfg.", "output-"))}
    return {name: json.loads(path.read_text(encoding="utf-8")) for name, path in named.items()}


@cache
def kind_schemas() -> dict[str, Any]:
    """Return the JSON Schemas of all kinds by name, for the newest release, which has all fields of earlier ones."""
    return {read.kind.name: kind_schema(read.kind.name, "", read.parts, {}, ()) for read in read_kinds(NEWEST_KNOWN)}


@cache
def known_names() -> frozenset[str]:
    """Return all names that code may use as a field name: fields, kinds, enum values and `OTHER_NAMES`."""
    from ..kube._pod import STRUCTS

    pod = {field.partition(":")[0].rstrip("!*") for field in STRUCTS.split()}
    return OTHER_NAMES | pod | {kind.name for kind in KINDS} | set(_declared()) | set(_described(schemas()))


def _declared() -> Iterator[str]:
    for path in sorted((_ROOT / "compiler/models").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if path.stem not in OWN_MODELS else ():
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                yield node.target.id


def _described(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        properties = schema.get("properties")
        yield from properties if isinstance(properties, dict) else ()
        yield from (text for text in (*schema.get("enum", ()), schema.get("const")) if isinstance(text, str))
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from _described(inner)


def unknown_names(source: str, *, builds: bool = False) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each unknown field in the text of a module, sorted by line.

    An unknown path from ``spec`` is yielded with dots between its steps.

    Args:
        builds: True if the keys of mappings in the module are field names, and tuples in arguments are paths.
    """
    module = _Module(ast.parse(source))
    allowed = known_names()
    unknown = set()
    for node in ast.walk(module.tree):
        for text in module.names(node, builds=builds):
            name = str(text.value)
            if name not in allowed and _NAME.fullmatch(name) and not name.isupper():
                unknown.add((text.lineno, name))
        path = module.path(node)
        if path and path[0] == "spec" and not _exists(path):
            unknown.add((getattr(node, "lineno", 0), ".".join(step or "*" for step in path)))
    yield from sorted(unknown)


@cache
def _top_names() -> frozenset[str]:
    specs = [_resolved(root, root["properties"]["spec"]) for root in kind_schemas().values()]
    return frozenset(name for spec in specs for name in spec.get("properties", {}))


def _resolved(root: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in schema:
        schema = root["$defs"][schema["$ref"].rpartition("/")[2]]
    return schema


def _exists(path: Sequence[str | None]) -> bool:
    in_pod = len(path) > 1 and path[1] in _POD_LISTS
    return in_pod or any(is_in_schema(path, root) for root in kind_schemas().values())


def is_in_schema(path: Sequence[str | None], root: dict[str, Any], schema: Any = None) -> bool:
    """Return whether a path exists in ``schema``, which is ``root`` by default.

    ``None`` in the path stands for any name or index. References in ``schema`` point into ``root``.
    """
    schema = root if schema is None else _resolved(root, schema)
    fields, additional = schema.get("properties"), schema.get("additionalProperties")
    if not path or (fields is None and "items" not in schema and not isinstance(additional, dict)):
        return not path or schema.get("type") in (None, "object")
    inner: list[Any] = [additional]
    if path[0] is None:
        inner += [schema.get("items"), *(fields or {}).values()]
    else:
        inner.append((fields or {}).get(path[0]))
    return any(is_in_schema(path[1:], root, subschema) for subschema in inner if isinstance(subschema, dict))


class _Module:
    """A parsed module, with the constants in it that hold a tuple."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        named = [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
        self._tuples = {
            target.id: node.value
            for node in named
            for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
            if isinstance(target, ast.Name) and target.id.isupper() and isinstance(node.value, ast.Tuple)
        }

    def names(self, node: ast.AST, *, builds: bool) -> Iterator[ast.Constant]:
        """Yield the field names that a node contains directly. For ``builds``, see `unknown_names`."""
        match node:
            case ast.Call(func=ast.Attribute(attr=attr), args=[key, *_]) if attr in _READERS:
                yield from _texts([key])
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=args):
                yield from _texts(args if name in _FOLLOWERS else _beginnings(args) if builds else ())
            case ast.AnnAssign(annotation=ast.Name(id="Path"), value=ast.Tuple() as value):
                yield from _texts(_beginnings([value]))
            case ast.Subscript(slice=key):
                yield from _texts([key])
            case ast.Dict(keys=keys) if builds:
                yield from _texts(key for key in keys if key is not None)
            case ast.Tuple(elts=elements) if self._is_path(node):
                yield from _texts(elements)
            case ast.Tuple(elts=[ast.Constant(value=str(root)) as first, ast.Starred() | ast.Name(), *_]):
                yield from [first] if builds and root.islower() else []
            case ast.Tuple(elts=[first, ast.Constant(value=second), *_]) if second in _top_names():
                yield from _texts([first])
            case ast.For() | ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                variables = set(self._variables(node))
                for loop in (node,) if isinstance(node, ast.For) else node.generators:
                    yield from _assigned_names(loop.target, loop.iter, variables)

    def path(self, node: ast.AST) -> tuple[str | None, ...]:
        """Return the path from the root of a resource that a tuple or the arguments of a call spell out.

        ``None`` in the path stands for an unknown step. For any other node, return an empty path.
        """
        if isinstance(node, ast.Tuple):
            return self._steps(node.elts)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _FOLLOWERS:
            return self._steps(node.args[node.func.attr != "states" :])
        return ()

    def _steps(self, elements: Sequence[ast.expr]) -> tuple[str | None, ...]:
        steps: list[str | None] = []
        for element in elements:
            if isinstance(element, ast.Starred):
                head = self._tuples.get(element.value.id) if isinstance(element.value, ast.Name) else None
                if head is None:
                    return tuple(steps)
                steps += self._steps(head.elts)
            else:
                text = element.value if isinstance(element, ast.Constant) else None
                steps.append(text if isinstance(text, str) and text != "*" else None)
        return tuple(steps)

    def _is_path(self, node: ast.Tuple) -> bool:
        """Return whether a tuple begins like a path: with a root field such as ``spec``, or with another path."""
        first = node.elts[0] if node.elts else None
        if isinstance(first, ast.Starred):
            prefix = self._tuples.get(first.value.id) if isinstance(first.value, ast.Name) else None
            return prefix is None or self._is_path(prefix)
        return isinstance(first, ast.Constant) and first.value in _ROOTS

    def _variables(self, scope: ast.AST) -> Iterator[str]:
        for node in ast.walk(scope):
            match node:
                case ast.Call(func=ast.Attribute(attr=attr), args=[ast.Name(id=name), *_]) if attr in _READERS:
                    yield name
                case ast.Subscript(slice=ast.Name(id=name)):
                    yield name
                case ast.Compare(left=ast.Name(id=name), ops=[ast.In() | ast.NotIn()]):
                    yield name
                case ast.Tuple(elts=elements) if self._is_path(node):
                    yield from (element.id for element in elements if isinstance(element, ast.Name))


def _beginnings(nodes: Iterable[ast.expr]) -> Iterator[ast.expr]:
    """Yield the first element of each tuple among the nodes, which is a field name if the tuple is a path."""
    return (node.elts[0] for node in nodes if isinstance(node, ast.Tuple) and node.elts)


def _texts(nodes: Iterable[ast.expr]) -> Iterator[ast.Constant]:
    for node in nodes:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node
        elif isinstance(node, ast.IfExp):
            yield from _texts((node.body, node.orelse))


def _assigned_names(target: ast.expr, items: ast.expr, variables: set[str]) -> Iterator[ast.Constant]:
    """Yield the strings in ``items`` that a loop with this target assigns to one of ``variables``."""
    if not isinstance(items, ast.Tuple | ast.List):
        return
    if isinstance(target, ast.Name) and target.id in variables:
        yield from _texts(items.elts)
    elif isinstance(target, ast.Tuple):
        for item in items.elts:
            for part, value in zip(target.elts, item.elts, strict=False) if isinstance(item, ast.Tuple) else ():
                yield from _assigned_names(part, ast.Tuple(elts=[value]), variables)


def faults(root: Path = _ROOT) -> Iterator[str]:
    """Yield a message with file, line and name for each unknown name in the checkout at ``root``."""
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            module = path.relative_to(root)
            builds = str(module.parent) in BUILDERS and str(module) not in STRUCT_TABLES
            for line, name in unknown_names(path.read_text(encoding="utf-8"), builds=builds):
                yield f'{module}:{line}: no model has a field "{name}"'


if __name__ == "__main__":
    fault_lines = list(faults(*map(Path, sys.argv[1:])))
    sys.stdout.writelines(f"{line}\n" for line in fault_lines)
    sys.exit(1 if fault_lines else 0)
