import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { ScoreRow } from './assessments.sql.js'
import type { Catalogue } from './instruments/index.js'
import { unsealResult } from './score-result.js'
import { nameSeverity } from './scoring/name-severity.js'

/** A score in a line: of what, how much, and what that is called. */
export function describeScore(
  ring: TenantKeyRing,
  catalogue: Catalogue,
  {
    scoreId,
    assessmentId,
    instrumentVersion,
    sealedResult,
  }: Pick<ScoreRow, 'scoreId' | 'assessmentId' | 'instrumentVersion' | 'sealedResult'>,
): { name: string; score: number; severityName: string | null } {
  const { score, severity } = unsealResult(ring, scoreId, sealedResult)
  const instrument = catalogue.find(assessmentId, { version: instrumentVersion })
  return { name: instrument?.name ?? assessmentId, score, severityName: nameSeverity(instrument, severity) }
}
