import { saysNothingAlone } from '../questions/read-answer.js'
import type { Sentence, Turn } from '../talk/read-talk.js'
import type { TopicScores } from '../reading.js'
import { DANGER_TOPICS, highestDanger, topicOf, type DangerTopic } from './danger-topics.js'
import { DANGER_WORDS, type DangerWords } from './danger-words.js'
import { isDoubtful, withoutFigures } from './figures-of-speech.js'

/** Words of danger in a sentence. */
export interface Hit {
  sentence: Sentence
  words: DangerWords
  isSure: boolean
  /** Parts of the sentence without its figures of speech: before, within and after the words. */
  before: string
  matched: string
  behind: string
}

/** What speaks for danger of one kind in one item. */
export interface Mark {
  item: number
  topic: DangerTopic
  score: number
  hits: readonly Hit[]
}

/**
 * The encoder's figure from which an item counts. Chosen on 24 whole sessions that the weights were trained without: 89 of 90
 * ordinary stretches and 37 of 39 in passing, as with lower ones, and 0.71 false ones a session instead of 0.92 at 0.17.
 */
const foundAt = 0.25
/** Words that have a harmless use, too, count from here: below it the encoder is sure that the talk is of something else. */
const heardAt = 0.03
/** From here the encoder bears out words of danger that also have a harmless use. */
export const agreesAt = 0.2
/** From here the encoder is believed without any words. */
export const isPlainAt = 0.5
/** A second topic counts only if its figure is at least this share of the highest: one danger also raises the figures of topics akin to it. */
const besideShare = 0.35

/** One turn that says the same a hundred times says no more. */
const hitsMax = 30

export const markItems = (turns: readonly Turn[], topics: readonly TopicScores[]): Mark[] =>
  turns.flatMap((turn, at) =>
    isOfPrivacy(turn, turns[at - 1]) ? [] : markTurn(turn, topics[turn.item] ?? {}),
  )

/** "You remember what stays private?" "Everything unless I'm gonna die.": the rule, and nobody's danger. */
const isOfPrivacy = ({ plain, wordCount }: Turn, before: Turn | undefined): boolean =>
  wordCount <= privacyWordsMax &&
  exceptsDanger.test(plain) &&
  before?.role === 'clinician' &&
  asksOfPrivacy.test(before.plain)

const privacyWordsMax = 16
const exceptsDanger =
  /^(?:(?:yeah|yes|um|uh|well|like|that|it's)\W+)*(?:everything|anything|all of it|it|nothing|you)\b[^.?!]{0,40}\b(?:unless|except|only if)\b/
const asksOfPrivacy = /\b(?:private|confidential\w*|between us|stays? in (?:here|this room))\b[^?]{0,40}\?/

const markTurn = (turn: Turn, scores: TopicScores): Mark[] => {
  const hits = turn.sentences.flatMap((sentence) => findHits(sentence)).slice(0, hitsMax)
  const highest = highestDanger(scores)
  return DANGER_TOPICS.flatMap((topic) => {
    const score = scores[topic] ?? 0
    const own = hits.filter(({ words, sentence, isSure }) => {
      if (topicOf(words.matter) !== topic) return false
      if (!isSure && score < heardAt && mayBeOverlooked(words)) return false
      // "Has he got a gun?", "a plan to do it": the encoder knows better what the talk is about.
      if ((!isSure || isGeneric(words)) && highest >= agreesAt && score < besideShare * highest) return false
      return score >= agreesAt || !(turn.role === 'clinician' && isAdvice(sentence.plain))
    })
    const isFound = score >= besideShare * highest && isFoundByEncoder(turn, score)
    return own.length > 0 || isFound ? [{ item: turn.item, topic, score, hits: own }] : []
  })
}

/**
 * Whether the words may be passed over where the encoder sees no danger. Never those of suicide, self-harm or means, such as an
 * overdose or a gun.
 */
const mayBeOverlooked = ({ matter, element }: DangerWords): boolean =>
  matter !== 'suicide' && matter !== 'self_harm' && element !== 'means'

const isGeneric = ({ element, matter }: DangerWords): boolean =>
  matter === 'suicide' && (element === 'means' || element === 'plan' || element === 'intent')

const isFoundByEncoder = (turn: Turn, score: number): boolean => {
  if (score < foundAt || turn.isBackchannel || saysNothingAlone(turn.plain)) return false
  return turn.wordCount >= 3 || score >= isPlainAt
}

/** "If you ever feel suicidal, call 988", "people on this medicine can get thoughts of suicide": nobody's danger is told. */
const isAdvice = (plain: string): boolean =>
  /\bif (?:you|it|things|that|anything|those|the|any)\b[^.?!]{0,40}\b(?:ever|feel|feels|start|starts|get|gets|have|come|comes|worse|notice)\b|\b(?:call|text|dial) (?:988|911|me|us|the (?:crisis|hotline|clinic|office))\b|\b(?:can|may|could|might) (?:cause|raise|increase|make|have|bring|lead)\b|\b(?:some|most|many) people\b|\bpeople (?:who|on|with|can|sometimes|often)\b|\bi (?:ask|have to ask) (?:every(?:one|body)|all)\b(?![^.?!]{0,200}[:,])|\brisk of\b|\boverdose (?:risk|kit|reversal)\b|\b(?:narcan|naloxone)\b/.test(
    plain,
  )

const findHits = (sentence: Sentence): Hit[] => {
  const text = withoutFigures(sentence.plain)
  const isDoubted = isDoubtful(sentence.plain)
  const seen = new Set<string>()
  const hits: Hit[] = []
  for (const words of DANGER_WORDS) {
    const match = words.pattern.exec(text)
    if (match === null) continue
    const key = `${words.matter} ${words.element}`
    if (seen.has(key)) continue
    seen.add(key)
    hits.push({
      sentence,
      words,
      isSure: words.isSure && !isDoubted,
      before: text.slice(0, match.index),
      matched: match[0],
      behind: text.slice(match.index + match[0].length),
    })
  }
  return withoutEchoes(hits)
}

/** "Hurting yourself or others": the part about others must not be read from the words about oneself, nor twice. */
const withoutEchoes = (hits: readonly Hit[]): Hit[] =>
  hits.filter(({ words, matched }) => {
    const others = hits.filter((other) => other.words.matter === words.matter && other.words !== words)
    // "Thoughts of suicide" inside of "a suicide attempt".
    return !(
      words.element === 'thoughts' &&
      others.some(
        (other) =>
          other.words.element !== 'means' &&
          (other.matched.includes(matched) || matched.includes(other.matched)),
      )
    )
  })
