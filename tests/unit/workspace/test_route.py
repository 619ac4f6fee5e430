"""Tests of the paths that routes of other programs lead to a Service."""

from __future__ import annotations

from typing import Any

import pytest

from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.compiler.workspace.resource import Resource
from mcpcfg.compiler.workspace.route import Leading, leadings, serves


def route(kind: str, spec: str, annotations: str = "{}") -> list[Leading]:
    text = f"kind: {kind}\nmetadata: {{name: a, annotations: {annotations}}}\nspec: {spec}\n"
    documents, _ = read_documents(text, "a.yaml")
    source: Resource[Any] = Resource(documents[0], documents[0].data, kind, "a", None, stated_references=())
    return [*leadings(source)]


@pytest.mark.parametrize(
    ("match", "target"),
    [
        ("{path: {type: PathPrefix, value: /oauth}}", "/oauth/token"),
        ("{path: {type: PathPrefix, value: /oauth/}}", "/oauth/token"),
        ("{path: {type: PathPrefix, value: /oa}}", None),
        ("{path: {type: Exact, value: /oauth/token}}", "/oauth/token"),
        ("{path: {type: Exact, value: /oauth}}", None),
        ("{path: {value: /}}", "/oauth/token"),
        ("{method: POST}", "/oauth/token"),
    ],
)
def test_a_match_of_the_gateway_api_leads_paths(match: str, target: str | None) -> None:
    (leading,) = route("HTTPRoute", f"{{rules: [{{matches: [{match}], backendRefs: [{{name: b}}]}}]}}")
    assert leading.is_known
    assert leading.target("/oauth/token") == target


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("{type: ReplacePrefixMatch, replacePrefixMatch: /}", "/oauth/token"),
        ("{type: ReplacePrefixMatch, replacePrefixMatch: /a/}", "/a/oauth/token"),
        ("{type: ReplaceFullPath, replaceFullPath: /mcp}", "/mcp"),
    ],
)
def test_a_prefix_is_rewritten(path: str, target: str) -> None:
    filters = f"[{{type: URLRewrite, urlRewrite: {{path: {path}}}}}]"
    matches = "[{path: {type: PathPrefix, value: /desk}}]"
    spec = f"{{rules: [{{matches: {matches}, filters: {filters}, backendRefs: [{{name: b}}]}}]}}"
    (leading,) = route("HTTPRoute", spec)
    assert leading.target("/desk/oauth/token") == target
    assert leading.target("/other") is None


@pytest.mark.parametrize(
    ("kind", "spec", "annotations"),
    [
        (
            "HTTPRoute",
            "{rules: [{matches: [{path: {type: RegularExpression, value: /a.*}}], backendRefs: [{}]}]}",
            "{}",
        ),
        ("HTTPRoute", "{rules: [{filters: [{type: ExtensionRef}], backendRefs: [{}]}]}", "{}"),
        ("Ingress", "{rules: [{http: {paths: [{path: '/a(/|$)(.*)'}]}}]}", "{}"),
        ("Ingress", "{rules: [{http: {paths: [{path: /a}]}}]}", "{nginx.ingress.kubernetes.io/rewrite-target: /}"),
        ("IngressRoute", "{routes: [{match: 'PathRegexp(`/a`)', services: [{name: b}]}]}", "{}"),
        ("IngressRoute", "{routes: [{match: 'Path(`/a`) || Path(`/b`)', services: [{name: b}]}]}", "{}"),
        ("IngressRoute", "{routes: [{match: 'Path(`/a`)', middlewares: [{name: m}], services: [{name: b}]}]}", "{}"),
    ],
)
def test_a_rewrite_that_is_not_understood_is_unknown(kind: str, spec: str, annotations: str) -> None:
    assert not route(kind, spec, annotations)[0].is_known


def test_a_redirect_leads_nowhere() -> None:
    assert route("HTTPRoute", "{rules: [{filters: [{type: RequestRedirect}], backendRefs: [{name: b}]}]}") == []


def test_traefik_matches_hosts_and_prefixes() -> None:
    spec = "{routes: [{match: 'Host(`A.example.com`, `b.example.com`) && PathPrefix(`/x`)', services: [{name: b}]}]}"
    (leading,) = route("IngressRoute", spec)
    assert (leading.hosts, leading.prefix, leading.is_known) == (("a.example.com", "b.example.com"), "/x", True)


@pytest.mark.parametrize(
    ("hosts", "answer"),
    [
        (("mcp.example.com",), True),
        (("*.example.com",), True),
        (("other.example.com",), False),
        ((), None),
        (("${HOST}",), None),
    ],
)
def test_a_host_is_served_by_name_or_by_wildcard(hosts: tuple[str, ...], answer: bool | None) -> None:
    assert serves(hosts, "mcp.example.com") is answer
