import { pageOf, type AssessmentScore, type Page } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import { isId } from '../../kernel/ids.js'
import type { TenantKeyRing, TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { countScores, selectScore, selectScores, type CountRow, type ScoreRow } from './assessments.sql.js'
import { unsealResult } from './score-result.js'

interface ScoreParts {
  db: Database
  keys: TenantKeys
}

export async function findScore(
  { db, keys }: ScoreParts,
  tenant: TenantScope,
  scoreId: string,
): Promise<AssessmentScore | null> {
  if (!isId(scoreId)) return null
  const [row] = (await db.read(tenant, selectScore(tenant, scoreId))) as ScoreRow[]
  return row === undefined ? null : toScore(await keys.get(tenant), row)
}

export async function listScores(
  { db, keys }: ScoreParts,
  tenant: TenantScope,
  { clientId, page }: { clientId: string; page: number },
): Promise<Page<AssessmentScore>> {
  const [rows, [count]] = (await db.read(
    tenant,
    selectScores(tenant, clientId, page),
    countScores(tenant, clientId),
  )) as [ScoreRow[], CountRow[]]
  const ring = await keys.get(tenant)
  return pageOf(
    rows.map((row) => toScore(ring, row)),
    count?.total ?? 0,
    page,
  )
}

function toScore(ring: TenantKeyRing, row: ScoreRow): AssessmentScore {
  const { score, severity, flags, answers } = unsealResult(ring, row.scoreId, row.sealedResult)
  return {
    id: row.scoreId,
    assessmentId: row.assessmentId,
    clientId: row.clientId,
    score,
    severity,
    flags,
    completedAt: row.completedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    answers,
  }
}
