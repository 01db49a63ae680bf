import type { Spoken } from '../talk/read-session.js'

const count = '(?:zero|none|one|two|three|four|five|all|\\d)'

/** "Two of three.", "That's two out of three.", "You got all three." */
const recalled = new RegExp(
  `^(?:okay,? |so,? |good,? |and )*(?:(?:that's|that is|you (?:got|remembered|recalled|had)) )?(?<right>${count}) (?:(?:out )?of (?:the )?)?(?<all>three|four|five|\\d)(?: words| of them)?\\W*$`,
  'i',
)

/** "And the three words that I gave you at the start?" */
const asksForWords = /\b(?:three|four|five|\d) (?:words|things|objects|items)\b/i

/** How the clinician calls the test: only a word that was said can name it. */
const names: readonly (readonly [RegExp, string])[] = [
  [/\bmemory\b/i, 'memory: '],
  [/\bremember/i, 'remembered '],
  [/\brecall/i, 'recalled '],
]

/** Sentences that a test of memory may take. */
const reach = 12

/** What a test of memory gave, with the turns in which it was asked and told. */
export const readRecall = (
  spoken: Spoken,
  sentences: readonly Spoken[],
): { text: string; items: number[] } | null => {
  const found = recalled.exec(spoken.clean)?.groups
  if (found === undefined || !spoken.opensTurn) return null
  const { right = '', all = '' } = found
  const said = sentences
    .slice(Math.max(spoken.order - reach, 0), spoken.order)
    .filter(({ role }) => role === 'clinician')
  const asked = said.findLast(({ clean }) => asksForWords.test(clean))
  if (asked === undefined || spoken.item - asked.item > 2) return null
  const name = names.flatMap(([pattern, words]) => {
    const named = said.findLast(({ clean }) => pattern.test(clean))
    return named === undefined ? [] : [{ words, item: named.item }]
  })[0]
  return name === undefined
    ? null
    : {
        text: `${name.words}${right} ${/^all$/i.test(right) ? '' : 'of '}${all} words`.toLowerCase(),
        items: [...new Set([name.item, asked.item, spoken.item])],
      }
}
