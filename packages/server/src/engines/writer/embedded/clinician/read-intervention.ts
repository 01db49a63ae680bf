import { findMedications } from '../../../lexicon/medications.js'
import { countWords } from '../../text/tokenize-words.js'
import { isFullClause } from '../talk/clause-shape.js'
import { technique } from '../talk/clinician-patterns.js'
import { ofClient, voicesClient, type Reader } from '../statement/clinician-wording.js'

const reflection =
  /^(?:so |and )*(?:(?:it |that )?sounds (?:to me )?like|what I am hearing is(?: that)?|what I (?:hear|heard) you say(?:ing)? is,?|I am hearing(?: that)?|I hear (?:that |you say(?:ing)? )|it seems like|so underneath|I wonder (?=if|whether))(?: maybe)? ?(?<what>.+)$/i

export const readReflection: Reader = (text) => {
  const what = reflection.exec(text)?.groups?.['what']
  if (what === undefined || countWords(what) < 3 || voicesClient(what)) return null
  if (/\b(?:disorder|episode|dissociation|ptsd)\b/i.test(text))
    return { kind: 'assessment', text: `clinician stated that it sounds like ${ofClient(what)}` }
  const isClause =
    /^(?:you|your|there|it|this|that|the|they|she|he|underneath)\b.* (?:is|are|was|were|has|have|feel|feels|felt|do|does|led|got|had|made|makes)\b/i.test(
      what,
    )
  const verb = /^(?:if|whether)\b/i.test(what)
    ? 'wondered'
    : isClause || /^you\b/i.test(what)
      ? 'reflected that'
      : 'reflected that it sounds like'
  return countWords(what) < 4 ? null : { kind: 'intervention', text: `clinician ${verb} ${ofClient(what)}` }
}

/** Beyond this it is a speech, and its first sentences say what it is about. */
const taughtWordsMax = 40

const taught =
  /\b(?:brain|body|anxiety|panic|depression|caffeine|alcohol|sleep|grief|trauma|avoid\w*|thoughts?|feelings?|emotions?|worry|cravings?|urges?|anger|habits?|mood|numb\w*)\b/i
const general =
  /^(?:[a-z]+(?:ing)?|the \w+|when|avoiding|people|it|a lot of \w+ \w+) (?:\w+ ){0,6}(?:is|are|can|means|peaks?|gives?|teaches|makes?|comes?|goes|learns?|tells?|works?|stays?|gets?|grows?|helps?|keeps?|feel)\b/i

/** "That's what we called catastrophizing." */
const names =
  /^(?:that|this|it|which) (?:is|was) (?:(?:what (?:we|I|they|people) (?:would |have )?call(?:ed)?|called|a classic(?: case of)?) )(?<term>[\w -]{4,40})$/i

/** "That's the self compassion piece we talked about." */
const recalls =
  /^(?:that|this|it) is (?:the|our) (?<term>[\w -]{4,30}?)(?: piece| part| thing| stuff| skill| idea)? (?:that )?we (?:have )?(?:talked about|discussed|practiced|learned|worked on)$/i

/** What was done in another session is none of this one. */
const wasBefore =
  /^last (?:time|week|session|month),? (?:we|you|I)\b|^we (?:have )?(?:talked|discussed|worked|covered|practiced|went)\b.*\b(?:before|already|last (?:time|week|month|session)|in (?:january|february|march|april|may|june|july|august|september|october|november|december))$/i

/** General truths that the clinician teaches, and techniques that they name. */
export const readTeaching: Reader = (text) => {
  const words = countWords(text)
  if (
    words > taughtWordsMax ||
    /^(?:that|it|this) (?:is|was) (?:a |an )?(?:great|good|nice|wonderful|real|powerful)/i.test(text)
  )
    return null
  const recalled = recalls.exec(text)?.groups?.['term'] ?? ''
  if (technique.test(recalled))
    return { kind: 'intervention', text: `clinician discussed ${ofClient(recalled)}` }
  const term = names.exec(text)?.groups?.['term']
  if (term !== undefined && technique.test(term))
    return { kind: 'intervention', text: `clinician called this ${ofClient(term)}` }
  if (voicesClient(text) || wasBefore.test(text)) return null
  const isGeneral = general.test(text) && !/^(?:I|we|you)\b/i.test(text)
  if (technique.test(text) && isGeneral)
    return { kind: 'intervention', text: `clinician explained that ${ofClient(text)}` }
  if (technique.test(text) && !/^(?:that|it|this|which)\b/i.test(text))
    return /\b(?:we|you|I|is|are|was|means|called)\b/i.test(text)
      ? { kind: 'intervention', text: `clinician discussed that ${ofClient(text)}` }
      : null
  if (technique.test(text) && words > 5)
    return { kind: 'intervention', text: `clinician noted that ${ofClient(text)}` }
  return taught.test(text) && isGeneral && words > 6
    ? { kind: 'intervention', text: `clinician explained that ${ofClient(text)}` }
    : null
}

/** "So there's one rule for your friend and one for you." */
export const readSummary: Reader = (text, { sumsUp }) =>
  sumsUp === true &&
  countWords(text) >= summaryWordsMin &&
  countWords(text) <= taughtWordsMax / 2 &&
  /\byou(?:r|rself)?\b/i.test(text) &&
  /^(?:there|you|your|it|this|between|one|the|when|on|at)\b/i.test(text) &&
  !voicesClient(text) &&
  findMedications(text).length === 0 &&
  isFullClause(text)
    ? { kind: 'intervention', text: `clinician reflected that ${ofClient(text)}` }
    : null

/** Fewer words say nothing back. */
const summaryWordsMin = 7
