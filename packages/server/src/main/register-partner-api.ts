import { registerAssessments, type AssessmentsParts } from '../features/assessments/index.js'
import { registerClientBriefs } from '../features/client-briefs/index.js'
import { registerClientExports, type ClientExportsParts } from '../features/client-exports/index.js'
import { registerClients, type ClientsParts } from '../features/clients/index.js'
import { registerConsents } from '../features/consents/index.js'
import { registerClinicians } from '../features/clinicians/index.js'
import { registerErasures, type ErasuresParts } from '../features/erasure/index.js'
import { registerMdm } from '../features/mdm/index.js'
import { registerOrganizations } from '../features/organizations/index.js'
import { registerPartners } from '../features/partners/index.js'
import { registerProgressNotes, type NotesParts } from '../features/progress-notes/index.js'
import { registerSandbox, type SandboxParts } from '../features/sandbox/index.js'
import { registerRequestLogs } from '../features/request-logs/index.js'
import { registerSessionContexts, registerSessions } from '../features/sessions/index.js'
import { registerTemplates } from '../features/templates/index.js'
import { registerSummaries } from '../features/summaries/index.js'
import { registerStrikes } from '../features/strikes/index.js'
import { registerLinkedSessions } from '../features/linked-sessions/index.js'
import { registerTranscripts } from '../features/transcripts/index.js'
import { registerTreatmentPlans } from '../features/treatment-plans/index.js'
import { registerWebhooks, type WebhookParts } from '../features/webhooks/index.js'
import {
  registerClinicianAccess,
  registerClinicianTokens,
  registerSessionRetry,
  type CorrectionParts,
  type TokenParts,
} from '../features/widget/index.js'
import { PartnerApi } from '../http/partner-api.js'

/** Every feature of the Partner API, in the order of the reference. */
export function registerPartnerApi(
  parts: TokenParts &
    ClientsParts &
    ClientExportsParts &
    WebhookParts &
    NotesParts &
    AssessmentsParts &
    CorrectionParts &
    SandboxParts &
    ErasuresParts,
): PartnerApi {
  const api = new PartnerApi()
  registerPartners(api, parts)
  registerOrganizations(api, parts)
  registerClinicians(api, parts)
  registerClinicianTokens(api, parts)
  registerClinicianAccess(api, parts)
  registerClients(api, parts)
  registerConsents(api, parts)
  registerTreatmentPlans(api, parts)
  registerClientExports(api, parts)
  registerSessions(api, parts)
  registerSessionRetry(api, parts)
  registerSessionContexts(api, parts)
  registerTranscripts(api, parts)
  registerLinkedSessions(api, parts)
  registerStrikes(api, parts)
  registerProgressNotes(api, parts)
  registerMdm(api, parts)
  registerSummaries(api, parts)
  registerAssessments(api, parts)
  registerClientBriefs(api, parts)
  registerWebhooks(api, parts)
  registerSandbox(api, parts)
  registerRequestLogs(api, parts)
  registerTemplates(api, parts)
  registerErasures(api, parts)
  return api
}
