import { isPrescriberNoteType, type MdmFindings } from '@casenote/contract'
import type { DangerElement, DangerFinding, Finding } from '../../reader/reading.js'
import type { WritingRequest } from '../writer-engine.js'
import { makeContextFinder } from './find-context.js'
import { listFindings } from './list-findings.js'
import { itemsOf, textOf } from './line.js'
import { nameDanger } from './name-danger.js'
import { quoteFinding } from './quote-finding.js'
import { readTurns } from './read-turns.js'
import { renderLine } from './render-line.js'

const noLevel = 'A level needs a language model or the clinician.'

/** What makes a danger a crisis, if it is said of the client and of now. */
const critical: ReadonlySet<DangerElement> = new Set([
  'plan',
  'intent',
  'attempt',
  'preparation',
  'threat',
  'commands',
])

const isCrisis = (finding: Finding): finding is DangerFinding =>
  finding.kind === 'danger' &&
  finding.certainty === 'plain' &&
  finding.standing === 'affirmed' &&
  finding.time === 'present' &&
  finding.whose === 'client' &&
  (finding.matter === 'suicide' || finding.matter === 'harm_to_others') &&
  critical.has(finding.element)

const isDecision = (finding: Finding): boolean =>
  finding.kind === 'decision' &&
  (finding.about === 'medicine' || finding.about === 'test' || finding.about === 'referral')

/** What was decided about medicines, tests and referrals, as it was said. Nothing is concluded from it. */
export function deriveMdm({ noteType, transcript, reading }: WritingRequest): MdmFindings {
  if (!isPrescriberNoteType(noteType)) throw new Error('MDM elements are for prescriber note types')
  const talk = readTurns(transcript)
  const contextOf = makeContextFinder(talk, reading)
  const context = { noteType, talk, reading, contextOf }
  const decided = listFindings(reading.findings.filter(isDecision), context).filter(
    ({ heading }) => heading !== 'Danger',
  )
  const medicines = listFindings(
    reading.findings.filter((one) => one.kind === 'medicine'),
    context,
  ).filter(({ heading }) => heading === 'Medicines')
  const crises = reading.findings.filter(isCrisis)
  const quoted = crises.flatMap((one) => quoteFinding(one, context))
  return {
    problemsAddressed: decided.map((line) => ({
      problem: textOf(line),
      level: 'na',
      rationale: noLevel,
      evidence: itemsOf([line]),
    })),
    riskOfComplications: {
      level: 'na',
      rationale:
        medicines.length === 0
          ? `No medicine was named. ${noLevel}`
          : `Medicines that were named: ${medicines.map(textOf).join(' ')} ${noLevel}`,
      evidence: itemsOf(medicines),
    },
    crisisInterventionIdentified: crises.length > 0,
    crisisInterventionRationale:
      crises.length === 0
        ? null
        : crises
            .map((one) => {
              const words = quoteFinding(one, context)
              return `${nameDanger(one, words)}. ${renderLine(words)}`
            })
            .join(' '),
    crisisInterventionEvidence: [...new Set(quoted.flatMap(({ items }) => items))].toSorted((a, b) => a - b),
  }
}
