"""Describe patterns of fields in words, with examples."""

from __future__ import annotations

DURATION = r"^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$"
_LABEL = "lower-case letters, digits and dashes, with a letter or digit at both ends"
_IDENTIFIER = "letters, digits and underscores, and no digit first"
_ISSUER = "a URL that begins with https://, without a query, a fragment and a trailing slash"
_FORMS = {
    DURATION: ("a duration with units", "1h30m"),
    "^https?://": ("a URL that begins with http:// or https://", "https://mcp.example.com/mcp"),
    "^https?://[^[:space:]]+$": (
        "a URL that begins with http:// or https://, without spaces",
        "https://mcp.example.com",
    ),
    "^[^*]+$": ("a text without *", "system:serviceaccount:tools:agent"),
    "^https?://.*$": ("a URL that begins with http:// or https://", "https://mcp.example.com/mcp"),
    "^https://.*$": ("a URL that begins with https://", "https://auth.example.com"),
    r"^https://[^\s?#]+$": (
        "a URL that begins with https://, without a query and a fragment",
        "https://auth.example.com/token",
    ),
    r"^https://[^\s?#]+[^/\s?#]$": (_ISSUER, "https://auth.example.com"),
    r"^https://[^\s?#@]+[^/\s?#@]$": (f"{_ISSUER}, and without a user", "https://auth.example.com"),
    r"^https?://[^\s?#]+[^/\s?#]$": (
        "a URL without a query, a fragment and a trailing slash",
        "https://auth.example.com",
    ),
    "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$": (_LABEL, "team-a"),
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$": (_LABEL, "team-a"),
    "^[A-Za-z_][A-Za-z0-9_]*$": (_IDENTIFIER, "user_id"),
    "^([a-zA-Z_][a-zA-Z0-9_]*)?$": (_IDENTIFIER, "user_id"),
    "^[A-Z]{3}[0-9]{3}$": ("three capitals and three digits", "ABC123"),
    "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$": (
        "letters, digits and _,: with a letter first and neither a comma nor a colon last",
        "ContainerReady",
    ),
    "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?"
    "(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$": ("a name, after a domain and a slash or alone", "example.com/Ready"),
    r"^([0-9]*[.])?[0-9]+$": ("a decimal number as a string", '"0.5"'),
    r"^(0(\.\d+)?|1(\.0+)?)$": ("a decimal number from 0 to 1 as a string", '"0.05"'),
    r"^[a-z]{2}(-[a-z]+)+-\d+$": ("a region", "eu-central-1"),
    r"^arn:(aws|aws-cn|aws-us-gov):iam::\d{12}:role/[\w+=,.@\-_/]+$": (
        "the ARN of an IAM role",
        "arn:aws:iam::123456789012:role/reader",
    ),
    "^(access_token|id_token|jwt|urn:ietf:params:oauth:token-type:(access_token|id_token|jwt))?$": (
        "access_token, id_token, jwt or the URN of one of them",
        "urn:ietf:params:oauth:token-type:jwt",
    ),
    r"^v?(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(\.(0|[1-9][0-9]*))?$": ("a release", '"0.44.0"'),
    r"^[\x21\x23-\x5B\x5D-\x7E]+$": ("a scope: printable ASCII without spaces, quotes and backslashes", "mcp:read"),
    "^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
    r"|([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?\.)+[a-zA-Z]{2,})$": ("a UUID or a domain", "contoso.com"),
    r"^spiffe://[a-z0-9._-]+((/[a-zA-Z0-9._-]+)+(/\*)?|/\*)$": (
        "a SPIFFE ID, or the beginning of SPIFFE IDs and /*",
        "spiffe://example.org/ns/agents/*",
    ),
    r"^([a-z0-9_]|[a-z0-9_]([a-z0-9_-]|\.[a-z0-9_-])*[a-z0-9_])$": ("a SPIFFE trust domain", "example.org"),
    "^https?://[^@#[:space:]]+$": (
        "a URL that begins with http:// or https://, without spaces, a user and a fragment",
        "https://mcp.example.com",
    ),
    r"^[^\x00-\x08\x0A-\x1F\x7F]*$": ("a line of text without control characters", "Bearer abc"),
}


def form_of(pattern: str) -> str | None:
    """Return a description of the texts that match a pattern, with an example, or ``None`` for other patterns."""
    form = _FORMS.get(pattern)
    return form and f"{form[0]}: {form[1]}"
