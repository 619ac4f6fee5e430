"""Faults of a composite tool that neither the operator nor vMCP refuses: parts that cannot work or surprise.

Every fault is certain. It names what will happen, always or in a case that the tool allows.
"""

ENGINE = "The workflow engine of the vMCP process, v0.21.0: templates and execution."
"""The source that the rules of this package name."""
