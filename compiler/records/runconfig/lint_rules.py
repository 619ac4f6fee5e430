"""Rules of run configurations that start: what in them is not as it looks."""

from __future__ import annotations

from ...diagnostics.finding import rule

LINT_READER = "toolhive 0.21.0, package runner: reading a RunConfig."
RUNNER = "toolhive 0.21.0, package runner: Run."

DEPRECATED = rule(
    "RUN044",
    "runconfig-field-deprecated",
    "A field of a run configuration is no longer used",
    stage="lint",
    checks="`env_file_dir`, `thv_ca_bundle` or `jwks_auth_token_file` is set, or `remote_auth_config` has the keys of"
    " old files, such as `ClientID`.",
    why="The runner ignores the first three. It reads the old keys, and the next change rewrites them.",
    example='"thv_ca_bundle": "/certs/ca.pem"',
    fix="Use `oidc_config.CACertPath` and `oidc_config.AuthTokenFile`, and list variables in `env_vars`.",
    source=LINT_READER,
)
