"""One request and its answer, with urllib: proxies of the environment and the system's certificates are used."""

from __future__ import annotations

import builtins
import http.client
import json
import socket
import time
import urllib.error
import urllib.request
from typing import Any, List, Tuple, Union

from ._errors import CasenoteError, ConnectionError, TimeoutError
from ._flow import Answer, Send

#: No answer of the service comes near it; a server that is somebody else's fills no memory.
ANSWER_BYTES_MAX = 64 * 1024 * 1024
_CHUNK_BYTES = 64 * 1024


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Key and token go to nobody else."""

    def redirect_request(self, *_args: Any, **_kwargs: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirects)


def exchange(send: Send) -> Union[Tuple[Answer, str], CasenoteError]:
    request = urllib.request.Request(send.url, data=send.body, headers=send.headers, method=send.method)
    deadline = time.monotonic() + send.timeout
    what = f"{send.method} {send.path}"
    try:
        try:
            response = _opener.open(request, timeout=send.timeout)
        except urllib.error.HTTPError as error:
            response = error  # An answer like any other.
        with response:
            body = _read(response, deadline)
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Answer(response.status or 0, headers, _parse(body)), send.url
    except (socket.timeout, builtins.TimeoutError) as error:
        return _because(TimeoutError(f"{what} was not answered in time"), error)
    except urllib.error.URLError as error:
        if isinstance(error.reason, (socket.timeout, builtins.TimeoutError)):
            return _because(TimeoutError(f"{what} was not answered in time"), error)
        return _because(ConnectionError(f"{what}: no answer from the service"), error)
    except (OSError, http.client.HTTPException) as error:
        return _because(ConnectionError(f"{what}: no answer from the service"), error)


def _because(error: CasenoteError, cause: BaseException) -> CasenoteError:
    error.__cause__ = cause
    return error


def _read(response: Any, deadline: float) -> bytes:
    chunks: List[bytes] = []
    size = 0
    while True:
        # One read of the socket: `read` would wait for a whole chunk, however slowly it comes.
        chunk = response.read1(_CHUNK_BYTES)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
        size += len(chunk)
        if size > ANSWER_BYTES_MAX:
            raise http.client.HTTPException("the answer is too large")
        if time.monotonic() > deadline:
            raise socket.timeout()


def _parse(body: bytes) -> Any:
    if not body:
        return None
    try:
        return json.loads(body)
    except ValueError:
        return body.decode("utf-8", "replace")  # Of a proxy, say; it stands in the error as it came.
