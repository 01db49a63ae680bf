import {
  pageOf,
  pageOfTen,
  type CheckMode,
  type ClientCorrection,
  type CorrectedClient,
  type ClosedDangerItem,
  type DangerItem,
  type GoneItem,
  type NoteCopy,
  type NotePatch,
  type NoteRestoration,
  type NoteSection,
  type NoteSigning,
  type NoteVersion,
  type ProgressNote,
  type RecordingConsent,
  type SessionPad,
  type SigningCheckCode,
  type StretchToStrike,
  type StruckStretch,
  type Transcript,
  type SpeakersChange,
  type TranscriptPatch,
  type WidgetAdministration,
  type WidgetReissue,
  type WidgetRevocation,
  type WidgetService,
  type WidgetSession,
  type WidgetTypedSession,
  type WidgetWork,
  type WithdrawnSession,
  type WorkState,
} from '@casenote/contract'
import { effect, signal, type Signal } from '@preact/signals'
import { EngineError, type WidgetRequests } from '../src/frame/engine/engine.js'
import { answers as someAnswers, assessments as someAssessments } from './stage-assessments.js'
import * as data from './stage-data.js'
import type { Answer, StageService } from './stage-memory.js'
import { coSign, listCoSignatureAnswers, toAwaited } from './stage-co-signature.js'
import { listCheckAnswers } from './stage-checks.js'
import { keepConsent, listConsentAnswers } from './stage-consents.js'
import { listPlanAnswers, plans } from './stage-plans.js'
import { listWordAnswers } from './stage-words.js'
import { listRewritingAnswers } from './stage-rewriting.js'

export function makeStageRequests(): StageService {
  const versions: NoteVersion[] = []
  const service: Omit<StageService, 'requests'> = {
    session: signal(data.session),
    client: signal(data.joanna),
    note: signal(data.note),
    transcript: signal(data.transcript),
    assessments: signal(someAssessments),
    pad: signal<SessionPad>({ text: '', markers: [] }),
    danger: signal<DangerItem[]>([]),
    closings: [],
    signings: [],
    expected: [],
    magicEdits: [],
    checkModes: signal<Partial<Record<SigningCheckCode, CheckMode>>>({}),
    cloned: signal<string[]>([]),
    billed: signal<WidgetService>({ serviceCode: null, startedAt: null, endedAt: null }),
    plans,
    gone: signal<GoneItem[] | null>([]),
    keeps: [],
    copies: [],
    prints: [],
    struck: [],
    typed: [],
    failures: [],
    away: signal([]),
    whenBack: (path) =>
      new Promise((resolve) => {
        const stop = effect(() => {
          if (service.away.value.some((end) => path.endsWith(end))) return
          queueMicrotask(() => stop())
          resolve()
        })
      }),
    write: (change, origin = 'edit') => {
      const { note, session } = service
      note.value = { ...note.value, ...change }
      const { progressNoteId, status, isLoading } = note.value
      if (!isLoading) versions.push(toVersion(versions.length + 1, note.value, origin))
      const etag = `"${Number(session.value.note.etag.slice(1, -1)) + 1}"`
      const awaited = toAwaited(note.value)
      session.value = {
        ...session.value,
        note: { progressNoteId, status, isLoading, hasText: true, etag, awaited },
      }
    },
  }
  versions.push(toVersion(1, data.note, 'generation'))
  return { ...service, requests: makeRequests(service, listAnswers(service, versions)) }
}

const toVersion = (version: number, note: ProgressNote, origin: NoteVersion['origin']): NoteVersion => ({
  id: `version-${version}`,
  version,
  progressNoteId: note.progressNoteId,
  origin,
  note: note.note,
  createdAt: new Date(Date.UTC(2026, 10, 15, 10, 26 + version * 15)).toISOString(),
})

type Service = Omit<StageService, 'requests'>

function makeRequests(service: Service, answers: Record<string, Answer>): WidgetRequests {
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<unknown> => {
    const [place = '', query = ''] = path.split('?')
    const failed = service.failures.findIndex((failure) => place.endsWith(failure.path))
    const [failure] = failed < 0 ? [] : service.failures.splice(failed, 1)
    if (failure !== undefined) throw new EngineError(failure.message, failure.status, {}, failure.code)
    const pattern = place
      .replace(/^\/sessions\/[^/]+/, '/session')
      .replace(/^\/clients\/[^/]+/, '/client')
      .replace(/^\/client\/consents\/.+/, '/client/consents/one')
    const answer = answers[`${method} ${pattern}`]
    if (answer === undefined) throw new EngineError('Not found', 404)
    return answer(body ?? query, headers, place)
  }
  const read = async (path: string): Promise<unknown> => {
    await service.whenBack(path)
    return call('GET', path)
  }
  return {
    get: async <Answered>(path: string) => (await read(path)) as Answered,
    send: async <Answered>(
      method: 'POST' | 'PATCH' | 'DELETE',
      path: string,
      body?: unknown,
      headers?: Record<string, string>,
    ) => (await call(method, path, body, headers)) as Answered,
    sendTagged: (async (method: string, path: string, body: unknown, headers: Record<string, string>) => ({
      body: await call(method, path, body, headers),
      etag: service.session.peek().note.etag,
    })) as WidgetRequests['sendTagged'],
    getTagged: (async (path: string) => ({
      body: await read(path),
      etag: service.session.peek().note.etag,
    })) as WidgetRequests['getTagged'],
    getBlob: async () => new Blob([toSilence(16_000)], { type: 'audio/wav' }),
    watchSession: (_sessionId, onSession) => ({
      stop: effect(() => onSession(service.session.value)),
    }),
    tell: () => {},
  }
}

function listAnswers(service: Service, versions: NoteVersion[]): Record<string, Answer> {
  const sessions = (): WidgetSession[] => [service.session.value, ...data.earlierSessions]
  return {
    'GET /clients': (query) => {
      const name = (new URLSearchParams(String(query)).get('name') ?? '').toLowerCase()
      const found = data.clients.filter((client) =>
        `${client.firstName} ${client.lastName}`.toLowerCase().includes(name),
      )
      return pageOf(found, found.length, pageOfTen())
    },
    'GET /client': (_query, _headers, place) =>
      data.clients.find((client) => place === `/clients/${client.id}` && client.id !== data.joanna.id) ??
      service.client.value,
    'POST /client/consent': (body) => {
      const { given } = body as RecordingConsent
      if (given) keepConsent(body as RecordingConsent)
      service.client.value = { ...service.client.value, consentedAt: given ? data.session.createdAt : null }
      return service.client.value
    },
    'POST /session/write-anyway': () => {
      const { value } = service.session
      service.session.value = { ...value, stage: 'writing', status: 'generating', canWriteAnyway: false }
      return service.session.value
    },
    'POST /session/try-again': () => {
      const { value } = service.session
      const note = { ...value.note, status: 'generating' as const, isLoading: true }
      service.session.value = {
        ...value,
        note,
        stage: 'writing',
        status: 'generating',
        canBeTriedAgain: false,
      }
      return service.session.value
    },
    'GET /session/text': () => ({ text: service.typed.at(-1) ?? null }),
    'POST /client/typed-sessions': (body) => {
      service.typed.push((body as WidgetTypedSession).text)
      service.session.value = {
        ...service.session.value,
        source: 'typed',
        stage: 'writing',
        status: 'generating',
      }
      return service.session.value
    },
    'GET /sessions': (query) => listWork(sessions(), new URLSearchParams(String(query))),
    ...listCoSignatureAnswers(service),
    'GET /client/sessions': () => pageOf(sessions(), sessions().length, pageOfTen()),
    ...listAssessmentAnswers(service),
    'GET /session': () => service.session.value,
    'GET /session/transcript': () => service.transcript.value,
    'POST /session/strike': (body) => strike(service, body as StretchToStrike),
    'GET /session/pad': () => service.pad.value,
    'GET /session/live-lines': (query) =>
      query === 'after=0' ? data.liveLines : { ...data.liveLines, lines: [] },
    'PATCH /session/transcript': (body) => rename(service.transcript, body as TranscriptPatch),
    'PATCH /session/speakers': (body) => nameVoices(service.transcript, body as SpeakersChange),
    ...listWordAnswers(service),
    ...listPlanAnswers(),
    ...listConsentAnswers(),
    'GET /session/summary': () => data.summary,
    'GET /session/mdm': () => data.mdm,
    'POST /session/correct-client': (body) => correctClient(service, body as ClientCorrection),
    'GET /session/withdrawn': (): WithdrawnSession => ({
      session: null,
      withdrawn: takenBack(service, service.session.value),
    }),
    ...listDangerAnswers(service),
    ...listCheckAnswers(service),
    ...listNoteAnswers(service, versions),
  }
}

function strike({ transcript, struck }: Service, stretch: StretchToStrike): StruckStretch {
  const { start, end, preview: isPreview = false } = stretch
  const { transcriptItems } = transcript.value
  const kept = transcriptItems.filter((line) => line.startTime > end || line.endTime < start)
  if (!isPreview) {
    struck.push(stretch)
    transcript.value = { ...transcript.value, transcriptItems: kept }
  }
  const lines = transcriptItems.length - kept.length
  return { sessionId: '', start, end, lines, linkedSessions: 0, danger: [], isStruck: !isPreview }
}

function listAssessmentAnswers({ assessments }: Service): Record<string, Answer> {
  const link = (isEmailed: boolean) => ({
    url: 'https://notes.example/a/t0ken',
    isEmailed,
    expiresAt: '2026-12-16T08:00:00.000Z',
  })
  return {
    'GET /client/assessments': () => assessments.value,
    'GET /client/assessments/answers': () => someAnswers,
    'POST /client/assessments': (body) => {
      const { assessmentIds, sendEmail } = body as WidgetAdministration
      const sent = someAssessments.offered
        .filter(({ id }) => assessmentIds.includes(id))
        .map(({ id, name }) => ({
          id: `assigned-${id}`,
          assessmentId: id,
          name,
          assignedAt: '2026-11-16T08:00:00.000Z',
          openedAt: null,
          expiresAt: link(true).expiresAt,
          emailStatus: sendEmail ? ('waiting' as const) : null,
          sentWith: someAssessments.offered
            .filter((other) => other.id !== id && assessmentIds.includes(other.id))
            .map((other) => other.name),
        }))
      const { outstanding } = assessments.value
      assessments.value = { ...assessments.value, outstanding: [...outstanding, ...sent] }
      return link(sendEmail)
    },
    'POST /client/assessments/reissue': (body) => link((body as WidgetReissue).sendEmail),
    'POST /client/assessments/revoke': (body) => {
      const { assignmentId } = body as WidgetRevocation
      const outstanding = assessments.value.outstanding.filter(({ id }) => id !== assignmentId)
      assessments.value = { ...assessments.value, outstanding }
    },
  }
}

const stateOf = ({ stage, note }: WidgetSession): WorkState => {
  if (note.status === 'finalized' || note.awaited !== null) return 'signed'
  if (stage === 'failed' || (note.status === 'failed' && !note.isLoading)) return 'failed'
  return stage === 'done' && !note.isLoading ? 'ready' : 'underway'
}

function listWork(sessions: readonly WidgetSession[], query: URLSearchParams): WidgetWork {
  const state = query.get('state')
  const name = (query.get('name') ?? '').toLowerCase()
  const found = sessions.filter(
    (session) =>
      (state === null ||
        stateOf(session) === state ||
        (state === 'unsigned' && stateOf(session) !== 'signed')) &&
      `${session.client.firstName} ${session.client.lastName}`.toLowerCase().includes(name),
  )
  const count = (wanted: WorkState): number =>
    sessions.filter((session) => stateOf(session) === wanted).length
  const counts = { ready: count('ready'), underway: count('underway'), failed: count('failed') }
  return { ...pageOf(found, found.length, pageOfTen()), counts }
}

const takenBack = (service: Service, wrong: WidgetSession): CorrectedClient['withdrawn'] => ({
  sessionId: wrong.sessionId,
  sessionExternalId: wrong.sessionExternalId,
  clientId: wrong.client.id,
  progressNoteIds: [wrong.note.progressNoteId],
  copies: service.copies.map(({ to, chartClientId = null }, index) => {
    const copiedAt = new Date(Date.UTC(2026, 10, 15, 10, 30 + index)).toISOString()
    return { progressNoteId: wrong.note.progressNoteId, to, chartClientId, copiedAt }
  }),
})

/** As the service does it. Where copies are named, the wrong session is still looked at. */
function correctClient(service: Service, { clientId }: ClientCorrection): CorrectedClient {
  const wrong = service.session.value
  const client = data.clients.find(({ id }) => id === clientId) ?? data.joanna
  const session = { ...wrong, client, sessionId: 'corrected', correctionOf: wrong.sessionId }
  if (service.copies.length === 0) service.session.value = session
  return { session, withdrawn: takenBack(service, wrong) }
}

function listDangerAnswers({ danger, closings }: Service): Record<string, Answer> {
  const closed: ClosedDangerItem[] = []
  const open = () => ({ items: danger.value, total: danger.value.length })
  const withoutNote = () => ({
    ...open(),
    items: danger.value.map((item): DangerItem => ({ ...item, standing: null })),
  })
  return {
    'GET /danger': withoutNote,
    'GET /client/danger': withoutNote,
    'GET /session/danger': () => ({ ...open(), closedWords: closed.map(({ words }) => words) }),
    'GET /client/danger/closed': () => ({ items: closed }),
    'POST /client/danger/seen': (body) => {
      const { itemIds } = body as { itemIds: string[] }
      const seenAt = '2026-11-16T08:00:00.000Z'
      danger.value = danger.value.map((item) => (itemIds.includes(item.id) ? { ...item, seenAt } : item))
    },
    'POST /client/danger/close': (body) => {
      const { itemIds, reason } = body as { itemIds: string[]; reason: string }
      closings.push(reason)
      for (const item of danger.value.filter(({ id }) => itemIds.includes(id)))
        closed.push({ ...item, closedAt: '2026-11-16T08:00:00.000Z', closedBy: 'Amara Osei', reason })
      danger.value = danger.value.filter(({ id }) => !itemIds.includes(id))
    },
  }
}

function listNoteAnswers(service: Service, versions: NoteVersion[]): Record<string, Answer> {
  const { note, session, write, magicEdits } = service
  const startWriting = (): ProgressNote => {
    write({ isLoading: true, status: 'generating', note: [] })
    return note.value
  }
  const requireTag = (headers: Record<string, string>): void => {
    if (headers['If-Match'] === session.value.note.etag) return
    throw new EngineError('Progress note has changed since it was read', 409)
  }
  return {
    'GET /session/progress-note': () => note.value,
    'POST /session/progress-note/copies': (body) => void service.copies.push(body as NoteCopy),
    'POST /session/progress-note/prints': (_body, _headers, place) => void service.prints.push(place),
    'PATCH /session/progress-note': (body, headers) => {
      requireTag(headers)
      const written = (body as NotePatch).note.map((section) => toSection(section, note.value))
      write({ note: written, ...(note.value.isEmptied ? { status: 'regenerated', isEmptied: false } : {}) })
      return note.value
    },
    'POST /session/progress-note/magic-edit': startWriting,
    'POST /session/progress-note/regenerate': startWriting,
    'POST /session/progress-note/finalize': (body, headers) => {
      requireTag(headers)
      const {
        openDangerReason = null,
        openDangerItemIds = [],
        expectsCoSignature = false,
      } = body as NoteSigning
      const answeredFor = new Set(openDangerReason === null ? [] : openDangerItemIds)
      const isMissing = service.danger.value.some(
        ({ id, standing }) => standing === 'not_in_note' && !answeredFor.has(id),
      )
      if (isMissing) throw new EngineError('Danger is open.', 409)
      service.signings.push(openDangerReason)
      service.expected.push(expectsCoSignature)
      const at = '2026-11-15T11:00:00.000Z'
      if (coSign(service, at)) return note.value
      const signedBy = { kind: 'clinician', id: data.clinician.id, name: 'Ada Example', at } as const
      write({ status: 'finalized', finalizedAt: at, signedBy })
      return note.value
    },
    'POST /session/progress-note/addenda': (body) => {
      const { id, text } = body as { id: string; text: string }
      const author = { kind: 'clinician', id: data.clinician.id, name: 'Ada Example' } as const
      const addendum = { id, text, author, createdAt: '2026-11-15T12:00:00.000Z' }
      write({ addenda: [...note.value.addenda, addendum] })
      return note.value
    },
    'POST /session/progress-note/restore': (body) => {
      const { version, sectionKeys = null } = body as NoteRestoration
      const old = versions[version - 1]?.note ?? []
      const isWanted = ({ key }: NoteSection): boolean => sectionKeys === null || sectionKeys.includes(key)
      const order = note.value.template.sections.map(({ key }) => key)
      const merged = [...old.filter(isWanted), ...note.value.note.filter((section) => !isWanted(section))]
      write({ note: merged.toSorted((one, other) => order.indexOf(one.key) - order.indexOf(other.key)) })
      return note.value
    },
    ...listRewritingAnswers(service, versions),
    'GET /session/progress-note/versions': () => pageOf(versions, versions.length, pageOfTen()),
    'GET /session/progress-note/magic-edits': () => pageOf(magicEdits, magicEdits.length, pageOfTen()),
  }
}

function toSection({ key, title, content }: NotePatch['note'][number], before: ProgressNote) {
  const evidence = before.note.find((section) => section.key === key)?.evidence ?? []
  return {
    key,
    title: title ?? key,
    content,
    evidence: evidence.filter(({ sentence }) => content.includes(sentence)),
  }
}

function rename(transcript: Signal<Transcript>, { speakers }: TranscriptPatch): Transcript {
  const transcriptItems = transcript.value.transcriptItems.map((item) => ({
    ...item,
    speaker: speakers[item.speaker] ?? item.speaker,
  }))
  transcript.value = { ...transcript.value, transcriptItems }
  return transcript.value
}

/** Thirty seconds of nothing, as a WAV of 16 kHz, mono, 16 bits. */
function toSilence(sampleRate: number): ArrayBuffer {
  const bytes = sampleRate * 2 * 30
  const view = new DataView(new ArrayBuffer(44 + bytes))
  const text = (offset: number, letters: string): void =>
    new TextEncoder().encode(letters).forEach((byte, index) => view.setUint8(offset + index, byte))
  text(0, 'RIFF')
  view.setUint32(4, 36 + bytes, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, bytes, true)
  return view.buffer
}

/** As the service does, without what a role does to the label. */
function nameVoices(transcript: Signal<Transcript>, { speakers: given }: SpeakersChange): Transcript {
  const speakers = (transcript.value.speakers ?? []).map((one) => {
    const { name = one.name, role = one.role } = given.find(({ voice }) => voice === one.voice) ?? {}
    return { ...one, name, role }
  })
  transcript.value = { ...transcript.value, speakers }
  return transcript.value
}
