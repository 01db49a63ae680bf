import { isAccountItem, type TranscriptItem } from '@casenote/contract'
import { doesAsk } from '../../text/detect-question.js'
import { restoreApostrophes } from '../../text/restore-apostrophes.js'
import { splitSentences } from '../../text/split-sentences.js'
import { countWords } from '../../text/tokenize-words.js'

export type SpokenItem = Pick<TranscriptItem, 'speaker' | 'transcript' | 'source'>

export type Role = 'clinician' | 'client' | 'other'

export interface Sentence {
  item: number
  /** Its place within the item. */
  at: number
  /** Word for word. */
  text: string
  /** For reading: lower case, apostrophes as they are spelled. */
  plain: string
  asks: boolean
}

export interface Turn {
  item: number
  role: Role
  text: string
  /** As of a sentence; of a very long turn only its beginning, where answers are. */
  plain: string
  wordCount: number
  sentences: readonly Sentence[]
  /** "Mm-hmm." and its like: nothing is said or asked with it. */
  isBackchannel: boolean
  /** Not said in the session: its clinician told it afterwards, and typed it or dictated it. */
  isTyped?: boolean
}

/** Six hundred words: no answer is longer. */
const plainLengthMax = 4000
/** What some call a sentence is a whole turn that was written without stops. Every rule reads one at a time, so its length
 * bounds what a rule can cost. */
const sentenceWordsMax = 70
const cutFrom = 40
const blockLengthMax = 5000

/** Sentences word for word; what has no stops is cut where a clause begins. */
export const cutSentences = (text: string): string[] =>
  cutBlocks(text)
    .flatMap((block) => splitSentences(block))
    .flatMap(cutLong)

const cutBlocks = (text: string): string[] => {
  if (text.length <= blockLengthMax) return [text]
  const blocks: string[] = []
  for (let start = 0; start < text.length;) {
    const bound = start + blockLengthMax
    const space = bound >= text.length ? text.length : text.lastIndexOf(' ', bound)
    const end = space > start ? space : bound
    blocks.push(text.slice(start, end))
    start = end
  }
  return blocks
}

const opensClause = /^(?:and|but|so|then|because|i|he|she|they|we|i'm|it's|when|if|what|how|do|are|have)$/i

const cutLong = (sentence: string): string[] => {
  const words = [...sentence.matchAll(/\S+/g)]
  if (words.length <= sentenceWordsMax) return [sentence]
  const parts: string[] = []
  let start = 0
  while (start < words.length) {
    let end = Math.min(words.length, start + sentenceWordsMax)
    if (end < words.length)
      for (let at = end; at > start + cutFrom; at--)
        if (opensClause.test(words[at]?.[0] ?? '') || /[,;]$/.test(words[at - 1]?.[0] ?? '')) {
          end = at
          break
        }
    const last = words[end - 1]
    parts.push(sentence.slice(words[start]?.index ?? 0, (last?.index ?? 0) + (last?.[0].length ?? 0)))
    start = end
  }
  return parts
}

/** The items in the form that the rules read, one turn for each. */
export const readTalk = (items: readonly SpokenItem[]): Turn[] =>
  items.map(({ speaker, transcript, source }, item) => {
    const role = speaker === 'clinician' || speaker === 'client' ? speaker : 'other'
    const sentences = cutSentences(transcript).map((text, at) => ({
      item,
      at,
      text,
      plain: toPlain(text),
      asks: doesAsk(restoreApostrophes(text), role === 'clinician'),
    }))
    const plain = toPlain(transcript.slice(0, plainLengthMax))
    return {
      item,
      role,
      text: transcript,
      plain,
      wordCount: countWords(transcript),
      sentences,
      isBackchannel: isBackchannel(plain),
      ...(isAccountItem({ source }) ? { isTyped: true } : {}),
    }
  })

export const toPlain = (text: string): string =>
  restoreApostrophes(text.replaceAll('’', "'")).replace(/\s+/g, ' ').trim().toLowerCase()

const nods = new Set(
  `mm mmm mhm hm hmm huh uh um oh ah okay ok right yeah yep yes sure wow gotcha alright aha i see got it go on of course all
  really good great true exactly absolutely totally definitely nice cool fine and so well yup ooh aw whew mm-hmm uh-huh uh-hmm hmm-mm
  understood interesting fair enough`.split(/\s+/),
)
const encourages =
  /^(?:(?:okay|yeah|mm|sure|oh|right|no|please)[,. ]+)*(?:it's (?:okay|ok|all right|alright|fine)|take your time|(?:there's )?no (?:rush|hurry)|go ahead|go on|keep going|i'm listening|i'm here|i'm with you|you can tell me|that's (?:okay|alright|all right)|i hear you|i'm sorry|say that again|tell me|of course)[.!? ]*$/

/** Longer turns say something, whatever their words are. */
const nodWordsMax = 4

const isBackchannel = (plain: string): boolean => {
  const words = plain
    .replace(/[^a-z' -]/g, ' ')
    .split(/\s+/)
    .filter((word) => word !== '' && word !== '-')
  if (words.length === 0) return true
  if (encourages.test(plain)) return true
  return words.length <= nodWordsMax && words.every((word) => nods.has(word))
}
