"""Find the description, the type and the allowed values of fields in the JSON Schemas of kinds and file formats."""

from __future__ import annotations

import json
from copy import deepcopy
from functools import cache
from typing import TYPE_CHECKING, Any

from ...admission.form import form_of
from ...admission.table import table_of
from ...diagnostics.named_tuple import NamedTuple
from ...toolhive.profile import NEUTRAL, TOOLHIVE, Profile
from ...toolhive.release import NEWEST_MODELLED
from .. import schema_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from ...diagnostics.span import Path

FIELD = "podTemplateSpec"
"""The field that holds a pod template, in every kind that has one."""
_STEP = "WorkflowStepConfig"
"""The model of a composite tool's step. Schemas do not describe a step within a step, because the CRDs do not."""
OTHER_NAMES = {"workload": "workload-request"}
"""The name of the schema, for kinds of input whose schema has another name."""
BOUNDS = ("minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems")
"""Keywords of JSON Schema that pages show as bounds."""
_CRD_KEYWORDS = ("type", "description", "default", "enum", "pattern", "required", *BOUNDS)
"""Keywords in the schema of a CRD that pages show, except those with schemas."""


class SchemaPlace(NamedTuple):
    """A place in a JSON Schema: a field, or a whole kind or file format.

    Attributes:
        root: The whole schema, in which references are resolved.
        schema: Schema of the place, with references resolved.
        shown: Name of the place in ``explain``, such as ``MCPServer.spec.image``.
        is_required: True if the parent requires the field.
        since: The release of the operator that introduced the place; ``None`` for the first release.
    """

    root: dict[str, Any]
    schema: dict[str, Any]
    shown: str
    is_required: bool = False
    since: str | None = None

    @property
    def name(self) -> str:
        """The last part of ``shown``, which is the name of the field."""
        return self.shown.rpartition(".")[2]

    @property
    def is_root(self) -> bool:
        """True for a whole kind or file format."""
        return self.schema.get("$id") is not None

    @property
    def description(self) -> str:
        """The description in the schema, or an empty string."""
        return str(self.schema.get("description", ""))

    @property
    def type(self) -> str:
        """The type as pages show it: ``string``, ``object[]``, ``map of string``."""
        return _type(self.root, self.schema)

    @property
    def allowed(self) -> tuple[Any, ...]:
        """The allowed values; empty if they are not enumerated."""
        if "const" in self.schema:
            return (self.schema["const"],)
        return tuple(self.schema.get("enum", ()))

    @property
    def facts(self) -> Iterator[tuple[str, str]]:
        """Pairs of label and text for the page: release, default, allowed or known values, pattern and bounds."""
        if self.since is not None:
            yield "Since", f"release {self.since}"
        labels = (("Default", "default"), ("Allowed", "enum"), ("Known", "examples"), ("Pattern", "pattern"))
        for label, key in labels:
            if key in self.schema:
                value = self.schema[key]
                yield label, ", ".join(map(str, value)) if key in {"enum", "examples"} else _json(value)
        form = form_of(self.schema.get("pattern", ""))
        if form is not None:
            yield "Form", form
        bounds = [f"{key} {self.schema[key]}" for key in BOUNDS if key in self.schema]
        if bounds:
            yield "Bounds", ", ".join(bounds)

    def fields(self) -> dict[str, SchemaPlace]:
        """Return the fields of the object, of the items of the list, or of the values of the map, by name."""
        return self._fields_of(_field_schema(self.root, self.schema, through_maps=True))

    def own_fields(self) -> dict[str, SchemaPlace]:
        """Return the fields of the object by name; empty for lists and maps."""
        return self._fields_of(self.schema)

    def at(self, path: Path, profile: Profile = TOOLHIVE) -> SchemaPlace | None:
        """Return the place at ``path`` of a document, or ``None`` if the schema has no such place."""
        place: SchemaPlace | None = self
        for step in path:
            place = None if place is None else place.below(step, profile)
        return place

    def below(self, step: str | int, profile: Profile = TOOLHIVE) -> SchemaPlace | None:
        """Return the place at a key or index, or ``None`` if the schema has no such place."""
        if isinstance(step, int):
            return self._element_place(self.schema["items"]) if "items" in self.schema else None
        fields = self.own_fields()
        name = next((name for name in fields if step in spellings(name, profile)), None)
        if name is not None:
            return fields[name]
        values = _values(self.schema)
        return None if values is None else self._element_place(values)

    def entry(self) -> SchemaPlace | None:
        """Return the place of the values of a map, or of the maps in a list; ``None`` for any other place."""
        if "items" in self.schema:
            return self._element_place(self.schema["items"]).entry()
        values = None if self.own_fields() else _values(self.schema)
        return None if values is None else self._element_place(values)

    def _element_place(self, schema: dict[str, Any]) -> SchemaPlace:
        return self._replace(schema={"description": self.description, **_resolved(self.root, schema)})

    def _fields_of(self, holder: dict[str, Any]) -> dict[str, SchemaPlace]:
        if "discriminator" in holder:  # a union of objects has the fields of all its branches
            branches = [self._fields_of(_resolved(self.root, branch)) for branch in holder["anyOf"]]
            return {name: place for fields in branches for name, place in fields.items()}
        required: Iterable[str] = holder.get("required", ())
        places = {}
        for name, schema in holder.get("properties", {}).items():
            resolved, shown = _resolved(self.root, schema), f"{self.shown}.{name}"
            places[name] = SchemaPlace(
                self.root, resolved, shown, name in required, schema.get(schema_file.SINCE, self.since)
            )
        return places


def spellings(name: str, profile: Profile) -> frozenset[str]:
    """Return all spellings of a field: in the models, in the profile and in the neutral profile."""
    return frozenset((name, profile.spell(name), NEUTRAL.spell(name)))


def names_of(release: str = NEWEST_MODELLED) -> tuple[str, ...]:
    """Return the names of a release's kinds, their lists, and the file formats, sorted."""
    kinds, published = table_of(release).kinds, table_of(NEWEST_MODELLED).kinds
    return tuple(name for name in schema_file.schema_names() if _kind(name) in kinds or _kind(name) not in published)


def _kind(name: str) -> str:
    return name.removesuffix("List")


@cache
def schema_of(name: str, release: str = NEWEST_MODELLED) -> dict[str, Any] | None:
    """Return the JSON Schema of a kind, a list or a file format, or ``None`` for an unknown name.

    Schemas of file formats and of the first release are generated files. Other schemas are generated on demand.
    """
    if release != NEWEST_MODELLED:
        from ..schema import kind_schemas

        schema_ = kind_schemas(release).get(name)
        if schema_ is not None:
            return schema_
    text = schema_file.schema_text(name)
    schema: dict[str, Any] | None = None if text is None else json.loads(text)
    return schema


@cache
def schema_place(name: str, release: str = NEWEST_MODELLED) -> SchemaPlace | None:
    """Return the place of a whole kind or file format, or ``None`` for an unknown name."""
    schema = schema_of(name, release)
    if schema is None:
        return None
    root = deepcopy(schema)
    _add_pod_template(root)
    items = root.get("properties", {}).get("items", {}).get("items", {})
    if items.get("$ref", "#")[0] != "#":
        _include(root, items, release)
    step = root.get("$defs", {}).get(_STEP, {}).get("properties", {}).get("step")
    if step is not None:
        step["$ref"] = f"#/$defs/{_STEP}"
    return SchemaPlace(root, _resolved(root, root), name, since=root.get(schema_file.SINCE))


def crd_place(kind: str, crd: Mapping[str, Any]) -> SchemaPlace:
    """Return the place of a whole kind in the last version of a CRD that the API server would accept."""
    root = _known_keywords(crd["spec"]["versions"][-1]["schema"]["openAPIV3Schema"])
    root["$id"] = f"{kind}.crd"
    spec = root.get("properties", {}).get("spec", {})
    root["$defs"] = {"spec": spec}
    _add_pod_template(root)
    return SchemaPlace(root, root, kind)


def _known_keywords(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a CRD's schema with the keywords that pages show. Others have another form in our schemas."""
    out = {key: schema[key] for key in _CRD_KEYWORDS if key in schema}
    if isinstance(properties := schema.get("properties"), dict):
        out["properties"] = {name: _known_keywords(field) for name, field in properties.items()}
    for keyword in ("items", "additionalProperties"):
        if isinstance(schema.get(keyword), dict):
            out[keyword] = _known_keywords(schema[keyword])
    return out


def _include(root: dict[str, Any], items: dict[str, Any], release: str) -> None:
    file = items["$ref"]
    place = schema_place(file.partition(".")[0], release)
    assert place is not None
    kind_schema = {key: value for key, value in place.root.items() if key not in {"$id", "$defs"}}
    root["$defs"] = {**place.root["$defs"], file: kind_schema}
    items["$ref"] = f"#/$defs/{file}"


def _add_pod_template(root: dict[str, Any]) -> None:
    """Add the schema of pod templates to each field that holds one. The schema of the kind leaves the field open."""
    fields = [definition.get("properties", {}).get(FIELD) for definition in root.get("$defs", {}).values()]
    templates = [field for field in fields if field is not None]
    if templates:
        from ..pod_schema import TEMPLATE, definitions

        for template in templates:
            template.update(TEMPLATE)
        root["$defs"] |= definitions()


def _resolved(root: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """Return the schema with local ``$ref`` resolved and without ``null``. Keys beside ``$ref`` or ``anyOf`` win."""
    branches = [branch for branch in schema.get("anyOf", ()) if branch != {"type": "null"}]
    if len(branches) == 1 < len(schema["anyOf"]):
        schema = {**branches[0], **{key: value for key, value in schema.items() if key != "anyOf"}}
    while "$ref" in schema:
        target: Any = root
        for step in schema["$ref"].removeprefix("#/").split("/"):
            target = target[step.replace("~1", "/").replace("~0", "~")]
        schema = {**target, **{key: value for key, value in schema.items() if key != "$ref"}}
    return schema


def _field_schema(root: dict[str, Any], schema: dict[str, Any], *, through_maps: bool) -> dict[str, Any]:
    """Return the schema of a list's items or, with ``through_maps``, of a map's values; any other schema unchanged."""
    while "items" in schema:
        schema = _resolved(root, schema["items"])
    values = _values(schema)
    if through_maps and "properties" not in schema and values is not None:
        schema = _resolved(root, values)
    return schema


def _values(schema: dict[str, Any]) -> dict[str, Any] | None:
    by_pattern = schema.get("patternProperties")
    values = next(iter(by_pattern.values())) if by_pattern else schema.get("additionalProperties")
    return values if isinstance(values, dict) else None


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _type(root: dict[str, Any], schema: dict[str, Any]) -> str:
    if "items" in schema:
        return f"{_type(root, _resolved(root, schema['items']))}[]"
    values = _values(schema)
    if "object" in schema.get("type", ()) and "properties" not in schema and values is not None:
        return f"map of {_type(root, _resolved(root, values))}"
    kind = schema.get("type", "object" if "discriminator" in schema else "any")
    if not isinstance(kind, list):
        return str(kind)
    # Nullable types are shown without null. In YAML a string may be written as any scalar, so show only the string.
    return kind[0] if {"null", "boolean"}.intersection(kind) else "/".join(kind)
