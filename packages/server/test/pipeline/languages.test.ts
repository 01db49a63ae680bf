import { randomUUID } from 'node:crypto'
import type {
  PartnerApiError,
  ProgressNote,
  Session,
  SessionFailure,
  StruckStretch,
  Summary,
  Transcript,
  WidgetClinician,
  WidgetSession,
} from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClient } from '../../src/features/clients/index.js'
import { liftLegalHold, placeLegalHold } from '../../src/features/erasure/index.js'
import { operator } from '../../src/kernel/operator.js'
import { OpenAiTestServer } from '../engines/openai-server.js'
import { Script } from '../engines/scripted-models.js'
import { CasenoteProcess, runCasenote, waitUntil } from '../support/casenote-process.js'
import { listEvents } from '../support/outcomes.js'
import { completeRecordingOf } from '../widget/complete-recording-of.js'
import { giveConsent, signIn, type SignedIn } from '../widget/widget-fixture.js'
import { openPipelineRun, visit, type PipelineRun } from './pipeline-fixture.js'

const spoken = 'Tengo miedo por las noches y a veces pienso que sería mejor no despertarme.'
const english = 'I have slept badly since the spring and the work is too much for me.'

/** Another's program: it writes down what was spoken in the language that it was told. */
const script = new Script()
const server = new OpenAiTestServer({
  apiKey: null,
  writeAsModel: script.writeAsModel,
  transcribe: ({ fields }) => ({ text: fields.language === 'es' ? spoken : english }),
})

let run: PipelineRun
let clinician: SignedIn
let worker: CasenoteProcess
let modelSettings: Record<string, string>
let fileUrl: string

beforeAll(async () => {
  const url = await server.start()
  run = await openPipelineRun(null, {
    CASENOTE_SPEECH_ENGINE: 'openai',
    CASENOTE_SPEECH_URL: url,
    CASENOTE_SPEECH_MODEL: 'whisper',
    CASENOTE_SPEECH_LANGUAGES: 'es,fr',
  })
  modelSettings = {
    CASENOTE_WRITER_ENGINE: 'openai',
    CASENOTE_WRITER_URL: url,
    CASENOTE_WRITER_MODEL: 'local',
    // What a model cannot do is quoted, where it can be.
    CASENOTE_WRITER_FALLBACK: 'extract',
  }
  worker = new CasenoteProcess(['worker'], run.env)
  clinician = await signIn(run.service, run.partner)
  run.files.serve('/visit.ogg', visit('mood and doses'))
  fileUrl = run.files.urlOf('/visit.ogg')
})
afterAll(async () => {
  await worker.end('SIGTERM')
  await run.close()
  await server.close()
  if (server.problems.length > 0) throw new Error(`the protocol was broken: ${server.problems.join(', ')}`)
})

const typed = 'El cliente duerme mal desde mayo y dice que ya no quiere vivir.\nQuiere volver en una semana.'

const read = async <Body>(path: string): Promise<Body> => (await run.call<Body>('GET', path)).body
const noteOf = (sessionId: string): Promise<ProgressNote> => read(`/sessions/${sessionId}/progress-note`)
const wordsOf = async (sessionId: string): Promise<string> =>
  (await read<Transcript>(`/sessions/${sessionId}/transcript`)).transcriptItems
    .map(({ transcript }) => transcript)
    .join(' ')
const eventsOf = async (sessionId: string): Promise<string[]> =>
  (await listEvents(run.service, { tenantId: run.partner.partnerId }, sessionId)).map(
    ({ eventType }) => eventType,
  )
const strike = (sessionId: string, item?: { startTime: number; endTime: number }) =>
  run.call<StruckStretch & PartnerApiError>('POST', `/sessions/${sessionId}/strike`, {
    start: item?.startTime,
    end: item?.endTime,
    dangerSeen: true,
  })

const missing = 'Transcript has not been generated'
const whyNoTranscript = async (sessionId: string): Promise<unknown> =>
  (await read<Partial<PartnerApiError>>(`/sessions/${sessionId}/transcript`)).error?.message

/** Another client of the same clinician. */
const addTreated = (): Promise<{ clientId: string }> =>
  run.service.owner.write({ tenantId: run.partner.partnerId }, async (tx) => {
    const person = { firstName: 'Eva', lastName: 'Right', dateOfBirth: '1985-05-05' }
    const contact = { email: null, phoneNumber: null, externalId: null }
    const { clinicianId } = run.partner
    return { clientId: await createClient(tx, { ...person, ...contact, clinicianId }, operator) }
  })

/** Retention has taken the recording, and the partner's link is dead. */
async function loseSound(sessionId: string, isOfWidget = false): Promise<void> {
  await run.rows(
    `update casenote.blobs b set status = 'deleting', deletion_reason = 'expired' from casenote.sessions s
       where b.tenant_id = $1 and s.tenant_id = $1 and s.session_id = $2 and b.blob_id = s.audio_blob_id`,
    sessionId,
  )
  if (isOfWidget)
    await run.rows(
      'update casenote.sessions set sealed_file_url = null where tenant_id = $1 and session_id = $2',
      sessionId,
    )
}

const heardAsEnglish = (sessionId: string) =>
  runCasenote(['session', 'retry', sessionId, '--english', '--json'], {
    ...run.env,
    CASENOTE_MIGRATE_URL: run.service.database.migrateUrl,
  })

const create = (given: object) =>
  run.call<Session & PartnerApiError>('POST', `/clients/${run.partner.clientId}/sessions`, given)

describe('which languages a session may be in', () => {
  it('is said to the widget', async () => {
    const answer = await clinician.call('GET', '/clinician')
    expect(answer.json<WidgetClinician>().languages).toEqual(['en', 'es', 'fr'])
  })

  for (const language of ['de', 'es-MX', 'ES', 'x'.repeat(40), 7])
    it(`400 with the field for ${JSON.stringify(language)}`, async () => {
      for (const given of [{ fileUrl }, { text: typed }]) {
        const { status, body } = await create({ ...given, language })
        expect(status).toBe(400)
        const { message } = body.error.message as { message: string[] }
        expect(message.length).toBeGreaterThan(0)
        for (const problem of message) expect(problem).toMatch(/^language must /)
      }
    })

  it('400 for a text that is typed in the widget: its clinician is there to say another', async () => {
    const sent = { recordingId: randomUUID(), language: 'de', text: typed }
    const answer = await clinician.call('POST', `/clients/${run.partner.clientId}/typed-sessions`, sent)
    expect(answer.statusCode).toBe(400)
    expect(answer.body).toContain('language must be one of the following values: en, es, fr')
  })

  for (const kind of ['sessions', 'dictated-sessions'])
    it(`what the widget recorded is taken in a language that is not offered any more, and fails with its reason (${kind})`, async () => {
      await giveConsent(clinician, run.partner.clientId)
      const made = { recordingId: randomUUID(), language: 'de' }
      const answer = await clinician.call('POST', `/clients/${run.partner.clientId}/${kind}`, made)
      expect(answer.statusCode).toBe(201)
      const { sessionId, language } = answer.json<WidgetSession>()
      expect(language).toBe('de')
      await completeRecordingOf(clinician, sessionId)
      expect(await run.sessionEnded(sessionId)).toMatchObject({
        status: 'failed',
        language: 'de',
        failure: { code: 'language_not_heard', retryable: true },
      })
    })
})

describe('without a language model, talk that the reader does not know', () => {
  let failed: string[]
  /** Tried again under a legal hold. */
  let held: { recorded: string; typed: string }
  /** Tried again when nothing is left of them but their words. */
  let mute: { fetched: string; sent: string; held: string; ofOther: string }

  beforeAll(async () => {
    failed = [
      await run.createSession({ fileUrl, language: 'es' }),
      (await create({ text: typed, language: 'es' })).body.id,
    ]
    held = {
      recorded: await run.createSession({ fileUrl, language: 'es' }),
      typed: (await create({ text: typed, language: 'es' })).body.id,
    }
    run.files.serve('/soon-gone.ogg', visit('missed doses'))
    const goneUrl = run.files.urlOf('/soon-gone.ogg')
    mute = {
      fetched: await run.createSession({ fileUrl: goneUrl, language: 'es' }),
      sent: await run.createSession({ fileUrl: goneUrl, language: 'es' }),
      held: await run.createSession({ fileUrl: goneUrl, language: 'es' }),
      ofOther: await run.createSession({ fileUrl: goneUrl, language: 'es' }),
    }
    const all = [...failed, ...Object.values(held), ...Object.values(mute)]
    for (const sessionId of all) await run.sessionEnded(sessionId)
    run.files.serve('/soon-gone.ogg', (_request, response) => void response.writeHead(404).end())
    for (const sessionId of Object.values(mute)) await loseSound(sessionId, sessionId === mute.sent)
  })

  it('ends with its transcript, in its own words, and says why there is no note', async () => {
    const [recorded = '', written = ''] = failed
    for (const sessionId of failed) {
      const session = await read<Session>(`/sessions/${sessionId}`)
      expect(session).toMatchObject({
        status: 'failed',
        language: 'es',
        failure: { code: 'language_not_written', retryable: true },
      })
      expect((session.failure as SessionFailure).message).toContain('its transcript is kept')
      expect(await noteOf(sessionId)).toMatchObject({ status: 'failed', note: [], review: [] })
      expect(await eventsOf(sessionId)).toEqual(['transcript_ready', 'session_failed'])
      const seen = (await clinician.call('GET', `/sessions/${sessionId}`)).json<WidgetSession>()
      expect(seen).toMatchObject({ language: 'es', hasTranscript: true, canWriteAnyway: false })
      expect(seen.canBeTriedAgain).toBe(true)
    }
    expect(await wordsOf(recorded)).toContain(spoken)
    expect(await wordsOf(written)).toBe(typed.replace('\n', ' '))
  })

  it('can be struck: its words and their sound go, and nothing is written of it', async () => {
    const sessionId = await run.createSession({ fileUrl, language: 'es' })
    await run.sessionEnded(sessionId)
    const { transcriptItems: items } = await read<Transcript>(`/sessions/${sessionId}/transcript`)
    const { status, body } = await strike(sessionId, items[0])
    expect([status, body.isStruck, body.lines]).toEqual([200, true, 1])
    const { transcriptItems: left } = await read<Transcript>(`/sessions/${sessionId}/transcript`)
    expect(left).toEqual(items.slice(1))
    await waitUntil(
      async () => (await clinician.call('GET', `/sessions/${sessionId}`)).json<WidgetSession>().hasAudio,
      'the recording is cut',
      60_000,
    )
    expect(await read<Session>(`/sessions/${sessionId}`)).toMatchObject({
      status: 'failed',
      failure: { code: 'language_not_written' },
    })
    expect(await noteOf(sessionId)).toMatchObject({ status: 'failed', note: [], isLoading: false })
    expect(await eventsOf(sessionId)).toEqual(['transcript_ready', 'session_failed'])
  })

  it('what nobody said to be in another language is heard as English, as ever', async () => {
    const sessionId = await run.createSession({ fileUrl })
    expect(await run.sessionEnded(sessionId)).toMatchObject({ status: 'completed', language: null })
    expect(await wordsOf(sessionId)).toContain(english)
    expect((await noteOf(sessionId)).review.filter(({ reason }) => reason === 'not_read')).toEqual([])
  })

  describe('once there is one', () => {
    let again: string[]

    beforeAll(async () => {
      await worker.end('SIGTERM')
      worker = new CasenoteProcess(['worker'], { ...run.env, ...modelSettings })
      server.chats.length = 0
      again = []
      for (const sessionId of failed) {
        const { status, body } = await run.call<Session>('POST', `/sessions/${sessionId}/retry`)
        if (status !== 200) throw new Error(`no retry: ${status}`)
        again.push(body.id)
      }
      for (const sessionId of again) await run.sessionEnded(sessionId)
    })

    it('the one that was tried again keeps no word: what is struck of the newer one would stay in it', async () => {
      for (const sessionId of failed) expect(await whyNoTranscript(sessionId)).toBe(missing)
      const [recorded = ''] = failed
      const { status, body } = await strike(recorded, { startTime: 0, endTime: 1 })
      expect([status, body.error.message]).toEqual([
        409,
        'The session was tried again: strike in the newer one',
      ])
    })

    it('under a legal hold it keeps them, until the newer one is struck or put under another client', async () => {
      const tenant = { tenantId: run.partner.partnerId }
      await run.service.owner.write(tenant, (tx) => placeLegalHold(tx, operator, run.partner.clientId))
      const newer: Record<string, string> = {}
      for (const sessionId of [held.recorded, held.typed]) {
        const { body } = await run.call<Session>('POST', `/sessions/${sessionId}/retry`)
        newer[sessionId] = body.id
        expect((await run.sessionEnded(body.id)).status).toBe('completed')
        expect(await wordsOf(sessionId)).not.toBe('')
      }
      await run.service.owner.write(tenant, (tx) => liftLegalHold(tx, operator, run.partner.clientId))
      const newerId = newer[held.recorded] ?? ''
      const [item] = (await read<Transcript>(`/sessions/${newerId}/transcript`)).transcriptItems
      expect((await strike(newerId, item)).body.isStruck).toBe(true)
      expect(await whyNoTranscript(held.recorded)).toBe(missing)
      const { clientId } = await addTreated()
      const path = `/sessions/${newer[held.typed] ?? ''}/correct-client`
      expect((await clinician.call('POST', path, { clientId })).statusCode).toBe(200)
      expect(await whyNoTranscript(held.typed)).toBe(missing)
    })

    it('one whose sound is gone goes on from its transcript, with what was put right in it, and only then forgets it', async () => {
      const { transcriptItems: items, speakers = [] } = await read<Transcript>(
        `/sessions/${mute.fetched}/transcript`,
      )
      const after = 'Tengo mucho miedo por las noches.'
      const correction = { item: 0, before: items[0]?.transcript, after }
      const corrections = (sessionId: string) => `/sessions/${sessionId}/transcript/corrections`
      expect((await clinician.call('POST', corrections(mute.fetched), correction)).statusCode).toBe(200)
      const named = speakers.map(({ voice }) => ({ voice, name: 'Ana', role: 'other' }))
      const path = `/sessions/${mute.fetched}/speakers`
      expect((await run.call('PATCH', path, { speakers: named })).status).toBe(200)
      const before = await read<Transcript>(`/sessions/${mute.fetched}/transcript`)
      const corrected = (await clinician.call('GET', corrections(mute.fetched))).json<object>()

      const { status, body } = await run.call<Session>('POST', `/sessions/${mute.fetched}/retry`)
      expect([status, body.fileUrl]).toEqual([200, run.files.urlOf('/soon-gone.ogg')])
      expect(await run.sessionEnded(body.id)).toMatchObject({ status: 'completed', failure: null })
      const taken = await read<Transcript>(`/sessions/${body.id}/transcript`)
      expect(taken.transcriptItems).toEqual(before.transcriptItems)
      expect(taken.transcriptItems[0]?.transcript).toBe(after)
      expect(taken.speakers).toEqual(before.speakers)
      expect(taken.speakers?.[0]?.name).toBe('Ana')
      expect((await clinician.call('GET', corrections(body.id))).json()).toEqual(corrected)
      expect((await noteOf(body.id)).status).toBe('generated')
      expect(await eventsOf(body.id)).toContain('transcript_ready')
      expect(await whyNoTranscript(mute.fetched)).toBe(missing)
    })

    it('so does one that the widget sent, of which no address is known', async () => {
      const { status, body } = await run.call<Session>('POST', `/sessions/${mute.sent}/retry`)
      expect([status, body.fileUrl]).toEqual([200, null])
      expect((await run.sessionEnded(body.id)).status).toBe('completed')
      expect(await wordsOf(body.id)).toContain(spoken)
      expect(await whyNoTranscript(mute.sent)).toBe(missing)
    })

    it('under a legal hold the older one keeps its words as well', async () => {
      const tenant = { tenantId: run.partner.partnerId }
      await run.service.owner.write(tenant, (tx) => placeLegalHold(tx, operator, run.partner.clientId))
      const { body } = await run.call<Session>('POST', `/sessions/${mute.held}/retry`)
      expect((await run.sessionEnded(body.id)).status).toBe('completed')
      for (const sessionId of [mute.held, body.id]) expect(await wordsOf(sessionId)).toContain(spoken)
      await run.service.owner.write(tenant, (tx) => liftLegalHold(tx, operator, run.partner.clientId))
    })

    it('is written by it, which is told the language, and the list says first that nobody read it for danger', async () => {
      for (const sessionId of again) {
        const session = await read<Session>(`/sessions/${sessionId}`)
        expect(session).toMatchObject({ status: 'completed', language: 'es' })
        expect(failed).toContain(session.retryOf)
        const { note, review, writer, status } = await noteOf(sessionId)
        expect([status, writer?.isExtract]).toEqual(['generated', false])
        expect(review[0]).toMatchObject({ kind: 'danger', reason: 'not_read', transcriptItems: [] })
        expect(review[0]?.label).toContain('did not look for danger')
        const evidence = note.flatMap((section) => section.evidence)
        expect(evidence.length).toBeGreaterThan(0)
        expect(evidence.every(({ judgement }) => judgement === 'verified')).toBe(true)
        expect(JSON.stringify(note)).not.toMatch(/not asked|not mentioned/i)
        const { summary } = await read<Summary>(`/sessions/${sessionId}/summary`)
        expect(summary).not.toMatch(/not asked/i)
      }
      const prompts = server.chats.map(({ messages }) => messages.at(-1)?.content ?? '')
      expect(prompts.length).toBeGreaterThan(4)
      for (const prompt of prompts) expect(prompt).toContain('What was said is in Spanish')
    })

    it('what has to be fetched to be heard in another language leaves the older words where they are, until it was heard', async () => {
      const { code, stdout, stderr } = await heardAsEnglish(mute.ofOther)
      expect([code, stderr]).toEqual([0, ''])
      const [{ retryId }] = JSON.parse(stdout) as [{ retryId: string }]
      expect((await run.sessionEnded(retryId)).failure?.code).toBe('fetch_not_found')
      expect(await wordsOf(mute.ofOther)).toContain(spoken)
      run.files.serve('/soon-gone.ogg', visit('missed doses'))
      const { body } = await run.call<Session>('POST', `/sessions/${retryId}/retry`)
      expect((await run.sessionEnded(body.id)).status).toBe('completed')
      expect(await wordsOf(body.id)).toContain(english)
      expect(await whyNoTranscript(mute.ofOther)).toBe(missing)
    })

    it('a change of the note keeps the list’s first entry, and a stretch that nobody read names no danger', async () => {
      const [sessionId = ''] = again
      const { progressNoteId, note } = await noteOf(sessionId)
      const sections = note.map(({ key, content }) => ({ key, content: `${content} Slept well.`.trim() }))
      const path = `/progress-notes/${progressNoteId}`
      const { status, body } = await run.call<ProgressNote>('PATCH', path, { note: sections })
      expect(status).toBe(200)
      expect(body.review.filter(({ reason }) => reason === 'not_read')).toHaveLength(1)
    })

    it('a sentence that the model bears out for nobody is refused: no exact check knows the language', async () => {
      script.next('verification', { verdicts: [] }, { verdicts: [] }, { verdicts: [] }, { verdicts: [] })
      const { body } = await create({ text: typed, language: 'es' })
      await run.sessionEnded(body.id)
      const evidence = (await noteOf(body.id)).note.flatMap((section) => section.evidence)
      expect(
        evidence
          .filter(({ judgement }) => judgement === 'exact_checks_only' || judgement === 'verified')
          .map(({ sentence }) => sentence)
          .filter((sentence) => !sentence.endsWith('”')),
      ).toEqual([])
    })

    it('a model that writes nothing ends in no note, and never in quotes', async () => {
      script.next('progress_note', ...Array<string>(20).fill('no JSON'))
      const { body } = await create({ text: typed, language: 'es' })
      await run.sessionEnded(body.id)
      expect(await noteOf(body.id)).toMatchObject({ status: 'failed', note: [], review: [] })
    })
  })
})
