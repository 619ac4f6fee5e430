"""Read and write values as Go's libraries do: JSON, YAML, durations, numbers, URLs. Exact output depends on it."""
