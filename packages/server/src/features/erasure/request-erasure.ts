import { recordChange, type ChangeSource } from '../../kernel/audit/index.js'
import type { Tx } from '../../kernel/db/database.js'
import { newId, type ErasableId } from '../../kernel/ids.js'
import type { ErasureKind } from '../../kernel/secrets/client-key-source.js'
import {
  askErasure,
  insertErasure,
  lockClient,
  selectHold,
  selectSubject,
  selectUnderway,
  type AskedBy,
  type SubjectRow,
} from './erasure.sql.js'

interface AskedErasure {
  kind: ErasureKind
  /** Id of what is to be erased; for a draft the note's `progressNoteId`. */
  id: ErasableId
  askedBy: AskedBy
  /** Signed notes may go with it. */
  withSignedNotes: boolean
}

export type Denial =
  'not_found' | 'not_allowed' | 'too_many' | 'full' | 'legal_hold' | 'signed' | 'underway' | 'refused'

/** Why nothing was begun. */
export class ErasureDenied extends Error {
  constructor(readonly denial: Denial) {
    super(texts[denial])
    this.name = 'ErasureDenied'
  }
}

const texts: Record<Denial, string> = {
  not_found: 'Not Found',
  not_allowed: 'Erasing is not allowed for this partner',
  too_many: 'This partner has asked for 1,000 erasures within a day',
  full: 'This partner has 20,000 erasures in the key store that all share: the operator carries out further ones',
  legal_hold: 'The client is under a legal hold: nothing of theirs is deleted until it is lifted',
  signed: 'Signed notes would go with it, which needs a confirmation of its own',
  refused: 'It was refused: something was signed or held after it was asked for. Ask again',
  underway: 'It is still being made: wait until the session has completed or failed',
}

/**
 * From the commit on it is under way, and a kill changes nothing: a worker or the next command goes on with it. The client's row is
 * locked, so that a hold is there before it, or is refused. Asked again it is the same erasure.
 */
export async function requestErasure(tx: Tx, source: ChangeSource, asked: AskedErasure): Promise<string> {
  const { tenant } = tx
  const found = await findSubject(tx, asked)
  await tx.run(lockClient(tenant, found.clientId))
  // Once more: another erasure may have been before us.
  const subject = await findSubject(tx, asked)
  const [begun] = await tx.run(selectUnderway(tenant, asked.kind, subject.subjectId))
  if (begun !== undefined) return begun.erasureId
  const [hold] = await tx.run(selectHold(tenant, subject.clientId))
  if (hold !== undefined) throw new ErasureDenied('legal_hold')
  if (subject.isSigned && (!asked.withSignedNotes || asked.kind === 'draft'))
    throw new ErasureDenied('signed')
  if (subject.isUnderway) throw new ErasureDenied('underway')
  const erasureId = newId()
  const { subjectId, clientId } = subject
  const { kind, askedBy, withSignedNotes } = asked
  if (askedBy === 'partner') {
    const askedId = asked.id
    const [row] = await tx.run(askErasure(tenant, { erasureId, kind, subjectId, askedId, withSignedNotes }))
    if (row?.denial !== null) throw new ErasureDenied(row?.denial ?? 'not_allowed')
  } else {
    await tx.run(insertErasure(tenant, { erasureId, kind, subjectId, clientId, askedBy, withSignedNotes }))
  }
  await recordChange(tx, {
    ...source,
    operation: `${asked.kind}.erase`,
    subjects: [...new Set([erasureId, subjectId, clientId])],
  })
  return erasureId
}

async function findSubject(tx: Tx, { kind, id }: AskedErasure): Promise<SubjectRow> {
  const [subject] = await tx.run(selectSubject(tx.tenant, kind, id))
  if (subject === undefined) throw new ErasureDenied('not_found')
  return subject
}
