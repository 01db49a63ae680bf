import type { ConsentMethod, ConsentRelation, ConsentSaidTo, TextLanguage } from '@casenote/contract'
import type { ClientId, ClinicianId, ConsentId } from '../../../kernel/ids.js'
import type { SignedText } from '../../consents/index.js'
import { deriveId, makeResource, referTo, type Resource } from './resource.js'

export interface RecordedConsent {
  consentId: ConsentId
  /** Null: before nobody of the clinic. */
  clinicianId: ClinicianId | null
  saidTo: ConsentSaidTo
  /** As it was typed; null: the client. */
  personName: string | null
  relation: ConsentRelation
  method: ConsentMethod
  textVersion: string
  textId: string | null
  language: TextLanguage | null
  isGiven: boolean
  /** Which consent is taken back; null: the word gives, or takes back all that the client had given. */
  withdraws: string | null
  recordedAt: string
}

/** A yes until somebody takes it back; a no as long as nothing was said after it. */
function holds(consents: readonly RecordedConsent[], index: number): boolean {
  const said = consents[index]
  const later = consents.slice(index + 1)
  if (said?.isGiven !== true) return later.length === 0
  return !later.some(({ isGiven, withdraws }) => !isGiven && takesBack(withdraws, said))
}

const takesBack = (withdraws: string | null, { consentId, relation }: RecordedConsent): boolean =>
  withdraws === null ? relation !== 'participant' : withdraws === consentId

/** Every word, and what the words were read from, as it was then. */
export interface ToldConsents {
  consents: readonly RecordedConsent[]
  consentTexts: readonly SignedText[]
}

/** Each word about being recorded, oldest first; one by one, since each that gives has the text in it. */
export function* toConsents(
  clientId: ClientId,
  { consents, consentTexts }: ToldConsents,
): Generator<Resource> {
  for (const [index, consent] of consents.entries()) {
    const { consentId, clinicianId, textVersion, isGiven, recordedAt, ...word } = consent
    const text = isGiven ? consentTexts.find(({ consentIds }) => consentIds.includes(consentId)) : undefined
    yield makeResource('Consent', deriveId('consent', clientId, consentId, recordedAt), {
      status: holds(consents, index) ? 'active' : 'inactive',
      scope: {
        coding: [{ system: 'http://terminology.hl7.org/CodeSystem/consentscope', code: 'patient-privacy' }],
      },
      category: [{ text: 'Recording of sessions' }],
      patient: referTo(clientId),
      dateTime: recordedAt,
      performer: [toPerformer(clientId, word)],
      ...(text === undefined ? {} : { sourceAttachment: toAttachment(text) }),
      // R4 asks for a policy or its rule: what was agreed to is the text of that version.
      policyRule: { text: `Text about recording, version ${textVersion}` },
      verification: [
        { verified: true, verifiedWith: toPerformer(clientId, word), verificationDate: recordedAt },
      ],
      provision: {
        type: isGiven ? 'permit' : 'deny',
        ...(clinicianId === null ? {} : { actor: [toRecorder(clinicianId)] }),
      },
    })
  }
}

const toAttachment = ({ version, language, text }: SignedText) => ({
  contentType: 'text/plain; charset=utf-8',
  language,
  data: Buffer.from(text).toString('base64'),
  title: `Text about recording, version ${version}`,
})

/** Others than the client are no resources of the bundle: they stand by the name that they signed with. */
const toPerformer = (
  clientId: ClientId,
  { relation, personName }: Pick<RecordedConsent, 'relation' | 'personName'>,
) => (relation === 'self' ? referTo(clientId) : { display: `${personName ?? ''} (${relation})` })

const toRecorder = (clinicianId: ClinicianId) => ({
  role: {
    coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ParticipationType', code: 'WIT' }],
    text: 'Before whom it was said',
  },
  reference: referTo(clinicianId),
})
