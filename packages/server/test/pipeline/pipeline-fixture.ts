import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ProgressNote, Session, SessionCreate } from '@casenote/contract'
import { createClient } from '../../src/features/clients/index.js'
import { createClinician } from '../../src/features/clinicians/index.js'
import { operator } from '../../src/kernel/operator.js'
import { makeAudio } from '../engines/speech/speech-fixture.js'
import {
  makeDataFolder,
  startCasenote,
  waitUntil,
  type CasenoteProcess,
} from '../support/casenote-process.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

const sample = fileURLToPath(new URL('../../samples/medication-management.ogg', import.meta.url))

/** Between what is said: where each begins in the sample, and for how long it goes on. */
const excerpts = {
  'mood and doses': ['22.2', '30.2'],
  'a higher dose': ['137.3', '25.4'],
  'missed doses': ['33.0', '10.4'],
} as const

/** Half a minute of the sample recording, or less. */
export function visit(about: keyof typeof excerpts, format: 'ogg' | 'webm' = 'ogg'): Buffer {
  const [from, seconds] = excerpts[about]
  return makeAudio('-ss', from, '-t', seconds, '-i', sample, '-c:a', 'libopus', '-f', format)
}

/**
 * Half a minute of the sample, played backwards: voices that speak, and no word of English. It stands for a language that the recognizer does
 * not know, of which there is no recording here that may be given away.
 */
export const backwards = (): Buffer =>
  makeAudio('-ss', '30', '-t', '36', '-i', sample, '-af', 'areverse', '-c:a', 'libopus', '-f', 'ogg')

/** English, and a little less of it played backwards: half understood. */
export const halfBackwards = (): Buffer => {
  const parts = ['-ss', '22.2', '-t', '16', '-i', sample, '-ss', '40', '-t', '12', '-i', sample]
  const joined = ['-filter_complex', '[1]areverse[back];[0][back]concat=n=2:v=0:a=1']
  return makeAudio(...parts, ...joined, '-c:a', 'libopus', '-f', 'ogg')
}

export interface FileServer {
  urlOf(path: string): string
  serve(path: string, answer: Buffer | RequestListener): void
  close(): Promise<void>
}

/** Where partners would keep their recordings. */
export async function startFileServer(): Promise<FileServer> {
  const answers = new Map<string, Buffer | RequestListener>()
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? '')
    if (typeof answer === 'function') answer(request, response)
    else if (answer === undefined) response.writeHead(404).end()
    else response.writeHead(200, { 'content-length': answer.length }).end(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (path) => `http://127.0.0.1:${port}${path}`,
    serve: (path, answer) => void answers.set(path, answer),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Answer<Body> {
  status: number
  body: Body
}

export interface PipelineRun {
  service: TestService
  partner: TestPartner
  files: FileServer
  /** For further processes on the same database. */
  env: Record<string, string>
  call<Body>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown): Promise<Answer<Body>>
  createSession(given: Partial<SessionCreate> & { fileUrl: string }, clientId?: string): Promise<string>
  /** Waits for the end of the processing. */
  sessionEnded(sessionId: string, withinMs?: number): Promise<Session>
  /** Waits until nothing writes the note any more. */
  noteAtRest(sessionId: string): Promise<ProgressNote>
  /** Past all roles. */
  rows<T>(text: string, ...values: unknown[]): Promise<T[]>
  addPrescriber(): Promise<{ clinicianId: string; clientId: string }>
  close(): Promise<void>
}

/** A test database, a sandbox partner and a file server; and the program itself if a command is named. `settings`: of both. */
export async function openPipelineRun(
  command: 'start' | null,
  settings: Record<string, string> = {},
): Promise<PipelineRun> {
  const folder = await makeDataFolder()
  const service = await makeTestService({ blobFolder: join(folder.path, 'blobs'), env: settings })
  const partner = await service.addPartner('sandbox')
  const files = await startFileServer()
  const env = {
    ...service.settingsFor(folder.path),
    ...settings,
    CASENOTE_DISPATCHER_URL: service.database.dispatcherUrl,
    CASENOTE_LOG_LEVEL: 'warn',
  }
  let program: CasenoteProcess | null = null
  if (command !== null) ({ process: program } = await startCasenote(env, command))
  const tenant = { tenantId: partner.partnerId }
  const run: PipelineRun = {
    service,
    partner,
    files,
    env,
    call: async (method, path, body) => {
      const answer = await service.ask(partner, method, path, body as object | undefined)
      return { status: answer.statusCode, body: answer.json() }
    },
    createSession: async (given, clientId = partner.clientId) => {
      const { status, body } = await run.call<Session>('POST', `/clients/${clientId}/sessions`, given)
      if (status !== 201) throw new Error(`no session was created: ${status} ${JSON.stringify(body)}`)
      return body.id
    },
    sessionEnded: async (sessionId, withinMs = 400_000) => {
      let session: Session | null = null
      await waitUntil(
        async () => {
          session = (await run.call<Session>('GET', `/sessions/${sessionId}`)).body
          return session.status === 'completed' || session.status === 'failed'
        },
        'the session has ended',
        withinMs,
      )
      return session as unknown as Session
    },
    noteAtRest: async (sessionId) => {
      let note: ProgressNote | null = null
      const isAtRest = async (): Promise<boolean> => {
        note = (await run.call<ProgressNote>('GET', `/sessions/${sessionId}/progress-note`)).body
        return !note.isLoading
      }
      await waitUntil(isAtRest, 'nothing writes the note')
      return note as unknown as ProgressNote
    },
    rows: (text, ...values) =>
      service.owner.write(tenant, (tx) => tx.run({ text, values: [tenant.tenantId, ...values] })) as Promise<
        never[]
      >,
    addPrescriber: () => addPrescriber(run),
    close: async () => {
      await program?.end('SIGTERM')
      await files.close()
      await service.close()
      await folder.remove()
    },
  }
  return run
}

const addPrescriber = ({ service, partner }: PipelineRun): ReturnType<PipelineRun['addPrescriber']> =>
  service.owner.write({ tenantId: partner.partnerId }, async (tx) => {
    const prescriber = {
      prescriber: true,
      defaultNoteType: null,
      clinicId: partner.clinicId,
      externalId: null,
    }
    const named = { firstName: 'Ben', lastName: 'Example', email: 'ben@example.com' }
    const clinicianId = await createClinician(tx, { ...prescriber, ...named }, operator)
    const person = { firstName: 'Kim', lastName: 'Sample', dateOfBirth: '1991-01-31' }
    const contact = { email: 'kim@example.com', phoneNumber: '+12025550101', externalId: null }
    const clientId = await createClient(tx, { ...person, ...contact, clinicianId }, operator)
    return { clinicianId, clientId }
  })
