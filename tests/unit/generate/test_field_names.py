from __future__ import annotations

import pytest

from mcpcfg.compiler.generate.field_names import faults, unknown_names


def test_every_field_name_in_compile_steps_and_rules_exists() -> None:
    assert list(faults()) == []


@pytest.mark.parametrize(
    "text",
    [
        'spec.get("imgae")',
        'spec["imgae"]',
        'spec.pop("imgae", None)',
        'spec.get("image" if a else "imgae")',
        'path = ("spec", "imgae")',
        'path = ("spce", "image")',
        'REF = ("spec", "oidcConfigRef")\npath = (*REF, "nmae")',
        'path = (*path, "imgae")',
        'workspace.target(resource, "spec", "oidcConfigRef", "nmae")',
        'workspace.target(resource, "spec", "oidcConfgRef", "name")',
        'resource.states("spec", "env", i, "vlaue")',
        '@reads("imgae")\ndef check(): ...',
        'for field in ("image", "imgae"):\n    spec.get(field)',
        'for field, word in (("image", "a"), ("imgae", "b")):\n    spec[field]',
        '[spec[field] for field in ("image", "imgae")]',
        '[(*path, field) for field in ("image", "imgae")]',
        'for field in ("image", "imgae"):\n    field in spec',
    ],
)
def test_a_misspelt_name_is_reported(text: str) -> None:
    assert [line for line, _ in unknown_names(text)]


@pytest.mark.parametrize(
    "text",
    [
        'path = ("spec", "toolsOverride", tool, "description")',
        'path = ("spec", "env", i, "value")',
        'path = ("spec", "podTemplateSpec", "metadata", "labels", label)',
        'REF = ("spec", "outgoingAuth")\npath = (*REF, "backends", name, "type")',
        'for field in ("image", "transport"):\n    spec.get(field)',
        'for word in ("this", "that"):\n    print(word)',
        'labels["app.kubernetes.io/name"]',
        '("imgae", "words")',
    ],
)
def test_a_correct_name_is_not_reported(text: str) -> None:
    assert list(unknown_names(text)) == []


def test_a_path_has_to_lead_to_a_field_of_some_kind() -> None:
    assert list(unknown_names('path = ("spec", "image", "transport")')) == [(1, "spec.image.transport")]
    assert list(unknown_names('path = ("spec", "env", "name")')) == [(1, "spec.env.name")]


def test_keys_of_dictionaries_are_checked_only_in_modules_that_build_objects() -> None:
    text = '{"schema_verison": "v0.1.0"}'
    assert list(unknown_names(text, builds=True)) == [(1, "schema_verison")]
    assert list(unknown_names(text)) == []


@pytest.mark.parametrize(
    "text",
    [
        'told(("spce",))',
        'resource.finding(RULE, ("spce", FIELD))',
        'path: Path = ("spce", FIELD)',
        '[("spce", field, i)]',
    ],
)
def test_a_path_begins_with_a_field(text: str) -> None:
    assert list(unknown_names(text, builds=True)) == [(1, "spce")]


@pytest.mark.parametrize("root", ["spec", "metadata", "data", "stringData"])
def test_the_first_element_decides_whether_a_tuple_is_a_path(root: str) -> None:
    assert [name for _, name in unknown_names(f'found = at(("{root}", "imgae"))', builds=True)][:1] == ["imgae"]


def test_names_of_our_own_formats_and_of_models_are_no_fields() -> None:
    own = 'def f(resource):\n    return resource.get("{}")\n'
    for name in ("hidden_findings", "MCPServerSpec", "customRules"):
        assert [found for _, found in unknown_names(own.format(name))] == [name]
    assert [*unknown_names(own.format("endpointPrefix"))] == []
