"""Webhooks: who sent them, and what they tell."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Any, List, Literal, Mapping, Optional, Sequence, TypedDict, Union, cast

from ._errors import WebhookVerificationError
from .types import SessionFailure

#: During a rotation there are two; more than this is nobody's.
_SIGNATURES_MAX = 10
_SECRET_PREFIX = "whsec_"


class _SessionEventPayload(TypedDict):
    sessionId: str
    clientId: str
    clinicianId: str
    clinicId: str
    organizationId: str


class SessionEventPayload(_SessionEventPayload, total=False):
    #: Yours; absent if you gave none.
    sessionExternalId: str


class ProgressNoteEventPayload(SessionEventPayload):
    progressNoteId: str
    progressNoteUrl: str
    #: Deprecated: the same as `organizationId`.
    organization: str


class TranscriptReadyPayload(SessionEventPayload):
    transcriptUrl: str


class SessionTranscriptErrorPayload(SessionEventPayload):
    error: str
    failure: SessionFailure


class SessionFailedPayload(SessionEventPayload):
    error: str
    failure: SessionFailure


class MdmElementsIdentifiedPayload(SessionEventPayload):
    mdmId: str
    mdmUrl: str


class CompletedScore(TypedDict):
    id: str
    assessmentId: str
    assessmentScoreUrl: str


class AssessmentCompletedPayload(TypedDict):
    """Of a client, and of nothing else."""

    #: The client's id.
    patientId: str
    assessmentScores: List[CompletedScore]


class TreatmentPlanChangedPayload(TypedDict):
    """Of a client, too."""

    clientId: str
    treatmentPlanId: str
    version: int
    status: Literal["draft", "active", "ended"]
    treatmentPlanUrl: str


class ConsentPayload(TypedDict):
    clientId: str
    consentId: str
    relation: Literal["self", "guardian", "participant"]
    method: Literal["signed_on_page", "signed_in_room", "by_word"]
    #: What holds for the client from now on.
    recordingConsent: Literal["given", "withdrawn", "none"]
    consentsUrl: str


class ProgressNoteGenerated(TypedDict):
    eventType: Literal["progress_note_generated"]
    timeStamp: str
    payload: ProgressNoteEventPayload


class ProgressNoteRegenerated(TypedDict):
    eventType: Literal["progress_note_regenerated"]
    timeStamp: str
    payload: ProgressNoteEventPayload


class ProgressNoteFinalized(TypedDict):
    eventType: Literal["progress_note_finalized"]
    timeStamp: str
    payload: ProgressNoteEventPayload


class TranscriptReady(TypedDict):
    eventType: Literal["transcript_ready"]
    timeStamp: str
    payload: TranscriptReadyPayload


class SessionTranscriptError(TypedDict):
    eventType: Literal["session_transcript_error"]
    timeStamp: str
    payload: SessionTranscriptErrorPayload


class MdmElementsIdentified(TypedDict):
    eventType: Literal["mdm_elements_identified"]
    timeStamp: str
    payload: MdmElementsIdentifiedPayload


class AssessmentCompleted(TypedDict):
    eventType: Literal["assessment_completed"]
    timeStamp: str
    payload: AssessmentCompletedPayload


class SessionFailed(TypedDict):
    eventType: Literal["session_failed"]
    timeStamp: str
    payload: SessionFailedPayload


class TreatmentPlanChanged(TypedDict):
    eventType: Literal["treatment_plan_changed"]
    timeStamp: str
    payload: TreatmentPlanChangedPayload


class ConsentGiven(TypedDict):
    eventType: Literal["consent_given"]
    timeStamp: str
    payload: ConsentPayload


class ConsentWithdrawn(TypedDict):
    eventType: Literal["consent_withdrawn"]
    timeStamp: str
    payload: ConsentPayload


#: What this version of the SDK knows: `if event["eventType"] == …` narrows the payload. Others may come, and are none of
#: these: answer 2xx. A member with any `str` for its type would keep type checkers from narrowing.
WebhookEvent = Union[
    ProgressNoteGenerated,
    ProgressNoteRegenerated,
    ProgressNoteFinalized,
    TranscriptReady,
    SessionTranscriptError,
    MdmElementsIdentified,
    AssessmentCompleted,
    SessionFailed,
    TreatmentPlanChanged,
    ConsentGiven,
    ConsentWithdrawn,
]

#: The events that every endpoint gets unless it names others.
EVENT_TYPES = (
    "progress_note_generated",
    "progress_note_regenerated",
    "progress_note_finalized",
    "transcript_ready",
    "session_transcript_error",
    "mdm_elements_identified",
    "assessment_completed",
)

#: Sent only to endpoints that name them in `eventTypes`.
FURTHER_EVENT_TYPES = ("session_failed", "treatment_plan_changed", "consent_given", "consent_withdrawn")


def verify_webhook(
    body: Union[str, bytes],
    headers: Mapping[str, str],
    secrets: Union[str, Sequence[str]],
    *,
    tolerance_seconds: float = 300.0,
) -> WebhookEvent:
    """The event in a webhook's body, once it is proven that the service sent it.

    Standard Webhooks, with your `clientSecret`, or several while you change it. Give the body as it came, before
    anything has parsed it. Raises WebhookVerificationError.
    """
    given = {name.lower(): value for name, value in headers.items()}
    identifier, timestamp, signatures = (
        _get(given, name) for name in ("webhook-id", "webhook-timestamp", "webhook-signature")
    )
    _check_time(timestamp, tolerance_seconds)
    content = body.encode() if isinstance(body, str) else body
    signed = f"{identifier}.{timestamp}.".encode() + content
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        digest = hmac.new(_read_secret(secret), signed, hashlib.sha256).digest()
        expected = b"v1," + base64.b64encode(digest)
        for signature in signatures.split(" ")[:_SIGNATURES_MAX]:
            if hmac.compare_digest(signature.encode(), expected):
                return _parse(content)
    raise WebhookVerificationError("webhook-signature is by none of the secrets")


def dedupe_keys(event: WebhookEvent, headers: Optional[Mapping[str, str]] = None) -> List[str]:
    """What to remember of an event, so that it is not worked on twice: it may come again. One key, or one for each score.

    By what an unknown event is told apart nobody knows: its key is the `webhook-id` of the headers, and without them it
    has none.
    """
    kind = event["eventType"]
    ids = _read_ids(cast(Mapping[str, Any], event["payload"])) if kind in EVENT_TYPES + FURTHER_EVENT_TYPES else []
    if not ids:
        ids = [value for name, value in (headers or {}).items() if name.lower() == "webhook-id" and value][:1]
    return [f"{kind} {one}" for one in ids]


def _read_ids(payload: Mapping[str, Any]) -> List[str]:
    scores = payload.get("assessmentScores")
    if isinstance(scores, list):
        return [score["id"] for score in scores]
    if payload.get("treatmentPlanId"):
        return [f"{payload['treatmentPlanId']}/{payload.get('version')}/{payload.get('status')}"]
    identifier = payload.get("progressNoteId") or payload.get("sessionId") or payload.get("consentId")
    return [identifier] if identifier else []


def _get(headers: Mapping[str, str], name: str) -> str:
    value = headers.get(name)
    if not value:
        raise WebhookVerificationError(f"{name} is missing")
    return value


def _check_time(timestamp: str, tolerance_seconds: float) -> None:
    try:
        away = abs(time.time() - int(timestamp))
    except (ValueError, OverflowError):  # Thousands of digits are an int, and no float.
        away = float("inf")
    if away > tolerance_seconds:
        raise WebhookVerificationError("webhook-timestamp is too far from now")


def _read_secret(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret[len(_SECRET_PREFIX) :], validate=True)
    except binascii.Error:
        key = b""
    if not secret.startswith(_SECRET_PREFIX) or not key:
        raise ValueError("the secret is not of the form whsec_…")
    return key


def _parse(content: bytes) -> WebhookEvent:
    try:
        return cast(WebhookEvent, json.loads(content))
    except ValueError as error:
        raise WebhookVerificationError("the body is signed, but it is not JSON") from error
