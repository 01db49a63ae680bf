import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  CheckModes,
  KnownContext,
  NoteSection,
  NoteTemplate,
  SigningCheck,
  SigningChecks,
} from '@casenote/contract'
import type { NamedItem } from '../../engines/named-item.js'
import type { NoteChecker } from '../../engines/checker/note-checker.js'
import { wordQuote } from '../../engines/ledger/quoted-instead.js'
import { makeNameKeeper } from '../../engines/text/keep-names-out.js'
import { templateFor } from '../../engines/writer/templates/built-in-templates.js'
import { findHolder, placeOf } from '../../engines/writer/templates/note-template.js'
import type { Database, Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import { listDangerOfNote } from '../danger/index.js'
import {
  checkNote,
  isBlocking,
  listBlocking,
  readCheckModes,
  selectCheckModes,
  type SigningSurface,
} from '../signing-checks/index.js'
import { readReview, readSections } from './describe-note.js'
import { askLinks } from './link-goals.js'
import { readGoals } from './note-goals.js'
import { selectLastSigned, type NoteRow } from './progress-notes.sql.js'
import { isWritten, toDangerNote } from './to-danger-note.js'

export interface CheckParts {
  db: Database
  checker: NoteChecker
  /** Handed in, because sessions know notes already. */
  findContext: (ring: TenantKeyRing, sessionId: SessionId) => Promise<{ context: KnownContext }>
  /** What was said, with who it was; null: no transcript. Handed in for the same reason. */
  findNamedItems: (ring: TenantKeyRing, sessionId: SessionId) => Promise<readonly NamedItem[] | null>
}

/** How a note stands before it is signed; one that is being written, or final, has nothing to check. */
export async function readSigningChecks(
  parts: CheckParts,
  ring: TenantKeyRing,
  note: NoteRow,
): Promise<SigningChecks> {
  const modes = await readModes(parts.db, ring)
  const isOpen = isWritten(note) && note.status !== 'finalized'
  const checks = isOpen ? await makeChecks(parts, ring, note, modes) : []
  return {
    progressNoteId: note.progressNoteId,
    sessionId: note.sessionId,
    checks,
    blocksWidget: listBlocking(checks, 'widget').length > 0,
    blocksPartnerApi: listBlocking(checks, 'partner_api').length > 0,
  }
}

/** Only those that may stop a signature here: by default none, and then nothing is looked at. */
export async function makeBlockingChecks(
  parts: CheckParts,
  ring: TenantKeyRing,
  note: NoteRow,
  surface: SigningSurface,
): Promise<SigningCheck[]> {
  if (!isWritten(note) || note.status === 'finalized') return []
  const modes = await readModes(parts.db, ring)
  const blocking = Object.entries(modes).filter(([, mode]) => isBlocking(mode, surface))
  if (blocking.length === 0) return []
  const others = Object.keys(modes).map((code) => [code, 'off'] as const)
  return makeChecks(parts, ring, note, Object.fromEntries([...others, ...blocking]) as CheckModes)
}

export async function hasBlockingChecks(tx: Tx, surface: SigningSurface): Promise<boolean> {
  const [row] = await tx.run(selectCheckModes(tx.tenant))
  return Object.values(readCheckModes(row?.signingChecks ?? {})).some((mode) => isBlocking(mode, surface))
}

async function readModes(db: Database, { tenantId }: TenantKeyRing): Promise<CheckModes> {
  const [row] = await db.read({ tenantId }, selectCheckModes({ tenantId }))
  return readCheckModes(row?.signingChecks ?? {})
}

async function makeChecks(
  { db, checker, findContext, findNamedItems }: CheckParts,
  ring: TenantKeyRing,
  note: NoteRow,
  modes: CheckModes,
): Promise<SigningCheck[]> {
  const { tenantId } = ring
  const { clientId, noteId } = note
  const [earlier] = await db.read(
    { tenantId },
    selectLastSigned({ tenantId }, { clientId, exceptNoteId: noteId }),
  )
  const danger = await listDangerOfNote({ db, checker }, ring, {
    note: toDangerNote(ring, note),
    clinicianId: null,
    isWritten: true,
    isOpenShown: true,
  })
  // Opening a note of megabytes and handing it on are a turn each.
  await nextTurn()
  const sections = readSections(ring, note)
  await nextTurn()
  const before = earlier === undefined ? null : readSections(ring, earlier)
  await nextTurn()
  const text = await checker.readForSigning(
    {
      // On its way to a thread a tree costs time, a text none.
      sections: sections.map((one) => ({
        ...one,
        evidence: one.evidence.filter(({ supported }) => !supported),
      })),
      earlier: before?.map(({ key, title, content }) => ({ key, title, content })) ?? null,
    },
    tenantId,
  )
  const { context } = await findContext(ring, note.sessionId)
  // As the note has them: what is offered to be written must not put a name back.
  const keepNames = makeNameKeeper(context.namesToKeepOut)
  const withoutNames = <Item extends { words: string }>(item: Item): Item => ({
    ...item,
    words: keepNames(item.words),
  })
  const review = readReview(ring, note).map(withoutNames)
  const items = danger.items.map(withoutNames)
  const isDangerAsked = items.length > 0 || review.some(({ kind }) => kind === 'danger')
  const lines = isDangerAsked ? await findNamedItems(ring, note.sessionId) : null
  await nextTurn()
  return checkNote(
    {
      dangerSection: placeOf(templateFor(note), 'danger'),
      review,
      danger: items,
      quoteWords: (words, places) => {
        const said = places.flatMap((place) => lines?.[place] ?? [])
        const line = said.find(({ transcript }) => keepNames(transcript).includes(words))
        return line === undefined ? null : keepNames(wordQuote(line, words))
      },
      closedWords: (danger.closedWords ?? []).map(keepNames),
      text,
      service: context,
      goalSection: findGoalSection(templateFor(note), sections),
      goals: await linkGoals(checker, ring, { note, sections }),
    },
    modes,
  )
}

/** Links the note's sentences to goals, also those that were typed before whatever is typed was linked. Null: no answer. */
async function linkGoals(
  checker: NoteChecker,
  ring: TenantKeyRing,
  { note, sections }: { note: NoteRow; sections: readonly NoteSection[] },
): Promise<{ text: string; isLinked: boolean }[] | null> {
  const goals = readGoals(ring, note)
  const known = goals.map(({ text, sentences }) => ({ text, isLinked: sentences.length > 0 }))
  if (known.length === 0 || known.some(({ isLinked }) => isLinked)) return known
  const links = await askLinks(checker, ring.tenantId, { goals, sections })
  return (
    links?.map(({ sentences }, index) => ({
      text: known[index]?.text ?? '',
      isLinked: sentences.length > 0,
    })) ?? null
  )
}

/** The kinds of section in which progress is written, from the nearest on; a clinician may have left a section out. */
const progressKinds = ['treatment_goals', 'judgement', 'response', 'plan'] as const

function findGoalSection(template: NoteTemplate, sections: readonly { key: string }[]): string | null {
  const keys = sections.map(({ key }) => key)
  const found = progressKinds.map((kind) => findHolder(template, kind))
  return found.find((key) => key !== null && keys.includes(key)) ?? keys[0] ?? null
}
