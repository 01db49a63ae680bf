import type { SigningCheck } from '@casenote/contract'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findStatedAnswers, settleDanger, type OpenDangerRule, type StatedAnswers } from '../danger/index.js'
import { requirePassed, type SigningSurface } from '../signing-checks/index.js'
import { hasBlockingChecks, makeBlockingChecks, type CheckParts } from './check-before-signing.js'
import { finalizeNote } from './finalize-note.js'
import { getLockedNote } from './get-note.js'
import type { NoteRow } from './progress-notes.sql.js'
import { isWritten, toDangerNote } from './to-danger-note.js'

/** Whoever loses this often signs against a machine: what was compared last is taken for what it is, unless a check may stop it. */
const triesMost = 5

/** What a text was compared with before it is signed. */
export interface SigningLook {
  stated: StatedAnswers
  /** The checks that may stop the signature. */
  checks: readonly SigningCheck[]
}

export interface NoteSignature {
  rule: OpenDangerRule
  /** The surface on which it is signed: which checks stop it is the partner's choice for each. */
  surface: SigningSurface
  /** What the checks found in the note as it was read, where they looked before. */
  look?: SigningLook
  /** The entity tag of the note that the signer has seen; null where nobody says. */
  ifMatch: string | null
  /** What the signer was told; null where nobody says. */
  expectsCoSignature?: boolean | null
  /** Asks once more under the lock whether the caller may still reach the note: who reads one because it waits for them may have lost it by then. */
  requireAccess?: (tx: Tx) => Promise<void>
  /**
   * Whether what was put right in the transcript is about to be read, and, under the lock, whether that is still so; nobody asks where it
   * stops nothing.
   */
  findUnreadWords?: () => Promise<{ isBeingRead: boolean; isOutdated: (tx: Tx) => Promise<boolean> }>
}

/**
 * Signs a note with what is open about danger: what the note holds is closed by it, what it does not hold is recorded as
 * left open. 409 while what was put right in the transcript is being read, where that is asked for. The text is compared before the note is locked, in a thread, and again if somebody changed it meanwhile. Not again within a transaction that is open: it would lock the note for as long as that takes.
 */
export async function signNote(
  parts: CheckParts,
  tenant: TenantScope,
  context: ChangeContext,
  read: NoteRow,
  signature: NoteSignature,
): Promise<NoteRow> {
  const { db } = parts
  const { rule, surface, ifMatch, expectsCoSignature = null, requireAccess, findUnreadWords } = signature
  const most = tenant.transaction === undefined ? triesMost : 1
  let note = read
  for (let tries = 1; ; tries++) {
    const { version, noteId, judgedAt } = note
    const { stated, checks } =
      (tries === 1 ? signature.look : undefined) ??
      (await lookBeforeSigning(parts, context.ring, note, surface))
    const unread = await findUnreadWords?.()
    const outcome = await db.write(tenant, async (tx) => {
      const locked = await getLockedNote(tx, noteId)
      await requireAccess?.(tx)
      const isCompared = locked.status === 'finalized' || locked.version === version
      const isChecked = isCompared && locked.judgedAt?.getTime() === judgedAt?.getTime()
      const isOutdated = (await unread?.isOutdated(tx)) ?? false
      if ((!isChecked || isOutdated) && tries < most) return { isDone: false, note: locked }
      const signed = await finalizeNote(tx, context, noteId, {
        ifMatch,
        expectsCoSignature,
        settle: async (given) => {
          if (isOutdated || unread?.isBeingRead === true)
            throw refuse.conflictForNow('corrections_being_read', stillReadRefusal)
          // Of a text that nobody looked at nobody knows whether it passes.
          if (!isChecked && (await hasBlockingChecks(tx, surface)))
            throw refuse.conflictForNow('note_changed', changedRefusal)
          requirePassed(checks, surface)
          await settleDanger(tx, context, toDangerNote(context.ring, locked), {
            stated: isCompared ? stated : new Set(),
            rule,
            signature: given,
          })
        },
      })
      return { isDone: true, note: signed }
    })
    if (outcome.isDone) return outcome.note
    note = outcome.note
  }
}

/** Which answers about danger the note tells of, and how it stands to the checks that may stop its signature. */
export const lookBeforeSigning = async (
  parts: CheckParts,
  ring: TenantKeyRing,
  note: NoteRow,
  surface: SigningSurface,
): Promise<SigningLook> => ({
  stated: isWritten(note) ? await findStatedAnswers(parts, ring, toDangerNote(ring, note)) : new Set(),
  checks: await makeBlockingChecks(parts, ring, note, surface),
})

const changedRefusal = 'Progress note was changed while it was checked. Try again in a moment.'

/** A sentence for the clinician. */
const stillReadRefusal = 'What was put right in the transcript is still being read. Try again in a moment.'
