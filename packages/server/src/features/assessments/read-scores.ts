import { pageOf, type AssessmentScore, type Page, type AskedPage } from '@casenote/contract'
import type { Database } from '../../kernel/db/database.js'
import { isId, type ClientId, type ScoreId } from '../../kernel/ids.js'
import type { TenantKeyRing, TenantKeys } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { countScores, selectScore, selectScores, type ScoreRow } from './assessments.sql.js'
import type { Catalogue, Instruments } from './instruments/index.js'
import { unsealResult } from './score-result.js'
import { describeChange } from './scoring/describe-change.js'

export interface ScoreParts {
  db: Database
  keys: TenantKeys
  instruments: Instruments
}

export async function findScore(
  { db, keys, instruments }: ScoreParts,
  tenant: TenantScope,
  scoreId: ScoreId,
): Promise<AssessmentScore | null> {
  if (!isId(scoreId)) return null
  const [row] = await db.read(tenant, selectScore(tenant, scoreId))
  return row === undefined ? null : toScore(await keys.get(tenant), await instruments.get(), row)
}

export async function listScores(
  { db, keys, instruments }: ScoreParts,
  tenant: TenantScope,
  { clientId, page }: { clientId: ClientId; page: AskedPage },
): Promise<Page<AssessmentScore>> {
  const [rows, [count]] = await db.read(
    tenant,
    selectScores(tenant, clientId, page),
    countScores(tenant, clientId),
  )
  const [ring, catalogue] = [await keys.get(tenant), await instruments.get()]
  return pageOf(
    rows.map((row) => toScore(ring, catalogue, row)),
    count?.total ?? 0,
    page,
  )
}

function toScore(ring: TenantKeyRing, catalogue: Catalogue, row: ScoreRow): AssessmentScore {
  const result = unsealResult(ring, row.scoreId, row.sealedResult)
  return {
    id: row.scoreId,
    assessmentId: row.assessmentId,
    clientId: row.clientId,
    score: result.score,
    severity: result.severity,
    flags: result.flags,
    completedAt: row.completedAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    answers: result.answers,
    subscales: result.subscales,
    bands: result.bands,
    criteria: result.criteria,
    change: changeOf(ring, catalogue, row, result.score),
    assessmentVersion: row.instrumentVersion,
    scorerVersion: row.scorerVersion,
    language: result.language,
  }
}

/** Against the client's score before this one, on the same instrument. */
function changeOf(
  ring: TenantKeyRing,
  catalogue: Catalogue,
  row: ScoreRow,
  score: number,
): AssessmentScore['change'] {
  const { previousScoreId, previousSealedResult } = row
  const instrument = catalogue.find(row.assessmentId, { version: row.instrumentVersion })
  if (previousScoreId === null || previousSealedResult === null || instrument === null) return null
  const previous = unsealResult(ring, previousScoreId, previousSealedResult)
  return { previousScoreId, ...describeChange(instrument.scoring, previous.score, score) }
}
