import { deriveId, makeResource, referTo, type Resource } from './resource.js'

export interface RecordedConsent {
  clinicianId: string
  textVersion: string
  isGiven: boolean
  recordedAt: string
}

/** Each word of the client about being recorded, oldest first. The last one counts. */
export const toConsents = (clientId: string, consents: readonly RecordedConsent[]): Resource[] =>
  consents.map(({ clinicianId, textVersion, isGiven, recordedAt }, index) =>
    makeResource('Consent', deriveId('consent', clientId, String(index), recordedAt), {
      status: index === consents.length - 1 ? 'active' : 'inactive',
      scope: {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/consentscope', code: 'patient-privacy' }],
      },
      category: [{ text: 'Recording of sessions' }],
      patient: referTo(clientId),
      dateTime: recordedAt,
      performer: [referTo(clientId)],
      // R4 asks for a policy or its rule: what was agreed to is our text of that version.
      policyRule: { text: `Text about recording, version ${textVersion}` },
      verification: [{ verified: true, verifiedWith: referTo(clientId), verificationDate: recordedAt }],
      provision: { type: isGiven ? 'permit' : 'deny', actor: [toRecorder(clinicianId)] },
    }),
  )

const toRecorder = (clinicianId: string) => ({
  role: {
    coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ParticipationType', code: 'WIT' }],
    text: 'Before whom it was said',
  },
  reference: referTo(clinicianId),
})
