"""Find faults of composite tools that neither the operator nor vMCP refuses: parts that fail or have no effect.

Each fault is certain to occur, always or in a case that the tool allows.
"""

ENGINE = "The workflow engine of the vMCP process, v0.21.0: templates and execution."
"""The source that the rules of this package name."""
