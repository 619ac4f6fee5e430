"""How a call ends beside 0, clean, and 1, findings."""

# Annotations would need typing, and `--version` starts without.
WRONG = 2
"""The call cannot be carried out: its arguments, the configuration or what is around it are in the way."""
FAULT = 3
"""A fault of the program itself."""
INTERRUPTED = 130
"""By Ctrl-C; what a shell shows for SIGINT: 128 + 2."""
GONE = 141
"""Nobody reads the output any more; what a shell shows for SIGPIPE: 128 + 13."""
