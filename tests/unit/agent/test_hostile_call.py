"""Hostile calls of the MCP server get an error, or an answer, and harm nothing."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from asking import HELLO, ask, call_message, process, receive, send, talk, text_of
from drawing import resource
from repository import commit

from mcpcfg.compiler.agent import server as server_module
from mcpcfg.compiler.agent import stream
from mcpcfg.compiler.diagnostics import timing
from mcpcfg.compiler.disk import confinement, open_folder, output_file

if TYPE_CHECKING:
    from mcp.client.client import Client

SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
SOUND = resource("MCPServer", "fetch", "{image: 'ghcr.io/acme/fetch:1.0', transport: stdio}")
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and signals are those of POSIX")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Return a folder beside files that a server below it must not show."""
    (tmp_path / "outside.yaml").write_text(resource("MCPServer", SECRET, "{transport: bogus}"), "utf-8")
    (tmp_path / "mcpcfg.yaml").write_text("rules: {ADM004: off}\n", "utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n", "utf-8")
    folder = tmp_path / "root"
    (folder / "deploy").mkdir(parents=True)
    (folder / "deploy" / "fetch.yaml").write_text(SOUND, "utf-8")
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text(f"[credential]\n  password = {SECRET}\n", "utf-8")
    (folder / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    (folder / "deploy" / "link.yaml").symlink_to("../../outside.yaml")
    (folder / "up").symlink_to(tmp_path)
    (folder / "credentials.yaml").symlink_to(".git/config")
    return folder


PATHS = (
    "/etc/passwd",
    "..",
    "../outside.yaml",
    "deploy/../../outside.yaml",
    "link.yaml",
    "up",
    "up/outside.yaml",
    ".git/config",
    ".GIT/config",
    "credentials.yaml",
    "a\0b",
    "~/../outside.yaml/../../..",
)


@pytest.mark.parametrize("path", PATHS)
def test_a_path_outside_of_the_root_is_refused(root: Path, path: str) -> None:
    calls: list[tuple[str, dict[str, Any]]] = [
        ("check", {"paths": [path]}),
        ("check", {"files": {path: SOUND}}),
        ("fix", {"paths": [path]}),
        ("build", {"paths": [path], "target": "runconfig"}),
        ("diff", {"old": path}),
        ("diff", {"new": path, "against": "HEAD"}),
        ("diff", {"files": {path: SOUND}}),
        ("graph", {"paths": [path]}),
        ("simulate", {"subject": "rate-limit", "name": "fetch", "paths": [path]}),
        ("search_registry", {"file": path}),
    ]

    for tool, arguments in calls:
        result = ask(root, tool, **arguments)
        assert result.is_error
        assert "outside of the root of this server" in text_of(result)
        assert SECRET not in text_of(result)


def test_a_file_to_simulate_is_below_the_root_too(root: Path) -> None:
    for name in ("../outside.yaml", "link.yaml", str(root.parent / "outside.yaml")):
        result = ask(root, "simulate", subject="rate-limit", name=name)
        assert "outside of the root of this server" in text_of(result)


def test_links_that_leave_the_root_are_not_followed_in_a_folder_either(root: Path) -> None:
    answer = text_of(ask(root, "check"))

    assert SECRET not in answer
    assert json.loads(answer)["summary"]["documents"] == 1


def test_links_that_stay_in_the_repository_and_leave_the_root_are_not_followed(repository: Path) -> None:
    (repository / "deploy").mkdir()
    (repository / "deploy" / "link.yaml").symlink_to("../fetch.yaml")

    answer = ask(repository / "deploy", "check").structured_content

    assert answer["summary"]["files"] == 0
    assert answer["findings"] == []


def test_a_configuration_above_the_root_is_not_used(root: Path) -> None:
    (root / "deploy" / "fetch.yaml").write_text(SOUND.replace("stdio", "bogus"), "utf-8")

    for paths in (["."], ["deploy/fetch.yaml"]):
        findings = ask(root, "check", paths=paths).structured_content["findings"]
        assert "ADM004" in [finding["rule"] for finding in findings]


def test_a_configuration_may_not_name_files_outside(root: Path) -> None:
    (root / "mcpcfg.yaml").write_text("crds: [../outside.yaml]\n", "utf-8")

    result = ask(root, "check")

    assert result.is_error
    assert "outside of" in text_of(result)
    assert SECRET not in text_of(result)


def test_files_outside_of_the_root_are_not_written(root: Path) -> None:
    misspelt = SOUND.replace("image", "imagee")
    (root.parent / "outside.yaml").write_text(misspelt, "utf-8")

    assert ask(root, "fix", may_write=True, paths=["link.yaml"], write=True).is_error
    ask(root, "fix", may_write=True, write=True)

    assert (root.parent / "outside.yaml").read_text("utf-8") == misspelt


def test_no_answer_shows_a_secret(tmp_path: Path) -> None:
    text = resource(
        "MCPServer", "fetch", f"{{image: 'a:1', transport: stdio, env: [{{name: TOKEN, value: {SECRET}}}]}}"
    )
    (tmp_path / "fetch.yaml").write_text(text.replace("image:", "imagee:"), "utf-8")
    (tmp_path / "sound.yaml").write_text(text.replace("fetch", "other"), "utf-8")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("check", {}),
        ("fix", {"unsafe": True}),
        ("explain", {"what": SECRET}),
        ("check", {"kind": SECRET[:40], "files": {"a.yaml": text}}),
        (SECRET, {}),
        *(("build", {"target": target, "paths": ["sound.yaml"]}) for target in ("kubernetes", "backend", "runconfig")),
    ]

    for tool, arguments in calls:
        assert SECRET not in text_of(ask(tmp_path, tool, **arguments)), tool


def _calls_of_every_tool() -> list[tuple[str, dict[str, Any]]]:
    return [
        ("check", {}),
        ("explain", {"what": "REF004"}),
        ("fix", {"unsafe": True}),
        ("build", {"target": "kubernetes"}),
        ("diff", {"against": "HEAD"}),
        ("diff", {"files": {"more.yaml": SOUND.replace("fetch", "more")}}),
        ("graph", {}),
        ("simulate", {"subject": "rate-limit", "name": "fetch"}),
        ("search_registry", {"file": "registry.json"}),
    ]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Return a committed project with a file for every tool."""
    (tmp_path / "fetch.yaml").write_text(SOUND.replace("image:", "imagee:"), "utf-8")
    (tmp_path / "registry.json").write_text('{"version": "1.0.0", "last_updated": "", "servers": {}}', "utf-8")
    commit(tmp_path)
    (tmp_path / "fetch.yaml").write_text(SOUND.replace("image:", "imagee:").replace(":1.0", ":1.1"), "utf-8")
    return tmp_path


EVENTS = ("os.exec", "os.fork", "os.posix_spawn", "os.system", "socket.bind", "socket.connect", "socket.getaddrinfo")


def test_no_tool_starts_a_program_or_opens_a_connection(repository: Path) -> None:
    events: list[tuple[str, str]] = []
    is_watched = True

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if is_watched and (event in EVENTS or event == "subprocess.Popen"):
            events.append((event, str(arguments[0])))

    sys.addaudithook(watch)
    for tool, arguments in _calls_of_every_tool():
        ask(repository, tool, **arguments)
    is_watched = False

    assert {event for event, _ in events} <= {"subprocess.Popen", "os.posix_spawn"}
    assert {Path(program).name for _, program in events} == {"git"}


def test_no_tool_writes_unless_the_server_may(repository: Path) -> None:
    calls = [*_calls_of_every_tool(), ("fix", {"write": True})]
    before = _contents(repository)

    for tool, arguments in calls:
        ask(repository, tool, **arguments)
    assert _contents(repository) == before

    for tool, arguments in calls:
        ask(repository, tool, may_write=True, **arguments)
    after = _contents(repository)
    assert after.keys() == before.keys()
    assert [name for name in after if after[name] != before[name]] == ["fetch.yaml"]


def _contents(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*") if file.is_file() and ".git" not in file.parts)
    return {file.name: file.read_bytes() for file in files}


def test_the_files_of_a_revision_are_removed(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = repository.parent / "temporary"
    folder.mkdir(exist_ok=True)
    monkeypatch.setattr(tempfile, "tempdir", str(folder))

    assert not ask(repository, "diff", against="HEAD").is_error

    assert list(folder.iterdir()) == []


def test_an_answer_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "_MOST_ANSWER", 1000)
    texts = (resource("MCPServer", f"s{number}", "{image: 'a:1', transport: stdio}") for number in range(50))
    (tmp_path / "many.yaml").write_text("---\n".join(texts), "utf-8")

    result = ask(tmp_path, "graph")

    assert result.is_error
    assert text_of(result).endswith(" MiB: name fewer paths")


def test_a_text_beyond_the_bounds_of_check_is_a_finding(tmp_path: Path) -> None:
    answer = ask(tmp_path, "check", files={"deep.yaml": "[" * 200 + "]" * 200}).structured_content

    assert answer["summary"]["errors"] == 1


def test_a_message_of_100_mb_is_refused_and_not_kept(root: Path) -> None:
    with process(root) as server:
        send(server, HELLO)
        assert receive(server, 0)["result"]["serverInfo"]["name"] == "mcpcfg"
        memory = _memory(server.pid)

        send(server, call_message(1, "check", files={"large.yaml": "a" * 100_000_000}))
        answer = receive(server, 1)

        assert "larger than 16 MiB; name paths instead of files" in json.dumps(answer["error"])
        assert _memory(server.pid) - memory < 100 * 1024
        send(server, call_message(2, "explain", what="REF004"))
        assert not receive(server, 2)["result"].get("isError")


def test_texts_that_wait_are_bounded_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "_MOST_WAITING_BYTES", 100_000)
    text = SOUND + "#" * 60_000
    results: list[Any] = []

    async def conversation(client: Client) -> None:
        async def call(number: int) -> None:
            results.append(await client.call_tool("check", {"files": {f"{number}.yaml": text}}))

        async with anyio.create_task_group() as group:
            for number in range(3):
                group.start_soon(call, number)
        results.append(await client.call_tool("check", {"files": {"later.yaml": text}}))

    talk(tmp_path, conversation)

    assert [result.is_error for result in results].count(True) == 2
    assert not results[-1].is_error
    assert any("wait for the answers, or name paths" in text_of(result) for result in results)


def test_a_thousand_calls_at_once_are_all_answered(root: Path) -> None:
    with process(root) as server:
        send(server, HELLO)
        for number in range(1, 1001):
            send(server, call_message(number, "check", files={"fetch.yaml": SOUND}, severity="error"))
        assert server.stdout is not None
        answers: dict[int, Any] = {}
        while len(answers) < 1001:
            answer = json.loads(server.stdout.readline())
            answers[answer["id"]] = answer

        assert not [answer for number, answer in answers.items() if number and answer["result"].get("isError")]


MALFORMED = (
    b"\n",
    b"{\n",
    b"nothing\n",
    b"\xff\xfe\n",
    b"[]\n",
    b'{"jsonrpc":"2.0"}\n',
    b'{"jsonrpc":"2.0","id":null,"method":"tools/call"}\n',
    b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}\n',
    b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":1}}\n',
    b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"check","arguments":"all"}}\n',
    b'{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}\n',
    b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}\n',
    b'{"jsonrpc":"2.0","id":7,"result":{}}\n',
    b'{"a":' * 5000 + b"1" + b"}" * 5000 + b"\n",
)


def test_malformed_messages_do_not_end_the_server(root: Path) -> None:
    with process(root) as server:
        for message in MALFORMED:
            send(server, message)
        send(server, HELLO)
        assert receive(server, 0)["result"]
        for message in MALFORMED:
            send(server, message)
        send(server, call_message(8, "explain", what="REF004"))

        assert not receive(server, 8)["result"].get("isError")


@pytest.mark.parametrize("is_during_a_call", [True, False])
def test_the_server_ends_with_its_client(root: Path, *, is_during_a_call: bool) -> None:
    with process(root) as server:
        send(server, HELLO)
        receive(server, 0)
        if is_during_a_call:
            send(server, call_message(1, "check", files={f"{number}.yaml": SOUND for number in range(900)}))
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.close()
        server.stdout.close()

        assert server.wait(timeout=60) == 0
        assert server.stderr is not None
        assert b"Traceback" not in server.stderr.read()


def test_an_interrupted_server_prints_no_traceback(root: Path) -> None:
    with process(root) as server:
        send(server, HELLO)
        receive(server, 0)
        server.send_signal(signal.SIGINT)
        assert server.stdin is not None
        server.stdin.close()

        assert server.wait(timeout=60) in {0, 130}
        assert server.stderr is not None
        assert b"Traceback" not in server.stderr.read()


def test_a_cancelled_call_ends_soon_and_frees_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    steps: list[int] = []

    def endless(_: object) -> dict[str, Any]:
        while len(steps) < 1_000_000:
            steps.append(1)
            timing.step("read", 0, 1)
            time.sleep(0.001)
        return {}

    monkeypatch.setattr("mcpcfg.compiler.agent.check.check", endless)

    async def conversation(client: Client) -> Any:
        with anyio.move_on_after(0.3):
            await client.call_tool("check", {})
        return await client.call_tool("explain", {"what": "REF004"})

    assert not talk(tmp_path, conversation).is_error
    assert 0 < len(steps) < 10_000


def test_a_long_call_reports_its_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server_module, "_PAUSE", 0)
    (tmp_path / "fetch.yaml").write_text(SOUND, "utf-8")
    told: list[tuple[float, str | None]] = []

    async def note(progress: float, total: float | None, message: str | None) -> None:
        del total
        told.append((progress, message))

    talk(tmp_path, lambda client: client.call_tool("check", {}, progress_callback=note))

    assert [progress for progress, _ in told] == [float(number) for number in range(1, len(told) + 1)]
    assert {"read and admit files …", "run rules …"} <= {message for _, message in told}


def test_a_line_of_any_length_is_dropped_in_parts() -> None:
    with open(os.devnull, "rb") as nothing:
        assert stream.BoundedLines(nothing)._read() == b""


def _memory(pid: int) -> int:
    """Return the resident memory of a process in KiB, or 0 where the system does not tell it."""
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return 0
    return int(status.read_text("utf-8").partition("VmHWM:")[2].split()[0])


STANDARD_INPUT_CALLS: tuple[tuple[str, dict[str, Any]], ...] = tuple(
    (tool, arguments)
    for path in ("-", "./-", "././-", "deploy/../-")
    for tool, arguments in (
        ("check", {"paths": [path]}),
        ("check", {"paths": ["deploy", path]}),
        ("fix", {"paths": [path]}),
        ("build", {"paths": [path], "target": "kubernetes"}),
        ("diff", {"old": path}),
        ("diff", {"old": "deploy", "new": path}),
        ("graph", {"paths": [path]}),
        ("simulate", {"paths": [path], "subject": "rate-limit", "name": "fetch"}),
        ("simulate", {"subject": "rate-limit", "name": path}),
        ("search_registry", {"file": path}),
    )
)


@pytest.mark.parametrize("is_there", [True, False])
def test_no_path_reads_the_pipe_of_the_protocol(root: Path, *, is_there: bool) -> None:
    if is_there:
        (root / "-").write_text(SOUND.replace("stdio", "bogus"), "utf-8")
    with process(root) as server:
        send(server, HELLO)
        answers = []
        for number, (tool, arguments) in enumerate(STANDARD_INPUT_CALLS, 1):
            send(server, call_message(number, tool, **arguments))
            answers.append(receive(server, number))
            send(server, {"jsonrpc": "2.0", "id": 10_000, "method": "ping"})
            assert receive(server, 10_000)["result"] == {}

    checked = [answer["result"] for answer, (tool, _) in zip(answers, STANDARD_INPUT_CALLS, strict=True)]
    for result, (_, arguments) in zip(checked, STANDARD_INPUT_CALLS, strict=True):
        if "paths" in arguments and not is_there:
            assert "no such file" in json.dumps(result), arguments
    if is_there:
        finding = checked[0]["structuredContent"]["findings"][0]
        assert (finding["rule"], finding["file"]) == ("ADM004", "./-")


def test_a_text_may_be_called_like_standard_input(root: Path) -> None:
    answer = ask(root, "check", files={"-": SOUND.replace("stdio", "bogus")}).structured_content

    assert [finding["file"] for finding in answer["findings"]] == ["./-"]


@pytest.mark.parametrize("depth", [150, 190, 200, 1000, 100_000])
@pytest.mark.parametrize("is_last", [True, False])
def test_a_deep_message_is_answered_with_its_id(root: Path, depth: int, *, is_last: bool) -> None:
    nested = '{"id": 99, "a": ' * depth + '"\\"[{"' + "}" * depth
    number = '"id": "own"'
    parts = [
        number,
        '"jsonrpc": "2.0"',
        '"method": "tools/call"',
        f'"params": {{"name": "check", "arguments": {nested}}}',
    ]
    with process(root) as server:
        send(server, HELLO)
        send(server, f"{{{', '.join(parts[1:] + parts[:1] if is_last else parts)}}}\n".encode())
        answer = receive(server, "own")
        send(server, call_message(2, "explain", what="REF004"))
        assert not receive(server, 2)["result"].get("isError")

    if depth <= 190:
        assert answer["result"]["isError"]
    else:
        assert "nested deeper than 190 levels" in answer["error"]["data"]


@pytest.mark.parametrize(
    "message",
    [
        b'{"jsonrpc":"2.0","id":7}',
        b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}',
        b'{"jsonrpc":"2.0","method":5,"id":7}',
        b'{"id":7,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":"\\ud800"}}',
        b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{',
        b'{"jsonrpc":"2.0","params":{"id":8},"id":7,"method":"ping" "',
    ],
)
def test_a_message_that_cannot_be_read_is_answered_with_its_id(root: Path, message: bytes) -> None:
    with process(root) as server:
        send(server, HELLO)
        receive(server, 0)
        send(server, message + b"\n")
        send(server, {"jsonrpc": "2.0", "id": 8, "method": "ping"})
        assert server.stdout is not None
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]

    assert {answer["id"]: "error" in answer for answer in answers} == {7: True, 8: False}


ACTING = "a\u202eb\u2066c\x1b[31md\u200be\x7ff\u2028g"


def test_both_parts_of_an_answer_escape_what_acts_on_a_terminal(root: Path) -> None:
    text = resource("MCPServer", "fetch", "{image: 'a:1', transport: stdio, args: [" + json.dumps(ACTING) + "]}")
    bad = text.replace("transport:", f"? {json.dumps(ACTING)}\n    : 1\n    transport:").replace("{image", "{image")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("check", {"files": {f"{ACTING.replace(chr(0x1B), '')}.yaml": text.replace("stdio", json.dumps(ACTING))}}),
        ("check", {"files": {"a.yaml": bad}}),
        ("build", {"files": {"a.yaml": text}, "target": "kubernetes"}),
        ("build", {"files": {"a.yaml": text}, "target": "runconfig"}),
        ("diff", {"new": "deploy", "files": {"deploy/fetch.yaml": text}}),
        ("graph", {"files": {"a.yaml": text.replace("name: fetch", "name: " + json.dumps(ACTING))}}),
        ("explain", {"what": ACTING}),
        (ACTING, {}),
    ]
    acting = {char for char in ACTING if not char.isprintable()}

    for tool, arguments in calls:
        result = ask(root, tool, **arguments)
        strings = json.dumps(result.structured_content, ensure_ascii=False) + text_of(result)
        assert not acting.intersection(strings), tool
        if result.structured_content is not None:
            assert not acting.intersection("".join(_strings(result.structured_content))), tool
            assert json.loads(text_of(result)) == result.structured_content


def _strings(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for item in (*value, *value.values()) for text in _strings(item)]
    if isinstance(value, list):
        return [text for item in value for text in _strings(item)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("flip", ["before", "after"])
def test_a_folder_that_flips_to_a_link_leads_no_write_outside(
    root: Path, monkeypatch: pytest.MonkeyPatch, flip: str
) -> None:
    misspelt = SOUND.replace("image", "imagee")
    other = root.parent / "other"
    for folder in (other, root / "deploy"):
        folder.mkdir(exist_ok=True)
        (folder / "fetch.yaml").write_text(misspelt, "utf-8")
    place_of, enter = confinement.place_of, open_folder.OpenFolder.__enter__

    def turn() -> None:
        if not (root / "moved").exists():
            (root / "deploy").rename(root / "moved")
            (root / "deploy").symlink_to(other)

    def judged(*given: Any, **named: Any) -> Any:
        place = place_of(*given, **named)
        if flip == "before":
            turn()
        return place

    def opened(folder: Any) -> Any:
        if flip == "after" and folder.path.endswith("deploy"):
            turn()
        return enter(folder)

    monkeypatch.setattr(output_file, "place_of", judged)
    answer_before = ask(root, "fix", may_write=True, paths=["deploy"])
    monkeypatch.setattr(open_folder.OpenFolder, "__enter__", opened)
    ask(root, "fix", may_write=True, paths=["deploy"], write=True)

    assert answer_before.structured_content["files"]
    assert (other / "fetch.yaml").read_text("utf-8") == misspelt


def test_a_file_that_flips_to_a_link_is_not_read(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place_of = confinement.place_of
    file = root / "deploy" / "fetch.yaml"

    def judged(path: str, *given: Any, **named: Any) -> Any:
        place = place_of(path, *given, **named)
        if path.endswith("fetch.yaml") and not file.is_symlink():
            file.unlink()
            file.symlink_to(root.parent / "outside.yaml")
        return place

    monkeypatch.setattr(confinement, "place_of", judged)

    assert SECRET not in text_of(ask(root, "check", paths=["deploy"]))


def test_a_file_that_changed_after_it_was_checked_is_not_replaced(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = root / "deploy" / "fetch.yaml"
    file.write_text(SOUND.replace("image", "imagee"), "utf-8")
    place_of = confinement.place_of

    def judged(*given: Any, **named: Any) -> Any:
        file.write_text("own: text\n", "utf-8")
        return place_of(*given, **named)

    monkeypatch.setattr(output_file, "place_of", judged)
    result = ask(root, "fix", may_write=True, paths=["deploy"], write=True)

    assert result.is_error
    assert text_of(result) == "deploy/fetch.yaml has changed since it was read: nothing was written"
    assert file.read_text("utf-8") == "own: text\n"


@pytest.mark.parametrize("tool", ["check", "search_registry", "simulate"])
def test_a_pipe_in_place_of_a_file_does_not_stop_the_server(root: Path, tool: str) -> None:
    os.mkfifo(root / "pipe.yaml")
    arguments: dict[str, dict[str, Any]] = {
        "check": {"paths": ["pipe.yaml"]},
        "search_registry": {"file": "pipe.yaml"},
        "simulate": {"subject": "rate-limit", "name": "pipe.yaml"},
    }

    assert ask(root, tool, **arguments[tool]).is_error


def test_a_path_of_any_length_is_refused_and_not_kept(root: Path) -> None:
    result = ask(root, "check", files={"a/" * 100_000: ""})

    assert text_of(result) == "a path has more than 4096 characters"


def _large(number: int, place: str) -> str:
    long = f"{number}-{'long ' * 80_000}"
    spec = {
        "args": f"{{image: 'a:1', transport: stdio, args: ['{long}']}}",
        "field": f"{{image: 'a:1', transport: stdio, '{long}': 1}}",
        "pod": f"{{image: 'a:1', transport: stdio, podTemplateSpec: {{spec: {{hostname: '{long}'}}}}}}",
        "policy": "{image: 'a:1', transport: stdio, authzConfig: {type: inline, inline: "
        f"{{policies: ['{long}']}}}}}}",
    }
    return resource("MCPServer", f"s{number}", spec[place])


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the system does not tell the memory")
@pytest.mark.parametrize("place", ["args", "field", "pod", "policy"])
def test_the_memory_does_not_grow_with_the_size_of_earlier_texts(root: Path, place: str) -> None:
    with process(root) as server:
        send(server, HELLO)
        used = []
        for number in range(1, 31):
            send(server, call_message(number, "check", files={f"{number}.yaml": _large(number, place)}))
            assert "result" in receive(server, number)
            used.append(
                int(Path(f"/proc/{server.pid}/statm").read_text("utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE")
            )

    # The allocator and the caches fill up during the first ten calls.
    # Twenty kept texts would take more than 30 MB.
    assert used[-1] - max(used[:10]) < 10 * 2**20, used
