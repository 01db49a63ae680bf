import { countSaidWords, heatOfSaid, type Said, type Talk } from './read-turns.js'
import { isSilent } from './stands.js'

/** "Did you hurt yourself?"; who asks for thoughts, or for what was done ever or on purpose, asks for something else. */
const asksHurt =
  /\b(?:did|have) you (?:hurt|injure[d]?|cut|burn(?:ed|t)?|break|broken?|bang(?:ed)?|bruised?) (?:yourself|anything|any bones)\b|\bwere you hurt\b/i
const asksMeant =
  /\b(?:ever|purpose|thoughts?|think(?:ing)?|thought|urges?|want(?:ed|ing)?|mean|meant|tr(?:y|ied|ying)|again|before)\b/i

const tellsAccident =
  /\b(?:fell|fall(?:s|en)?|tripped|slip(?:s|ped)?|ga?i?ve way|stumbled?|crash(?:ed)?|bumped|knocked|came off|tumbled?|went over|collapsed|fainted|pass(?:ed)? out|black(?:ed)? out|landed|skidded|rear-ended|accident)\b/i

/** So far before the question the accident is told, in so many words. */
const sentencesMax = 6
const wordsMax = 30
/** Where the encoder hears danger, nobody asks about an accident alone. */
const coldBelow = 0.5

/** From the accident to the question that is about it: "It gave way the once, at Easter." "Did you hurt yourself?" Empty: it may ask for self-harm. */
export function findAccident(said: Said, talk: Talk): Said[] {
  if (said.speaker !== 'clinician' || !asksHurt.test(said.raw) || asksMeant.test(said.raw)) return []
  const before = talk.sentences.slice(Math.max(0, said.index - sentencesMax), said.index)
  const at = before.findLastIndex(({ raw }) => tellsAccident.test(raw))
  const told = before.slice(at).filter((one) => !isSilent(one, talk))
  const isCold = told.every((one) => Math.max(one.figures.places.danger ?? 0, heatOfSaid(one)) < coldBelow)
  return at >= 0 && isCold && countSaidWords(told) <= wordsMax ? told : []
}
