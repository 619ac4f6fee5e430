"""Settings of all tests, and the check that each of them asserts something."""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from _pytest.assertion import util
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Generator

TESTS = Path(__file__).parent

# Where bytecode is not kept, each call of the program as a process would compile all of its modules again.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# In CI, a check keeps no cache and writes a summary. The tests that need this set the variables themselves.
for name in ("CI", "GITHUB_STEP_SUMMARY"):
    os.environ.pop(name, None)

# The collector of reference cycles would search the tens of thousands of tests again and again.
gc.disable()

# How long an example takes says more about the machine than about the code; what has to end soon has tests of its own.
settings.register_profile("mcpcfg", deadline=None)
settings.load_profile("mcpcfg")

# What the modules of tests/support assert is seen, and explained where it fails, as in the tests themselves.
pytest.register_assert_rewrite(*(path.stem for path in (TESTS / "support").glob("*.py")))


def pytest_collection_finish() -> None:
    """Let the collector search what tests make, and seldom; not what was collected."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


class Assertion:
    """Whether the running test has still to execute its first assertion."""

    awaited = False


def pytest_assertion_pass() -> None:
    """Record an assertion of the tests; those of the libraries that they call are rewritten too, and do not count."""
    frame = sys._getframe(1)
    while frame.f_back and _is_of_pytest(frame.f_globals):
        frame = frame.f_back
    path = Path(frame.f_code.co_filename)
    if Assertion.awaited and TESTS in path.parents and path.name != "conftest.py":
        Assertion.awaited = False
        # One is enough: pytest describes each assertion for this hook, which takes many times as long as the assertion.
        # It sets the hook anew for the next test.
        util._assertion_pass = None


def _is_of_pytest(names: dict[str, Any]) -> bool:
    return str(names.get("__name__")).partition(".")[0] in {"_pytest", "pluggy"}


@pytest.fixture(autouse=True, scope="session")
def _raises_counts() -> Generator[None]:
    """Let ``pytest.raises`` count as an assertion: it fails where nothing is raised."""
    raises: Any = pytest.raises

    def noted(*args: Any, **named: Any) -> Any:
        Assertion.awaited = False
        return raises(*args, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pytest, "raises", noted)
        yield


@pytest.fixture(autouse=True, scope="session")
def _known_keys() -> Generator[None]:
    """Let a compile step that writes a key without a field in the models fail, in whichever test compiles with it."""
    from known_key import unknown_keys_refused

    with unknown_keys_refused():
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Generator[None]:
    """Fail a test that ends without an executed assertion: it would pass whatever the code did."""
    Assertion.awaited = True
    try:
        yield
    except BaseException:
        Assertion.awaited = False  # else an assertion of the next test's fixtures would count as that test's
        raise
    if Assertion.awaited:
        pytest.fail("executed no assertion", pytrace=False)
