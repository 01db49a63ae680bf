import type { Statement } from './statement.js'

/** What a section's heading, or one word, says in place of the question that was asked. */
const headed: readonly (readonly [section: RegExp, asked: RegExp, label: string])[] = [
  [/^allergies$/, /^(?:regarding [^,]*allerg[^,]*, client reported|client described allergies as) /, ''],
  [/^medical_history$/, /^regarding [^,:]*\ballergies\b[^,]*, client reported /, 'allergies: '],
  [/medic|psychiatric_history/, /: asked what dose\b[^:]*, client reported /, ' '],
  [/^strengths_and_supports$/, /^asked who\b[^:]*: /, 'supports: '],
  [
    /^strengths_and_supports$/,
    /^client reported they (?:lean on|turn to|count on|rely on|have) (?=their\b)/,
    'supports: ',
  ],
]

/** The statement without the question that its heading stands for, if its heading does. */
export const wordUnderHeading = (section: string, statement: Statement): Statement | null => {
  if (statement.role !== 'client' || statement.text.includes('"')) return null
  for (const [sections, asked, label] of headed) {
    if (!sections.test(section) || !asked.test(statement.text)) continue
    const answer = statement.text.replace(asked, '')
    if (!/^(?:it|that|this|they are|yes|no|not)\b/i.test(answer))
      return { ...statement, text: statement.text.replace(asked, label), frame: null }
  }
  return null
}
