"""A project as Mermaid, DOT and a page: stable, and safe whatever the names are."""

from __future__ import annotations

import json
import random
import re
import time
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from calling import call
from drawing import drawn, resource

from mcpcfg.compiler import api
from mcpcfg.compiler.diagnostics.shown import visible
from mcpcfg.compiler.graph import layout, text, workflow_picture
from mcpcfg.compiler.graph import page as graph_page
from mcpcfg.compiler.graph.graph import ToolStep, WorkflowPicture
from mcpcfg.compiler.graph.graph import graph as graph_of

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion

ROOT = Path(__file__).parents[3]
HOSTILE = [
    "</script><script>document.title='owned'</script>",
    '"><img src=x onerror=alert(1)>',
    'a"]; click n0 "javascript:alert(1)"',
    "a|b`c`#quot;&amp;",
    "line\nbreak\\n\u2028",
    "{{ 7 * 7 }}{% raw %}",
    "&lt;/script&gt;",
]
PROJECTS = ["virtual-server", "broken-references"]


@pytest.mark.parametrize("project", PROJECTS)
@pytest.mark.parametrize("form", ["mermaid", "dot"])
def test_the_drawing_of_a_project_is_unchanged(
    project: str, form: str, snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    outcome = call("graph", f"fixtures/projects/{project}", "--format", form)
    assert outcome.status == 0
    assert outcome.out == snapshot


def test_the_order_of_the_input_does_not_matter() -> None:
    texts = [
        *(resource("MCPServer", f"s{i}", f"{{image: i, groupRef: {{name: g{i % 3}}}}}") for i in range(12)),
        *(resource("MCPGroup", f"g{i}") for i in range(3)),
        resource("VirtualMCPServer", "v", "{groupRef: {name: g1}, incomingAuth: {type: anonymous}}"),
    ]
    wanted = graph_page.render(drawn(*texts), "t")
    for seed in range(5):
        random.Random(seed).shuffle(texts)
        assert graph_page.render(drawn(*texts), "t") == wanted


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_stays_text_on_the_page(name: str) -> None:
    texts = [
        resource("MCPGroup", json.dumps(name)),
        resource("MCPServer", "s", f"{{image: i, groupRef: {{name: {json.dumps(name)}}}}}"),
        resource(
            "VirtualMCPCompositeToolDefinition",
            "d",
            f"{{name: d, description: d, steps: [{{id: {json.dumps(name)}, tool: {json.dumps(name)}}}]}}",
        ),
    ]
    page = graph_page.render(drawn(*texts), name)
    assert len(re.findall("<script", page)) == 2
    assert "<img" not in page
    embedded = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert embedded is not None
    assert visible(f"MCPGroup/default/{name}") in json.loads(embedded[1])


def test_the_page_has_the_details_of_every_node() -> None:
    server = resource("MCPServer", "s", "{image: 'ghcr.io/a/b:1', groupRef: {name: g}}")
    page = graph_page.render(drawn(resource("MCPGroup", "h"), server), "t")
    embedded = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert embedded is not None
    common = {"namespace": "default", "cluster": "", "workflows": []}
    finding = {
        "severity": "error",
        "rule": "REF001 dangling-group (operator)",
        "message": 'MCPGroup "g" does not exist in namespace "default"',
        "hint": "declare it, or list it under external in mcpcfg.yaml",
        "place": "all.yaml:4:49",
    }
    assert json.loads(embedded[1]) == {
        "MCPGroup/default/g": {
            **common,
            "kind": "MCPGroup",
            "name": "g",
            "style": "missing",
            "verdict": "missing",
            "place": "",
            "findings": [],
            "refers": [],
            "referred": [{"field": "groupRef", "from": "MCPServer/default/s"}],
        },
        "MCPGroup/default/h": {
            **common,
            "kind": "MCPGroup",
            "name": "h",
            "style": "accepted",
            "verdict": "accepted",
            "place": "all.yaml:3",
            "findings": [],
            "refers": [],
            "referred": [],
        },
        "MCPServer/default/s": {
            **common,
            "kind": "MCPServer",
            "name": "s",
            "style": "refused",
            "verdict": "operator",
            "place": "all.yaml:3",
            "findings": [finding],
            "refers": [{"field": "groupRef", "to": "MCPGroup/default/g", "problem": "missing"}],
            "referred": [],
        },
    }


def test_the_page_says_what_to_do_about_a_finding() -> None:
    page = graph_page.render(drawn(resource("MCPServer", "s", "{image: i, groupRef: {name: g}}")), "t")
    embedded = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    assert embedded is not None
    details = next(one for one in json.loads(embedded[1]).values() if one["kind"] == "MCPServer")
    hints = [finding["hint"] for finding in details["findings"]]
    assert "declare it, or list it under external in mcpcfg.yaml" in hints
    assert [reference["problem"] for reference in details["refers"]] == ["missing"]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_does_not_end_its_label(name: str) -> None:
    graph = drawn(resource("MCPGroup", json.dumps(name)))
    mermaid = text.mermaid(graph).splitlines()
    assert re.fullmatch(r'    n0\["MCPGroup<br/><b>[^"<>]*</b>"\]:::refused', mermaid[1])
    dot = text.dot(graph).splitlines()
    assert re.fullmatch(r'  "(\\.|[^"\\])*" \[label="(\\.|[^"\\])*", color="#c62828"\];', dot[3])


def test_no_box_covers_another_and_every_edge_ends_at_its_boxes() -> None:
    graph = drawn(
        *(
            resource("MCPServer", f"s{i}", f"{{image: i, groupRef: {{name: g{i % 7}}}, toolConfigRef: {{name: t}}}}")
            for i in range(60)
        ),
        *(
            resource("VirtualMCPServer", f"v{i}", f"{{groupRef: {{name: g{i}}}, incomingAuth: {{type: anonymous}}}}")
            for i in range(7)
        ),
        *(resource("MCPGroup", f"g{i}") for i in range(7)),
    )
    placed = layout.layout(graph)
    boxes = sorted(placed.boxes, key=lambda box: (box.x, box.y))
    for one, other in pairwise(boxes):
        assert one.x != other.x or other.y - one.y >= layout.HEIGHT
    assert len(placed.routes) == len(graph.edges)
    at = {box.node.id: box for box in placed.boxes}
    for route in placed.routes:
        numbers = [int(number) for number in re.findall(r"-?\d+", route.path)]
        source, target = at[route.edge.source], at[route.edge.target]
        sides = {(0, layout.HEIGHT // 2), (layout.WIDTH, layout.HEIGHT // 2)}
        assert (numbers[0] - source.x, numbers[1] - source.y) in sides
        assert (numbers[-2] - target.x, numbers[-1] - target.y) in sides
    assert placed.height > max(box.y for box in placed.boxes) + layout.HEIGHT


def test_a_project_without_resources_is_drawn_as_an_empty_page() -> None:
    page = graph_page.render(drawn(), "empty")
    assert 'viewBox="0 0 32 ' in page


def test_steps_of_a_cycle_are_drawn_below_the_others() -> None:
    steps = tuple(
        ToolStep(name, "tool", "t", after)
        for name, after in (("a", ()), ("b", ("a", "c")), ("c", ("b",)), ("d", ("x", "c")))
    )
    made = workflow_picture.picture(WorkflowPicture("w", steps))
    assert [(box.step.id, box.y // 84) for box in made.boxes] == [("a", 0), ("b", 1), ("c", 1), ("d", 1)]
    assert len(made.arrows) == 4


def test_a_long_chain_of_steps_is_laid_out_quickly() -> None:
    steps = tuple(ToolStep(f"s{i}", "tool", "t", (f"s{i - 1}",) if i else ()) for i in range(20_000))
    began = time.process_time()
    assert len(workflow_picture.picture(WorkflowPicture("w", steps)).arrows) == 19_999
    assert time.process_time() - began < 2


def test_a_thousand_servers_are_laid_out_quickly() -> None:
    texts = [
        resource("MCPServer", f"s{i}", f"{{image: i, groupRef: {{name: g{i % 9}}}, toolConfigRef: {{name: t{i % 5}}}}}")
        for i in range(1000)
    ]
    graph = drawn(*texts)
    began = time.process_time()
    layout.layout(graph)
    assert time.process_time() - began < 2


def test_the_middle_of_a_long_name_is_left_out() -> None:
    assert graph_page.shortened("a-server-with-a-long-name-for-letters", 20) == "a-server-wi…-letters"
    assert graph_page.shortened("short", 5) == "short"


@pytest.mark.parametrize("form", ["mermaid", "dot"])
def test_resources_with_one_name_in_two_namespaces_are_distinguished(
    form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    head = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPGroup\nmetadata: {name: NAME, namespace: SPACE}\n---\n"
    both = [head.replace("NAME", "tools").replace("SPACE", space) for space in ("dev", "prod")]
    Path("a.yaml").write_text("".join(both) + head.replace("NAME", "other").replace("SPACE", "dev"))

    drawn = call("graph", "--format", form).out

    assert "dev/tools" in drawn
    assert "prod/tools" in drawn
    assert '"MCPGroup\\nother"' in drawn or "<b>other</b>" in drawn


def test_isolated_files_are_drawn_side_by_side(tmp_path: Path) -> None:
    for name in ("one", "two"):
        server = resource("MCPServer", "fetch", "{image: i, groupRef: {name: tools}}")
        (tmp_path / f"{name}.yaml").write_text(server + "---\n" + resource("MCPGroup", "tools"))
    (tmp_path / "three.yaml").write_text(resource("MCPServer", "fetch", "{image: i, groupRef: {name: gone}}"))
    drawn_as = call("graph", str(tmp_path), "--isolated").out
    assert drawn_as.count("fetch in ") == 3
    assert drawn_as.count("tools in ") == 2
    assert drawn_as.count('-->|"groupRef"|') == 2
    assert drawn_as.count("groupRef: missing") == 1
    assert call("graph", str(tmp_path), "--isolated", "--format", "html").status == 0


def test_each_namespace_has_a_frame_and_the_picture_stays_compact() -> None:
    texts = [
        resource("MCPServer", f"s{i}", "{image: i, groupRef: {name: g}}").replace(
            f"name: s{i}", f"name: s{i}, namespace: n{i % 6}"
        )
        for i in range(300)
    ]
    graph = drawn(*texts)
    placed = layout.layout(graph)
    assert [frame.title for frame in placed.frames] == [f"n{i}" for i in range(6)]
    inside = {frame.title: frame for frame in placed.frames}
    for box in placed.boxes:
        frame = inside[box.node.namespace]
        assert frame.x < box.x < box.x + layout.WIDTH < frame.x + frame.width
        assert frame.y < box.y < box.y + layout.HEIGHT < frame.y + frame.height
    for one, other in combinations(placed.frames, 2):
        beside = one.x + one.width <= other.x or other.x + other.width <= one.x
        assert beside or one.y + one.height <= other.y or other.y + other.height <= one.y
    assert placed.width < 6000
    assert placed.height < 4000


def test_resources_of_several_clusters_are_drawn_in_separate_groups() -> None:
    report = api.check(ROOT / "fixtures" / "projects" / "values-of-clusters")
    made = graph_of(report.workspace, report.findings)

    assert {node.cluster for node in made.nodes} == {"lab", "north", "south", "north, south"}
    assert [node.cluster for node in made.nodes if node.name == "forecast"] == ["north, south"]
    assert [node.cluster for node in made.nodes if node.name == "weather" and node.kind == "MCPServer"] == [
        "lab",
        "north",
        "south",
    ]
    assert sorted(node.id for node in made.nodes if node.kind == "MCPOIDCConfig") == [
        f"MCPOIDCConfig/mcp/login of {cluster}" for cluster in ("lab", "north", "south")
    ]
    assert 'subgraph s0["lab · mcp"]' in text.mermaid(made)
    assert 'subgraph cluster_0 { label="lab · mcp"' in text.dot(made)


def test_kind_name_and_place_of_a_box_have_a_line_each_and_the_frame_has_the_namespace() -> None:
    texts = [
        resource("VirtualMCPServer", "office", "{}").replace("name: office", f"name: office, namespace: office-{one}")
        for one in ("production", "staging")
    ]
    html = graph_page.render(drawn(*texts), "a title")
    boxes = html.partition('class="node')[2]
    lines = re.findall(r'<text[^>]* y="(\d+)">(VirtualMCPServer|office|[^<]*yaml:\d+|office-production)</text>', boxes)
    assert [(y, text.rpartition(".")[2]) for y, text in lines[:3]] == [
        ("18", "VirtualMCPServer"),
        ("37", "office"),
        ("54", "yaml:3"),
    ]
    assert [text for _, text in lines].count("office-production") == 0
    assert re.findall(r'<text x="20" y="26">(.*)</text>', html) == ["office-production", "office-staging"]
    assert set(re.findall(r'<text[^>]* x="(\d+)"[^>]*>office', boxes)) == {"12"}
