"""What sends calls, and what every group of operations stands on."""

from __future__ import annotations

import asyncio
import threading
import time
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import replace
from typing import Any, Optional, Protocol, Tuple

from ._errors import TimeoutError
from ._exchange import exchange
from ._flow import Call, Flow, NeedToken, Pause, Send, Settings, Step, authenticate, run_call

# A token lives an hour; a call that begins this shortly before its end still gets through.
RENEW_BEFORE_SECONDS = 60.0


class _Token:
    """The newest token, and when to fetch the next."""

    def __init__(self) -> None:
        self._newest: Optional[Tuple[str, float]] = None

    def find(self, refused: Optional[str]) -> Optional[str]:
        if self._newest is None:
            return None
        value, renew_at = self._newest
        return value if value != refused and time.monotonic() < renew_at else None

    def keep(self, answer: Any) -> str:
        value = str(answer["accessToken"])
        lifetime = max(float(answer["expiresIn"]) - RENEW_BEFORE_SECONDS, 0.0)
        self._newest = (value, time.monotonic() + lifetime)
        return value


class Transport:
    """Runs flows in the calling thread. Several threads may use one: a token is fetched by one of them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._token = _Token()
        self._lock = threading.Lock()
        self._renewal: Optional[Future[str]] = None

    def send(self, call: Call) -> Any:
        return self._run(run_call(self._settings, call))

    def _run(self, flow: Flow) -> Any:
        try:
            step = next(flow)
            while True:
                try:
                    result = self._do(step)
                except Exception as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(result)
        except StopIteration as end:
            return end.value

    def _do(self, step: Step) -> Any:
        if isinstance(step, Send):
            return exchange(step)
        if isinstance(step, Pause):
            time.sleep(step.seconds)
            return None
        return self._get_token(step)

    def _get_token(self, step: NeedToken) -> str:
        """Who comes during a renewal gets what came of it, token or error, or waits no longer than for an answer."""
        with self._lock:
            found = self._token.find(step.refused)
            if found is not None:
                return found
            renewal = self._renewal
            if renewal is None:
                mine: Future[str] = Future()
                self._renewal = mine
        if renewal is not None:
            try:
                return renewal.result(step.timeout)
            except FutureTimeoutError as error:
                if renewal.done():
                    raise
                raise TimeoutError("no access token in time") from error
        self._renew(mine, step)
        return mine.result()

    def _renew(self, renewal: Future[str], step: NeedToken) -> None:
        try:
            token = self._token.keep(self._run(authenticate(self._settings, step.timeout)))
        except BaseException as error:
            outcome: Any = error
        else:
            outcome = token
        with self._lock:
            self._renewal = None
        if isinstance(outcome, BaseException):
            renewal.set_exception(outcome)
        else:
            renewal.set_result(outcome)


class AsyncTransport:
    """Runs flows in an event loop. Each request is sent by a thread (`asyncio.to_thread`); no thread waits or polls."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._token = _Token()
        self._renewal: Optional[asyncio.Task[str]] = None

    async def send(self, call: Call) -> Any:
        return await self._run(run_call(self._settings, call))

    async def _run(self, flow: Flow) -> Any:
        try:
            step = next(flow)
            while True:
                try:
                    result = await self._do(step)
                except Exception as error:
                    step = flow.throw(error)
                else:
                    step = flow.send(result)
        except StopIteration as end:
            return end.value

    async def _do(self, step: Step) -> Any:
        if isinstance(step, Send):
            return await asyncio.to_thread(exchange, step)
        if isinstance(step, Pause):
            return await asyncio.sleep(step.seconds)
        return await self._get_token(step)

    async def _get_token(self, step: NeedToken) -> str:
        """As above. A task of its own: the call that began the renewal may be cancelled while others wait for it."""
        found = self._token.find(step.refused)
        if found is not None:
            return found
        if self._renewal is None:
            self._renewal = asyncio.ensure_future(self._renew(step.timeout))
            self._renewal.add_done_callback(self._end_renewal)
        renewal = self._renewal
        await asyncio.wait([renewal], timeout=step.timeout)
        if not renewal.done():
            raise TimeoutError("no access token in time")
        return renewal.result()

    async def _renew(self, timeout: float) -> str:
        return self._token.keep(await self._run(authenticate(self._settings, timeout)))

    def _end_renewal(self, renewal: asyncio.Task[str]) -> None:
        self._renewal = None
        if not renewal.cancelled():
            renewal.exception()  # Looked at, so that nobody is told of it where nobody waits any more.


class Sender(Protocol):
    def send(self, call: Call) -> Any: ...


class AsyncSender(Protocol):
    async def send(self, call: Call) -> Any: ...


class Until:
    """Sends calls of which nothing goes on after `end`, by the monotonic clock."""

    def __init__(self, sender: Sender, end: float) -> None:
        self._sender = sender
        self._end = end

    def send(self, call: Call) -> Any:
        return self._sender.send(replace(call, end=self._end))


class AsyncUntil:
    def __init__(self, sender: AsyncSender, end: float) -> None:
        self._sender = sender
        self._end = end

    async def send(self, call: Call) -> Any:
        return await self._sender.send(replace(call, end=self._end))


class Resource:
    def __init__(self, transport: Sender) -> None:
        self._transport = transport


class AsyncResource:
    def __init__(self, transport: AsyncSender) -> None:
        self._transport = transport
