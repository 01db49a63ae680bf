"""What sends calls, and what every group of operations stands on."""

from __future__ import annotations

import asyncio
import threading
import time
from typing import Any, Optional, Tuple

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
        self._renewing = threading.Lock()

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
        with self._renewing:
            return self._token.find(step.refused) or self._token.keep(self._run(authenticate(self._settings)))


class AsyncTransport:
    """Runs flows in an event loop. Each request is sent by a thread (`asyncio.to_thread`); no thread waits or polls."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._token = _Token()
        self._renewing: Optional[asyncio.Lock] = None

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
        if self._renewing is None:
            # Not before: in Python 3.9 a lock belongs to the loop that runs when it is made.
            self._renewing = asyncio.Lock()
        async with self._renewing:
            found = self._token.find(step.refused)
            return found or self._token.keep(await self._run(authenticate(self._settings)))


class Resource:
    def __init__(self, transport: Transport) -> None:
        self._transport = transport


class AsyncResource:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
