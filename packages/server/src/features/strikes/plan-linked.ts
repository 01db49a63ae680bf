import type { StretchToStrike } from '@casenote/contract'
import type { Stretch } from '../../engines/speech/audio/silence-stretches.js'
import { splitSentences } from '../../engines/text/split-sentences.js'
import type { ChangeContext } from '../../kernel/change-context.js'
import type { Tx } from '../../kernel/db/database.js'
import type { SessionId } from '../../kernel/ids.js'
import type { ItemContent } from '../danger/index.js'
import { selectLinksOfRecording } from '../linked-sessions/index.js'
import { findTreating, getSession, tryLockEndedSession } from '../sessions/index.js'
import { readTranscriptOf } from '../transcripts/index.js'
import type { Striker } from './apply-strike.js'
import { cutStretch } from './cut-stretch.js'
import { denyLinked, denyUntold, type Deny } from './deny-strike.js'
import { planStrike, type StrikePlan } from './plan-strike.js'

/**
 * The same stretch in whatever was made of this recording for others who are heard in it (decision 0051): their lines have the times of the shared
 * ones. The shared session is locked, and whoever makes one more of it waits for that. None of these is waited for, nor its client: whoever has locked one
 * may wait for the shared session.
 */
export async function planLinked(
  tx: Tx,
  context: ChangeContext,
  { shared, by }: { shared: StrikePlan; by: Striker },
  asked: StretchToStrike,
): Promise<StrikePlan[]> {
  const plans: StrikePlan[] = []
  for (const { sessionId, isOfThis } of await tx.run(selectLinksOfRecording(tx.tenant, shared.sessionId))) {
    // A session that was tried again, or put under another client, heard the recording anew: lines may begin and end elsewhere.
    const stretch = isOfThis ? asked : shared.cut
    const { clientId } = await getSession(tx, sessionId)
    const isTheirs = by.kind === 'partner' || (await findTreating(tx, clientId, by.id)) !== null
    const deny = isTheirs ? denyLinked : denyUntold
    // Lines are only ever taken out of it.
    const transcript = await readTranscriptOf(tx, context.ring, sessionId)
    // Erased, but what was written of it is not: nobody can tell any more what of that rests on the stretch.
    if (transcript === null) throw deny('transcript_gone')
    if (cutStretch(transcript.transcriptItems, stretch).struck.length === 0) continue
    plans.push(await planOne(tx, context, { shared, sessionId, deny }, stretch))
  }
  return plans
}

async function planOne(
  tx: Tx,
  context: ChangeContext,
  { shared, sessionId, deny }: { shared: StrikePlan; sessionId: SessionId; deny: Deny },
  stretch: Stretch,
): Promise<StrikePlan> {
  const [session] = await tx.run(tryLockEndedSession(tx.tenant, sessionId))
  // One that failed keeps its lines, and nothing more is made of it.
  if (session?.status !== 'completed' && session?.status !== 'failed') throw deny('generating')
  const plan = await planStrike(tx, context, { sessionId, session, later: [], deny }, stretch)
  if (plan.named.some((one) => !isReadIn(shared, plan, one))) throw deny('danger_unread')
  return plan
}

/**
 * Whether the lines that say it are in the shared session word for word: else it rests on what was put right in one of the two alone. Of a line of
 * the clinician's a linked one has some sentences.
 */
const isReadIn = (shared: StrikePlan, { items }: StrikePlan, { transcriptItems }: ItemContent): boolean =>
  transcriptItems.every((line) => {
    const own = items[line]
    const sentences = splitSentences(own?.transcript ?? '')
    return shared.items.some(
      ({ startTime, endTime, transcript }) =>
        startTime === own?.startTime &&
        endTime === own.endTime &&
        sentences.every((sentence) => transcript.includes(sentence)),
    )
  })
