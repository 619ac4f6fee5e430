"""No secret of any file is shown, in whatever format, or kept: neither what its form nor what its name gives away."""

from __future__ import annotations

import json
import marshal
import os
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

import every_string
import pytest
from calling import call
from known_key import unknown_keys_dropped

from mcpcfg.compiler.check import full
from mcpcfg.compiler.cli.call import rendered
from mcpcfg.compiler.cli.check import FEWEST_KEPT, open_cache
from mcpcfg.compiler.cli.option import ReportCall
from mcpcfg.compiler.diagnostics.secret.value import holds_secret
from mcpcfg.compiler.diff import report
from mcpcfg.compiler.disk import cache_file
from mcpcfg.compiler.disk.cache import shows_secret
from mcpcfg.compiler.editor.action import actions
from mcpcfg.compiler.editor.diagnostic import diagnostics
from mcpcfg.compiler.editor.hover import hover
from mcpcfg.compiler.editor.line_map import LineMap
from mcpcfg.compiler.editor.session import Home, ProjectSession
from mcpcfg.compiler.editor.subject import FileContext
from mcpcfg.compiler.graph import page
from mcpcfg.compiler.graph import text as graph_text
from mcpcfg.compiler.graph.graph import graph
from mcpcfg.compiler.project.discovery import Project, discover
from mcpcfg.compiler.report.format import FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from mcpcfg.compiler.diff.difference import ObjectChange
    from mcpcfg.compiler.report.format import Format

PASSWORD = "S3cr3tPassw0rd"
"""In every test what must not be seen holds ``S3cr3t``."""
URL = f"http://user:{PASSWORD}@host/x"
FORMS = [
    "ghp_" + "S3cr3t" * 6,
    "Bearer S3cr3tS3cr3tS3cr3t",
    "--token=S3cr3tS3cr3t",
    "redis://:S3cr3t@p@ss@host:6379/0",
]
ALL = ReportCall("text", "error", "info", color=None, outputs=())
WORD = "hunter-S3cr3t-word"
GROUP = "toolhive.stacklok.dev/v1beta1"

NAMED = {
    "server.yaml": f"""\
apiVersion: {GROUP}
kind: MCPServer
metadata: {{name: fetch}}
spec:
  image: ghcr.io/acme/fetch:1.0
  transport: stdio
  clientSecret: {WORD}
  apiKey: [{WORD}]
  proxyPort: 99999999
  args: [--password, {WORD}, "--token={WORD}"]
  env:
  - name: API_TOKEN
    vlaue: {WORD}
  - {{name: API_TOKEN, value: "{WORD}"}}
  - {{value: 73737373737, name: DB_PASSWORD}}
  - PASSWORD={WORD}
  podTemplateSpec:
    spec:
      containers:
      - name: mpc
        env:
        - {{name: API_TOKEN, value: {WORD}, extra: 1}}
        command: [sh, -c, "curl -H 'Authorization: Bearer {WORD}12345678'"]
""",
    "virtual.yaml": f"""\
apiVersion: {GROUP}
kind: VirtualMCPServer
metadata: {{name: gateway}}
spec:
  groupRef: {{name: team}}
  incomingAuth: {{type: oidc}}
  outgoingAuth:
    source: inline
    default: {{type: headerInjection, password: {WORD}}}
  config:
    incomingAuth: {{type: oidc, oidc: {{issuer: 'http://me:{WORD}@idp', clientSecret: {WORD}, clientId: 5}}}}
""",
    "registry.yaml": f"""\
apiVersion: {GROUP}
kind: MCPRegistry
metadata: {{name: catalog}}
spec:
  configYAML: |
    sources:
    - name: local
      git: {{repository: 'https://me:{WORD}@git.example.com/x', token: {WORD}}}
    database:
      host: db
      password: {WORD}
      port: {WORD}
""",
    "secret.yaml": f"""\
apiVersion: v1
kind: Secret
metadata: {{name: idp, labels: {{a: b}}}}
data: {{name: {WORD}}}
stringData:
  name: {WORD}
  key: "{WORD}
  other: {WORD}: {WORD}
  tab:\t{WORD}
""",
    "broken-colon.yaml": f"apiVersion: v1\nkind: Secret\nmetadata: {{name: a}}\nstringData:\n  other: x: {WORD}\n",
    "broken-indent.yaml": f"kind: Secret\napiVersion: v1\nmetadata:\n  name: a\ndata:\n  a: b\n   c: {WORD}\n {WORD}\n",
    "broken-quote.yaml": f"kind: Secret\napiVersion: v1\nmetadata: {{name: a}}\nstringData:\n  a: '{WORD}\n  b: c\n",
    "broken-escape.yaml": f'kind: Secret\napiVersion: v1\nmetadata: {{name: a}}\nstringData:\n  a: "{WORD}\\q"\n',
    "twice.yaml": f"kind: Secret\napiVersion: v1\nmetadata: {{name: b}}\nstringData:\n  a: {WORD}\n  a: {WORD}\n",
    "alias.yaml": f"kind: Secret\napiVersion: v1\nmetadata: {{name: c}}\nstringData:\n  a: *{WORD}\n  b: !x {WORD}\n",
    "broken.json": f'{{"kind": "Secret", "apiVersion": "{GROUP}", "stringData": {{"a": "{WORD}", "b": {WORD}}}}}',
    "pretty.json": f'{{\n "kind": "Secret",\n "apiVersion": "{GROUP}",\n "stringData": {{\n  "a": "{WORD}\n }}\n}}',
    "unfinished.yaml": f"apiVersion: {GROUP}\nkind: MCPServer\nspec:\n  clientSecret: a: {WORD}\n  password: '{WORD}\n",
    "run.json": json.dumps(
        {
            "schema_version": "v0.1.0",
            "name": "x",
            "image": "i",
            "transport": 5,
            "env_vars": {"API_TOKEN": WORD, "DB_PASSWORD": 7},
            "remote_auth_config": {"client_secret": WORD, "bearer_token": [WORD], "issuer": f"http://me:{WORD}@x"},
            "header_forward": {"add_plaintext_headers": {"Authorization": WORD, "X-Api-Key": WORD}},
            "clientSecret": WORD,
            "client_secrte": WORD,
        },
        indent=1,
    ),
    "sound-run.json": json.dumps(
        {
            "schema_version": "v0.1.0",
            "name": "x",
            "image": "i",
            "transport": "stdio",
            "env_vars": {"API_TOKEN": WORD},
            "remote_auth_config": {"client_secret": WORD, "issuer": URL},
            "header_forward": {"add_plaintext_headers": {"Authorization": WORD}},
            "client_secrte": WORD,
        },
        indent=1,
    ),
    "work.json": json.dumps(
        {
            "name": "x",
            "image": "i",
            "cmd_arguments": ["--password", WORD, f"--token={WORD}"],
            "env_vars": {"API_TOKEN": WORD, "bad name TOKEN": WORD},
            "secrets": [{"name": "x", "target": 5}],
            "oauth_config": {"client_secret": WORD, "client_secrte": 1},
        }
    ),
}


def write_named(folder: Path) -> None:
    """Write the files of `NAMED`; what is broken is looked at where a document of ours stands beside it."""
    ours = f"apiVersion: {GROUP}\nkind: MCPGroup\n"
    for number, (name, text) in enumerate(NAMED.items()):
        beside = f"---\n{ours}metadata: {{name: g{number}}}\n" if name.endswith(".yaml") else ""
        (folder / name).write_text(text + beside, encoding="utf-8")


class Checked(NamedTuple):
    """A project, and what a check reports of it."""

    project: Project
    outcome: full.Report


def assert_hidden(text: str) -> None:
    """No secret of these tests stands in a text, in whatever spelling."""
    low = text.lower()
    at = low.find("s3cr3t")
    assert at < 0, text[max(0, at - 200) : at + 100]
    assert "73737373737" not in text


@pytest.fixture(scope="module", autouse=True)
def dropping() -> Iterator[None]:
    """The files have a secret in every string, also under keys that no release knows."""
    with unknown_keys_dropped():
        yield


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Checked]:
    folder = tmp_path_factory.mktemp("secrets")
    every_string.write(folder, URL)
    write_named(folder / "after")
    here = os.getcwd()
    os.chdir(folder)
    try:
        # What cannot be read of a Secret is reported where its file is named.
        project = discover(("after", *(f"after/{name}" for name in NAMED)))
        yield Checked(project, full.check(project, full.Options()))
    finally:
        os.chdir(here)


@pytest.mark.parametrize("form", FORMATS)
def test_no_format_shows_a_secret(checked: Checked, form: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mcpcfg.compiler.report.markdown.MOST_ROWS", 100_000)
    text = rendered(checked.outcome, ALL, form)

    assert "***" in text.replace("\\", "")
    assert {one.rule for one in checked.outcome.findings} >= {"OID018", "ADM002", "SYN003", "RUN040", "VMC105"}
    assert_hidden(text)


def test_what_a_patch_shows_has_no_secrets(checked: Checked) -> None:
    del checked
    outcome = call("check", "after", "--diff", "--unsafe-fixes")

    assert "@@" in outcome.out
    assert "****" in outcome.out
    assert_hidden(outcome.out + outcome.err)


@pytest.mark.parametrize(
    "secret",
    [
        f'"secrets": ["{PASSWORD}"]',
        f'"secrets": {{"A": "{PASSWORD}"}}',
        f'"client_secret": {{"name": "a", "extra": "{PASSWORD}"}}',
        f'"bearer_token": {{"name": "a", "value": "{PASSWORD}"}}',
    ],
)
@pytest.mark.parametrize("separator", [", ", ",\n  "])
def test_the_patch_of_a_record_hides_secrets_that_only_their_paths_reveal(
    tmp_path: Path, secret: str, separator: str
) -> None:
    entries = ('"schema_version": "v0.1.0"', '"image": 7', secret, '"transport": "stdio"')
    (tmp_path / "run.json").write_text(f"{{{separator.join(entries)}}}\n")

    outcome = call("check", "--as", "runconfig", str(tmp_path / "run.json"), "--fix", "--diff")

    assert '"image": "7"' in outcome.out
    assert PASSWORD not in outcome.out + outcome.err


def test_an_upgrade_shows_no_secret(checked: Checked) -> None:
    del checked
    outcome = call("upgrade", "after", "--release", "0.42.0", "--to", "0.42.1", "--diff", "--unsafe-fixes")

    assert "@@" in outcome.out
    assert "OID018" in outcome.err
    assert_hidden(outcome.out + outcome.err)


def test_no_finding_shows_what_gives_itself_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    every_string.write(tmp_path, " ".join(FORMS))
    project = discover(("after",))
    outcome = full.check(project, full.Options())

    for form in ("text", "json"):
        assert_hidden(rendered(outcome, ALL, form))


@pytest.mark.parametrize("form", ["mermaid", "dot", "html"])
def test_no_picture_shows_a_secret(checked: Checked, form: str) -> None:
    drawn = graph(checked.outcome.workspace, checked.outcome.findings, all_kinds=True)
    write = {"mermaid": graph_text.mermaid, "dot": graph_text.dot}.get(form, lambda one: page.render(one, URL))

    assert_hidden(write(drawn))


def test_the_compiled_diff_shows_that_secrets_differ_and_not_what_they_are(checked: Checked) -> None:
    del checked
    texts: list[str] = []

    def render(changes: Sequence[ObjectChange]) -> str:
        texts.extend(form(changes) for form in formats.values())
        return ""

    formats = dict(report.FORMATS)
    with mock.patch.dict(report.FORMATS, {"text": render}):
        outcome = call("diff", "before", "after")

    assert len(texts) == 3
    for text in texts:
        assert "user:***" in text or "user:\\*\\*\\*" in text
        # The name of a header becomes part of a variable's, in capitals; names are no place for secrets.
        assert_hidden(text.replace("S3CR3TPASSW0RD", ""))
    assert_hidden(outcome.err)


def test_editors_are_shown_no_secret(checked: Checked) -> None:
    session = ProjectSession(Home(os.path.abspath("after"), None), full.Options())
    snapshot = session.check({})
    assert snapshot is not None
    del checked
    shown: list[str] = []
    for file, findings in snapshot.findings.items():
        lines = LineMap(snapshot.loaded.texts[file].decode(), "utf-16")
        for one in diagnostics(findings, lines):
            shown += [one.message, *(note.message for note in one.notes)]
        shown += [one.title for one in actions(lines, findings[:3], snapshot.project, file)]
        around = FileContext(file, snapshot.project.settings.profile, snapshot.kinds.get(file), snapshot.project.root)
        found = (
            hover(lines.text, lines.extent(one.span)[0], around, snapshot.workspace, [one]) for one in findings[:3]
        )
        shown += [text for one in found if one is not None for text in (one.markdown, one.plain)]

    assert len(shown) > 1_000
    assert_hidden("\n".join(shown))


def _kept(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.rglob("*")) if file.is_file())


def test_the_cache_and_parts_of_a_check_hold_no_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, tree = tmp_path / "cache", tmp_path / "tree"
    tree.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.chdir(tree)
    sound = (
        "apiVersion: {}\nkind: MCPOIDCConfig\nmetadata: {{name: o{}}}\nspec: {{type: inline, inline: {{issuer: {}}}}}\n"
    )
    write_named(tree)
    for number in range(FEWEST_KEPT):
        (tree / f"o{number}.yaml").write_text(sound.format(GROUP, number, URL))
        (tree / f"e{number}.yaml").write_text(
            f"kind: Secret\napiVersion: v1\nmetadata: {{name: e{number}}}\ndata: {{a: {WORD}}}\n"
        )
    first = call("check", ".")
    kept = _kept(cache)
    second = call("check", ".")
    (tree / "o0.yaml").write_text(sound.format(GROUP, "x", "https://idp.example.com"))
    warm = call("check", ".", "--format", "json")
    part = call("check", ".", "--shard", "1/1")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "other"))
    cold = call("check", ".", "--format", "json")

    assert len(kept) > 10_000
    assert first == second
    assert warm == cold
    for text in (first.out, warm.out, part.out, kept.decode("latin-1"), _kept(cache).decode("latin-1")):
        assert_hidden(text)


@pytest.mark.parametrize(
    "kept", [("http://default.svc", 0x40404040), ("task-", ("://a", 7), b"@"), {"https://a.b/@x": "@"}]
)
def test_what_is_no_secret_is_kept(kept: Any) -> None:
    assert not shows_secret(marshal.dumps(kept))
    assert shows_secret(marshal.dumps((kept, {URL: 1})))


def test_a_check_of_addresses_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "tree").mkdir()
    monkeypatch.chdir(tmp_path / "tree")
    for number, (before, _) in enumerate(every_string.altered("")):
        (tmp_path / "tree" / f"{number}.yaml").write_text("\n---\n".join(map(json.dumps, before)))
    call("check", ".")
    project = discover((".",))
    opened = open_cache(project, full.Options(), cache_file.folder())

    assert opened is not None
    left = {file.path for file in project.files}.difference(opened.known())
    for file in left:
        assert any(holds_secret(json.loads(one)) for one in (tmp_path / "tree" / file).read_text().split("\n---\n"))
    assert 0 < len(left) < len(project.files) / 2


def test_a_name_with_a_secret_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache, tree = tmp_path / "cache", tmp_path / "tree"
    tree.mkdir()
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    monkeypatch.chdir(tree)
    for number in range(FEWEST_KEPT):
        (tree / f"{number}.yaml").write_text(
            f"apiVersion: {GROUP}\nkind: MCPServer\nmetadata: {{name: s{number}}}\n"
            f"spec: {{image: i, transport: stdio, oidcConfigRef: {{name: '{URL}', audience: a}}}}\n"
        )
    first, second = call("check", "."), call("check", ".")

    assert first == second
    assert_hidden(first.out + _kept(cache).decode("latin-1"))
