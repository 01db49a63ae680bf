import { SpeakersChange, Transcript, TranscriptPatch } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import { openChange, type SealedParts } from '../../kernel/change-context.js'
import { refuse } from '../../kernel/refuse.js'
import { withGaps } from '../session-gaps/index.js'
import { describeFailure } from '../sessions/index.js'
import { correctSpeakers } from './correct-speakers.js'
import { nameSpeakers } from './name-speakers.js'
import { describeTranscript, findTranscript } from './read-transcript.js'

export function registerTranscripts(api: PartnerApi, parts: SealedParts): void {
  const { db, keys } = parts
  api.route({
    operation: 'session.readTranscript',
    method: 'GET',
    path: '/sessions/{sessionId}/transcript',
    summary: 'Read the transcript of a session',
    load: (tenant, { sessionId }) => findTranscript(db, tenant, sessionId),
    answer: { status: 200, schema: Transcript, description: 'The transcript' },
    mayBeNotReady: true,
    audit: 'read',
    subjects: ({ clientId }) => [clientId],
    handle: async ({ tenant, loaded }) => {
      const transcript = describeTranscript(await keys.get(tenant), loaded)
      if (transcript === null)
        throw refuse.notReady('Transcript has not been generated', describeFailure(loaded.failureCode))
      return withGaps(db, tenant, transcript)
    },
  })
  api.route({
    operation: 'session.correctSpeakers',
    method: 'PATCH',
    path: '/sessions/{sessionId}/transcript',
    summary: 'Correct who spoke',
    load: (tenant, { sessionId }) => findTranscript(db, tenant, sessionId),
    body: TranscriptPatch,
    answer: { status: 200, schema: Transcript, description: 'The transcript with its new labels' },
    rules: {
      409: '`Transcript has not been generated`, or it was typed or dictated and has no speakers to correct',
    },
    audit: 'change',
    handle: async ({ tenant, loaded, body, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const corrected = await db.write(tenant, (tx) => correctSpeakers(tx, context, loaded.sessionId, body))
      return withGaps(db, tenant, corrected)
    },
  })
  api.route({
    operation: 'session.nameSpeakers',
    method: 'PATCH',
    path: '/sessions/{sessionId}/speakers',
    summary: 'Say who is heard',
    description:
      'Names and roles of the voices of a recording. A name changes nothing that was said. A note that is written afterwards attributes what was said by them where several people besides the clinician are heard; one that is there is written anew by `POST /progress-notes/{progressNoteId}/regenerate`.',
    load: (tenant, { sessionId }) => findTranscript(db, tenant, sessionId),
    body: SpeakersChange,
    answer: { status: 200, schema: Transcript, description: 'The transcript with its `speakers`' },
    rules: {
      409: '`Transcript has not been generated`, or it was typed or dictated and has no speakers',
    },
    audit: 'change',
    handle: async ({ tenant, loaded, body, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const named = await db.write(tenant, (tx) => nameSpeakers(tx, context, loaded.sessionId, body))
      return withGaps(db, tenant, named)
    },
  })
}
