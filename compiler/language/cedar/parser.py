"""Parser of policies as the proxy parses them.

cedar-go parses the first policy of a text and ignores the rest. It does not support templates (``?principal``). It
checks the names of functions and methods, but the number of arguments only for methods of the core language.

Source: cedar-go v1.6, ``internal/parser/cedar_unmarshal.go``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ..trampoline import Step, entry
from .lexer import tokenize
from .reader import PolicyReader
from .syntax import EntityId, Policy, PolicyScope

if TYPE_CHECKING:
    from .expression import PolicyCondition


class _PolicyParser(PolicyReader):
    def __init__(self, text: str) -> None:
        super().__init__(text, tokenize(text), "the policy")

    def policy(self) -> Step[Policy]:
        annotations = self.annotations()
        effect = self.effect()
        self.expect("(")
        principal = self.scope("principal")
        self.expect(",")
        action = self.scope("action")
        self.expect(",")
        resource = self.scope("resource")
        self.skip(",")
        self.expect(")")
        conditions: tuple[PolicyCondition, ...] = ()
        if self.token.text in ("when", "unless"):
            from .condition import read_conditions

            conditions = yield read_conditions(self)
        end = self.token.offset + 1
        self.expect(";")
        rest = None if self.token.kind == "end" else self.token.offset
        return Policy(annotations, effect, principal, action, resource, conditions, end, rest)

    def annotations(self) -> tuple[tuple[str, str], ...]:
        annotations: dict[str, str] = {}
        while self.skip("@"):
            name = self.take()
            if name.kind not in ("name", "keyword"):
                self.at -= name.kind != "end"
                self.unexpected("the name of an annotation")
            self.expect("(")
            if name.text in annotations:
                self.fail(name.offset, f"the annotation @{name.text} stands twice")
            annotations[name.text] = self.string("a string")
            self.expect(")")
        return tuple(annotations.items())

    def effect(self) -> Literal["permit", "forbid"]:
        if self.skip("permit"):
            return "permit"
        if not self.skip("forbid"):
            self.unexpected("'permit' or 'forbid'")
        return "forbid"

    def scope(self, variable: str) -> PolicyScope:
        self.expect(variable)
        if self.skip("=="):
            return PolicyScope((self.entity(),), is_equal=True)
        if self.skip("in"):
            if variable == "action" and self.skip("["):
                return PolicyScope(self.entity_list(), is_set=True)
            return PolicyScope((self.entity(),))
        if variable != "action" and self.skip("is"):
            path = self.path()
            return PolicyScope((self.entity(),) if self.skip("in") else (), path)
        return PolicyScope()

    def entity_list(self) -> tuple[EntityId, ...]:
        entities: list[EntityId] = []
        while not self.skip("]"):
            entities.append(self.entity())
            if self.token.text != "]":
                self.expect(",")
        return tuple(entities)

    def entity(self) -> EntityId:
        offset = self.token.offset
        words = [self.name('an entity such as Type::"id"')]
        while True:
            self.expect("::")
            if self.token.kind == "string":
                return EntityId("::".join(words), self.string("an id"), offset)
            words.append(self.name("a name or a string"))


@entry
def parse(text: str) -> Step[Policy]:
    """Return the first policy of ``text``.

    Raises:
        FaultError: cedar-go refuses the policy. The fault is at the first unexpected token.
    """
    policy: Policy = yield _PolicyParser(text).policy()
    return policy
