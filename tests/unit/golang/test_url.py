import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcpcfg.compiler.golang.url import UrlError, parse


@pytest.mark.parametrize(
    ("text", "host", "path", "written"),
    [
        ("https://a.example/b?q=1#f", "a.example", "/b", None),
        ("HTTP://A:80/", "A:80", "/", "http://A:80/"),
        ("http://u:p@h/%2f", "h", "//", None),
        ("mailto:x@y", "", "", None),
        ("file:/x", "", "/x", None),
        ("http://[::1%25en0]:80/", "[::1%en0]:80", "/", "http://[::1%25en0]:80/"),
        ("http://h/a b", "h", "/a b", "http://h/a%20b"),
        ("/a:b", "", "/a:b", None),
        ("http://h/?", "h", "/", None),
        ("http://h/é", "h", "/é", "http://h/%C3%A9"),
        ("*", "", "*", None),
    ],
)
def test_a_url_is_parsed_and_written_as_in_go(text: str, host: str, path: str, written: str | None) -> None:
    url = parse(text)
    assert (url.host, url.path) == (host, path)
    assert str(url) == (written or text)


@pytest.mark.parametrize(
    "text",
    [":x", "a:b/c:d://", "http://a:x/", "http://a b/", "http://[::1/", "http://a[b]/", "http://%41/", "%zz", "a\x00"],
)
def test_an_address_that_go_refuses_is_refused(text: str) -> None:
    if text.startswith("a:b"):
        assert parse(text).opaque == "b/c:d://"
        return
    with pytest.raises(UrlError):
        parse(text)


@pytest.mark.parametrize(
    "text",
    ["http://[::1%en0]/", "http://[::1%25]/", "http://[::1%25a%2f]/", "http://[::1%25%e9]/", "http://[::1%25a b]/"],
)
def test_the_zone_of_an_address_is_written_after_an_escaped_percent_sign(text: str) -> None:
    with pytest.raises(UrlError):
        parse(text)
    assert parse("http://[::1%25a%20b%25]/").hostname == "::1%a b%"


def test_port_and_host_name_are_distinguished() -> None:
    assert (parse("http://h:80/").hostname, parse("http://h:80/").port) == ("h", "80")
    assert (parse("http://[::1]/").hostname, parse("http://[::1]/").port) == ("::1", "")
    assert parse("http://h:/").port == ""


@given(st.text("htp:/@[]%?#ab1.é {}\\", max_size=30))
def test_any_text_is_refused_or_reads_back_equal(text: str) -> None:
    try:
        url = parse(text)
    except UrlError:
        return
    written = str(url)
    assert str(parse(written)) == written
