"""Answer requests that the protocol library would drop, so that no client waits forever."""

from __future__ import annotations

from typing import Any

from pygls.exceptions import JsonRpcException, JsonRpcInvalidParams
from pygls.protocol import LanguageServerProtocol

from ..diagnostics.named_tuple import NamedTuple


class _Refused(NamedTuple):
    """A request whose parameters cannot be decoded."""

    id: int | str
    method: str


class AnsweringProtocol(LanguageServerProtocol):
    """The protocol, with an error as the answer to each request whose parameters cannot be decoded."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        """Decode a message. A request with invalid parameters becomes one that `handle_message` refuses."""
        try:
            return super().structure_message(data)
        except JsonRpcException:
            is_request = "method" in data and isinstance(data.get("id"), int | str)
            # Anything else stays plain data. It may be a part of the parameters, and then the request decides.
            return _Refused(data["id"], str(data["method"])) if is_request else data

    def handle_message(self, message: Any) -> None:
        """Call the handler of a message, or answer a refused request."""
        if not isinstance(message, _Refused):
            super().handle_message(message)
            return
        error = JsonRpcInvalidParams(f"the parameters of {message.method[:100]} are not those of the protocol")
        self._send_response(message.id, error=error.to_response_error())
