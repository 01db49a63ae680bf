import { hasNegation } from '../../text/find-negation.js'
import { isContentWord, stemWord, tokenizeWords } from '../../text/tokenize-words.js'
import { isFullClause } from '../talk/clause-shape.js'
import type { Session, Spoken } from '../talk/read-session.js'

/** "If you get a rash or a seizure, call." – "Rash or seizure. Got it.": said back, and nothing that the client has. */
export const repeatsPlan = ({ sentences }: Session, spoken: Spoken): boolean => {
  const { clean, item, order, question, asks } = spoken
  if (question !== null || asks || isFullClause(clean) || hasNegation(clean)) return false
  const before = sentences.slice(Math.max(order - turnSentencesMax, 0), order)
  const heard = before.filter((other) => other.item === item - 1)
  if (heard[0]?.role !== 'clinician') return false
  const stems = new Set(
    heard.flatMap((other) => tokenizeWords(other.clean).map(({ lower }) => stemWord(lower))),
  )
  const own = tokenizeWords(clean).filter(({ lower }) => isContentWord(lower) && !replies.test(lower))
  return own.length > 0 && own.every(({ lower }) => stems.has(stemWord(lower)))
}

/** Sentences that two turns may have. */
const turnSentencesMax = 24

const replies = /^(?:okay|ok|yeah|yes|yep|sure|right|got|thanks|thank|good|great|deal|fine|alright)$/
