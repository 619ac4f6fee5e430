"""Move grants of an embedded authorization server from their older fields to ``inboundGrants``.

Source: ``NormalizeInboundGrants`` in the operator, v0.49.0.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from ..diagnostics.plain import listed, mapping
from ..toolhive.legacy_grant import ASSERTIONS, CLIENTS, POLICY, legacy_fields
from .edit import Change, Edit, FileFix
from .field import mapping_end
from .source_buffer import reindented

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..diagnostics.span import Path
    from .fix_context import FixContext
    from .source_buffer import SourceBuffer

_SERVERS: Final = ("embeddedAuthServer", "authServerConfig")
_ISSUERS: Final = "trustedIssuers"
_LONGEST_NAME: Final = 253


def moved_grants(site: FixContext) -> FileFix | None:
    """Return a safe fix that moves all grants of a server, or ``None`` if one of them cannot be moved.

    Comments and order are kept. Token exchange stays on: without ``inboundGrants`` it is on, with it only if stated.
    """
    length = next((number + 1 for number, step in enumerate(site.path) if step in _SERVERS), 0)
    if not length or not site.page.document.has(site.path[:length]):
        return None
    mover = _Mover(site.page, site.path[:length])
    try:
        return mover.fix()
    except _UnmovableError:
        return None


class _UnmovableError(Exception):
    """An entry is in flow style or shares its line, or ``inboundGrants`` states the grant already."""


class _Mover:
    """Collects the texts of the moved entries, the edits that remove them, and the changes of the data."""

    def __init__(self, page: SourceBuffer, path: Path) -> None:
        self.page = page
        self.path = path
        self.server: dict[str, Any] = page.data(path)
        self.edits: list[Edit] = []
        self.changes: list[Change] = []
        self._made_names: dict[int, str] = {}
        self.names = {str(mapping(issuer).get("name")) for issuer in listed(self.server.get(_ISSUERS))}

    def fix(self) -> FileFix | None:
        fields = list(legacy_fields(self.server))
        grants = self.server.get("inboundGrants")
        families = {field.grant for field in fields}
        if not fields or not families.isdisjoint(mapping(grants)):
            return None
        base = self.page.column(self.page.key((*self.path, str(fields[0].path[0])))[0])
        step = self.page.step()
        families |= {"tokenExchange"} if grants is None else set()
        text = ""
        for family, block in (("tokenExchange", self._exchange), ("jwtBearer", self._assertions)):
            if family in families:
                inner, value = block(base + 2 * step)
                head = f"{' ' * (base + step)}{family}:" + ("" if inner else " {}")
                text += f"{head}{self.page.newline}{inner}"
                self.changes.append(Change("put", (*self.path, "inboundGrants", family), value))
        self._insert(text, base, is_new=grants is None)
        title = "move delegateClients and policies of trustedIssuers to inboundGrants"
        return FileFix(title, tuple(sorted(self.edits)), tuple(self.changes), self.page.document.index)

    def _insert(self, text: str, base: int, *, is_new: bool) -> None:
        if is_new:
            last = _ISSUERS if _ISSUERS in self.server else CLIENTS
            at = self._lines((last,))[1]
            text = f"{' ' * base}inboundGrants:{self.page.newline}{text}"
        else:
            place = mapping_end(self.page, (*self.path, "inboundGrants"))
            if place is None:
                raise _UnmovableError
            at = place[0]
        is_line_removed = any(edit.end == at for edit in self.edits)
        if at > 0 and self.page.text[at - 1] not in "\r\n" and not is_line_removed:
            text = self.page.newline + text
        self.edits.append(Edit(at, at, text))

    def _exchange(self, column: int) -> tuple[str, dict[str, Any]]:
        """Return the text and the value of ``tokenExchange``."""
        text, value = "", dict[str, Any]()
        if self.server.get(CLIENTS):
            value[CLIENTS] = self.server[CLIENTS]
            text += self._taken((CLIENTS,), column)
        policies = list(self._policies(column, POLICY, is_block=False))
        if policies:
            value["issuerPolicies"] = [policy for _, policy in policies]
            text += f"{' ' * column}issuerPolicies:{self.page.newline}" + "".join(policy for policy, _ in policies)
        return text, value

    def _assertions(self, column: int) -> tuple[str, dict[str, Any]]:
        """Return the text and the value of ``jwtBearer``."""
        policies = list(self._policies(column, (ASSERTIONS,), is_block=True))
        head = f"{' ' * column}issuerPolicies:{self.page.newline}"
        text = head + "".join(policy for policy, _ in policies)
        return text, {"issuerPolicies": [policy for _, policy in policies]}

    def _policies(
        self, column: int, fields: tuple[str, ...], *, is_block: bool
    ) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the text and the value of a policy for each issuer with one of the fields.

        Args:
            is_block: True if the entries of the fields, not the fields themselves, belong into the policy.
        """
        for number, issuer in enumerate(listed(self.server.get(_ISSUERS))):
            path: Path = (_ISSUERS, number)
            if not any(mapping(issuer).get(field) for field in fields):
                continue
            stated = [field for field in issuer if field in fields]
            name = self._name(number, issuer)
            dash = column + self._dash_indent(path)
            text = f"{' ' * dash}- issuerRef: {name}{self.page.newline}"
            policy: dict[str, Any] = {"issuerRef": name}
            for field in stated:
                if is_block:
                    text += self._block((*path, field), dash + 2)
                    policy |= issuer[field]
                else:
                    text += self._taken((*path, field), dash + 2)
                    policy[field] = issuer[field]
            yield text, policy

    def _block(self, path: Path, column: int) -> str:
        """Return the entries of a block, and remove the block. Comments above it come first."""
        lines, key = self._lines(path), self.page.key((*self.path, *path))
        head = self.page.text[key[1] : self.page.line_end(key[1])].strip()
        if head != ":":
            raise _UnmovableError
        comments = lines[0], self.page.line_start(key[0])
        text = reindented(self.page, comments, column - self.page.column(key[0]))
        for field in self.page.data((*self.path, *path)):
            text += self._text((*path, field), column)
        self._remove(path, lines)
        return text

    def _taken(self, path: Path, column: int) -> str:
        """Return the lines of an entry at a column, and remove the entry."""
        text = self._text(path, column)
        self._remove(path, self._lines(path))
        return text

    def _text(self, path: Path, column: int) -> str:
        lines = self._lines(path)
        text = reindented(self.page, lines, column - self.page.column(self.page.key((*self.path, *path))[0]))
        return text if text.endswith(("\n", "\r")) else text + self.page.newline

    def _remove(self, path: Path, lines: tuple[int, int]) -> None:
        self.edits.append(Edit(*lines, ""))
        self.changes.append(Change("remove", (*self.path, *path)))

    def _lines(self, path: Path) -> tuple[int, int]:
        whole = (*self.path, *path)
        lines = self.page.entry_lines(whole) if self.page.document.has(whole) else None
        if lines is None:
            raise _UnmovableError
        return lines

    def _dash_indent(self, path: Path) -> int:
        """Return by how many columns the file indents the entries of lists."""
        entry = self.page.value((*self.path, *path))[0]
        key = self.page.key((*self.path, path[0]))[0]
        indent = self.page.column(entry) - 2 - self.page.column(key)
        if indent < 0 or self.page.is_flow((*self.path, *path, "")):
            raise _UnmovableError
        return indent

    def _name(self, number: int, issuer: dict[str, Any]) -> str:
        """Return the name of an issuer. One that it lacks is made from its URL, and written after its first entry."""
        stated = issuer.get("name")
        if isinstance(stated, str) and stated:
            return stated
        if number in self._made_names:
            return self._made_names[number]
        base = re.sub(r"[^a-z0-9]+", "-", str(issuer.get("issuerUrl")).partition("://")[2].lower()).strip("-")
        base = base[: _LONGEST_NAME - 8] or "issuer"
        name, count = base, 2
        while name in self.names:
            name, count = f"{base}-{count}", count + 1
        self.names.add(name)
        self._made_names[number] = name
        path = (*self.path, _ISSUERS, number)
        first = next(iter(issuer))
        start, end = self.page.key((*path, first))[0], self.page.value((*path, first))[1]
        if "name" in issuer or self.page.line_start(start) != self.page.line_start(end):
            raise _UnmovableError
        at = self.page.line_end(end)
        self.edits.append(Edit(at, at, f"{' ' * self.page.column(start)}name: {name}{self.page.newline}"))
        self.changes.append(Change("put", (*path, "name"), name))
        return name
