import type { TranscriptItem } from '@casenote/contract'
import { doesAsk } from '../../text/detect-question.js'
import { splitSentences } from '../../text/split-sentences.js'
import { countWords } from '../../text/tokenize-words.js'
import { isBackchannel } from './is-backchannel.js'
import { trimQuote } from './trim-quote.js'

/** One sentence as it can be quoted. */
export interface Said {
  /** Among all sentences of the session. */
  index: number
  turn: number
  speaker: string
  /** More than one where a "mm-hmm" or a pause broke the sentence. */
  items: readonly number[]
  startTime: number
  /** Word for word. */
  raw: string
  /** Without noise. */
  text: string
  words: number
  asks: boolean
  /** Nothing but listening: "mm-hmm". */
  isBackchannel: boolean
}

/** What one person said before another said more than "mm-hmm". */
export interface Turn {
  index: number
  speaker: string
  sentences: readonly Said[]
}

export interface Talk {
  turns: readonly Turn[]
  sentences: readonly Said[]
  /** For each item: the sentences that have words from it. */
  byItem: readonly (readonly Said[])[]
  words: number
}

interface Piece {
  speaker: string
  items: number[]
  startTime: number
  raw: string
}

export function readTurns(transcript: readonly TranscriptItem[]): Talk {
  const pieces = joinBroken(transcript)
  const turns: { index: number; speaker: string; sentences: Said[] }[] = []
  const sentences: Said[] = []
  const byItem: Said[][] = transcript.map(() => [])
  for (const { speaker, items, startTime, raw } of pieces) {
    const last = turns.findLast((one) => one.sentences.some((said) => !said.isBackchannel))
    const asked = last?.speaker !== speaker && last?.sentences.at(-1)?.asks === true && last === turns.at(-1)
    // After a question "yeah" is an answer.
    const listens = !asked && isBackchannel(raw)
    // A question that got a "yeah" was answered: what its speaker says next is a new turn.
    const goesOn =
      last?.speaker === speaker && (last === turns.at(-1) || last.sentences.at(-1)?.asks !== true)
    const latest = turns.at(-1)
    let turn = goesOn ? last : latest?.speaker === speaker ? latest : undefined
    if (turn === undefined) {
      turn = { index: turns.length, speaker, sentences: [] }
      turns.push(turn)
    }
    const text = trimQuote(raw)
    const said: Said = {
      index: sentences.length,
      turn: turn.index,
      speaker,
      items,
      startTime,
      raw,
      text,
      words: countWords(text),
      asks: doesAsk(raw, speaker === 'clinician'),
      isBackchannel: listens,
    }
    turn.sentences.push(said)
    sentences.push(said)
    for (const item of items) byItem[item]?.push(said)
  }
  const words = transcript.reduce((sum, item) => sum + countWords(item.transcript), 0)
  return { turns, sentences, byItem, words }
}

/** Sentences in order; one that broke off and went on after a listener's "mm-hmm" or a pause is one. */
function joinBroken(transcript: readonly TranscriptItem[]): Piece[] {
  const pieces: Piece[] = []
  for (const [item, { speaker, startTime, transcript: text }] of transcript.entries()) {
    for (const [at, raw] of splitSentences(text).entries()) {
      const open = at === 0 ? findOpen(pieces, { speaker, raw, item }) : undefined
      if (open === undefined) pieces.push({ speaker, items: [item], startTime, raw })
      else {
        open.raw = `${open.raw.replace(/[\s—–-]+$/, '')} ${raw}`
        open.items.push(item)
      }
    }
  }
  return pieces
}

/** A sentence goes on over at most this many items: more is a recognizer that writes no stops at all. */
const itemsOfSentenceMax = 4

function findOpen(
  pieces: readonly Piece[],
  { speaker, raw, item }: { speaker: string; raw: string; item: number },
): Piece | undefined {
  const last = pieces.at(-1)
  const own = last?.speaker === speaker ? last : pieces.at(-2)
  if (own === undefined || last === undefined || own.speaker !== speaker) return undefined
  if (own !== last && !isBackchannel(last.raw)) return undefined
  const from = own.items.at(-1) ?? 0
  if (item - from > 2 || own.items.length >= itemsOfSentenceMax || isBackchannel(raw)) return undefined
  const isOpen = /[,—–-]\s*$/.test(own.raw) || (!/[.?!…]["”’')\]]*\s*$/.test(own.raw) && /^\p{Ll}/u.test(raw))
  return isOpen && !isBackchannel(own.raw) ? own : undefined
}
