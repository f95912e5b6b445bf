"""Requests, retries and pages: what the generated methods are made of."""

from __future__ import annotations

import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import IO, Any, Callable, Dict, Iterator, Mapping, Optional, Tuple, TypeVar, Union

from ._version import __version__
from .errors import read_error

#: The content of a file; a file object is sent while it is read, and the request is then not retried.
File = Union[bytes, str, IO[bytes]]
T = TypeVar("T")
Values = Mapping[str, Any]

PREFIX = "/api/v1"
PAGE_SIZE = 200
MAX_WAIT = 60.0
RETRYABLE = (429, 503)  # both guarantee that nothing was changed


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would send the token to another address."""

    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        return None


class Transport:
    def __init__(
        self, base_url: str, token: str, *, retries: int = 4, retry_wait: float = 0.5, timeout: float = 60.0
    ) -> None:
        """
        base_url: the server, e.g. `https://catalog.example.com`
        retries: after 429 and 503, and after a lost connection where a request can be repeated
        retry_wait: seconds before the first retry if the response has no `Retry-After`; doubles with each retry
        timeout: seconds to wait for the server
        """
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f"The URL of the server must start with http:// or https://, not {base_url!r}.")
        self._base = base_url.rstrip("/") + PREFIX
        self._token = token
        self._retries = retries
        self._retry_wait = retry_wait
        self._timeout = timeout
        self._opener = urllib.request.build_opener(_NoRedirect)

    def open(
        self,
        method: str,
        path: str,
        *,
        params: Optional[Values] = None,
        query: Optional[Values] = None,
        body: Any = None,
        headers: Optional[Mapping[str, Optional[str]]] = None,
    ) -> http.client.HTTPResponse:
        """The response of a successful request, for its headers or to read a large file in parts. Close it, or use `with`."""
        return self._send(_keep, method, path, params, query, body, headers)

    def _call(
        self,
        method: str,
        path: str,
        *,
        params: Optional[Values] = None,
        query: Optional[Values] = None,
        body: Any = None,
        headers: Optional[Mapping[str, Optional[str]]] = None,
    ) -> Any:
        return self._send(_read, method, path, params, query, body, headers)

    def _all(self, path: str, *, params: Optional[Values] = None, query: Optional[Values] = None) -> Iterator[Any]:
        given = {name: value for name, value in (query or {}).items() if value is not None}
        cursor: Optional[str] = ""
        while cursor is not None:
            page = self._call("GET", path, params=params, query={"page_size": PAGE_SIZE, **given, "cursor": cursor})
            yield from page["results"]
            cursor = page["meta"]["next_cursor"]

    def _send(
        self,
        read: Callable[[http.client.HTTPResponse], T],
        method: str,
        path: str,
        params: Optional[Values],
        query: Optional[Values],
        body: Any,
        headers: Optional[Mapping[str, Optional[str]]],
    ) -> T:
        url = self._base + _fill(path, params or {}) + _encode_query(query or {})
        data, content_type = _encode_body(body)
        sent: Dict[str, str] = {
            "Accept": "application/json, */*;q=0.5",
            "Authorization": f"Bearer {self._token}",
            "User-Agent": f"tablinum-python/{__version__}",
        }
        if content_type:
            sent["Content-Type"] = content_type
        if method == "POST":
            # The same for each retry, so that the server runs the request only once.
            sent["Idempotency-Key"] = str(uuid.uuid4())
        sent.update({name: value for name, value in (headers or {}).items() if value is not None})
        repeatable = not hasattr(data, "read")  # a file can be read only once
        for attempt in range(self._retries + 1):
            last = attempt == self._retries
            wait = min(self._retry_wait * 2**attempt * (1 + random.random()), MAX_WAIT)
            try:
                request = urllib.request.Request(url, data=data, headers=sent, method=method)
                return read(self._opener.open(request, timeout=self._timeout))
            except urllib.error.HTTPError as error:
                with error:
                    problem = read_error(error.code, error.read())
                if last or not repeatable or error.code not in RETRYABLE:
                    raise problem from None
                wait = _parse_retry_after(error.headers.get("Retry-After"), wait)
            except (OSError, http.client.HTTPException):
                # Without a response it is unknown whether the request was processed.
                if last or not repeatable or method not in ("GET", "POST"):
                    raise
            time.sleep(wait)
        raise AssertionError("The last attempt returns or raises.")


def _keep(response: http.client.HTTPResponse) -> http.client.HTTPResponse:
    return response


def _read(response: http.client.HTTPResponse) -> Any:
    with response:
        content = response.read()
        is_json = "application/json" in (response.headers.get("Content-Type") or "")
    if not content:
        return None
    return json.loads(content) if is_json else content


def _fill(path: str, params: Values) -> str:
    for name, value in params.items():
        if value is None or value == "":
            raise ValueError(f"{path} needs {name}.")
        path = path.replace("{" + name + "}", urllib.parse.quote(str(value), safe=""))
    return path


def _encode_query(query: Values) -> str:
    values = {name: _to_text(value) for name, value in query.items() if value is not None}
    return "?" + urllib.parse.urlencode(values) if values else ""


def _to_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value, allow_nan=False)  # true, not True; filters and sorts are JSON


def _encode_body(body: Any) -> Tuple[Any, Optional[str]]:
    if body is None:
        return None, None
    if isinstance(body, str):
        return body.encode(), "text/plain; charset=utf-8"
    if isinstance(body, bytes) or hasattr(body, "read"):
        return body, "application/octet-stream"
    return json.dumps(body, allow_nan=False).encode(), "application/json"


def _parse_retry_after(header: Optional[str], otherwise: float) -> float:
    """Seconds, or a date."""
    if header is None:
        return otherwise
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return otherwise
