import { createHash, randomBytes, randomUUID } from 'node:crypto'

declare const idOf: unique symbol

/** A plain string is taken for any id, so rows and bodies need no cast; the id of one thing is not taken for another's. */
type Id<Thing extends string> = string & { readonly [idOf]?: Thing }

export type TenantId = Id<'tenant'>
export type OrganizationId = Id<'organization'>
export type ClinicId = Id<'clinic'>
export type ProgramId = Id<'program'>
export type UnitId = ClinicId | ProgramId
export type ClinicianId = Id<'clinician'>
export type ClientId = Id<'client'>
export type SessionId = Id<'session'>
export type WidgetSessionId = Id<'widget session'>
export type NoteId = Id<'note'>
/** The partner's id of a note, another one with every regeneration (docs/glossary.md). A note is found by any that it ever had. */
export type ProgressNoteId = Id<'progress note'>
export type GenerationId = Id<'generation'>
export type PlanId = Id<'plan'>
export type SummaryId = Id<'summary'>
export type TemplateId = Id<'template'>
export type AssessmentId = Id<'assessment'>
export type AssignmentId = Id<'assignment'>
export type AdministrationId = Id<'administration'>
export type ScoreId = Id<'score'>
export type ConsentId = Id<'consent'>
export type GapId = Id<'gap'>
export type MdmId = Id<'mdm'>
export type DangerItemId = Id<'danger item'>
export type TermId = Id<'term'>
export type OpeningId = Id<'opening'>
export type ConsoleUserId = Id<'console user'>
export type BlobId = Id<'blob'>
export type UploadId = Id<'upload'>
export type ErasureId = Id<'erasure'>
export type ExportId = Id<'export'>
export type MailId = Id<'mail'>
export type SittingId = Id<'sitting'>
export type SignInId = Id<'sign-in'>
export type EndpointId = Id<'endpoint'>
export type DeliveryId = Id<'delivery'>
export type EventId = Id<'event'>
export type JobId = Id<'job'>
export type MasterKeyId = Id<'master key'>
export type InstallationId = Id<'installation'>
/** By which the machine of an operator knows them. */
export type SystemUserId = Id<'system user'>
/** A note or a plan is signed by a clinician, or by a partner for one. */
export type SignerId = ClinicianId | TenantId
export type ErasedId = ClientId | SessionId | NoteId
/** A draft is asked for by any id that its note ever had. */
export type ErasableId = ErasedId | ProgressNoteId
export type ActorId = TenantId | ClinicianId | ClientId | SystemUserId
/** Id in a partner's credentials: whoever signs in with it is no client of a clinician. */
export type ApiClientId = Id<'api client'>

/**
 * What is so called in a path, a row or a parameter is this id; so is a `sharedSessionId`, and of several `sessionIds` each. None of
 * them is declared a plain string (bin/check-boundaries.js).
 */
export interface NamedIds {
  tenantId: TenantId
  /** A partner in one environment is a tenant, and is known by its id. */
  partnerId: TenantId
  organizationId: OrganizationId
  clinicId: ClinicId
  programId: ProgramId
  clinicianId: ClinicianId
  supervisorId: ClinicianId
  prescriberId: ClinicianId
  clientId: ClientId
  sessionId: SessionId
  widgetSessionId: WidgetSessionId
  noteId: NoteId
  progressNoteId: ProgressNoteId
  generationId: GenerationId
  planId: PlanId
  treatmentPlanId: PlanId
  summaryId: SummaryId
  templateId: TemplateId
  assessmentId: AssessmentId
  assignmentId: AssignmentId
  administrationId: AdministrationId
  scoreId: ScoreId
  consentId: ConsentId
  gapId: GapId
  mdmId: MdmId
  /** What is open about danger; nothing else that has items has ids for them. */
  itemId: DangerItemId
  termId: TermId
  openingId: OpeningId
  userId: ConsoleUserId
  blobId: BlobId
  uploadId: UploadId
  erasureId: ErasureId
  exportId: ExportId
  clientExportId: ExportId
  mailId: MailId
  sittingId: SittingId
  signInId: SignInId
  endpointId: EndpointId
  deliveryId: DeliveryId
  eventId: EventId
  jobId: JobId
  masterKeyId: MasterKeyId
  installationId: InstallationId
  signerId: SignerId
  authorId: SignerId
  actorId: ActorId
  /** What a job, an erasure or a link is about: its kind says what that is. */
  subjectId: SessionId | GenerationId | NoteId | ClientId | AssignmentId | MailId | SignInId | ExportId
}

/** Ids on the wire are version-4 UUIDs (ruling 2); order has its own column. */
export const newId = (): string => randomUUID()

/** 256 bits, in the alphabet that ruling 9 allows for tokens. */
export const newSecretText = (): string => randomBytes(32).toString('base64url')

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/**
 * Only the spelling that we hand out is an id. PostgreSQL would also read capitals, braces and missing hyphens;
 * an id in another spelling is "does not exist" (ruling 1, step 5).
 */
export const isId = (text: string): boolean => uuidPattern.test(text)

/** 32 hexadecimal digits as the id that they are. */
export const hexToId = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')

/** A UUID of version 8 (RFC 9562, 5.8) from SHA-256: what it names cannot be changed unseen. */
export function hashToId(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return hexToId(`${hex.slice(0, 12)}8${hex.slice(13, 16)}8${hex.slice(17, 32)}`)
}
