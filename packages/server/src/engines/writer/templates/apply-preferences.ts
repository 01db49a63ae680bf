import type { NoteLength, NoteTemplate, WritingPreferences } from '@casenote/contract'
import type { TemplateSection } from './note-template.js'

/** Factors of the words that a template asks for. */
const factors: Readonly<Record<NoteLength, number>> = { shorter: 0.6, usual: 1, longer: 1.5 }

/** Danger must have its place in every note, and what was told is all that some sessions have. */
export const isAlwaysWritten = ({ holds = [] }: Pick<TemplateSection, 'holds'>): boolean =>
  holds.includes('danger') || holds.includes('reported')

/**
 * A small template over the template: it takes sections away, never what must be in a note, and adds no words but those that are
 * refused. What a section that is gone would have said stands with what was reported.
 */
export function applyPreferences(template: NoteTemplate, preferences: WritingPreferences): NoteTemplate {
  const { length, leftOut, avoidedPhrases } = preferences
  const factor = factors[length]
  if (factor === 1 && leftOut.length === 0 && avoidedPhrases.length === 0) return template
  const sections = template.sections
    .filter((section) => isAlwaysWritten(section) || !leftOut.includes(section.key))
    .map((section) => ({
      ...section,
      words: {
        least: Math.round(section.words.least * factor),
        most: Math.max(1, Math.round(section.words.most * factor)),
      },
    }))
  const mustNot = [...(template.mustNot ?? []), ...avoidedPhrases]
  return { ...template, sections, ...(mustNot.length === 0 ? {} : { mustNot }) }
}
