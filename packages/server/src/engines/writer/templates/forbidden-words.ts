import type { NoteTemplate } from '@casenote/contract'
import type { JudgedSection } from '../writer-engine.js'
import { makePhraseFinder } from './phrases.js'

/**
 * A sentence with words that its section must not have is refused, and says so: a repair may word it anew, and what stays is
 * marked. Nothing is left out for it, so a template can silence nobody. What the clinician wrote is theirs.
 */
export function refuseForbidden(template: NoteTemplate, sections: readonly JudgedSection[]): JudgedSection[] {
  const { mustNot: everywhere = [] } = template
  return sections.map((section) => {
    const own = template.sections.find(({ key }) => key === section.key)?.mustNot ?? []
    if (everywhere.length + own.length === 0) return section
    const find = makePhraseFinder([...everywhere, ...own])
    return {
      ...section,
      sentences: section.sentences.map((sentence) => {
        if (sentence.judgement === 'refused' || sentence.judgement === 'clinicians_words') return sentence
        const part = sentence.isKept === true ? null : find(sentence.text)
        if (part === null) return sentence
        return { ...sentence, judgement: 'refused', reason: 'must_not', fault: { part, items: [] } }
      }),
    }
  })
}
