// A whole integration: a client, a session, the webhook about its note, the note itself. Nothing but the SDK and Node.
//
//   npm init -y && npm pkg set type=module
//   npm install "$BASE/docs/sdk/casenote-sdk-VERSION.tgz" typescript @types/node     (BASE: http://localhost:8080)
//   npx tsc --module nodenext --target es2022 --types node integration.ts && node integration.js
//
// CASENOTE_BASE_URL (with /v2), CASENOTE_API_KEY, CASENOTE_CLIENT_ID and CASENOTE_CLIENT_SECRET come from the operator of
// your installation; those of the sandbox stand in sandbox-credentials.json in its data folder.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError, Casenote, dedupeKeys, verifyWebhook, type WebhookEvent } from '@casenote/sdk'

const read = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`set ${name}`)
  return value
}
const clientSecret = read('CASENOTE_CLIENT_SECRET')
const casenote = new Casenote({
  baseUrl: read('CASENOTE_BASE_URL'),
  apiKey: read('CASENOTE_API_KEY'),
  clientId: read('CASENOTE_CLIENT_ID'),
  clientSecret,
})

// 1. Receive events: verify, answer at once, drop what was seen, then work. Where the service cannot reach this machine, use
//    a public https URL instead.
const seen = new Set<string>() // Yours is a table with a unique key.
const waiting: ((event: WebhookEvent) => void)[] = []
async function readEvent(request: IncomingMessage): Promise<WebhookEvent> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += (chunk as Buffer).length
    if (size > 1024 * 1024) throw new Error('too large')
    chunks.push(chunk as Buffer)
  }
  return verifyWebhook(Buffer.concat(chunks), request.headers, clientSecret)
}

const receiver = createServer((request, response) => {
  void (async () => {
    // Null for what is not from the service, is too large, or breaks off.
    const event = await readEvent(request).catch(() => null)
    response.writeHead(event === null ? 400 : 204).end()
    if (event === null) return
    const keys = dedupeKeys(event, request.headers)
    const isNew = keys.some((key) => !seen.has(key))
    for (const key of keys) seen.add(key)
    if (isNew) for (const tell of waiting) tell(event)
  })()
})
receiver.listen(0, '127.0.0.1')
await once(receiver, 'listening')
const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/casenote/events`
const endpoint = await casenote.webhookEndpoints.create({ url })

try {
  // 2. Find a clinician of yours. Lists are asked for page by page while you go through them.
  const organization = await casenote.organizations.list().first()
  if (organization === null) throw new Error('this partner has no organization yet')
  const clinic = await casenote.clinics.list(organization.id).first()
  if (clinic === null) throw new Error('the organization has no clinic yet')
  const clinician = await casenote.clinicians.list(clinic.id).first()
  if (clinician === null) throw new Error('the clinic has no clinician yet')

  // 3. Find the client by your own id, or create them.
  const externalId = `ehr-${process.pid}`
  const client =
    (await casenote.clients.list(clinic.id, { externalId }).first()) ??
    (await casenote.clients.create(clinician.id, {
      lastName: 'Sample',
      dateOfBirth: '1990-01-31',
      externalId,
    }))

  // 4. A session: `fileUrl` for a recording, or what happened in the clinician's own words.
  const generated = new Promise<string>((resolve) => {
    waiting.push(({ eventType, payload }) => {
      if (eventType === 'progress_note_generated') resolve(payload.progressNoteId)
    })
  })
  const session = await casenote.sessions.create(client.id, {
    text: 'Client reports low mood since May, worse in the mornings. Sleeps five hours. Denies SI. Plan: sleep diary.',
    sessionExternalId: 'appointment-1',
  })

  // 5. The note: told by the webhook, or waited for. `waitForNote` also says why there will be none.
  const note = await casenote.waitForNote(session.id, { timeoutMs: 300_000 })
  const progressNoteId = await generated
  for (const { title, content } of note.note) console.log(`${title}: ${content}`)

  // 6. Sign it. From now on it is locked, and the service says so.
  await casenote.progressNotes.finalize(progressNoteId)
  const changed = casenote.progressNotes.change(progressNoteId, { note: [] })
  const refused = await changed.then(
    () => 'changed',
    (error: unknown) =>
      error instanceof ApiError ? `${error.status} ${error.messages.join()}` : String(error),
  )
  console.log(JSON.stringify({ noteIsTheSame: progressNoteId === note.progressNoteId, refused }))
} finally {
  await casenote.webhookEndpoints.delete(endpoint.id)
  receiver.close()
}
