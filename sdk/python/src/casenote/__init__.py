"""Client of the Casenote Partner API, on the standard library alone."""

from ._client import AsyncCasenote, Casenote
from ._errors import (
    ApiError,
    CasenoteError,
    ConnectionError,
    GatewayError,
    NoteUnchangedError,
    NotReadyError,
    PartnerApiError,
    SessionFailedError,
    TimeoutError,
    WebhookVerificationError,
)
from ._flow import headers_of
from ._pages import AsyncPages, Page, Pages
from ._webhooks import EVENT_TYPES, FURTHER_EVENT_TYPES, WebhookEvent, dedupe_keys, verify_webhook

__all__ = [
    "ApiError",
    "AsyncCasenote",
    "AsyncPages",
    "Casenote",
    "CasenoteError",
    "ConnectionError",
    "EVENT_TYPES",
    "FURTHER_EVENT_TYPES",
    "GatewayError",
    "NotReadyError",
    "NoteUnchangedError",
    "Page",
    "Pages",
    "PartnerApiError",
    "SessionFailedError",
    "TimeoutError",
    "WebhookEvent",
    "WebhookVerificationError",
    "dedupe_keys",
    "headers_of",
    "verify_webhook",
]
