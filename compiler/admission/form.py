"""The patterns of the kinds in words, with an example."""

from __future__ import annotations

DURATION = r"^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$"
_FORMS = {
    DURATION: "a duration with units: 30s, 5m, 1h30m",
    "^https?://": "a URL that begins with http:// or https://",
    "^https?://.*$": "a URL that begins with http:// or https://",
    "^https?://[^[:space:]]+$": "a URL that begins with http:// or https://, without spaces",
    "^[^*]+$": "a text without *",
    "^https://.*$": "a URL that begins with https://",
    r"^https?://[^\s?#]+[^/\s?#]$": "a URL without a query, a fragment and a trailing slash: https://auth.example.com",
    "^[a-z0-9]([a-z0-9-]*[a-z0-9])?$": "lower-case letters, digits and dashes, with a letter or digit at both ends",
    r"^([0-9]*[.])?[0-9]+$": 'a decimal number as a string: "0.5"',
    r"^(0(\.\d+)?|1(\.0+)?)$": 'a decimal number from 0 to 1 as a string: "0.05"',
    r"^[a-z]{2}(-[a-z]+)+-\d+$": "a region: eu-central-1",
    r"^arn:(aws|aws-cn|aws-us-gov):iam::\d{12}:role/[\w+=,.@\-_/]+$": "the ARN of an IAM role",
    "^(access_token|id_token|jwt|urn:ietf:params:oauth:token-type:(access_token|id_token|jwt))?$": (
        "access_token, id_token, jwt or the URN of one of them"
    ),
}


def form_of(pattern: str) -> str | None:
    """Return what a text that matches ``pattern`` looks like, where that is known."""
    return _FORMS.get(pattern)
