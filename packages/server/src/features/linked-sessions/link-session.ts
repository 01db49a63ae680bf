import type { LinkedSessionCreate, TranscriptItem, TranscriptSpeaker } from '@casenote/contract'
import { otherLanguage } from '../../engines/reader/reading.js'
import { recordChange } from '../../kernel/audit/index.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId, ClinicianId, SessionId } from '../../kernel/ids.js'
import { refuse, type Refusal } from '../../kernel/refuse.js'
import { lockClient, readClient, type LockedClientRow } from '../clients/index.js'
import { requireActive } from '../clinicians/index.js'
import { requireConsent, requireConsentIfAsked } from '../consents/index.js'
import { selectGaps } from '../session-gaps/index.js'
import {
  findTreating,
  getLockedSession,
  getSession,
  keepContext,
  openSession,
  readContext,
  requireFreeIfUnique,
  selectRetryOf,
  startTranscribing,
  type SessionClinicianRow,
  type SessionRow,
} from '../sessions/index.js'
import { chooseTemplate } from '../templates/index.js'
import { completeTranscript, readTranscriptOf, refuseSpeakers } from '../transcripts/index.js'
import {
  insertLink,
  linksMax,
  selectIsLinked,
  selectIsOfWidget,
  selectLinks,
  type LinkRow,
} from './linked-sessions.sql.js'
import { pickLines } from './person-lines.js'
import { listSaidNames } from './said-names.js'

export interface LinkRequest {
  sharedSessionId: SessionId
  given: LinkedSessionCreate
}

/**
 * A session of one of the others who were recorded: theirs alone, with nothing of what anybody else said. Asked again for the same client and voices,
 * it is the same session. There is no recording in it: that has everybody's voice.
 */
export async function linkSession(tx: Tx, context: ChangeContext, request: LinkRequest): Promise<SessionRow> {
  const { sharedSessionId, given } = request
  const { clientId } = given
  // Before the session, as whoever puts a recording under another client.
  const [client] = await tx.run(lockClient(tx.tenant, clientId))
  // Whoever strikes a stretch of it waits, or has struck it.
  const shared = await getLockedSession(tx, sharedSessionId)
  const [own] = await tx.run(selectIsLinked(tx.tenant, sharedSessionId))
  if (own?.isLinked === true)
    throw refuse.conflict('session_linked', 'The session is of one person of a shared session already')
  const transcript = await readTranscriptOf(tx, context.ring, sharedSessionId)
  // One that was tried again has forgotten its own.
  const [again] = await tx.run(selectRetryOf(tx.tenant, sharedSessionId))
  if (transcript === null && again !== undefined) throw refuseRetried()
  if (transcript === null) throw refuse.conflict('transcript_missing', 'Transcript has not been generated')
  if (shared.source !== 'recording') throw refuseSpeakers(shared.source === 'dictated')
  const { transcriptItems: items, speakers = [], madeBy } = transcript
  const voices = [...new Set(given.voices)].toSorted((one, other) => one - other)
  const problems = findProblems(speakers, given)
  if (shared.clientId === clientId)
    problems.push('clientId must be another client than the one of the session')
  if (problems.length > 0) throw refuse.invalid(problems)
  const links = await tx.run(selectLinks(tx.tenant, sharedSessionId))
  const existing = await findLinked(tx, links, { clientId, voices })
  if (existing !== null) return existing
  // What is struck is struck there, and stays in this one's lines.
  if (again !== undefined) throw refuseRetried()
  requireSure(speakers, links, voices)
  const session = await open(tx, context, { ...request, client, shared, links })
  const lines = await pickLines(items, {
    voices: new Set(voices),
    othersNames: await listOthersNames(tx, { shared, links, speakers, voices }),
    gaps: await listGaps(tx, sharedSessionId),
    isRead: otherLanguage(shared.language) === null,
  })
  await keepNamesOut(tx, context, { shared, session, lines })
  await startTranscribing(tx, session.sessionId)
  await keepLines(tx, context, { session, lines, madeBy })
  await tx.run(insertLink(tx.tenant, { sharedSessionId, sessionId: session.sessionId, clientId, voices }))
  const { actor, requestId } = context
  const subjects = [sharedSessionId, shared.clientId, session.sessionId, clientId]
  await recordChange(tx, { operation: 'session.link', actor, requestId, subjects })
  return getSession(tx, session.sessionId)
}

const refuseRetried = (): Refusal =>
  refuse.conflict('session_retried', 'The session was tried again: link the newer one')

function findProblems(speakers: readonly TranscriptSpeaker[], { voices }: LinkedSessionCreate): string[] {
  const labels = new Map(speakers.map(({ voice, speaker }) => [voice, speaker]))
  return voices.flatMap((voice, index) => {
    const label = labels.get(voice)
    if (label === undefined) return [`voices.${index} must be a voice of the transcript`]
    return label === 'clinician' || label === 'client'
      ? [`voices.${index} must not be of the clinician or of the client of the session`]
      : []
  })
}

/**
 * Refuses unless it is sure whose the asked voices are. The caller says it, and nobody listens to find out; so every other voice of the
 * recording must have been named: by elimination the rest is the person of the linked session. Where no voice is named as the
 * session's own client, an unnamed one may be theirs, unless it has somebody else's role.
 */
function requireSure(
  speakers: readonly TranscriptSpeaker[],
  links: readonly LinkRow[],
  voices: readonly number[],
): void {
  if (links.some((link) => link.voices.some((voice) => voices.includes(voice))))
    throw refuse.conflict('session_linked', 'A voice is of another client’s session of this recording')
  const labels = new Set(speakers.map(({ speaker }) => speaker))
  const untold = speakers.filter(({ voice, speaker, name, role }) => {
    if (role !== null || speaker === 'clinician' || speaker === 'client') return false
    return voices.includes(voice) ? !labels.has('client') : name === null
  })
  if (!labels.has('clinician') || untold.length > 0)
    throw refuse.conflict('speakers_unnamed', 'Who speaks in the session has not been told')
}

async function findLinked(
  tx: Tx,
  links: readonly LinkRow[],
  { clientId, voices }: { clientId: ClientId; voices: readonly number[] },
): Promise<SessionRow | null> {
  const link = links.find((one) => one.clientId === clientId)
  if (link === undefined) return null
  if (link.voices.join() !== voices.join())
    throw refuse.conflict('session_linked', 'The client has a session of this recording already')
  return getSession(tx, link.sessionId)
}

interface Opening extends LinkRequest {
  /** Locked; undefined: there is none here. */
  client: LockedClientRow | undefined
  shared: SessionRow
  links: readonly LinkRow[]
}

async function open(
  tx: Tx,
  context: ChangeContext,
  { given, client, shared, links }: Opening,
): Promise<SessionRow> {
  const { clientId, noteType, templateId, sessionExternalId } = given
  if (links.length >= linksMax)
    throw refuse.conflict('session_linked', 'The session has as many linked ones as it can have')
  // Not theirs is as if there were none.
  if (client === undefined) throw refuse.invalid([notTheirs])
  const clinician = await findClinician(tx, { given, shared, primaryId: client.clinicianId })
  const chosen = await chooseTemplate(tx, clinician, { noteType, templateId })
  if (chosen.problems !== null) throw refuse.invalid(chosen.problems)
  if (client.status === 'archived') throw refuse.conflict('client_archived', 'Client is archived')
  await requireActive(tx, clinician.clinicianId)
  await requireOwnConsent(tx, clientId, shared.sessionId)
  await requireFreeIfUnique(tx, sessionExternalId ?? null)
  return openSession(tx, context, {
    clientId,
    clinician,
    // What was said is here; a recording of its own it has none.
    source: { isHere: 'whole', fileUrl: null, isDictated: false },
    template: chosen.template,
    sessionExternalId,
    sessionType: shared.sessionType,
    startedAt: shared.startedAt?.toISOString() ?? null,
    preferences: null,
    language: shared.language,
  })
}

/**
 * Refuses without the person's own consent, as for a recording of their own: in the widget nobody is recorded without it, elsewhere the
 * partner decides.
 */
async function requireOwnConsent(tx: Tx, clientId: ClientId, sharedSessionId: SessionId): Promise<void> {
  const [shared] = await tx.run(selectIsOfWidget(tx.tenant, sharedSessionId))
  await (shared?.isOfWidget === true ? requireConsent : requireConsentIfAsked)(tx, clientId)
}

const notTheirs = 'clientId must be a client of the clinician'

/** Who is named; else whose the shared session is, if they treat this client; else who treats them first of all. */
async function findClinician(
  tx: Tx,
  { given, shared, primaryId }: { given: LinkedSessionCreate; shared: SessionRow; primaryId: ClinicianId },
): Promise<SessionClinicianRow> {
  const { clientId, clinicianId = null } = given
  const found =
    clinicianId === null
      ? ((await findTreating(tx, clientId, shared.clinicianId)) ??
        (await findTreating(tx, clientId, primaryId)))
      : await findTreating(tx, clientId, clinicianId)
  if (found !== null) return found
  throw refuse.invalid([
    clinicianId === null ? notTheirs : 'clinicianId must be a clinician who treats the client',
  ])
}

/** The names of whoever was named in the transcript, of the client whose session it is, and of those who have a part of it. */
async function listOthersNames(tx: Tx, { shared, links, speakers, voices }: Others): Promise<string[]> {
  const named = speakers.filter(({ voice, speaker }) => !voices.includes(voice) && speaker !== 'clinician')
  const names = named.map(({ name }) => name)
  for (const clientId of [shared.clientId, ...links.map((link) => link.clientId)]) {
    const { firstName, lastName } = await readClient(tx, clientId)
    names.push(firstName, lastName)
  }
  return names.filter((name) => name !== null)
}

interface Others {
  shared: SessionRow
  links: readonly LinkRow[]
  speakers: readonly TranscriptSpeaker[]
  voices: readonly number[]
}

/** What must not stand in the note of the shared session must not stand in this one's. */
async function keepNamesOut(
  tx: Tx,
  { ring }: ChangeContext,
  { shared, session, lines }: { shared: SessionRow; session: SessionRow; lines: readonly TranscriptItem[] },
): Promise<void> {
  const known = await readContext(tx, ring, shared.sessionId)
  const namesToKeepOut = await listSaidNames(known.namesToKeepOut, lines)
  if (namesToKeepOut.length === 0) return
  const { sessionId, clientId } = session
  await keepContext(tx, ring.forClient(clientId), { sessionId, given: { namesToKeepOut } })
}

async function listGaps(tx: Tx, sessionId: SessionId): Promise<{ start: number; end: number }[]> {
  const gaps = await tx.run(selectGaps(tx.tenant, sessionId))
  return gaps.map(({ startMs, endMs }) => ({ start: startMs / 1_000, end: endMs / 1_000 }))
}

async function keepLines(
  tx: Tx,
  context: ChangeContext,
  { session, lines, madeBy }: { session: SessionRow; lines: TranscriptItem[]; madeBy: string },
): Promise<void> {
  const kept = { sessionId: session.sessionId, items: lines, madeBy }
  if ((await completeTranscript(tx, context, kept)) === null)
    throw new Error('a session that was just opened takes no transcript')
}
