import type { Statement } from './statement.js'

/** What a section's heading, or one word, says in place of the question that was asked. */
const headed: readonly (readonly [section: RegExp, asked: RegExp, label: string])[] = [
  [/^allergies$/, /^(?:regarding [^,]*allerg[^,]*, client reported|client described allergies as) /, ''],
  [/^medical_history$/, /^regarding [^,:]*\ballergies\b[^,]*, client reported /, 'allergies: '],
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
    const rest = sections.test(section) ? statement.text.replace(asked, '') : statement.text
    if (rest !== statement.text && !/^(?:it|that|this|they are|yes|no|not)\b/i.test(rest))
      return { ...statement, text: `${label}${rest}`, frame: null }
  }
  return null
}
