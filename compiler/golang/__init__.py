"""How Go reads and writes values: JSON, YAML, durations, numbers. What byte-exact output rests on."""
