import type { ConsentRelation, ConsentState } from '@casenote/contract'

/** What somebody said about being recorded, in the order in which it was said. */
interface ConsentWord {
  isGiven: boolean
  relation: ConsentRelation
}

/**
 * What holds for a client. Whoever takes a consent back ends recording, whoever they are; it begins again only with a new word of
 * the client, or of who speaks for them; after a guardian's "no" only with a guardian's. Another one in the room can stop a
 * recording, and alone cannot allow one. A "no" before anybody has agreed takes nothing back.
 */
export function stateOf(words: readonly ConsentWord[]): ConsentState {
  let state: ConsentState = 'none'
  let hasGuardianRefused = false
  for (const { isGiven, relation } of words) {
    if (relation === 'guardian') hasGuardianRefused = !isGiven
    if (isGiven && speaksForClient(relation)) state = hasGuardianRefused ? 'withdrawn' : 'given'
    else if (!isGiven && state === 'given') state = 'withdrawn'
  }
  return state
}

const speaksForClient = (relation: ConsentRelation): boolean => relation !== 'participant'
