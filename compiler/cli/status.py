"""Exit statuses other than 0 (no findings) and 1 (findings)."""

# Annotations would need an import of typing, which `--version` avoids.
WRONG = 2
"""The call failed because of its arguments, its configuration or an unusable file."""
FAULT = 3
"""The call failed because of a fault of mcpcfg."""
INTERRUPTED = 130
"""Interrupted by Ctrl-C. Shells show 128 + 2 for SIGINT."""
GONE = 141
"""The reader of the output closed the pipe. Shells show 128 + 13 for SIGPIPE."""
