import { isPrescriberNoteType, type MdmFindings } from '@casenote/contract'
import { EngineFault } from '../../engine-fault.js'
import type { WritingRequest } from '../writer-engine.js'
import { Mdm } from './answer-schemas.js'
import { askForJson, type Verdict } from './ask-for-json.js'
import type { ChatModel } from './chat.js'
import { gatherMaterial } from './gather-material.js'
import { ask, deriveMdmSystem } from './prompts.js'
import { readText } from './quote-data.js'
import { estimateTokens, type TokenBudget } from './token-budget.js'

const nothingSaid: MdmFindings = {
  problemsAddressed: [],
  riskOfComplications: { level: 'na', rationale: 'The recording has no intelligible speech.', evidence: [] },
  crisisInterventionIdentified: false,
  crisisInterventionRationale: null,
  crisisInterventionEvidence: [],
}

export async function deriveMdm(
  chat: ChatModel,
  budget: TokenBudget,
  request: WritingRequest,
  signal: AbortSignal,
): Promise<MdmFindings> {
  if (!isPrescriberNoteType(request.noteType)) {
    throw new EngineFault('refused', 'MDM elements are derived for prescriber note types only')
  }
  if (request.transcript.length === 0) return nothingSaid
  const schema = Mdm(request.transcript.length)
  const promptTokens = estimateTokens(deriveMdmSystem + JSON.stringify(schema))
  const material = await gatherMaterial(chat, budget, request.transcript, promptTokens, signal)
  const task = {
    name: 'mdm_elements',
    system: deriveMdmSystem,
    user: `${material}\n\n${ask.mdm}`,
    schema,
    outputTokensMax: Math.min(budget.outputTokensMax, 4_096),
  }
  return askForJson(chat, task, judgeMdm, signal)
}

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
