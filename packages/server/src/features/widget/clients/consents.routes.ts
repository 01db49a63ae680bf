import {
  Consent,
  ConsentLink,
  ConsentWithdrawal,
  ConsentWithText,
  RecordingConsent,
  WidgetClient,
  WidgetConsents,
} from '@casenote/contract'
import type { WidgetApi } from '../../../http/widget-api.js'
import type { WidgetCaller } from '../../../http/widget-caller.js'
import { openChange, type SealedParts } from '../../../kernel/change-context.js'
import { refuse } from '../../../kernel/refuse.js'
import {
  describeConsent,
  findConsent,
  giveConsent,
  makeConsentLink,
  readNewestConsents,
  readTextFor,
  showConsent,
  withdrawAll,
  withdrawConsent,
} from '../../consents/index.js'
import { describeTreatedClient, findTreatedClient } from './treated-clients.js'

const sayer = ({ clinicianId }: WidgetCaller) => ({ saidTo: 'clinician', clinicianId }) as const

/** Consents that are given in the room: what somebody said or signed before the clinician, and who has said what. */
export function registerConsents(api: WidgetApi, parts: SealedParts): void {
  const { db, keys, publicUrl } = parts
  const load = (caller: WidgetCaller, { clientId }: Record<'clientId', string>) =>
    findTreatedClient(db, caller, clientId)
  api.route({
    operation: 'widget.recordConsent',
    method: 'POST',
    path: '/clients/{clientId}/consent',
    load,
    body: RecordingConsent,
    answer: { status: 200, schema: WidgetClient },
    audit: 'change',
    handle: async ({ caller, loaded, body, ...source }) => {
      const { clientId } = loaded
      const { given, textVersion, textOwner, textId, consentId, language, method, relation, personName } =
        body
      const context = await openChange(parts, caller.tenant, source)
      const by = { clientId, ...sayer(caller) }
      await db.write<unknown>(caller.tenant, (tx) =>
        given
          ? giveConsent(tx, context, {
              ...by,
              consentId,
              textVersion,
              textOwner: textOwner ?? null,
              textId: textId ?? null,
              language: language ?? null,
              method: method ?? 'by_word',
              relation: relation ?? 'self',
              personName: personName ?? null,
              operation: 'widget.recordConsent',
              isTextUnknownTaken: method === undefined,
            })
          : withdrawAll(tx, context, {
              ...by,
              refusedText: textVersion,
              operation: 'widget.withdrawConsent',
            }),
      )
      return describeTreatedClient(db, caller, loaded)
    },
  })
  api.route({
    operation: 'widget.listConsents',
    method: 'GET',
    path: '/clients/{clientId}/consents',
    load,
    answer: { status: 200, schema: WidgetConsents },
    audit: 'read',
    handle: async ({ caller: { tenant }, loaded: { clientId, language } }) => {
      const ring = await keys.get(tenant)
      const { state, consents } = await readNewestConsents(db, ring, { clientId, isOwn: false })
      return { state, consents, text: await readTextFor(db, tenant, { clientId, languages: [language] }) }
    },
  })
  api.route({
    operation: 'widget.readConsent',
    method: 'GET',
    path: '/clients/{clientId}/consents/{consentId}',
    load: async (caller, { clientId, consentId }) =>
      (await findTreatedClient(db, caller, clientId)) === null
        ? null
        : findConsent(db, caller.tenant, clientId, consentId),
    answer: { status: 200, schema: ConsentWithText },
    audit: 'read',
    handle: async ({ caller: { tenant }, loaded }) => showConsent(db, await keys.get(tenant), loaded),
  })
  api.route({
    operation: 'widget.withdrawConsent',
    method: 'POST',
    path: '/clients/{clientId}/consent-withdrawals',
    load,
    body: ConsentWithdrawal,
    answer: { status: 200, schema: Consent },
    audit: 'change',
    handle: async ({ caller, loaded: { clientId }, body: { consentId }, ...source }) => {
      if ((await findConsent(db, caller.tenant, clientId, consentId)) === null)
        throw refuse.invalid(['consentId must be a consent of the client'])
      const context = await openChange(parts, caller.tenant, source)
      const withdrawal = { clientId, consentId, operation: 'widget.withdrawConsent', ...sayer(caller) }
      const row = await db.write(caller.tenant, (tx) => withdrawConsent(tx, context, withdrawal))
      return describeConsent(context.ring, row)
    },
  })
  api.route({
    operation: 'widget.makeConsentLink',
    method: 'POST',
    path: '/clients/{clientId}/consent-link',
    load,
    answer: { status: 201, schema: ConsentLink },
    audit: 'change',
    handle: ({ caller, loaded: { clientId }, actor, requestId }) =>
      db.write(caller.tenant, (tx) =>
        makeConsentLink(
          tx,
          { clientId, publicUrl, operation: 'widget.makeConsentLink' },
          { actor, requestId },
        ),
      ),
  })
}
