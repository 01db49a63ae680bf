import { Mdm, SpeakersChange, Summary, Transcript, TranscriptPatch } from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import { openChange, type SealedParts } from '../../../kernel/change-context.js'
import { refuse } from '../../../kernel/refuse.js'
import { describeMdm, findMdm } from '../../mdm/index.js'
import { withGaps } from '../../session-gaps/index.js'
import { describeSummary, findSummaryOfSession } from '../../summaries/index.js'
import { correctSpeakers, describeTranscript, findTranscript, nameSpeakers } from '../../transcripts/index.js'
import { findSessionToCorrect, findTreatedSession, type TreatedSession } from './read-widget-sessions.js'

/** What is made of a session beside its note. What has not been made is a 404 here. */
export function registerArtifacts(api: WidgetApi, parts: SealedParts): void {
  const { db, keys } = parts
  const load = (caller: WidgetCaller, { sessionId }: Record<'sessionId', string>) =>
    findTreatedSession(db, caller, sessionId)
  const subjects = ({ row }: TreatedSession): string[] => [row.clientId]
  api.route({
    operation: 'widget.readTranscript',
    method: 'GET',
    path: '/sessions/{sessionId}/transcript',
    load,
    answer: { status: 200, schema: Transcript },
    audit: 'read',
    subjects,
    handle: async ({ caller, loaded }) => {
      const row = await findTranscript(db, caller.tenant, loaded.row.sessionId)
      const transcript = row === null ? null : describeTranscript(await keys.get(caller.tenant), row)
      if (transcript === null) throw refuse.notReady('Transcript has not been generated')
      return withGaps(db, caller.tenant, transcript)
    },
  })
  api.route({
    operation: 'widget.correctSpeakers',
    method: 'PATCH',
    path: '/sessions/{sessionId}/transcript',
    load: (caller, { sessionId }) => findSessionToCorrect(db, caller, sessionId),
    body: TranscriptPatch,
    answer: { status: 200, schema: Transcript },
    audit: 'change',
    handle: async ({ caller, loaded, body, ...source }) => {
      const context = await openChange(parts, caller.tenant, source)
      const { sessionId } = loaded.row
      const corrected = await db.write(caller.tenant, (tx) => correctSpeakers(tx, context, sessionId, body))
      return withGaps(db, caller.tenant, corrected)
    },
  })
  api.route({
    operation: 'widget.nameSpeakers',
    method: 'PATCH',
    path: '/sessions/{sessionId}/speakers',
    load: (caller, { sessionId }) => findSessionToCorrect(db, caller, sessionId),
    body: SpeakersChange,
    answer: { status: 200, schema: Transcript },
    audit: 'change',
    handle: async ({ caller, loaded, body, ...source }) => {
      const context = await openChange(parts, caller.tenant, source)
      const { sessionId } = loaded.row
      const named = await db.write(caller.tenant, (tx) => nameSpeakers(tx, context, sessionId, body))
      return withGaps(db, caller.tenant, named)
    },
  })
  api.route({
    operation: 'widget.readSummary',
    method: 'GET',
    path: '/sessions/{sessionId}/summary',
    load,
    answer: { status: 200, schema: Summary },
    audit: 'read',
    subjects,
    handle: async ({ caller, loaded }) => {
      const row = await findSummaryOfSession(db, caller.tenant, loaded.row.sessionId)
      const summary = row === null ? null : describeSummary(await keys.get(caller.tenant), row)
      if (summary === null) throw refuse.notReady('Summary has not been generated')
      return summary
    },
  })
  api.route({
    operation: 'widget.readMdm',
    method: 'GET',
    path: '/sessions/{sessionId}/mdm',
    load,
    answer: { status: 200, schema: Mdm },
    audit: 'read',
    subjects,
    handle: async ({ caller, loaded }) => {
      const row = await findMdm(db, caller.tenant, loaded.row.sessionId)
      const mdm = row === null ? null : describeMdm(await keys.get(caller.tenant), row)
      if (mdm === null) throw refuse.notReady('MDM elements have not been generated')
      return mdm
    },
  })
}
