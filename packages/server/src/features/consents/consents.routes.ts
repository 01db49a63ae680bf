import {
  Consent,
  ConsentCreate,
  ConsentLink,
  ConsentText,
  ConsentTextQuery,
  ConsentWithText,
  PageOf,
  PageQuery,
} from '@casenote/contract'
import type { PartnerApi } from '../../http/partner-api.js'
import { openChange, type SealedParts } from '../../kernel/change-context.js'
import type { ClientId, ConsentId } from '../../kernel/ids.js'
import type { TenantScope } from '../../kernel/tenant.js'
import { findClient } from '../clients/index.js'
import { readTextFor } from './consent-texts.js'
import { describeConsent } from './describe-consent.js'
import { consentsMax, giveConsent } from './give-consent.js'
import { makeConsentLink } from './make-link.js'
import { findConsent, listConsents } from './read-consents.js'
import { showConsent } from './read-signed-texts.js'
import { withdrawConsent } from './withdraw-consent.js'

const byPartner = { saidTo: 'partner', clinicianId: null } as const

/** Our addition: who agreed to be recorded (decision 0048). */
export function registerConsents(api: PartnerApi, parts: SealedParts): void {
  const { db, keys, publicUrl } = parts
  const load = (tenant: TenantScope, { clientId }: { clientId: ClientId }) => findClient(db, tenant, clientId)
  const loadConsent = (
    tenant: TenantScope,
    { clientId, consentId }: { clientId: ClientId; consentId: ConsentId },
  ) => findConsent(db, tenant, clientId, consentId)
  api.route({
    operation: 'consent.list',
    method: 'GET',
    path: '/clients/{clientId}/consents',
    summary: 'List the consents of a client',
    load,
    query: PageQuery,
    answer: {
      status: 200,
      schema: PageOf(Consent),
      description: 'A page of consents, oldest first, also those that were withdrawn',
    },
    audit: 'read',
    handle: async ({ tenant, loaded: { clientId }, page }) =>
      listConsents(db, await keys.get(tenant), { clientId, page }),
  })
  api.route({
    operation: 'consent.create',
    method: 'POST',
    path: '/clients/{clientId}/consents',
    summary: 'Attest that somebody agreed to a recording of the client',
    load,
    body: ConsentCreate,
    answer: { status: 201, schema: Consent, description: 'The consent' },
    rules: { 409: `\`Client is archived\`, or the client has ${consentsMax} consents` },
    audit: 'change',
    handle: async ({ tenant, loaded: { clientId }, body, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const { method, textVersion, textOwner, textId, language, relation, personName } = body
      const given = {
        clientId,
        method,
        textVersion,
        textOwner: textOwner ?? null,
        textId: textId ?? null,
        language: language ?? null,
        relation: relation ?? 'self',
        personName: personName ?? null,
        operation: 'consent.create',
        ...byPartner,
      }
      const row = await db.write(tenant, (tx) => giveConsent(tx, context, given))
      return describeConsent(context.ring, row)
    },
  })
  api.route({
    operation: 'consent.read',
    method: 'GET',
    path: '/clients/{clientId}/consents/{consentId}',
    summary: 'Read a consent, with the words that were agreed to',
    load: loadConsent,
    answer: {
      status: 200,
      schema: ConsentWithText,
      description: 'The consent, also where it was withdrawn, and the text that was read for it',
    },
    audit: 'read',
    handle: async ({ tenant, loaded }) => showConsent(db, await keys.get(tenant), loaded),
  })
  api.route({
    operation: 'consent.withdraw',
    method: 'POST',
    path: '/clients/{clientId}/consents/{consentId}/withdraw',
    summary: 'Withdraw a consent',
    load: loadConsent,
    answer: {
      status: 200,
      schema: Consent,
      description:
        'The consent, withdrawn; a recording that is under way ends. Withdrawn already: the same, no second event',
    },
    audit: 'change',
    handle: async ({ tenant, loaded: { clientId, consentId }, ...caller }) => {
      const context = await openChange(parts, tenant, caller)
      const row = await db.write(tenant, (tx) =>
        withdrawConsent(tx, context, { clientId, consentId, operation: 'consent.withdraw', ...byPartner }),
      )
      return describeConsent(context.ring, row)
    },
  })
  api.route({
    operation: 'consent.readText',
    method: 'GET',
    path: '/clients/{clientId}/consent-text',
    summary: 'Read what a client is asked to agree to',
    load,
    query: ConsentTextQuery,
    answer: {
      status: 200,
      schema: ConsentText,
      description:
        'The newest text of the client’s clinic, else of its organization, else of the partner, else the one that comes with Casenote',
    },
    audit: 'read',
    handle: async ({ tenant, loaded: { clientId, language }, query }) => ({
      clientId,
      ...(await readTextFor(db, tenant, { clientId, languages: [query.language, language] })),
    }),
  })
  api.route({
    operation: 'consent.makeLink',
    method: 'POST',
    path: '/clients/{clientId}/consent-link',
    summary: 'Make a link with which a client reads, signs and withdraws',
    load,
    answer: {
      status: 201,
      schema: ConsentLink,
      description: 'The link, shown this once; the one before ends',
    },
    rules: { 409: '`Client is archived`' },
    audit: 'change',
    handle: ({ tenant, loaded: { clientId }, actor, requestId }) =>
      db.write(tenant, (tx) =>
        makeConsentLink(tx, { clientId, publicUrl, operation: 'consent.makeLink' }, { actor, requestId }),
      ),
  })
}
