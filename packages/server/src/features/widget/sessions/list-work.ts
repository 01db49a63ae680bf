import type { AskedPage, WidgetWork, WorkState } from '@casenote/contract'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import { toNamePatterns } from '../../clients/index.js'
import { listWidgetSessions, type ReadParts } from './read-widget-sessions.js'
import { countWork, selectWork } from './work.sql.js'

/** What a clinician has to do: their own sessions, by how far they are and by their clients' names. */
export async function listWork(
  parts: ReadParts,
  { tenant, clinicianId }: Pick<WidgetCaller, 'tenant' | 'clinicianId'>,
  { state, name, page }: { state: WorkState | null; name: string; page: AskedPage },
): Promise<WidgetWork> {
  const statements = selectWork(tenant, { clinicianId, state, patterns: toNamePatterns(name), page })
  const [sessions, [counts = { ready: 0, underway: 0, failed: 0 }]] = await Promise.all([
    listWidgetSessions(parts, tenant, statements, page),
    parts.db.read(tenant, countWork(tenant, clinicianId)),
  ])
  return { ...sessions, counts }
}
