"""Rules of workload requests that the service takes: what is doubtful in them."""

from __future__ import annotations

LINT_API = "toolhive 0.21.0, workload routes and workload service."
