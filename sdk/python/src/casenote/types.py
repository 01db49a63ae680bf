"""Written by `npm run generate` from openapi.json. Not to be changed by hand."""

from __future__ import annotations

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union


class PartnerCredentials(TypedDict):
    clientId: str
    clientSecret: str


class SessionFailure(TypedDict):
    """Why a session failed; there is none unless its status is `failed`"""

    #: Stable: branch on this. New ones may come; the guide about errors lists those of now
    code: str
    #: The same in words, with nothing of the session in it
    message: str
    #: Something was wanting that may be there now: `POST /sessions/{sessionId}/retry` can help. `false`: it would end the same way again
    retryable: bool


class PartnerApiErrorErrorMessage(TypedDict):
    #: One message for each offending field, field name first
    message: List[str]
    error: Literal["Bad Request"]
    statusCode: Literal[400]


class PartnerApiErrorError(TypedDict):
    #: Internal and unstable: do not match on it
    type: str
    #: An object for validation failures, a plain string for everything else
    message: Union[str, PartnerApiErrorErrorMessage]
    #: The HTTP status; branch on this
    statusCode: int
    #: ISO 8601 with `Z`, to the millisecond
    timestamp: str
    #: Reserved; always empty
    details: List[Any]


class _PartnerApiError(TypedDict):
    error: PartnerApiErrorError
    #: The failed path as routed inside, without `/v2`; diagnostic only
    path: str


class PartnerApiError(_PartnerApiError, total=False):
    """Application error"""

    failure: SessionFailure


class GatewayError(TypedDict):
    """Answered by the gateway, before the application is reached"""

    message: Literal["Missing Authentication Token", "Forbidden", "Too Many Requests", "Limit Exceeded"]


class PartnerToken(TypedDict):
    #: Sent in the `Access-Token` header, not as `Authorization`
    accessToken: str
    expiresIn: Literal[3600]
    tokenType: Literal["Bearer"]


class PartnerLimits(TypedDict):
    ratePerSecond: int
    burst: int
    perDay: int


class PartnerSigningChecks(TypedDict):
    """What is checked before a note is signed, and what a failed check does: nothing (`off`), a warning in the widget, no signature in the widget, or none in the widget and none by `finalize`. The operator sets it"""

    danger_not_written: Literal["off", "warn", "block_in_widget", "block_everywhere"]
    unsupported_sentence: Literal["off", "warn", "block_in_widget", "block_everywhere"]
    empty_section: Literal["off", "warn", "block_in_widget", "block_everywhere"]
    cloned_text: Literal["off", "warn", "block_in_widget", "block_everywhere"]
    service_minutes: Literal["off", "warn", "block_in_widget", "block_everywhere"]
    goal_not_linked: Literal["off", "warn", "block_in_widget", "block_everywhere"]


class Partner(TypedDict):
    #: Version-4 UUID
    id: str
    name: str
    environment: Union[Literal["sandbox"], Literal["production"]]
    callbackUrl: Optional[str]
    limits: PartnerLimits
    #: Whether a POST with an `Idempotency-Key` is done once in 24 hours; the operator switches it on
    idempotency: bool
    #: Whether an `externalId` or `sessionExternalId` that is taken is refused with 409; the operator switches it on
    uniqueExternalIds: bool
    #: What is checked before a note is signed, and what a failed check does: nothing (`off`), a warning in the widget, no signature in the widget, or none in the widget and none by `finalize`. The operator sets it
    signingChecks: PartnerSigningChecks
    #: Whether you may erase clients and what is theirs for good; the operator switches it on
    partnerErasure: bool
    #: Whether recordings need the client’s consent: then a session from `fileUrl` is refused without it
    requiresRecordingConsent: bool
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class PartnerPatch(TypedDict, total=False):
    #: Where events are sent: the primary webhook endpoint. `null` removes it. Production: https and a public host.
    callbackUrl: Optional[str]
    #: One more header, with the lower-case hex HMAC-SHA256 of the raw body, keyed with the whole newest `clientSecret`
    digestHeader: Optional[str]


class Organization(TypedDict):
    #: Version-4 UUID
    id: str
    name: str
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class PageMeta(TypedDict):
    totalItems: int
    #: 1 for an empty list
    totalPages: int
    #: 10, unless `Casenote-Page-Size` asked for another size
    itemsPerPage: int
    currentPage: int


class Clinic(TypedDict):
    #: Version-4 UUID
    id: str
    name: str
    #: Version-4 UUID
    organizationId: str
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class Program(TypedDict):
    #: Version-4 UUID
    id: str
    name: str
    #: Version-4 UUID
    organizationId: str
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class _ClinicianInput(TypedDict):
    firstName: str
    lastName: str
    email: str


class ClinicianInput(_ClinicianInput, total=False):
    #: The caller's own identifier; free-form, expected to be unique within an organization, not enforced
    externalId: Optional[str]
    #: May use prescriber note types
    prescriber: bool
    #: Used for sessions that name no note type. A prescriber note type needs a prescriber
    defaultNoteType: Optional[Literal["soap", "dap", "birp", "girp", "pirp", "psychotherapy_intake", "psychiatric_evaluation", "medication_management"]]
    #: Who co-signs what this clinician signs in the widget: another active clinician. Null, the default: nobody has to
    supervisorId: Optional[str]


class Clinician(TypedDict):
    #: Version-4 UUID
    id: str
    firstName: str
    lastName: str
    email: str
    #: The caller's own identifier; free-form, expected to be unique within an organization, not enforced
    externalId: Optional[str]
    #: Version-4 UUID
    clinicId: str
    #: May use prescriber note types
    prescriber: bool
    #: Used for sessions that name no note type. A prescriber note type needs a prescriber
    defaultNoteType: Optional[Literal["soap", "dap", "birp", "girp", "pirp", "psychotherapy_intake", "psychiatric_evaluation", "medication_management"]]
    #: Who co-signs what this clinician signs in the widget: another active clinician. Null, the default: nobody has to
    supervisorId: Optional[str]
    #: False while deactivated: no tokens, no new sessions; what they recorded and wrote stays
    active: bool
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class ClinicianPatch(TypedDict, total=False):
    """What is left out stays; `null` clears an optional field"""

    firstName: str
    lastName: str
    email: str
    #: The caller's own identifier; free-form, expected to be unique within an organization, not enforced
    externalId: Optional[str]
    #: May use prescriber note types
    prescriber: bool
    #: Used for sessions that name no note type. A prescriber note type needs a prescriber
    defaultNoteType: Optional[Literal["soap", "dap", "birp", "girp", "pirp", "psychotherapy_intake", "psychiatric_evaluation", "medication_management"]]
    #: Who co-signs what this clinician signs in the widget: another active clinician. Null, the default: nobody has to
    supervisorId: Optional[str]


class ClinicianTokens(TypedDict):
    AccessToken: str
    #: Reserved; identical to AccessToken
    IdToken: str
    #: Single-use, rotating, valid for 7 days
    RefreshToken: str
    ExpiresIn: Literal[600]


class _ClientInput(TypedDict):
    lastName: str
    #: ISO 8601 date, a real day from 1880 until today
    dateOfBirth: str


class ClientInput(_ClientInput, total=False):
    firstName: Optional[str]
    email: Optional[str]
    #: Begins with `+` and the calling code; kept and matched as given
    phoneNumber: Optional[str]
    #: The caller's own identifier; free-form, expected to be unique within an organization, not enforced
    externalId: Optional[str]
    #: What the client reads: a BCP 47 tag of language, script and region, kept as given. Their pages and mails are in it where there are words in it (`en`, `es`)
    language: Optional[str]
    #: Programs of the client's organization
    programIds: Optional[List[str]]


class Client(TypedDict):
    #: Version-4 UUID
    id: str
    firstName: Optional[str]
    lastName: str
    #: The caller's own identifier; free-form, expected to be unique within an organization, not enforced
    externalId: Optional[str]
    email: Optional[str]
    #: Begins with `+` and the calling code; kept and matched as given
    phoneNumber: Optional[str]
    #: ISO 8601 date, a real day from 1880 until today
    dateOfBirth: str
    #: What the client reads: a BCP 47 tag of language, script and region, kept as given. Their pages and mails are in it where there are words in it (`en`, `es`)
    language: Optional[str]
    status: Literal["awaiting_invite", "active", "archived", "declined", "invite_sent", "pending", "unknown"]
    #: Version-4 UUID
    clinicianId: str
    #: Version-4 UUID
    clinicId: str
    #: Version-4 UUID
    organizationId: str
    #: Programs of the client's organization
    programIds: List[str]
    #: Whether the client agreed to be recorded: `given`, `withdrawn`, or `none` where nobody has agreed yet
    recordingConsent: Literal["given", "withdrawn", "none"]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class ClientPatch(TypedDict, total=False):
    """What is left out stays; `null` clears an optional field"""

    lastName: str
    #: ISO 8601 date, a real day from 1880 until today
    dateOfBirth: str
    firstName: Optional[str]
    email: Optional[str]
    #: Begins with `+` and the calling code; kept and matched as given
    phoneNumber: Optional[str]
    #: The caller's own identifier; free-form, expected to be unique within an organization, not enforced
    externalId: Optional[str]
    #: What the client reads: a BCP 47 tag of language, script and region, kept as given. Their pages and mails are in it where there are words in it (`en`, `es`)
    language: Optional[str]
    #: Programs of the client's organization
    programIds: Optional[List[str]]


class InvitedClient(TypedDict):
    #: Version-4 UUID
    id: str
    firstName: Optional[str]
    lastName: str
    #: The caller's own identifier; free-form, expected to be unique within an organization, not enforced
    externalId: Optional[str]
    email: Optional[str]
    #: Begins with `+` and the calling code; kept and matched as given
    phoneNumber: Optional[str]
    #: ISO 8601 date, a real day from 1880 until today
    dateOfBirth: str
    #: What the client reads: a BCP 47 tag of language, script and region, kept as given. Their pages and mails are in it where there are words in it (`en`, `es`)
    language: Optional[str]
    status: Literal["awaiting_invite", "active", "archived", "declined", "invite_sent", "pending", "unknown"]
    #: Version-4 UUID
    clinicianId: str
    #: Version-4 UUID
    clinicId: str
    #: Version-4 UUID
    organizationId: str
    #: Programs of the client's organization
    programIds: List[str]
    #: Whether the client agreed to be recorded: `given`, `withdrawn`, or `none` where nobody has agreed yet
    recordingConsent: Literal["given", "withdrawn", "none"]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str
    #: Hand it to the client. Shown once; a later invitation replaces it
    inviteUrl: str
    #: Whether the service sends the link to the client's e-mail address itself; false: the caller hands it over
    isEmailed: bool


class ClientTransfer(TypedDict):
    #: A clinician of the client's organization
    clinicianId: str


class SecondaryCliniciansInput(TypedDict):
    #: Clinicians of the client's organization
    clinicianIds: List[str]


class SecondaryClinicians(TypedDict):
    #: All who are assigned now
    clinicianIds: List[str]


class ConsentAttestedBy(TypedDict):
    #: Who says so: the clinician, the partner, or the client on their own page
    kind: Literal["clinician", "partner", "client"]
    #: Version-4 UUID
    id: str


class ConsentWithdrawnBy(TypedDict):
    #: Who says so: the clinician, the partner, or the client on their own page
    kind: Literal["clinician", "partner", "client"]
    #: Version-4 UUID
    id: str


class Consent(TypedDict):
    #: Version-4 UUID
    id: str
    #: Version-4 UUID
    clientId: str
    #: Who agreed, as it was typed; `null`: the client, whose name nobody typed
    personName: Optional[str]
    #: `self`, a `guardian` who speaks for the client, or another `participant` of the session
    relation: Literal["self", "guardian", "participant"]
    #: Signed on the client’s page, signed in the room on the clinician’s screen or on paper, or given by word
    method: Literal["signed_on_page", "signed_in_room", "by_word"]
    #: Version of the text that was agreed to
    textVersion: str
    #: Whose text it is: the client’s clinic’s, its organization’s, the partner’s, or the one that comes with Casenote
    textOwner: Optional[Literal["clinic", "organization", "partner", "casenote"]]
    #: Id of the text that was read; `null`: the one that comes with Casenote, or words that nobody kept
    textId: Optional[str]
    #: Language of the text that was read
    language: Optional[Literal["en", "es"]]
    status: Literal["given", "withdrawn"]
    #: ISO 8601 with `Z`, to the millisecond
    givenAt: str
    attestedBy: ConsentAttestedBy
    #: ISO 8601 with `Z`, to the millisecond
    withdrawnAt: Optional[str]
    withdrawnBy: Optional[ConsentWithdrawnBy]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class _ConsentCreate(TypedDict):
    #: How it was given. What is signed on the client’s page is made there
    method: Literal["signed_in_room", "by_word"]
    #: Version of the text that was agreed to
    textVersion: str


class ConsentCreate(_ConsentCreate, total=False):
    #: Whose text it is: the client’s clinic’s, its organization’s, the partner’s, or the one that comes with Casenote
    textOwner: Optional[Literal["clinic", "organization", "partner", "casenote"]]
    #: The `textId` of the consent text that was read. Without it the text is found by what else is said of it, for the clinic that the client is of by now
    textId: Optional[str]
    #: Language of the text that was read
    language: Optional[Literal["en", "es"]]
    #: `self`, a `guardian` who speaks for the client, or another `participant` of the session
    relation: Optional[Literal["self", "guardian", "participant"]]
    #: As it was typed
    personName: Optional[str]


class ConsentWithTextAttestedBy(TypedDict):
    #: Who says so: the clinician, the partner, or the client on their own page
    kind: Literal["clinician", "partner", "client"]
    #: Version-4 UUID
    id: str


class ConsentWithTextWithdrawnBy(TypedDict):
    #: Who says so: the clinician, the partner, or the client on their own page
    kind: Literal["clinician", "partner", "client"]
    #: Version-4 UUID
    id: str


class ConsentWithText(TypedDict):
    #: Version-4 UUID
    id: str
    #: Version-4 UUID
    clientId: str
    #: Who agreed, as it was typed; `null`: the client, whose name nobody typed
    personName: Optional[str]
    #: `self`, a `guardian` who speaks for the client, or another `participant` of the session
    relation: Literal["self", "guardian", "participant"]
    #: Signed on the client’s page, signed in the room on the clinician’s screen or on paper, or given by word
    method: Literal["signed_on_page", "signed_in_room", "by_word"]
    #: Version of the text that was agreed to
    textVersion: str
    #: Whose text it is: the client’s clinic’s, its organization’s, the partner’s, or the one that comes with Casenote
    textOwner: Optional[Literal["clinic", "organization", "partner", "casenote"]]
    #: Id of the text that was read; `null`: the one that comes with Casenote, or words that nobody kept
    textId: Optional[str]
    #: Language of the text that was read
    language: Optional[Literal["en", "es"]]
    status: Literal["given", "withdrawn"]
    #: ISO 8601 with `Z`, to the millisecond
    givenAt: str
    attestedBy: ConsentWithTextAttestedBy
    #: ISO 8601 with `Z`, to the millisecond
    withdrawnAt: Optional[str]
    withdrawnBy: Optional[ConsentWithTextWithdrawnBy]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str
    #: The words that were read, whatever is asked by now: paragraphs, with an empty line between them. `null`: nobody kept them, as where a clinician asked in words of their own
    text: Optional[str]


class ConsentText(TypedDict):
    #: Version-4 UUID
    clientId: str
    #: Id of the text; `null`: the one that comes with Casenote
    textId: Optional[str]
    #: Version of the text that was agreed to
    version: str
    #: Whose text it is: the client’s clinic’s, its organization’s, the partner’s, or the one that comes with Casenote
    owner: Literal["clinic", "organization", "partner", "casenote"]
    #: Language of the text that was read
    language: Literal["en", "es"]
    #: Paragraphs, with an empty line between them
    text: str


class ConsentLink(TypedDict):
    #: Version-4 UUID
    clientId: str
    #: For the client alone; shown this once. A new link ends the one before
    url: str
    #: ISO 8601 with `Z`, to the millisecond
    expiresAt: str


class _TreatmentPlanCreateGoalsItemObjectivesItem(TypedDict):
    text: str


class TreatmentPlanCreateGoalsItemObjectivesItem(_TreatmentPlanCreateGoalsItemObjectivesItem, total=False):
    #: Id of an entry that the plan has already, so that it stays the same one; without it the entry is new
    id: Optional[str]
    targetDate: Optional[str]


class _TreatmentPlanCreateGoalsItem(TypedDict):
    text: str


class TreatmentPlanCreateGoalsItem(_TreatmentPlanCreateGoalsItem, total=False):
    #: Id of an entry that the plan has already, so that it stays the same one; without it the entry is new
    id: Optional[str]
    status: Literal["open", "met", "set_aside"]
    targetDate: Optional[str]
    objectives: List[TreatmentPlanCreateGoalsItemObjectivesItem]
    interventions: List[str]


class _TreatmentPlanCreateProblemsItem(TypedDict):
    text: str


class TreatmentPlanCreateProblemsItem(_TreatmentPlanCreateProblemsItem, total=False):
    #: Id of an entry that the plan has already, so that it stays the same one; without it the entry is new
    id: Optional[str]


class _TreatmentPlanCreate(TypedDict):
    #: All of them; what is left out is removed
    goals: List[TreatmentPlanCreateGoalsItem]


class TreatmentPlanCreate(_TreatmentPlanCreate, total=False):
    """All its texts together have at most 65536 bytes, as JSON in UTF-8"""

    title: Optional[str]
    startsOn: Optional[str]
    #: When it is looked at again
    reviewOn: Optional[str]
    problems: List[TreatmentPlanCreateProblemsItem]


class TreatmentPlanProblemsItem(TypedDict):
    #: Version-4 UUID
    id: str
    text: str


class TreatmentPlanGoalsItemObjectivesItem(TypedDict):
    #: Version-4 UUID
    id: str
    text: str
    targetDate: Optional[str]


class TreatmentPlanGoalsItem(TypedDict):
    #: Version-4 UUID
    id: str
    text: str
    status: Literal["open", "met", "set_aside"]
    targetDate: Optional[str]
    objectives: List[TreatmentPlanGoalsItemObjectivesItem]
    interventions: List[str]


class TreatmentPlanSignedBy(TypedDict):
    #: `clinician`: in the widget; `partner`: by the Partner API
    kind: Literal["clinician", "partner"]
    #: Version-4 UUID
    id: str
    #: Name of the clinician, as they are called today
    name: Optional[str]
    #: ISO 8601 with `Z`, to the millisecond
    at: str


class TreatmentPlan(TypedDict):
    #: Version-4 UUID
    id: str
    #: Version-4 UUID
    treatmentPlanId: str
    #: Version-4 UUID
    clientId: str
    #: A client has at most one `active` plan; `ended` is final
    status: Literal["draft", "active", "ended"]
    version: int
    title: Optional[str]
    startsOn: Optional[str]
    #: When it is looked at again
    reviewOn: Optional[str]
    problems: List[TreatmentPlanProblemsItem]
    goals: List[TreatmentPlanGoalsItem]
    signedBy: Optional[TreatmentPlanSignedBy]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str
    #: ISO 8601 with `Z`, to the millisecond
    updatedAt: str
    #: ISO 8601 with `Z`, to the millisecond
    endedAt: Optional[str]


class _TreatmentPlanChangeGoalsItemObjectivesItem(TypedDict):
    text: str


class TreatmentPlanChangeGoalsItemObjectivesItem(_TreatmentPlanChangeGoalsItemObjectivesItem, total=False):
    #: Id of an entry that the plan has already, so that it stays the same one; without it the entry is new
    id: Optional[str]
    targetDate: Optional[str]


class _TreatmentPlanChangeGoalsItem(TypedDict):
    text: str


class TreatmentPlanChangeGoalsItem(_TreatmentPlanChangeGoalsItem, total=False):
    #: Id of an entry that the plan has already, so that it stays the same one; without it the entry is new
    id: Optional[str]
    status: Literal["open", "met", "set_aside"]
    targetDate: Optional[str]
    objectives: List[TreatmentPlanChangeGoalsItemObjectivesItem]
    interventions: List[str]


class _TreatmentPlanChangeProblemsItem(TypedDict):
    text: str


class TreatmentPlanChangeProblemsItem(_TreatmentPlanChangeProblemsItem, total=False):
    #: Id of an entry that the plan has already, so that it stays the same one; without it the entry is new
    id: Optional[str]


class TreatmentPlanChange(TypedDict, total=False):
    """All its texts together have at most 65536 bytes, as JSON in UTF-8, those that stay included"""

    #: All of them; what is left out is removed
    goals: List[TreatmentPlanChangeGoalsItem]
    title: Optional[str]
    startsOn: Optional[str]
    #: When it is looked at again
    reviewOn: Optional[str]
    problems: List[TreatmentPlanChangeProblemsItem]


class TreatmentPlanVersionProblemsItem(TypedDict):
    #: Version-4 UUID
    id: str
    text: str


class TreatmentPlanVersionGoalsItemObjectivesItem(TypedDict):
    #: Version-4 UUID
    id: str
    text: str
    targetDate: Optional[str]


class TreatmentPlanVersionGoalsItem(TypedDict):
    #: Version-4 UUID
    id: str
    text: str
    status: Literal["open", "met", "set_aside"]
    targetDate: Optional[str]
    objectives: List[TreatmentPlanVersionGoalsItemObjectivesItem]
    interventions: List[str]


class TreatmentPlanVersionSignedBy(TypedDict):
    #: `clinician`: in the widget; `partner`: by the Partner API
    kind: Literal["clinician", "partner"]
    #: Version-4 UUID
    id: str
    #: Name of the clinician, as they are called today
    name: Optional[str]
    #: ISO 8601 with `Z`, to the millisecond
    at: str


class TreatmentPlanVersion(TypedDict):
    #: Version-4 UUID
    id: str
    version: int
    title: Optional[str]
    startsOn: Optional[str]
    #: When it is looked at again
    reviewOn: Optional[str]
    problems: List[TreatmentPlanVersionProblemsItem]
    goals: List[TreatmentPlanVersionGoalsItem]
    signedBy: Optional[TreatmentPlanVersionSignedBy]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class ClientExport(TypedDict):
    #: Version-4 UUID
    id: str
    #: Version-4 UUID
    clientId: str
    #: `expired`: the file was deleted; ask for another export
    status: Literal["preparing", "ready", "failed", "expired"]
    #: Size of the file; `null` until it is ready
    sizeBytes: Optional[int]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str
    #: ISO 8601 with `Z`, to the millisecond
    readyAt: Optional[str]
    #: When the file is deleted: a day after it was ready, or when another export of the client is
    expiresAt: Optional[str]


class _SessionContextChangeGoalsItem(TypedDict):
    text: str


class SessionContextChangeGoalsItem(_SessionContextChangeGoalsItem, total=False):
    #: Your own id of the goal, and of no other one
    goalId: Optional[str]


class SessionContextChange(TypedDict, total=False):
    #: As your chart words them
    diagnoses: List[str]
    #: What the client takes, as your chart words it
    medicines: List[str]
    #: Goals that you keep yourself; those of a treatment plan kept here need not be given again
    goals: List[SessionContextChangeGoalsItem]
    #: The plan that the last session ended with
    lastPlan: Optional[str]
    #: The client’s pronouns
    pronouns: Optional[str]
    #: Names that must not stand in the note; they are taken out wherever they would
    namesToKeepOut: List[str]
    #: The code that the session is billed with
    serviceCode: Optional[str]
    #: When what is billed began
    startedAt: Optional[str]
    #: When what is billed ended; after `startedAt`
    endedAt: Optional[str]


class SessionCreate(TypedDict, total=False):
    #: Absolute URL that the recording is fetched from, for example a presigned one. Production: https and a public host. A sandbox also takes `casenote://test/success` and the other test recordings of the guide about it. Needed unless there is a `text`
    fileUrl: str
    #: Instead of `fileUrl`: what happened, in the clinician’s own words, where nobody was recorded. It becomes the transcript, as items of the speaker `clinician`
    text: Optional[str]
    #: With `fileUrl`: only the clinician is heard in it, who tells of the session afterwards. All of it becomes items of the speaker `clinician`, no voices are told apart, and no consent to be recorded is asked for
    dictated: Optional[bool]
    #: A clinician who treats the client; without it the primary one
    clinicianId: Optional[str]
    #: Your own identifier of the session; echoed in events; need not be unique
    sessionExternalId: Optional[str]
    #: Without it the clinician’s default, else `soap`. The two prescriber types need a prescriber
    noteType: Optional[Literal["soap", "dap", "birp", "girp", "pirp", "psychotherapy_intake", "psychiatric_evaluation", "medication_management"]]
    #: A template that the clinician can use (`GET /templates`), of the `noteType` if both are given. Without it the nearest default of the type
    templateId: Optional[str]
    #: The language of the session, by the word of somebody who was there: the primary tag of BCP 47, one of those that this installation offers (always `en`). Whatever is heard is taken then; a session that nobody says it of fails where it is not understood
    language: Optional[str]
    #: When the session took place
    startedAt: Optional[str]
    context: Optional[SessionContextChange]


class _Session(TypedDict):
    #: Version-4 UUID
    id: str
    #: Version-4 UUID
    sessionId: str
    #: Your own identifier of the session; echoed in events; need not be unique
    sessionExternalId: Optional[str]
    #: As given; `null` for a session of the widget
    fileUrl: Optional[str]
    #: Version-4 UUID
    clientId: str
    #: Version-4 UUID
    clinicianId: str
    #: Version-4 UUID
    clinicId: str
    #: Version-4 UUID
    organizationId: str
    #: What kind of note is written
    noteType: Literal["soap", "dap", "birp", "girp", "pirp", "psychotherapy_intake", "psychiatric_evaluation", "medication_management"]
    #: Id of the template that its note is written with; a built-in template has the note type for its id
    templateId: str
    #: `typed`, `dictated`: the session was not recorded; the transcript is what the clinician typed or dictated about it
    source: Literal["recording", "typed", "dictated"]
    #: What was said in it, by the word of somebody who was there; `null`: nobody said, and it is taken for English unless it is not understood
    language: Optional[str]
    #: `completed`: every step has ended; the progress note tells its own state. `failed` is final
    status: Literal["awaiting_audio", "fetching", "transcribing", "generating", "completed", "failed"]
    #: Share of the work that is done; never falls, and is 1 exactly when `status` is `completed`
    progress: float
    failure: Optional[SessionFailure]
    #: ISO 8601 with `Z`, to the millisecond
    startedAt: Optional[str]
    #: The failed session whose recording or text this one has: it is processed again. `null` for all others
    retryOf: Optional[str]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class Session(_Session, total=False):
    #: The session of several people of which this is one person’s part; only where it is one. Not for clinicians who do not treat all of them
    sharedFrom: str
    #: The sessions that others who are heard have of their own; only where there are any. Not for clinicians who do not treat all of them
    linkedSessions: List[str]


class SessionContextGoalsItem(TypedDict):
    goalId: Optional[str]
    text: str


class SessionContext(TypedDict):
    #: Version-4 UUID
    sessionId: str
    #: As your chart words them
    diagnoses: List[str]
    #: What the client takes, as your chart words it
    medicines: List[str]
    goals: List[SessionContextGoalsItem]
    #: The plan that the last session ended with
    lastPlan: Optional[str]
    #: The client’s pronouns
    pronouns: Optional[str]
    #: Names that must not stand in the note; they are taken out wherever they would
    namesToKeepOut: List[str]
    #: The code that the session is billed with
    serviceCode: Optional[str]
    #: When what is billed began
    startedAt: Optional[str]
    #: When what is billed ended; after `startedAt`
    endedAt: Optional[str]
    #: ISO 8601 with `Z`, to the millisecond
    updatedAt: Optional[str]


class TranscriptSpeaker(TypedDict):
    """Somebody who is heard in the recording"""

    #: One voice of the recording, by its number
    voice: int
    #: `clinician`, `client` or `speaker_N`
    speaker: str
    #: As the note is to call them: letters, digits, spaces and `. , ' -`
    name: Optional[str]
    #: Who it is to the client of the session. `client` and `clinician` become the `speaker` of the lines; every other role is a `speaker_N`
    role: Optional[Literal["client", "partner", "parent", "child", "other", "clinician"]]


class TranscriptTranscriptItemsItemCorrectionsItem(TypedDict):
    heard: str
    corrected: str


class _TranscriptTranscriptItemsItem(TypedDict):
    #: Seconds from the start of the recording
    startTime: float
    #: Seconds from the start of the recording
    endTime: float
    #: `clinician`, `client` or `speaker_N`
    speaker: str
    transcript: str


class TranscriptTranscriptItemsItem(_TranscriptTranscriptItemsItem, total=False):
    #: Whose voice it is: a `voice` of the transcript’s `speakers`. Not of what was typed or dictated
    voice: int
    #: The session was not recorded: the clinician typed it, and its times are 0, or dictated it, and its times are those of the dictation. Only where it is so
    source: Literal["typed", "dictated"]
    #: Names that were misheard and put right in `transcript`; only where there are any
    corrections: List[TranscriptTranscriptItemsItemCorrectionsItem]


class TranscriptGapsItemBy(TypedDict):
    kind: Literal["clinician", "partner"]
    #: Version-4 UUID
    id: str


class TranscriptGapsItem(TypedDict):
    """A stretch that was off the record. What was said in it is kept nowhere"""

    #: Version-4 UUID
    id: str
    #: `off_record`: the recorder paused, or had no sound, and nothing was kept. `struck`: it was recorded, and taken out
    kind: Literal["off_record", "struck"]
    #: Seconds from the start of the recording
    start: float
    #: The same as `start` where nothing was recorded
    end: float
    #: How long it was
    seconds: float
    by: TranscriptGapsItemBy
    #: ISO 8601 with `Z`, to the millisecond
    at: str


class _Transcript(TypedDict):
    #: Version-4 UUID
    id: str
    #: Version-4 UUID
    sessionId: str
    transcriptItems: List[TranscriptTranscriptItemsItem]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class Transcript(_Transcript, total=False):
    """Diarized; in the order of speaking. Its `id` is the session’s"""

    #: Whoever is heard, by voice, with the name and role that somebody gave them. Not where the transcript was typed or dictated
    speakers: List[TranscriptSpeaker]
    #: What was off the record; only where something was
    gaps: List[TranscriptGapsItem]
    #: Only one voice was told apart in three minutes or more: perhaps the other one was in headphones. Only where it is so
    isOneVoice: bool


class TranscriptPatch(TypedDict):
    #: From each label to be changed to its new one, all at once: two may be swapped. The note is not written again by itself
    speakers: Dict[str, str]


class _SpeakersChangeSpeakersItem(TypedDict):
    #: One voice of the recording, by its number
    voice: int


class SpeakersChangeSpeakersItem(_SpeakersChangeSpeakersItem, total=False):
    #: As the note is to call them: letters, digits, spaces and `. , ' -`
    name: Optional[str]
    #: Who it is to the client of the session. `client` and `clinician` become the `speaker` of the lines; every other role is a `speaker_N`
    role: Optional[Literal["client", "partner", "parent", "child", "other", "clinician"]]


class SpeakersChangeLinesItem(TypedDict):
    #: Index into `transcriptItems`
    item: int
    #: One voice of the recording, by its number
    voice: int


class _SpeakersChange(TypedDict):
    #: Who they are, by voice: what is given takes the place of what was, `null` takes it away, the rest stays. The note is not written again by itself
    speakers: List[SpeakersChangeSpeakersItem]


class SpeakersChange(_SpeakersChange, total=False):
    #: Lines that another voice said than was heard
    lines: List[SpeakersChangeLinesItem]


class _LinkedSessionCreate(TypedDict):
    #: Who it is: another client than the one of the session
    clientId: str
    #: The client’s, of the transcript’s `speakers`
    voices: List[int]


class LinkedSessionCreate(_LinkedSessionCreate, total=False):
    #: A clinician who treats the client; without it the one of the session if they do, else the primary one
    clinicianId: Optional[str]
    #: Your own identifier of the new session
    sessionExternalId: Optional[str]
    #: As of any session
    noteType: Optional[Literal["soap", "dap", "birp", "girp", "pirp", "psychotherapy_intake", "psychiatric_evaluation", "medication_management"]]
    #: As of any session
    templateId: Optional[str]


class _StretchToStrike(TypedDict):
    #: Seconds from the start of the recording
    start: float
    #: Seconds from the start of the recording; after `start`
    end: float


class StretchToStrike(_StretchToStrike, total=False):
    #: Only says what would go. Nothing is changed
    preview: bool
    #: Whoever asks has read what was said about danger in the stretch, and it is to go
    dangerSeen: bool


class StruckStretchDangerItem(TypedDict):
    label: str
    words: str
    #: Seconds from the start of the recording
    startTime: float


class StruckStretch(TypedDict):
    #: Version-4 UUID
    sessionId: str
    #: Where it begins: with the line in which `start` lies
    start: float
    #: Where it ends: with the line in which `end` lies
    end: float
    #: How many lines of the transcript are in it
    lines: int
    #: From how many linked sessions lines go, too, with all that was written of them
    linkedSessions: int
    #: What was said about danger in it, also what is denied or only suspected. Told by the preview alone: empty once it is struck
    danger: List[StruckStretchDangerItem]
    #: False for a preview
    isStruck: bool


class NoteSectionEvidenceItem(TypedDict):
    sentence: str
    #: Indexes into the transcript’s `transcriptItems`
    transcriptItems: List[int]
    #: False only for a sentence that was refused
    supported: bool
    #: `verified`: a language model compared it with the transcript, and exact checks found nothing; `exact_checks_only`: no model did; `refused`: not borne out; `clinicians_words`: typed or asked for by the clinician
    judgement: Literal["verified", "exact_checks_only", "refused", "clinicians_words"]
    #: Why it was refused
    reason: Optional[Literal["no_evidence", "number", "dose", "medicine", "quote", "denial", "not_asked", "speaker", "contradicted", "not_said", "certainty", "time", "whose", "act", "must_not"]]


class NoteSection(TypedDict):
    key: str
    title: str
    content: str
    evidence: List[NoteSectionEvidenceItem]


class _ReviewItem(TypedDict):
    id: str
    kind: Literal["danger", "medicine", "allergy", "score", "decision", "template"]
    label: str
    #: As said
    words: str
    transcriptItems: List[int]
    reason: Literal["not_written", "contradicted", "suspected", "quoted_instead", "left_out", "no_unit", "unclear_answer", "must_stand", "not_read"]


class ReviewItem(_ReviewItem, total=False):
    #: Who said the words, as in the transcript; only where several people besides the clinician spoke
    speaker: str


class CoSignatureSupervisor(TypedDict):
    """Whose signature is awaited: the supervisor whom the signer has now. Null: they have none any more, and sign once more; or nothing is awaited"""

    #: Version-4 UUID
    id: str
    #: As they are called today
    name: str
    active: bool


class CoSignatureReturnedBy(TypedDict):
    #: Version-4 UUID
    id: str
    #: As they are called today
    name: str


class CoSignatureReturned(TypedDict):
    """Who gave it back last and why, until it is signed again"""

    by: CoSignatureReturnedBy
    reason: str
    #: ISO 8601 with `Z`, to the millisecond
    at: str


class CoSignature(TypedDict):
    #: `awaited`: signed and locked, the supervisor has yet to sign; `returned`: given back, and open for changes again
    state: Literal["awaited", "returned"]
    #: Whose signature is awaited: the supervisor whom the signer has now. Null: they have none any more, and sign once more; or nothing is awaited
    supervisor: Optional[CoSignatureSupervisor]
    #: Who gave it back last and why, until it is signed again
    returned: Optional[CoSignatureReturned]


class AddendumAuthor(TypedDict):
    #: `clinician`: in the widget; `partner`: by the Partner API
    kind: Literal["clinician", "partner"]
    #: Version-4 UUID
    id: str
    #: Name of the clinician, as they are called today
    name: Optional[str]


class Addendum(TypedDict):
    #: Version-4 UUID
    id: str
    text: str
    author: AddendumAuthor
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class ProgressNoteTemplateSectionsItem(TypedDict):
    key: str
    title: str
    #: Which kinds of talk stand in it, as in the template
    holds: List[Literal["danger", "reported", "medicines", "allergies", "observed", "judgement", "done", "response", "plan", "presenting", "adherence", "med_response", "side_effects", "substance", "goal", "treatment_goals", "strengths", "psych_history", "medical", "family_history", "social_history", "trauma_history", "scores", "med_change"]]


class ProgressNoteTemplate(TypedDict):
    noteType: Literal["soap", "dap", "birp", "girp", "pirp", "psychotherapy_intake", "psychiatric_evaluation", "medication_management"]
    #: As chosen in the widget
    sessionType: Optional[str]
    #: Id of the template that it is written with
    id: str
    version: int
    title: str
    sections: List[ProgressNoteTemplateSectionsItem]


class ProgressNotePreferences(TypedDict):
    treatmentApproaches: List[str]
    sessionSetting: Optional[str]


class ProgressNoteGoalsItemSentencesItem(TypedDict):
    section: str
    sentence: str


class ProgressNoteGoalsItem(TypedDict):
    goalId: str
    #: `null` for a goal of the session’s `context`
    treatmentPlanId: Optional[str]
    #: Empty: nothing in the note speaks to it
    sentences: List[ProgressNoteGoalsItemSentencesItem]


class ProgressNoteWriter(TypedDict):
    #: `extract`: quotes of what was said, chosen without a language model; `embedded`: rules of an earlier version
    engine: Literal["extract", "openai", "local", "embedded"]
    model: str
    #: The note holds quotes and no prose
    isExtract: bool


class ProgressNoteSignedBy(TypedDict):
    #: `clinician`: in the widget; `partner`: by the Partner API
    kind: Literal["clinician", "partner"]
    #: Version-4 UUID
    id: str
    #: Name of the clinician, as they are called today
    name: Optional[str]
    #: ISO 8601 with `Z`, to the millisecond
    at: str


class ProgressNoteCoSignedBy(TypedDict):
    #: `clinician`: in the widget; `partner`: by the Partner API
    kind: Literal["clinician", "partner"]
    #: Version-4 UUID
    id: str
    #: Name of the clinician, as they are called today
    name: Optional[str]
    #: ISO 8601 with `Z`, to the millisecond
    at: str


class ProgressNote(TypedDict):
    #: Version-4 UUID
    id: str
    #: Changes with every regeneration; every id that the note ever had keeps leading to it
    progressNoteId: str
    #: Version-4 UUID
    sessionId: str
    noteType: Literal["soap", "dap", "birp", "girp", "pirp", "psychotherapy_intake", "psychiatric_evaluation", "medication_management"]
    template: ProgressNoteTemplate
    preferences: ProgressNotePreferences
    #: `generating` exactly while `isLoading`; `failed`: there is no text, and none is being written
    status: Literal["generating", "generated", "regenerated", "finalized", "failed"]
    #: True while generating
    isLoading: bool
    #: Its texts went with a stretch that was struck, and it is being written again, or that has failed: then it is regenerated, or given words by `PATCH`
    isEmptied: bool
    #: Empty or partial while generating
    note: List[NoteSection]
    #: Said and not written, or to be looked at before signing; danger first
    review: List[ReviewItem]
    #: Open goals of the treatment plan and of the session’s `context` when it was written, each with the sentences that speak to it
    goals: List[ProgressNoteGoalsItem]
    writer: Optional[ProgressNoteWriter]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str
    #: ISO 8601 with `Z`, to the millisecond
    updatedAt: str
    #: ISO 8601 with `Z`, to the millisecond
    finalizedAt: Optional[str]
    signedBy: Optional[ProgressNoteSignedBy]
    coSignedBy: Optional[ProgressNoteCoSignedBy]
    coSignature: Optional[CoSignature]
    #: Added after it was finalized, oldest first, at most 50; the finalized text never changes
    addenda: List[Addendum]


class ProgressNoteVersion(TypedDict):
    #: Version-4 UUID
    id: str
    version: int
    #: The id that the note had with this version
    progressNoteId: str
    origin: Literal["generation", "regeneration", "magic_edit", "edit"]
    note: List[NoteSection]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class MagicEdit(TypedDict):
    #: Version-4 UUID
    id: str
    #: The id that the note had when the edit was asked for
    progressNoteId: str
    #: Version-4 UUID
    sessionId: str
    #: Version-4 UUID
    clientId: str
    #: Version-4 UUID
    clinicianId: str
    userInstructions: str
    status: Literal["pending", "completed", "failed"]
    failureReason: Optional[str]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str
    #: ISO 8601 with `Z`, to the millisecond
    completedAt: Optional[str]


class SigningCheckFindingsItem(TypedDict):
    #: The section it is about, or in which it belongs
    sectionKey: Optional[str]
    #: As it stands in the note
    sentence: Optional[str]
    #: What was said, in short
    label: Optional[str]
    #: As said; of a goal, as it is worded
    words: Optional[str]
    #: To be written as it is for `write_words`, from which the service knows the words again; null where nobody said them in this session, as an answer of a questionnaire
    quote: Optional[str]
    #: Indexes into the transcript’s `transcriptItems`
    transcriptItems: List[int]
    #: How it is put right. `write_words`: write what was said into the section; `change_sentence`: correct or remove it; `fill_section`: write the section; `rewrite_sentence`: say it of this session, or remove it; `correct_service`: correct `serviceCode`, `startedAt` or `endedAt` of the session’s context; `write_about_goal`: say what was done about it, in words of the goal
    mend: Literal["write_words", "change_sentence", "fill_section", "rewrite_sentence", "correct_service", "write_about_goal"]


class SigningCheck(TypedDict):
    code: Literal["danger_not_written", "unsupported_sentence", "empty_section", "cloned_text", "service_minutes", "goal_not_linked"]
    #: What the partner wants of it; checks that are `off` are not listed
    mode: Literal["off", "warn", "block_in_widget", "block_everywhere"]
    #: `not_checked`: there was no answer in time, or nothing to check it by; it stops nobody
    state: Literal["passed", "failed", "not_checked"]
    #: A plain sentence; null where it passed
    message: Optional[str]
    findings: List[SigningCheckFindingsItem]
    #: How many were found; 50 of them are listed at most
    total: int


class SigningChecks(TypedDict):
    #: Version-4 UUID
    progressNoteId: str
    #: Version-4 UUID
    sessionId: str
    checks: List[SigningCheck]
    #: Whether one that failed keeps the note from being signed in the widget
    blocksWidget: bool
    #: Whether one that failed keeps it from being finalized by the Partner API
    blocksPartnerApi: bool


class _AddendumRequest(TypedDict):
    #: White space around it is trimmed
    text: str


class AddendumRequest(_AddendumRequest, total=False):
    #: A version-4 UUID of your choice, lower case. The same one sent again, after a lost answer, adds nothing
    id: str


class _ProgressNotePatchNoteItem(TypedDict):
    #: A section of the note’s template; none twice
    key: str
    content: str


class ProgressNotePatchNoteItem(_ProgressNotePatchNoteItem, total=False):
    #: Without it the template’s
    title: str


class ProgressNotePatch(TypedDict):
    #: All sections; what is left out is removed. `evidence` may be sent back as read and is not taken: it stays with the sentences that stayed
    note: List[ProgressNotePatchNoteItem]


class MagicEditRequest(TypedDict):
    #: What to change, in plain words; white space around it is trimmed
    userInstructions: str


class MdmElementsProblemsAddressedItem(TypedDict):
    problem: str
    level: Literal["na", "minimal", "low", "moderate", "high"]
    rationale: str
    #: Indexes into the transcript’s `transcriptItems`
    evidence: List[int]


class MdmElementsRiskOfComplications(TypedDict):
    level: Literal["na", "minimal", "low", "moderate", "high"]
    rationale: str
    #: Indexes into the transcript’s `transcriptItems`
    evidence: List[int]


class MdmElements(TypedDict):
    """Medical decision making elements of a session with a prescriber note type"""

    #: Version-4 UUID
    id: str
    #: Version-4 UUID
    mdmId: str
    #: Version-4 UUID
    sessionId: str
    problemsAddressed: List[MdmElementsProblemsAddressedItem]
    riskOfComplications: MdmElementsRiskOfComplications
    crisisInterventionIdentified: bool
    crisisInterventionRationale: Optional[str]
    #: Indexes into the transcript’s `transcriptItems`
    crisisInterventionEvidence: List[int]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class Summary(TypedDict):
    #: Version-4 UUID
    id: str
    #: Version-4 UUID
    summaryId: str
    #: Version-4 UUID
    sessionId: str
    summary: str
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class Assessment(TypedDict):
    id: str
    name: str
    description: str
    #: Whether the clinic administers it by default
    isDefault: bool
    #: Questions that count towards the score
    questionCount: int
    #: When the version of the assessment that is administered now was published here
    createdAt: str


class _AssessmentAdministration(TypedDict):
    #: Ids of assessments that the clinic offers. One named twice is administered once.
    assessmentIds: List[str]


class AssessmentAdministration(_AssessmentAdministration, total=False):
    #: How long the link works; 30 days unless it is said
    expiresInDays: Optional[int]
    #: False: nothing is sent to the client even where the service could; the caller hands over the link
    sendEmail: Optional[bool]


class AssessmentAssignment(TypedDict):
    #: Version-4 UUID
    id: str
    assessmentId: str
    status: Literal["outstanding", "completed", "expired", "revoked"]
    #: The page on which the client answers. Shown once; give it to the client only.
    url: str
    #: ISO 8601 with `Z`, to the millisecond
    expiresAt: str


class AssessmentAssignments(TypedDict):
    assignments: List[AssessmentAssignment]
    #: Whether the service sends the link to the client's e-mail address itself; false: the caller hands it over
    isEmailed: bool


class ListedAssignment(TypedDict):
    #: Version-4 UUID
    id: str
    assessmentId: str
    #: Version-4 UUID
    clientId: str
    status: Literal["outstanding", "completed", "expired", "revoked"]
    #: ISO 8601 with `Z`, to the millisecond
    expiresAt: str
    #: ISO 8601 with `Z`, to the millisecond
    completedAt: Optional[str]
    #: What became of the newest mail with this link; `null` if none was to be sent, or that is long ago
    emailStatus: Optional[Literal["waiting", "sent", "failed", "cancelled"]]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class AssessmentReissue(TypedDict, total=False):
    #: How long the link works; 30 days unless it is said
    expiresInDays: Optional[int]
    #: False: nothing is sent to the client even where the service could; the caller hands over the link
    sendEmail: Optional[bool]


class ReissuedAssignment(TypedDict):
    #: Version-4 UUID
    id: str
    assessmentId: str
    status: Literal["outstanding", "completed", "expired", "revoked"]
    #: The page on which the client answers. Shown once; give it to the client only.
    url: str
    #: ISO 8601 with `Z`, to the millisecond
    expiresAt: str
    #: Whether the service sends the link to the client's e-mail address itself; false: the caller hands it over
    isEmailed: bool


class AssessmentAnswer(TypedDict):
    questionKey: str
    questionDisplay: str
    answerValue: int
    answerDisplay: str


class AssessmentScoreSubscalesItem(TypedDict):
    key: str
    name: str
    score: int


class AssessmentScoreBandsItem(TypedDict):
    set: str
    setName: str
    band: str
    bandName: str


class AssessmentScoreCriteriaItem(TypedDict):
    key: str
    name: str
    isMet: bool


class AssessmentScoreChange(TypedDict):
    #: Version-4 UUID
    previousScoreId: str
    #: This total less the one before
    difference: int
    #: Whether the change is larger than the assessment's own error explains; `null` where no value is published
    reliable: Optional[Literal["improved", "worsened", "none"]]
    #: Whether the change is large enough to matter; `null` where no value is published
    meaningful: Optional[Literal["improved", "worsened", "none"]]


class AssessmentScore(TypedDict):
    #: Version-4 UUID
    id: str
    assessmentId: str
    #: Version-4 UUID
    clientId: str
    #: The total
    score: int
    #: The band of the total, or of a screen whether it is `positive`; `null` for an assessment without bands
    severity: Optional[str]
    #: What needs a look whatever the total is, such as an answer about self-harm: `self_harm`
    flags: List[str]
    #: ISO 8601 with `Z`, to the millisecond
    completedAt: str
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str
    #: As they were worded when the client answered
    answers: List[AssessmentAnswer]
    subscales: List[AssessmentScoreSubscalesItem]
    #: The total in every published set of bands; the first one is `severity`
    bands: List[AssessmentScoreBandsItem]
    #: Published rules beyond the total. Not a diagnosis
    criteria: List[AssessmentScoreCriteriaItem]
    change: Optional[AssessmentScoreChange]
    #: The version of the assessment that was answered
    assessmentVersion: str
    #: The version of the rules that counted
    scorerVersion: str
    #: What it was answered in
    language: Optional[str]


class ClientBriefLastSessionHomeworkItem(TypedDict):
    #: As said
    words: str
    transcriptItems: List[int]


class ClientBriefLastSession(TypedDict):
    #: Version-4 UUID
    sessionId: str
    #: Version-4 UUID
    progressNoteId: str
    #: ISO 8601 with `Z`, to the millisecond
    at: str
    noteType: Literal["soap", "dap", "birp", "girp", "pirp", "psychotherapy_intake", "psychiatric_evaluation", "medication_management"]
    #: ISO 8601 with `Z`, to the millisecond
    signedAt: Optional[str]
    #: What the note’s section says that holds the plan. Null where it says nothing, and where the clinician has left that section out: then it stands with what was reported, in the section that holds `reported`
    plan: Optional[str]
    #: What was agreed on or proposed for the time until this session
    homework: List[ClientBriefLastSessionHomeworkItem]


class ClientBriefEmptiedSession(TypedDict):
    """A newer session than `lastSession`, of which a stretch was struck and whose note has not been written again yet. What is told here is without it"""

    #: Version-4 UUID
    sessionId: str
    #: ISO 8601 with `Z`, to the millisecond
    at: str


class ClientBriefOpenDangerItemsItem(TypedDict):
    #: Version-4 UUID
    id: str
    label: str
    #: The question of a questionnaire that was answered; null for what was said
    question: Optional[str]
    words: str
    #: Version-4 UUID
    sessionId: Optional[str]
    #: ISO 8601 with `Z`, to the millisecond
    at: str


class ClientBriefOpenDanger(TypedDict):
    #: Newest first
    items: List[ClientBriefOpenDangerItemsItem]
    total: int


class ClientBriefScoresItemPointsItem(TypedDict):
    #: ISO 8601 with `Z`, to the millisecond
    at: str
    score: float


class ClientBriefScoresItem(TypedDict):
    assessmentId: str
    name: str
    score: float
    severityName: Optional[str]
    #: ISO 8601 with `Z`, to the millisecond
    completedAt: str
    #: Against the score before
    change: Optional[float]
    #: Whether it is larger than the instrument’s own error; null where nobody published a value
    reliableChange: Optional[Literal["improved", "worsened", "none"]]
    scoreMin: float
    scoreMax: float
    #: The newest, oldest first
    points: List[ClientBriefScoresItemPointsItem]


class ClientBriefGoalsItem(TypedDict):
    #: Version-4 UUID
    id: str
    text: str
    targetDate: Optional[str]


class ClientBrief(TypedDict):
    #: Version-4 UUID
    clientId: str
    lastSession: Optional[ClientBriefLastSession]
    #: A newer session than `lastSession`, of which a stretch was struck and whose note has not been written again yet. What is told here is without it
    emptiedSession: Optional[ClientBriefEmptiedSession]
    openDanger: ClientBriefOpenDanger
    #: One for each instrument
    scores: List[ClientBriefScoresItem]
    #: The open goals of the active treatment plan
    goals: List[ClientBriefGoalsItem]


class TimelineEntry(TypedDict):
    #: Version-4 UUID
    id: str
    #: `danger_ended`: a clinician closed it, or a signed note holds it
    kind: Literal["session", "note_finalized", "assessment_completed", "danger_opened", "danger_ended"]
    #: ISO 8601 with `Z`, to the millisecond
    at: str
    #: Version-4 UUID
    sessionId: Optional[str]
    #: Version-4 UUID
    progressNoteId: Optional[str]
    #: Version-4 UUID
    assessmentScoreId: Optional[str]
    #: The note’s title, the assessment’s name, or what was said about danger, in short
    label: str
    #: For a session its `status`; for danger that ended `closed` or `held`
    status: Optional[str]
    score: Optional[float]
    severityName: Optional[str]


class WebhookEndpoint(TypedDict):
    #: Version-4 UUID
    id: str
    url: str
    eventTypes: List[Literal["progress_note_generated", "progress_note_regenerated", "progress_note_finalized", "transcript_ready", "session_transcript_error", "mdm_elements_identified", "assessment_completed", "session_failed", "treatment_plan_changed", "consent_given", "consent_withdrawn"]]
    enabled: bool
    #: `gone`: it answered 410. `failing`: every attempt of 5 days failed. `null`: not disabled by us.
    disabledReason: Optional[Literal["gone", "failing"]]
    digestHeader: Optional[str]
    #: Whether it is the `callbackUrl` of the partner
    isPrimary: bool
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class _NewWebhookEndpoint(TypedDict):
    #: Where events are sent. Production: https and a public host.
    url: str


class NewWebhookEndpoint(_NewWebhookEndpoint, total=False):
    #: Which events are sent. If never given: the seven of the contract; further ones (session_failed, treatment_plan_changed, consent_given, consent_withdrawn) go only to endpoints that name them
    eventTypes: List[Literal["progress_note_generated", "progress_note_regenerated", "progress_note_finalized", "transcript_ready", "session_transcript_error", "mdm_elements_identified", "assessment_completed", "session_failed", "treatment_plan_changed", "consent_given", "consent_withdrawn"]]
    enabled: bool
    #: One more header, with the lower-case hex HMAC-SHA256 of the raw body, keyed with the whole newest `clientSecret`
    digestHeader: Optional[str]


class WebhookEndpointPatch(TypedDict, total=False):
    #: Where events are sent. Production: https and a public host.
    url: str
    #: Which events are sent. If never given: the seven of the contract; further ones (session_failed, treatment_plan_changed, consent_given, consent_withdrawn) go only to endpoints that name them
    eventTypes: List[Literal["progress_note_generated", "progress_note_regenerated", "progress_note_finalized", "transcript_ready", "session_transcript_error", "mdm_elements_identified", "assessment_completed", "session_failed", "treatment_plan_changed", "consent_given", "consent_withdrawn"]]
    #: Nothing is sent to an endpoint that is not enabled
    enabled: bool
    #: One more header, with the lower-case hex HMAC-SHA256 of the raw body, keyed with the whole newest `clientSecret`
    digestHeader: Optional[str]


class WebhookTest(TypedDict):
    eventType: Literal["progress_note_generated", "progress_note_regenerated", "progress_note_finalized", "transcript_ready", "session_transcript_error", "mdm_elements_identified", "assessment_completed", "session_failed", "treatment_plan_changed", "consent_given", "consent_withdrawn"]


class WebhookAttempt(TypedDict):
    #: ISO 8601 with `Z`, to the millisecond
    at: str
    #: The HTTP status; `null` without an answer
    status: Optional[int]
    durationMs: int
    #: Why there was no answer
    error: Optional[str]


class WebhookDelivery(TypedDict):
    #: Version-4 UUID
    id: str
    eventType: Literal["progress_note_generated", "progress_note_regenerated", "progress_note_finalized", "transcript_ready", "session_transcript_error", "mdm_elements_identified", "assessment_completed", "session_failed", "treatment_plan_changed", "consent_given", "consent_withdrawn"]
    #: The `webhook-id` header: one for each event
    webhookId: str
    status: Literal["pending", "delivering", "succeeded", "failed", "cancelled"]
    #: Oldest first; the newest 50 of them
    attempts: List[WebhookAttempt]
    #: ISO 8601 with `Z`, to the millisecond
    nextAttemptAt: Optional[str]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class WebhookRecovery(TypedDict):
    #: Events recorded at this moment or later
    since: str


class WebhookRecovered(TypedDict):
    recovered: int


class SandboxAnswersAnswersItem(TypedDict):
    questionKey: str
    answerValue: int


class SandboxAnswers(TypedDict):
    #: As the client would give them, one for each question that is asked
    answers: List[SandboxAnswersAnswersItem]


class _SandboxTokenExpiry(TypedDict):
    #: `partner`: all partner access tokens of this tenant, the one of this call included. `clinician`: the access and refresh tokens of one clinician
    kind: Literal["partner", "clinician"]


class SandboxTokenExpiry(_SandboxTokenExpiry, total=False):
    #: Version-4 UUID
    clinicianId: Optional[str]


class ExpiredTokens(TypedDict):
    kind: Literal["partner", "clinician"]
    #: Version-4 UUID
    clinicianId: Optional[str]
    #: ISO 8601 with `Z`, to the millisecond
    expiredAt: str


class _SandboxFaultRequest(TypedDict):
    #: What the calls are answered with, in the body and headers that it really has
    status: Literal[429, 500, 503]
    #: How many calls are answered so
    count: int


class SandboxFaultRequest(_SandboxFaultRequest, total=False):
    #: Only calls whose path begins so after `/v2`; all of them unless it is said
    pathPrefix: Optional[str]


class SandboxFault(TypedDict):
    #: What the calls are answered with, in the body and headers that it really has
    status: Literal[429, 500, 503]
    #: How many calls are answered so
    count: int
    #: How many of them are still to come
    remaining: int
    pathPrefix: Optional[str]
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: str


class SandboxFaults(TypedDict):
    """The one that was asked for last; `null`: none"""

    fault: Optional[SandboxFault]


class SandboxClockMove(TypedDict):
    #: How far the clock of this sandbox is moved ahead; it never goes back
    advanceSeconds: int


class SandboxClock(TypedDict):
    #: What the clock of this sandbox shows: by it links expire, webhooks are tried again and recordings are kept
    now: str
    #: ISO 8601 with `Z`, to the millisecond
    realNow: str
    #: How far it was moved, all in all
    aheadSeconds: int


class RequestLogIdsItem(TypedDict):
    kind: str
    id: str


class RequestLog(TypedDict):
    #: The `X-Request-Id` of the answer
    requestId: str
    #: ISO 8601 with `Z`, to the millisecond
    at: str
    method: Optional[str]
    #: As this document writes it, with the names of ids instead of them
    path: Optional[str]
    #: The `operationId`
    operation: str
    status: int
    #: The error’s code, where the answer named one
    code: Optional[str]
    latencyMs: int
    #: The ids in the path, whoever’s they are
    ids: List[RequestLogIdsItem]


class Template(TypedDict):
    id: str
    #: The newest
    version: int
    noteType: Literal["soap", "dap", "birp", "girp", "pirp", "psychotherapy_intake", "psychiatric_evaluation", "medication_management"]
    title: str
    #: Who can use it: `built_in` and `tenant` all clinicians, else those of one clinic, or one of them
    scope: Literal["built_in", "tenant", "clinic", "clinician"]
    #: Version-4 UUID
    clinicId: Optional[str]
    #: Version-4 UUID
    clinicianId: Optional[str]
    #: Used where a session names its note type and no template; a clinician’s wins over the clinic’s, and that over the tenant’s
    isDefault: bool
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: Optional[str]


class _NoteTemplateVoice(TypedDict):
    person: Literal["client", "patient"]


class NoteTemplateVoice(_NoteTemplateVoice, total=False):
    form: Literal["prose", "points"]


class NoteTemplateSectionsItemWords(TypedDict):
    """For a full session"""

    least: int
    most: int


class NoteTemplateSectionsItemMustItem(TypedDict):
    what: str
    #: It stands where the section has one of these
    words: List[str]


class _NoteTemplateSectionsItem(TypedDict):
    #: Lower-case letters, digits and underscores
    key: str
    title: str
    #: What belongs here, for the writer. Never evidence: what nobody said is not written
    guide: str
    #: For a full session
    words: NoteTemplateSectionsItemWords


class NoteTemplateSectionsItem(_NoteTemplateSectionsItem, total=False):
    #: What clinicians call it besides key and title
    names: List[str]
    #: Which kinds of talk stand here; the first is what the title says. One section holds `danger`, and one `reported`
    holds: List[Literal["danger", "reported", "medicines", "allergies", "observed", "judgement", "done", "response", "plan", "presenting", "adherence", "med_response", "side_effects", "substance", "goal", "treatment_goals", "strengths", "psych_history", "medical", "family_history", "social_history", "trauma_history", "scores", "med_change"]]
    alsoGuide: str
    layout: Literal["paragraph", "bullets"]
    #: What does not stand is listed in the note’s `review`
    must: List[NoteTemplateSectionsItemMustItem]
    #: A sentence with one of these is refused in this section
    mustNot: List[str]


class _NoteTemplate(TypedDict):
    #: Version of the format of the file: 1
    format: int
    #: Lower-case letters, digits, underscores and dashes
    id: str
    #: Greater with every change; a note keeps the one that it was written with
    version: int
    #: The type that its notes are of
    noteType: Literal["soap", "dap", "birp", "girp", "pirp", "psychotherapy_intake", "psychiatric_evaluation", "medication_management"]
    title: str
    voice: NoteTemplateVoice
    sections: List[NoteTemplateSectionsItem]


class NoteTemplate(_NoteTemplate, total=False):
    #: A sentence with one of these is refused in any section
    mustNot: List[str]


class TemplateWithFile(TypedDict):
    id: str
    #: The newest
    version: int
    noteType: Literal["soap", "dap", "birp", "girp", "pirp", "psychotherapy_intake", "psychiatric_evaluation", "medication_management"]
    title: str
    #: Who can use it: `built_in` and `tenant` all clinicians, else those of one clinic, or one of them
    scope: Literal["built_in", "tenant", "clinic", "clinician"]
    #: Version-4 UUID
    clinicId: Optional[str]
    #: Version-4 UUID
    clinicianId: Optional[str]
    #: Used where a session names its note type and no template; a clinician’s wins over the clinic’s, and that over the tenant’s
    isDefault: bool
    #: ISO 8601 with `Z`, to the millisecond
    createdAt: Optional[str]
    template: NoteTemplate


class _TemplateInput(TypedDict):
    template: NoteTemplate


class TemplateInput(_TemplateInput, total=False):
    """Without `clinicId` and `clinicianId` a new template is for the whole tenant, and one that is known stays whose it is; at most one of them is given. `template` has at most 65536 bytes, as JSON in UTF-8"""

    #: Version-4 UUID
    clinicId: Optional[str]
    #: Version-4 UUID
    clinicianId: Optional[str]
    isDefault: bool


class WritingPreferences(TypedDict):
    #: How long the prose of a note is; quotes, and what nobody said, do not grow
    length: Literal["shorter", "usual", "longer"]
    #: Keys of sections that are not written. Where danger and where what was told stand is always written
    leftOut: List[str]
    #: A sentence with one of these is refused, and marked if it stays
    avoidedPhrases: List[str]


class WritingPreferencesPatch(TypedDict, total=False):
    """What is left out stays"""

    #: How long the prose of a note is; quotes, and what nobody said, do not grow
    length: Literal["shorter", "usual", "longer"]
    #: Keys of sections that are not written. Where danger and where what was told stand is always written
    leftOut: List[str]
    #: A sentence with one of these is refused, and marked if it stays
    avoidedPhrases: List[str]


class _RecordErasureRequest(TypedDict):
    #: There is no way back, and no backup brings it back: say so
    confirm: Literal["erase"]


class RecordErasureRequest(_RecordErasureRequest, total=False):
    #: Signed notes go with it. Without it a record that has any is refused with 409
    includeSignedNotes: bool


class _ErasureReceiptStatement(TypedDict):
    what: str
    #: Version-4 UUID
    erasureId: str
    #: Version-4 UUID
    partnerId: str
    kind: Literal["client", "session", "transcript", "draft"]
    #: What was erased; of a note the id that it has here, which never changes
    subjectId: str
    #: Version-4 UUID
    clientId: str
    askedBy: Literal["operator", "partner", "restore"]
    #: ISO 8601 with `Z`, to the millisecond
    askedAt: str
    #: ISO 8601 with `Z`, to the millisecond
    doneAt: str
    #: How many recordings went with it
    recordings: int
    #: Whether the client’s own key was destroyed: what backups still hold of the client opens for nobody
    isKeyDestroyed: bool


class ErasureReceiptStatement(_ErasureReceiptStatement, total=False):
    #: The id that it was asked for by, where a partner asked
    askedId: str


class ErasureReceipt(TypedDict):
    statement: ErasureReceiptStatement
    keyVersion: int
    #: PEM, Ed25519. Compare it with the one that the operator gave you
    publicKey: str
    #: Base64, of `statement` as JSON without spaces, in the order in which it came
    signature: str


class Erasure(TypedDict):
    #: Version-4 UUID
    id: str
    kind: Literal["client", "session", "transcript", "draft"]
    #: The id that was asked for: of a transcript its session’s, of a draft its note’s
    subjectId: str
    #: Version-4 UUID
    clientId: str
    #: `refused`: something was signed, or placed under a legal hold, since it was asked for
    status: Literal["erasing", "erased", "refused"]
    #: ISO 8601 with `Z`, to the millisecond
    requestedAt: str
    #: ISO 8601 with `Z`, to the millisecond
    finishedAt: Optional[str]
    receipt: Optional[ErasureReceipt]


class ErasureRequest(TypedDict):
    #: There is no way back, and no backup brings it back: say so
    confirm: Literal["erase"]


class _ProgressNoteGeneratedEventPayload(TypedDict):
    #: Version-4 UUID
    sessionId: str
    #: Version-4 UUID
    clientId: str
    #: Version-4 UUID
    clinicianId: str
    #: Version-4 UUID
    clinicId: str
    #: Version-4 UUID
    organizationId: str
    #: Version-4 UUID
    progressNoteId: str
    #: GET /sessions/{sessionId}/progress-note of this note
    progressNoteUrl: str
    #: The same as `organizationId`, which replaces it
    organization: str


class ProgressNoteGeneratedEventPayload(_ProgressNoteGeneratedEventPayload, total=False):
    #: Your own identifier of the session; absent if you gave none
    sessionExternalId: str


class ProgressNoteGeneratedEvent(TypedDict):
    eventType: Literal["progress_note_generated"]
    #: ISO 8601 with `Z`, to the millisecond
    timeStamp: str
    payload: ProgressNoteGeneratedEventPayload


class _ProgressNoteRegeneratedEventPayload(TypedDict):
    #: Version-4 UUID
    sessionId: str
    #: Version-4 UUID
    clientId: str
    #: Version-4 UUID
    clinicianId: str
    #: Version-4 UUID
    clinicId: str
    #: Version-4 UUID
    organizationId: str
    #: Version-4 UUID
    progressNoteId: str
    #: GET /sessions/{sessionId}/progress-note of this note
    progressNoteUrl: str
    #: The same as `organizationId`, which replaces it
    organization: str


class ProgressNoteRegeneratedEventPayload(_ProgressNoteRegeneratedEventPayload, total=False):
    #: Your own identifier of the session; absent if you gave none
    sessionExternalId: str


class ProgressNoteRegeneratedEvent(TypedDict):
    eventType: Literal["progress_note_regenerated"]
    #: ISO 8601 with `Z`, to the millisecond
    timeStamp: str
    payload: ProgressNoteRegeneratedEventPayload


class _ProgressNoteFinalizedEventPayload(TypedDict):
    #: Version-4 UUID
    sessionId: str
    #: Version-4 UUID
    clientId: str
    #: Version-4 UUID
    clinicianId: str
    #: Version-4 UUID
    clinicId: str
    #: Version-4 UUID
    organizationId: str
    #: Version-4 UUID
    progressNoteId: str
    #: GET /sessions/{sessionId}/progress-note of this note
    progressNoteUrl: str
    #: The same as `organizationId`, which replaces it
    organization: str


class ProgressNoteFinalizedEventPayload(_ProgressNoteFinalizedEventPayload, total=False):
    #: Your own identifier of the session; absent if you gave none
    sessionExternalId: str


class ProgressNoteFinalizedEvent(TypedDict):
    eventType: Literal["progress_note_finalized"]
    #: ISO 8601 with `Z`, to the millisecond
    timeStamp: str
    payload: ProgressNoteFinalizedEventPayload


class _TranscriptReadyEventPayload(TypedDict):
    #: Version-4 UUID
    sessionId: str
    #: Version-4 UUID
    clientId: str
    #: Version-4 UUID
    clinicianId: str
    #: Version-4 UUID
    clinicId: str
    #: Version-4 UUID
    organizationId: str
    #: GET /sessions/{sessionId}/transcript
    transcriptUrl: str


class TranscriptReadyEventPayload(_TranscriptReadyEventPayload, total=False):
    #: Your own identifier of the session; absent if you gave none
    sessionExternalId: str


class TranscriptReadyEvent(TypedDict):
    eventType: Literal["transcript_ready"]
    #: ISO 8601 with `Z`, to the millisecond
    timeStamp: str
    payload: TranscriptReadyEventPayload


class _SessionTranscriptErrorEventPayload(TypedDict):
    #: Version-4 UUID
    sessionId: str
    #: Version-4 UUID
    clientId: str
    #: Version-4 UUID
    clinicianId: str
    #: Version-4 UUID
    clinicId: str
    #: Version-4 UUID
    organizationId: str
    #: For people
    error: str
    failure: SessionFailure


class SessionTranscriptErrorEventPayload(_SessionTranscriptErrorEventPayload, total=False):
    #: Your own identifier of the session; absent if you gave none
    sessionExternalId: str


class SessionTranscriptErrorEvent(TypedDict):
    eventType: Literal["session_transcript_error"]
    #: ISO 8601 with `Z`, to the millisecond
    timeStamp: str
    payload: SessionTranscriptErrorEventPayload


class _SessionFailedEventPayload(TypedDict):
    #: Version-4 UUID
    sessionId: str
    #: Version-4 UUID
    clientId: str
    #: Version-4 UUID
    clinicianId: str
    #: Version-4 UUID
    clinicId: str
    #: Version-4 UUID
    organizationId: str
    #: For people
    error: str
    failure: SessionFailure


class SessionFailedEventPayload(_SessionFailedEventPayload, total=False):
    #: Your own identifier of the session; absent if you gave none
    sessionExternalId: str


class SessionFailedEvent(TypedDict):
    eventType: Literal["session_failed"]
    #: ISO 8601 with `Z`, to the millisecond
    timeStamp: str
    payload: SessionFailedEventPayload


class _MdmElementsIdentifiedEventPayload(TypedDict):
    #: Version-4 UUID
    sessionId: str
    #: Version-4 UUID
    clientId: str
    #: Version-4 UUID
    clinicianId: str
    #: Version-4 UUID
    clinicId: str
    #: Version-4 UUID
    organizationId: str
    #: Version-4 UUID
    mdmId: str
    #: GET /sessions/{sessionId}/mdm
    mdmUrl: str


class MdmElementsIdentifiedEventPayload(_MdmElementsIdentifiedEventPayload, total=False):
    #: Your own identifier of the session; absent if you gave none
    sessionExternalId: str


class MdmElementsIdentifiedEvent(TypedDict):
    eventType: Literal["mdm_elements_identified"]
    #: ISO 8601 with `Z`, to the millisecond
    timeStamp: str
    payload: MdmElementsIdentifiedEventPayload


class AssessmentCompletedEventPayloadAssessmentScoresItem(TypedDict):
    #: Version-4 UUID
    id: str
    #: Which assessment
    assessmentId: str
    #: GET /assessment-scores/{id}
    assessmentScoreUrl: str


class AssessmentCompletedEventPayload(TypedDict):
    #: The client
    patientId: str
    assessmentScores: List[AssessmentCompletedEventPayloadAssessmentScoresItem]


class AssessmentCompletedEvent(TypedDict):
    eventType: Literal["assessment_completed"]
    #: ISO 8601 with `Z`, to the millisecond
    timeStamp: str
    payload: AssessmentCompletedEventPayload


class TreatmentPlanChangedEventPayload(TypedDict):
    #: Version-4 UUID
    clientId: str
    #: Version-4 UUID
    treatmentPlanId: str
    version: int
    status: Literal["draft", "active", "ended"]
    #: GET /treatment-plans/{treatmentPlanId}
    treatmentPlanUrl: str


class TreatmentPlanChangedEvent(TypedDict):
    eventType: Literal["treatment_plan_changed"]
    #: ISO 8601 with `Z`, to the millisecond
    timeStamp: str
    payload: TreatmentPlanChangedEventPayload


class ConsentGivenEventPayload(TypedDict):
    #: Version-4 UUID
    clientId: str
    #: Version-4 UUID
    consentId: str
    relation: Literal["self", "guardian", "participant"]
    method: Literal["signed_on_page", "signed_in_room", "by_word"]
    #: Whether the client agreed to be recorded: `given`, `withdrawn`, or `none` where nobody has agreed yet
    recordingConsent: Literal["given", "withdrawn", "none"]
    #: GET /clients/{clientId}/consents
    consentsUrl: str


class ConsentGivenEvent(TypedDict):
    eventType: Literal["consent_given"]
    #: ISO 8601 with `Z`, to the millisecond
    timeStamp: str
    payload: ConsentGivenEventPayload


class ConsentWithdrawnEventPayload(TypedDict):
    #: Version-4 UUID
    clientId: str
    #: Version-4 UUID
    consentId: str
    relation: Literal["self", "guardian", "participant"]
    method: Literal["signed_on_page", "signed_in_room", "by_word"]
    #: Whether the client agreed to be recorded: `given`, `withdrawn`, or `none` where nobody has agreed yet
    recordingConsent: Literal["given", "withdrawn", "none"]
    #: GET /clients/{clientId}/consents
    consentsUrl: str


class ConsentWithdrawnEvent(TypedDict):
    eventType: Literal["consent_withdrawn"]
    #: ISO 8601 with `Z`, to the millisecond
    timeStamp: str
    payload: ConsentWithdrawnEventPayload
