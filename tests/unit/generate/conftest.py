"""The sample models, read in both ways."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mcpcfg.compiler.generate.declaration import DeclarationReader
from mcpcfg.compiler.generate.kind import ReadKind, read_kind
from mcpcfg.compiler.models.dated import Column, Kind
from mcpcfg.compiler.toolhive.release import OLDEST

if TYPE_CHECKING:
    from types import ModuleType

    from mcpcfg.compiler.generate.model import Model


def _sample() -> ModuleType:
    import sys

    name = "generate_sample"
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / "sample.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


@pytest.fixture(scope="session")
def sample() -> ModuleType:
    """Return the module of the sample models."""
    return _sample()


@pytest.fixture(scope="session")
def crd_model(sample: ModuleType) -> Model:
    """Read the sample as the API server knows it."""
    return DeclarationReader(of_crd=True, release=OLDEST).model(sample.Sample)


@pytest.fixture(scope="session")
def file_model(sample: ModuleType) -> Model:
    """Read the sample as a Go program knows it."""
    return DeclarationReader(of_crd=False, release=OLDEST).model(sample.Sample)


@pytest.fixture(scope="session")
def kind(sample: ModuleType) -> ReadKind:
    """Read a kind whose spec is the sample."""
    declared = Kind(
        name="Sample",
        plural="samples",
        short_names=("smp",),
        description="A kind.",
        spec=sample.Sample,
        status=sample.Entry,
        columns=(Column("Age", "date", ".metadata.creationTimestamp"),),
    )
    return read_kind(DeclarationReader(of_crd=True, release=OLDEST), declared)
