import type {
  Consent,
  ConsentLink,
  ConsentWithText,
  RecordingConsent,
  WidgetConsents,
} from '@casenote/contract'
import { signal, type Signal } from '@preact/signals'
import { EngineError } from '../src/frame/engine/engine.js'
import { at, clinician, id, joanna } from './stage-data.js'
import type { Answer } from './stage-memory.js'

const toConsent = (given: RecordingConsent, number: number): Consent => ({
  id: id(900 + number),
  clientId: joanna.id,
  personName: given.personName ?? null,
  relation: given.relation ?? 'self',
  method: given.method ?? 'by_word',
  textVersion: given.textVersion,
  textOwner: given.textOwner ?? 'casenote',
  textId: given.textId ?? null,
  language: given.language ?? null,
  status: 'given',
  givenAt: at('11-02'),
  attestedBy: { kind: 'clinician', id: clinician.id },
  withdrawnAt: null,
  withdrawnBy: null,
  createdAt: at('11-02'),
})

/** The newest first. */
export const consents: Signal<Consent[]> = signal([])

export const keepConsent = (given: RecordingConsent): void => {
  consents.value = [toConsent(given, consents.value.length), ...consents.value]
}

const text: WidgetConsents['text'] = {
  version: 'casenote-1',
  owner: 'casenote',
  language: 'en',
  text: 'Your clinician would like to record your sessions.\n\n- The recording is made only to write the note.\n- You may say no.\n\nIt is your choice.',
}

export const listConsentAnswers = (): Record<string, Answer> => ({
  'GET /client/consents': (): WidgetConsents => ({
    state: joanna.consentedAt === null && consents.value.length === 0 ? 'none' : 'given',
    text,
    consents: consents.value,
  }),
  'GET /client/consents/one': (_query, _headers, place): ConsentWithText => {
    const one = consents.value.find(({ id: consentId }) => place.endsWith(consentId))
    if (one === undefined) throw new EngineError('Not found', 404)
    return { ...one, text: one.textVersion === text.version ? text.text : null }
  },
  'POST /client/consent-link': (): ConsentLink => ({
    clientId: joanna.id,
    url: 'https://notes.example.com/c/a-link',
    expiresAt: at('12-24'),
  }),
})
