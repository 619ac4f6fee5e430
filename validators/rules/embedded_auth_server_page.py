"""Pages of the rules about embedded authorization servers that the started process refuses."""

from __future__ import annotations

from ..page import rule

SOURCE = "start-up checks of the embedded authorization server, v0.21.0."
CRASH = (
    "the operator does not look, and writes the configuration; the process refuses it, and the pod crashes in a loop."
)
WHERE = (
    " In a VirtualMCPServer it is flagged at the value; on an MCPServer or MCPRemoteProxy at the reference to the"
    " MCPExternalAuthConfig, with a note to the value."
)

URL = rule(
    "EAS001",
    "insecure-auth-server-url",
    "The URL of an embedded authorization server is not one that it may have.",
    flagged="an `issuer` or `authorizationEndpointBaseUrl` that is neither https nor http on localhost, or that has a"
    " query, a fragment or a slash at its end. The schema lets http pass for every host." + WHERE,
    why=CRASH,
    example="issuer: http://auth.example.com",
    cure="use https.",
    source=SOURCE,
    stage="process",
)
NAME = rule(
    "EAS002",
    "upstream-called-default",
    "One of several upstream providers is called default.",
    flagged="`default` as the name of an upstream provider where there are several.",
    why=CRASH + " The name is kept for a provider that is the only one.",
    example="upstreamProviders:\n- name: default\n  …\n- name: github\n  …",
    cure="give it a name of its own.",
    source=SOURCE,
    stage="process",
)
BLOCK = rule(
    "EAS003",
    "upstream-without-config",
    "An upstream provider lacks the block that its type asks for.",
    flagged="an upstream provider of type `oidc` without `oidcConfig`, or of type `oauth2` without `oauth2Config`."
    " For a VirtualMCPServer nobody compares the two before the process does; an MCPExternalAuthConfig is marked"
    " invalid (AUT010), but its workloads are started all the same." + WHERE,
    why=CRASH,
    example="- name: github\n  type: oidc\n  oauth2Config: {…}",
    cure="change the type, or the block.",
    source=SOURCE,
    stage="process",
)
REDIRECT = rule(
    "EAS004",
    "upstream-without-redirect",
    "An upstream provider has no redirectUri.",
    flagged="an upstream provider whose `oidcConfig` or `oauth2Config` has no `redirectUri`. The documentation"
    " promises a default, which nothing fills in before v0.23.0: a resource of v1beta1 is left alone." + WHERE,
    why=CRASH,
    example="oidcConfig: {issuerUrl: https://idp.example.com, clientId: mcp}",
    cure="write the resource URL and `/oauth/callback`, and register that at the provider.",
    source=SOURCE,
    stage="process",
    until=(0, 23, 0),
)
UPSTREAM_URL = rule(
    "EAS005",
    "upstream-url-refused",
    "An address of an upstream provider is not one that it may have.",
    flagged="an `issuerUrl`, `authorizationEndpoint`, `tokenEndpoint` or `userInfo.endpointUrl` that is no URL or that"
    " is reached without TLS (but for localhost), a `redirectUri` that has a fragment or is plain http to another host"
    " than a loopback address, and an empty `clientId`. An endpoint or `issuerUrl` without host gets a lint: the"
    " process starts with it, and cannot reach the provider." + WHERE,
    why=CRASH,
    example="tokenEndpoint: http://idp.example.com/token",
    cure="use https; register a redirect address without fragment.",
    source=SOURCE,
    stage="process",
)
LIFESPAN = rule(
    "EAS006",
    "token-lifespan-out-of-bounds",
    "A token of an embedded authorization server would live too long, or too short.",
    flagged="an `accessTokenLifespan` that is not within one minute and 24 hours, a `refreshTokenLifespan` not within"
    " one hour and 30 days (720h), an `authCodeLifespan` not within 30 seconds and ten minutes." + WHERE,
    why=CRASH,
    example="tokenLifespans: {accessTokenLifespan: 48h}",
    cure="stay within the bounds.",
    source=SOURCE,
    stage="process",
)
SHORT_SECRET = rule(
    "EAS007",
    "short-hmac-secret",
    "An HMAC secret of an embedded authorization server is shorter than 32 bytes.",
    flagged="a Secret of `hmacSecretRefs` that is among the files, where the value of its key has fewer than 32 bytes"
    " without the white space around it. The value is not printed." + WHERE,
    why=CRASH,
    example="stringData: {hmac: changeme}",
    cure="use at least 32 random bytes, such as `openssl rand -base64 48` gives.",
    source=SOURCE,
    stage="process",
)
RESOURCE_URL = rule(
    "EAS008",
    "resource-url-refused",
    "Tokens cannot be issued for the resource URL of a workload with an embedded authorization server.",
    flagged="`oidcConfigRef.resourceUrl` of a workload with an embedded authorization server that is no http or https"
    " URL with a host, or that has a fragment.",
    why=CRASH,
    example="oidcConfigRef: {name: login, audience: mcp.example.com, resourceUrl: mcp.example.com}",
    cure="write the public URL of the server: `https://mcp.example.com/mcp`.",
    source="start-up checks of the embedded authorization server, v0.21.0; RFC 8707, section 2.",
    stage="process",
)
AT_REST = rule(
    "EAS010",
    "unusable-auth-server",
    "No workload could start with this embedded authorization server.",
    flagged="in an MCPExternalAuthConfig of type `embeddedAuthServer` that nothing among the files refers to, what"
    " AUT005 and EAS001 to EAS007 tell on a workload that does. One of v1beta1 is left alone.",
    why="the operator accepts the configuration, and every workload that will refer to it fails or crashes.",
    example="upstreamProviders:\n- name: corporate\n  type: oidc\n  oidcConfig: {issuerUrl: …, clientId: mcp}",
    cure="correct the value.",
    source=SOURCE,
    stage="lint",
    until=(0, 23, 0),
)
RULES = (URL, NAME, BLOCK, REDIRECT, UPSTREAM_URL, LIFESPAN, SHORT_SECRET, RESOURCE_URL, AT_REST)
