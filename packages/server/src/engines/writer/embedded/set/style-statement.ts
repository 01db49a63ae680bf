import { findMedications } from '../../../lexicon/medications.js'
import type { Statement } from '../statement/statement.js'

const observed = new Set(['mental_status_exam', 'objective'])
const judged = new Set(['assessment', 'diagnoses', 'diagnostic_impression'])

/**
 * The statement as it is written under its heading. The clinician is the author of the note: in a plan, a mental status or
 * an assessment they do not tell of themselves what they planned, noted or stated.
 */
export const styleStatement = (section: string, statement: Statement): Statement => {
  if (statement.role !== 'clinician' || statement.kind === 'risk') return statement
  const { text } = statement
  const styled =
    section === 'plan' || section === 'medication_changes'
      ? stylePlan(text)
      : observed.has(section)
        ? styleObservation(text)
        : judged.has(section)
          ? styleJudgement(section, text)
          : text
  return styled === text ? statement : { ...statement, text: styled }
}

/** "Clinician plans to get labs" is "Get labs"; with a lead ("this week, …") the sentence keeps its order. */
const stylePlan = (text: string): string => {
  const plain = text
    .replace(
      /^(?<lead>(?:[A-Za-z][\w ]+: )?(?:because [^,]+, )?)(?:clinician (?:plans to|will)|plan to|plan:) (?=[a-z])/,
      '$<lead>',
    )
    .replace(
      /^clinician (?:recommended|suggested|proposed) (?:that )?clinician and client (?=(?:meet|do|start|work|keep|try|use|talk)\b)/,
      '',
    )
    // "I want an EKG first": a thing that is wanted; what is wanted of somebody, and leave, is asked for.
    .replace(
      /^clinician asked for (?=(?:an?|some) )(?!a (?:\w+ )?(?:release|moment|minute|number)\b|[^,;]* to \w+)/,
      '',
    )
  // "Give client …" could be read as an order to somebody else.
  return /^(?:see|be|have)\b/.test(plain) ? text : plain
}

/** "clinician noted client is speaking fast and has been tapping": what is seen, as a status lists it. */
const listSeen = (text: string): string =>
  text
    .replace(/^clinician noted (?:that )?/, '')
    .replace(
      /(?<=^|, |, and |, but | and | but )(?:client )?(?:(?:is|was|has been|have been) (?=\w+ing\b)|has (?=(?:also )?\w+ed\b))/g,
      '',
    )
    .replace(/^it (?:is|was) hard to (?<what>\w+) client$/, 'hard to $<what>')
    .replace(/(?<=\b(?:topics|subjects|out|up) )on clinician /g, '')

const styleObservation = (text: string): string => {
  const seen = listSeen(text)
  const ofClient =
    /^client (?:is|was|seems?|looks?|looked|sounds?|appears?) (?!not\b|\w+ing\b|as\b|like\b)(?<how>.+)$/.exec(
      seen,
    )
  const how = ofClient?.groups?.['how']
  if (how !== undefined) return `client appeared ${how.replace(/(?<=, |, and | and )was (?=\w)/g, '')}`
  return /^(?:client|they|it)\b/.test(seen) ? text : seen
}

const styleJudgement = (section: string, text: string): string => {
  const told = text.replace(
    /^(?:clinician stated that|clinician's impression is that) (?:it sounds like )?/,
    '',
  )
  const said =
    section === 'assessment' || told === text
      ? told
      : told.replace(
          /^client has (?!had\b|been\b|to\b|no\b|not\b|got\b|made\b|a (?:lot|good|few)\b)(?:an? )?(?=\w)/,
          '',
        )
  if (said === text || /^(?:client|they)\b(?!['’]s)/.test(said)) return text
  const bare = said.replace(
    /^(?:this|it|that) (?:is|meets|fits)(?: criteria for| with)? (?:an? )?(?=\w+ \w|\w{6})/,
    '',
  )
  const isName =
    section !== 'assessment' &&
    bare !== said &&
    !/^(?:not|getting|the|really|more|less|better|worse)\b/.test(bare)
  return isName || findMedications(bare).length > 0 ? bare : said
}
