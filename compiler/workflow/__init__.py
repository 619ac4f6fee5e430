"""Check composite tools: faults that the operator or vMCP refuses, and parts that are accepted but cannot work."""
