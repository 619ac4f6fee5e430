"""Authorization of requests: Cedar policies in the resource or in a ConfigMap."""

from __future__ import annotations

from typing import Annotated, Literal, Required, TypedDict

from .declare import Atomic, Cel, Default, MinItems, RefTo, rules


class ConfigMapAuthzRef(TypedDict, total=False):
    """An authorization configuration kept in a ConfigMap."""

    name: Required[Annotated[str, "Name of the ConfigMap.", RefTo("ConfigMap", key="key", key_default="authz.json")]]
    key: Annotated[str, "Key that holds the configuration.", Default("authz.json")]


class InlineAuthzConfig(TypedDict, total=False):
    """Cedar policies written in the resource."""

    policies: Required[Annotated[list[str], "Cedar policies.", MinItems(1), Atomic()]]
    entitiesJson: Annotated[str, "Cedar entities, as the text of a JSON list.", Default("[]")]


@rules(
    Cel(
        "self.type == 'configMap' ? has(self.configMap) : !has(self.configMap)",
        "configMap goes with type configMap, and with no other",
        "configMap",
    ),
    Cel(
        "self.type == 'inline' ? has(self.inline) : !has(self.inline)",
        "inline goes with type inline, and with no other",
        "inline",
    ),
)
class AuthzConfigRef(TypedDict, total=False):
    """Where the authorization configuration is."""

    type: Required[Annotated[Literal["configMap", "inline"], "Which of the two it is.", Default("configMap")]]
    configMap: Annotated[ConfigMapAuthzRef, "The ConfigMap, for type configMap."]
    inline: Annotated[InlineAuthzConfig, "The policies, for type inline."]
