"""The version of mcpcfg, and the operator releases that it is based on."""

VERSION = "0.1.0"
"""The version of the package, and the source of the one in ``pyproject.toml``. A lookup at run time would take longer
than all of ``--version``.
"""

MADE = "2026-11-28"
"""The day on which this version was made. Certificates that expired before it are expired for everybody who runs it.

A check does not read the clock, so the same files always have the same findings.
"""

RECORDED = ("0.21.0", "0.44.0")
"""The releases at which the behavior of the operator and its processes was recorded, oldest first."""

READ = "0.51.4"
"""The last release whose changes since the last recorded release were read: of 0.45.0 in the source, of later releases
in documentation alone. A change of behavior that no release note or pull request describes is therefore unknown.
"""
