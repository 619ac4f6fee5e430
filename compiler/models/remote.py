"""Settings of a remote server, shared by proxies and entries."""

from __future__ import annotations

from typing import Annotated, Required, TypedDict

from .dated import Since
from .declare import ListMap, MaxLength, MinLength, Pattern, Switch
from .reference import SecretKeyRef

RemoteUrl = Annotated[str, Pattern("^https?://")]

AllowPrivateEndpoint = Annotated[
    Switch, "Whether remoteUrl may be a private address or a name below cluster.local.", Since("0.45.0")
]


class HeaderFromSecret(TypedDict, total=False):
    """A header with a secret value that is added to requests."""

    headerName: Required[Annotated[str, "Name of the header.", MinLength(1), MaxLength(255)]]
    valueSecretRef: Required[Annotated[SecretKeyRef, "Value of the header."]]


class HeaderForwardConfig(TypedDict, total=False):
    """Headers that are added to requests to a remote server."""

    addPlaintextHeaders: Annotated[
        dict[str, str], "Headers with plain values. Everybody who may read the resource sees them."
    ]
    addHeadersFromSecret: Annotated[list[HeaderFromSecret], "Headers with secret values.", ListMap("headerName")]
