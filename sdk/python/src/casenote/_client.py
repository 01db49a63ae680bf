"""The two clients."""

from __future__ import annotations

import asyncio
import random
import time

from ._async_resources import AsyncResources
from ._errors import SessionFailedError, TimeoutError
from ._flow import Settings
from ._resource import AsyncTransport, Transport
from ._resources import Resources
from .types import ProgressNote

# From one second to ten, half as long again each time: soon for a short text, seldom for an hour of speech.
_FIRST_LOOK_SECONDS = 1.0
_LOOK_SECONDS_MAX = 10.0
_LOOK_GROWTH = 1.5


class _Looks:
    """How long to wait between looks, and until when."""

    def __init__(self, session_id: str, timeout: float) -> None:
        self._session_id = session_id
        self._timeout = timeout
        self._end = time.monotonic() + timeout
        self._look = _FIRST_LOOK_SECONDS

    def next_wait(self) -> float:
        # A tenth more or less: what was begun together is not asked for together.
        wait = self._look * (0.9 + 0.2 * random.random())
        if time.monotonic() + wait > self._end:
            late = f"the note of session {self._session_id} was not written within {self._timeout} s"
            raise TimeoutError(late)
        self._look = min(self._look * _LOOK_GROWTH, _LOOK_SECONDS_MAX)
        return wait


class Casenote(Resources):
    """One partner in one environment. Make one and keep it: it holds the token.

    `timeout`: seconds for one attempt to be answered. `retries`: how often a call is repeated at most.
    """

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        client_id: str,
        client_secret: str,
        timeout: float = 30.0,
        retries: int = 3,
    ) -> None:
        super().__init__(Transport(Settings(base_url, api_key, client_id, client_secret, timeout, retries)))

    def wait_for_note(self, session_id: str, *, timeout: float = 600.0) -> ProgressNote:
        """The session's note, once it is written; also after a magic edit or a regeneration.

        Raises SessionFailedError when it will not come and TimeoutError when it did not in time. Where you can, take
        the webhook instead.
        """
        looks = _Looks(session_id, timeout)
        while True:
            note = self.sessions.read_progress_note(session_id)
            if note["status"] == "failed":
                raise SessionFailedError(session_id, self.sessions.read(session_id)["failure"])
            if not note["isLoading"]:
                return note
            time.sleep(looks.next_wait())


class AsyncCasenote(AsyncResources):
    """The same for asyncio. It belongs to one event loop."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str,
        client_id: str,
        client_secret: str,
        timeout: float = 30.0,
        retries: int = 3,
    ) -> None:
        settings = Settings(base_url, api_key, client_id, client_secret, timeout, retries)
        super().__init__(AsyncTransport(settings))

    async def wait_for_note(self, session_id: str, *, timeout: float = 600.0) -> ProgressNote:
        """As `Casenote.wait_for_note`; ends when its task is cancelled."""
        looks = _Looks(session_id, timeout)
        while True:
            note = await self.sessions.read_progress_note(session_id)
            if note["status"] == "failed":
                raise SessionFailedError(session_id, (await self.sessions.read(session_id))["failure"])
            if not note["isLoading"]:
                return note
            await asyncio.sleep(looks.next_wait())
