import { countWords } from '../../text/tokenize-words.js'
import type { NameHider } from '../talk/hide-names.js'
import type { Spoken } from '../talk/read-session.js'
import { active, passive, past, thoughtOfIt, wishesNotToLive } from '../talk/risk-words.js'
import { isMachineTalk } from '../talk/topics.js'

/** As long as a quote may be (clinical style), and as short as it may be without losing its sense. */
export const quoteWordsMax = 15

/** The words up to and with what tells, as many as a quote may have. */
export const clipTo = (said: string, telling: RegExp): string => {
  const match = telling.exec(said)
  const end = match === null ? said.length : match.index + match[0].length
  return said.slice(0, end).split(' ').slice(-quoteWordsMax).join(' ').replaceAll('"', "'")
}

/** An evasive answer is best known by how it begins. */
export const openingWords = (answers: readonly Spoken[], names: NameHider): string | null => {
  let text = ''
  for (const { said } of answers) {
    const longer = `${text} ${said}`.trim()
    if (countWords(longer) > quoteWordsMax || names.hide(longer) !== longer) break
    text = longer
  }
  return text === '' ? null : text.replace(/[.!?…"]+$/g, '').replaceAll('"', "'")
}

/** Of a sentence that is too long to be quoted, the words in which the wish is said; "but" and what follows is no part of them. */
const clipLong = (said: string): string => {
  if (countWords(said) <= quoteWordsMax) return said
  const wish = new RegExp(
    `(?:${[wishesNotToLive, passive, active].map(({ source }) => source).join('|')})`,
    'gi',
  )
  const last = [...said.matchAll(wish)].at(-1)
  return last === undefined ? said : clipTo(said, new RegExp(`^.{${last.index + last[0].length}}`, 's'))
}

export const findQuote = (
  answers: readonly Spoken[],
  names: NameHider,
): { text: string; order: number } | null => {
  const candidates = answers
    .map(({ said, order }) => ({
      text: clipLong(said)
        .replace(/[.!?…"]+$/g, '')
        .replaceAll('"', "'")
        .trim(),
      order,
    }))
    .filter(
      ({ text }) => names.hide(text) === text && countWords(text) <= quoteWordsMax && !isMachineTalk(text),
    )
  const weight = ({ text }: { text: string }): number =>
    (past.test(text) || hadBefore.test(text) ? 8 : 0) +
    (/^but\b/i.test(text) ? -4 : 0) +
    (passive.test(text) || active.test(text) || thoughtOfIt.test(text) ? 6 : 0) +
    (/\bI (?:took|tried|cut|jumped|hung|hanged|overdosed|shot)\b/i.test(text) ? 5 : 0) +
    (/\bI\b/.test(text) ? 3 : 0) +
    Math.min(countWords(text), 6) / 3
  return candidates.toSorted((a, b) => weight(b) - weight(a) || a.order - b.order).at(0) ?? null
}

/** "I had that in the spring", "I haven't had that since": what is denied now was so once. */
export const hadBefore = /\b(?:had|felt|thought) (?:that|it|those|them|like that)\b|n't\b.*\bsince\b/i
