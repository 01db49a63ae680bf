import type { FastifyInstance } from 'fastify'
import type { WidgetApi } from '../../http/widget-api.js'
import type { NotesParts } from '../progress-notes/index.js'
import { registerClients } from './clients/clients.routes.js'
import { mountFrame } from './frame/frame.routes.js'
import { registerNotes } from './notes/notes.routes.js'
import { registerRecordings, type RecordingParts } from './recordings/recordings.routes.js'
import { registerArtifacts } from './sessions/artifacts.routes.js'
import { registerSessions } from './sessions/sessions.routes.js'
import { registerTokens } from './tokens/tokens.routes.js'

export type WidgetParts = NotesParts & RecordingParts

/** The browser's side: ours and unpublished (decisions 9). */
export function registerWidget(api: WidgetApi, parts: WidgetParts): void {
  registerTokens(api, parts)
  registerClients(api, parts)
  registerSessions(api, parts)
  registerRecordings(api, parts)
  registerArtifacts(api, parts)
  registerNotes(api, parts)
}

export const mountWidgetPages = (app: FastifyInstance, { db }: Pick<WidgetParts, 'db'>): void =>
  mountFrame(app, db)
