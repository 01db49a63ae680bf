import type { ProgressNote, Session, SessionSource } from '@casenote/contract'
import type { SessionId } from '../../../kernel/ids.js'
import type { ExportedNote, ExportedRecording, ExportedSession } from '../exported-session.js'
import { writeNoteText } from '../write-note-text.js'
import {
  deriveId,
  externalIdentifier,
  loinc,
  makeResource,
  ownIdentifier,
  referTo,
  type Reference,
  type Resource,
} from './resource.js'

/** The bundle lies in a folder of its own beside those of the files. */
const urlOf = (path: string): string => `../${path}`

/** Everything that one session is in FHIR. `devices` has those that were told before, and takes those that are new. */
export function toSessionResources(exported: ExportedSession, devices: Set<string>): Resource[] {
  const { session, note, recording, hasTranscript } = exported
  return [
    toEncounter(exported),
    ...(recording === null ? [] : [toMedia(session, recording)]),
    ...(hasTranscript ? [toTranscriptReference(exported)] : []),
    ...(exported.summary === null ? [] : [toSummaryReference(session, exported.summary)]),
    ...(note === null ? [] : toNoteResources(exported, note, devices)),
  ]
}

function toEncounter({ session, note }: ExportedSession): Resource {
  const setting = note?.note.preferences.sessionSetting ?? null
  return makeResource('Encounter', session.id, {
    identifier: [ownIdentifier(session.id), externalIdentifier(session.sessionExternalId)],
    status: encounterStatus(session),
    // Whether somebody came, called or was visited is not recorded by any list of codes.
    class: { system: 'http://terminology.hl7.org/CodeSystem/v3-NullFlavor', code: 'UNK', display: 'unknown' },
    type: setting === null ? [] : [{ text: setting }],
    subject: referTo(session.clientId),
    participant: [{ individual: referTo(session.clinicianId) }],
    period: session.startedAt === null ? null : { start: session.startedAt },
    serviceProvider: referTo(session.clinicId),
  })
}

/** What we know is how far the recording came, not the encounter. */
function encounterStatus({ status, failure }: Session): string {
  if (failure?.code === 'withdrawn') return 'entered-in-error'
  if (status === 'failed') return 'unknown'
  return status === 'awaiting_audio' ? 'in-progress' : 'finished'
}

/** What a clinician tells afterwards is no recording of the session: nobody was asked for it, and nobody else is heard (decision 0053). */
const recordingTitles: Readonly<Record<SessionSource, string>> = {
  recording: 'Recording of the session',
  dictated: 'Dictation by the clinician',
  // There is none.
  typed: 'Recording',
}

const transcriptTitles: Readonly<Record<SessionSource, string>> = {
  recording: 'Transcript',
  dictated: 'Transcript of the clinician’s dictation',
  typed: 'Text typed by the clinician',
}

const toMedia = (session: Session, recording: ExportedRecording): Resource =>
  makeResource('Media', deriveId('recording', session.id), {
    status: 'completed',
    type: {
      coding: [
        { system: 'http://terminology.hl7.org/CodeSystem/media-type', code: 'audio', display: 'Audio' },
      ],
    },
    subject: referTo(session.clientId),
    encounter: referTo(session.id),
    createdDateTime: session.startedAt,
    content: {
      contentType: recording.mediaType,
      url: urlOf(recording.path),
      // FHIR counts them in 32 bits.
      size: recording.sizeBytes < 2 ** 31 ? recording.sizeBytes : null,
      title: recordingTitles[session.source],
    },
  })

const transcriptId = (sessionId: SessionId): string => deriveId('transcript', sessionId)

const toTranscriptReference = ({ session, path }: ExportedSession): Resource =>
  makeResource('DocumentReference', transcriptId(session.id), {
    status: 'current',
    type: { text: transcriptTitles[session.source] },
    subject: referTo(session.clientId),
    content: [
      {
        attachment: {
          contentType: 'application/json',
          url: urlOf(path),
          title: transcriptTitles[session.source],
        },
      },
    ],
    context: { encounter: [referTo(session.id)] },
  })

const toSummaryReference = (
  session: Session,
  { id, summary, createdAt }: NonNullable<ExportedSession['summary']>,
): Resource =>
  makeResource('DocumentReference', id, {
    status: 'current',
    type: { text: 'Summary of the session' },
    subject: referTo(session.clientId),
    date: createdAt,
    content: [{ attachment: { contentType: 'text/plain', data: toBase64(summary), title: 'Summary' } }],
    context: { encounter: [referTo(session.id)] },
  })

const toBase64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64')

function toNoteResources(
  exported: ExportedSession,
  exportedNote: ExportedNote,
  devices: Set<string>,
): Resource[] {
  const { note } = exportedNote
  const device = toDevice(note)
  const isNewDevice = device !== null && !devices.has(device.id)
  if (isNewDevice) devices.add(device.id)
  return [
    ...(isNewDevice ? [device] : []),
    toNoteReference(exported, exportedNote, device),
    toProvenance(exported, note, device),
  ]
}

/** What wrote the text: the engine and its model. Null: nobody knows any more. */
function toDevice({ writer }: ProgressNote): Resource | null {
  if (writer === null) return null
  const { engine, model, isExtract } = writer
  return makeResource('Device', deriveId('writer', engine, model), {
    deviceName: [{ name: `Casenote note writer: ${engine}`, type: 'other' }],
    modelNumber: model,
    type: {
      text: isExtract ? 'Software that quotes what was said' : 'Software that writes with a language model',
    },
    version: [{ value: model }],
  })
}

/** LOINC 11506-3 is in the R4 value set c80-doc-typecodes, by that name. */
const progressNoteType = {
  coding: [{ system: loinc, code: '11506-3', display: 'Provider-unspecified Progress note' }],
}

function toNoteReference(
  { session }: ExportedSession,
  { note, pdf }: ExportedNote,
  device: Resource | null,
): Resource {
  const { signedBy, coSignedBy } = note
  const title = note.template.title
  return makeResource('DocumentReference', note.id, {
    identifier: [ownIdentifier(note.id)],
    status: 'current',
    docStatus: docStatusOf(note),
    type: { ...progressNoteType, text: title },
    subject: referTo(session.clientId),
    date: note.updatedAt,
    author: [
      signedBy === null ? referTo(session.clinicianId) : toWho(signedBy),
      device && referTo(device.id),
    ],
    authenticator: note.finalizedAt === null || signedBy === null ? null : toWho(coSignedBy ?? signedBy),
    custodian: referTo(session.clinicId),
    description: title,
    content: [
      {
        attachment: {
          contentType: 'text/plain',
          data: toBase64(writeNoteText(note)),
          title,
          creation: note.updatedAt,
        },
      },
      pdf === null
        ? null
        : {
            attachment: {
              contentType: 'application/pdf',
              url: urlOf(pdf.path),
              size: pdf.sizeBytes,
              // By R4 a SHA-1. It finds a damaged file; it proves nothing.
              hash: pdf.sha1,
              title,
              creation: note.updatedAt,
            },
          },
    ],
    context: {
      encounter: [referTo(session.id)],
      period: session.startedAt === null ? null : { start: session.startedAt },
    },
  })
}

function docStatusOf({ finalizedAt, addenda }: ProgressNote): string {
  if (finalizedAt === null) return 'preliminary'
  return addenda.length > 0 ? 'amended' : 'final'
}

/** A partner's system that signed is no person and no organization of ours. */
function toWho({ kind, id, name }: NonNullable<ProgressNote['signedBy']>): Reference {
  if (kind === 'partner') return { display: 'Signed through the partner’s system' }
  return name === null ? referTo(id) : { ...referTo(id), display: name }
}

function toProvenance(
  { session, hasTranscript, isEditedByHand }: ExportedSession,
  note: ProgressNote,
  device: Resource | null,
): Resource {
  const { signedBy, coSignedBy } = note
  return makeResource('Provenance', deriveId('provenance', note.id), {
    target: [referTo(note.id)],
    occurredDateTime: note.createdAt,
    recorded: note.finalizedAt ?? note.updatedAt,
    agent: [
      device === null
        ? toAgent('author', { display: 'Software of which nothing is known any more' })
        : toAgent('assembler', referTo(device.id)),
      isEditedByHand ? toAgent('author', referTo(session.clinicianId)) : null,
      signedBy === null ? null : toAgent('attester', toWho(signedBy)),
      coSignedBy === null ? null : toAgent('verifier', toWho(coSignedBy)),
    ],
    entity: hasTranscript ? [{ role: 'source', what: referTo(transcriptId(session.id)) }] : [],
  })
}

const toAgent = (code: 'assembler' | 'author' | 'attester' | 'verifier', who: Reference) => ({
  type: {
    coding: [{ system: 'http://terminology.hl7.org/CodeSystem/provenance-participant-type', code }],
  },
  who,
})
