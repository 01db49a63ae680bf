import type { FastifyInstance } from 'fastify'
import type { WidgetApi } from '../../http/widget-api.js'
import type { AssessmentsParts } from '../assessments/index.js'
import type { NotesParts } from '../progress-notes/index.js'
import { registerAssessments } from './assessments/assessments.routes.js'
import { registerBriefs } from './clients/briefs.routes.js'
import { registerClients } from './clients/clients.routes.js'
import { registerConsents } from './clients/consents.routes.js'
import { registerDanger } from './danger/danger.routes.js'
import { registerEvents, type EventParts } from './events/events.routes.js'
import { mountFrame } from './frame/frame.routes.js'
import { registerNotes } from './notes/notes.routes.js'
import { registerRewriting } from './notes/rewriting.routes.js'
import { registerGoals } from './plans/goals.routes.js'
import { registerPlans } from './plans/plans.routes.js'
import { registerAudio, type AudioParts } from './recordings/audio.routes.js'
import { registerLiveLines } from './recordings/live-lines.routes.js'
import { registerRecordings, type RecordingParts } from './recordings/recordings.routes.js'
import { registerArtifacts } from './sessions/artifacts.routes.js'
import { registerCorrections } from './sessions/correct-client.routes.js'
import { registerRetries } from './sessions/retry.routes.js'
import { registerPads } from './sessions/pads.routes.js'
import { registerServices } from './sessions/service.routes.js'
import { registerSessions } from './sessions/sessions.routes.js'
import { registerStrikes, type StrikeParts } from './sessions/strikes.routes.js'
import { registerWordCorrections } from './sessions/word-corrections.routes.js'
import { registerSignIn } from './sign-in/sign-in.routes.js'
import { registerTemplates } from './templates/templates.routes.js'
import { registerTokens } from './tokens/tokens.routes.js'
import type { TokenParts } from './tokens/token-parts.js'
import { registerVocabulary } from './vocabulary/vocabulary.routes.js'

export type WidgetParts = TokenParts &
  NotesParts &
  AssessmentsParts &
  RecordingParts &
  EventParts &
  AudioParts &
  StrikeParts

/** The browser's side: ours and unpublished (ruling 9). What it returns is closed with the process. */
export function registerWidget(api: WidgetApi, parts: WidgetParts): { close(): Promise<void> } {
  registerTokens(api, parts)
  registerSignIn(api, parts)
  registerClients(api, parts)
  registerConsents(api, parts)
  registerAssessments(api, parts)
  registerSessions(api, parts)
  registerPads(api, parts)
  registerServices(api, parts)
  registerCorrections(api, parts)
  registerRetries(api, parts)
  registerRecordings(api, parts)
  registerAudio(api, parts)
  registerLiveLines(api, parts)
  registerArtifacts(api, parts)
  registerWordCorrections(api, parts)
  registerVocabulary(api, parts)
  registerNotes(api, parts)
  registerRewriting(api, parts)
  registerDanger(api, parts)
  registerBriefs(api, parts)
  registerPlans(api, parts)
  registerGoals(api, parts)
  registerTemplates(api, parts)
  registerStrikes(api, parts)
  return registerEvents(api, parts)
}

export const mountWidgetPages = (app: FastifyInstance, { db }: Pick<WidgetParts, 'db'>): void =>
  mountFrame(app, db)
