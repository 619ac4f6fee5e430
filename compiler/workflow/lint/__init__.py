"""Faults of a composite tool that no program refuses: what cannot work in it, or does not do what is written.

Every fault here is certain: it names what will happen, or what will happen in a case that the tool allows.
"""

ENGINE = "The workflow engine of the vMCP process, v0.21.0: templates and execution."
"""What the rules of the room name as their source."""
