"""Check, compile, convert and list workload requests."""
