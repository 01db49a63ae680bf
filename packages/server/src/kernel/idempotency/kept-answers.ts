import type { ErrorCode } from '@casenote/contract'
import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Tx } from '../db/database.js'
import type { ClientId } from '../ids.js'
import { refuse } from '../refuse.js'
import { sealLongJson, unsealLongJson, type JsonPlace } from '../secrets/sealed-json.js'
import type { TenantKeyRing } from '../secrets/tenant-keys.js'
import type { TenantScope } from '../tenant.js'
import { AnswerRoom } from './answer-room.js'
import {
  claimKey,
  keepAnswer,
  selectHasKeptAnswer,
  selectKeptAnswer,
  type KeptAnswerRow,
} from './kept-answers.sql.js'
import { PlaceLine } from '../place-line.js'

/** What a call answered, to the letter. */
export interface Answer {
  status: number
  etag: string | null
  /** The error code of an answer that is a refusal. */
  code?: ErrorCode
  body: string
}

/** An answer with the client whose data it shows, if it is one client's. */
export interface AnswerOfClient {
  answer: Answer
  clientId: ClientId | null
}

/** A call by its key, and what its body says. */
export interface KeyedCall {
  digest: string
  fingerprint: string
}

interface Kept extends Omit<Answer, 'body'> {
  fingerprint: string
  /** Null: it was too long to be kept. */
  body: string | null
}

/** The longest call takes a second or two; who waits longer is told to ask again, and holds no request open. */
const usualWaitMs = 10_000

/** Asked for this often at first, then rarer. */
const firstPauseMs = 10
const longestPauseMs = 250

/** Packed and sealed. The longest note with its evidence is some 200 kB; the database refuses more than this and a bit. */
const keptBytesMax = 1_000_000

/** A worker makes room every minute. */
const roomAfterSeconds = 60

/** A call that waits for another one has waited for long already. */
const underWaySeconds = 2

/** What each of them holds is a request; beyond it whoever comes is told at once. */
const waitingMost = 1_000

const full = 'There is no room to keep another answer'
const underWay = 'A call with this Idempotency-Key is under way'
const otherBody = 'Idempotency-Key was used with another body'
const tooLong = 'The first answer to this Idempotency-Key was too long to be kept: read what it changed'

/**
 * Does what a key asks for once. The key is claimed, the call is done and its answer is kept in one transaction: whoever dies in
 * it leaves nothing, and the next one with the key does it (decision 0034).
 */
export class KeptAnswers<Tenant extends TenantScope = TenantScope> {
  readonly #db: Database
  readonly #ringOf: (tenant: Tenant) => TenantKeyRing
  readonly #waitMs: number
  readonly #places: PlaceLine
  readonly #room: AnswerRoom

  constructor(parts: {
    db: Database
    ringOf: (tenant: Tenant) => TenantKeyRing
    /** The connections of the database's pool. A call with a key takes one for itself while it is done. */
    connections: number
    waitMs?: number
    /** The bytes that one tenant's kept answers may have, packed and sealed. */
    tenantBytesMax?: number
  }) {
    this.#db = parts.db
    // Half: a call may need a second one for what it reads, and calls without a key need some, too.
    const most = Math.max(1, Math.floor(parts.connections / 2))
    this.#places = new PlaceLine({ most, ofOwnerMost: most, waitingMost })
    this.#ringOf = parts.ringOf
    this.#waitMs = parts.waitMs ?? usualWaitMs
    this.#room = new AnswerRoom(parts.db, parts.tenantBytesMax)
  }

  async has(tenant: TenantScope, digest: string): Promise<boolean> {
    return (await this.#db.read(tenant, selectHasKeptAnswer(tenant, digest))).length > 0
  }

  /**
   * What `work` throws is not kept, and leaves nothing of what it did. All that it does with its scope is part of the transaction.
   * `prepare` comes before it, where nothing is locked, and only where there is no answer yet: for whatever takes long.
   */
  async answerOnce(
    tenant: Tenant,
    call: KeyedCall,
    work: (tenant: Tenant) => Promise<AnswerOfClient>,
    prepare: () => Promise<void> = async () => {},
  ): Promise<AnswerOfClient & { isReplayed: boolean }> {
    let kept = await this.#find(tenant, call)
    if (kept === null) {
      if (!(await this.#room.hasRoom(tenant))) throw refuse.busy('kept_answers_full', full, roomAfterSeconds)
      await prepare()
    }
    const endsAtMs = performance.now() + this.#waitMs
    for (let pauseMs = firstPauseMs; kept === null; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      const done = await this.#tryOnce(tenant, call, work, endsAtMs)
      if (done !== null) return done
      if (performance.now() >= endsAtMs)
        throw refuse.busy('idempotency_key_under_way', underWay, underWaySeconds)
      await pause(pauseMs)
      kept = await this.#find(tenant, call)
    }
    return { ...kept, isReplayed: true }
  }

  /** Null: another call has the key. */
  async #tryOnce(
    tenant: Tenant,
    call: KeyedCall,
    work: (tenant: Tenant) => Promise<AnswerOfClient>,
    endsAtMs: number,
  ): Promise<(AnswerOfClient & { isReplayed: boolean }) | null> {
    const leave = await this.#places.take(
      { tenantId: tenant.tenantId, owner: tenant.tenantId },
      endsAtMs - performance.now(),
    )
    if (leave === null) throw refuse.busy('service_unavailable', 'Service unavailable')
    try {
      return await this.#db.write(tenant, async (tx) => {
        const [claim] = await tx.run(claimKey(call.digest))
        if (claim?.isClaimed !== true) return null
        // In a statement of its own, which sees what was committed before the claim.
        const [row] = await tx.run(selectKeptAnswer(tenant, call.digest))
        if (row !== undefined) return { ...(await this.#read(tenant, call, row)), isReplayed: true }
        const made = await work({ ...tenant, transaction: tx })
        await this.#keep(tx, tenant, call, made)
        return { ...made, isReplayed: false }
      })
    } finally {
      leave()
    }
  }

  async #find(tenant: Tenant, call: KeyedCall): Promise<AnswerOfClient | null> {
    const [row] = await this.#db.read(tenant, selectKeptAnswer(tenant, call.digest))
    return row === undefined ? null : this.#read(tenant, call, row)
  }

  async #read(
    tenant: Tenant,
    { digest, fingerprint }: KeyedCall,
    { sealedAnswer, clientId }: KeptAnswerRow,
  ): Promise<AnswerOfClient> {
    const kept = await unsealLongJson(this.#ringOf(tenant), placeOf(digest), sealedAnswer)
    if (kept.fingerprint !== fingerprint) throw refuse.conflict('idempotency_key_reused', otherBody)
    const { status, etag, code, body } = kept
    if (body === null) throw refuse.conflict('idempotent_answer_too_long', tooLong)
    return { answer: { status, etag, body, ...(code === undefined ? {} : { code }) }, clientId }
  }

  async #keep(
    tx: Tx,
    tenant: Tenant,
    { digest, fingerprint }: KeyedCall,
    { answer, clientId }: AnswerOfClient,
  ): Promise<void> {
    const ofTenant = this.#ringOf(tenant)
    const ring = clientId === null ? ofTenant : ofTenant.forClient(clientId)
    const sealKept = (kept: Kept): Promise<Buffer> => sealLongJson(ring, placeOf(digest), kept)
    const whole = await sealKept({ ...answer, fingerprint })
    const sealedAnswer =
      whole.length <= keptBytesMax ? whole : await sealKept({ ...answer, fingerprint, body: null })
    await tx.run(keepAnswer(tenant, { digest, clientId, sealedAnswer }))
    // Also where it is not committed after all: the next count puts it right.
    this.#room.add(tenant, sealedAnswer.length)
  }
}

const placeOf = (digest: string): JsonPlace<Kept> => ({
  table: 'kept_answers',
  row: digest,
  column: 'sealed_answer',
})
