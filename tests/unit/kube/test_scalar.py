"""Numbers and amounts as Kubernetes reads them."""

from __future__ import annotations

import pytest

from mcpcfg.compiler.kube.scalar import Refusal, read_int32, read_int64, read_quantity


@pytest.mark.parametrize(("read", "bits"), [(read_int32, 32), (read_int64, 64)])
def test_a_whole_number_has_its_bits(read: object, bits: int) -> None:
    assert callable(read)
    most = 2 ** (bits - 1)
    assert [read(value) for value in (-most, 0, most - 1)] == [-most, 0, most - 1]
    for value in (-most - 1, most):
        refused = read(value)
        assert isinstance(refused, Refusal)
        assert refused.message.endswith(f"does not fit into {bits} bits")


def test_a_whole_number_may_be_written_with_a_point_and_not_in_quotes() -> None:
    assert read_int32(3.0) == 3
    for value in (3.5, 1e21, True, None, "x"):
        assert isinstance(read_int32(value), Refusal)
    quoted = read_int32("8")
    assert isinstance(quoted, Refusal)
    assert quoted.hint == "write 8 without quotes"


def test_an_amount_is_a_text_or_a_number_and_no_truth_value() -> None:
    assert read_quantity("1024Mi") == "1Gi"
    assert read_quantity(1) == "1"
    assert isinstance(read_quantity(True), Refusal)
    assert read_quantity(1.5) == "1500m"
    assert isinstance(read_quantity([]), Refusal)
