import type { NoteType } from '@casenote/contract'
import type {
  AllergyFinding,
  DangerFinding,
  DecisionFinding,
  Finding,
  MedicineFinding,
  Reading,
  ScoreFinding,
} from '../../reader/reading.js'
import { RISK_SECTIONS } from '../risk-sections.js'
import { wordNotAsked } from '../say-not-asked.js'
import { union, type Line } from './line.js'
import { nameDanger } from './name-danger.js'
import {
  allergySection,
  firstSection,
  medicineChangeSection,
  medicineSection,
  scoreSection,
} from './place-topics.js'
import { DANGER_WORDS, quoteFinding, type Source } from './quote-finding.js'
import { isDecided, readStatus, readUse } from './read-closed-form.js'
import type { Said } from './read-turns.js'

/** More than any session has; each is a line. */
const linesMax = 200

interface Context extends Source {
  noteType: NoteType
}

/** The lines that what the reader knows exactly stands in: danger, medicines, allergies, scores, decisions. */
export function listFindings(findings: readonly Finding[], context: Context): Line[] {
  const { noteType } = context
  const danger = findings.filter((one) => one.kind === 'danger')
  const lines = [
    ...listDanger(danger, context),
    ...list(
      findings.filter((one) => one.kind === 'medicine').filter((one) => isListed(one, findings, context)),
      context,
      {
        section: (one) =>
          isChange(one, findings, context.reading)
            ? medicineChangeSection(noteType)
            : isTaken(one)
              ? medicineSection(noteType)
              : firstSection(noteType),
        heading: 'Medicines',
        name: (one, quoted) => nameMedicine(one, quoted, findings),
      },
    ),
    ...list(
      findings.filter((one) => one.kind === 'allergy'),
      context,
      {
        section: () => allergySection(noteType),
        heading: 'Allergies',
        name: nameAllergy,
      },
    ),
    ...list(
      findings.filter((one) => one.kind === 'score').filter(({ name }) => name.toLowerCase() !== 'rating'),
      context,
      {
        section: () => scoreSection(noteType),
        heading: 'Scores and measurements',
        name: ({ name, value }: ScoreFinding) => `${capital(name)}: ${value}`,
      },
    ),
    ...list(
      findings
        .filter((one) => one.kind === 'decision')
        .filter((one) => isDecided(one, quoteFinding(one, context))),
      context,
      {
        section: (one) => (one.about === 'medicine' ? medicineChangeSection(noteType) : 'plan'),
        heading: null,
        name: nameDecision,
      },
    ),
  ]
  const medicines = lines.filter(({ heading }) => heading === 'Medicines')
  // A change that stands under Medicines is not told twice.
  const isTold = (line: Line): boolean =>
    line.label === 'Medicine:' &&
    medicines.some(
      (one) => one.section === line.section && line.quoted.every((said) => one.quoted.includes(said)),
    )
  return lines.filter((line) => !isTold(line)).slice(0, linesMax)
}

interface Form<Of extends Finding> {
  section: (finding: Of) => string
  heading: Line['heading']
  name: (finding: Of, quoted: readonly Said[]) => string
}

/** What was said in one breath is one line: its names first, then the words. */
function list<Of extends Finding>(found: readonly Of[], context: Context, form: Form<Of>): Line[] {
  const lines = new Map<string, { names: string[]; quoted: Said[]; finding: Of }>()
  const named = new Set<string>()
  for (const finding of found) {
    const quoted = quoteFinding(finding, context)
    const name = form.name(finding, quoted)
    // The same said again adds nothing, except of danger, where every time counts.
    if (
      isBare(finding, quoted) ||
      (finding.kind !== 'danger' && finding.kind !== 'decision' && named.has(name))
    )
      continue
    named.add(name)
    const key = `${form.section(finding)} ${placeOf(finding, quoted)}`
    const line = lines.get(key) ?? { names: [], quoted: [], finding }
    if (name !== '' && !line.names.includes(name)) line.names.push(name)
    line.quoted = union(line.quoted, quoted)
    lines.set(key, line)
  }
  return [...lines.values()].map(({ names, quoted, finding }) => ({
    section: form.section(finding),
    heading: form.heading,
    label: names.length > 0 ? `${names.join('; ')}${finding.kind === 'decision' ? ':' : '.'}` : '',
    quoted,
  }))
}

/** A question that nobody answered decides nothing; about danger it is told that it was asked. */
const isBare = (finding: Finding, quoted: readonly Said[]): boolean =>
  finding.kind === 'danger' ? quoted.length === 0 : quoted.every((said) => said.asks)

/** What only the encoder found is for the clinician's list: it is sure of nonsense too often to put it under Danger. */
const isBorneOut = (finding: DangerFinding, context: Context): boolean =>
  finding.foundBy !== 'encoder' && quoteFinding(finding, context).some(({ raw }) => DANGER_WORDS.test(raw))

/** Medicines that were named in one turn are one line; of danger each question and answer is its own. */
const placeOf = (finding: Finding, quoted: readonly Said[]): string =>
  finding.kind !== 'danger' && finding.kind !== 'allergy'
    ? `turn ${quoted.at(-1)?.turn}`
    : quoted.map(({ index }) => index).join(' ')

function listDanger(danger: readonly DangerFinding[], context: Context): Line[] {
  const section = RISK_SECTIONS[context.noteType]
  const lines = list(
    danger.filter((one) => one.certainty === 'plain' && isBorneOut(one, context)),
    context,
    { section: () => section, heading: 'Danger', name: nameDanger },
  )
  const notAsked = wordNotAsked(danger)
  return notAsked === null ? lines : [...lines, { section, heading: 'Danger', label: notAsked, quoted: [] }]
}

/** Only named in passing, or what somebody is allergic to: no line of its own. */
const isListed = (medicine: MedicineFinding, findings: readonly Finding[], context: Context): boolean => {
  const isAllergen = findings.some(
    (one) =>
      one.kind === 'allergy' &&
      [medicine.name, medicine.said].some((name) => name.toLowerCase() === one.substance.toLowerCase()),
  )
  const status = readStatus(medicine, quoteFinding(medicine, context))
  return !isAllergen && (status !== 'mentioned' || hasUnit(medicine.dose))
}

const hasUnit = (dose: string | null): boolean => dose !== null && /\p{L}/u.test(dose)

/** What was taken once, refused, or is another's does not stand among what is taken. */
const isTaken = ({ status, whose }: MedicineFinding): boolean =>
  whose === 'client' &&
  status !== 'past' &&
  status !== 'declined' &&
  status !== 'mentioned' &&
  status !== 'stopped'

/** Decided in this session: the reader found a decision in the same words, or takes them for one. */
const isChange = (medicine: MedicineFinding, findings: readonly Finding[], reading: Reading): boolean =>
  changes.has(medicine.status) &&
  (medicine.items.some((item) => (reading.topics[item]?.med_change ?? 0) >= changeScoreMin) ||
    findings.some(
      (one) =>
        one.kind === 'decision' &&
        one.about === 'medicine' &&
        one.items.some((item) => medicine.items.includes(item)),
    ))

const changes: ReadonlySet<MedicineFinding['status']> = new Set([
  'started',
  'stopped',
  'raised',
  'lowered',
  'kept',
  'declined',
  'considered',
])
const changeScoreMin = 0.5

/** A dose without a unit stands in the quote as it was said; how it is taken, and what becomes of it, if the words say so. */
const nameMedicine = (
  medicine: MedicineFinding,
  quoted: readonly Said[],
  findings: readonly Finding[],
): string => {
  const { name, dose, whose } = medicine
  // Of two medicines in one sentence nobody here knows whose "at night" it is.
  const isAlone = findings.every(
    (one) => one.kind !== 'medicine' || one.name === name || one.words !== medicine.words,
  )
  const use = isAlone ? readUse(medicine, quoted) : null
  return [
    capital(name),
    hasUnit(dose) ? ` ${dose}` : '',
    use === null ? '' : `, ${use}`,
    whose === 'other' ? ' (another person)' : '',
    changeOf(medicine, quoted),
  ].join('')
}

/** A change that the clinician words in the very sentence; whether something is taken, the quote tells. */
const changeOf = (medicine: MedicineFinding, quoted: readonly Said[]): string => {
  const status = readStatus(medicine, quoted)
  const isWorded = quoted.some(
    (said) =>
      said.speaker === 'clinician' &&
      !said.asks &&
      said.raw.toLowerCase().includes(medicine.said.toLowerCase()) &&
      !/\b(?:not|don['’]t|never|no|without|instead|if|could|would have)\b/i.test(said.raw),
  )
  return isWorded && worded.has(status) ? `: ${status}` : ''
}

const worded: ReadonlySet<MedicineFinding['status']> = new Set(['started', 'stopped', 'raised', 'lowered'])

const nameAllergy = ({ substance, reaction, standing }: AllergyFinding): string =>
  `${capital(substance)}${reaction === null ? '' : ` (${reaction})`}: ${standing}`

/** What kind of step it is, and whether it was agreed to, the words tell; only a date to meet is looked for. */
const nameDecision = ({ about }: DecisionFinding, quoted: readonly Said[]): string =>
  about === 'appointment' && quoted.some(({ raw }) => meets.test(raw)) ? 'Appointment' : ''

const meets =
  /\b(?:see you|see me|come back|meet|next (?:visit|appointment|session|time)|follow[- ]?up|appointment|in (?:a|an|one|two|three|four|five|six|eight|\d+) (?:days?|weeks?|months?))\b/i

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
