import type { NoteChecker } from '../../engines/checker/note-checker.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import {
  findStatedAnswers,
  settleDanger,
  type DangerNote,
  type OpenDangerRule,
  type StatedAnswers,
} from '../danger/index.js'
import { readReview, readSections } from './describe-note.js'
import { finalizeNote } from './finalize-note.js'
import { getLockedNote } from './get-note.js'
import { isAwaiting, isLoading } from './note-lifecycle.js'
import type { NoteRow } from './progress-notes.sql.js'

/** Whoever loses this often signs against a machine: what was compared last is taken for what it is. */
const triesMost = 5

export interface NoteSignature {
  rule: OpenDangerRule
  /** Of the note as it was read, where it was compared before. */
  stated?: StatedAnswers
  /** Of the note that the signer has seen; null where nobody says. */
  ifMatch: string | null
  /** What the signer was told; null where nobody says. */
  expectsCoSignature?: boolean | null
  /** Once more under the lock: who reads a note because it waits for them may have lost it by then. */
  requireAccess?: (tx: Tx) => Promise<void>
  /**
   * Whether what was put right in the transcript is about to be read, and, under the lock, whether that is still so; nobody asks where it
   * stops nothing.
   */
  findUnreadWords?: () => Promise<{ isBeingRead: boolean; isOutdated: (tx: Tx) => Promise<boolean> }>
}

/**
 * Signs a note with what is open about danger: what the note holds is closed by it, what it does not hold is recorded as
 * left open. 409 while what was put right in the transcript is being read, where that is asked for. The text is compared before the note is locked, in a thread, and again if somebody changed it meanwhile. Not again within a transaction that is open: it would hold the note for as long as that takes.
 */
export async function signNote(
  { db, checker }: { db: Database; checker: NoteChecker },
  tenant: TenantScope,
  context: ChangeContext,
  read: NoteRow,
  { rule, ifMatch, expectsCoSignature = null, requireAccess, findUnreadWords, ...compared }: NoteSignature,
): Promise<NoteRow> {
  const most = tenant.transaction === undefined ? triesMost : 1
  let note = read
  for (let tries = 1; ; tries++) {
    const { version, noteId } = note
    const stated =
      (tries === 1 ? compared.stated : undefined) ?? (await findStatedIn({ db, checker }, context.ring, note))
    const unread = await findUnreadWords?.()
    const outcome = await db.write(tenant, async (tx) => {
      const locked = await getLockedNote(tx, noteId)
      await requireAccess?.(tx)
      const isCompared = locked.status === 'finalized' || locked.version === version
      const isOutdated = (await unread?.isOutdated(tx)) ?? false
      if ((!isCompared || isOutdated) && tries < most) return { isDone: false, note: locked }
      const signed = await finalizeNote(tx, context, noteId, {
        ifMatch,
        expectsCoSignature,
        settle: async (signature) => {
          if (isOutdated || unread?.isBeingRead === true)
            throw refuse.conflictForNow('corrections_being_read', stillReadRefusal)
          await settleDanger(tx, context, toDangerNote(context.ring, locked), {
            stated: isCompared ? stated : new Set(),
            rule,
            signature,
          })
        },
      })
      return { isDone: true, note: signed }
    })
    if (outcome.isDone) return outcome.note
    note = outcome.note
  }
}

/** Which answers about danger the note tells of, for its signature. */
export const findStatedIn = async (
  parts: { db: Database; checker: NoteChecker },
  ring: TenantKeyRing,
  note: NoteRow,
): Promise<StatedAnswers> =>
  isWritten(note) ? findStatedAnswers(parts, ring, toDangerNote(ring, note)) : new Set()

/** A sentence for the clinician. */
const stillReadRefusal = 'What was put right in the transcript is still being read. Try again in a moment.'

/** There is a text to hold something against. */
export const isWritten = (note: NoteRow): boolean => note.version > 0 && !isLoading(note)

export const toDangerNote = (ring: TenantKeyRing, note: NoteRow): DangerNote => ({
  noteId: note.noteId,
  sessionId: note.sessionId,
  clientId: note.clientId,
  readSections: () => readSections(ring, note),
  review: note.sealedReview === null && note.sealedJudgedReview === null ? null : readReview(ring, note),
  firstSignedAt: isAwaiting(note) ? note.signedAt : null,
})
