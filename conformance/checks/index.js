import { checks as assessments } from './assessments.js'
import { checks as authentication } from './authentication.js'
import { checks as clientLifecycle } from './client-lifecycle.js'
import { checks as clients } from './clients.js'
import { checks as clinicianTokens } from './clinician-tokens.js'
import { checks as clinicians } from './clinicians.js'
import { checks as gatewayAndErrors } from './gateway-and-errors.js'
import { checks as identifiersAndShapes } from './identifiers-and-shapes.js'
import { checks as limitsAndHeaders } from './limits-and-headers.js'
import { checks as listsAndFilters } from './lists-and-filters.js'
import { checks as nothingTwice } from './nothing-twice.js'
import { checks as organizations } from './organizations.js'
import { checks as progressNotes } from './progress-notes.js'
import { checks as sandbox } from './sandbox.js'
import { checks as secondaryClinicians } from './secondary-clinicians.js'
import { checks as sessions } from './sessions.js'
import { checks as templates } from './templates.js'
import { checks as transcriptsMdmSummaries } from './transcripts-mdm-summaries.js'
import { checks as webhooks } from './webhooks.js'

/** By file, in the order of the contract. @type {Readonly<Record<string, readonly import('../check.js').Check[]>>} */
export const checkFiles = {
  'identifiers-and-shapes': identifiersAndShapes,
  authentication,
  'gateway-and-errors': gatewayAndErrors,
  'limits-and-headers': limitsAndHeaders,
  organizations,
  'clinician-tokens': clinicianTokens,
  clinicians,
  clients,
  'client-lifecycle': clientLifecycle,
  'secondary-clinicians': secondaryClinicians,
  'lists-and-filters': listsAndFilters,
  sessions,
  'progress-notes': progressNotes,
  'transcripts-mdm-summaries': transcriptsMdmSummaries,
  assessments,
  webhooks,
  'nothing-twice': nothingTwice,
  sandbox,
  templates,
}
