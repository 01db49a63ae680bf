import {
  FinishedSitting,
  InvitationAnswer,
  LinkOpening,
  OpenedLink,
  PageConsent,
  PageAnswers,
  PageInvitation,
  PageSignature,
  PageSitting,
  SavedAnswers,
} from '@casenote/contract'
import type { PageApi, PageContext } from '../../http/page-api.js'
import { sealAddressOfClient, type ChangeSource } from '../../kernel/audit/index.js'
import { answerInvitation, readInvitation } from './answer-invitation.js'
import type { ClientPagesParts } from './client-pages-parts.js'
import { sendAnswers } from './end-sittings.js'
import { openLink } from './open-link.js'
import { getOpening, type Opening } from './opening.js'
import { readSitting } from './read-sitting.js'
import { saveAnswers } from './save-answers.js'
import { signConsent, takeBackConsent, viewConsent } from './sign-consent.js'

export function registerClientPages(api: PageApi, parts: ClientPagesParts): void {
  const { db, keys, instruments } = parts
  const sourceOf = async (
    { tenant, clientId }: Opening,
    { requestId, address }: Pick<PageContext<never>, 'requestId' | 'address'>,
  ): Promise<ChangeSource> => {
    const from = sealAddressOfClient(await keys.get(tenant), clientId, address)
    return { actor: { kind: 'client', id: clientId, from }, requestId }
  }
  api.route({
    operation: 'clientLink.open',
    method: 'POST',
    path: '/open',
    body: LinkOpening,
    answer: OpenedLink,
    refusal: 'The link could not be opened',
    handle: ({ body, ...source }) => openLink(parts, body, source),
  })
  api.route({
    operation: 'assessment.resume',
    method: 'GET',
    path: '/sitting',
    answer: PageSitting,
    handle: async ({ picked, languages, ...page }) => {
      const opening = await getOpening(db, 'assessments', page)
      return readSitting(parts, opening, { picked, languages, ...(await sourceOf(opening, page)) })
    },
  })
  api.route({
    operation: 'assessment.answer',
    method: 'POST',
    path: '/answers',
    body: PageAnswers,
    answer: SavedAnswers,
    handle: async ({ body, ...page }) => {
      const opening = await getOpening(db, 'assessments', page)
      const sealing = { ring: await keys.get(opening.tenant), catalogue: await instruments.get() }
      const given = { ...body, ...(await sourceOf(opening, page)) }
      return db.write(opening.tenant, (tx) => saveAnswers(tx, sealing, opening, given))
    },
  })
  api.route({
    operation: 'assessment.send',
    method: 'POST',
    path: '/send',
    answer: FinishedSitting,
    handle: async (page) => {
      const opening = await getOpening(db, 'assessments', page)
      return sendAnswers(parts, opening, await sourceOf(opening, page))
    },
  })
  api.route({
    operation: 'invitation.read',
    method: 'GET',
    path: '/invitation',
    answer: PageInvitation,
    handle: async (page) => {
      const opening = await getOpening(db, 'invitation', page)
      return readInvitation(parts, opening, await sourceOf(opening, page))
    },
  })
  api.route({
    operation: 'invitation.answer',
    method: 'POST',
    path: '/invitation',
    body: InvitationAnswer,
    answer: PageInvitation,
    handle: async ({ body, ...page }) => {
      const opening = await getOpening(db, 'invitation', page)
      return answerInvitation(db, opening, { ...body, ...(await sourceOf(opening, page)) })
    },
  })
  registerConsent(api, parts, sourceOf)
}

function registerConsent(
  api: PageApi,
  parts: ClientPagesParts,
  sourceOf: (
    opening: Opening,
    page: Pick<PageContext<never>, 'requestId' | 'address'>,
  ) => Promise<ChangeSource>,
): void {
  const { db } = parts
  const readerOf = async (opening: Opening, page: Omit<PageContext<never>, 'body'>) => {
    const { picked, languages } = page
    return { picked, languages, ...(await sourceOf(opening, page)) }
  }
  api.route({
    operation: 'consent.view',
    method: 'GET',
    path: '/consent',
    answer: PageConsent,
    handle: async (page) => {
      const opening = await getOpening(db, 'consent', page)
      return viewConsent(parts, opening, await readerOf(opening, page))
    },
  })
  api.route({
    operation: 'consent.sign',
    method: 'POST',
    path: '/consent',
    body: PageSignature,
    answer: PageConsent,
    handle: async ({ body, ...page }) => {
      const opening = await getOpening(db, 'consent', page)
      return signConsent(parts, opening, { ...body, ...(await readerOf(opening, page)) })
    },
  })
  api.route({
    operation: 'consent.takeBack',
    method: 'POST',
    path: '/consent/withdraw',
    answer: PageConsent,
    handle: async (page) => {
      const opening = await getOpening(db, 'consent', page)
      return takeBackConsent(parts, opening, await readerOf(opening, page))
    },
  })
}
