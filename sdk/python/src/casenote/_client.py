"""The two clients."""

from __future__ import annotations

import asyncio
import random
import time
from typing import Optional

from ._async_resources import AsyncResources, AsyncSessionsResource
from ._errors import ApiError, ConnectionError, NoteUnchangedError, SessionFailedError, TimeoutError
from ._flow import OutOfTime, Settings
from ._resource import AsyncTransport, AsyncUntil, Transport, Until
from ._resources import Resources, SessionsResource
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
        self.end = time.monotonic() + timeout
        self._look = _FIRST_LOOK_SECONDS

    def is_over(self, error: Exception) -> bool:
        return isinstance(error, OutOfTime) or time.monotonic() >= self.end

    def late(self) -> TimeoutError:
        return TimeoutError(f"the note of session {self._session_id} was not written within {self._timeout} s")

    def judge(self, note: ProgressNote, after: Optional[str]) -> bool:
        """Whether it is there."""
        if note["isLoading"]:
            return False
        if after is not None and note["progressNoteId"] == after:
            raise NoteUnchangedError(self._session_id)
        return True

    def next_wait(self) -> float:
        # A tenth more or less: what was begun together is not asked for together.
        wait = self._look * (0.9 + 0.2 * random.random())
        if time.monotonic() + wait > self.end:
            raise self.late()
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
        settings = Settings(base_url, api_key, client_id, client_secret, timeout, retries)
        self._transport = Transport(settings)
        super().__init__(self._transport)

    def wait_for_note(
        self, session_id: str, *, timeout: float = 600.0, after: Optional[str] = None
    ) -> ProgressNote:
        """The session's note, once it is written.

        `after`: after a magic edit or a regeneration, the `progressNoteId` from before it. Where that fails the note from
        before stays, and this raises NoteUnchangedError instead of giving it as the new one. Raises SessionFailedError when
        no note will come and TimeoutError when none did in time. Where you can, take the webhook instead.
        """
        looks = _Looks(session_id, timeout)
        sessions = SessionsResource(Until(self._transport, looks.end))
        while True:
            try:
                note = sessions.read_progress_note(session_id)
                if note["status"] == "failed":
                    session = sessions.read(session_id)
                    raise SessionFailedError(session_id, session["failure"])
            except (ApiError, ConnectionError, TimeoutError) as error:
                if looks.is_over(error):
                    raise looks.late() from error
                raise
            if looks.judge(note, after):
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
        self._transport = AsyncTransport(settings)
        super().__init__(self._transport)

    async def wait_for_note(
        self, session_id: str, *, timeout: float = 600.0, after: Optional[str] = None
    ) -> ProgressNote:
        """As `Casenote.wait_for_note`; ends when its task is cancelled."""
        looks = _Looks(session_id, timeout)
        sessions = AsyncSessionsResource(AsyncUntil(self._transport, looks.end))
        while True:
            try:
                note = await sessions.read_progress_note(session_id)
                if note["status"] == "failed":
                    session = await sessions.read(session_id)
                    raise SessionFailedError(session_id, session["failure"])
            except (ApiError, ConnectionError, TimeoutError) as error:
                if looks.is_over(error):
                    raise looks.late() from error
                raise
            if looks.judge(note, after):
                return note
            await asyncio.sleep(looks.next_wait())
