"""Which version of mcpcfg this is, and the releases of the operator that it starts from."""

VERSION = "0.1.0"
"""As in ``pyproject.toml``: looking it up at run time costs more than all of ``--version``."""

RELEASE = "0.21.0"
"""The release that judges and compiles where nothing states one, and whose schemas and pages are published."""

RECORDED = (RELEASE, "0.44.0")
"""The releases of which it was recorded what the operator and its processes make of resources, the oldest first."""

READ = "0.45.0"
"""The release of which it was read in the source what changed since the last recorded one."""
