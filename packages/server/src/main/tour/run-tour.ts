import { readFile } from 'node:fs/promises'
import type {
  Client,
  EventType,
  MagicEdit,
  Mdm,
  Page,
  ProgressNote,
  Session,
  Summary,
} from '@casenote/contract'
import type { Transcript } from '@casenote/contract'
import type { ClinicianId, SessionId } from '../../kernel/ids.js'
import { escapeControls } from '../terminal/paint.js'
import { isTimeLeft, waitForSignal } from '../terminal/wait-for-signal.js'
import { PartnerClient, refusal } from '../webhook-listen/partner-client.js'
import { readCredentials } from '../webhook-listen/read-credentials.js'
import { EventInbox } from './event-inbox.js'
import { countWords, formatMdm, formatNote, formatReview, formatTranscript } from './format-record.js'
import { serveRecording, type ServedRecording } from './serve-recording.js'
import { TourScreen } from './tour-screen.js'

interface Tour {
  client: PartnerClient
  screen: TourScreen
  inbox: EventInbox
  stopped: AbortSignal
}

/** Soon enough for a bar to look alive. Not more often: every look is a read in the audit log. */
const lookEveryMs = 500

/** What the shell itself says of a command that Ctrl-C ended. */
const interruptedCode = 130

const noService = 'no service is running here: run `npm start` in another terminal, then this again'

/** From a recording to a finalized note, as a partner's backend goes it. */
export async function runTour({
  credentialsFile,
  recordingFile,
}: {
  credentialsFile: string
  recordingFile: string
}): Promise<void> {
  const stopped = waitForSignal()
  const prescriberId = await findPrescriber(credentialsFile)
  const client = await PartnerClient.open(() => readCredentials(credentialsFile, null))
  const screen = new TourScreen(process.stdout, process.env)
  const recording = await serveRecording(recordingFile)
  const inbox = new EventInbox(client, screen)
  try {
    await walk({ client, screen, inbox, stopped }, { prescriberId, recording })
  } catch (error) {
    screen.endProgress()
    if (!stopped.aborted) throw error
    process.exitCode = interruptedCode
  } finally {
    await inbox.close()
    await recording.close()
  }
}

/** Also looks whether anybody serves: a newcomer forgets that first. */
async function findPrescriber(credentialsFile: string): Promise<string> {
  const text = await readFile(credentialsFile, 'utf8').catch(() => null)
  if (text === null) throw new Error(noService)
  const { baseUrl, prescriberId } = JSON.parse(text) as { baseUrl?: string; prescriberId?: ClinicianId }
  const isServed = await fetch(`${baseUrl}/partners`).then(
    () => true,
    () => false,
  )
  if (!isServed) throw new Error(noService)
  if (prescriberId === undefined) throw new Error(`${credentialsFile} has no prescriberId`)
  return prescriberId
}

async function walk(
  tour: Tour,
  { prescriberId, recording }: { prescriberId: ClinicianId; recording: ServedRecording },
): Promise<void> {
  const { client, screen, inbox } = tour
  screen.step('Authenticate, and ask for webhooks', 'POST /partners/authenticate, POST /webhook-endpoints')
  await inbox.open()
  screen.line(`${client.baseUrl} gave a token for one hour; events come to a temporary endpoint here`)

  screen.step('Create a client', 'POST /clinicians/{clinicianId}/clients')
  const person = await expectAnswer<Client>(tour, 'POST', `/clinicians/${prescriberId}/clients`, 201, {
    firstName: 'Robin',
    lastName: 'Tour',
    dateOfBirth: '1990-02-03',
  })
  screen.line(`client ${person.id}`)

  screen.step('Create a session from a recording', 'POST /clients/{clientId}/sessions')
  const payload = { fileUrl: recording.url, noteType: 'medication_management' }
  const session = await expectAnswer<Session>(tour, 'POST', `/clients/${person.id}/sessions`, 201, payload)
  screen.line(`session ${session.id}`)
  screen.line(
    `fileUrl ${recording.name}, ${Math.ceil(recording.sizeBytes / 1024)} KiB, served by this command`,
  )

  screen.step('Wait until it is written', 'GET /sessions/{sessionId}')
  await waitUntilCompleted(tour, session.id)
  const note = await showRecord(tour, session.id)
  if (note.status === 'failed') throw new Error('the note could not be written, so there is nothing to edit')
  await editAndFinalize(tour, note, prescriberId)
  screen.line('')
  screen.line('Done. The client and the session stay in the sandbox; the webhook endpoint is removed.')
}

async function waitUntilCompleted(tour: Tour, sessionId: SessionId): Promise<void> {
  const { screen, inbox, stopped } = tour
  for (;;) {
    const { status, progress } = await expectAnswer<Session>(tour, 'GET', `/sessions/${sessionId}`, 200)
    screen.progress(status, progress)
    if (status === 'completed') return
    if (status === 'failed') {
      const event = await inbox.waitFor('session_transcript_error', sessionId, stopped)
      throw new Error(`the session failed: ${event?.payload.error ?? 'after its transcript'}`)
    }
    await pause(stopped)
  }
}

/** What was made of the recording, each part after the event that announced it. */
async function showRecord(tour: Tour, sessionId: SessionId): Promise<ProgressNote> {
  const { screen } = tour
  const { paint } = screen
  const path = `/sessions/${sessionId}`
  const note = await expectAnswer<ProgressNote>(tour, 'GET', `${path}/progress-note`, 200)
  const mdm = await findAnswer<Mdm>(tour, `${path}/mdm`)
  const summary = await findAnswer<Summary>(tour, `${path}/summary`)
  await expectEvent(tour, 'transcript_ready', sessionId)
  if (note.status !== 'failed') await expectEvent(tour, 'progress_note_generated', sessionId)
  if (mdm !== null) await expectEvent(tour, 'mdm_elements_identified', sessionId)

  screen.step('Read the transcript', 'GET /sessions/{sessionId}/transcript')
  const transcript = await expectAnswer<Transcript>(tour, 'GET', `${path}/transcript`, 200)
  printLines(tour, formatTranscript(transcript, paint))
  screen.step(
    'Read the note; [n] is the transcript line it rests on',
    'GET /sessions/{sessionId}/progress-note',
  )
  if (note.writer?.isExtract === true) {
    screen.line('Quotes of what was said: no language model is set up. casenote model find')
  }
  printLines(tour, formatNote(note, paint))
  printLines(tour, formatReview(note))
  screen.step('Read the MDM elements', 'GET /sessions/{sessionId}/mdm')
  printLines(tour, mdm === null ? ['none'] : formatMdm(mdm, paint))
  screen.step('Read the summary', 'GET /sessions/{sessionId}/summary')
  printLines(tour, summary === null ? ['none'] : escapeControls(summary.summary).split('\n'))
  return note
}

async function editAndFinalize(tour: Tour, note: ProgressNote, prescriberId: ClinicianId): Promise<void> {
  const { client, screen } = tour
  const { sessionId } = note
  // Without a language model notes are quotes, and edits change their form alone.
  const userInstructions =
    note.writer?.isExtract === true ? 'Turn the plan into a paragraph' : 'Make it shorter'
  screen.step(`Magic edit: “${userInstructions}”`, 'POST /progress-notes/{progressNoteId}/magic-edit')
  await expectAnswer(tour, 'POST', `/progress-notes/${note.progressNoteId}/magic-edit`, 202, {
    userInstructions,
  })
  const edited = await waitForEdit(tour, sessionId)
  if (edited.status === 'regenerated') {
    await expectEvent(tour, 'progress_note_regenerated', sessionId)
    screen.line(`${countWords(note)} words before, ${countWords(edited)} now:`)
    printLines(tour, formatNote(edited, screen.paint))
  } else {
    screen.line(`not done: ${await findEditFailure(tour, prescriberId, sessionId)}`)
  }

  const path = `/progress-notes/${edited.progressNoteId}`
  screen.step('Finalize', 'POST /progress-notes/{progressNoteId}/finalize')
  await expectAnswer(tour, 'POST', `${path}/finalize`, 200)
  await expectEvent(tour, 'progress_note_finalized', sessionId)

  screen.step('Try to change it now', 'PATCH /progress-notes/{progressNoteId}')
  const sections = edited.note.map(({ key, content }) => ({ key, content: `${content} Changed.` }))
  const answer = await client.call('PATCH', path, { note: sections })
  if (answer.status !== 403) throw new Error(`a finalized note was changed: ${answer.status}`)
  screen.line(`${screen.paint('green', 'refused')}: ${refusal('PATCH', path, answer).message}`)
}

async function waitForEdit(tour: Tour, sessionId: SessionId): Promise<ProgressNote> {
  for (;;) {
    const note = await expectAnswer<ProgressNote>(tour, 'GET', `/sessions/${sessionId}/progress-note`, 200)
    if (!note.isLoading) return note
    await pause(tour.stopped)
  }
}

async function findEditFailure(tour: Tour, clinicianId: ClinicianId, sessionId: SessionId): Promise<string> {
  // Oldest first: ours, the newest, is on the last page.
  const list = (page: number): Promise<Page<MagicEdit>> =>
    expectAnswer(tour, 'GET', `/clinicians/${clinicianId}/magic-edit?page=${page}`, 200)
  const { meta } = await list(1)
  const { data } = await list(Math.max(1, meta.totalPages))
  return data.find((edit) => edit.sessionId === sessionId)?.failureReason ?? 'no reason was given'
}

async function expectAnswer<Body>(
  { client, stopped }: Tour,
  method: 'GET' | 'POST',
  path: string,
  status: number,
  payload?: object,
): Promise<Body> {
  stopped.throwIfAborted()
  const answer = await client.call(method, path, payload)
  if (answer.status !== status) throw refusal(method, path, answer)
  return answer.body as Body
}

/** Null while there is none: with 200 and an error body, or with 404, as the partner has it set. */
async function findAnswer<Body extends { id: string }>(tour: Tour, path: string): Promise<Body | null> {
  tour.stopped.throwIfAborted()
  const { status, body } = await tour.client.call('GET', path)
  return status === 200 && (body as { id?: unknown }).id !== undefined ? (body as Body) : null
}

async function expectEvent(
  { inbox, stopped }: Tour,
  eventType: EventType,
  sessionId: SessionId,
): Promise<void> {
  const event = await inbox.waitFor(eventType, sessionId, stopped)
  stopped.throwIfAborted()
  if (event === null) throw new Error(`the webhook ${eventType} did not come`)
}

async function pause(stopped: AbortSignal): Promise<void> {
  await isTimeLeft(stopped, lookEveryMs)
  stopped.throwIfAborted()
}

function printLines({ screen }: Tour, lines: readonly string[]): void {
  for (const line of lines) screen.line(line)
}
