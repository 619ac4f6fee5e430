"""Go's regular expressions: whether a text is one, and whether it matches, in bounded time.

Patterns come from users' files, so nothing here backtracks: a pattern becomes an automaton, whose deterministic states
are made when a text first needs them.

Source: Go 1.26 standard library, package regexp (Compile, MatchString).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, TypeAlias

from .character import Chars
from .parse import parse
from .scan import PatternError
from .tree import At, Choice, Node, One, Place, Repeat

__all__ = ["Pattern", "PatternError", "compile_pattern"]

_LONGEST_PATTERN: Final = 50_000
_MOST_STEPS: Final = 10_000
_MOST_WORK: Final = 1_000_000  # steps looked at in one search; less than a second
_MOST_KNOWN: Final = 20_000  # steps remembered; about a megabyte

_Step: TypeAlias = "tuple[Chars, int] | tuple[Place, int] | tuple[int, ...] | None"
"""A step of the automaton: a character and where it leads, a place and where it leads, a choice, or the end."""


class Pattern:
    """A regular expression of Go; ``text`` is how it was written."""

    __slots__ = ("_program", "_unclear", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self._program: _Program | None = None
        self._unclear = len(text) > _LONGEST_PATTERN
        if not self._unclear:
            tree = parse(text)
            self._unclear = tree.size > _MOST_STEPS or _is_unclear(tree)
            if not self._unclear:
                self._program = _Program(tree)

    def search(self, text: str) -> bool:
        """Return whether the pattern matches anywhere in ``text``.

        What nobody can tell counts as a match: patterns with Unicode scripts, of which Python has no data, and
        patterns that are too large to be worth the time.
        """
        return self._program is None or self._program.search(text)


@lru_cache(maxsize=128)
def compile_pattern(text: str) -> Pattern:
    """Read a regular expression.

    Raises:
        PatternError: Go would refuse it.
    """
    return Pattern(text)


def _is_unclear(node: Node) -> bool:
    if isinstance(node, One):
        return node.chars.unknown
    if isinstance(node, At):
        return False
    if isinstance(node, Repeat):
        return _is_unclear(node.part)
    return any(map(_is_unclear, node.parts))


class _State:
    """What is known after some characters: the steps that may come next, and what kind of character came last."""

    __slots__ = ("before", "edges", "ends", "steps")

    def __init__(self, steps: frozenset[int], before: str) -> None:
        self.steps = steps
        self.before = before
        self.edges: dict[str, _State | None] = {}
        self.ends: bool | None = None


class _Program:
    """The automaton of a pattern, built backwards from its end."""

    def __init__(self, tree: Node) -> None:
        self.steps: list[_Step] = [None]
        self.places: set[Place] = set()
        self.first = self._add(tree, 0)
        # A pattern that can only begin at the start of the text is not tried again further on.
        starts, matches = self._reachable({self.first}, self.places - {"text-start"})
        self.anchored = not starts and not matches
        self.states: dict[tuple[frozenset[int], str], _State] = {}
        self.known = 0
        self.start = _State(frozenset({self.first}), "start")

    def search(self, text: str) -> bool:
        state = self.start
        work = 0
        for char in text:
            following = state.edges.get(char, state)
            if following is state and char not in state.edges:
                work += len(state.steps) + 1
                if work > _MOST_WORK:
                    return True
                following = self._follow(state, char)
            if following is None:
                return True
            if not following.steps:
                return False
            state = following
        if state.ends is None:
            state.ends = self._reachable(state.steps, self._places(state.before, ""))[1]
        return state.ends

    def _follow(self, state: _State, char: str) -> _State | None:
        """Make the state behind ``char``; ``None`` says that the pattern has matched before it."""
        taken, matched = self._reachable(state.steps, self._places(state.before, char))
        following: _State | None = None
        if not matched:
            # Copies that a count makes share their set, which is asked once.
            inside = {id(chars): chars.contains(char) for chars in {id(chars): chars for chars, _ in taken}.values()}
            steps = {after for chars, after in taken if inside[id(chars)]}
            if not self.anchored:
                steps.add(self.first)
            key = (frozenset(steps), self._kind(char))
            if self.known > _MOST_KNOWN:
                self.states.clear()
                self.start.edges.clear()
                self.known = 0
            following = self.states.get(key)
            if following is None:
                following = self.states[key] = _State(*key)
                self.known += len(steps)
        self.known += 1
        state.edges[char] = following
        return following

    def _kind(self, char: str) -> str:
        """Sort a character by what the next place may ask about it."""
        if char == "\n" and "line-start" in self.places:
            return "newline"
        if ("word-edge" in self.places or "not-word-edge" in self.places) and _is_word(char):
            return "word"
        return "other"

    def _places(self, before: str, char: str) -> set[Place]:
        """Return which places lie between what came last and ``char``, which is empty at the end."""
        places: set[Place] = {"word-edge" if (before == "word") != _is_word(char) else "not-word-edge"}
        if before == "start":
            places |= {"text-start", "line-start"}
        elif before == "newline":
            places.add("line-start")
        if not char:
            places |= {"text-end", "line-end"}
        elif char == "\n":
            places.add("line-end")
        return places

    def _reachable(self, steps: set[int] | frozenset[int], places: set[Place]) -> tuple[list[tuple[Chars, int]], bool]:
        """Follow all that takes no character; returns the characters that come next, and whether the end is reached."""
        taken: list[tuple[Chars, int]] = []
        seen = set(steps)
        open_steps = list(steps)
        matched = False
        while open_steps:
            step = self.steps[open_steps.pop()]
            if step is None:
                matched = True
                continue
            head = step[0]
            if isinstance(head, Chars):
                taken.append(step)  # type: ignore[arg-type]  # its head tells
                continue
            if isinstance(head, str):
                following: tuple[int, ...] = (step[1],) if head in places else ()
            else:
                following = step  # type: ignore[assignment]  # its head tells
            for after in following:
                if after not in seen:
                    seen.add(after)
                    open_steps.append(after)
        return taken, matched

    def _add(self, node: Node, after: int) -> int:
        """Add the steps of ``node`` in front of the step ``after``; returns the first of them."""
        if isinstance(node, One):
            return self._append((node.chars, after))
        if isinstance(node, At):
            self.places.add(node.place)
            return self._append((node.place, after))
        if isinstance(node, Choice):
            return self._append(tuple([self._add(part, after) for part in node.parts]))
        if isinstance(node, Repeat):
            return self._add_repeat(node, after)
        for part in reversed(node.parts):
            after = self._add(part, after)
        return after

    def _add_repeat(self, node: Repeat, after: int) -> int:
        first = after
        if node.most is None:
            first = self._append((after,))
            self.steps[first] = (self._add(node.part, first), after)
        else:
            for _ in range(node.most - node.least):
                first = self._append((self._add(node.part, first), after))
        for _ in range(node.least):
            first = self._add(node.part, first)
        return first

    def _append(self, step: _Step) -> int:
        self.steps.append(step)
        return len(self.steps) - 1


def _is_word(char: str) -> bool:
    return char == "_" or (char.isascii() and char.isalnum())
