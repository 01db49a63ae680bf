import {
  FinishedSitting,
  InvitationAnswer,
  LinkOpening,
  OpenedLink,
  PageAnswers,
  PageInvitation,
  PageSitting,
  SavedAnswers,
} from '@casenote/contract'
import type { PageApi } from '../../http/page-api.js'
import { answerInvitation, readInvitation } from './answer-invitation.js'
import type { ClientPagesParts } from './client-pages-parts.js'
import { sendAnswers } from './end-sittings.js'
import { openLink } from './open-link.js'
import { getOpening } from './opening.js'
import { readSitting } from './read-sitting.js'
import { saveAnswers } from './save-answers.js'

export function registerClientPages(api: PageApi, parts: ClientPagesParts): void {
  const { db, keys, instruments } = parts
  api.route({
    operation: 'clientLink.open',
    method: 'POST',
    path: '/open',
    body: LinkOpening,
    answer: OpenedLink,
    refusal: 'The link could not be opened',
    handle: ({ body, requestId }) => openLink(db, body, requestId),
  })
  api.route({
    operation: 'assessment.resume',
    method: 'GET',
    path: '/sitting',
    answer: PageSitting,
    handle: async ({ bearer, languages, requestId }) =>
      readSitting(parts, await getOpening(db, 'assessments', bearer), { languages, requestId }),
  })
  api.route({
    operation: 'assessment.answer',
    method: 'POST',
    path: '/answers',
    body: PageAnswers,
    answer: SavedAnswers,
    handle: async ({ bearer, body, requestId }) => {
      const opening = await getOpening(db, 'assessments', bearer)
      const sealing = { ring: await keys.get(opening.tenant), catalogue: await instruments.get() }
      return db.write(opening.tenant, (tx) => saveAnswers(tx, sealing, opening, { ...body, requestId }))
    },
  })
  api.route({
    operation: 'assessment.send',
    method: 'POST',
    path: '/send',
    answer: FinishedSitting,
    handle: async ({ bearer, requestId }) =>
      sendAnswers(parts, await getOpening(db, 'assessments', bearer), requestId),
  })
  api.route({
    operation: 'invitation.read',
    method: 'GET',
    path: '/invitation',
    answer: PageInvitation,
    handle: async ({ bearer, requestId }) =>
      readInvitation(parts, await getOpening(db, 'invitation', bearer), requestId),
  })
  api.route({
    operation: 'invitation.answer',
    method: 'POST',
    path: '/invitation',
    body: InvitationAnswer,
    answer: PageInvitation,
    handle: async ({ bearer, body, requestId }) =>
      answerInvitation(db, await getOpening(db, 'invitation', bearer), { ...body, requestId }),
  })
}
