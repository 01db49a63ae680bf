import type { PartnerApiError, ProgressNote, SessionCreate, WebhookEvent } from '@casenote/contract'
import type { LightMyRequestResponse } from 'fastify'
import { completeGeneration, failGeneration } from '../../src/features/progress-notes/index.js'
import type { ChangeContext } from '../../src/kernel/change-context.js'
import { asPipeline, someSections, startRecord } from './clinical-record.js'
import { listEvents } from './outcomes.js'
import type { TestPartner, TestService } from './test-service.js'

/** Both sides of a partner's notes: what the partner calls, and what the pipeline does. */
export interface NoteCalls {
  context: ChangeContext
  call(
    method: 'GET' | 'PATCH' | 'POST',
    path: string,
    payload?: unknown,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>
  noteOf(sessionId: string): Promise<ProgressNote>
  begin(given?: Partial<SessionCreate>): Promise<{ sessionId: string; generationId: string }>
  complete(generationId: string, text?: string): Promise<boolean>
  fail(generationId: string): Promise<boolean>
  activeOf(sessionId: string): Promise<string>
  /** A generated note of its own. */
  written(): Promise<ProgressNote>
  /** About the note, not the transcript. */
  eventsOf(sessionId: string): Promise<WebhookEvent[]>
}

/** How a call was refused. */
export const told = (answer: LightMyRequestResponse): [number, unknown] => [
  answer.statusCode,
  answer.json<PartnerApiError>().error.message,
]

export async function makeNoteCalls(service: TestService, partner: TestPartner): Promise<NoteCalls> {
  const { db } = service
  const tenant = { tenantId: partner.partnerId }
  const context = asPipeline(await service.keys.get(tenant))
  const calls: NoteCalls = {
    context,
    call: (method, path, payload, headers = {}) =>
      service.call({
        method,
        url: `/v2${path}`,
        headers: { ...partner.headers, 'content-type': 'application/json', ...headers },
        ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
      }),
    noteOf: async (sessionId) =>
      (await calls.call('GET', `/sessions/${sessionId}/progress-note`)).json<ProgressNote>(),
    begin: (given = {}) => startRecord(db, context, { clientId: partner.clientId, given }),
    complete: (generationId, text) =>
      db.write(tenant, (tx) =>
        completeGeneration(tx, context, {
          madeBy: 'test',
          generationId,
          sections: someSections(text),
          review: [],
        }),
      ),
    fail: (generationId) =>
      db.write(tenant, (tx) => failGeneration(tx, context, { generationId, reason: 'The writer gave up' })),
    activeOf: async (sessionId) => {
      const [row] = await db.read(tenant, {
        text: `select active_generation_id as id from casenote.progress_notes
          where tenant_id = $1 and session_id = $2`,
        values: [tenant.tenantId, sessionId],
      })
      return (row as { id: string }).id
    },
    written: async () => {
      const { sessionId, generationId } = await calls.begin()
      await calls.complete(generationId)
      return calls.noteOf(sessionId)
    },
    eventsOf: async (sessionId) =>
      (await listEvents(service, tenant, sessionId)).filter(
        ({ eventType }) => eventType !== 'transcript_ready',
      ),
  }
  return calls
}
