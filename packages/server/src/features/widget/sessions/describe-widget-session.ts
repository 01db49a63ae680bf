import type { SessionStatus, WidgetSession, WidgetStage } from '@casenote/contract'
import type { TenantKeyRing } from '../../../kernel/secrets/tenant-keys.js'
import { describeState, tagOf, type NoteHead } from '../../progress-notes/index.js'
import { canBeTriedAgain, isOfLanguage, wordFailure } from '../../sessions/index.js'
import type { SessionViewRow } from './session-views.sql.js'

export function describeWidgetSession(
  ring: TenantKeyRing,
  row: SessionViewRow,
  note: NoteHead,
): WidgetSession {
  return {
    sessionId: row.sessionId,
    sessionExternalId: row.sessionExternalId,
    client: {
      id: row.clientId,
      firstName: row.firstName,
      lastName: row.lastName,
      dateOfBirth: row.dateOfBirth,
    },
    noteType: row.noteType,
    source: row.source,
    language: row.language,
    status: row.status,
    progress: row.progress,
    ...describeStage(row),
    failure: wordFailure(row.failureCode),
    canWriteAnyway: isOfLanguage(row.failureCode),
    canBeTriedAgain: canBeTriedAgain(row.failureCode),
    triedAgainAs: row.triedAgainAs,
    hasWordsOfTries: row.hasWordsOfTries,
    hasAudio: row.hasAudio,
    note: {
      progressNoteId: note.progressNoteId,
      ...describeState(note),
      hasText: note.version > 0,
      etag: tagOf(ring, note),
      awaited: describeAwaited(note),
    },
    hasTranscript: row.hasTranscript,
    isOneVoice: row.isOneVoice,
    contextLeftOut: row.contextLeftOut,
    hasSummary: row.hasSummary,
    hasMdm: row.hasMdm,
    clinicianId: note.clinicianId,
    isTreated: row.isTreated,
    correctionOf: row.correctionOf,
    correctedBy: row.correctedBy,
    isWithdrawn: row.failureCode === 'withdrawn',
    startedAt: row.startedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}

function describeAwaited(note: NoteHead): WidgetSession['note']['awaited'] {
  const { status, signerId, signerName, signedAt, supervisorId } = note
  if (status === 'finalized' || signerId === null || signerName === null || signedAt === null) return null
  return { signerId, signerName, signedAt: signedAt.toISOString(), supervisorId }
}

/** Where transcribing and writing lie within a session's progress (`PROGRESS_AT`). */
const transcribingFrom = 0.1
const writingFrom = 0.7

type Stage = { stage: WidgetStage; stageProgress: number | null }

/** Honest stages: a share is told only where it is known. */
function describeStage(
  row: Pick<SessionViewRow, 'status' | 'progress' | 'uploadedBytes' | 'lengthBytes'>,
): Stage {
  const share = (from: number, to: number): number =>
    Math.min(1, Math.max(0, (row.progress - from) / (to - from)))
  const stages: Record<SessionStatus, Stage> = {
    awaiting_audio: describeArrival(row),
    fetching: { stage: 'preparing', stageProgress: null },
    transcribing: { stage: 'transcribing', stageProgress: share(transcribingFrom, writingFrom) },
    generating: { stage: 'writing', stageProgress: share(writingFrom, 1) },
    completed: { stage: 'done', stageProgress: null },
    failed: { stage: 'failed', stageProgress: null },
  }
  return stages[row.status]
}

/** Still recording, as long as one segment does not know its length. */
function describeArrival({
  uploadedBytes,
  lengthBytes,
}: Pick<SessionViewRow, 'uploadedBytes' | 'lengthBytes'>): Stage {
  if (lengthBytes === null || uploadedBytes === null) return { stage: 'recording', stageProgress: null }
  return { stage: 'uploading', stageProgress: lengthBytes === 0 ? 1 : uploadedBytes / lengthBytes }
}
