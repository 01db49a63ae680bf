import {
  changeContext,
  findContextProblems,
  homeLanguage,
  isWebAddress,
  noContext,
  type SessionCreate,
  type WidgetSessionCreate,
  type WidgetTypedSession,
  wordOffered,
} from '@casenote/contract'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { findTargetProblem } from '../../kernel/guarded-fetch/target-rules.js'
import {
  findTestRecording,
  listTestUrls,
  testScheme,
} from '../../kernel/guarded-fetch/test-recordings/find-test-recording.js'
import type { ClientId, ClinicianId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import type { Environment } from '../../kernel/tenant.js'
import { requireActive } from '../clinicians/index.js'
import { requireConsentIfAsked } from '../consents/index.js'
import { chooseTemplate } from '../templates/index.js'
import { readText } from './keep-text.js'
import {
  findTreating,
  getLockedClient,
  nameSource,
  openSession,
  type RecordingSource,
} from './open-session.js'
import { reserveIfUnique, requireFreeSessionId } from './require-free-session-id.js'
import { selectSessionOfRecording, type SessionClinicianRow, type SessionRow } from './sessions.sql.js'

/** An API-only session: its recording is fetched from `fileUrl`, or the session was not recorded, and `text` or a dictation tells of it. */
export async function createSession(
  tx: Tx,
  context: ChangeContext,
  targets: Environment,
  {
    clientId,
    given,
    languages = [homeLanguage],
    isExternalIdUnique = false,
  }: {
    clientId: ClientId
    given: SessionCreate
    /** What may be spoken here. */
    languages?: readonly string[]
    isExternalIdUnique?: boolean
  },
): Promise<SessionRow> {
  const client = await getLockedClient(tx, clientId)
  const clinician = await findTreating(tx, clientId, given.clinicianId ?? client.clinicianId)
  const chosen = clinician === null ? null : await chooseTemplate(tx, clinician, given)
  const problems = [
    ...findSourceProblems(targets, given),
    ...findLanguageProblems(languages, given),
    ...findProblemsOfContext(given),
    ...(clinician === null ? ['clinicianId must be a clinician who treats the client'] : []),
    ...(chosen?.problems ?? []),
  ]
  if (clinician === null || chosen?.template == null || problems.length > 0) throw refuse.invalid(problems)
  if (client.status === 'archived') throw refuse.conflict('client_archived', 'Client is archived')
  await requireActive(tx, clinician.clinicianId)
  // Who tells of a session in their own words records nobody else.
  if (given.text == null && given.dictated !== true) await requireConsentIfAsked(tx, clientId)
  const { sessionExternalId, startedAt, language, context: known } = given
  if (isExternalIdUnique) await requireFreeSessionId(tx, sessionExternalId)
  return openSession(tx, context, {
    clientId,
    clinician,
    source: findSource(given),
    template: chosen.template,
    sessionExternalId,
    startedAt,
    language,
    known,
    sessionType: null,
    preferences: null,
  })
}

/** Refused where it is asked for: an engine that does not know it would make words up. */
export const findLanguageProblems = (
  languages: readonly string[],
  { language }: Pick<SessionCreate, 'language'>,
): string[] => (language == null || languages.includes(language) ? [] : [wordOffered(languages)])

function findSource({ fileUrl, text, dictated }: SessionCreate): RecordingSource {
  if (text != null) return { text, recordingId: null }
  if (fileUrl === undefined) throw new Error('a session has neither a recording nor a text')
  return { fileUrl, isDictated: dictated === true }
}

interface WidgetSessionOf<Given> {
  clientId: ClientId
  clinicianId: ClinicianId
  given: Given
}

/** A session of the widget: its recording is sent in pieces. */
export const createRecordedSession = (
  tx: Tx,
  context: ChangeContext,
  of: WidgetSessionOf<WidgetSessionCreate>,
  requireConsent: () => Promise<void>,
): Promise<SessionRow> =>
  createOnce(
    tx,
    context,
    { ...of, source: { recordingId: of.given.recordingId, isDictated: false } },
    requireConsent,
  )

/** A session of the widget of which only its clinician is recorded, who tells of it afterwards: nobody else's consent is asked for. */
export const createDictatedSession = (
  tx: Tx,
  context: ChangeContext,
  of: WidgetSessionOf<WidgetSessionCreate>,
): Promise<SessionRow> =>
  createOnce(
    tx,
    context,
    { ...of, source: { recordingId: of.given.recordingId, isDictated: true } },
    async () => {},
  )

/** A session of the widget that nobody recorded: so nobody's consent to be recorded is asked for. */
export const createTypedSession = (
  tx: Tx,
  context: ChangeContext,
  { languages, ...of }: WidgetSessionOf<WidgetTypedSession> & { languages: readonly string[] },
): Promise<SessionRow> => {
  const { text, recordingId } = of.given
  const findProblems = () => findLanguageProblems(languages, of.given)
  return createOnce(tx, context, { ...of, source: { text, recordingId }, findProblems }, async () => {})
}

/**
 * Asked again for the same recording, or the same text, it is the same session. What was recorded is taken in whatever language: it may wait in a
 * browser while the operator takes the language back, and nobody can record it again (decision 0052).
 */
async function createOnce(
  tx: Tx,
  context: ChangeContext,
  {
    clientId,
    clinicianId,
    given,
    source,
    findProblems = () => [],
  }: WidgetSessionOf<WidgetSessionCreate> & { source: RecordingSource; findProblems?: () => string[] },
  requireConsent: () => Promise<void>,
): Promise<SessionRow> {
  const client = await getLockedClient(tx, clientId)
  const [existing] = await tx.run(selectSessionOfRecording(tx.tenant, clinicianId, given.recordingId))
  if (existing !== undefined) {
    if (existing.clientId !== clientId)
      throw refuse.conflict('recording_of_another_client', 'The recording is of another client')
    await requireSame(tx, context, existing, source)
    return existing
  }
  const clinician = await findTreating(tx, clientId, clinicianId)
  if (clinician === null) throw refuse.notFound()
  const chosen = await chooseOrUsual(tx, clinician, given)
  if (chosen.problems !== null) throw refuse.invalid(chosen.problems)
  if (client.status === 'archived') throw refuse.conflict('client_archived', 'Client is archived')
  await requireActive(tx, clinicianId)
  await requireConsent()
  const problems = [...findProblemsOfContext(given), ...findProblems()]
  if (problems.length > 0) throw refuse.invalid(problems)
  const { sessionExternalId, startedAt, sessionType, treatmentApproaches, sessionSetting, language } = given
  await reserveIfUnique(tx, sessionExternalId)
  return openSession(tx, context, {
    clientId,
    clinician,
    source,
    template: chosen.template,
    sessionExternalId,
    startedAt,
    recordedForMs: findAgeMs(given),
    language,
    known: given.context,
    leftOut: given.contextLeftOut,
    sessionType: sessionType ?? null,
    preferences: { treatmentApproaches: treatmentApproaches ?? [], sessionSetting: sessionSetting ?? null },
  })
}

/** A browser keeps a recording for as long as nobody throws it away; a clock that was wrong by more is not believed. */
const ageMsMax = 366 * 86_400_000

/** How long ago a recording began, by the browser's own clock, which may be wrong. Null: a frame of before says only when it began. */
function findAgeMs({ startedAt, sentAt }: WidgetSessionCreate): number | null {
  if (startedAt == null || sentAt === undefined) return null
  return Math.min(ageMsMax, Math.max(0, Date.parse(sentAt) - Date.parse(startedAt)))
}

/** A recording may be sent days after its template was chosen: if that was removed meanwhile, it gets the usual one of its type. */
async function chooseOrUsual(
  tx: Tx,
  clinician: SessionClinicianRow,
  { noteType, templateId }: WidgetSessionCreate,
): ReturnType<typeof chooseTemplate> {
  const chosen = await chooseTemplate(tx, clinician, { noteType, templateId })
  return chosen.problems === null ? chosen : chooseTemplate(tx, clinician, { noteType })
}

/** Who added a word after an answer that was lost must not be told that all of it is here. */
async function requireSame(
  tx: Tx,
  { ring }: ChangeContext,
  { sessionId, source: existing }: SessionRow,
  source: RecordingSource,
): Promise<void> {
  if (nameSource(source) !== existing)
    throw refuse.conflict('session_made_otherwise', 'The session was not made in this way')
  if ('text' in source && source.text !== (await readText(tx, ring, sessionId)))
    throw refuse.conflict('text_sent_before', sentBefore)
}

/** Shown to clinicians: the widget sends it under another id when they press again. */
const sentBefore =
  'An earlier state of this text was sent already and has a session of its own: add to its note there, or send this as another session'

const findProblemsOfContext = ({ context }: Pick<SessionCreate, 'context'>): string[] =>
  findContextProblems(changeContext(noContext, context ?? {}), 'context.')

/** What is no URL at all, and that neither is there, is the schema's to say. */
export function findSourceProblems(
  targets: Environment,
  { fileUrl, text, dictated }: { fileUrl?: unknown; text?: unknown; dictated?: unknown },
): string[] {
  const both = (fileUrl ?? null) !== null && (text ?? null) !== null
  const problems = [
    ...(both ? ['text must not be given together with fileUrl'] : []),
    ...((text ?? null) !== null && dictated === true
      ? ['dictated must not be given together with text']
      : []),
  ]
  if (typeof fileUrl !== 'string') return problems
  if (fileUrl.startsWith(testScheme)) return [...problems, ...findTestProblems(targets, fileUrl)]
  if (!isWebAddress(fileUrl)) return problems
  const problem = findTargetProblem(new URL(fileUrl), targets)
  return problem === null ? problems : [...problems, `fileUrl ${problem}`]
}

/**
 * What is wrong with the address of a test recording. Where there is no sandbox at home it is no address at all, and nothing tells that it
 * could be one elsewhere.
 */
function findTestProblems(targets: Environment, fileUrl: string): string[] {
  if (targets !== 'sandbox') return ['fileUrl must be a URL address']
  return findTestRecording(fileUrl) === null
    ? [`fileUrl must be one of the following values: ${listTestUrls().join(', ')}`]
    : []
}
