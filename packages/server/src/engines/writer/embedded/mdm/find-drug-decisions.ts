import { findMedications, type Medication } from '../../../lexicon/medications.js'
import { findNumbers } from '../../text/find-numbers.js'
import { tokenizeWords } from '../../text/tokenize-words.js'
import { listMedications, unique, type Statement } from './read-statements.js'

export type DrugAction = 'start' | 'increase' | 'decrease' | 'stop' | 'continue' | 'switch'

/** What the clinician decided about a medication, with what was said for it. Null: not said. */
export interface DrugDecision {
  medication: Medication | null
  /** As it was said: "sertraline", "Zoloft". */
  name: string | null
  action: DrugAction
  /** As it was said: "100 milligrams". */
  dose: string | null
  reason: string | null
  items: readonly number[]
}

const resolve = String.raw`(?:let's|let us|we'll|we will|i'll|i will|i'm going to|i am going to|we're going to|we are going to|i'd like (?:you )?to|i would like (?:you )?to|i want (?:you )?to|i recommend|i'd recommend|i suggest|the plan is to|my plan is to|plan to|we can|we should|you can|go ahead and|i'd keep|i would keep|please|i'm|we're|(?:then |so |and )?we(?= (?:continue|keep|stay|leave|increase|raise|start|stop|go|lower)))`
const actionWords: readonly (readonly [DrugAction, string])[] = [
  [
    'increase',
    String.raw`(?:increas(?:e|ing)|rais(?:e|ing)|go(?:ing)? up|bump(?:ing)?(?: it)? up|bump(?:ing)?|mov(?:e|ing) (?:it |you |that )?up|doubl(?:e|ing)|titrat(?:e|ing) up)`,
  ],
  [
    'decrease',
    String.raw`(?:decreas(?:e|ing)|lower(?:ing)?|reduc(?:e|ing)|go(?:ing)? down|taper(?:ing)?|cut(?:ting)? (?:it |the dose |back|down)|com(?:e|ing) down|back(?:ing)? off)`,
  ],
  [
    'stop',
    String.raw`(?:stop(?:ping)?|discontinu(?:e|ing)|come off|coming off|get(?:ting)? (?:you )?off|tak(?:e|ing) you off|hold(?:ing)? the)`,
  ],
  ['switch', String.raw`(?:switch(?:ing)?|chang(?:e|ing) (?:you |it |over )?(?:to|from))`],
  [
    'start',
    String.raw`(?:start(?:ing)?|begin(?:ning)?|try(?:ing)?|add(?:ing)?|prescrib(?:e|ing)|initiat(?:e|ing)|put(?:ting)? you on)`,
  ],
  [
    'continue',
    String.raw`(?:continu(?:e|ing)|keep(?:ing)?|stay(?:ing)?|maintain(?:ing)?|leav(?:e|ing)|stick(?:ing)? with|remain(?:ing)?|refill(?:ing)?|send(?:ing)? in)`,
  ],
]
const decisionPattern = new RegExp(
  String.raw`(?:^(?:(?:so|okay|and|then|great|good|perfect|alright),? )*|\b${resolve}\b)(?<between>[^.?!]{0,40}?)\b(?:${actionWords.map(([action, words]) => `(?<${action}>${words})`).join('|')})\b`,
  'i',
)
const unresolved = /\b(?:not|don't|never|wouldn't|won't|could|might|if we|consider|think about|maybe)\b/i

const reasonPattern =
  /\b(?:because|since (?:you|the|it|your|things|that)|given|so that|to (?:help|target|see if|get|address|treat|reduce|control|bring|manage)|in order to|as (?:you're|your|you|the)|for (?:your|the) (?:\w+ )?(?:depression|anxiety|sleep|mood|panic|adhd|focus|symptoms|ptsd|nightmares|cravings|voices|attention|blood pressure|racing thoughts|insomnia|energy)|(?:it's|it is|that's|is|been) (?:helping|working)|(?:you're|you are|things are|you've been) (?:doing|stable|still|feeling|sleeping|struggling|having|not)|still (?:having|struggling|depressed|anxious|not)|tolerating|side effects?|isn't (?:enough|working|helping)|not (?:working|helping|enough)|hasn't (?:helped|worked)|partial response|history fits|consistent with|meets? (?:the )?criteria|PHQ|GAD-?7|at goal|in remission|well controlled|under control|getting worse|worsened)\b/i

/** How far a decision reaches: what it is about, its dose and its reason are said within a few sentences. */
const reach = 3
/** Further back than this, "it" is no longer that medication; unless it is the only one of the whole session. */
const antecedentReach = 8

/** Sold without a prescription: advice about them is no prescription drug management. */
const overTheCounter = new Set(
  'melatonin doxylamine diphenhydramine ibuprofen acetaminophen naproxen aspirin cetirizine nicotine'.split(
    ' ',
  ),
)

/** Only what was resolved. "Should we go up?" is a question, "we might go up" a thought. */
export function findDrugDecisions(statements: readonly Statement[]): DrugDecision[] {
  const decisions = statements.flatMap((statement, at) => {
    if (statement.speaker === 'client' || statement.kind !== 'stated') return []
    const match = decisionPattern.exec(statement.text)
    const action = actionWords.find(([name]) => match?.groups?.[name] !== undefined)?.[0]
    if (match === null || action === undefined || unresolved.test(match.groups?.['between'] ?? '')) return []
    const decision = describeDecision(statements, at, action)
    return decision === null || overTheCounter.has(decision.medication?.generic ?? '') ? [] : [decision]
  })
  return mergeDecisions(decisions)
}

function describeDecision(
  statements: readonly Statement[],
  at: number,
  action: DrugAction,
): DrugDecision | null {
  const statement = statements[at]
  if (statement === undefined) return null
  const named = findNamed(statements, at)
  const near = statements.slice(Math.max(0, at - reach), at + reach + 1).filter(isClinicians)
  const dose = findDose(statement, named !== null) ?? firstOf(near, (one) => findDose(one, false))
  // "Let's keep working on that" is no decision about a drug: one is named in it, or "it" with a dose is.
  const isAboutDrug =
    listMedications(statement).length > 0 ||
    dose?.statement === statement ||
    /\b(?:dose|medication|meds?|prescription|refill|pill|tablet|milligrams?|mg)\b/i.test(statement.text)
  if (!isAboutDrug) return null
  const reason = firstOf([statement, ...near], (one) =>
    reasonPattern.test(one.text) ? { statement: one, words: one.text } : null,
  )
  const items = [statement, named?.statement, dose?.statement, reason?.statement].flatMap(
    (one) => one?.items ?? [],
  )
  return {
    medication: named?.medication ?? null,
    name: named?.name ?? null,
    action,
    dose: dose?.words ?? null,
    reason: reason?.words ?? null,
    items: unique(items),
  }
}

const isClinicians = ({ speaker, kind }: Statement) => speaker !== 'client' && kind === 'stated'

function firstOf<Found>(
  statements: readonly Statement[],
  find: (one: Statement) => Found | null,
): Found | null {
  for (const statement of statements) {
    const found = find(statement)
    if (found !== null) return found
  }
  return null
}

interface NamedDrug {
  medication: Medication
  name: string
  statement: Statement
}

/** In the sentence itself, else the last one spoken of before. */
function findNamed(statements: readonly Statement[], at: number): NamedDrug | null {
  const spoken = statements.slice(0, at + 1).flatMap(listMedications)
  const isOnly = new Set(spoken.map(({ medication }) => medication.generic)).size === 1
  for (let index = at; index >= (isOnly ? 0 : Math.max(0, at - antecedentReach)); index -= 1) {
    const statement = statements[index]
    const mentions = statement === undefined ? [] : listMedications(statement)
    const mention = index === at ? mentions[0] : mentions.at(-1)
    if (statement !== undefined && mention !== undefined) {
      return { medication: mention.medication, name: mention.name, statement }
    }
  }
  return null
}

const unit = /^\s*-?\s*(?:mg|milligrams?|mcg|micrograms?|mgs|milliequivalents?|units?|ml)\b/i

/** With its unit; behind a named drug also "to 100" and "at a hundred". The last one counts: "from 50 to 100". */
function findDose(statement: Statement, mayBeBare: boolean): { statement: Statement; words: string } | null {
  const tokens = tokenizeWords(statement.text)
  const numbers = findNumbers(tokens).flatMap((number) => {
    const [first, last] = [tokens[number.firstToken], tokens[number.lastToken]]
    if (first === undefined || last === undefined) return []
    const measured = unit.exec(statement.text.slice(last.end))
    const end = last.end + (measured?.[0].length ?? 0)
    const before = statement.text.slice(0, first.start)
    const isBehindName = findMedications(before).some(({ end: at }) => before.slice(at).trim() === '')
    const isBare = isBehindName || (mayBeBare && /\b(?:to|at|on) (?:a )?$/i.test(before))
    const isTime = /^\s*(?:weeks?|days?|months?|hours?|minutes?|o'clock|am|pm|percent)\b/i.test(
      statement.text.slice(last.end),
    )
    return measured !== null || (isBare && !isTime)
      ? [{ words: statement.text.slice(first.start, end), isMeasured: measured !== null }]
      : []
  })
  const dose = numbers.findLast(({ isMeasured }) => isMeasured) ?? numbers.at(-1)
  return dose === undefined ? null : { statement, words: dose.words }
}

/** The same drug decided twice is one decision, with all that was said for it; the later action counts. */
function mergeDecisions(decisions: readonly DrugDecision[]): DrugDecision[] {
  const merged = new Map<string, DrugDecision>()
  for (const decision of decisions) {
    const key = decision.medication?.generic ?? ''
    const earlier = merged.get(key)
    merged.set(
      key,
      earlier === undefined
        ? decision
        : {
            ...decision,
            dose: decision.dose ?? earlier.dose,
            reason: decision.reason ?? earlier.reason,
            items: unique([...earlier.items, ...decision.items]),
          },
    )
  }
  return [...merged.values()]
}

/** Name, dose, decision and reason: without one of them it is not prescription drug management (CPT practice). */
export const listMissing = ({ name, dose, reason }: DrugDecision): string[] => [
  ...(name === null ? ['the name of the medication'] : []),
  ...(dose === null ? ['the dose'] : []),
  ...(reason === null ? ['the reason'] : []),
]
