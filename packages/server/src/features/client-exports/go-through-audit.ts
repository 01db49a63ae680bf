import { isClinician, reportAudit } from '../../kernel/audit/index.js'
import type { ClinicianId } from '../../kernel/ids.js'
import type { ExportContext } from './export-context.js'

export interface ExportedAccess {
  at: string
  /** What kind of caller it was, and of a clinician who. */
  by: { kind: string; clinicianId: ClinicianId | null }
  operation: string
  what: string
  isRefused: boolean
}

/** That somebody else who was recorded has a session, too, is theirs to tell. */
const tellsOfAnother = 'session.link'

/**
 * Who saw or changed what, oldest first. Without the other records of an entry, since one list may have shown many clients, and
 * without addresses: where clinicians work is nothing about the client.
 */
export async function* goThroughAudit({
  parts,
  ring,
  client,
}: ExportContext): AsyncGenerator<ExportedAccess> {
  const entries = reportAudit({
    db: parts.db,
    ring,
    filter: { clientId: client.id, clinicianId: null, since: null, until: null },
    onProgress: () => {},
  })
  for await (const { at, actor, operation, status, count } of entries) {
    if (operation === tellsOfAnother) continue
    yield {
      at,
      by: { kind: actor.kind, clinicianId: isClinician(actor) ? actor.id : null },
      operation,
      what: parts.wordOperation(operation),
      isRefused: status !== undefined || count !== undefined,
    }
  }
}
