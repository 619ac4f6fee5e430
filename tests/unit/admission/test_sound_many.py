"""Thousands of faults in one object."""

from __future__ import annotations

from mcpcfg.compiler.admission.admit import admit
from mcpcfg.compiler.reading.document import read_documents

HEAD = "apiVersion: toolhive.stacklok.dev/v1beta1\nkind: MCPServer\nmetadata: {name: a}\nspec:\n  image: b\n  env:\n"


def test_corrected_items_of_a_list_share_one_copy_and_the_document_stays_unchanged() -> None:
    text = HEAD + "".join(f"  - {{name: A{number}, valu: x}}\n" for number in range(300))
    [document] = read_documents(text, "a.yaml")[0]

    admission = admit(document)

    env = admission.data["spec"]["env"]
    assert [one.get("value") for one in env[:3]] == ["x"] * 3
    assert [set(one) for one in document.data["spec"]["env"]] == [{"name", "valu"}] * 300
    assert len(env) == 300
