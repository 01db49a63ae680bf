import type { Statement } from '../statement/statement.js'

/** The rulers of motivational interviewing: "how important is it to you, zero to ten?" */
const ruler = /\bhow (?<what>important|confident|ready|motivated|willing)\b/i

export const findRuler = (question: string): string | null =>
  ruler.exec(question)?.groups?.['what']?.toLowerCase() ?? null

/** "How confident are you?" alone is asked of every homework. */
export const opensRuler = (what: string): boolean => what !== 'confident'

/** `who` is the client, by name or by pronoun. */
const ask = (what: string, who: 'client' | 'they'): string =>
  what === 'important'
    ? `how important it is to ${who === 'they' ? 'them' : who}`
    : `how ${what} ${who} ${who === 'they' ? 'are' : 'is'}`

const lead = 'clinician asked how '

export const wordRuler = (what: string): string => `clinician asked ${ask(what, 'client')}`

/** How many statements later the next ruler still belongs to the same talk. */
const reach = 6

/** "And how confident?": one sentence for both. */
export const joinRuler = (
  statements: readonly Statement[],
  what: string,
): { index: number; text: string } | null => {
  const index = statements.findLastIndex(
    ({ kind, text }) => kind === 'intervention' && text.startsWith(lead) && ruler.test(text),
  )
  const before = statements[index]
  if (before === undefined || statements.length - index > reach) return null
  const isSaid = before.text.includes(what) || before.text.includes(' and ')
  return { index, text: isSaid ? before.text : `${before.text} and ${ask(what, 'they')}` }
}
