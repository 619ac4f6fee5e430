"""The small grammars of workloads: mounts, secret references, names, headers, labels, groups."""

import pytest

from mcpcfg.compiler.records.secret.reference import parse_secret, provider_fault, supplies
from mcpcfg.compiler.records.workload.name import image_base_name, name_fault, safe_name
from mcpcfg.compiler.toolhive import header
from mcpcfg.compiler.toolhive.mount import MountError, parse_mount


@pytest.mark.parametrize(
    ("text", "source", "target"),
    [
        ("/a", "/a", "/a"),
        ("a", "a", "a"),
        ("/a/../b", "/b", "/b"),
        ("./x:/y", "x", "/y"),
        ("~/x:/y", "~/x", "/y"),
        ("/a b:/c", "/a b", "/c"),
        ("C:\\x", "C:\\x", "C:\\x"),
        ("C:\\x:/b", "C:\\x", "/b"),
        ("\\\\srv\\share:/x", "\\\\srv\\share", "/x"),
        ("volume://n:/p", "volume://n", "/p"),
        ("volume://a:b:/c", "volume://a:b", "/c"),
        ("", ".", "."),
        ("/a:", "/a", "."),
        (":/b", ".", "/b"),
        ("volume://n", "volume", "/n"),
    ],
)
def test_a_mount_is_read_as_the_reference_reads_it(text: str, source: str, target: str) -> None:
    assert parse_mount(text) == (source, target)


@pytest.mark.parametrize(
    "text",
    ["/a:C:\\b", "/x:\\y", "/a;b", "C:/x:/y:ro", "volume://n:", "1vol://n:/p", "vol!ume://n:/p", "/a:/b:ro", "/a\x00"],
)
def test_a_mount_that_the_reference_refuses_is_refused(text: str) -> None:
    with pytest.raises(MountError):
        parse_mount(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("n,target=T", ("n", "T")),
        ("n,target=A=B", ("n", "A=B")),
        ("n,target=T,x", ("n", "T,x")),
        ("op://v/i/f,target=T", ("op://v/i/f", "T")),
        ("n", None),
        (",target=T", None),
        ("n,target=", None),
        ("n, target=T", None),
        ("a,b,target=T", None),
    ],
)
def test_a_secret_reference_is_read_as_recorded(text: str, parts: tuple[str, str] | None) -> None:
    reference = parse_secret(text)
    assert reference == parts
    assert reference is None or str(reference) == text


def test_a_reference_supplies_a_variable_only_in_its_plain_form() -> None:
    assert supplies("n,target=T", "T")
    assert not supplies("n,target=T,x", "T,x")
    assert not supplies("n,target=A=B", "A=B")


@pytest.mark.parametrize("name", ["a", "A.b_c-1", "a..b", ".", "-a", "a" * 100])
def test_a_workload_name_that_the_api_takes(name: str) -> None:
    assert name_fault(name) is None
    assert safe_name(name) == name


@pytest.mark.parametrize("name", ["", "..", "...", "/a", "a/b", "a;b", "a b", "a" * 101, "é"])
def test_a_workload_name_that_the_api_refuses(name: str) -> None:
    assert name_fault(name)


@pytest.mark.parametrize(
    ("name", "safe"),
    [("BAD VALUE!", "BAD-VALUE-"), ("/a/b", "a-b"), ("../x", "---x"), ("a/./b", "a-b"), ("é" * 200, "-" * 100)],
)
def test_other_names_are_made_safe(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@pytest.mark.parametrize(
    ("image", "name"),
    [
        ("ghcr.io/a/b:1", "a-b"),
        ("b", "b"),
        ("localhost:5000/b:1", "localhost-b"),
        ("x/y_z", "x-y-z"),
        ("BAD VALUE!", "BAD-VALUE-"),
    ],
)
def test_an_image_gives_a_name(image: str, name: str) -> None:
    assert image_base_name(image) == name


@pytest.mark.parametrize("name", ["", "X A", "X:A", "é", "a" * 257, "host", "x-real-ip", "TE"])
def test_a_header_that_cannot_be_added(name: str) -> None:
    assert header.name_fault(name)


def test_a_header_that_can_be_added() -> None:
    assert header.name_fault("X-A") is None
    assert header.canonical("x-api-KEY") == "X-Api-Key"
    assert all(header.value_fault(value) is None for value in ("a", "a\tb", "é", ""))
    assert all(header.value_fault(value) for value in ("a\nb", "\x7f", "a" * 8193))


@pytest.mark.parametrize(
    ("name", "provider", "fits"),
    [
        ("api-key", "", True),
        ("api-key", "encrypted", True),
        ("api-key", "1password", False),
        ("api-key", "environment", False),
        ("API_KEY", "environment", True),
        ("9", "environment", True),
        ("op://vault/item/field", "1password", True),
        ("op://vault/item/section/field", "", True),
        ("op://vault/item", "", False),
        ("op://vault//field", "1password", False),
        ("op://vault/item/field", "environment", False),
        ("op://anything", "encrypted", True),
    ],
)
def test_a_provider_keeps_secrets_of_its_names(name: str, provider: str, fits: bool) -> None:
    assert (provider_fault(name, provider) is None) == fits
