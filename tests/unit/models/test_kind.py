"""The declarations of the kinds: whole, described, and true to themselves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal, Required, get_args, get_origin

import pytest

from mcpcfg.compiler.generate.kind import read_kinds
from mcpcfg.compiler.generate.model import values_below
from mcpcfg.compiler.models.dated import During
from mcpcfg.compiler.models.declare import Default, MinItems, Neutral, Pattern, RefTo
from mcpcfg.compiler.models.kind import KINDS, kinds_of
from mcpcfg.compiler.toolhive.profile import TOOLHIVE
from mcpcfg.compiler.toolhive.release import OLDEST

if TYPE_CHECKING:
    from mcpcfg.compiler.models.dated import Kind

CORE_KINDS = {"ConfigMap", "Secret", "ServiceAccount"}
NO_REFERENCES = {"AuthzConfigRef", "LabelSelector", "NodeSelector", "PermissionProfileRef", "SentinelServiceRef"}
"""Models that are called like a reference, and name no object by themselves."""

MAY_BE_ABSENT = {"spiffeTrustDomains", "upstreamProviders"}
"""Lists that a block may leave out, and that must not be empty, in some releases at least."""

each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


@pytest.fixture
def spec_models(models_below: Any) -> list[type]:
    """Return the models of all specs: no kind has a field of every sort."""
    return list(dict.fromkeys(model for kind in KINDS for model in models_below(kind.spec)))


def test_there_are_fourteen_kinds_in_order_and_twelve_in_the_default_release() -> None:
    names = [kind.name for kind in KINDS]

    assert len(names) == 14
    assert names == sorted(set(names))
    assert {kind.name: kind.since for kind in KINDS if kind not in kinds_of(OLDEST)} == {
        "MCPAuthzConfig": "0.30.0",
        "MCPWebhookConfig": "0.27.0",
    }


def test_every_name_for_kubectl_belongs_to_one_kind() -> None:
    names = [name for kind in KINDS for name in {kind.plural, *kind.short_names}]

    assert len(names) == len(set(names))


def test_twenty_five_rules_of_the_default_release_have_nineteen_texts() -> None:
    values = [value for read in read_kinds(OLDEST) for value in values_below(read.parts[0].value)]
    rules = [rule.rule for value in values for rule in (*value.rules, *(value.model.rules if value.model else ()))]

    assert len(rules) == 25
    assert len(set(rules)) == 19


@each_kind
def test_every_field_is_described_by_one_sentence_or_more(kind: Kind, fields: Any, models_below: Any) -> None:
    for model in (*models_below(kind.spec), *models_below(kind.status)):
        assert (model.__doc__ or "").rstrip().endswith("."), model
        for key, declared in fields(model).items():
            text = declared.fact(str)
            assert text, (model, key)
            assert text.endswith("."), (model, key, text)


def test_defaults_are_allowed_values(fields: Any, models_below: Any) -> None:
    for kind in KINDS:
        for model in (*models_below(kind.spec), *models_below(kind.status)):
            for key, declared in fields(model).items():
                default, pattern = declared.fact(Default), declared.fact(Pattern)
                if default is None:
                    continue
                if get_origin(declared.annotation) is Literal:
                    assert default.value in get_args(declared.annotation), (model, key)
                else:
                    assert type(default.value) is declared.annotation, (model, key)
                if pattern is not None:
                    assert re.search(pattern.regex, default.value), (model, key)


def test_rules_point_at_fields_of_their_model(spec_models: list[type], fields: Any) -> None:
    for model in spec_models:
        for rule in getattr(model, "__cel__", ()):
            assert rule.path is None or rule.path in fields(model), (model, rule)
            for key in re.findall(r"has\(self\.(\w+)\)", rule.rule):
                assert key in fields(model), (model, rule)


def test_references_name_kinds_and_siblings_that_exist(spec_models: list[type], fields: Any) -> None:
    known = CORE_KINDS | {one.name for one in KINDS}

    for model in spec_models:
        for key, declared in fields(model).items():
            reference = declared.fact(RefTo)
            if reference is None:
                continue
            assert declared.annotation is str, (model, key)
            assert reference.kind in known, (model, key)
            assert reference.key is None or reference.key in fields(model), (model, key)
            assert reference.when is None or reference.when[0] in fields(model), (model, key)


def test_every_reference_model_has_a_field_marked_with_ref_to(spec_models: list[type], fields: Any) -> None:
    for model in spec_models:
        if model.__name__.endswith(("Ref", "Reference", "Selector")) and model.__name__ not in NO_REFERENCES:
            assert any(declared.fact(RefTo) for declared in fields(model).values()), model


def test_neutral_spellings_are_those_of_the_neutral_profile(spec_models: list[type], fields: Any) -> None:
    for model in spec_models:
        for key, declared in fields(model).items():
            for neutral in (fact for fact in declared.facts if isinstance(fact, Neutral)):
                built_in = neutral.value or key
                assert TOOLHIVE.spell(built_in) == built_in
                assert built_in.replace("aws", "cloud") == neutral.spelling


def test_lists_that_must_not_be_empty_are_required(spec_models: list[type], fields: Any) -> None:
    for model in spec_models:
        for key, declared in fields(model).items():
            if declared.fact(MinItems) is not None and key not in MAY_BE_ABSENT:
                assert declared.required or declared.fact(During) == During(Required, until="0.45.0"), (model, key)
