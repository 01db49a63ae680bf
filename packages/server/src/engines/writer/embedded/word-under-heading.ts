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

/** Sections of what the client told of themselves: that they reported it goes without saying. */
const toldSections: ReadonlySet<string> = new Set([
  'psychiatric_history',
  'past_psychiatric_history',
  'medical_history',
  'current_medications',
  'allergies',
  'substance_use_history',
  'family_history',
  'family_psychiatric_history',
  'psychosocial_history',
  'social_history',
  'strengths_and_supports',
  'treatment_goals',
])

/** "They have asthma." in place of "Client reported having asthma.", under a heading of what was told. */
export const leaveTelling = (section: string, statement: Statement): Statement | null => {
  const { frame, role, text } = statement
  if (frame === null || role !== 'client' || !toldSections.has(section)) return null
  const plain = frame.form === 'gerund' ? frame.clause : text
  return plain === undefined || /^(?:it|that|this|these|those|he|she)\b/i.test(plain)
    ? null
    : { ...statement, text: plain, frame: null }
}

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
