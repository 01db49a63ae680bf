import { readFileSync } from 'node:fs'
import {
  CONSENT_METHODS,
  CONSENT_RELATIONS,
  DANGER_STATUSES,
  MAGIC_EDIT_STATUSES,
  NOTE_ORIGINS,
  NOTE_STATUSES,
  NOTE_TYPES,
  PLAN_STATUSES,
  SESSION_STATUSES,
} from '@casenote/contract'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInTemplate } from '../../src/engines/writer/templates/built-in-templates.js'
import { NOTE_TRANSITIONS } from '../../src/features/progress-notes/note-lifecycle.js'
import {
  PROGRESS_AT,
  SESSION_FAILURES,
  SESSION_TRANSITIONS,
} from '../../src/features/sessions/session-lifecycle.js'
import { describePartnerApi } from '../../src/main/describe-api.js'
import { openSuperuser, makeTestDatabase, type TestDatabase } from '../support/test-database.js'

let database: TestDatabase
let superuser: pg.Client

beforeAll(async () => {
  database = await makeTestDatabase()
  superuser = await openSuperuser(database)
})
afterAll(async () => {
  await superuser.end()
  await database.drop()
})

/** The texts that the check constraint of one column lets in. */
async function allowedIn(table: string, column: string): Promise<string[]> {
  const { rows } = await superuser.query<{ definition: string }>(
    `select pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = ('casenote.' || $1)::regclass and contype = 'c' and conname = $1 || '_' || $2 || '_check'`,
    [table, column],
  )
  return [...(rows[0]?.definition ?? '').matchAll(/'([a-z_]+)'/g)].map(([, text]) => text ?? '').toSorted()
}

interface Schemas {
  components: { schemas: Record<string, { properties: Record<string, { enum: string[] }> }> }
}
const { schemas } = (describePartnerApi() as unknown as Schemas).components
const documented = (schema: string, field: string): string[] =>
  (schemas[schema]?.properties[field]?.enum ?? []).toSorted()

describe('one list, every consumer: contract, check constraint, OpenAPI', () => {
  it('danger_items.status, which only the widget knows', async () => {
    expect(await allowedIn('danger_items', 'status')).toEqual(DANGER_STATUSES.toSorted())
  })

  for (const [values, [table, column], [schema, field]] of [
    [SESSION_STATUSES, ['sessions', 'status'], ['Session', 'status']],
    [NOTE_TYPES, ['sessions', 'note_type'], ['Session', 'noteType']],
    [NOTE_STATUSES, ['progress_notes', 'status'], ['ProgressNote', 'status']],
    [NOTE_ORIGINS, ['note_versions', 'origin'], ['ProgressNoteVersion', 'origin']],
    [PLAN_STATUSES, ['treatment_plans', 'status'], ['TreatmentPlan', 'status']],
    [CONSENT_RELATIONS, ['recording_consents', 'relation'], ['Consent', 'relation']],
    [CONSENT_METHODS, ['recording_consents', 'method'], ['Consent', 'method']],
    [MAGIC_EDIT_STATUSES, ['note_generations', 'status'], ['MagicEdit', 'status']],
  ] as const) {
    it(`${table}.${column}`, async () => {
      expect(await allowedIn(table, column)).toEqual(values.toSorted())
      expect(documented(schema, field)).toEqual(values.toSorted())
    })
  }
})

describe('the tables of transitions', () => {
  it('a note: contract part 3; finalized leads nowhere', () => {
    const reached = Object.values(NOTE_TRANSITIONS).map(({ to }) => to)
    expect(new Set(['generating', ...reached])).toEqual(new Set(NOTE_STATUSES))
    for (const { from } of Object.values(NOTE_TRANSITIONS)) expect(from).not.toContain('finalized')
    expect(Object.values(NOTE_TRANSITIONS).map(({ event }) => event)).toEqual([
      'progress_note_generated',
      null,
      'progress_note_regenerated',
      'progress_note_finalized',
      null,
      null,
      null,
    ])
    // What is struck, decision 0049: no text, as before the first one, and no way to sign from there.
    expect(NOTE_TRANSITIONS.strike.to).toBe('generating')
    expect(NOTE_TRANSITIONS.finalize.from).toEqual(['generated', 'regenerated'])
  })

  it('a session: one way, failed from any, and nothing leads out of an end', () => {
    const order = Object.keys(PROGRESS_AT)
    const { fail, discard, withdraw, ...forward } = SESSION_TRANSITIONS
    expect(discard).toEqual({ from: ['awaiting_audio'], to: 'failed' })
    expect(Object.values(forward).map(({ from, to }) => [...from, to])).toEqual(
      order.slice(1).map((to, index) => [order[index], to]),
    )
    // Decision 0024: the one way out of `completed`; what is still being recorded is finished first, and what failed stays so.
    expect(withdraw).toEqual({ from: [...order.slice(1), 'failed'], to: 'failed' })
    expect(fail).toEqual({ from: order.slice(0, -1), to: 'failed' })
    expect([...order, 'failed'].toSorted()).toEqual(SESSION_STATUSES.toSorted())
    expect(Object.values(PROGRESS_AT)).toEqual(Object.values(PROGRESS_AT).toSorted((a, b) => a - b))
  })

  it('every failure has words of its own, without anything to fill in', () => {
    const texts = Object.values(SESSION_FAILURES)
    expect(new Set(texts).size).toBe(texts.length)
    for (const text of texts) expect(text).toMatch(/^[A-Z][\w ,.:;'()-]+$/)
  })

  it('every failure has its line in the guide', () => {
    const guide = readFileSync(new URL('../../../../docs/failures.md', import.meta.url), 'utf8')
    const codes = guide.split('\n').flatMap((line) => {
      const [, first = ''] = /^\| (`.*?`) \|/.exec(line) ?? []
      return [...first.matchAll(/`(\w+)`/g)].map(([, code]) => code)
    })
    expect(new Set(codes)).toEqual(new Set(['code', ...Object.keys(SESSION_FAILURES)]))
  })
})

it('every note type has a template, without a section twice', () => {
  for (const noteType of NOTE_TYPES) {
    const { sections } = builtInTemplate(noteType)
    expect(new Set(sections.map(({ key }) => key)).size).toBe(sections.length)
    for (const { key, title } of sections) {
      expect(key).toMatch(/^[a-z]+(_[a-z]+)*$/)
      expect(title).toMatch(/^[A-Z]/)
    }
  }
  expect(builtInTemplate('psychiatric_evaluation').sections.map(({ title }) => title)).toContain(
    'Psychiatric Review of Systems',
  )
})
