"""Check, compile, convert and list workload requests."""

API = "toolhive 0.21.0, workload routes and workload service."
BUILDER = "toolhive 0.21.0, RunConfig builder."
