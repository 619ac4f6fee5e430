"""Go's notation of values: JSON, YAML, durations, numbers. The base of byte-exact output."""
