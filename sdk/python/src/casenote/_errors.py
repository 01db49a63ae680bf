"""What this client raises."""

from __future__ import annotations

import builtins
from typing import Any, Dict, List, Mapping, Optional, cast
from urllib.parse import urljoin

from .types import SessionFailure


class CasenoteError(Exception):
    """Everything that this client raises by itself."""


class ConnectionError(CasenoteError, builtins.ConnectionError):
    """No answer came: the service cannot be reached, or the connection broke. Whether the call was done is not known."""


class TimeoutError(CasenoteError, builtins.TimeoutError):
    """No answer came in time (`timeout`), or no note (`wait_for_note`)."""


class SessionFailedError(CasenoteError):
    """The session failed, so that its note will not come. `failure` says why, and whether `sessions.retry` can help."""

    def __init__(self, session_id: str, failure: Optional[SessionFailure]) -> None:
        super().__init__(failure["message"] if failure else "The progress note could not be written")
        self.session_id = session_id
        self.failure = failure


class NoteUnchangedError(CasenoteError):
    """A magic edit or a regeneration has ended, and the note is the one from before: it failed. Ask again, or leave it."""

    def __init__(self, session_id: str) -> None:
        super().__init__(f"the note of session {session_id} was not written again")
        self.session_id = session_id


class ApiError(CasenoteError):
    """The service answered with an error. Branch on `status`, or on `code` where it is set."""

    def __init__(
        self, status: int, headers: Mapping[str, str], body: Any, messages: List[str], url: str
    ) -> None:
        super().__init__(f"{status}: {'; '.join(messages)}")
        self.status = status
        #: The service's stable name of what went wrong; None where the service sends none.
        self.code: Optional[str] = headers.get("casenote-error-code")
        #: What it means and what to do about it; None where the service sends no link.
        self.docs_url: Optional[str] = _find_help(headers.get("link"), url)
        #: What it said: one sentence, or one for every field that was refused.
        self.messages = messages
        #: For the operator, who finds the call in the log by it.
        self.request_id: Optional[str] = headers.get("x-request-id")
        #: How long to wait, where the service says so.
        self.retry_after_seconds: Optional[float] = _read_seconds(headers.get("retry-after"))
        #: As it came, read as JSON where it is JSON.
        self.body = body


class GatewayError(ApiError):
    """The bare shape, `{"message": …}`: the route, the API key or a limit."""


class PartnerApiError(ApiError):
    """The envelope of the application: `{"error": …, "path": …}`."""


class NotReadyError(PartnerApiError):
    """A transcript, summary or MDM elements that do not exist (yet).

    The service says so with a 200 and an envelope that says 404; `status` is 404, as it will be on the wire one day.
    """

    @property
    def failure(self) -> Optional[SessionFailure]:
        """Set where they will never come."""
        return cast(Optional[SessionFailure], self.body.get("failure"))


class WebhookVerificationError(CasenoteError):
    """It is not from the service, or not now: answer 400 and do nothing."""


def is_envelope(body: Any) -> bool:
    """Whether it is the envelope, whatever the status it came with."""
    error = body.get("error") if isinstance(body, dict) else None
    return isinstance(error, dict) and isinstance(error.get("statusCode"), int)


def make_api_error(status: int, headers: Mapping[str, str], body: Any, url: str) -> ApiError:
    """The one place where an answer becomes an error."""
    if is_envelope(body):
        return PartnerApiError(status, headers, body, _read_messages(body), url)
    if isinstance(body, dict) and isinstance(body.get("message"), str):
        return GatewayError(status, headers, body, [body["message"]], url)
    # Not the service: a proxy before it, most likely.
    said = [f"HTTP status {status} with a body that is no error of the service"]
    return ApiError(status, headers, body, said, url)


def make_not_ready_error(headers: Mapping[str, str], body: Dict[str, Any], url: str) -> NotReadyError:
    return NotReadyError(body["error"]["statusCode"], headers, body, _read_messages(body), url)


def _read_messages(body: Dict[str, Any]) -> List[str]:
    """A plain string, or an object with a list of them: the contract has both. Whatever else comes makes no other error of it."""
    message = body["error"].get("message")
    given = message.get("message") if isinstance(message, dict) else message
    texts = [one for one in (given if isinstance(given, list) else [given]) if isinstance(one, str)]
    return texts or [f"HTTP status {body['error']['statusCode']}"]


def _find_help(link: Optional[str], url: str) -> Optional[str]:
    for part in (link or "").split(","):
        target, _, rest = part.partition(">")
        if 'rel="help"' in rest:
            return urljoin(url, target.partition("<")[2])
    return None


def _read_seconds(text: Optional[str]) -> Optional[float]:
    try:
        seconds = float(text or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None
