import type { ClientStatus, PageInvitation } from '@casenote/contract'
import { recordChange, type ChangeSource, type ReadAudit } from '../../kernel/audit/index.js'
import type { Database } from '../../kernel/db/database.js'
import { refuse } from '../../kernel/refuse.js'
import { applyClientAction } from '../clients/index.js'
import { selectClinicOfClient } from './assignments.sql.js'
import type { Opening } from './opening.js'

/** Who invites, and what became of it. Nothing else of the client: the link may lie in a shared mailbox. */
export async function readInvitation(
  { db, reads }: { db: Database; reads: ReadAudit },
  opening: Opening,
  source: ChangeSource,
): Promise<PageInvitation> {
  const { tenant, clientId } = opening
  const invitation = await describeInvitation(db, opening)
  await reads.record(tenant, { ...source, operation: 'invitation.read', subjects: [clientId] })
  return invitation
}

/** Compare and set: whatever was answered first stands, and answering twice is no error. */
export async function answerInvitation(
  db: Database,
  opening: Opening,
  { isAccepted, actor, requestId }: ChangeSource & { isAccepted: boolean },
): Promise<PageInvitation> {
  const { tenant, clientId } = opening
  const action = isAccepted ? 'acceptInvitation' : 'declineInvitation'
  await db.write(tenant, async (tx) => {
    const status = await applyClientAction(tx, clientId, action)
    if (status === null) return
    const operation = isAccepted ? 'invitation.accept' : 'invitation.decline'
    await recordChange(tx, { operation, actor, requestId, subjects: [clientId] })
  })
  return describeInvitation(db, opening)
}

async function describeInvitation(db: Database, { tenant, clientId }: Opening): Promise<PageInvitation> {
  const [row] = await db.read(tenant, selectClinicOfClient(tenant, clientId))
  if (row === undefined) throw refuse.notFound()
  const { clinicName, organizationName, language, status } = row
  return { clinicName, organizationName, language, state: stateOf(status) }
}

function stateOf(status: ClientStatus): PageInvitation['state'] {
  if (status === 'active') return 'accepted'
  return status === 'declined' ? 'declined' : 'open'
}
