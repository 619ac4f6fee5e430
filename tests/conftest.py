"""Settings of all tests."""

from hypothesis import settings

# How long an example takes says more about the machine than about the code; what has to end soon has tests of its own.
settings.register_profile("mcpcfg", deadline=None)
settings.load_profile("mcpcfg")
