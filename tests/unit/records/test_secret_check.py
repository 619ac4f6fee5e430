"""Names and targets of secrets that a user chose."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.records.secret.check import lint_secret_name, lint_secrets
from mcpcfg.compiler.records.secret.reference import SecretReference, parse_secret, provider_fault, supplies


@pytest.mark.parametrize(
    "name",
    [
        "BEARER_TOKEN_a",
        "OAUTH_CLIENT_SECRET_a",
        "OAUTH_REFRESH_TOKEN_a",
        "registry-user-a",
        "registry-default-a",
        "BUILD_AUTH_FILE_a",
        "REGISTRY_OAUTH_a",
    ],
)
def test_users_cannot_use_names_of_the_products_own_secrets(name: str) -> None:
    assert [one.rule.id for one in lint_secret_name(name, ())] == ["PRM024"]
    assert [one.rule.id for one in lint_secret_name(f"__thv_{name}", ())] == ["PRM023"]
    assert list(lint_secret_name(f"my-{name}", ())) == []
    assert list(lint_secret_name(name[:-2], ())) == []


def test_every_secret_is_compared_with_other_secrets_and_plain_variables() -> None:
    secrets = [("a", "A-B"), ("b", "TARGET"), ("c", "TARGET"), ("d", "PLAIN"), ("__thv_e", "1A"), ("f", "_ok1")]
    given = [((number,), SecretReference(*one)) for number, one in enumerate(secrets)]
    found = [(one.path, one.rule.id, one.message) for one in lint_secrets(given, {"PLAIN"})]
    assert found == [
        ((0,), "PRM021", '"A-B" is not a valid variable name'),
        ((2,), "PRM022", '"TARGET" gets the secret "b" too'),
        ((3,), "PRM022", '"PLAIN" is also a plain variable; the secret wins'),
        ((4,), "PRM021", '"1A" is not a valid variable name'),
        ((4,), "PRM023", '"__thv_e" begins with __thv_, which is reserved for the product'),
    ]


@pytest.mark.parametrize(
    ("name", "provider", "begins"),
    [
        ("op://a/b/c", "1password", None),
        ("op://a/b/c/d", "", None),
        ("op://a/b", "", "is not of the form"),
        ("op://a//c", "1password", "is not of the form"),
        ("op://a/b", "encrypted", None),
        ("plain", "1password", "is not a 1Password name"),
        ("plain", "", None),
        ("A_1", "environment", None),
        ("a-b", "environment", "cannot be kept in the environment"),
        ("a-b", "encrypted", None),
    ],
)
def test_a_provider_stores_only_secrets_with_certain_names(name: str, provider: str, begins: str | None) -> None:
    found = provider_fault(name, provider)
    assert (found is None) == (begins is None)
    assert (found or "").startswith(begins or "")


@pytest.mark.parametrize(
    ("text", "reference", "supplied"),
    [
        ("a,target=B", ("a", "B"), True),
        ("a b,target=B", ("a b", "B"), True),
        ("a,target=B,c", ("a", "B,c"), False),
        ("a,aim=B", None, True),
        ("a,target=B=C", ("a", "B=C"), False),
        (",target=B", None, True),
        ("a,target=", None, False),
        ("a", None, False),
        ("a,target=B\n", None, False),
    ],
)
def test_the_service_searches_a_variable_in_a_reference_unlike_its_parser(
    text: str, reference: tuple[str, str] | None, *, supplied: bool
) -> None:
    assert parse_secret(text) == reference
    assert supplies(text, "B") is supplied
