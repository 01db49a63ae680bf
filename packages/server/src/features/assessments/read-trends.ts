import type { ClientId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { selectNewestScores } from './assessments.sql.js'
import type { ScoreParts } from './read-scores.js'
import { unsealResult } from './score-result.js'
import { nameSeverity } from './scoring/name-severity.js'
import { describeTrend, type Trend, type TrendScore } from './scoring/describe-trend.js'

/** Weekly for two years; a chart with more points shows none of them. */
const pointsMost = 104

/** One trend for each instrument that the client has scores of, in the order of their first score. */
export async function readTrends(
  { db, keys, instruments }: ScoreParts,
  tenant: TenantScope,
  clientId: ClientId,
): Promise<Trend[]> {
  const rows = await db.read(tenant, selectNewestScores(tenant, clientId, pointsMost))
  const [ring, catalogue] = [await keys.get(tenant), await instruments.get()]
  const assessmentIds = new Set(rows.map(({ assessmentId }) => assessmentId))
  return [...assessmentIds].flatMap((assessmentId) => {
    const ofOne = rows.filter((row) => row.assessmentId === assessmentId)
    // By the newest version that was answered: a trend is of one form, and this is the one in use.
    const version = ofOne.at(-1)?.instrumentVersion ?? ''
    const instrument = catalogue.find(assessmentId, { version })
    if (instrument === null) return []
    const scores = ofOne.map((row): TrendScore => {
      const { score, severity, flags } = unsealResult(ring, row.scoreId, row.sealedResult)
      const answered = catalogue.find(assessmentId, { version: row.instrumentVersion })
      return {
        scoreId: row.scoreId,
        completedAt: row.completedAt.toISOString(),
        score,
        severity,
        severityName: nameSeverity(answered, severity),
        flags,
      }
    })
    return [describeTrend(scores, instrument)]
  })
}
