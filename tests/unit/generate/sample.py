"""Models to generate from, small ones with a bit of everything."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Required, TypedDict

from mcpcfg.compiler.models.dated import Since
from mcpcfg.compiler.models.declare import (
    Always,
    Atomic,
    Cel,
    Default,
    Deprecated,
    Duration,
    Go,
    Int32,
    ListMap,
    ListSet,
    Maximum,
    Minimum,
    MinItems,
    MinLength,
    Opaque,
    Pattern,
    PreserveUnknownFields,
    RefTo,
    go_type,
    rules,
)

Port = Annotated[Int32, "A port.", Minimum(1), Maximum(65535)]


class Entry(TypedDict, total=False):
    """An entry."""

    name: Required[Annotated[str, "Name of the entry.", MinLength(1), RefTo("Secret", key="key")]]
    key: Annotated[str, "Key of the Secret."]


class Step(TypedDict, total=False):
    """A step, which may hold another."""

    id: Required[Annotated[str, "Id of the step.", Always()]]
    timeout: Annotated[str, "How long it may take.", Pattern(r"^[0-9]+(s|m)$"), Duration()]
    inner: Annotated[Step, "A step within.", Opaque("object")]
    extra: Annotated[Any, "Anything.", Opaque()]


@rules(
    Cel("has(self.port) || self.mode == 'a'", "mode b needs a port", "port"),
    Cel("!has(self.steps) || self.steps.all(s, has(s.id))", "steps need an id"),
)
@go_type("v1.Sample")
class Sample(TypedDict, total=False):
    """A sample.

    It has a second paragraph
    of two lines.
    """

    mode: Required[Annotated[Literal["a", "b"], "How it works.", Default("a"), Always()]]
    port: Annotated[Port, "Its own port."]
    flag: Annotated[bool, "A switch.", Default(value=False), Go(pointer=True)]
    share: Annotated[float, "A share.", Minimum(0)]
    entries: Annotated[list[Entry], "Entries.", ListMap("name")]
    words: Annotated[list[Annotated[str, MinLength(2)]], "Words.", ListSet(), MinItems(1)]
    tags: Annotated[dict[str, str], "Tags.", Atomic()]
    free: Annotated[dict[str, Any], "Free fields.", PreserveUnknownFields()]
    steps: Annotated[list[Step], "Steps."]
    open: Annotated[Entry, "An entry with more fields.", PreserveUnknownFields()]
    wait: Annotated[str, "A duration.", Duration(), Cel("duration(self) >= duration('1s')", "wait is shorter than 1s")]
    old: Annotated[str, "A former field.", Deprecated("mode"), Since("0.1.0")]
