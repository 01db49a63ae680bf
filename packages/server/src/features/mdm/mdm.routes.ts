import { Mdm } from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import type { SealedParts } from '../../kernel/change-context.js'
import { refuse } from '../../kernel/refuse.js'
import { describeFailure } from '../sessions/index.js'
import { describeMdm, findMdm } from './read-mdm.js'

export function registerMdm(api: PartnerApi, { db, keys }: SealedParts): void {
  api.route({
    operation: 'session.readMdm',
    method: 'GET',
    path: '/sessions/{sessionId}/mdm',
    summary: 'Read the MDM elements of a session',
    load: (tenant, { sessionId }) => findMdm(db, tenant, sessionId),
    answer: {
      status: 200,
      schema: Mdm,
      description: 'The MDM elements; only a session with a prescriber note type gets them',
    },
    mayBeNotReady: true,
    audit: 'read',
    subjects: ({ clientId }) => [clientId],
    handle: async ({ tenant, loaded }) => {
      const mdm = describeMdm(await keys.get(tenant), loaded)
      if (mdm === null)
        throw refuse.notReady('MDM elements have not been generated', describeFailure(loaded.failureCode))
      return mdm
    },
  })
}
