import { setImmediate as nextTurn } from 'node:timers/promises'
import { NOTE_TEMPLATES, type NoteType } from '@casenote/contract'
import { countWords } from '../text/tokenize-words.js'
import type { DraftSection, DraftSentence, WritingRequest } from '../writer-engine.js'
import { checkEvidence } from '../check-evidence.js'
import { findDiscussion } from '../evidence/check-not-discussed.js'
import { assessRisk, type RiskReading } from './risk/assess-risk.js'
import {
  chooseStatements,
  countWordsAllowed,
  countWordsMax,
  keepWeightiest,
} from './choose/choose-statements.js'
import { collectStatements } from './collect-statements.js'
import { condenseStatement, cutGarble, headOf } from './set/condense-statement.js'
import { makeNameHider } from './talk/hide-names.js'
import { nameApproaches } from './clinician/name-approaches.js'
import { placeStatements } from './place/place-statements.js'
import { quoteRisk } from './risk/quote-risk.js'
import { readSession, type Session } from './talk/read-session.js'
import { setSentences } from './set/set-sentences.js'
import { toSentence, type Placed, type Statement } from './statement/statement.js'
import { leaveTelling, wordUnderHeading } from './set/word-under-heading.js'

const riskSections: Readonly<Record<NoteType, string>> = {
  soap: 'assessment',
  dap: 'assessment',
  birp: 'behavior',
  girp: 'response',
  pirp: 'problem',
  psychotherapy_intake: 'risk_assessment',
  psychiatric_evaluation: 'risk_assessment',
  medication_management: 'risk_assessment',
}

const bulletSections = new Set([
  'plan',
  'current_medications',
  'medication_changes',
  'treatment_goals',
  'diagnoses',
])

/**
 * The embedded writer: it selects and condenses, and says nothing that was not said. The same transcript gives the same
 * note. Sections come one by one, and other work gets its turn between them.
 */
export async function* writeNote(request: WritingRequest, signal: AbortSignal): AsyncGenerator<DraftSection> {
  signal.throwIfAborted()
  const { noteType, transcript } = request
  const session = readSession(transcript)
  const names = makeNameHider(transcript.map((item) => item.transcript))
  const risk = assessRisk(session, names)
  await nextTurn()
  const check = (sentence: DraftSentence): boolean =>
    checkEvidence(sentence, transcript, request.treatmentApproaches).isSupported
  const found = risk.findings.map((finding) =>
    setSentences([finding.statement]).every(check)
      ? finding.statement
      : (quoteRisk(finding, session, names) ?? finding.statement),
  )
  const statements = [...found, ...collectStatements(session, risk, names)]
    .flatMap((statement) => cutGarble(statement) ?? [])
    .toSorted((a, b) => a.order - b.order)
  const isGroup =
    !transcript.some(({ speaker }) => speaker === 'client') &&
    transcript.some(({ speaker }) => speaker !== 'clinician')
  await nextTurn()
  const placed = nameApproaches(
    placeStatements(noteType, isGroup ? statements.map(nameParticipants) : statements, session, (statement) =>
      setSentences([statement]).every(check),
    ),
    request.treatmentApproaches,
  )
  const short = keepWeightiest(placed).map((entry) => condensePlaced(entry, check))
  const chosen = chooseSupported(noteType, short, wordsFor(request, placed, risk, session), check)
  const setAll = (entries: readonly Placed[]): DraftSection[] =>
    NOTE_TEMPLATES[noteType].sections.map(({ key, title }, index) => {
      const inSection = entries
        .filter(({ section }) => section === key)
        .map(({ statement }) => statement)
        .toSorted((a, b) => a.order - b.order)
      const sentences = setSupported(inSection, check, index === 0)
      const missing = key === riskSections[noteType] ? listMissingRisk(noteType, risk) : []
      const fixed = sentences.length + missing.length > 0 ? missing : [toNotDiscussed(key, title)]
      return toDraft(key, [...sentences, ...fixed.map((sentence) => orMentioned(sentence, transcript))])
    })
  for (const section of setWithin(chosen, countWordsMax(session.words), setAll)) {
    signal.throwIfAborted()
    yield section
    await nextTurn()
  }
}

const toDraft = (key: string, sentences: DraftSentence[]): DraftSection => ({
  key,
  sentences,
  layout: bulletSections.has(key) && sentences.length > 1 ? 'bullets' : 'paragraph',
})

/** What could not be joined, or had to be quoted, takes more words than were counted: the lightest goes until it fits. */
const setWithin = (
  chosen: readonly Placed[],
  wordsMax: number,
  setAll: (entries: readonly Placed[]) => DraftSection[],
): DraftSection[] => {
  const sections = setAll(chosen)
  const words = sections.reduce(
    (sum, { sentences }) => sum + sentences.reduce((count, { text }) => count + countWords(text), 0),
    0,
  )
  if (words <= wordsMax) return sections
  const [lightest] = chosen
    .filter(({ section, statement }) => {
      const isOnly = chosen.filter((other) => other.section === section).length === 1
      return !isOnly && !statement.isMandatory && statement.kind !== 'risk'
    })
    .toSorted((a, b) => a.statement.score - b.statement.score)
  if (lightest !== undefined) return setWithin(without(chosen, lightest), wordsMax, setAll)
  const [longest] = chosen
    .flatMap((entry) => {
      const head = headOf(entry.statement)
      return head === null ? [] : [{ entry, head: { ...entry, statement: head } }]
    })
    .toSorted((a, b) => b.entry.statement.text.length - a.entry.statement.text.length)
  return longest === undefined
    ? sections
    : setWithin([...without(chosen, longest.entry), longest.head], wordsMax, setAll)
}

const without = (chosen: readonly Placed[], one: Placed): Placed[] => chosen.filter((entry) => entry !== one)

/** The first of its wordings that the checker bears out, else as it is. */
const condensePlaced = (entry: Placed, check: (sentence: DraftSentence) => boolean): Placed => {
  const written = toSentence(entry.statement, 0)
  const condensed = condenseStatement(entry.statement)
  const headed = condensed.flatMap((wording) => wordUnderHeading(entry.section, wording) ?? [])
  const plain = condensed.flatMap((wording) => leaveTelling(entry.section, wording) ?? [])
  const statement = [...headed, ...plain, ...condensed].find(
    (wording) => toSentence(wording, 0) === written || setSentences([wording]).every(check),
  )
  return statement === undefined ? entry : { ...entry, statement }
}

/** Leaving some out lets others in, which have to be looked at as well. */
const roundsMax = 4

/**
 * What the writer put so that the checker would not bear it out is left to the transcript: a sentence that has to be
 * marked helps nobody. Risk stays in any case, marked if it must be.
 */
const chooseSupported = (
  noteType: NoteType,
  placed: readonly Placed[],
  wordsAllowed: number,
  check: (sentence: DraftSentence) => boolean,
): Placed[] => {
  const refused = new Set<Statement>()
  const isBorneOut = (statement: Statement): boolean =>
    statement.kind === 'risk' || setSentences([statement]).every(check)
  for (let round = 1; ; round++) {
    const candidates = placed.filter(
      ({ statement }) => ![...refused].some((other) => isSameOrHead(other, statement)),
    )
    const chosen = chooseStatements(candidates, wordsAllowed, noteType)
    const wrong = chosen.filter(({ statement }) => !isBorneOut(statement))
    if (wrong.length === 0 || round === roundsMax) return chosen.filter((entry) => !wrong.includes(entry))
    for (const { statement } of wrong) refused.add(statement)
  }
}

/** A statement that was shortened to fit is refused with its head. */
const isSameOrHead = (refused: Statement, statement: Statement): boolean =>
  refused.order === statement.order &&
  refused.kind === statement.kind &&
  statement.text.startsWith(refused.text)

/** Joined sentences, unless joining made one that is no longer borne out. */
const setSupported = (
  statements: readonly Statement[],
  check: (sentence: DraftSentence) => boolean,
  isFirst: boolean,
): DraftSentence[] => {
  const joined = setSentences(statements, check, isFirst)
  return joined.every(check) ? joined : statements.flatMap((statement) => setSentences([statement]))
}

/** Where no voice is known to be the client's, those to whom the clinician speaks are the participants. */
const nameParticipants = (statement: Statement): Statement =>
  statement.role === 'clinician'
    ? {
        ...statement,
        text: statement.text
          .replace(
            /\bclient (is|was|has|seems|looks|feels)\b/g,
            (_whole, verb: string) => `participants ${plurals[verb] ?? verb}`,
          )
          .replace(/\bclient's\b/g, "participants'")
          .replace(/\bclient\b/g, 'participants'),
      }
    : statement

const plurals: Readonly<Record<string, string>> = {
  is: 'are',
  was: 'were',
  has: 'have',
  seems: 'seem',
  looks: 'look',
  feels: 'feel',
}

/** The words that are left for what was said, when what was not said has its sentences. */
const wordsFor = (
  { noteType, transcript }: WritingRequest,
  placed: readonly Placed[],
  risk: RiskReading,
  session: Session,
): number => {
  const missing = listMissingRisk(noteType, risk)
  const filled = new Set(placed.map(({ section }) => section))
  if (missing.length > 0) filled.add(riskSections[noteType])
  const fixed = NOTE_TEMPLATES[noteType].sections
    .filter(({ key }) => !filled.has(key))
    .map(({ key, title }) => orMentioned(toNotDiscussed(key, title), transcript))
  return (
    countWordsAllowed(session.words) -
    [...fixed, ...missing].reduce((sum, { text }) => sum + countWords(text), 0)
  )
}

/** As long as a quote may be (clinical style). */
const quoteWordsMax = 15

/** What came up in words that the writer could not condense is quoted, and never said to be missing. */
const orMentioned = (sentence: DraftSentence, transcript: WritingRequest['transcript']): DraftSentence => {
  const found = findDiscussion(sentence.text, transcript)
  if (found === null) return sentence
  const from = found.text.lastIndexOf(' ', Math.max(found.at - 20, 0)) + 1
  const words = found.text.slice(from).replace(/["“”]/g, '').split(' ').slice(0, quoteWordsMax)
  const quote = words.join(' ').replace(/[.!?…,;:]+$/, '')
  return { text: `Mentioned ("${quote}"); clinician review required.`, transcriptItems: [found.item] }
}

/** Titles that do not say by themselves what was not discussed. */
const labels: Readonly<Record<string, string>> = {
  objective: 'Observations',
  subjective: 'Subjective report',
  data: 'Clinical data',
  behavior: 'Presenting behavior',
  response: 'Response to intervention',
  vitals_labs: 'Vitals and labs',
}

const toNotDiscussed = (key: string, title: string): DraftSentence => ({
  text: `${labels[key] ?? title.charAt(0) + title.slice(1).toLowerCase()} not discussed.`,
  transcriptItems: [],
})

/** Risk that nobody asked about is said to be so, never denied (clinical sheet 1.5). */
const listMissingRisk = (noteType: NoteType, risk: RiskReading): DraftSentence[] => {
  const isFull = riskSections[noteType] === 'risk_assessment'
  const names = [
    ...(risk.isSuicideDiscussed ? [] : ['suicidal']),
    ...(risk.isHarmToOthersDiscussed || (!isFull && risk.isSuicideDiscussed) ? [] : ['homicidal']),
  ]
  if (names.length === 0) return []
  const text = `${names.join(' and ')} ideation not assessed.`
  return [{ text: text.charAt(0).toUpperCase() + text.slice(1), transcriptItems: [] }]
}
