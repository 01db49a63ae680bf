import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { snippetLanguages } from '../../../docs-site/src/render/code.js'
import { makeSnippets, toSnake, toUpper } from '../../../docs-site/src/render/reference/make-snippets.js'
import {
  listEntries,
  type Entry,
  type OpenApiDocument,
} from '../../../docs-site/src/render/reference/open-api.js'
import { listSnippets } from '../../../docs-site/src/render/render-markdown.js'
import { createClinician } from '../../src/features/clinicians/index.js'
import { operator } from '../../src/kernel/operator.js'
import { describePartnerApi } from '../../src/main/describe-api.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { lacks, recordAnswers, runSnippets, type Fence, type Recorder } from './run-snippets.js'

const document = describePartnerApi() as unknown as OpenApiDocument
const quickStart = readFileSync(new URL('../../../../docs/site/quick-start.md', import.meta.url), 'utf8')
const connect = listSnippets(quickStart).find(({ name }) => name === 'connect')!

/** What would be in the way of the others comes behind them, in this order. */
const last = [
  'sandbox.completeAssessment',
  'sandbox.provokeFaults',
  'sandbox.endFaults',
  'sandbox.advanceClock',
  'sandbox.expireTokens',
]

/** What is removed is removed late. */
const rankOf = ({ method, operationId }: Entry): number =>
  last.includes(operationId) ? 2 + last.indexOf(operationId) : Number(method === 'DELETE')
const entries = listEntries(document).toSorted((one, other) => rankOf(one) - rankOf(other))

/** What these are refused with in the state that the partner is in; all others succeed. */
const refusals: Record<string, number> = {
  'clinician.change': 409, // its address is the one of the clinician created before
  'client.invite': 409, // has had a session
  'session.retry': 409, // has not failed
  'session.strike': 409, // is not completed
  'session.link': 400, // nobody else is heard
  'clientExport.download': 409, // no worker has made it yet
  'sandbox.completeAssessment': 409, // was revoked before
  'progressNote.addAddendum': 409, // is not finalized
  'progressNote.regenerate': 409, // the magic edit is under way
  'progressNote.finalize': 409,
  'client.erase': 403, // the operator has not allowed it
  'session.erase': 403,
  'transcript.erase': 403,
  'draft.erase': 403,
}

let service: TestService
let recorder: Recorder
let folder: string

beforeAll(async () => {
  service = await makeTestService()
  await service.api.app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = service.api.app.server.address() as AddressInfo
  recorder = await recordAnswers(`http://127.0.0.1:${port}`)
  folder = await mkdtemp(join(tmpdir(), 'casenote-docs-'))
  await mkdir(join(folder, '.casenote'))
})
afterAll(async () => {
  await recorder?.close()
  await service?.close()
  await rm(folder, { recursive: true, force: true })
})

/** A partner with one of everything, and another clinician for the bodies that name one. */
async function preparePartner(): Promise<{ ids: Record<string, string>; values: object }> {
  const partner = await service.addPartner()
  await writeFile(
    join(folder, '.casenote/sandbox-credentials.json'),
    JSON.stringify({ ...partner, clientId: partner.credentialId }),
  )
  const otherClinicianId = await service.owner.write({ tenantId: partner.partnerId }, (tx) =>
    createClinician(
      tx,
      {
        clinicId: partner.clinicId,
        firstName: 'Grace',
        lastName: 'Example',
        email: 'grace@example.com',
        externalId: null,
        prescriber: false,
        defaultNoteType: null,
      },
      operator,
    ),
  )
  const values = {
    clientId: partner.credentialId,
    clientSecret: partner.clientSecret,
    clinicianId: otherClinicianId,
    clinicianIds: [otherClinicianId],
    supervisorId: otherClinicianId,
    programIds: [partner.programId],
  }
  return { ids: nameIds(partner), values }
}

/** The examples' ids and secrets are nobody's: the partner's own instead. */
function fillExample(entry: Entry, values: object): Entry {
  const content = entry.requestBody?.content['application/json']
  if (entry.requestBody === undefined || content === undefined) return entry
  const known = Object.entries(values).filter(([name]) => name in (content.example as object))
  const example = { ...(content.example as object), ...Object.fromEntries(known) }
  return {
    ...entry,
    requestBody: { ...entry.requestBody, content: { 'application/json': { ...content, example } } },
  }
}

const nameIds = (partner: TestPartner): Record<string, string> => ({
  partnerId: partner.partnerId,
  organizationId: partner.organizationId,
  clinicId: partner.clinicId,
  programId: partner.programId,
  clinicianId: partner.clinicianId,
  clientId: partner.clientId,
  sessionId: partner.sessionId,
  progressNoteId: partner.progressNoteId,
  summaryId: partner.summaryId,
  treatmentPlanId: partner.treatmentPlanId,
  clientExportId: partner.clientExportId,
  consentId: partner.consentId,
  assignmentId: partner.assignmentId,
  assessmentScoreId: partner.scoreId,
  webhookEndpointId: partner.endpointId,
  webhookDeliveryId: partner.deliveryId,
  templateId: partner.templateId,
  erasureId: partner.erasureId,
})

/** A variable, and a call that goes on whatever it is answered. */
const write: Record<Fence, { name(id: string, value: string): string; guard(code: string): string }> = {
  sh: { name: (id, value) => `${toUpper(id)}=${value}`, guard: (code) => code },
  ts: {
    name: (id, value) => `const ${id} = '${value}'`,
    guard: (code) => `try {\n${code}\n} catch (error) {\nconsole.log(String(error))\n}`,
  },
  python: {
    name: (id, value) => `${toSnake(id)} = "${value}"`,
    guard: (code) =>
      `try:\n${code.replaceAll(/^/gm, '    ')}\nexcept urllib.error.HTTPError as error:\n    print(error.code, error.read())`,
  },
}

function expectedOf({ operationId, responses }: Entry): number {
  const success = Object.keys(responses).find((status) => status.startsWith('2'))
  return refusals[operationId] ?? Number(success)
}

describe('the snippets of the reference, against the service', () => {
  it.for(snippetLanguages)('$label', async ({ fence }, { skip }) => {
    skip(lacks(fence))
    const { ids, values } = await preparePartner()
    const writer = write[fence]
    const variables = Object.entries(ids).map(([id, value]) => writer.name(id, value))
    const steps = entries.map((entry) => ({
      name: entry.operationId,
      code: writer.guard(makeSnippets(fillExample(entry, values))[fence]),
    }))
    const first = { name: 'connect', code: [connect.code[fence], ...variables].join('\n') }
    const printed = await runSnippets(fence, [first, ...steps], { recorder, folder, env: {} })
    const answered = entries.map(({ operationId }) => [operationId, recorder.answers.get(operationId)])
    const expected = entries.map((entry) => [entry.operationId, [expectedOf(entry)]])
    // What was printed says why a call was refused.
    if (!isDeepStrictEqual(answered, expected)) process.stderr.write(printed)
    expect(answered).toEqual(expected)
  })
})
