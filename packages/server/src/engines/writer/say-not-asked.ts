import type { NoteTemplate } from '@casenote/contract'
import { saysNotAsked } from '../ledger/says-not-asked.js'
import type { DangerMatter, Finding } from '../reader/reading.js'
import type { Account } from './is-account.js'
import { mentionsSuicide, mentionsViolence } from '../lexicon/jotted-danger.js'
import { placeOf } from './templates/note-template.js'
import type { JudgedSection, JudgedSentence } from './writer-engine.js'

/**
 * An empty risk section reads as a denial, so what nobody asked or mentioned is said to be so; only where nothing at all was
 * found about it, not even a suspicion, and no line that the clinician wrote names it: "SI not assessed" mentions it. Null:
 * something was found about each. `account`: of a session that was not recorded.
 */
export function wordNotAsked(
  findings: readonly Finding[],
  jotted: readonly string[] = [],
  account: Account | null = null,
): string | null {
  const isFound = (...matters: DangerMatter[]): boolean =>
    findings.some((finding) => finding.kind === 'danger' && matters.includes(finding.matter))
  const written = [...jotted, ...(account?.lines ?? [])]
  const missing = [
    ...(isFound('suicide', 'self_harm') || mentionsSuicide(written) ? [] : ['suicide and self-harm']),
    ...(isFound('harm_to_others') || mentionsViolence(written) ? [] : ['harm to others']),
  ]
  if (missing.length === 0) return null
  // What a clinician did not tell may have been asked all the same.
  const how =
    account === null ? 'not asked, not mentioned' : `not mentioned in what the clinician ${account.how}`
  const text = `${missing.join(', ')}: ${how}.`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function sayNotAsked(
  template: NoteTemplate,
  sections: readonly JudgedSection[],
  findings: readonly Finding[],
  jotted: readonly string[] = [],
  account: Account | null = null,
): JudgedSection[] {
  const text = wordNotAsked(findings, jotted, account)
  return text === null ? [...sections] : append(template, sections, text)
}

const append = (template: NoteTemplate, sections: readonly JudgedSection[], text: string): JudgedSection[] =>
  sections.map((section) =>
    section.key === placeOf(template, 'danger')
      ? { ...section, sentences: [...section.sentences, toSentence(text)] }
      : section,
  )

const toSentence = (text: string): JudgedSentence => ({
  text,
  transcriptItems: [],
  judgement: 'exact_checks_only',
  reason: null,
})

const ownWords = /: (?:not asked, not mentioned|not mentioned in what the clinician (?:typed|dictated))\.$/

const isOurs = ({ text, transcriptItems, judgement }: JudgedSentence): boolean =>
  judgement === 'exact_checks_only' && transcriptItems.length === 0 && ownWords.test(text)

const hasOurs = (sections: readonly JudgedSection[]): boolean =>
  sections.some(({ sentences }) => sentences.some(isOurs))

interface Renewal {
  before: readonly JudgedSection[]
  findings: readonly Finding[]
  account: Account | null
  instructions: string
}

/**
 * After an edit: where the note said what was not asked it still does, in words that are true of what is found now, or no more
 * where something was found about each. A note that had no such sentence, as where its clinician took it out, gets none; nor
 * does one whose clinician asks about it.
 */
export function renewNotAsked(
  template: NoteTemplate,
  sections: readonly JudgedSection[],
  { before, findings, account, instructions }: Renewal,
): JudgedSection[] {
  if (!hasOurs(before)) return [...sections]
  const own = sections.flatMap(({ sentences }) =>
    sentences.flatMap(({ judgement, text }) => (judgement === 'clinicians_words' ? [text] : [])),
  )
  const text = wordNotAsked(findings, own, account)
  if (text !== null && !hasOurs(sections))
    return saysNotAsked(instructions) ? [...sections] : append(template, sections, text)
  return rewordNotAsked(sections, text)
}

/** With these words where the sentence stands, or without it. */
export const rewordNotAsked = <Section extends JudgedSection>(
  sections: readonly Section[],
  text: string | null,
): Section[] =>
  sections.map((section) => ({
    ...section,
    sentences: section.sentences.flatMap((sentence) => {
      if (!isOurs(sentence)) return [sentence]
      return text === null ? [] : [{ ...sentence, text }]
    }),
  }))
