"""Rules of authentication strategies towards backends that are read, and then fail."""

from __future__ import annotations

from ..page import rule

SOURCE = "the start of the vMCP process, v0.21.0: authentication towards backends."

STRATEGY = rule(
    "VMC117",
    "auth-strategy-unusable",
    "The authentication towards a backend is complete for the validator, but cannot work.",
    flagged="a token exchange with a client secret and no client id; an upstream token that is to be injected of no"
    " provider; a header whose name or value HTTP does not allow.",
    why="the strategy refuses its configuration when it is first used: every request to the backend fails.",
    example="tokenExchange: {tokenUrl: https://idp.example.com/token, clientSecretEnv: SECRET}",
    cure="set the client id, the provider, or another header.",
    source=SOURCE,
    stage="lint",
)
RULES = (STRATEGY,)

OF_FAULT = {"token-exchange-client": STRATEGY, "provider-missing": STRATEGY, "header-invalid": STRATEGY}
"""Code of a fault of a strategy to the rule that tells it."""
