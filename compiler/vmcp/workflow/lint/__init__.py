"""Find faults of composite tools that neither the operator nor vMCP refuses: parts that fail or have no effect.

Each fault is certain to occur, always or in a case that the tool allows.
"""
