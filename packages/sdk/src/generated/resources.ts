// Written by `npm run generate` from openapi.json. Not to be changed by hand.

import type { ListOptions, Pages } from '../pages.js'
import { Resource } from '../resource.js'
import { segment, type RequestOptions, type Transport } from '../transport.js'
import type {
  PartnerCredentials,
  PartnerToken,
  Partner,
  PartnerPatch,
  Organization,
  Clinic,
  Program,
  ClinicianInput,
  Clinician,
  ClinicianPatch,
  ClinicianTokens,
  ClientInput,
  Client,
  ClientPatch,
  InvitedClient,
  ClientTransfer,
  SecondaryCliniciansInput,
  SecondaryClinicians,
  Consent,
  ConsentCreate,
  ConsentWithText,
  ConsentText,
  ConsentLink,
  TreatmentPlanCreate,
  TreatmentPlan,
  TreatmentPlanChange,
  TreatmentPlanVersion,
  ClientExport,
  SessionContextChange,
  SessionCreate,
  Session,
  SessionContext,
  Transcript,
  TranscriptPatch,
  SpeakersChange,
  LinkedSessionCreate,
  StretchToStrike,
  StruckStretch,
  Addendum,
  ProgressNote,
  ProgressNoteVersion,
  MagicEdit,
  SigningChecks,
  AddendumRequest,
  ProgressNotePatch,
  MagicEditRequest,
  MdmElements,
  Summary,
  Assessment,
  AssessmentAdministration,
  AssessmentAssignments,
  ListedAssignment,
  AssessmentReissue,
  ReissuedAssignment,
  AssessmentScore,
  ClientBrief,
  TimelineEntry,
  WebhookEndpoint,
  NewWebhookEndpoint,
  WebhookEndpointPatch,
  WebhookTest,
  WebhookDelivery,
  WebhookRecovery,
  WebhookRecovered,
  SandboxAnswers,
  SandboxTokenExpiry,
  ExpiredTokens,
  SandboxFaultRequest,
  SandboxFault,
  SandboxFaults,
  SandboxClockMove,
  SandboxClock,
  RequestLog,
  Template,
  TemplateWithFile,
  TemplateInput,
  WritingPreferences,
  WritingPreferencesPatch,
  RecordErasureRequest,
  Erasure,
  ErasureRequest,
} from './types.js'

export interface ClinicianListFilters {
  /** Exact match */
  id?: string | undefined
  /** Exact match */
  firstName?: string | undefined
  /** Exact match */
  lastName?: string | undefined
  /** Exact match, case included */
  email?: string | undefined
  /** Exact match */
  externalId?: string | undefined
}

export interface ClientListOfClinicianFilters {
  /** Exact match */
  externalId?: string | undefined
  /** Exact match */
  firstName?: string | undefined
  /** Exact match */
  lastName?: string | undefined
  /** Free text across first and last name: every word is found anywhere in the name, in any order, ignoring case */
  name?: string | undefined
  /** Exact match, case included */
  email?: string | undefined
  /** Exact match; a `+` that arrived as a space is read as `+` */
  phoneNumber?: string | undefined
  /** ISO 8601 date */
  dateOfBirth?: string | undefined
  status?:
    'awaiting_invite' | 'active' | 'archived' | 'declined' | 'invite_sent' | 'pending' | 'unknown' | undefined
}

export interface ClientListFilters {
  /** Exact match */
  externalId?: string | undefined
  /** Exact match */
  firstName?: string | undefined
  /** Exact match */
  lastName?: string | undefined
  /** Free text across first and last name: every word is found anywhere in the name, in any order, ignoring case */
  name?: string | undefined
  /** Exact match, case included */
  email?: string | undefined
  /** Exact match; a `+` that arrived as a space is read as `+` */
  phoneNumber?: string | undefined
  /** ISO 8601 date */
  dateOfBirth?: string | undefined
  status?:
    'awaiting_invite' | 'active' | 'archived' | 'declined' | 'invite_sent' | 'pending' | 'unknown' | undefined
  /** Primary or secondary clinician */
  clinicianId?: string | undefined
}

export interface ConsentReadTextFilters {
  /** A language tag; without one, or without words in it, the client’s own, else English */
  language?: string | undefined
}

export interface ProgressNoteRegenerateFilters {
  /** Written with this template from now on, of whatever note type; without it with the newest version of its own */
  templateId?: string | undefined
}

export interface AssessmentListFilters {
  /** Only the default assessments of the clinic */
  defaultOnly?: boolean | undefined
}

export interface WebhookDeliveryListFilters {
  status?: 'pending' | 'delivering' | 'succeeded' | 'failed' | 'cancelled' | undefined
  eventType?: string | undefined
}

export interface RequestLogListFilters {
  /** Which answers: by the first digit */
  status?: '2xx' | '4xx' | '5xx' | undefined
  /** One `operationId` */
  operation?: string | undefined
  /** Only calls before this moment: given with every page, no call comes twice */
  before?: string | undefined
}

export class PartnersResource extends Resource {
  /** Obtain a partner access token. `POST /partners/authenticate` */
  authenticate(body: PartnerCredentials, options?: RequestOptions): Promise<PartnerToken> {
    return this.send(
      { method: 'POST', path: '/partners/authenticate', body, repeat: 'always', isAnonymous: true },
      options,
    )
  }

  /** The calling partner. `GET /partners` */
  read(options?: RequestOptions): Promise<Partner> {
    return this.send({ method: 'GET', path: '/partners', repeat: 'always' }, options)
  }

  /** Set the callback URL: the primary webhook endpoint. `digestHeader` is a setting of the same endpoint, and needs one. `PATCH /partners/{partnerId}` */
  change(partnerId: string, body: PartnerPatch, options?: RequestOptions): Promise<Partner> {
    return this.send(
      { method: 'PATCH', path: `/partners/${segment(partnerId)}`, body, repeat: 'always' },
      options,
    )
  }
}

export class OrganizationsResource extends Resource {
  /** List organizations. `GET /organizations` */
  list(options?: ListOptions): Pages<Organization> {
    return this.listPages('/organizations', {}, options)
  }

  /** Read an organization. `GET /organizations/{organizationId}` */
  read(organizationId: string, options?: RequestOptions): Promise<Organization> {
    return this.send(
      { method: 'GET', path: `/organizations/${segment(organizationId)}`, repeat: 'always' },
      options,
    )
  }
}

export class ClinicsResource extends Resource {
  /** List the clinics of an organization. `GET /organizations/{organizationId}/clinics` */
  list(organizationId: string, options?: ListOptions): Pages<Clinic> {
    return this.listPages(`/organizations/${segment(organizationId)}/clinics`, {}, options)
  }

  /** Read a clinic. `GET /clinics/{clinicId}` */
  read(clinicId: string, options?: RequestOptions): Promise<Clinic> {
    return this.send({ method: 'GET', path: `/clinics/${segment(clinicId)}`, repeat: 'always' }, options)
  }
}

export class ProgramsResource extends Resource {
  /** List the programs of an organization. `GET /organizations/{organizationId}/programs` */
  list(organizationId: string, options?: ListOptions): Pages<Program> {
    return this.listPages(`/organizations/${segment(organizationId)}/programs`, {}, options)
  }

  /** Read a program. `GET /programs/{programId}` */
  read(programId: string, options?: RequestOptions): Promise<Program> {
    return this.send({ method: 'GET', path: `/programs/${segment(programId)}`, repeat: 'always' }, options)
  }
}

export class CliniciansResource extends Resource {
  /** Create a clinician. `POST /clinics/{clinicId}/clinicians` */
  create(clinicId: string, body: ClinicianInput, options?: RequestOptions): Promise<Clinician> {
    return this.send(
      { method: 'POST', path: `/clinics/${segment(clinicId)}/clinicians`, body, repeat: 'withKey' },
      options,
    )
  }

  /** List the clinicians of a clinic. `GET /clinics/{clinicId}/clinicians` */
  list(clinicId: string, filters: ClinicianListFilters = {}, options?: ListOptions): Pages<Clinician> {
    return this.listPages(`/clinics/${segment(clinicId)}/clinicians`, filters, options)
  }

  /** Read a clinician. `GET /clinicians/{clinicianId}` */
  read(clinicianId: string, options?: RequestOptions): Promise<Clinician> {
    return this.send(
      { method: 'GET', path: `/clinicians/${segment(clinicianId)}`, repeat: 'always' },
      options,
    )
  }

  /** Change a clinician. `PATCH /clinicians/{clinicianId}` */
  change(clinicianId: string, body: ClinicianPatch, options?: RequestOptions): Promise<Clinician> {
    return this.send(
      { method: 'PATCH', path: `/clinicians/${segment(clinicianId)}`, body, repeat: 'always' },
      options,
    )
  }

  /** Mint a clinician token pair for the widget. `POST /clinicians/{clinicianId}/authenticate` */
  authenticate(clinicianId: string, options?: RequestOptions): Promise<ClinicianTokens> {
    return this.send(
      { method: 'POST', path: `/clinicians/${segment(clinicianId)}/authenticate`, repeat: 'never' },
      options,
    )
  }

  /** Ends all widget sessions of the clinician within 5 seconds, open streams and uploads included; `authenticate` and new sessions for them are refused with 409. They stay listed, with `active` false, and so do their clients and notes: transfer the clients, and whoever then treats them can edit and sign. What had arrived of a recording becomes a note. Repeating the call changes nothing. `POST /clinicians/{clinicianId}/deactivate` */
  deactivate(clinicianId: string, options?: RequestOptions): Promise<Clinician> {
    return this.send(
      { method: 'POST', path: `/clinicians/${segment(clinicianId)}/deactivate`, repeat: 'withKey' },
      options,
    )
  }

  /** Widget sessions that ended stay ended: mint a new token pair. What a browser still holds of a recording is sent after the next sign-in there. Repeating the call changes nothing. `POST /clinicians/{clinicianId}/reactivate` */
  reactivate(clinicianId: string, options?: RequestOptions): Promise<Clinician> {
    return this.send(
      { method: 'POST', path: `/clinicians/${segment(clinicianId)}/reactivate`, repeat: 'withKey' },
      options,
    )
  }

  /** For a lost device: within 5 seconds every token pair of the clinician is refused, open streams and uploads included. The clinician stays active: mint a new token pair, and a recording goes on where it stood. `POST /clinicians/{clinicianId}/end-widget-sessions` */
  endWidgetSessions(clinicianId: string, options?: RequestOptions): Promise<Clinician> {
    return this.send(
      { method: 'POST', path: `/clinicians/${segment(clinicianId)}/end-widget-sessions`, repeat: 'withKey' },
      options,
    )
  }

  /** List the magic edits of a clinician’s notes. `GET /clinicians/{clinicianId}/magic-edit` */
  listMagicEdits(clinicianId: string, options?: ListOptions): Pages<MagicEdit> {
    return this.listPages(`/clinicians/${segment(clinicianId)}/magic-edit`, {}, options)
  }

  /** Read what a clinician wants of their notes. `GET /clinicians/{clinicianId}/writing-preferences` */
  readWritingPreferences(clinicianId: string, options?: RequestOptions): Promise<WritingPreferences> {
    return this.send(
      { method: 'GET', path: `/clinicians/${segment(clinicianId)}/writing-preferences`, repeat: 'always' },
      options,
    )
  }

  /** Length, sections that are not written, and phrases that are refused: for the next notes, over whatever template they are written with. `PATCH /clinicians/{clinicianId}/writing-preferences` */
  changeWritingPreferences(
    clinicianId: string,
    body: WritingPreferencesPatch,
    options?: RequestOptions,
  ): Promise<WritingPreferences> {
    return this.send(
      {
        method: 'PATCH',
        path: `/clinicians/${segment(clinicianId)}/writing-preferences`,
        body,
        repeat: 'always',
      },
      options,
    )
  }
}

export class ClientsResource extends Resource {
  /** Create a client. `POST /clinicians/{clinicianId}/clients` */
  create(clinicianId: string, body: ClientInput, options?: RequestOptions): Promise<Client> {
    return this.send(
      { method: 'POST', path: `/clinicians/${segment(clinicianId)}/clients`, body, repeat: 'withKey' },
      options,
    )
  }

  /** List the clients whom a clinician treats, as primary or as secondary. `GET /clinicians/{clinicianId}/clients` */
  listOfClinician(
    clinicianId: string,
    filters: ClientListOfClinicianFilters = {},
    options?: ListOptions,
  ): Pages<Client> {
    return this.listPages(`/clinicians/${segment(clinicianId)}/clients`, filters, options)
  }

  /** List the clients of a clinic, archived ones included. `GET /clinics/{clinicId}/clients` */
  list(clinicId: string, filters: ClientListFilters = {}, options?: ListOptions): Pages<Client> {
    return this.listPages(`/clinics/${segment(clinicId)}/clients`, filters, options)
  }

  /** Read a client. `GET /clients/{clientId}` */
  read(clientId: string, options?: RequestOptions): Promise<Client> {
    return this.send({ method: 'GET', path: `/clients/${segment(clientId)}`, repeat: 'always' }, options)
  }

  /** Change a client. `PATCH /clients/{clientId}` */
  change(clientId: string, body: ClientPatch, options?: RequestOptions): Promise<Client> {
    return this.send(
      { method: 'PATCH', path: `/clients/${segment(clientId)}`, body, repeat: 'always' },
      options,
    )
  }

  /** Archive a client; archiving again changes nothing. `POST /clients/{clientId}/archive` */
  archive(clientId: string, options?: RequestOptions): Promise<Client> {
    return this.send(
      { method: 'POST', path: `/clients/${segment(clientId)}/archive`, repeat: 'withKey' },
      options,
    )
  }

  /** Give an archived client their earlier status back. `POST /clients/{clientId}/unarchive` */
  unarchive(clientId: string, options?: RequestOptions): Promise<Client> {
    return this.send(
      { method: 'POST', path: `/clients/${segment(clientId)}/unarchive`, repeat: 'withKey' },
      options,
    )
  }

  /** Invite a client; inviting again replaces the link. `POST /clients/{clientId}/invite` */
  invite(clientId: string, options?: RequestOptions): Promise<InvitedClient> {
    return this.send(
      { method: 'POST', path: `/clients/${segment(clientId)}/invite`, repeat: 'withKey' },
      options,
    )
  }

  /** Transfer a client, archived or not, to another primary clinician. `POST /clients/{clientId}/transfer` */
  transfer(clientId: string, body: ClientTransfer, options?: RequestOptions): Promise<Client> {
    return this.send(
      { method: 'POST', path: `/clients/${segment(clientId)}/transfer`, body, repeat: 'withKey' },
      options,
    )
  }

  /** Assign secondary clinicians; who is assigned or primary already is skipped; safe to retry. `POST /clients/{clientId}/secondary-clinicians` */
  assignSecondaryClinicians(
    clientId: string,
    body: SecondaryCliniciansInput,
    options?: RequestOptions,
  ): Promise<SecondaryClinicians> {
    return this.send(
      { method: 'POST', path: `/clients/${segment(clientId)}/secondary-clinicians`, body, repeat: 'always' },
      options,
    )
  }

  /** List the secondary clinicians of a client. `GET /clients/{clientId}/secondary-clinicians` */
  listSecondaryClinicians(clientId: string, options?: ListOptions): Pages<Clinician> {
    return this.listPages(`/clients/${segment(clientId)}/secondary-clinicians`, {}, options)
  }

  /** Remove a secondary clinician; removing again changes nothing. `DELETE /clients/{clientId}/secondary-clinicians/{clinicianId}` */
  removeSecondaryClinician(clientId: string, clinicianId: string, options?: RequestOptions): Promise<void> {
    return this.send(
      {
        method: 'DELETE',
        path: `/clients/${segment(clientId)}/secondary-clinicians/${segment(clinicianId)}`,
        repeat: 'always',
      },
      options,
    )
  }

  /** List the programs of a client. `GET /clients/{clientId}/programs` */
  listPrograms(clientId: string, options?: ListOptions): Pages<Program> {
    return this.listPages(`/clients/${segment(clientId)}/programs`, {}, options)
  }

  /** Read what a clinician wants to know before a session. `GET /clients/{clientId}/brief` */
  readBrief(clientId: string, options?: RequestOptions): Promise<ClientBrief> {
    return this.send(
      { method: 'GET', path: `/clients/${segment(clientId)}/brief`, repeat: 'always' },
      options,
    )
  }

  /** List what happened with a client. `GET /clients/{clientId}/timeline` */
  listTimeline(clientId: string, options?: ListOptions): Pages<TimelineEntry> {
    return this.listPages(`/clients/${segment(clientId)}/timeline`, {}, options)
  }

  /** The client with sessions, recordings, transcripts, notes and assessments. Deletes for good: there is no way back, and no backup brings it back. A worker does it within seconds; `GET /erasures/{erasureId}` tells when, with a signed receipt. Asked again it is the same erasure, also after it is done. The operator must have allowed it (`partnerErasure` of `GET /partners`). `POST /clients/{clientId}/erasures` */
  erase(clientId: string, body: RecordErasureRequest, options?: RequestOptions): Promise<Erasure> {
    return this.send(
      { method: 'POST', path: `/clients/${segment(clientId)}/erasures`, body, repeat: 'withKey' },
      options,
    )
  }
}

export class ConsentsResource extends Resource {
  /** List the consents of a client. `GET /clients/{clientId}/consents` */
  list(clientId: string, options?: ListOptions): Pages<Consent> {
    return this.listPages(`/clients/${segment(clientId)}/consents`, {}, options)
  }

  /** Attest that somebody agreed to a recording of the client. `POST /clients/{clientId}/consents` */
  create(clientId: string, body: ConsentCreate, options?: RequestOptions): Promise<Consent> {
    return this.send(
      { method: 'POST', path: `/clients/${segment(clientId)}/consents`, body, repeat: 'withKey' },
      options,
    )
  }

  /** Read a consent, with the words that were agreed to. `GET /clients/{clientId}/consents/{consentId}` */
  read(clientId: string, consentId: string, options?: RequestOptions): Promise<ConsentWithText> {
    return this.send(
      {
        method: 'GET',
        path: `/clients/${segment(clientId)}/consents/${segment(consentId)}`,
        repeat: 'always',
      },
      options,
    )
  }

  /** Withdraw a consent. `POST /clients/{clientId}/consents/{consentId}/withdraw` */
  withdraw(clientId: string, consentId: string, options?: RequestOptions): Promise<Consent> {
    return this.send(
      {
        method: 'POST',
        path: `/clients/${segment(clientId)}/consents/${segment(consentId)}/withdraw`,
        repeat: 'withKey',
      },
      options,
    )
  }

  /** Read what a client is asked to agree to. `GET /clients/{clientId}/consent-text` */
  readText(clientId: string, options?: RequestOptions): Promise<ConsentText> {
    return this.send(
      { method: 'GET', path: `/clients/${segment(clientId)}/consent-text`, repeat: 'always' },
      options,
    )
  }

  /** Make a link with which a client reads, signs and withdraws. `POST /clients/{clientId}/consent-link` */
  makeLink(clientId: string, options?: RequestOptions): Promise<ConsentLink> {
    return this.send(
      { method: 'POST', path: `/clients/${segment(clientId)}/consent-link`, repeat: 'withKey' },
      options,
    )
  }
}

export class TreatmentPlansResource extends Resource {
  /** Write a treatment plan for a client. `POST /clients/{clientId}/treatment-plans` */
  create(clientId: string, body: TreatmentPlanCreate, options?: RequestOptions): Promise<TreatmentPlan> {
    return this.send(
      { method: 'POST', path: `/clients/${segment(clientId)}/treatment-plans`, body, repeat: 'withKey' },
      options,
    )
  }

  /** List the treatment plans of a client. `GET /clients/{clientId}/treatment-plans` */
  list(clientId: string, options?: ListOptions): Pages<TreatmentPlan> {
    return this.listPages(`/clients/${segment(clientId)}/treatment-plans`, {}, options)
  }

  /** Read a treatment plan. `GET /treatment-plans/{treatmentPlanId}` */
  read(treatmentPlanId: string, options?: RequestOptions): Promise<TreatmentPlan> {
    return this.send(
      { method: 'GET', path: `/treatment-plans/${segment(treatmentPlanId)}`, repeat: 'always' },
      options,
    )
  }

  /** Change a treatment plan. `PATCH /treatment-plans/{treatmentPlanId}` */
  change(
    treatmentPlanId: string,
    body: TreatmentPlanChange,
    options?: RequestOptions & { ifMatch?: string | undefined },
  ): Promise<TreatmentPlan> {
    return this.send(
      {
        method: 'PATCH',
        path: `/treatment-plans/${segment(treatmentPlanId)}`,
        body,
        headers: { 'if-match': options?.ifMatch },
        repeat: options?.ifMatch === undefined ? 'always' : 'never',
      },
      options,
    )
  }

  /** Sign a treatment plan. `POST /treatment-plans/{treatmentPlanId}/sign` */
  sign(
    treatmentPlanId: string,
    options?: RequestOptions & { ifMatch?: string | undefined },
  ): Promise<TreatmentPlan> {
    return this.send(
      {
        method: 'POST',
        path: `/treatment-plans/${segment(treatmentPlanId)}/sign`,
        headers: { 'if-match': options?.ifMatch },
        repeat: options?.ifMatch === undefined ? 'withKey' : 'never',
      },
      options,
    )
  }

  /** End a treatment plan. `POST /treatment-plans/{treatmentPlanId}/end` */
  end(treatmentPlanId: string, options?: RequestOptions): Promise<TreatmentPlan> {
    return this.send(
      { method: 'POST', path: `/treatment-plans/${segment(treatmentPlanId)}/end`, repeat: 'withKey' },
      options,
    )
  }

  /** List the versions of a treatment plan. `GET /treatment-plans/{treatmentPlanId}/versions` */
  listVersions(treatmentPlanId: string, options?: ListOptions): Pages<TreatmentPlanVersion> {
    return this.listPages(`/treatment-plans/${segment(treatmentPlanId)}/versions`, {}, options)
  }
}

export class ClientExportsResource extends Resource {
  /** JSON, recordings, notes as PDF and a FHIR R4 bundle, in one ZIP. Asked again while one is prepared, the answer is the same export. Whoever has the file can read and hear all of it. `POST /clients/{clientId}/exports` */
  create(clientId: string, options?: RequestOptions): Promise<ClientExport> {
    return this.send(
      { method: 'POST', path: `/clients/${segment(clientId)}/exports`, repeat: 'withKey' },
      options,
    )
  }

  /** Read how far an export is. `GET /client-exports/{clientExportId}` */
  read(clientExportId: string, options?: RequestOptions): Promise<ClientExport> {
    return this.send(
      { method: 'GET', path: `/client-exports/${segment(clientExportId)}`, repeat: 'always' },
      options,
    )
  }
}

export class SessionsResource extends Resource {
  /** Create a session from a recording, or from what the clinician typed or dictated about it. `POST /clients/{clientId}/sessions` */
  create(clientId: string, body: SessionCreate = {}, options?: RequestOptions): Promise<Session> {
    return this.send(
      { method: 'POST', path: `/clients/${segment(clientId)}/sessions`, body, repeat: 'withKey' },
      options,
    )
  }

  /** List the sessions of a client. `GET /clients/{clientId}/sessions` */
  list(clientId: string, options?: ListOptions): Pages<Session> {
    return this.listPages(`/clients/${segment(clientId)}/sessions`, {}, options)
  }

  /** Read a session. `GET /sessions/{sessionId}` */
  read(sessionId: string, options?: RequestOptions): Promise<Session> {
    return this.send({ method: 'GET', path: `/sessions/${segment(sessionId)}`, repeat: 'always' }, options)
  }

  /** Try a failed session again. `POST /sessions/{sessionId}/retry` */
  retry(sessionId: string, options?: RequestOptions): Promise<Session> {
    return this.send(
      { method: 'POST', path: `/sessions/${segment(sessionId)}/retry`, repeat: 'withKey' },
      options,
    )
  }

  /** Read what you told about a session. `GET /sessions/{sessionId}/context` */
  readContext(sessionId: string, options?: RequestOptions): Promise<SessionContext> {
    return this.send(
      { method: 'GET', path: `/sessions/${segment(sessionId)}/context`, repeat: 'always' },
      options,
    )
  }

  /** Background for the writer of the note, and for the checks before it is signed: nothing of it is ever written as if it had been said. A note that is there already is not written anew for it: `POST /progress-notes/{progressNoteId}/regenerate` does that. `PATCH /sessions/{sessionId}/context` */
  changeContext(
    sessionId: string,
    body: SessionContextChange,
    options?: RequestOptions,
  ): Promise<SessionContext> {
    return this.send(
      { method: 'PATCH', path: `/sessions/${segment(sessionId)}/context`, body, repeat: 'always' },
      options,
    )
  }

  /** Read the transcript of a session. Throws `NotReadyError` until it exists. `GET /sessions/{sessionId}/transcript` */
  readTranscript(sessionId: string, options?: RequestOptions): Promise<Transcript> {
    return this.send(
      {
        method: 'GET',
        path: `/sessions/${segment(sessionId)}/transcript`,
        repeat: 'always',
        mayBeNotReady: true,
      },
      options,
    )
  }

  /** Correct who spoke. `PATCH /sessions/{sessionId}/transcript` */
  correctSpeakers(sessionId: string, body: TranscriptPatch, options?: RequestOptions): Promise<Transcript> {
    return this.send(
      { method: 'PATCH', path: `/sessions/${segment(sessionId)}/transcript`, body, repeat: 'always' },
      options,
    )
  }

  /** Names and roles of the voices of a recording. A name changes nothing that was said. A note that is written afterwards attributes what was said by them where several people besides the clinician are heard; one that is there is written anew by `POST /progress-notes/{progressNoteId}/regenerate`. `PATCH /sessions/{sessionId}/speakers` */
  nameSpeakers(sessionId: string, body: SpeakersChange, options?: RequestOptions): Promise<Transcript> {
    return this.send(
      { method: 'PATCH', path: `/sessions/${segment(sessionId)}/speakers`, body, repeat: 'always' },
      options,
    )
  }

  /** A session with a note and events of its own, of the lines of these voices and of what the clinician asked directly before them. Nothing that others said is in it, and no recording. Asked again for the same client and voices, it is the same session. `POST /sessions/{sessionId}/linked-sessions` */
  link(sessionId: string, body: LinkedSessionCreate, options?: RequestOptions): Promise<Session> {
    return this.send(
      { method: 'POST', path: `/sessions/${segment(sessionId)}/linked-sessions`, body, repeat: 'withKey' },
      options,
    )
  }

  /** Strike a stretch of a session. `POST /sessions/{sessionId}/strike` */
  strike(sessionId: string, body: StretchToStrike, options?: RequestOptions): Promise<StruckStretch> {
    return this.send(
      { method: 'POST', path: `/sessions/${segment(sessionId)}/strike`, body, repeat: 'withKey' },
      options,
    )
  }

  /** Read the progress note of a session. `GET /sessions/{sessionId}/progress-note` */
  readProgressNote(sessionId: string, options?: RequestOptions): Promise<ProgressNote> {
    return this.send(
      { method: 'GET', path: `/sessions/${segment(sessionId)}/progress-note`, repeat: 'always' },
      options,
    )
  }

  /** Read the MDM elements of a session. Throws `NotReadyError` until it exists. `GET /sessions/{sessionId}/mdm` */
  readMdm(sessionId: string, options?: RequestOptions): Promise<MdmElements> {
    return this.send(
      { method: 'GET', path: `/sessions/${segment(sessionId)}/mdm`, repeat: 'always', mayBeNotReady: true },
      options,
    )
  }

  /** Read the summary of a session. Throws `NotReadyError` until it exists. `GET /sessions/{sessionId}/summary` */
  readSummary(sessionId: string, options?: RequestOptions): Promise<Summary> {
    return this.send(
      {
        method: 'GET',
        path: `/sessions/${segment(sessionId)}/summary`,
        repeat: 'always',
        mayBeNotReady: true,
      },
      options,
    )
  }

  /** The session with all that was made of it; the client stays. Deletes for good: there is no way back, and no backup brings it back. A worker does it within seconds; `GET /erasures/{erasureId}` tells when, with a signed receipt. Asked again it is the same erasure, also after it is done. The operator must have allowed it (`partnerErasure` of `GET /partners`). `POST /sessions/{sessionId}/erasures` */
  erase(sessionId: string, body: RecordErasureRequest, options?: RequestOptions): Promise<Erasure> {
    return this.send(
      { method: 'POST', path: `/sessions/${segment(sessionId)}/erasures`, body, repeat: 'withKey' },
      options,
    )
  }
}

export class ProgressNotesResource extends Resource {
  /** Read a progress note by any id that it ever had. `GET /progress-notes/{progressNoteId}` */
  read(progressNoteId: string, options?: RequestOptions): Promise<ProgressNote> {
    return this.send(
      { method: 'GET', path: `/progress-notes/${segment(progressNoteId)}`, repeat: 'always' },
      options,
    )
  }

  /** Change the text of a progress note. `PATCH /progress-notes/{progressNoteId}` */
  change(
    progressNoteId: string,
    body: ProgressNotePatch,
    options?: RequestOptions & { ifMatch?: string | undefined },
  ): Promise<ProgressNote> {
    return this.send(
      {
        method: 'PATCH',
        path: `/progress-notes/${segment(progressNoteId)}`,
        body,
        headers: { 'if-match': options?.ifMatch },
        repeat: options?.ifMatch === undefined ? 'always' : 'never',
      },
      options,
    )
  }

  /** List the versions of a progress note. `GET /progress-notes/{progressNoteId}/versions` */
  listVersions(progressNoteId: string, options?: ListOptions): Pages<ProgressNoteVersion> {
    return this.listPages(`/progress-notes/${segment(progressNoteId)}/versions`, {}, options)
  }

  /** Each check says what it found, where, and how it is put right. `signingChecks` of `GET /partners` says which of them warn and which block. `GET /progress-notes/{progressNoteId}/checks` */
  readChecks(progressNoteId: string, options?: RequestOptions): Promise<SigningChecks> {
    return this.send(
      { method: 'GET', path: `/progress-notes/${segment(progressNoteId)}/checks`, repeat: 'always' },
      options,
    )
  }

  /** Add to a finalized progress note. `POST /progress-notes/{progressNoteId}/addenda` */
  addAddendum(progressNoteId: string, body: AddendumRequest, options?: RequestOptions): Promise<Addendum> {
    return this.send(
      { method: 'POST', path: `/progress-notes/${segment(progressNoteId)}/addenda`, body, repeat: 'withKey' },
      options,
    )
  }

  /** List the addenda of a progress note. `GET /progress-notes/{progressNoteId}/addenda` */
  listAddenda(progressNoteId: string, options?: ListOptions): Pages<Addendum> {
    return this.listPages(`/progress-notes/${segment(progressNoteId)}/addenda`, {}, options)
  }

  /** Have a progress note changed by instructions. `POST /progress-notes/{progressNoteId}/magic-edit` */
  magicEdit(progressNoteId: string, body: MagicEditRequest, options?: RequestOptions): Promise<ProgressNote> {
    return this.send(
      {
        method: 'POST',
        path: `/progress-notes/${segment(progressNoteId)}/magic-edit`,
        body,
        repeat: 'withKey',
      },
      options,
    )
  }

  /** Have a progress note written again. `POST /progress-notes/{progressNoteId}/regenerate` */
  regenerate(progressNoteId: string, options?: RequestOptions): Promise<ProgressNote> {
    return this.send(
      { method: 'POST', path: `/progress-notes/${segment(progressNoteId)}/regenerate`, repeat: 'withKey' },
      options,
    )
  }

  /** Finalize and lock a progress note. `POST /progress-notes/{progressNoteId}/finalize` */
  finalize(progressNoteId: string, options?: RequestOptions): Promise<ProgressNote> {
    return this.send(
      { method: 'POST', path: `/progress-notes/${segment(progressNoteId)}/finalize`, repeat: 'withKey' },
      options,
    )
  }
}

export class SummariesResource extends Resource {
  /** Read a summary. Throws `NotReadyError` until it exists. `GET /summaries/{summaryId}` */
  read(summaryId: string, options?: RequestOptions): Promise<Summary> {
    return this.send(
      { method: 'GET', path: `/summaries/${segment(summaryId)}`, repeat: 'always', mayBeNotReady: true },
      options,
    )
  }
}

export class AssessmentsResource extends Resource {
  /** List the assessments that a clinic can administer. `GET /clinics/{clinicId}/assessments` */
  list(clinicId: string, filters: AssessmentListFilters = {}, options?: ListOptions): Pages<Assessment> {
    return this.listPages(`/clinics/${segment(clinicId)}/assessments`, filters, options)
  }

  /** Administer assessments to a client. `POST /clients/{clientId}/assessments` */
  administer(
    clientId: string,
    body: AssessmentAdministration,
    options?: RequestOptions,
  ): Promise<AssessmentAssignments> {
    return this.send(
      { method: 'POST', path: `/clients/${segment(clientId)}/assessments`, body, repeat: 'withKey' },
      options,
    )
  }
}

export class AssessmentAssignmentsResource extends Resource {
  /** List what was administered to a client. `GET /clients/{clientId}/assessment-assignments` */
  list(clientId: string, options?: ListOptions): Pages<ListedAssignment> {
    return this.listPages(`/clients/${segment(clientId)}/assessment-assignments`, {}, options)
  }

  /** Give an assignment a new link, as when the old one is locked, expired or lost. `POST /assessment-assignments/{assignmentId}/reissue` */
  reissue(
    assignmentId: string,
    body: AssessmentReissue = {},
    options?: RequestOptions,
  ): Promise<ReissuedAssignment> {
    return this.send(
      {
        method: 'POST',
        path: `/assessment-assignments/${segment(assignmentId)}/reissue`,
        body,
        repeat: 'withKey',
      },
      options,
    )
  }

  /** Revoke an assignment: its link stops working; revoking again changes nothing. `DELETE /assessment-assignments/{assignmentId}` */
  revoke(assignmentId: string, options?: RequestOptions): Promise<void> {
    return this.send(
      { method: 'DELETE', path: `/assessment-assignments/${segment(assignmentId)}`, repeat: 'always' },
      options,
    )
  }
}

export class AssessmentScoresResource extends Resource {
  /** Read an assessment score with its answers. `GET /assessment-scores/{id}` */
  read(id: string, options?: RequestOptions): Promise<AssessmentScore> {
    return this.send({ method: 'GET', path: `/assessment-scores/${segment(id)}`, repeat: 'always' }, options)
  }

  /** List a client's assessment scores. `GET /clients/{clientId}/assessment-scores` */
  list(clientId: string, options?: ListOptions): Pages<AssessmentScore> {
    return this.listPages(`/clients/${segment(clientId)}/assessment-scores`, {}, options)
  }
}

export class WebhookEndpointsResource extends Resource {
  /** List webhook endpoints. `GET /webhook-endpoints` */
  list(options?: ListOptions): Pages<WebhookEndpoint> {
    return this.listPages('/webhook-endpoints', {}, options)
  }

  /** Create a webhook endpoint. `POST /webhook-endpoints` */
  create(body: NewWebhookEndpoint, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.send({ method: 'POST', path: '/webhook-endpoints', body, repeat: 'withKey' }, options)
  }

  /** Read a webhook endpoint. `GET /webhook-endpoints/{id}` */
  read(id: string, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.send({ method: 'GET', path: `/webhook-endpoints/${segment(id)}`, repeat: 'always' }, options)
  }

  /** Change a webhook endpoint; enabling it clears `disabledReason`. `PATCH /webhook-endpoints/{id}` */
  change(id: string, body: WebhookEndpointPatch, options?: RequestOptions): Promise<WebhookEndpoint> {
    return this.send(
      { method: 'PATCH', path: `/webhook-endpoints/${segment(id)}`, body, repeat: 'always' },
      options,
    )
  }

  /** Delete a webhook endpoint; deleting the primary one clears `callbackUrl`. `DELETE /webhook-endpoints/{id}` */
  delete(id: string, options?: RequestOptions): Promise<void> {
    return this.send(
      { method: 'DELETE', path: `/webhook-endpoints/${segment(id)}`, repeat: 'always' },
      options,
    )
  }

  /** Send the newest event of a type to a webhook endpoint. `POST /webhook-endpoints/{id}/test` */
  test(id: string, body: WebhookTest, options?: RequestOptions): Promise<WebhookDelivery> {
    return this.send(
      { method: 'POST', path: `/webhook-endpoints/${segment(id)}/test`, body, repeat: 'withKey' },
      options,
    )
  }

  /** Looks back as far as deliveries are kept: 30 days, unless the operator has set otherwise. `POST /webhook-endpoints/{id}/recover` */
  recover(id: string, body: WebhookRecovery, options?: RequestOptions): Promise<WebhookRecovered> {
    return this.send(
      { method: 'POST', path: `/webhook-endpoints/${segment(id)}/recover`, body, repeat: 'withKey' },
      options,
    )
  }
}

export class WebhookDeliveriesResource extends Resource {
  /** List the deliveries to a webhook endpoint. `GET /webhook-endpoints/{id}/deliveries` */
  list(id: string, filters: WebhookDeliveryListFilters = {}, options?: ListOptions): Pages<WebhookDelivery> {
    return this.listPages(`/webhook-endpoints/${segment(id)}/deliveries`, filters, options)
  }

  /** Send a delivery again, at once. `POST /webhook-deliveries/{id}/resend` */
  resend(id: string, options?: RequestOptions): Promise<WebhookDelivery> {
    return this.send(
      { method: 'POST', path: `/webhook-deliveries/${segment(id)}/resend`, repeat: 'withKey' },
      options,
    )
  }
}

export class SandboxControlsResource extends Resource {
  /** What the client would do on their page: the answers are scored, danger in them is opened, and `assessment_completed` is sent. What else of the client's was answered to its end by then is completed with it. `POST /sandbox/assessments/{assignmentId}/complete` */
  completeAssessment(
    assignmentId: string,
    body: SandboxAnswers,
    options?: RequestOptions,
  ): Promise<AssessmentScore> {
    return this.send(
      {
        method: 'POST',
        path: `/sandbox/assessments/${segment(assignmentId)}/complete`,
        body,
        repeat: 'withKey',
      },
      options,
    )
  }

  /** Partner tokens are 401 from the answer on, in other processes within a second; obtain a new one. A clinician’s widget asks its page for new tokens. `POST /sandbox/tokens/expire` */
  expireTokens(body: SandboxTokenExpiry, options?: RequestOptions): Promise<ExpiredTokens> {
    return this.send({ method: 'POST', path: '/sandbox/tokens/expire', body, repeat: 'withKey' }, options)
  }

  /** The next `count` calls of this tenant are answered 429, 500 or 503, as the real ones are, with `Retry-After` where these have it. Nothing is done for them. Calls below `/sandbox` are not counted and not touched. Replaces what was asked for before; other processes hear of it within a second. `POST /sandbox/faults` */
  provokeFaults(body: SandboxFaultRequest, options?: RequestOptions): Promise<SandboxFault> {
    return this.send({ method: 'POST', path: '/sandbox/faults', body, repeat: 'withKey' }, options)
  }

  /** What is left of the faults that were asked for. `GET /sandbox/faults` */
  readFaults(options?: RequestOptions): Promise<SandboxFaults> {
    return this.send({ method: 'GET', path: '/sandbox/faults', repeat: 'always' }, options)
  }

  /** Have no more calls fail; ending what has ended changes nothing. `DELETE /sandbox/faults` */
  endFaults(options?: RequestOptions): Promise<void> {
    return this.send({ method: 'DELETE', path: '/sandbox/faults', repeat: 'always' }, options)
  }

  /** Links, sign-in codes and refresh tokens expire by it, webhooks are tried again by it, and recordings and deliveries are kept by it. Access tokens, what is under way and the times at which something happened stay those of the real clock. `POST /sandbox/clock` */
  advanceClock(body: SandboxClockMove, options?: RequestOptions): Promise<SandboxClock> {
    return this.send({ method: 'POST', path: '/sandbox/clock', body, repeat: 'withKey' }, options)
  }

  /** What the clock of this sandbox shows. `GET /sandbox/clock` */
  readClock(options?: RequestOptions): Promise<SandboxClock> {
    return this.send({ method: 'GET', path: '/sandbox/clock', repeat: 'always' }, options)
  }
}

export class RequestLogsResource extends Resource {
  /** Ids, statuses and times of the calls that came with your API key; nothing of what was sent or answered. A call is listed within a second or so, the newest first, and the newest 10,000 that match. When the service is under heavy load, calls may be missing. `GET /request-logs` */
  list(filters: RequestLogListFilters = {}, options?: ListOptions): Pages<RequestLog> {
    return this.listPages('/request-logs', filters, options)
  }
}

export class TemplatesResource extends Resource {
  /** List the templates that notes can be written with. `GET /templates` */
  list(options?: ListOptions): Pages<Template> {
    return this.listPages('/templates', {}, options)
  }

  /** For the whole tenant, one clinic or one clinician. A note keeps the version that it was written with. A new version stays whose it was, and the default that it was, unless it is named otherwise: `clinicId` null and nothing else makes it the whole tenant’s. The same version with the same content changes only whose it is. `POST /templates` */
  add(body: TemplateInput, options?: RequestOptions): Promise<TemplateWithFile> {
    return this.send({ method: 'POST', path: '/templates', body, repeat: 'withKey' }, options)
  }

  /** Read a template with its file. `GET /templates/{templateId}` */
  read(templateId: string, options?: RequestOptions): Promise<TemplateWithFile> {
    return this.send({ method: 'GET', path: `/templates/${segment(templateId)}`, repeat: 'always' }, options)
  }

  /** Notes that were written with it keep it. What is built in stays. `DELETE /templates/{templateId}` */
  remove(templateId: string, options?: RequestOptions): Promise<void> {
    return this.send(
      { method: 'DELETE', path: `/templates/${segment(templateId)}`, repeat: 'always' },
      options,
    )
  }
}

export class TranscriptsResource extends Resource {
  /** What was said or typed in the session, and what was read from it. Deletes for good: there is no way back, and no backup brings it back. A worker does it within seconds; `GET /erasures/{erasureId}` tells when, with a signed receipt. Asked again it is the same erasure, also after it is done. The operator must have allowed it (`partnerErasure` of `GET /partners`). `POST /sessions/{sessionId}/transcript/erasures` */
  erase(sessionId: string, body: ErasureRequest, options?: RequestOptions): Promise<Erasure> {
    return this.send(
      {
        method: 'POST',
        path: `/sessions/${segment(sessionId)}/transcript/erasures`,
        body,
        repeat: 'withKey',
      },
      options,
    )
  }
}

export class DraftsResource extends Resource {
  /** The draft of a note; session and transcript stay. Deletes for good: there is no way back, and no backup brings it back. A worker does it within seconds; `GET /erasures/{erasureId}` tells when, with a signed receipt. Asked again it is the same erasure, also after it is done. The operator must have allowed it (`partnerErasure` of `GET /partners`). `POST /progress-notes/{progressNoteId}/erasures` */
  erase(progressNoteId: string, body: ErasureRequest, options?: RequestOptions): Promise<Erasure> {
    return this.send(
      {
        method: 'POST',
        path: `/progress-notes/${segment(progressNoteId)}/erasures`,
        body,
        repeat: 'withKey',
      },
      options,
    )
  }
}

export class ErasuresResource extends Resource {
  /** Read how far an erasure is, and its signed receipt. `GET /erasures/{erasureId}` */
  read(erasureId: string, options?: RequestOptions): Promise<Erasure> {
    return this.send({ method: 'GET', path: `/erasures/${segment(erasureId)}`, repeat: 'always' }, options)
  }
}

/** Every operation of the Partner API, by its noun. */
export class Resources {
  readonly partners: PartnersResource
  readonly organizations: OrganizationsResource
  readonly clinics: ClinicsResource
  readonly programs: ProgramsResource
  readonly clinicians: CliniciansResource
  readonly clients: ClientsResource
  readonly consents: ConsentsResource
  readonly treatmentPlans: TreatmentPlansResource
  readonly clientExports: ClientExportsResource
  readonly sessions: SessionsResource
  readonly progressNotes: ProgressNotesResource
  readonly summaries: SummariesResource
  readonly assessments: AssessmentsResource
  readonly assessmentAssignments: AssessmentAssignmentsResource
  readonly assessmentScores: AssessmentScoresResource
  readonly webhookEndpoints: WebhookEndpointsResource
  readonly webhookDeliveries: WebhookDeliveriesResource
  readonly sandboxControls: SandboxControlsResource
  readonly requestLogs: RequestLogsResource
  readonly templates: TemplatesResource
  readonly transcripts: TranscriptsResource
  readonly drafts: DraftsResource
  readonly erasures: ErasuresResource

  constructor(transport: Transport) {
    this.partners = new PartnersResource(transport)
    this.organizations = new OrganizationsResource(transport)
    this.clinics = new ClinicsResource(transport)
    this.programs = new ProgramsResource(transport)
    this.clinicians = new CliniciansResource(transport)
    this.clients = new ClientsResource(transport)
    this.consents = new ConsentsResource(transport)
    this.treatmentPlans = new TreatmentPlansResource(transport)
    this.clientExports = new ClientExportsResource(transport)
    this.sessions = new SessionsResource(transport)
    this.progressNotes = new ProgressNotesResource(transport)
    this.summaries = new SummariesResource(transport)
    this.assessments = new AssessmentsResource(transport)
    this.assessmentAssignments = new AssessmentAssignmentsResource(transport)
    this.assessmentScores = new AssessmentScoresResource(transport)
    this.webhookEndpoints = new WebhookEndpointsResource(transport)
    this.webhookDeliveries = new WebhookDeliveriesResource(transport)
    this.sandboxControls = new SandboxControlsResource(transport)
    this.requestLogs = new RequestLogsResource(transport)
    this.templates = new TemplatesResource(transport)
    this.transcripts = new TranscriptsResource(transport)
    this.drafts = new DraftsResource(transport)
    this.erasures = new ErasuresResource(transport)
  }
}
