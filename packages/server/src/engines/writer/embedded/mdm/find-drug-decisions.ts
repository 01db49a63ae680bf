import type { Medication, MedicationMention } from '../../../lexicon/medications.js'
import { isWithdrawn, readDose, speaksOfDose } from './find-doses.js'
import { readDrugActs, type DrugAct, type DrugAction } from './read-drug-acts.js'
import { listMedications, unique, type Statement } from './read-statements.js'

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

const reasonPattern =
  /\b(?:because|since (?:you|the|it|your|things|that)|given|so that|to (?:help|target|see if|get|address|treat|reduce|control|bring|manage)|in order to|as (?:you're|your|you|the)|for (?:your|the) (?:\w+ )?(?:depression|anxiety|sleep|mood|panic|adhd|focus|symptoms|ptsd|nightmares|cravings|voices|attention|blood pressure|racing thoughts|insomnia|energy)|(?:it's|it is|that's|is|been) (?:helping|working)|(?:you're|you are|things are|you've been) (?:doing|stable|still|feeling|sleeping|struggling|having|not)|still (?:having|struggling|depressed|anxious|not)|tolerat(?:e|ed|ing)|part(?:ly|ially|way) (?:better|improved|there|responded)|(?:only )?a (?:little|bit) better|room (?:to do (?:more|better)|for (?:more|improvement)|to improve)|not (?:quite |all the way |fully )?(?:there yet|well yet)|side effects?|isn't (?:enough|working|helping)|not (?:working|helping|enough)|hasn't (?:helped|worked)|partial response|history fits|consistent with|meets? (?:the )?criteria|PHQ|GAD-?7|at goal|in remission|well controlled|under control|getting worse|worsened)\b/i

/** How far a decision reaches: its dose and its reason are said within a few sentences. */
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
    if (!isClinicians(statement)) return []
    const acts = readDrugActs(statement.text)
    return mergeInSentence(acts.flatMap((act) => describeAct(statements, at, act)))
  })
  return mergeDecisions(decisions.filter(({ medication }) => !overTheCounter.has(medication?.generic ?? '')))
}

const isClinicians = ({ speaker, kind }: Statement) => speaker !== 'client' && kind === 'stated'

interface Subject {
  mention: MedicationMention | null
  medication: Medication | null
  name: string | null
  action: DrugAction
  /** Where it was named. */
  statement: Statement | null
}

/** A decision for each medicine that one verb is about. */
function describeAct(statements: readonly Statement[], at: number, act: DrugAct): DrugDecision[] {
  const statement = statements[at]
  if (statement === undefined) return []
  const said = statement.text.slice(act.verbEnd, act.end)
  const mentions = listMedications(statement)
  const named = listNamed(statement, mentions, act)
  const isNamed = mentions.some(({ start }) => start >= act.start && start < act.end)
  if (isNamed && named.length === 0) return []
  // "Let's keep working on that" is no decision about a drug: one is named in it, or "it" with a dose is.
  const subjects = isNamed ? named : [findAntecedent(statements, at, act)]
  const isAboutDrug =
    isNamed ||
    /\b(?:dose|medication|meds?|prescription|refill|pill|tablet|milligrams?|mg)\b/i.test(
      statement.text.slice(act.start, act.end),
    ) ||
    subjects.some(
      ({ medication, statement: where }) =>
        (where === statement && goesOn.test(said)) ||
        readDose(statement.text, act, mentions, { it: medication }) !== null,
    )
  if (!isAboutDrug) return []
  return subjects.map((subject) => describeDecision(statements, at, act, subject))
}

/** Behind the verb: the medicine that the sentence named before is meant. "And keep a sleep log" is something else. */
const goesOn = /^\W*(?:$|it\b|that\b|this\b|them\b|the same\b|as is\b|for now\b|because\b|since\b|at\b|on\b)/i

/** "Instead of the Ambien", "added to the Zoloft": named, and not what is decided about. */
const setAside =
  /\b(?:instead of|rather than|in place of|not|than|like|replac\w+)(?: (?:the|your|taking|using))* $/i
/** A further one of a list, with or without its dose before it. */
const listed =
  /(?:,|\b(?:and|plus|as well as|along with))(?: also)?(?: [\w.]+ (?:mg|milligrams?)(?: of)?)?(?: (?:the|your))* $/i
const target = /\b(?:to|onto)(?: [\w.]+ (?:mg|milligrams?)(?: of)?)?(?: the)? $/i

const fronted = /^,? (?:we|i|let's|we'll|i'll|you can)(?: (?:will|can|should|want to|would like to))? $/i
/** "Raise the one, and the other stays the same." */
const leftAlone = /\b(?:stays?|remains?|unchanged|the same|as (?:it )?is)\b/i

/** The medicines that a verb is about. One switched to another is two: the first is stopped. */
function listNamed(statement: Statement, mentions: readonly MedicationMention[], act: DrugAct): Subject[] {
  const { text } = statement
  const there = mentions.filter(({ start }) => start >= act.start && start < act.end)
  const before = ({ start }: MedicationMention) => text.slice(act.start, start)
  const isSwitch = act.action === 'switch'
  const hasTarget = isSwitch && there.some((mention) => target.test(before(mention)))
  const subjects: Subject[] = []
  for (const [index, mention] of there.entries()) {
    const previous = there[index - 1]
    const isCorrected = previous !== undefined && isWithdrawn(text.slice(previous.end, mention.start))
    if (isCorrected) subjects.pop()
    const isTarget = target.test(before(mention))
    const isMeant =
      !setAside.test(before(mention)) &&
      (isCorrected || previous === undefined || (isSwitch && isTarget) || listed.test(before(mention)))
    if (!isMeant) continue
    const rest = text.slice(mention.end, there[index + 1]?.start ?? act.end)
    // "…, and the trazodone we'll stop": the next verb's.
    if (act.end < text.length && fronted.test(rest)) continue
    const isLeft = previous !== undefined && leftAlone.test(rest)
    const changed = !isSwitch ? act.action : isTarget ? 'switch' : hasTarget ? 'stop' : 'change'
    const action = isLeft ? 'continue' : changed
    const { medication, name } = mention
    subjects.push({ mention, medication, name, action, statement })
  }
  return subjects
}

/** "It": the one right before the verb, else the last that was spoken of. Two in one breath are none: nobody can tell which is meant. */
function findAntecedent(statements: readonly Statement[], at: number, act: DrugAct): Subject {
  const action = act.action === 'switch' ? 'change' : act.action
  const spoken = statements.slice(0, at + 1).flatMap(listMedications)
  const isOnly = new Set(spoken.map(({ medication }) => medication.generic)).size === 1
  for (let index = at; index >= (isOnly ? 0 : Math.max(0, at - antecedentReach)); index -= 1) {
    const statement = statements[index]
    if (statement === undefined) continue
    const mentions = listMedications(statement).filter(({ end }) => index < at || end <= act.start)
    const last = mentions.at(-1)
    if (last === undefined) continue
    const isFronted = index === at && fronted.test(statement.text.slice(last.end, act.start))
    if (!isFronted && mentions.some(({ medication }) => medication !== last.medication)) break
    return { mention: null, medication: last.medication, name: last.name, action, statement }
  }
  return { mention: null, medication: null, name: null, action, statement: null }
}

function describeDecision(
  statements: readonly Statement[],
  at: number,
  act: DrugAct,
  { mention, medication, name, action, statement: named }: Subject,
): DrugDecision {
  const near = statements.slice(Math.max(0, at - reach), at + reach + 1).filter(isClinicians)
  const statement = statements[at]
  const own =
    statement === undefined
      ? null
      : readDose(statement.text, act, listMedications(statement), mention ?? { it: medication })
  const isOpen = own === null && !speaksOfDose(statement?.text.slice(act.start, act.end) ?? '')
  const dose =
    own === null
      ? isOpen
        ? findDoseNear(statements, at, act, { action, medication })
        : null
      : { words: own, statement }
  const reason = [statement, ...near].find((one) => one !== undefined && reasonPattern.test(one.text))
  return {
    medication,
    name,
    action,
    dose: dose?.words ?? null,
    reason: reason?.text ?? null,
    items: unique([statement, named, dose?.statement, reason].flatMap((one) => one?.items ?? [])),
  }
}

const isEarlier =
  /\b(?:was|were|had|used to|last (?:time|month|visit|week)|previous(?:ly)?|tried|started|tolerated|missed|ago)\b/i

/**
 * Said in a sentence of its own, behind the decision; one that is continued may have been said before it too. What was
 * said before a change is the dose that is left.
 */
function findDoseNear(
  statements: readonly Statement[],
  at: number,
  act: DrugAct,
  { action, medication }: Pick<DrugDecision, 'action' | 'medication'>,
): { words: string; statement: Statement } | null {
  if (medication === null || action === 'stop') return null
  const from = action === 'continue' ? at - reach : at
  for (let index = Math.max(0, from); index <= at + reach; index += 1) {
    const statement = statements[index]
    if (statement === undefined || !isClinicians(statement)) continue
    if (index === at && action !== 'continue') continue
    if (action !== 'continue' && isEarlier.test(statement.text)) continue
    const words = readDoseOf(statements, index, index === at ? act.start : statement.text.length, medication)
    if (words !== null) return { words, statement }
  }
  return null
}

function readDoseOf(
  statements: readonly Statement[],
  at: number,
  end: number,
  medication: Medication,
): string | null {
  const statement = statements[at]
  if (statement === undefined) return null
  const mentions = listMedications(statement).filter((mention) => mention.end <= end)
  const mention = mentions.find((one) => one.medication === medication)
  const whole = { start: 0, end }
  if (mention !== undefined) return readDose(statement.text, whole, mentions, mention)
  if (mentions.length > 0) return null
  const it = findAntecedent(statements, at, { action: 'continue', start: 0, verbEnd: 0, end: 0 }).medication
  return it === medication ? readDose(statement.text, whole, [], { it }) : null
}

/** Of one sentence: "start at 25 and go up to 50 in a week" starts at 25; "keep it, but raise it to 50" raises. */
function mergeInSentence(decisions: readonly DrugDecision[]): DrugDecision[] {
  const merged = new Map<Medication | null, DrugDecision>()
  for (const decision of decisions) {
    const earlier = merged.get(decision.medication)
    const isFirst = earlier === undefined || earlier.action === 'continue'
    const isTakenBack = decision.action === 'continue' && decision.dose !== null
    if (isFirst || isTakenBack) merged.set(decision.medication, decision)
  }
  return [...merged.values()]
}

/**
 * The same drug decided twice is one decision, with all that was said for it; the later one counts. "Stay on it" behind a
 * change is the change. A dose goes with its action: one that was to be kept is none to go up to.
 */
function mergeDecisions(decisions: readonly DrugDecision[]): DrugDecision[] {
  const merged = new Map<string, DrugDecision>()
  for (const decision of decisions) {
    const key = decision.medication?.generic ?? ''
    const earlier = merged.get(key)
    merged.set(key, earlier === undefined ? decision : mergePair(earlier, decision))
  }
  return [...merged.values()]
}

function mergePair(earlier: DrugDecision, later: DrugDecision): DrugDecision {
  const isKept = later.action === 'continue' && (later.dose === null || later.dose === earlier.dose)
  const isSame = later.action === earlier.action
  const { action, dose } =
    isKept && earlier.action !== 'continue'
      ? earlier
      : { action: later.action, dose: later.dose ?? (isSame ? earlier.dose : null) }
  return {
    ...later,
    action,
    dose,
    reason: later.reason ?? earlier.reason,
    items: unique([...earlier.items, ...later.items]),
  }
}

/** Name, dose, decision and reason: without one of them it is not prescription drug management (CPT practice). */
export const listMissing = ({ name, dose, reason }: DrugDecision): string[] => [
  ...(name === null ? ['the name of the medication'] : []),
  ...(dose === null ? ['the dose'] : []),
  ...(reason === null ? ['the reason'] : []),
]
