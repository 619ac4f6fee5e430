"""Check composite tools: faults that a program refuses, and parts that no program refuses but that cannot work."""
