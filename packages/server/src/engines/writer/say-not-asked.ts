import type { NoteType } from '@casenote/contract'
import type { DangerMatter, Finding } from '../reader/reading.js'
import { mentionsSuicide, mentionsViolence } from './jotted-danger.js'
import { RISK_SECTIONS } from './risk-sections.js'
import type { JudgedSection, JudgedSentence } from './writer-engine.js'

/**
 * An empty risk section reads as a denial, so what nobody asked or mentioned is said to be so; only where nothing at all was
 * found about it, not even a suspicion, and no line that the clinician wrote names it: "SI not assessed" mentions it. Null:
 * something was found about each. `typed`: the lines of a session that nobody recorded.
 */
export function wordNotAsked(
  findings: readonly Finding[],
  jotted: readonly string[] = [],
  typed: readonly string[] = [],
): string | null {
  const isFound = (...matters: DangerMatter[]): boolean =>
    findings.some((finding) => finding.kind === 'danger' && matters.includes(finding.matter))
  const written = [...jotted, ...typed]
  const missing = [
    ...(isFound('suicide', 'self_harm') || mentionsSuicide(written) ? [] : ['suicide and self-harm']),
    ...(isFound('harm_to_others') || mentionsViolence(written) ? [] : ['harm to others']),
  ]
  if (missing.length === 0) return null
  // What a clinician did not type may have been asked all the same.
  const how = typed.length > 0 ? 'not mentioned in what the clinician typed' : 'not asked, not mentioned'
  const text = `${missing.join(', ')}: ${how}.`
  return text.charAt(0).toUpperCase() + text.slice(1)
}

export function sayNotAsked(
  noteType: NoteType,
  sections: readonly JudgedSection[],
  findings: readonly Finding[],
  jotted: readonly string[] = [],
  typed: readonly string[] = [],
): JudgedSection[] {
  const text = wordNotAsked(findings, jotted, typed)
  if (text === null) return [...sections]
  const sentence: JudgedSentence = { text, transcriptItems: [], judgement: 'exact_checks_only', reason: null }
  return sections.map((section) =>
    section.key === RISK_SECTIONS[noteType]
      ? { ...section, sentences: [...section.sentences, sentence] }
      : section,
  )
}
