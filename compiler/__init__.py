"""Reads resources, resolves their references and compiles them to what the operator would write."""

VERSION = "0.1.0"
"""As in ``pyproject.toml``: looking it up at run time costs more than all of ``--version``."""

RELEASE = "0.21.0"
"""The release of the operator by which everything is judged and compiled."""
