import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientExport } from '@casenote/contract'
import { Client } from 'fhir-kit-client'
import { unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineFault } from '../../src/engines/engine-fault.js'
import { makeTypesetter, type Typesetter } from '../../src/engines/typeset/make-typesetter.js'
import { completeAssessments, makeBuiltInCatalogue } from '../../src/features/assessments/index.js'
import { administerAssessments } from '../../src/features/assessments/administer-assessments.js'
import {
  listExportFiles,
  makeExportHandlers,
  type ExportFile,
  type ExportParts,
} from '../../src/features/client-exports/index.js'
import { beginFile, failExport } from '../../src/features/client-exports/client-exports.sql.js'
import { findExport } from '../../src/features/client-exports/read-export.js'
import { createClient, findClient } from '../../src/features/clients/index.js'
import { insertErasure, selectErasure } from '../../src/features/erasure/index.js'
import { sealItem, sealLeftReason } from '../../src/features/danger/danger-item.js'
import { insertAnsweredItem, insertLeftOpen } from '../../src/features/danger/danger.sql.js'
import { insertReturn } from '../../src/features/progress-notes/co-signatures.sql.js'
import { findNoteOfSession } from '../../src/features/progress-notes/index.js'
import { returnPlace } from '../../src/features/progress-notes/note-content.js'
import { keepText } from '../../src/features/sessions/keep-text.js'
import { addText, giveConsent, withdrawAll } from '../../src/features/consents/index.js'
import type { JobHandlers } from '../../src/jobs/job-runner.js'
import { claimJob, type Job } from '../../src/jobs/jobs.sql.js'
import {
  BlobMissing,
  BlobStoreFault,
  createBlob,
  findBlob,
  partSizeBytesMax,
  writeBlob,
  type BlobStore,
} from '../../src/kernel/blobs/index.js'
import { makeLog } from '../../src/kernel/log.js'
import { readTenantKeys } from '../../src/kernel/secrets/tenant-keys.js'
import { operator } from '../../src/kernel/operator.js'
import { openExportFolder } from '../../src/main/client-export/export-folder.js'
import { findWayToClient, selectOwnerColumns } from '../../src/main/erasure/erasure.sql.js'
import { makeFindOwner } from '../../src/main/erasure/seal-for-owners.js'
import { SEALED_TABLES } from '../../src/main/keys/sealed-columns.js'
import { makeFixtureRecord } from '../support/clinical-record.js'
import { listSubjects } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { makeR4Checker } from './r4-schema.js'

interface Resource {
  resourceType: string
  id: string
  [field: string]: unknown
}
interface Bundle {
  resourceType: 'Bundle'
  type: string
  entry: { fullUrl: string; resource: Resource }[]
}

let service: TestService
let typesetter: Typesetter
let partner: TestPartner
let stranger: TestPartner
let neighbourId: string
let neighbourSessionId: string
let tenant: { tenantId: string }
let root: string
const recording = Buffer.concat([Buffer.from('OggS\0'), randomBytes(5_000_000)])

beforeAll(async () => {
  service = await makeTestService()
  typesetter = makeTypesetter()
  root = await mkdtemp(join(tmpdir(), 'casenote-export-'))
  partner = await service.addPartner()
  stranger = await service.addPartner()
  tenant = { tenantId: partner.partnerId }
  await addRecording(partner.sessionId)
  await addScore()
  // As the pipeline writes it down of a language model.
  await service.owner.write(tenant, (tx) =>
    tx.run({
      text: `update casenote.note_versions set made_by = 'openai Example-30B, prompt 4, templates 2' where tenant_id = $1`,
      values: [tenant.tenantId],
    }),
  )
  await service.db.write(tenant, async (tx) => {
    const { clientId, clinicianId } = partner
    const by = { actor: { kind: 'clinician', id: clinicianId }, requestId: null } as const
    const ring = await readTenantKeys(service.owner, service.masterKeys, tenant)
    const context = { ring, publicUrl: 'http://localhost', nowMs: Date.now(), ...by }
    const said = { clientId, clinicianId, saidTo: 'clinician', operation: 'widget.recordConsent' } as const
    await giveConsent(tx, context, {
      ...said,
      relation: 'guardian',
      method: 'signed_in_room',
      textVersion: 'casenote-1',
      textOwner: null,
      textId: null,
      language: 'en',
      personName: 'Grace Guardian',
    })
    await withdrawAll(tx, context, { ...said, refusedText: null })
    neighbourId = await createClient(
      tx,
      {
        clinicianId,
        firstName: 'Nadia',
        lastName: 'Neighbourcanary',
        dateOfBirth: '1970-07-07',
        email: 'nadia@neighbour.example',
        phoneNumber: null,
        externalId: null,
      },
      operator,
    )
  })
  const { db, owner, masterKeys } = service
  const record = await makeFixtureRecord(
    { db, owner, masterKeys },
    { tenantId: partner.partnerId, clientId: neighbourId },
  )
  neighbourSessionId = record.sessionId
  // An entry of the audit log that names both.
  await service.call({ url: `/v2/clinics/${partner.clinicId}/clients`, headers: partner.headers })
  await service.call({
    method: 'POST',
    url: `/v2/progress-notes/${partner.progressNoteId}/finalize`,
    headers: partner.headers,
  })
  // Behind the signature, which says anew what was left open beside it.
  await addKept()
})
afterAll(async () => {
  await typesetter.close()
  await service.close()
  await rm(root, { recursive: true })
})

/** Each stands in some file; a new one is named here once it does. */
const exportedColumns = [
  'assessment_answers.sealed_answer',
  'assessment_scores.sealed_result',
  'danger_items.sealed_item',
  'danger_items.sealed_reason',
  'danger_left_open.sealed_reason',
  'mdm_elements.sealed_findings',
  'note_addenda.sealed_text',
  'note_generations.sealed_failure',
  'note_generations.sealed_instructions',
  'note_returns.sealed_reason',
  'note_versions.sealed_goals',
  'note_versions.sealed_review',
  'note_versions.sealed_sections',
  'progress_notes.sealed_judged_review',
  'progress_notes.sealed_judged_sections',
  'progress_notes.sealed_preferences',
  'recording_consents.sealed_person',
  'session_contexts.sealed_context',
  'session_pads.sealed_pad',
  'session_texts.sealed_text',
  'summaries.sealed_summary',
  'transcript_corrections.sealed_words',
  'transcripts.sealed_items',
  'transcripts.sealed_speakers',
  'treatment_plan_versions.sealed_plan',
]

/** And in which words the guide says so. */
const leftOutColumns: Record<string, string> = {
  'sessions.sealed_file_url': '`fileUrl`',
  'recording_downloads.sealed_state': '`fileUrl`',
  'client_mails.sealed_link': 'links that were sent to the client',
  'kept_answers.sealed_answer': 'answers of the API that are kept for a day',
  'transcription_chunks.sealed_chunk': 'what a transcript or a note is made from while it is made',
  'live_transcripts.sealed_draft': 'what a transcript or a note is made from while it is made',
  'note_generations.sealed_sections': 'what a transcript or a note is made from while it is made',
  'session_readings.sealed_reading': 'what the software marked in a transcript for the writer',
}

/** What is kept beside recording, transcript, note and scores. */
async function addKept(): Promise<void> {
  const call = (method: 'POST' | 'PATCH', path: string, payload?: object) =>
    service.ask(partner, method, path, payload)
  const { clientId, clinicianId, sessionId } = partner
  const goals = [{ text: 'Sleep well', targetDate: '2027-02-15', objectives: [{ text: 'Keep a diary' }] }]
  const problems = [{ text: 'Sleeps little' }]
  const given = { title: 'Plancanary one', startsOn: '2026-11-15', problems, goals }
  const plan = await call('POST', `/clients/${clientId}/treatment-plans`, given)
  expect(plan.statusCode).toBe(201)
  const path = `/treatment-plans/${plan.json<{ id: string }>().id}`
  await call('PATCH', path, { title: 'Plancanary two' })
  await call('POST', `${path}/sign`)
  await call('PATCH', `/sessions/${sessionId}/context`, { pronouns: 'they/them' })
  const ring = await service.keys.get(tenant)
  const { noteId = '' } = (await findNoteOfSession(service.db, tenant, sessionId)) ?? {}
  const [assigned] = (await service.owner.read(tenant, {
    text: `select assignment_id as "assignmentId" from casenote.assessment_assignments
      where tenant_id = $1 and client_id = $2 limit 1`,
    values: [tenant.tenantId, clientId],
  })) as { assignmentId: string }[]
  const itemId = randomUUID()
  const answer = { label: 'PHQ-9', question: 'Thoughts', words: 'Several days', questionKey: 'q9', value: 1 }
  const sealedItem = sealItem(ring, itemId, { ...answer, transcriptItems: [], findingIds: [] })
  const assignmentId = assigned?.assignmentId ?? ''
  await service.db.write(tenant, async (tx) => {
    await keepText(tx, ring, { sessionId, text: 'Typedcanary' })
    for (const [index, reason] of ['First return', 'Second return'].entries()) {
      const sealedReason = ring.seal(returnPlace(noteId, index + 1), Buffer.from(reason))
      await tx.run(insertReturn(tenant, { noteId, number: index + 1, clinicianId, sealedReason }))
    }
    const item = { itemId, clientId, assignmentId, sealedItem, occurredAt: new Date() }
    await tx.run(insertAnsweredItem(tenant, item))
    const left = [{ itemId, sealedReason: sealLeftReason(ring, { noteId, itemId }, 'Leftcanary') }]
    await tx.run(insertLeftOpen(tenant, noteId, left))
  })
}

async function addRecording(sessionId: string): Promise<void> {
  async function* pieces() {
    yield await Promise.resolve(recording)
  }
  const { blobId } = await writeBlob(service.blobs, tenant, 'audio', pieces())
  await service.db.write(tenant, (tx) =>
    tx.run({
      text: 'update casenote.sessions set audio_blob_id = $3 where tenant_id = $1 and session_id = $2',
      values: [tenant.tenantId, sessionId, blobId],
    }),
  )
}

async function addScore(): Promise<void> {
  const catalogue = makeBuiltInCatalogue()
  const ring = await service.keys.get(tenant)
  const { clientId } = partner
  const publicUrl = 'http://localhost'
  await service.db.write(tenant, async (tx) => {
    const given = { catalogue, clientId, assessmentIds: ['phq9'], publicUrl }
    const { assignments } = await administerAssessments(tx, given, operator)
    const questions = catalogue.find('phq9')?.questions ?? []
    const answers = questions.map(({ key }) => ({ questionKey: key, answerValue: 1 }))
    const results = [{ assignmentId: assignments[0]?.id ?? '', answers }]
    const completion = { clientId, results, publicUrl, nowMs: Date.now() }
    await completeAssessments(tx, { ring, catalogue }, completion, operator)
  })
}

function makeParts(): ExportParts {
  const { db, keys, blobs } = service
  const instruments = { get: () => makeBuiltInCatalogue() }
  return { db, keys, blobs, instruments, typesetter, wordOperation: (name) => name }
}

async function* listFiles(clientId = partner.clientId): AsyncGenerator<ExportFile> {
  const client = await findClient(service.db, tenant, clientId)
  if (client === null) throw new Error('no client')
  yield* listExportFiles(makeParts(), tenant, client)
}

/** Up to and with the file whose path matches, as a kill behind it would leave the folder. */
async function exportInto(folder: string, until: RegExp | null = null): Promise<number> {
  const open = await openExportFolder(folder, partner.clientId)
  try {
    for await (const file of listFiles()) {
      await open.put(file)
      if (until?.test(file.path) === true) return open.keptFiles
    }
    await open.finish({ clientId: partner.clientId })
    return open.keptFiles
  } finally {
    await open.release()
  }
}

async function readAll(folder: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const contents = await Promise.all(
    files.map(async (file) => [file.slice(folder.length + 1), await readFile(file)] as const),
  )
  return new Map(contents)
}

const readBundle = async (folder: string): Promise<Bundle> =>
  JSON.parse(await readFile(join(folder, 'fhir/bundle.json'), 'utf8')) as Bundle

describe('a person’s export', () => {
  it('is a FHIR R4 bundle by HL7’s schema, whose references a FHIR client resolves', async () => {
    const folder = join(root, 'fhir')
    await exportInto(folder)
    const bundle = await readBundle(folder)
    const check = makeR4Checker()
    expect([check(bundle), ...bundle.entry.map(({ resource }) => check(resource))].flat()).toStrictEqual([])
    // That the schema is looked at at all.
    expect(check({ resourceType: 'Patient', birthDate: 'yesterday' } as never)).not.toStrictEqual([])

    const kinds = bundle.entry.map(({ resource }) => resource.resourceType)
    for (const kind of [
      'Patient',
      'Encounter',
      'Media',
      'Device',
      'Consent',
      'CarePlan',
      'Goal',
      'Practitioner',
    ])
      expect(kinds).toContain(kind)
    const client = new Client({ baseUrl: 'http://nobody.invalid' })
    const references = JSON.stringify(bundle).match(/(?<="reference":")[^"]+/g) ?? []
    expect(references.length).toBeGreaterThan(20)
    for (const reference of new Set(references)) {
      const found = await client.resolve({ reference, context: bundle as never })
      expect(`urn:uuid:${(found as Resource).id}`).toBe(reference)
    }
  })

  it('says of what a clinician dictated or typed that it is theirs', async () => {
    const setSource = (source: string) =>
      service.owner.write(tenant, (tx) =>
        tx.run({
          text: 'update casenote.sessions set source = $3 where tenant_id = $1 and session_id = $2',
          values: [tenant.tenantId, partner.sessionId, source],
        }),
      )
    const titlesOf = async (source: string): Promise<unknown[]> => {
      await setSource(source)
      const folder = join(root, `source-${source}`)
      await exportInto(folder)
      const { entry } = await readBundle(folder)
      expect(entry.flatMap(({ resource }) => makeR4Checker()(resource))).toStrictEqual([])
      return entry.flatMap(({ resource }) => {
        if (resource.resourceType === 'Media') return (resource.content as { title: string }).title
        const { type, content } = resource as {
          type?: { text?: string }
          content?: [{ attachment: { title: string; contentType: string } }]
        }
        const attachment = content?.[0].attachment
        return attachment?.contentType === 'application/json' ? [type?.text, attachment.title] : []
      })
    }
    try {
      const dictation = 'Transcript of the clinician’s dictation'
      expect(await titlesOf('dictated')).toEqual(['Dictation by the clinician', dictation, dictation])
      const text = 'Text typed by the clinician'
      expect((await titlesOf('typed')).slice(-2)).toEqual([text, text])
      expect(await titlesOf('recording')).toEqual(['Recording of the session', 'Transcript', 'Transcript'])
    } finally {
      await setSource('recording')
    }
  })

  it('has the words that were agreed to, as they were then', async () => {
    await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
      addText(tx, operator, {
        organizationId: null,
        language: 'en',
        version: 'newer',
        body: 'Words that nobody of these has read.',
      }),
    )
    const folder = join(root, 'words')
    await exportInto(folder)
    const { entry } = await readBundle(folder)
    const texts = entry.flatMap(({ resource }) => {
      const { data } = (resource.sourceAttachment ?? {}) as { data?: string }
      return data === undefined ? [] : [Buffer.from(data, 'base64').toString()]
    })
    expect(new Set(texts).size).toBe(1)
    expect(texts[0]).toContain('Your clinician would like to record your sessions.')
    const { consentTexts } = JSON.parse(await readFile(join(folder, 'client.json'), 'utf8')) as {
      consentTexts: { version: string; text: string; consentIds: string[] }[]
    }
    expect(consentTexts).toMatchObject([{ version: 'casenote-1', language: 'en', text: texts[0] }])
    expect(JSON.stringify(entry) + JSON.stringify(consentTexts)).not.toContain('nobody of these has read')
  })

  it('tells the note, who signed it and what wrote it', async () => {
    const folder = join(root, 'note')
    await exportInto(folder)
    const { entry } = await readBundle(folder)
    const find = (kind: string, id?: string): Resource => {
      const found = entry.find(
        ({ resource }) => resource.resourceType === kind && (id === undefined || resource.id === id),
      )
      if (found === undefined) throw new Error(`no ${kind}`)
      return found.resource
    }
    const note = find('DocumentReference', partner.progressNoteId)
    expect(note.docStatus).toBe('final')
    const content = note.content as { attachment: { contentType: string; data?: string; url?: string } }[]
    expect(Buffer.from(content[0]?.attachment.data ?? '', 'base64').toString()).toContain(
      'Client reports improved sleep.',
    )
    const pdf = await readFile(join(folder, 'fhir', content[1]?.attachment.url ?? ''))
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
    const provenance = find('Provenance')
    expect(provenance.target).toStrictEqual([{ reference: `urn:uuid:${partner.progressNoteId}` }])
    const roles = (provenance.agent as { type: { coding: { code: string }[] } }[]).map(
      ({ type }) => type.coding[0]?.code,
    )
    expect(roles).toStrictEqual(['assembler', 'attester'])
    const [{ who }] = provenance.agent as [{ who: { reference: string } }]
    const device = find('Device', who.reference.slice('urn:uuid:'.length))
    expect(device).toMatchObject({
      deviceName: [{ name: 'Casenote note writer: openai' }],
      version: [{ value: 'Example-30B' }],
    })
  })

  it('tells scores with LOINC where there is a code, and the answers', async () => {
    const folder = join(root, 'scores')
    await exportInto(folder)
    const { entry } = await readBundle(folder)
    const resources = entry.map(({ resource }) => resource)
    const codes = resources
      .filter(({ resourceType }) => resourceType === 'Observation')
      .map(({ code, valueInteger }) => ({
        loinc: (code as { coding: { system: string; code: string }[] }).coding
          .filter(({ system }) => system === 'http://loinc.org')
          .map((one) => one.code),
        valueInteger,
      }))
    // GAD-2 has no code of its own.
    expect(codes).toStrictEqual([
      { loinc: [], valueInteger: 3 },
      { loinc: ['44261-6'], valueInteger: 9 },
    ])
    const answered = resources.filter(({ resourceType }) => resourceType === 'QuestionnaireResponse')
    expect(answered.map(({ item }) => (item as unknown[]).length)).toStrictEqual([2, 10])
  })

  it('holds the recording byte by byte, a manifest of all files, and is its owner’s alone', async () => {
    const folder = join(root, 'bytes')
    await exportInto(folder)
    const files = await readAll(folder)
    const name = [...files.keys()].find((path) => path.startsWith('recordings/')) ?? ''
    expect(name.endsWith('.ogg')).toBe(true)
    expect(files.get(name)?.equals(recording)).toBe(true)
    const { files: listed } = JSON.parse(files.get('manifest.json')?.toString() ?? '') as {
      files: { path: string; bytes: number }[]
    }
    expect(listed.map(({ path }) => path).toSorted()).toStrictEqual(
      [...files.keys()].filter((path) => path !== 'manifest.json').toSorted(),
    )
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    for (const { path } of listed) expect((await stat(join(folder, path))).mode & 0o777).toBe(0o600)
  })

  it('holds nothing of another client or tenant, and no address of a recording', async () => {
    const folder = join(root, 'canary')
    await exportInto(folder)
    const files = await readAll(folder)
    const text = [...files.values()].map((bytes) => bytes.toString('latin1')).join('\n')
    expect(text).toContain(partner.clientId)
    expect(files.get('access-log.json')?.toString()).toContain('client.list')
    const canaries = [
      neighbourId,
      neighbourSessionId,
      'Neighbourcanary',
      'nadia@neighbour.example',
      stranger.clientId,
      stranger.sessionId,
      stranger.clinicianId,
      stranger.partnerId,
      'recordings.example.com',
      'ada@example.com',
    ]
    expect(canaries.filter((canary) => text.includes(canary))).toStrictEqual([])
  })

  it('holds plans, context, typed words, returns and what was left open', async () => {
    const folder = join(root, 'kept')
    await exportInto(folder)
    const files = await readAll(folder)
    const json = (path: string): unknown => JSON.parse(files.get(path)?.toString() ?? '')
    const { plans, versions } = json('treatment-plans.json') as Record<
      'plans' | 'versions',
      Record<string, unknown>[]
    >
    const plan = plans.find(({ title }) => title === 'Plancanary two')
    expect(plan).toMatchObject({ status: 'active', version: 2 })
    const history = plan?.history as { toStatus: string; version: number }[]
    expect([history[0], history.at(-1)]).toMatchObject([
      { toStatus: 'draft', version: 1 },
      { toStatus: 'active', version: 2 },
    ])
    expect(versions.filter(({ treatmentPlanId }) => treatmentPlanId === plan?.id)).toMatchObject([
      { title: 'Plancanary one', signedBy: null },
      { title: 'Plancanary two', signedBy: { kind: 'partner' } },
    ])
    const path = [...files.keys()].find((name) => /^sessions\/[^.]*\.json$/.test(name)) ?? ''
    expect(json(path)).toMatchObject({
      context: { pronouns: 'they/them' },
      text: 'Typedcanary',
      returns: [{ reason: 'First return' }, { reason: 'Second return' }],
    })
    const { items } = json('danger.json') as { items: { leftOpen: { reason: string }[] }[] }
    expect(items.flatMap(({ leftOpen }) => leftOpen.map(({ reason }) => reason))).toStrictEqual([
      'Leftcanary',
    ])
    expect(files.get('README.txt')?.toString()).toContain('treatment-plans.json')
  })

  it('has a place for every sealed column that leads to a client, or the guide says that it is left out', async () => {
    const rows = await service.owner.throughDoor<{ table: string; columns: string[] }>(selectOwnerColumns())
    const isOfClient = (table: string): boolean =>
      findWayToClient(rows.find((row) => row.table === table)?.columns ?? []) !== null
    const sealed = SEALED_TABLES.filter(({ table }) => isOfClient(table)).flatMap(({ table, columns }) =>
      columns.map((column) => `${table}.${column}`),
    )
    expect(sealed).toContain('session_texts.sealed_text')
    expect(sealed.toSorted()).toStrictEqual([...exportedColumns, ...Object.keys(leftOutColumns)].toSorted())
    const guide = await readFile(new URL('../../../../docs/export.md', import.meta.url), 'utf8')
    const leftOut = guide
      .slice(guide.indexOf('**Not in it**'), guide.indexOf('## FHIR'))
      .replaceAll('\n', ' ')
    expect(Object.values(leftOutColumns).filter((words) => !leftOut.includes(words))).toStrictEqual([])
  })

  it('goes on without a recording that the store has lost and a note that cannot be set', async () => {
    const client = await findClient(service.db, tenant, partner.clientId)
    if (client === null) throw new Error('no client')
    const exportWithout = async (lost: string): Promise<Map<string, Buffer>> => {
      const store = Object.create(service.blobs.store) as BlobStore
      store.get = (name) =>
        name.includes(lost) ? Promise.reject(new BlobMissing(name)) : service.blobs.store.get(name)
      const unset = { typeset: () => Promise.reject(new EngineFault('malformed', 'no')), close: () => {} }
      const parts = { ...makeParts(), blobs: { ...service.blobs, store }, typesetter: unset as never }
      const files = new Map<string, Buffer>()
      for await (const file of listExportFiles(parts, tenant, client)) {
        const pieces: Buffer[] = []
        for await (const piece of file.open()) pieces.push(piece)
        files.set(file.path, Buffer.concat(pieces))
      }
      return files
    }
    const find = (files: Map<string, Buffer>, start: string): [string, Buffer] | undefined =>
      [...files].find(([path]) => path.startsWith(start))
    const readSession = (files: Map<string, Buffer>) =>
      JSON.parse(find(files, 'sessions/')?.[1].toString() ?? '') as { recording: object; pdf: null }

    const nothing = await exportWithout('/1-')
    expect(readSession(nothing)).toMatchObject({ recording: { missing: true }, pdf: null })
    expect([find(nothing, 'recordings/'), find(nothing, 'notes/')]).toStrictEqual([undefined, undefined])
    expect(nothing.has('fhir/bundle.json')).toBe(true)

    const beginning = await exportWithout('/2-')
    const [path, bytes] = find(beginning, 'recordings/') ?? []
    expect(bytes?.equals(recording.subarray(0, partSizeBytesMax))).toBe(true)
    expect(readSession(beginning).recording).toMatchObject({
      path,
      missing: true,
      sizeBytes: partSizeBytesMax,
    })
  })

  it('goes on where it was cut short, and mends what is damaged', async () => {
    const folder = join(root, 'resumed')
    await exportInto(folder, /^sessions\//)
    expect(await readdir(folder)).not.toContain('manifest.json')
    await writeFile(join(folder, 'sessions', `${randomUUID()}.json.part`), 'half')
    expect(await exportInto(folder, /^notes\//)).toBe(1)
    const [name = ''] = await readdir(join(folder, 'recordings'))
    await truncate(join(folder, 'recordings', name), 1_000)
    expect(await exportInto(folder)).toBe(0)
    const files = await readAll(folder)
    expect(files.get(`recordings/${name}`)?.equals(recording)).toBe(true)
    expect([...files.keys()].filter((path) => /\.part$|unfinished/.test(path))).toStrictEqual([])
    await expect(exportInto(folder)).rejects.toThrow('holds an export')
  })

  it('refuses a folder that holds anything else', async () => {
    const folder = join(root, 'foreign')
    await exportInto(folder, /^sessions\//)
    await writeFile(join(folder, 'holiday.jpg'), 'mine')
    await expect(exportInto(folder)).rejects.toThrow('is not empty')
    await rm(join(folder, 'holiday.jpg'))
    await expect(openExportFolder(folder, neighbourId)).rejects.toThrow('another client')
  })
})

describe('a person’s export over the Partner API', () => {
  const call = (method: 'GET' | 'POST', path: string) => service.ask(partner, method, path)
  const ask = async () => (await call('POST', `/clients/${partner.clientId}/exports`)).json<ClientExport>()
  const read = async (id: string) => (await call('GET', `/client-exports/${id}`)).json<ClientExport>()

  /** As a worker does: whoever held it before has lost it once its lease is over. */
  async function claim(): Promise<Job> {
    const [job] = await service.db.throughDoor(claimJob(['export_client'], 600_000))
    if (job === undefined) throw new Error('no job')
    return job
  }
  const handlers = (): JobHandlers => makeExportHandlers({ ...makeParts(), log: makeLog('silent', 'test') })
  const prepare = async (): Promise<void> => handlers().run(await claim(), new AbortController().signal)

  it('is prepared once however often it is asked for, and is the whole of it', async () => {
    const answer = await call('POST', `/clients/${partner.clientId}/exports`)
    expect(answer.statusCode).toBe(202)
    const asked = answer.json<ClientExport>()
    expect(asked).toMatchObject({ clientId: partner.clientId, status: 'preparing', sizeBytes: null })
    expect(await ask()).toStrictEqual(asked)
    const early = await call('GET', `/client-exports/${asked.id}/file`)
    expect([early.statusCode, early.headers['casenote-error-code']]).toStrictEqual([409, 'export_not_ready'])

    await prepare()
    const ready = await read(asked.id)
    expect(ready).toMatchObject({ status: 'ready' })
    expect(Date.parse(ready.expiresAt ?? '') - Date.parse(ready.readyAt ?? '')).toBeCloseTo(86_400_000, -4)
    const file = await call('GET', `/client-exports/${asked.id}/file`)
    expect(file.statusCode).toBe(200)
    expect(file.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(ready.sizeBytes),
    })
    const unpacked = unzipSync(file.rawPayload)
    const { files } = JSON.parse(Buffer.from(unpacked['manifest.json'] ?? '').toString()) as {
      files: { path: string; bytes: number }[]
    }
    expect(files.map(({ path, bytes }) => [path, bytes])).toStrictEqual(
      Object.entries(unpacked)
        .filter(([path]) => path !== 'manifest.json')
        .map(([path, bytes]) => [path, bytes.length]),
    )
    const recorded = Object.entries(unpacked).find(([path]) => path.startsWith('recordings/'))
    expect(Buffer.from(recorded?.[1] ?? '').equals(recording)).toBe(true)
    expect(unpacked['fhir/bundle.json']).toBeDefined()
    for (const operation of ['clientExport.complete', 'clientExport.download'])
      expect(await listSubjects(service, tenant, operation, partner.clientId)).toHaveLength(1)
  })

  it('lies sealed in the store', async () => {
    const { id } = await ask()
    await prepare()
    const file = (await call('GET', `/client-exports/${id}/file`)).rawPayload
    expect(file.includes('manifest.json')).toBe(true)
    const [row] = await service.owner.read(tenant, {
      text: `select p.stored_name as name from casenote.client_exports e
        join casenote.blob_parts p on p.tenant_id = e.tenant_id and p.blob_id = e.blob_id
        where e.tenant_id = $1 and e.export_id = $2 and p.part_number = 2`,
      values: [tenant.tenantId, id],
    })
    const stored = await service.blobs.store.get((row as { name: string }).name)
    expect(stored.length).toBeGreaterThan(100_000)
    expect(stored.includes('manifest.json')).toBe(false)
  })

  it('goes on after a worker was killed, and only the newest file is kept', async () => {
    const first = await ask()
    await prepare()
    const { id } = await ask()
    expect(id).not.toBe(first.id)
    const killed = new AbortController()
    const job = await claim()
    killed.abort(new Error('killed'))
    await expect(handlers().run(job, killed.signal)).rejects.toThrow('killed')
    expect(await read(id)).toMatchObject({ status: 'preparing' })
    await service.owner.write(tenant, (tx) =>
      tx.run({
        text: `update casenote.jobs set status = 'waiting', due_at = now(), leased_until = null
          where tenant_id = $1 and job_id = $2`,
        values: [tenant.tenantId, job.jobId],
      }),
    )
    await prepare()
    expect(await read(id)).toMatchObject({ status: 'ready' })
    expect(await read(first.id)).toMatchObject({ status: 'expired' })
    expect((await call('GET', `/client-exports/${first.id}/file`)).statusCode).toBe(409)
  })

  const statusOf = async (blobId: string): Promise<string | undefined> =>
    (await findBlob(service.blobs, tenant, blobId))?.status
  const fileOf = async (exportId: string): Promise<string> =>
    (await findExport(service.db, tenant, exportId))?.blobId ?? ''

  /** `meet` comes where the first part of a file is put into the store. */
  function meetingFirstPart(meet: () => Promise<void>): JobHandlers {
    const store = Object.create(service.blobs.store) as BlobStore
    store.put = async (name, bytes) => {
      if (name.includes('/1-')) await meet()
      await service.blobs.store.put(name, bytes)
    }
    const blobs = { ...service.blobs, store }
    return makeExportHandlers({ ...makeParts(), blobs, log: makeLog('silent', 'test') })
  }

  it('waits for a blob store that is away or full, costs no attempt, and is made when it is back', async () => {
    const { id } = await ask()
    const job = await claim()
    const away = meetingFirstPart(() => Promise.reject(new BlobStoreFault('ENOSPC')))
    await away.run(job, new AbortController().signal)
    expect(await read(id)).toMatchObject({ status: 'preparing' })
    const stateOf = async () =>
      service.db.read(tenant, {
        text: `select status, attempts, outage_since is not null as "isAway", due_at > now() as "isLater" from casenote.jobs
          where tenant_id = $1 and job_id = $2`,
        values: [tenant.tenantId, job.jobId],
      })
    expect(await stateOf()).toEqual([{ status: 'waiting', attempts: 0, isAway: true, isLater: true }])
    await service.owner.write(tenant, (tx) =>
      tx.run({
        text: 'update casenote.jobs set due_at = now() where tenant_id = $1 and job_id = $2',
        values: [tenant.tenantId, job.jobId],
      }),
    )
    await prepare()
    expect(await read(id)).toMatchObject({ status: 'ready' })
  })

  it('is its client’s from the first byte on, and goes with a worker that lost it', async () => {
    const { id } = await ask()
    const job = await claim()
    let begun = ''
    const late = meetingFirstPart(async () => {
      begun = await fileOf(id)
      expect(await makeFindOwner(service.db)(tenant, begun)).toBe(partner.clientId)
      await service.owner.write(tenant, (tx) =>
        tx.run({
          text: `update casenote.jobs set status = 'waiting', due_at = now(), leased_until = null
            where tenant_id = $1 and job_id = $2`,
          values: [tenant.tenantId, job.jobId],
        }),
      )
    })
    await expect(late.run(job, new AbortController().signal)).rejects.toThrow('taken over')
    expect(begun).not.toBe('')
    expect(await statusOf(begun)).toBe('deleted')
    // A worker that was killed could not do that.
    const left = await createBlob(service.blobs, tenant, 'export')
    await service.db.write(tenant, (tx) => tx.run(beginFile(tenant, id, left)))
    await prepare()
    expect(await read(id)).toMatchObject({ status: 'ready' })
    expect([await statusOf(left), await statusOf(await fileOf(id))]).toStrictEqual(['deleting', 'complete'])
  })

  it('ends with an erasure of anything in it, and is not made of what is being erased', async () => {
    const erase = async (): Promise<string> => {
      const erasureId = randomUUID()
      const row = { erasureId, kind: 'draft', subjectId: randomUUID(), clientId: partner.clientId } as const
      await service.owner.write(tenant, (tx) =>
        tx.run(insertErasure(tenant, { ...row, askedBy: 'operator', withSignedNotes: false })),
      )
      return erasureId
    }
    const ready = await ask()
    await prepare()
    const file = await fileOf(ready.id)
    const [erasure] = await service.db.read(tenant, selectErasure(tenant, await erase()))
    expect(erasure?.blobIds).toContain(file)
    expect(await read(ready.id)).toMatchObject({ status: 'expired' })
    expect(await statusOf(file)).toBe('deleting')

    const { id } = await ask()
    const worker = meetingFirstPart(async () => {
      await erase()
    })
    await expect(worker.run(await claim(), new AbortController().signal)).rejects.toThrow('taken over')
    expect(await read(id)).toMatchObject({ status: 'failed', sizeBytes: null })
    expect(await statusOf(await fileOf(id))).toBe('deleted')

    // Begun between an erasure and its end.
    const between = await ask()
    await prepare()
    await service.db.write(tenant, (tx) =>
      tx.run({
        text: `update casenote.erasures set status = 'done', done_at = now(), receipt = '{}'
          where tenant_id = $1 and status = 'deleting'`,
        values: [tenant.tenantId],
      }),
    )
    expect(await read(between.id)).toMatchObject({ status: 'expired' })
  })

  it('that was ended meanwhile is not kept, nor told of as complete', async () => {
    const { id } = await ask()
    const worker = meetingFirstPart(async () => {
      await service.owner.write(tenant, (tx) => tx.run(failExport(tenant, id)))
    })
    await expect(worker.run(await claim(), new AbortController().signal)).rejects.toThrow('taken over')
    expect(await read(id)).toMatchObject({ status: 'failed', sizeBytes: null })
    expect(await statusOf(await fileOf(id))).toBe('deleted')
    expect(await listSubjects(service, tenant, 'clientExport.complete', id)).toEqual([])
  })

  it('fails where every attempt failed, and may be asked for anew', async () => {
    const { id } = await ask()
    await handlers().giveUp(await claim(), new AbortController().signal)
    expect(await read(id)).toMatchObject({ status: 'failed', sizeBytes: null, expiresAt: null })
    expect((await ask()).id).not.toBe(id)
  })
})
