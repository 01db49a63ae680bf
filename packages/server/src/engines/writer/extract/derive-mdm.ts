import { isPrescriberNoteType, type MdmFindings } from '@casenote/contract'
import type { DangerElement, DangerFinding, Finding } from '../../reader/reading.js'
import { isOwed } from '../owed.js'
import type { WritingRequest } from '../writer-engine.js'
import { labelDanger } from './label-danger.js'
import { quoteFinding, type Source } from './quote-finding.js'
import { readTurns, type Said } from './read-turns.js'
import { renderLine } from './render-line.js'

const noLevel = 'A level needs a language model or the clinician.'

/** What makes a danger a crisis, if it is said of the client and of now. */
const critical: ReadonlySet<DangerElement> = new Set(['plan', 'intent', 'attempt', 'preparation', 'threat'])

/** Voices that command are one, whatever they command. */
const isCritical = ({ matter, element }: DangerFinding): boolean =>
  element === 'commands' || ((matter === 'suicide' || matter === 'harm_to_others') && critical.has(element))

export const isCrisis = (finding: Finding): finding is DangerFinding =>
  finding.kind === 'danger' &&
  finding.certainty === 'plain' &&
  finding.standing === 'affirmed' &&
  finding.time === 'present' &&
  finding.whose === 'client' &&
  isCritical(finding)

const isDecision = (finding: Finding): boolean =>
  finding.kind === 'decision' &&
  (finding.about === 'medicine' || finding.about === 'test' || finding.about === 'referral')

/** Below this it is more likely that nothing was decided. */
const planShareMin = 0.5

/** The words of each, once. */
function listQuotes(findings: readonly Finding[], context: Source): Said[][] {
  const quotes = new Map<string, Said[]>()
  for (const finding of findings) {
    const quoted = quoteFinding(finding, context)
    if (quoted.length > 0) quotes.set(quoted.map(({ index }) => index).join(' '), quoted)
  }
  return [...quotes.values()]
}

const listItems = (quoted: readonly Said[]): number[] =>
  [...new Set(quoted.flatMap(({ items }) => items))].toSorted((a, b) => a - b)

/** What was decided about medicines, tests and referrals, as it was said. Nothing is concluded from it. */
export function deriveMdm({ noteType, transcript, reading }: WritingRequest): MdmFindings {
  if (!isPrescriberNoteType(noteType)) throw new Error('MDM elements are for prescriber note types')
  const talk = readTurns(transcript, reading)
  const context = { talk, reading }
  const planned = listQuotes(reading.findings.filter(isDecision), context).filter((quoted) =>
    quoted.some((said) => (said.figures.places.plan ?? 0) >= planShareMin),
  )
  // Where the client goes is decided, however little it sounds like a plan.
  const goes = listQuotes(
    reading.findings.filter((one) => one.kind === 'decision' && isOwed(one)),
    context,
  )
  const decided = [...planned, ...goes]
  const medicines = listQuotes(
    reading.findings.filter((one) => one.kind === 'medicine'),
    context,
  ).filter((quoted) => quoted.some((said) => !said.asks))
  const crises = reading.findings.filter(isCrisis)
  const inCrisis = crises.flatMap((one) => quoteFinding(one, context))
  return {
    problemsAddressed: decided.map((quoted) => ({
      problem: renderLine(quoted),
      level: 'na',
      rationale: noLevel,
      evidence: listItems(quoted),
    })),
    riskOfComplications: {
      level: 'na',
      rationale:
        medicines.length === 0
          ? `No medicine was named. ${noLevel}`
          : `Medicines that were named: ${medicines.map(renderLine).join(' ')} ${noLevel}`,
      evidence: listItems(medicines.flat()),
    },
    crisisInterventionIdentified: crises.length > 0,
    crisisInterventionRationale:
      crises.length === 0
        ? null
        : crises
            .map((one) => {
              const words = quoteFinding(one, context)
              return [labelDanger(words, context.talk), renderLine(words)].filter(Boolean).join(' ')
            })
            .join(' '),
    crisisInterventionEvidence: listItems(inCrisis),
  }
}
