import { HeardDanger, HeardStretch, NewGap, StretchToStrike, StruckStretch } from '@casenote/contract'
import type { NoteChecker } from '../../../engines/checker/note-checker.js'
import type { Reader } from '../../../engines/reader/reading.js'
import type { WidgetApi } from '../../../http/widget-api.js'
import { openChange, type SealedParts } from '../../../kernel/change-context.js'
import type { Log } from '../../../kernel/log.js'
import { refuse } from '../../../kernel/refuse.js'
import { keepGap } from '../../session-gaps/index.js'
import { strikeStretch } from '../../strikes/index.js'
import { getLockedRecordedSession } from '../recordings/end-recording.js'
import { lookForDanger } from '../recordings/heard-danger.js'
import { makeHeardReader } from '../recordings/heard-reader.js'
import { findRecordedSession } from '../recordings/recordings.routes.js'
import type { ReadParts } from './read-widget-sessions.js'

export interface StrikeParts extends SealedParts, ReadParts {
  checker: NoteChecker
  /** Of this process: the pipeline's has whole sessions to read. */
  reader: Reader
  log: Log
}

/** Off the record, while a session is recorded and afterwards (decision 0049). Only the clinician whose session it is. */
export function registerStrikes(api: WidgetApi, parts: StrikeParts): void {
  const { db, keys } = parts
  const heardReader = makeHeardReader(parts)
  api.route({
    operation: 'widget.keepGap',
    method: 'POST',
    path: '/sessions/{sessionId}/gaps',
    load: (caller, { sessionId }) => findRecordedSession(parts, caller, sessionId),
    body: NewGap,
    answer: { status: 204, schema: null },
    audit: 'change',
    handle: async ({ caller, loaded, body, ...source }) => {
      const context = await openChange(parts, caller.tenant, source)
      const { sessionId, clientId } = loaded.row
      const { clinicianId } = caller
      await db.write(caller.tenant, async (tx) => {
        const { status } = await getLockedRecordedSession(tx, sessionId)
        // From there on it is struck as any session is.
        if (status !== 'awaiting_audio')
          throw refuse.conflict('recording_complete', 'The recording is complete already, or was given up')
        await keepGap(tx, context, { sessionId, clientId, clinicianId }, body)
      })
    },
  })
  api.route({
    operation: 'widget.lookForDanger',
    method: 'POST',
    path: '/sessions/{sessionId}/heard-danger',
    load: (caller, { sessionId }) => findRecordedSession(parts, caller, sessionId),
    body: HeardStretch,
    answer: { status: 200, schema: HeardDanger },
    audit: 'read',
    subjects: ({ row }) => [row.clientId],
    handle: async ({ caller, loaded, body }) =>
      lookForDanger({ ...parts, heardReader }, await keys.get(caller.tenant), loaded.row, body),
  })
  api.route({
    operation: 'widget.strikeStretch',
    method: 'POST',
    path: '/sessions/{sessionId}/strike',
    load: (caller, { sessionId }) => findRecordedSession(parts, caller, sessionId),
    body: StretchToStrike,
    answer: { status: 200, schema: StruckStretch },
    audit: 'change',
    handle: async ({ caller, loaded, body, ...source }) => {
      const context = await openChange(parts, caller.tenant, source)
      const by = { kind: 'clinician', id: caller.clinicianId } as const
      return db.write(caller.tenant, (tx) =>
        strikeStretch(tx, context, { sessionId: loaded.row.sessionId, by }, body),
      )
    },
  })
}
