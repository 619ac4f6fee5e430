"""What rules look at is noted, and a change that bears on it is found."""

from __future__ import annotations

import pytest
from sample import resource

from mcpcfg.compiler.intake.facts import admit_document
from mcpcfg.compiler.intake.memory import Recollection, pack_verdicts
from mcpcfg.compiler.reading.document import read_documents
from mcpcfg.validators.recall import Changed, Dependents, Watched
from mcpcfg.validators.rule import Verdict

SERVER = ("image: ghcr.io/acme/fetch:1.0", "transport: streamable-http", "toolConfigRef: {name: tools}")


def watched(*texts: str) -> Watched:
    """Return a workspace of some resources, in order."""
    documents = [document for text in texts for document in read_documents(text, "all.yaml")[0]]
    return Watched([found for found, _ in map(admit_document, documents) if found is not None])


@pytest.fixture
def workspace() -> Watched:
    return watched(
        resource("MCPServer", "fetch", *SERVER, namespace="a"),
        resource("MCPToolConfig", "tools", "toolsFilter: [x]", namespace="a"),
        resource("MCPGroup", "others", namespace="a"),
    )


def test_what_a_resource_refers_to_goes_without_saying(workspace: Watched) -> None:
    server, tools, _ = workspace.inventory
    asked = workspace.watch(lambda: (workspace.references(server), workspace.is_refused(tools)), 0)
    assert not asked[1]


def test_every_other_question_is_a_key(workspace: Watched) -> None:
    server, tools, group = workspace.inventory

    def ask(work: object) -> list[str]:
        assert callable(work)
        return list(workspace.watch(work, 2)[1])

    assert ask(lambda: workspace.is_refused(tools)) == ["MCPToolConfig/a/tools"]
    assert ask(lambda: workspace.reference(server, "spec", "toolConfigRef", "name")) == ["&MCPServer/a/fetch"]
    assert ask(lambda: workspace.members(group)) == [
        ">MCPGroup/?/others",
        ">MCPGroup/a/others",
        "MCPGroup/*/others",
    ]
    assert ask(lambda: workspace.find("MCPServer", "a", "fetch", "all.yaml")) == ["MCPServer/a/fetch"]
    assert ask(lambda: workspace.find("MCPServer", "a", "no", "all.yaml")) == ["MCPServer/?/no", "MCPServer/a/no"]
    assert ask(lambda: workspace.of_kind("MCPServer")) == ["MCPServer/*"]
    assert ask(workspace.turned_away) == ["*"]


@pytest.mark.parametrize("times", [1, 6])
def test_a_change_reaches_what_looked_at_it(workspace: Watched, times: int) -> None:
    dependents = Dependents(workspace, {0: (), 1: (), 2: (">MCPGroup/a/others", "&MCPServer/a/fetch")})
    for _ in range(times):
        assert dependents.of([Changed("MCPToolConfig", "a", "tools", ())]) == {0, 1, 2}
        assert dependents.of([Changed("MCPToolConfig", "b", "tools", ())]) == set()
        assert dependents.of([Changed("MCPServer", "a", "new", (("MCPGroup", "others"),))]) == {2}


def test_a_resource_that_is_refused_all_at_once_shakes_those_that_asked(workspace: Watched) -> None:
    told = pack_verdicts({0: Verdict(()), 2: Verdict((), keys=("MCPServer/a/fetch",))}, [(0, 0), (2, 2)], workspace)
    recollection = Recollection(workspace, [(told, [0, 2])], [], [], shaken=(), stands=True)
    assert not recollection.due
    assert set(recollection.learn(0, Verdict((), refused="REF002"))) == {0, 2}
    assert not recollection.learn(0, Verdict(()))
