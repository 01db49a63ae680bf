import type { ProofResult } from './run-proof.js'

/** What a clinic should ask of a writer before anybody signs what it writes. */
const factsShareMin = 0.8
const refusedShareMax = 0.05

export interface ProofVerdict {
  isPassed: boolean
  /** In sentences for the operator; empty when passed. */
  problems: string[]
}

export const sum = (results: readonly ProofResult[], key: keyof ProofResult): number =>
  results.reduce((total, result) => total + Number(result[key]), 0)

/** Danger counts whole: one that is neither written nor listed is too many. */
export function judgeProof(results: readonly ProofResult[], isExtract: boolean): ProofVerdict {
  const facts = sum(results, 'factsWritten') / Math.max(1, sum(results, 'facts'))
  const refused = sum(results, 'refusedAfterRepair') / Math.max(1, sum(results, 'sentences'))
  const untold = sum(results, 'danger') - sum(results, 'dangerTold')
  const problems = [
    ...(untold > 0 ? [`${untold} mentions of danger are neither written nor listed.`] : []),
    ...(sum(results, 'forbidden') > 0 && !isExtract
      ? [`${sum(results, 'forbidden')} statements stand that must not be.`]
      : []),
    ...(facts < factsShareMin && !isExtract
      ? [`${Math.round(facts * 100)} % of the facts are written; ${factsShareMin * 100} % are asked for.`]
      : []),
    ...(refused > refusedShareMax
      ? [`${Math.round(refused * 100)} % of the sentences are refused after repair.`]
      : []),
  ]
  return { isPassed: problems.length === 0, problems }
}
