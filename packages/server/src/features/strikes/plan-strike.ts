import type { TranscriptItem } from '@casenote/contract'
import type { Stretch } from '../../engines/speech/audio/silence-stretches.js'
import { isJobDue } from '../../jobs/enqueue-job.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { ClientId, SessionId } from '../../kernel/ids.js'
import { refuse } from '../../kernel/refuse.js'
import { tryShareClient } from '../clients/index.js'
import { gatherSaid, listSaidDanger, type ItemContent, type SaidDanger } from '../danger/index.js'
import { findLockedNoteOfSession, isAwaiting, isLoading, type NoteRow } from '../progress-notes/index.js'
import { selectLegalHold } from '../session-gaps/index.js'
import { getSession, type EndedSessionRow } from '../sessions/index.js'
import { findLockedItems, listFindings } from '../transcripts/index.js'
import { cutStretch, type Cut } from './cut-stretch.js'
import type { Deny } from './deny-strike.js'

/** A session that another one was tried again as. */
export interface LaterTry {
  sessionId: SessionId
  session: EndedSessionRow
}

/** What goes of one session. All of it is locked. */
export interface StrikePlan {
  sessionId: SessionId
  clientId: ClientId
  session: EndedSessionRow
  /** Tries of it that failed without its words: the last one has its recording. */
  later: readonly LaterTry[]
  /** Null: its draft was erased, or went by age. */
  note: NoteRow | null
  items: readonly TranscriptItem[]
  cut: Cut
  said: readonly SaidDanger[]
  /** Those of `said` whose words are struck: they go. */
  gone: readonly SaidDanger[]
  /** All that a reading found about danger there, also what opened no item: it is read before it goes. */
  named: readonly ItemContent[]
  deny: Deny
}

/** Refuses what must stay. The session is locked; note and transcript are from here on. */
export async function planStrike(
  tx: Tx,
  { ring }: ChangeContext,
  { sessionId, session, later, deny }: Pick<StrikePlan, 'sessionId' | 'session' | 'later' | 'deny'>,
  asked: Stretch,
): Promise<StrikePlan> {
  const { clientId } = await getSession(tx, sessionId)
  // Whoever has it may wait for the session.
  if ((await tx.run(tryShareClient(tx.tenant, clientId))).length === 0) throw deny('generating')
  const note = await findLockedNoteOfSession(tx, sessionId)
  if (note !== null && (note.status === 'finalized' || isAwaiting(note))) throw deny('signed')
  if (note !== null && isLoading(note)) throw deny('generating')
  const [hold] = await tx.run(selectLegalHold(tx.tenant, clientId))
  if (hold?.isUnderHold === true) throw deny('legal_hold')
  // It may find danger in what was put right, which is to be named first.
  if (await isJobDue(tx, sessionId, 'read_transcript')) throw deny('generating')
  const items = await findLockedItems(tx, ring, sessionId)
  if (items === null) throw refuse.conflict('transcript_missing', 'Transcript has not been generated')
  if (items.some(({ source }) => source === 'typed'))
    throw refuse.conflict('transcript_typed', 'The transcript was typed: nobody was recorded')
  const cut = cutStretch(items, asked)
  const said = await listSaidDanger(tx, ring, sessionId)
  const struck = new Set(cut.struck)
  const gone = said.filter(({ content }) => content.transcriptItems.some((line) => struck.has(line)))
  const found = (await listFindings(tx, ring, sessionId)).filter((finding) =>
    finding.items.some((line) => struck.has(line)),
  )
  const named = nameOnce(
    gone.map(({ content }) => content),
    gatherSaid(found, () => true),
  )
  return { sessionId, clientId, session, later, note, items, cut, said, gone, named, deny }
}

/** An item has the words of its findings in one of their lines; what only the reading knows comes after. */
const nameOnce = (gone: readonly ItemContent[], found: readonly ItemContent[]): ItemContent[] => [
  ...gone,
  ...found.filter(
    ({ words, transcriptItems }) =>
      !gone.some(
        (item) => item.words === words && item.transcriptItems.some((line) => transcriptItems.includes(line)),
      ),
  ),
]
