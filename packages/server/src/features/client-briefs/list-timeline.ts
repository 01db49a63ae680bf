import { pageOf, type AskedPage, type Page, type TimelineEntry } from '@casenote/contract'
import { builtInTemplate } from '../../engines/writer/templates/built-in-templates.js'
import type { ClientId } from '../../kernel/ids.js'
import type { TenantKeyRing } from '../../kernel/secrets/tenant-keys.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { describeScore, type Catalogue } from '../assessments/index.js'
import { unsealItem } from '../danger/index.js'
import { countTimeline, selectTimeline, type TimelineRow } from './client-briefs.sql.js'
import type { BriefParts } from './read-brief.js'

/** What happened with a client, newest first. */
export async function listTimeline(
  { db, keys, instruments }: BriefParts,
  tenant: TenantScope,
  { clientId, page }: { clientId: ClientId; page: AskedPage },
): Promise<Page<TimelineEntry>> {
  const [rows, [count]] = await db.read(
    tenant,
    selectTimeline(tenant, clientId, page),
    countTimeline(tenant, clientId),
  )
  const [ring, catalogue] = [await keys.get(tenant), await instruments.get()]
  const data = rows.map((row) => toEntry(ring, catalogue, row))
  return pageOf(data, count?.total ?? 0, page)
}

function toEntry(ring: TenantKeyRing, catalogue: Catalogue, row: TimelineRow): TimelineEntry {
  const { id, kind, at, sessionId, progressNoteId, scoreId, status } = row
  return {
    id,
    kind,
    at: at.toISOString(),
    sessionId,
    progressNoteId,
    assessmentScoreId: scoreId,
    status,
    ...describe(ring, catalogue, row),
  }
}

function describe(
  ring: TenantKeyRing,
  catalogue: Catalogue,
  { id, noteType, assessmentId, instrumentVersion, scoreId, sealed }: TimelineRow,
): Pick<TimelineEntry, 'label' | 'score' | 'severityName'> {
  if (noteType !== null) return { label: builtInTemplate(noteType).title, score: null, severityName: null }
  if (sealed === null) throw new Error('something of a timeline has neither a note nor what it says')
  if (scoreId === null || assessmentId === null || instrumentVersion === null)
    return {
      label: unsealItem(ring, { itemId: id, sealedItem: sealed }).label,
      score: null,
      severityName: null,
    }
  const { name, score, severityName } = describeScore(ring, catalogue, {
    scoreId,
    assessmentId,
    instrumentVersion,
    sealedResult: sealed,
  })
  return { label: name, score, severityName }
}
