"""Errors of the server as exceptions."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional


class TablinumError(Exception):
    """An error response. `code` is for programs, `message` for people, `errors` has messages by field."""

    def __init__(self, status: int, body: Optional[Mapping[str, Any]] = None) -> None:
        body = body or {}
        self.status = status
        #: `unknown` if the response is not from Tablinum, e.g. from a proxy.
        self.code: str = body.get("code", "unknown")
        self.message: str = body.get("detail") or f"The server returned status {status}."
        self.errors: Dict[str, List[str]] = body.get("errors") or {}
        #: Helps to find the request in the server's log.
        self.request_id: Optional[str] = body.get("request_id")
        super().__init__(self.message)


def read_error(status: int, content: bytes) -> TablinumError:
    try:
        body = json.loads(content)
    except ValueError:  # e.g. an HTML page of a proxy
        body = None
    return TablinumError(status, body if isinstance(body, dict) and "code" in body else None)
