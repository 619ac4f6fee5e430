"""Check composite tools for faults that the operator or vMCP refuses, and for parts that are accepted but fail."""
