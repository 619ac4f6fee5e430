"""What a pattern asks for is said with its words and with an example that it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from calling import call

from mcpcfg.compiler.admission.form import form_of
from mcpcfg.compiler.admission.leaf import compile_re2
from mcpcfg.compiler.admission.table import checks_of
from mcpcfg.compiler.toolhive.profile import TOOLHIVE, profile_of_release
from mcpcfg.compiler.toolhive.release import RELEASES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BAD = """\
apiVersion: toolhive.stacklok.dev/v1beta1
kind: MCPExternalAuthConfig
metadata: {name: login}
spec: {type: awsSts, awsSts: {region: Frankfurt}}
"""


def patterns(value: Any) -> Iterator[str]:
    if isinstance(value, tuple):
        for item in value:
            yield from patterns(item)
    elif isinstance(value, str) and value.startswith("^"):
        yield value


def test_every_pattern_has_a_description_with_a_matching_example() -> None:
    found = {
        pattern
        for release in RELEASES
        for shape in checks_of(profile_of_release(TOOLHIVE, release)).table.shapes
        if shape[0] == "string"
        for pattern in patterns(shape[1:])
    }
    assert len(found) > 20
    for pattern in found:
        words, _, example = (form_of(pattern) or "").partition(": ")
        example = example.partition(": ")[2] or example
        assert words, pattern
        assert compile_re2(pattern).match(example.strip('"')), pattern


def test_the_hint_about_a_pattern_has_the_example_of_the_page_of_the_field(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(BAD)
    out = call("check", str(tmp_path)).out
    assert 'spec.awsSts.region "Frankfurt" does not match ^[a-z]{2}(-[a-z]+)+-\\d+$' in out
    assert "hint: write a region: eu-central-1" in out
    assert "\nForm: a region: eu-central-1\n" in call("explain", "MCPExternalAuthConfig.spec.awsSts.region").out
