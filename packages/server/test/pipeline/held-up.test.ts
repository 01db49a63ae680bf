import { type NoteType, type ProgressNote } from '@casenote/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInTemplate } from '../../src/engines/writer/templates/built-in-templates.js'
import { JobRunner } from '../../src/jobs/job-runner.js'
import { makeLog } from '../../src/kernel/log.js'
import { makeWriter } from '../../src/main/open-writer.js'
import { LANES, makeJobHandlers } from '../../src/pipeline/pipeline.js'
import { waitUntil } from '../support/casenote-process.js'
import { makeNoteCalls, type NoteCalls } from '../support/note-calls.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'
import { findDelayMs, loopDelayMaxMs } from '../support/watch-loop.js'
import { openNoteParts } from './note-parts.js'

/** Whoever changes a note waits no longer than this, whatever another tenant does. */
const waitsMostMs = 15_000

let service: TestService
let attacker: TestPartner
let other: TestPartner
let attack: NoteCalls
let beside: NoteCalls
let close: () => Promise<void>

beforeAll(async () => {
  service = await makeTestService()
  attacker = await service.addPartner()
  other = await service.addPartner()
  attack = await makeNoteCalls(service, attacker)
  beside = await makeNoteCalls(service, other)
  const stage = openNoteParts(service)
  const writer = makeWriter(null, null, stage.checker)
  const runner = new JobRunner({
    db: service.db,
    listenUrl: service.database.databaseUrl,
    log: makeLog('silent', 'test'),
    lanes: LANES,
    handlers: makeJobHandlers(stage.partsWith({ writer })),
  })
  runner.start()
  close = async () => {
    await runner.close()
    await writer.close()
    await stage.close()
    await service.close()
  }
})
afterAll(() => close())

const ask = async (calls: NoteCalls, note: ProgressNote, userInstructions: string): Promise<void> => {
  const answer = await calls.call('POST', `/progress-notes/${note.id}/magic-edit`, { userInstructions })
  expect(answer.statusCode).toBe(202)
}

const atRest = async (
  calls: NoteCalls,
  { sessionId }: ProgressNote,
  withinMs: number,
): Promise<ProgressNote> => {
  let note = await calls.noteOf(sessionId)
  await waitUntil(
    async () => {
      note = await calls.noteOf(sessionId)
      return !note.isLoading
    },
    'nothing writes the note',
    withinMs,
  )
  return note
}

/** Each held the writer up: by its growth, or by an expression that tried every way of reading it. */
const instructions = [
  Array(12).fill('Replace "sleep" with "sleep sleep sleep sleep".').join(' '),
  `Put it in a ${'format '.repeat(60)}!`,
  `Remove the ${'plan section and the '.repeat(200)}!`,
  `Move ${'a to the plan '.repeat(300)}!`,
  `Replace "${'a '.repeat(2_000)}" with "b"`,
]

const patchOf = (text: string, noteType: NoteType = 'soap') => ({
  note: builtInTemplate(noteType).sections.map(({ key }) => ({ key, content: text })),
})
const change = (calls: NoteCalls, note: ProgressNote, payload: unknown) =>
  calls.call('PATCH', `/progress-notes/${note.id}`, payload)

describe('beside a tenant that sends what once held up everybody', () => {
  it("another tenant's magic edit ends within seconds, at its first attempt", async () => {
    const hostile: ProgressNote[] = []
    for (const instruction of [...instructions, ...instructions]) {
      const note = await attack.written()
      expect((await change(attack, note, patchOf('Slept a a a. Sleep? '.repeat(2_000)))).statusCode).toBe(200)
      hostile.push(note)
      await ask(attack, note, instruction)
    }
    const mine = await beside.written()
    await ask(beside, mine, 'Replace "improved sleep" with "better sleep"')
    const { note } = await atRest(beside, mine, waitsMostMs)
    expect(note[0]?.content).toBe('Client reports better sleep.')
    const attempts = await service.owner.write({ tenantId: other.partnerId }, (tx) =>
      tx.run<{ attempts: number }>({
        text: `select attempts from casenote.jobs where tenant_id = $1 and kind = 'write_note' order by attempts desc`,
        values: [other.partnerId],
      }),
    )
    expect(attempts[0]?.attempts).toBe(1)
    for (const one of hostile) await atRest(attack, one, 60_000)
  })

  it("another tenant's change of a note ends within seconds", async () => {
    const numbered = Array.from({ length: 4_500 }, (_, at) => `q${at}z. `).join('')
    const notes = await Promise.all(Array.from({ length: 8 }, () => attack.written()))
    for (const one of notes) await change(attack, one, patchOf(numbered))
    const mine = await beside.written()
    const held = notes.flatMap((one) => [
      change(attack, one, patchOf(`${'a'.repeat(24_000)}${'e.g. '.repeat(400)}`)),
      change(attack, one, patchOf('q'.repeat(49_000))),
    ])
    const started = performance.now()
    const answer = await change(beside, mine, patchOf('Client slept.'))
    expect(answer.statusCode).toBe(200)
    expect(performance.now() - started).toBeLessThan(waitsMostMs)
    await Promise.all(held)
  })
})

describe('the largest inputs leave the loop to the others', { timeout: 300_000 }, () => {
  const texts: [what: string, text: string][] = [
    ['one word', 'a'.repeat(50_000)],
    ['abbreviations', `${'a'.repeat(24_000)}${'e.g. '.repeat(5_200)}`],
    ['short sentences', 'a. '.repeat(16_600)],
    ['numbered sentences', Array.from({ length: 5_000 }, (_, at) => `q${at}z. `).join('')],
    ['lines', '- no gun\n'.repeat(5_500)],
  ]

  it.each(texts)('a change of %s', async (_what, text) => {
    const note = await attack.written()
    await change(attack, note, patchOf(text))
    const payload = patchOf(`${text.slice(0, 49_000)}.`)
    const delayMs = await findDelayMs(loopDelayMaxMs, async () => change(attack, note, payload))
    expect(delayMs).toBeLessThan(loopDelayMaxMs)
  })

  it.each(texts)('a magic edit of %s', async (_what, text) => {
    const note = await attack.written()
    await change(attack, note, patchOf(text))
    const delayMs = await findDelayMs(loopDelayMaxMs, async () => {
      await ask(attack, await attack.noteOf(note.sessionId), 'Replace "zz" with "b"')
      await atRest(attack, note, 60_000)
    })
    expect(delayMs).toBeLessThan(loopDelayMaxMs)
  })
})
