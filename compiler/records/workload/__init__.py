"""Workload requests: checked, compiled, converted, listed."""

API = "toolhive 0.21.0, workload routes and workload service."
BUILDER = "toolhive 0.21.0, RunConfig builder."
