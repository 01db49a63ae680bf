import { Erasure, ErasureRequest, RecordErasureRequest } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import type { ChangeSource } from '../../kernel/audit/index.js'
import type { Database } from '../../kernel/db/database.js'
import { refuse, type Refusal } from '../../kernel/refuse.js'
import type { MasterKeys } from '../../kernel/secrets/master-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectErasure, selectMayErase } from './erasure.sql.js'
import { describeErasure, findErasable, findErasure, type Erasable } from './read-erasure.js'
import { ErasureDenied, requestErasure, type Denial } from './request-erasure.js'

export interface ErasuresParts {
  db: Database
  masterKeys: Pick<MasterKeys, 'clientKeys'>
}

const erasedFor =
  'Deletes for good: there is no way back, and no backup brings it back. A worker does it within seconds; `GET /erasures/{erasureId}` tells when, ' +
  'with a signed receipt. Asked again it is the same erasure, also after it is done. The operator must have allowed it (`partnerErasure` of `GET /partners`).'

const notAllowed = 'The operator has not allowed this partner to erase'
const held = 'The client is under a legal hold'

export function registerErasures(api: PartnerApi, { db, masterKeys }: ErasuresParts): void {
  const erase = (
    tenant: TenantScope,
    loaded: Erasable,
    withSignedNotes: boolean,
    source: ChangeSource,
  ): Promise<Erasure> => askFor({ db, masterKeys }, tenant, loaded, withSignedNotes, source)
  const answer = { status: 202, schema: Erasure, description: 'The erasure, under way or done' } as const

  api.route({
    operation: 'client.erase',
    method: 'POST',
    path: '/clients/{clientId}/erasures',
    summary: 'Erase a client with all that is theirs',
    description: `The client with sessions, recordings, transcripts, notes and assessments. ${erasedFor}`,
    load: (tenant, { clientId }) => findErasable(db, tenant, 'client', clientId),
    onceByKey: false,
    body: RecordErasureRequest,
    answer,
    rules: {
      403: notAllowed,
      409: `${held}, or signed notes would go with it and \`includeSignedNotes\` is not true`,
    },
    audit: 'change',
    handle: ({ tenant, loaded, body, actor, requestId }) =>
      erase(tenant, loaded, body.includeSignedNotes === true, { actor, requestId }),
  })
  api.route({
    operation: 'session.erase',
    method: 'POST',
    path: '/sessions/{sessionId}/erasures',
    summary: 'Erase a session with its recording, transcript and note',
    description: `The session with all that was made of it; the client stays. ${erasedFor}`,
    load: (tenant, { sessionId }) => findErasable(db, tenant, 'session', sessionId),
    onceByKey: false,
    body: RecordErasureRequest,
    answer,
    rules: {
      403: notAllowed,
      409: `${held}, or its note is signed and \`includeSignedNotes\` is not true`,
    },
    audit: 'change',
    handle: ({ tenant, loaded, body, actor, requestId }) =>
      erase(tenant, loaded, body.includeSignedNotes === true, { actor, requestId }),
  })
  api.route({
    operation: 'transcript.erase',
    method: 'POST',
    path: '/sessions/{sessionId}/transcript/erasures',
    summary: 'Erase what was said in a session; its note stays',
    description: `What was said or typed in the session, and what was read from it. ${erasedFor}`,
    load: (tenant, { sessionId }) => findErasable(db, tenant, 'transcript', sessionId),
    onceByKey: false,
    body: ErasureRequest,
    answer,
    rules: { 403: notAllowed, 409: `${held}, or the session is still processed` },
    audit: 'change',
    handle: ({ tenant, loaded, actor, requestId }) => erase(tenant, loaded, false, { actor, requestId }),
  })
  api.route({
    operation: 'draft.erase',
    method: 'POST',
    path: '/progress-notes/{progressNoteId}/erasures',
    summary: 'Erase a note that nobody has signed, with all its versions',
    description: `The draft of a note; session and transcript stay. ${erasedFor}`,
    load: (tenant, { progressNoteId }) => findErasable(db, tenant, 'draft', progressNoteId),
    onceByKey: false,
    body: ErasureRequest,
    answer,
    rules: { 403: notAllowed, 409: `${held}, or the note is signed, or still written` },
    audit: 'change',
    handle: ({ tenant, loaded, actor, requestId }) => erase(tenant, loaded, false, { actor, requestId }),
  })
  api.route({
    operation: 'erasure.read',
    method: 'GET',
    path: '/erasures/{erasureId}',
    summary: 'Read how far an erasure is, and its signed receipt',
    load: (tenant, { erasureId }) => findErasure(db, tenant, erasureId),
    answer: { status: 200, schema: Erasure, description: 'The erasure' },
    audit: 'read',
    subjects: ({ clientId }) => [clientId],
    handle: async ({ loaded }) => describeErasure(loaded),
  })
}

async function askFor(
  { db, masterKeys }: ErasuresParts,
  tenant: TenantScope,
  { kind, id, erasure }: Erasable,
  withSignedNotes: boolean,
  source: ChangeSource,
): Promise<Erasure> {
  const row = await db.write(tenant, async (tx) => {
    const [may] = await tx.run(selectMayErase(tenant))
    // Without a key store a backup would bring it back.
    if (may?.mayErase !== true || masterKeys.clientKeys === null)
      throw refuse.forbidden('erasure_not_allowed', 'Erasing is not allowed for this partner')
    if (erasure !== null) return erasure
    try {
      const asked = { kind, id, askedBy: 'partner', withSignedNotes } as const
      const erasureId = await requestErasure(tx, source, asked)
      const [begun] = await tx.run(selectErasure(tenant, erasureId))
      if (begun === undefined) throw new Error('an erasure that was asked for is not there')
      return begun
    } catch (error) {
      throw error instanceof ErasureDenied ? refusals[error.denial](error.message) : error
    }
  })
  return describeErasure(row)
}

/** By then some of the day's are older than a day, if they were asked for over its hours. */
const anHourSeconds = 3_600

const refusals: Record<Denial, (message: string) => Refusal> = {
  not_found: () => refuse.notFound(),
  legal_hold: (message) => refuse.conflict('legal_hold', message),
  signed: (message) => refuse.conflict('signed_notes', message),
  underway: (message) => refuse.conflictForNow('still_being_made', message),
  refused: (message) => refuse.conflict('signed_notes', message),
  not_allowed: (message) => refuse.forbidden('erasure_not_allowed', message),
  too_many: (message) => refuse.tooMany('erasures_of_day', message, anHourSeconds),
  full: (message) => refuse.conflict('erasures_full', message),
}
