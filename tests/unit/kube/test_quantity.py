import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.kube.quantity import QuantityError, canonical, parse, read

_TEXTS = st.from_regex(r"\A[+-]?[0-9]{1,20}(\.[0-9]{0,12})?(|[numkMGTPE]|[KMGTPE]i|e[+-]?[0-9]{1,3})\Z")


@given(_TEXTS)
def test_the_canonical_text_is_stable_and_means_the_same(text: str) -> None:
    quantity = parse(text)
    again = parse(str(quantity))
    assert str(again) == str(quantity)
    # Beyond 10**18 the library has no suffix to write, and so writes another number.
    if quantity.format != "DecimalSI" or abs(quantity.mantissa) * 10.0**quantity.exponent < 1e21:
        assert again.compare(quantity) == 0


@given(st.text("0123456789.+-eEinumkKMGTP ", max_size=30))
def test_any_text_is_a_quantity_or_refused(text: str) -> None:
    try:
        quantity = parse(text)
    except QuantityError:
        return
    assert str(quantity)


@given(_TEXTS, _TEXTS)
def test_comparing_quantities_is_antisymmetric(left: str, right: str) -> None:
    assert parse(left).compare(parse(right)) == -parse(right).compare(parse(left))


@pytest.mark.parametrize(
    ("text", "written"),
    [
        *(("1000m", "1"), ("2000m", "2"), ("1500m", "1500m"), ("250m", "250m"), ("0.5", "500m"), (".5", "500m")),
        *(("0.1", "100m"), ("1.0", "1"), ("1000", "1k"), ("1024", "1024"), ("2000k", "2M"), ("100M", "100M")),
        *(("1e3", "1e3"), ("0.0005", "500u"), ("1024Mi", "1Gi"), ("1.5Gi", "1536Mi"), ("0.5Gi", "512Mi")),
        *(("4096Ki", "4Mi"), ("500Mi", "500Mi"), ("1100Mi", "1100Mi"), ("0", "0"), ("2.0", "2"), ("1000M", "1G")),
        *(("100000k", "100M"), ("500M", "500M"), ("1000Mi", "1000Mi"), ("1536Mi", "1536Mi"), ("2048Ki", "2Mi")),
        *(("1Ti", "1Ti"), ("0.0001", "100u"), ("12e6", "12e6"), ("12E6", "12E6"), ("1e4", "10e3"), ("1e-1", "100e-3")),
    ],
)
def test_a_quantity_is_written_as_kubernetes_wrote_it(text: str, written: str) -> None:
    assert canonical(text) == written


@pytest.mark.parametrize(
    ("text", "written"),
    [
        *(("+1", "+1"), ("1.", "1."), ("01", "01"), ("-0", "0"), ("+", "0"), (".", "0"), ("Ki", "0"), ("e3", "0")),
        *(("0.1n", "1n"), ("-0.1n", "-1n"), ("1.1n", "2n"), ("123e-1000", "1e-9"), ("0.5Ki", "512")),
        *(("9Ei", "9223372036854775807"), ("-9Ei", "-9223372036854775807"), ("1.5Ki", "1536"), ("0.0001Ki", "102400u")),
        *(("1000E", "1"), ("1e4294967299", "1e4294967299"), ("10e4294967298", "1e3"), ("1025Ki", "1025Ki")),
        *(("1048576", "1048576"), ("1024Ki", "1Mi"), ("-1024Ki", "-1Mi"), ("1.0000000000000000000", "1")),
    ],
)
def test_odd_quantities_are_written_as_kubernetes_writes_them(text: str, written: str) -> None:
    assert canonical(text) == written


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "abc", "1GB", "1GiB", "1 Gi", " 1", "1 ", "1K", "1mi", "1e", "1ee3", "1m5", "1..2", "1.2.3", "--1"),
        *("1,5", "Ei", "1e99999999999999999999", "\u0661", "1\n", "1_000", "9" * 5000),
    ],
)
def test_a_text_that_is_not_a_quantity_is_refused(text: str) -> None:
    with pytest.raises(QuantityError):
        parse(text)


@pytest.mark.parametrize(
    ("value", "written"), [(1, "1"), (1.5, "1500m"), (1000, "1k"), (1e21, "1e+21"), (1e-7, "100e-9"), (" 1Gi ", "1Gi")]
)
def test_data_may_be_a_number_or_have_spaces_around(value: object, written: str) -> None:
    assert str(read(value)) == written


def test_null_is_the_quantity_zero() -> None:
    assert str(read(None)) == "0"


@pytest.mark.parametrize("value", [True, [], {}, float("inf"), "", "\t1"])
def test_data_of_another_type_is_refused(value: object) -> None:
    with pytest.raises(QuantityError):
        read(value)


@pytest.mark.parametrize(
    ("less", "more"),
    [("999m", "1"), ("1G", "1Gi"), ("-1", "0"), ("-2", "-1m"), ("1e100", "1e2000000000"), ("1n", "1u"), ("0", "1n")],
)
def test_amounts_compare_by_value(less: str, more: str) -> None:
    assert parse(less).compare(parse(more)) == -1
    assert parse(more).compare(parse(less)) == 1


@pytest.mark.parametrize(
    ("left", "right"), [("1", "1000m"), ("1Gi", "1024Mi"), ("1e3", "1k"), ("0", "-0"), ("0", "0Ki")]
)
def test_equal_amounts_in_other_words(left: str, right: str) -> None:
    assert parse(left).compare(parse(right)) == 0
