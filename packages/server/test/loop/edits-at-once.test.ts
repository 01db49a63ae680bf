import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { completeGeneration, findNoteOfSession } from '../../src/features/progress-notes/index.js'
import { asPipeline, startRecord } from '../support/clinical-record.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { findDelayMs, loopDelayMaxMs } from '../support/watch-loop.js'
import { openHttpCaller, share, type HttpCaller } from './http-caller.js'
import { largestTemplate, largestTemplateId } from './largest-plans.js'
import { addPrescriber } from './largest-record.js'

let service: TestService
let crowdCaller: HttpCaller
let otherCaller: HttpCaller
let origin: string

beforeAll(async () => {
  service = await makeTestService()
  crowdCaller = await openHttpCaller()
  otherCaller = await openHttpCaller()
  await service.api.app.listen({ port: 0, host: '127.0.0.1' })
  origin = `http://127.0.0.1:${(service.api.app.server.address() as AddressInfo).port}`
}, 60_000)
afterAll(async () => {
  await crowdCaller.close()
  await otherCaller.close()
  await service.close()
})

/** As many sections as there may be, in each of which all is wanted and nothing stands. */
const template = largestTemplate(largestTemplateId)
/** All of them together are a megabyte, which a body may be. */
const longest = 49_000

/** What costs most to compare with what stood there: every sentence begins like every other. */
const writeNote = (lengthEach: number, mark: string): { key: string; title: string; content: string }[] =>
  template.sections.map(({ key, title }) => {
    const sentence = (at: number): string => `The client said this of the week, ${mark} ${at}. `
    const count = Math.floor(lengthEach / sentence(9_999).length)
    return {
      key,
      title,
      content: Array.from({ length: count }, (_one, at) => sentence(at))
        .join('')
        .trim(),
    }
  })

/** A note with a text of so many characters in each section: where it is changed. */
async function addNote(partner: TestPartner, lengthEach: number): Promise<string> {
  const tenant = { tenantId: partner.partnerId }
  const context = asPipeline(await service.keys.get(tenant))
  await crowdCaller.call({
    method: 'POST',
    url: `${origin}/v2/templates`,
    headers: { ...partner.headers, 'content-type': 'application/json' },
    body: share(JSON.stringify({ template })),
  })
  const { clientId } = await addPrescriber(service, partner)
  const { sessionId, generationId } = await startRecord(service.db, context, {
    clientId,
    given: { templateId: template.id },
  })
  const written = writeNote(lengthEach, 'first').map((section) => ({
    ...section,
    evidence: section.content.split(/(?<=\.) /).map((sentence) => ({
      sentence,
      transcriptItems: [0],
      supported: true,
      judgement: 'clinicians_words' as const,
      reason: null,
    })),
  }))
  const writing = { madeBy: 'test', generationId, sections: written, review: [] }
  await service.db.write(tenant, (tx) => completeGeneration(tx, context, writing))
  const note = await findNoteOfSession(service.db, tenant, sessionId)
  return `${origin}/v2/progress-notes/${note?.progressNoteId}`
}

/** Made beforehand: the loop that is watched has no part in it. */
const bodyOf = (lengthEach: number, mark: string): SharedArrayBuffer =>
  share(JSON.stringify({ note: writeNote(lengthEach, mark) }))

const change = async (
  caller: HttpCaller,
  url: string,
  { headers: own }: TestPartner,
  body: SharedArrayBuffer,
): Promise<{ status: number }> =>
  caller.call({ method: 'PATCH', url, headers: { ...own, 'content-type': 'application/json' }, body })

it(
  'the largest change of a note of which most is wanted leaves the loop to the others',
  { timeout: 120_000 },
  async () => {
    const partner = await service.addPartner()
    const url = await addNote(partner, longest)
    const bodies = ['one', 'two'].map((mark) => bodyOf(longest, mark))
    const delayMs = await findDelayMs(loopDelayMaxMs, async () => {
      for (const body of bodies)
        expect(await change(otherCaller, url, partner, body)).toMatchObject({ status: 200 })
    })
    expect(delayMs).toBeLessThan(loopDelayMaxMs)
  },
)

const callsCount = 300
/** A turn of a crowd is that of several calls whose bodies came at once, a few milliseconds for each. */
const turnMaxMs = 500
const otherWithinMs = 15_000

it(
  '300 of the largest changes at once hold up nobody else, and whatever is not kept is told so',
  { timeout: 240_000 },
  async () => {
    const [many, other] = [await service.addPartner(), await service.addPartner()]
    const [url, otherUrl] = [await addNote(many, longest), await addNote(other, 500)]
    const [largest, small] = [bodyOf(longest, 'other'), bodyOf(500, 'other')]
    const statuses = new Map<number, number>()
    let otherTook = Infinity
    const delayMs = await findDelayMs(Infinity, async () => {
      const crowd = Array.from({ length: callsCount }, async () => {
        const { status } = await change(crowdCaller, url, many, largest)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      })
      const startedAt = performance.now()
      expect(await change(otherCaller, otherUrl, other, small)).toMatchObject({
        status: 200,
      })
      otherTook = performance.now() - startedAt
      await Promise.all(crowd)
    })
    expect(delayMs).toBeLessThan(turnMaxMs)
    expect(otherTook).toBeLessThan(otherWithinMs)
    expect(statuses.get(200)).toBeGreaterThan(0)
    expect([...statuses.keys()].filter((status) => ![200, 409, 429, 503].includes(status))).toEqual([])
  },
)
