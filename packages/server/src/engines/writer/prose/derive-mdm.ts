import { isPrescriberNoteType, type MdmFindings } from '@casenote/contract'
import { EngineFault } from '../../engine-fault.js'
import { isCrisis as isPlainCrisis } from '../extract/derive-mdm.js'
import type { Finding } from '../../reader/reading.js'
import { isOwed, nameAll, nameOwed } from '../owed.js'
import type { DraftSection, JudgedSentence, WritingRequest } from '../writer-engine.js'
import { Mdm } from './answer-schemas.js'
import { askForJson, type Verdict } from './ask-for-json.js'
import { openSession } from './gather-material.js'
import { judgeSections } from './judge-sections.js'
import { listUnsaid } from './list-unsaid.js'
import { deriveMdmTask } from './prompts.js'
import { toTask, type ProseParts, type Session } from './prose-parts.js'
import { readText } from './quote-data.js'
import { estimateTokens } from './token-budget.js'

const nothingSaid: MdmFindings = {
  problemsAddressed: [],
  riskOfComplications: { level: 'na', rationale: 'The recording has no intelligible speech.', evidence: [] },
  crisisInterventionIdentified: false,
  crisisInterventionRationale: null,
  crisisInterventionEvidence: [],
}

export async function deriveMdm(
  parts: ProseParts,
  request: WritingRequest,
  signal: AbortSignal,
): Promise<MdmFindings> {
  if (!isPrescriberNoteType(request.noteType)) {
    throw new EngineFault('refused', 'MDM elements are derived for prescriber note types only')
  }
  if (request.transcript.length === 0) return nothingSaid
  const schema = Mdm(request.transcript.length)
  const promptTokens = estimateTokens(deriveMdmTask + JSON.stringify(schema))
  const session = await openSession(parts, request, promptTokens, signal)
  const task = toTask(
    'mdm_elements',
    { material: session.material, rules: deriveMdmTask },
    { schema, outputTokensMax: Math.min(parts.budget.outputTokensMax, 4_096) },
  )
  const derived = await askForJson(parts.model, task, judgeMdm, signal)
  const kept = sayCrisis(session, await keepBorneOut(parts, session, derived, signal))
  return nameUnsaid(
    kept,
    await listUnsaid(parts, request, { sentences: listTold(kept), owed: listOwed(session) }),
  )
}

/** Allergies are no part of what is decided. */
const listOwed = ({ reading }: Session): Finding[] =>
  reading.findings.filter((finding) => finding.kind !== 'allergy' && isOwed(finding))

/** All that the elements say, for the ledger. */
const listTold = ({
  problemsAddressed,
  riskOfComplications: risk,
  crisisInterventionRationale: crisis,
  crisisInterventionEvidence,
}: MdmFindings): JudgedSentence[] =>
  [
    ...problemsAddressed.map(({ problem, rationale, evidence }) => ({
      text: `${problem}: ${rationale}`,
      evidence,
    })),
    { text: risk.rationale, evidence: risk.evidence },
    { text: crisis ?? '', evidence: crisisInterventionEvidence },
  ]
    .filter(({ text }) => text !== '')
    .map(({ text, evidence }) => ({
      text,
      transcriptItems: evidence,
      judgement: 'verified' as const,
      reason: null,
    }))

/** Where what was decided is reasoned about, with its places; it sets no level. */
function nameUnsaid(derived: MdmFindings, unsaid: readonly Finding[]): MdmFindings {
  if (unsaid.length === 0) return derived
  const { riskOfComplications: risk } = derived
  const items = new Set([...risk.evidence, ...unsaid.flatMap((finding) => finding.items)])
  return {
    ...derived,
    riskOfComplications: {
      ...risk,
      rationale: `${risk.rationale} Also said: ${nameAll(unsaid, nameOwed).join('; ')}.`.trim(),
      evidence: [...items].toSorted((a, b) => a - b),
    },
  }
}

/** A crisis that was plainly said is one, whatever a model makes of it. */
function sayCrisis({ reading, transcript }: Session, derived: MdmFindings): MdmFindings {
  const crises = derived.crisisInterventionIdentified ? [] : reading.findings.filter(isPlainCrisis)
  if (crises.length === 0) return derived
  const evidence = [...new Set(crises.flatMap(({ items }) => items))].filter(
    (item) => transcript[item] !== undefined,
  )
  const words = [...new Set(crises.map((finding) => finding.words))].slice(0, quotesMax)
  return {
    ...derived,
    crisisInterventionIdentified: true,
    crisisInterventionRationale: `As said: “${words.join('” “')}”`,
    crisisInterventionEvidence: evidence.toSorted((a, b) => a - b),
  }
}

interface Reasoned {
  rationale: string
  evidence: readonly number[]
}

/**
 * A rationale that the session does not bear out is replaced by the words it rests on, and its level by `na`; of a problem the
 * name goes as well. A crisis stays
 * one: the clinician reads the words. That nothing was decided rests on nothing and is not judged.
 */
async function keepBorneOut(
  parts: ProseParts,
  session: Session,
  derived: MdmFindings,
  signal: AbortSignal,
): Promise<MdmFindings> {
  const { problemsAddressed: problems, riskOfComplications: risk } = derived
  const crisis: Reasoned = {
    rationale: derived.crisisInterventionRationale ?? '',
    evidence: derived.crisisInterventionEvidence,
  }
  const reasoned: readonly (Reasoned & { problem?: string })[] = [...problems, risk, crisis].filter(
    ({ evidence }) => evidence.length > 0,
  )
  // A problem is judged with its name: a diagnosis that nobody made has a true rationale as often as not.
  const sentences = reasoned.map((one) => ({
    text: one.problem === undefined ? one.rationale : `${one.problem}: ${one.rationale}`,
    transcriptItems: one.evidence,
  }))
  const draft = { key: 'mdm', layout: 'paragraph', sentences } satisfies DraftSection
  const [judged] = await judgeSections(parts, session, [draft], [], signal)
  const isRefused = (one: Reasoned): boolean =>
    judged?.sentences[reasoned.indexOf(one)]?.judgement === 'refused'
  const quote = ({ evidence }: Reasoned): string => {
    const said = evidence.map((item) => session.transcript[item]?.transcript ?? '')
    return `As said: “${said.slice(0, quotesMax).join('” “')}”`
  }
  const keepProblem = (one: MdmFindings['problemsAddressed'][number]): typeof one =>
    isRefused(one) ? { ...one, problem: notBorneOut, level: 'na', rationale: quote(one) } : one
  return {
    ...derived,
    problemsAddressed: problems.map(keepProblem),
    riskOfComplications: isRefused(risk) ? { ...risk, level: 'na', rationale: quote(risk) } : risk,
    crisisInterventionRationale: isRefused(crisis) ? quote(crisis) : derived.crisisInterventionRationale,
  }
}

const notBorneOut = 'Not borne out as it was derived'

/** A rationale has two sentences. */
const quotesMax = 2

/** A level above `na` needs something that was said; a crisis needs it and a reason. */
export function judgeMdm(answer: Mdm): Verdict<MdmFindings> {
  const { riskOfComplications: risk, crisisInterventionIdentified: isCrisis } = answer
  if (risk.level !== 'na' && risk.items.length === 0) return { problem: 'the level of risk rests on no item' }
  const crisisRationale = readText(answer.crisisInterventionRationale ?? '')
  if (isCrisis && (crisisRationale === '' || answer.crisisItems.length === 0)) {
    return { problem: 'the crisis has no rationale or rests on no item' }
  }
  return {
    value: {
      problemsAddressed: answer.problemsAddressed.map(({ problem, level, rationale, items }) => ({
        problem: readText(problem),
        level,
        rationale: readText(rationale),
        evidence: items,
      })),
      riskOfComplications: { level: risk.level, rationale: readText(risk.rationale), evidence: risk.items },
      crisisInterventionIdentified: isCrisis,
      crisisInterventionRationale: isCrisis ? crisisRationale : null,
      crisisInterventionEvidence: isCrisis ? answer.crisisItems : [],
    },
  }
}
