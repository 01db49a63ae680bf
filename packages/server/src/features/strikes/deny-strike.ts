import { refuse } from '../../kernel/refuse.js'
import type { StrikeDenial } from './strikes.sql.js'

/**
 * Two that a linked session alone has: `danger_unread`, danger that nobody can read in the shared one in these words, and `transcript_gone`, which
 * was erased while its note was not.
 */
export type Obstacle = StrikeDenial | 'nothing_left' | 'gaps_full' | 'danger_unread' | 'transcript_gone'

export type Deny = (obstacle: Obstacle) => Error

export function denyOwn(obstacle: Obstacle): Error {
  if (obstacle === 'signed') return refuse.conflict('session_signed', 'The note of the session is signed')
  if (obstacle === 'legal_hold')
    return refuse.conflict('session_held', 'The client is under a legal hold: nothing is deleted')
  if (obstacle === 'danger_named')
    return refuse.conflict('danger_named', 'A signed note of another session names danger of the stretch')
  if (obstacle === 'nothing_left')
    return refuse.conflict('nothing_left', 'Nothing of the transcript would be left: have the session erased')
  if (obstacle === 'gaps_full')
    return refuse.conflict('gaps_full', 'The session was off the record too often')
  return refuse.conflictForNow('session_processing', 'The session is being processed')
}

/** For whoever may read the linked session. */
export function denyLinked(obstacle: Obstacle): Error {
  if (obstacle === 'signed')
    return refuse.conflict('session_signed', 'The note of a linked session is signed')
  if (obstacle === 'legal_hold')
    return refuse.conflict(
      'session_held',
      'The client of a linked session is under a legal hold: nothing is deleted',
    )
  if (obstacle === 'danger_named')
    return refuse.conflict('danger_named', 'A signed note names danger of the stretch in a linked session')
  if (obstacle === 'danger_unread')
    return refuse.conflict(
      'danger_named',
      'A linked session names danger in words that this one does not have: strike it there first',
    )
  if (obstacle === 'nothing_left')
    return refuse.conflict('nothing_left', 'Nothing of a linked session would be left: have it erased first')
  if (obstacle === 'transcript_gone')
    return refuse.conflict(
      'transcript_missing',
      'The transcript of a linked session was erased, and its note may rest on the stretch: have the session erased first',
    )
  if (obstacle === 'gaps_full')
    return refuse.conflict('gaps_full', 'A linked session was off the record too often')
  return refuse.conflictForNow('session_processing', 'A linked session is being processed')
}

/** For a clinician who does not treat its client: that it is in the way, and that it may be over soon, but nothing of what is kept there. */
export const denyUntold: Deny = (obstacle) =>
  obstacle === 'generating'
    ? denyLinked(obstacle)
    : refuse.conflict('session_linked', 'A linked session of another client stands in the way')
