"""The version of mcpcfg, and the operator releases that it is based on."""

VERSION = "0.1.0"
"""Of the package; ``pyproject.toml`` reads it here, since looking it up at run time costs more than ``--version``."""

RELEASE = "0.21.0"
"""The default release for checking and compiling. Its schemas and pages are published."""

RECORDED = (RELEASE, "0.44.0")
"""The releases at which the behavior of the operator and its processes was recorded, oldest first."""

READ = "0.45.0"
"""The release whose changes since the last recorded release were read in the source."""
