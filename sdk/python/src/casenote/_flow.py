"""The course of a call, without any input or output: what to send, when to wait, when to repeat.

A flow is a generator that asks for steps and is given their results, so that the client with threads and the one with
asyncio do the same.
"""

from __future__ import annotations

import json
import random
import re
import time
import uuid
from dataclasses import dataclass, field, replace
from typing import Any, Dict, Generator, Mapping, Optional, Union
from urllib.parse import quote, urlencode

from ._errors import ApiError, CasenoteError, TimeoutError, is_envelope, make_api_error, make_not_ready_error

# The first pause is half a second at most, then twice as long each time: 3 repeats end within 4 s of waiting.
FIRST_PAUSE_SECONDS = 0.5
PAUSE_SECONDS_MAX = 8.0
# Who is told to wait longer hears it as an error: a call that hangs for minutes looks like a fault.
RETRY_AFTER_SECONDS_MAX = 60.0
REPEATED_STATUSES = frozenset((429, 500, 502, 503, 504))


@dataclass(frozen=True)
class Settings:
    base_url: str
    # Secrets, and whatever is about a person, stand in no repr: that is what logs and tracebacks show.
    api_key: str = field(repr=False)
    client_id: str = field(repr=False)
    client_secret: str = field(repr=False)
    timeout: float
    retries: int

    def __post_init__(self) -> None:
        for name in ("base_url", "api_key", "client_id", "client_secret"):
            if not getattr(self, name):
                raise ValueError(f"{name} is missing")
            # A line end that was read with it, say. Refused here: what refuses it later quotes it.
            if not re.fullmatch(r"[\x21-\x7e]+", getattr(self, name)):
                raise ValueError(f"{name} has a space, a line end or another sign that it cannot have")


@dataclass(frozen=True)
class Call:
    """One operation, as the generated resources describe it."""

    method: str
    path: str
    #: Whether it may be done twice: `with_key` where the service takes idempotency keys, and not elsewhere.
    repeat: str
    query: Mapping[str, Any] = field(default_factory=dict, repr=False)
    body: Optional[Mapping[str, Any]] = field(default=None, repr=False)
    headers: Mapping[str, Optional[str]] = field(default_factory=dict, repr=False)
    is_anonymous: bool = False
    #: What it reads may not exist yet, which is told with a 200.
    may_be_not_ready: bool = False
    timeout: Optional[float] = None
    #: By the monotonic clock: when nothing of it may be under way any more, pauses and repeats included.
    end: Optional[float] = None
    idempotency_key: Optional[str] = field(default=None, repr=False)


class OutOfTime(TimeoutError):
    """What is left until the end of a call is too short to go on."""

    def __init__(self, call: Call) -> None:
        super().__init__(f"{call.method} {call.path} was not answered in time")


@dataclass(frozen=True)
class Send:
    """Asks for an Answer, or for the error that came instead of one."""

    method: str
    url: str = field(repr=False)
    path: str
    headers: Dict[str, str] = field(repr=False)
    body: Optional[bytes] = field(repr=False)
    timeout: float


@dataclass(frozen=True)
class NeedToken:
    """Asks for a partner token that is none of the one that was refused."""

    refused: Optional[str] = field(repr=False)
    #: Seconds to wait for it.
    timeout: float


@dataclass(frozen=True)
class Pause:
    seconds: float


@dataclass(frozen=True)
class Answer:
    status: int
    #: By their names in lower case.
    headers: Dict[str, str] = field(repr=False)
    body: Any = field(repr=False)


Step = Union[Send, NeedToken, Pause]
Flow = Generator[Step, Any, Any]


class Result(Dict[str, Any]):
    """What a call answered, with the headers that it came with."""

    headers: Dict[str, str]


def headers_of(result: Any) -> Optional[Dict[str, str]]:
    """The headers that a result came with, lower case: `etag`, `x-request-id`, `idempotency-replayed`."""
    return getattr(result, "headers", None)


def segment(identifier: str) -> str:
    """An id in a path. Without one the path would be that of another operation."""
    if not identifier:
        raise ValueError("an id is missing")
    # Proxies take them out of the path.
    if identifier in (".", ".."):
        raise ValueError("an id is no id")
    return quote(identifier, safe="")


def authenticate(settings: Settings, timeout: float) -> Flow:
    body = {"clientId": settings.client_id, "clientSecret": settings.client_secret}
    call = Call("POST", "/partners/authenticate", "always", body=body, is_anonymous=True, timeout=timeout)
    return run_call(settings, call)


def run_call(settings: Settings, call: Call) -> Flow:
    key: Optional[str] = None
    if call.repeat == "with_key":
        key = call.idempotency_key or str(uuid.uuid4())
    refused: Optional[str] = None
    attempt = 0
    while True:
        token = None if call.is_anonymous else (yield NeedToken(refused, _attempt_seconds(settings, call)))
        outcome = _read(call, (yield _prepare(settings, call, token, key)))
        if not isinstance(outcome, CasenoteError):
            return outcome
        status = outcome.status if isinstance(outcome, ApiError) else None
        if status == 401 and token is not None and refused is None:
            # Refused at the door, so nothing was done: the contract says to repeat it once with a new token.
            refused = token
            continue
        if status == 404 and call.method == "DELETE" and attempt > 0:
            return None  # An attempt whose answer was lost has deleted it.
        if attempt >= settings.retries or not _is_worth_repeating(outcome):
            raise outcome
        if not (yield from _may_repeat(settings, call)):
            raise outcome
        pause = Pause(_pause_seconds(outcome, attempt))
        if call.end is not None and time.monotonic() + pause.seconds >= call.end:
            raise OutOfTime(call) from outcome
        yield pause
        attempt += 1


def _attempt_seconds(settings: Settings, call: Call) -> float:
    seconds = call.timeout or settings.timeout
    if call.end is None:
        return seconds
    left = call.end - time.monotonic()
    if left <= 0:
        raise OutOfTime(call)
    return min(seconds, left)


def _prepare(settings: Settings, call: Call, token: Optional[str], key: Optional[str]) -> Send:
    given = {
        "Accept": "application/json",
        "X-API-Key": settings.api_key,
        "Access-Token": token,
        "Idempotency-Key": key,
        "Content-Type": None if call.body is None else "application/json",
        "User-Agent": "casenote-python",
        **call.headers,
    }
    query = {name: _write(value) for name, value in call.query.items() if value is not None}
    return Send(
        method=call.method,
        url=settings.base_url.rstrip("/") + call.path + (f"?{urlencode(query)}" if query else ""),
        path=call.path,
        headers={name: value for name, value in given.items() if value is not None},
        body=None if call.body is None else json.dumps(call.body).encode(),
        timeout=_attempt_seconds(settings, call),
    )


def _write(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _read(call: Call, outcome: Any) -> Any:
    """The result of an attempt, or its error."""
    if isinstance(outcome, CasenoteError):
        return outcome
    answer, url = outcome
    if not 200 <= answer.status <= 299:
        return make_api_error(answer.status, answer.headers, answer.body, url)
    if call.may_be_not_ready and is_envelope(answer.body):
        return make_not_ready_error(answer.headers, answer.body, url)
    if answer.status == 204:
        return None
    if not isinstance(answer.body, dict):
        return ApiError(answer.status, answer.headers, answer.body, ["The answer is not JSON"], url)
    result = Result(answer.body)
    result.headers = answer.headers
    return result


def _is_worth_repeating(error: CasenoteError) -> bool:
    if not isinstance(error, ApiError):
        return True
    return error.status in REPEATED_STATUSES and (error.retry_after_seconds or 0) <= RETRY_AFTER_SECONDS_MAX


def _may_repeat(settings: Settings, call: Call) -> Flow:
    """A create is repeated only where the service promises to do it once. Asked when it matters, so that it costs nothing else."""
    if call.repeat != "with_key":
        return call.repeat == "always"
    try:
        partner = yield from run_call(settings, Call("GET", "/partners", "always", timeout=call.timeout, end=call.end))
    except CasenoteError:
        return False  # Nobody can say: then not. The first error is the one to tell.
    return partner.get("idempotency") is True


def _pause_seconds(error: CasenoteError, attempt: int) -> float:
    """As the service says, or a random part of a time that doubles: callers that failed together come back apart."""
    jitter = random.random() * min(FIRST_PAUSE_SECONDS * 2.0**attempt, PAUSE_SECONDS_MAX)
    asked = error.retry_after_seconds if isinstance(error, ApiError) else None
    return jitter if asked is None else asked + jitter


def page_call(call: Call, page: int) -> Call:
    return replace(call, query={**call.query, "page": page})
