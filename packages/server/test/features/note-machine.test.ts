import type { NoteOrigin, NoteStatus, NoteVersion, Page, ProgressNote } from '@casenote/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { completeGeneration, failGeneration } from '../../src/features/progress-notes/index.js'
import type { ChangeContext } from '../../src/kernel/change-context.js'
import { asPipeline, someSections, startRecord } from '../support/clinical-record.js'
import { listEvents } from '../support/outcomes.js'
import { makeTestService, type TestPartner, type TestService } from '../support/test-service.js'

/** What the contract says of a note, in a few lines: the database must do the same whatever is called in what order. */
interface Model {
  status: NoteStatus
  /** What it says, and how each text came about. */
  texts: { text: string; origin: NoteOrigin }[]
  active: 'generation' | 'regeneration' | 'magic_edit' | null
  events: string[]
  idCount: number
}

const OPERATIONS = [
  'patch',
  'magicEdit',
  'regenerate',
  'finalize',
  'complete',
  'fail',
  'completeStale',
] as const
type Operation = (typeof OPERATIONS)[number]

const busy = (model: Model): boolean => model.active !== null

/** The status that a call is answered with, and what it does to the model. */
const rules: Record<Operation, (model: Model, text: string) => number | boolean> = {
  patch: (model, text) => {
    const refusal = refuseChange(model) ?? refuseUnwritten(model)
    if (refusal !== null) return refusal
    model.texts.push({ text, origin: 'edit' })
    return 200
  },
  magicEdit: (model) => {
    const refusal = refuseChange(model) ?? refuseUnwritten(model)
    if (refusal !== null) return refusal
    model.active = 'magic_edit'
    return 202
  },
  regenerate: (model) => {
    const refusal = refuseChange(model)
    if (refusal !== null) return refusal
    model.active = 'regeneration'
    return 202
  },
  finalize: (model) => {
    if (model.status === 'finalized') return 200
    const refusal = refuseChange(model) ?? refuseUnwritten(model)
    if (refusal !== null) return refusal
    model.status = 'finalized'
    model.events.push('progress_note_finalized')
    return 200
  },
  complete: (model, text) => {
    if (model.active === null) return false
    const isFirst = model.texts.length === 0
    model.texts.push({ text, origin: isFirst ? 'generation' : model.active })
    model.status = isFirst ? 'generated' : 'regenerated'
    model.events.push(`progress_note_${model.status}`)
    if (!isFirst) model.idCount += 1
    model.active = null
    return true
  },
  fail: (model) => {
    if (model.active === null) return false
    if (model.status === 'generating') model.status = 'failed'
    model.active = null
    return true
  },
  completeStale: () => false,
}

const refuseChange = (model: Model): number | null =>
  model.status === 'finalized' ? 403 : busy(model) ? 409 : null
const refuseUnwritten = ({ status }: Model): number | null => (status === 'failed' ? 409 : null)

let service: TestService
let partner: TestPartner
let tenant: { tenantId: string }
let context: ChangeContext

beforeAll(async () => {
  service = await makeTestService()
  partner = await service.addPartner()
  tenant = { tenantId: partner.partnerId }
  context = asPipeline(await service.keys.get(tenant))
})
afterAll(() => service.close())

/** One note in the database, with the calls on it. */
class RealNote {
  readonly ids: string[] = []
  readonly spentGenerations: string[] = []

  constructor(readonly sessionId: string) {}

  async read(): Promise<ProgressNote> {
    const url = `/v2/sessions/${this.sessionId}/progress-note`
    return (await service.call({ method: 'GET', url, headers: partner.headers })).json<ProgressNote>()
  }

  async do(operation: Operation, text: string): Promise<number | boolean> {
    // Any id that it ever had must do.
    const id = this.ids[text.length % this.ids.length] ?? ''
    switch (operation) {
      case 'patch':
        return this.#call('PATCH', id, '', { note: [{ key: 'plan', content: text }] })
      case 'magicEdit':
        return this.#call('POST', id, '/magic-edit', { userInstructions: text })
      case 'regenerate':
      case 'finalize':
        return this.#call('POST', id, `/${operation}`)
      case 'complete':
      case 'fail': {
        const generationId = await this.active()
        if (generationId === null) return false
        this.spentGenerations.push(generationId)
        return this.#end(operation, generationId, text)
      }
      default: {
        const generationId = this.spentGenerations.at(-1)
        return generationId === undefined ? false : this.#end('complete', generationId, text)
      }
    }
  }

  async active(): Promise<string | null> {
    const [row] = await service.db.read(tenant, {
      text: `select n.active_generation_id as id, (select count(*) from casenote.note_generations g
          where g.tenant_id = n.tenant_id and g.note_id = n.note_id and g.status = 'pending') as pending
        from casenote.progress_notes n where n.tenant_id = $1 and n.session_id = $2`,
      values: [tenant.tenantId, this.sessionId],
    })
    const { id, pending } = row as { id: string | null; pending: number }
    if (pending !== (id === null ? 0 : 1))
      throw new Error('there are two, or one that the note does not know')
    return id
  }

  async #call(method: 'PATCH' | 'POST', id: string, action: string, payload?: object): Promise<number> {
    const url = `/v2/progress-notes/${id}${action}`
    const body = payload === undefined ? {} : { payload }
    return (await service.call({ method, url, headers: partner.headers, ...body })).statusCode
  }

  #end(how: 'complete' | 'fail', generationId: string, text: string): Promise<boolean> {
    return service.db.write(tenant, (tx) =>
      how === 'complete'
        ? completeGeneration(tx, context, {
            madeBy: 'test',
            generationId,
            sections: planOf(text),
            review: [],
          })
        : failGeneration(tx, context, { generationId, reason: text }),
    )
  }
}

const planOf = (text: string) => [{ key: 'plan', title: 'Plan', content: text, evidence: [] }]

/** What a clinician wrote is theirs. */
const shownPlanOf = ({ text, origin }: Model['texts'][number]) =>
  planOf(text).map((section) => ({
    ...section,
    evidence:
      origin === 'edit'
        ? [
            {
              sentence: text,
              transcriptItems: [],
              supported: true,
              judgement: 'clinicians_words',
              reason: null,
            },
          ]
        : [],
  }))

const begin = async (): Promise<RealNote> => {
  const { sessionId } = await startRecord(service.db, context, { clientId: partner.clientId })
  const note = new RealNote(sessionId)
  note.ids.push((await note.read()).id)
  return note
}

async function expectAlike(note: RealNote, model: Model): Promise<void> {
  const shown = await note.read()
  if (!note.ids.includes(shown.id)) note.ids.push(shown.id)
  expect(note.ids).toHaveLength(model.idCount)
  expect(shown.status).toBe(busy(model) ? 'generating' : model.status)
  expect(shown.isLoading).toBe(busy(model))
  const current = model.texts.at(-1)
  expect(shown.note).toEqual(busy(model) || current === undefined ? [] : shownPlanOf(current))
  expect(await eventTypesOf(note)).toEqual(model.events)
  const all = await versionsOf(note)
  expect(all).toEqual(model.texts)
}

const eventTypesOf = async ({ sessionId }: RealNote): Promise<string[]> =>
  (await listEvents(service, tenant, sessionId))
    .map(({ eventType }) => eventType as string)
    .filter((eventType) => eventType !== 'transcript_ready')

async function versionsOf(note: RealNote): Promise<{ text: string; origin: NoteOrigin }[]> {
  const found: NoteVersion[] = []
  for (let page = 1; ; page += 1) {
    const url = `/v2/progress-notes/${note.ids[0]}/versions?page=${page}`
    const { data, meta } = (await service.call({ method: 'GET', url, headers: partner.headers })).json<
      Page<NoteVersion>
    >()
    found.push(...data)
    if (meta.currentPage === meta.totalPages) break
  }
  expect(found.map(({ version }) => version)).toEqual(found.map((_, index) => index + 1))
  return found.map(({ note: [section], origin }) => ({ text: section?.content ?? '', origin }))
}

describe('the note machine', () => {
  it('does what the contract says in any order of calls', async () => {
    // Finalizing ends all that is interesting: it comes seldom.
    const operation = fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...OPERATIONS.filter((one) => one !== 'finalize')) },
      { weight: 1, arbitrary: fc.constant('finalize' as const) },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 25 }), async (operations) => {
        const note = await begin()
        const model: Model = { status: 'generating', texts: [], active: 'generation', events: [], idCount: 1 }
        for (const [index, one] of operations.entries()) {
          const text = `${one} ${'x'.repeat(index)}`
          const expected = rules[one](model, text)
          expect([one, await note.do(one, text)]).toEqual([one, expected])
          await expectAlike(note, model)
        }
        for (const id of note.ids) {
          const url = `/v2/progress-notes/${id}`
          const answer = await service.call({ method: 'GET', url, headers: partner.headers })
          expect(answer.json()).toEqual(await note.read())
        }
      }),
      { numRuns: 25 },
    )
  })

  it('keeps its invariants when calls come at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom(...OPERATIONS), { minLength: 2, maxLength: 5 }), {
          minLength: 2,
          maxLength: 6,
        }),
        async (batches) => {
          const note = await begin()
          await note.do('complete', 'first')
          let finalText: unknown = null
          for (const batch of batches) {
            const answers = await Promise.all(batch.map((one, index) => note.do(one, `${one} ${index}`)))
            // Whatever was refused was refused by a rule, not by an accident.
            for (const answer of answers) expect([200, 202, 403, 409, true, false]).toContain(answer)
            const requested = answers.filter((answer) => answer === 202).length
            const ended = answers.filter((answer) => answer === true).length
            expect(requested).toBeLessThanOrEqual(1 + ended)
            const shown = await note.read()
            if (!note.ids.includes(shown.id)) note.ids.push(shown.id)
            await note.active()
            if (finalText !== null) expect(shown).toEqual(finalText)
            if (shown.status === 'finalized') finalText = shown
          }
          const events = await eventTypesOf(note)
          const origins = (await versionsOf(note)).map(({ origin }) => origin)
          expect(events.filter((one) => one === 'progress_note_generated')).toHaveLength(1)
          expect(events.filter((one) => one === 'progress_note_regenerated')).toHaveLength(
            origins.filter((origin) => origin === 'regeneration' || origin === 'magic_edit').length,
          )
          expect(events.filter((one) => one === 'progress_note_finalized')).toHaveLength(
            finalText === null ? 0 : 1,
          )
        },
      ),
      { numRuns: 20 },
    )
  })

  it('versions cannot be changed or removed, not even by the application', async () => {
    const note = await begin()
    await note.do('complete', 'kept')
    for (const text of [
      'update casenote.note_versions set version = 9 where tenant_id = $1',
      'delete from casenote.note_versions where tenant_id = $1',
      'update casenote.progress_note_ids set note_id = note_id where tenant_id = $1',
      'delete from casenote.note_status_history where tenant_id = $1',
    ]) {
      const attempt = service.db.write(tenant, (tx) => tx.run({ text, values: [tenant.tenantId] }))
      await expect(attempt).rejects.toMatchObject({ code: '42501' })
    }
  })

  it('a change that cannot be told is not made: note, history and event are one transaction', async () => {
    const note = await begin()
    const generationId = (await note.active()) ?? ''
    const attempt = service.db.write(tenant, async (tx) => {
      await completeGeneration(tx, context, {
        madeBy: 'test',
        generationId,
        sections: someSections(),
        review: [],
      })
      throw new Error('the process dies')
    })
    await expect(attempt).rejects.toThrow('dies')
    expect(await note.read()).toMatchObject({ isLoading: true, note: [] })
    expect(await eventTypesOf(note)).toEqual([])
    expect(await note.active()).toBe(generationId)
  })
})
