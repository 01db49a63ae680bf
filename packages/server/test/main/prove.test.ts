import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { makeNoteChecker } from '../../src/engines/checker/note-checker.js'
import { openReader } from '../../src/engines/reader/open-reader.js'
import { makeExtractWriter } from '../../src/engines/writer/extract/extract-writer.js'
import { builtInTemplate } from '../../src/engines/writer/templates/built-in-templates.js'
import { identifyModel, isSameModel, modelIdOf } from '../../src/main/models/identify-model.js'
import { formatProof, toPrintPage } from '../../src/main/proof/format-proof.js'
import { judgeProof } from '../../src/main/proof/judge-proof.js'
import { findProof, toKeptProof } from '../../src/main/proof/kept-proofs.js'
import { readProofSessions } from '../../src/main/proof/proof-session.js'
import { MemoryWatch } from '../../src/main/proof/peak-memory.js'
import { countFacts, proveSession, type ProofResult } from '../../src/main/proof/run-proof.js'
import { ProseStage, section, sentence } from '../engines/writer/prose-fixture.js'
import { falseSentences, obedientNotes } from './obedient-notes.js'
import { makeDataFolder } from '../support/casenote-process.js'

const parts = { reader: openReader(), writer: makeExtractWriter(), checker: makeNoteChecker() }
afterAll(() => Promise.all([parts.reader.close(), parts.writer.close(), parts.checker.close()]))

const good: ProofResult = {
  name: 'one',
  about: 'a <session>',
  seconds: 1,
  danger: 2,
  dangerFound: 2,
  dangerTold: 2,
  facts: 10,
  factsWritten: 9,
  forbidden: 0,
  draftSentences: 41,
  refusedBeforeRepair: 5,
  refusedAfterRepair: 1,
  sentences: 40,
  verified: 39,
  words: 300,
}

describe('the proof of a writer', () => {
  it('rests on sessions whose danger is where they say', () => {
    const sessions = readProofSessions()
    expect(sessions.length).toBeGreaterThanOrEqual(7)
    for (const { transcript, danger, facts } of sessions) {
      expect(facts.length).toBeGreaterThan(5)
      for (const item of danger.flat()) expect(transcript[item]?.transcript).toBeTypeOf('string')
    }
    const crisis = sessions.find(({ name }) => name === 'active-si-crisis')
    expect(crisis?.transcript[crisis.danger[0]?.[0] ?? -1]?.transcript).toContain('killing yourself')
  })

  it.each(readProofSessions())('takes a note of $name that obeys the prompts for one', (session) => {
    const note = Object.entries(obedientNotes[session.name] ?? {})
    const sections = note.map(([key, content]) => ({ key, content }))
    expect(sections.map(({ key }) => key)).toEqual(
      builtInTemplate(session.noteType).sections.map(({ key }) => key),
    )
    const text = note.map(([, content]) => content).join('\n')
    const missing = session.facts.filter(
      ({ pattern, section: key }) =>
        !pattern.test(key === null ? text : (Object.fromEntries(note)[key] ?? '')),
    )
    expect(missing).toEqual([])
    expect(session.forbidden.filter((pattern) => pattern.test(text))).toEqual([])
    const { facts } = countFacts(session, sections)
    expect(countFacts(session, sections)).toEqual({ facts, factsWritten: facts, forbidden: 0 })
  })

  it.each(readProofSessions())('takes no empty and no false note of $name for a good one', (session) => {
    const template = builtInTemplate(session.noteType)
    const empty = template.sections.map(({ key }) => ({ key, content: '' }))
    expect(countFacts(session, empty)).toMatchObject({ factsWritten: 0, forbidden: 0 })
    const notAsked = 'Suicide and self-harm, harm to others: not asked, not mentioned.'
    const bare = empty.map((one) => ({ ...one, content: `Client came and spoke. ${notAsked}` }))
    const { facts, factsWritten } = countFacts(session, bare)
    expect(factsWritten).toBeLessThan(facts / 4)
    const [first, ...rest] = Object.entries(obedientNotes[session.name] ?? {})
    const [key = '', content = ''] = first ?? []
    for (const wrong of falseSentences[session.name] ?? []) {
      const sections = [
        { key, content: `${content} ${wrong}` },
        ...rest.map(([one, text]) => ({ key: one, content: text })),
      ]
      expect([wrong, countFacts(session, sections).forbidden]).toEqual([wrong, 1])
    }
  })

  it.runIf(process.platform === 'linux')('counts the memory of the processes that it starts', async () => {
    const memory = new MemoryWatch()
    const alone = memory.look().mb
    const child = spawn(process.execPath, [
      '-e',
      'Buffer.alloc(3e8, 1); console.log(1); setInterval(() => {}, 1e3)',
    ])
    try {
      await once(child.stdout, 'data')
      expect(memory.look()).toMatchObject({ isWithChildren: true })
      expect(memory.look().mb).toBeGreaterThan(alone + 300)
    } finally {
      child.kill()
    }
    await once(child, 'exit')
    expect(memory.look().mb).toBeGreaterThan(alone + 300)
  })

  it('counts what reader, writer and ledger make of a session', async () => {
    const session = readProofSessions().find(({ name }) => name === 'active-si-crisis')!
    const shown: number[] = []
    const result = await proveSession(parts, session, {
      signal: new AbortController().signal,
      onProgress: (fraction) => shown.push(fraction),
    })
    expect(result).toMatchObject({ danger: 4, dangerFound: 4, dangerTold: 4, forbidden: 0, verified: 0 })
    expect(result.factsWritten).toBeGreaterThan(result.facts / 2)
    expect(shown).toEqual([0.2, 0.4, 0.6, 0.8])
  })

  it('counts refused sentences before and after repair, also those that the note leaves out in the end', async () => {
    const crisis = readProofSessions().find(({ name }) => name === 'active-si-crisis')!
    const [told, wrong] = ['Client came to the session.', 'Client takes sertraline 75 mg.']
    const draft = {
      subjective: section(sentence(told, 1), sentence(wrong, 1)),
      objective: section(),
      assessment: section(),
      plan: section(),
    }
    const proveRepair = async (changes: unknown[]): Promise<ProofResult> => {
      const stage = await ProseStage.open(parts.checker)
      try {
        stage.script.next('progress_note', draft).next('repair', { changes, additions: [] })
        const writer = stage.openWriter()
        return await proveSession(
          { ...parts, writer },
          { ...crisis, noteType: 'soap' },
          { signal: new AbortController().signal },
        )
      } finally {
        await stage.close()
      }
    }
    const before = { draftSentences: 2, refusedBeforeRepair: 1 }
    const mended = await proveRepair([{ n: 1, text: null, items: [] }])
    expect(mended).toMatchObject({ ...before, refusedAfterRepair: 0, verified: 1 })
    const unmended = await proveRepair([{ n: 1, text: wrong, items: [1] }])
    expect(unmended).toMatchObject({ ...before, refusedAfterRepair: 1, verified: 1 })
  })

  it('is passed only if no danger is lost, nothing forbidden stands, and facts and refusals keep their bounds', () => {
    const problemsOf = (change: Partial<ProofResult>, isExtract = false) =>
      judgeProof([{ ...good, ...change }], isExtract).problems
    expect(problemsOf({})).toEqual([])
    expect(problemsOf({ dangerTold: 1 })).toHaveLength(1)
    expect(problemsOf({ dangerTold: 1 }, true)).toHaveLength(1)
    expect(problemsOf({ forbidden: 1 })).toHaveLength(1)
    expect(problemsOf({ factsWritten: 7 })).toHaveLength(1)
    expect(problemsOf({ factsWritten: 7 }, true)).toEqual([])
    expect(problemsOf({ refusedAfterRepair: 3 })).toHaveLength(1)
  })

  it('is a page that says its verdict, and one to print without markup from outside', () => {
    const versions = { engine: 'openai', model: 'm', prompt: 'p', templates: 't' }
    const proof = {
      at: new Date(0),
      versions,
      reader: 'r',
      memory: { mb: 100, isWithChildren: true },
      results: [good],
    }
    const page = formatProof(proof)
    expect(page).toContain('Verdict: **passed**')
    expect(page).toContain('| refused before repair | refused after repair |')
    expect(page).toContain('| 5 of 41 | 1 of 40 | 39 of 40 |')
    expect(formatProof({ ...proof, results: [{ ...good, dangerTold: 0 }] })).toContain('**not passed**')
    const printed = toPrintPage(page)
    expect(printed).toContain('<td>a &lt;session&gt;</td>')
    expect(printed).toContain('<strong>passed</strong>')
  })

  it('is still found where an earlier version kept it with one figure of refused sentences', async () => {
    const folder = await makeDataFolder()
    try {
      const versions = { engine: 'openai', model: 'm', prompt: 'p', templates: 't' }
      const identity = { engine: 'openai', model: 'm', url: 'http://one.example/v1', sha256: null } as const
      const proof = {
        at: new Date(0),
        versions,
        reader: 'r',
        memory: { mb: 100, isWithChildren: true },
        results: [good],
      }
      const kept = toKeptProof(proof, identity)
      const { draftSentences, refusedBeforeRepair, refusedAfterRepair, ...figures } = kept.figures
      expect([draftSentences, refusedBeforeRepair, refusedAfterRepair]).toEqual([41, 5, 1])
      const earlier = { ...kept, figures: { ...figures, refused: 1 } }
      await mkdir(join(folder.path, 'proofs'), { recursive: true })
      const proofs = JSON.stringify({ version: 1, proofs: [earlier] })
      await writeFile(join(folder.path, 'proofs/verdicts.json'), proofs)
      expect(await findProof(folder.path, identity)).toEqual(earlier)
    } finally {
      await folder.remove()
    }
  })

  it('is kept with what it is of: a file is its hash under any name, a server’s model its name there', () => {
    const settings = {
      runtimeFolder: 'r',
      name: 'small',
      file: 'f',
      sha256: 'a'.repeat(64),
      contextTokens: 8_192,
      threads: 1,
      gpu: 'auto',
    } as const
    const versions = { engine: 'local', model: 'small sha256:aaaaaaaaaaaa', prompt: 'p', templates: 't' }
    const proof = {
      at: new Date(0),
      versions,
      reader: 'r',
      memory: { mb: 100.4, isWithChildren: true },
      results: [good, good],
    }
    const local = identifyModel({ engine: 'local', settings })
    const kept = toKeptProof(proof, local)
    expect(kept).toMatchObject({
      at: '1970-01-01T00:00:00.000Z',
      engine: 'local',
      model: 'small',
      sha256: settings.sha256,
      prompt: 'p',
      reader: 'r',
      isPassed: true,
      figures: {
        sessions: 2,
        danger: 4,
        dangerTold: 4,
        facts: 20,
        factsWritten: 18,
        draftSentences: 82,
        refusedBeforeRepair: 10,
        refusedAfterRepair: 2,
        sentences: 80,
        seconds: 2,
        memoryMb: 100,
      },
    })
    expect(JSON.stringify(kept)).not.toContain(good.about)
    const renamed = identifyModel({ engine: 'local', settings: { ...settings, name: 'other' } })
    expect([isSameModel(kept, renamed), modelIdOf(renamed)]).toEqual([true, modelIdOf(local)])
    const changed = identifyModel({ engine: 'local', settings: { ...settings, sha256: 'b'.repeat(64) } })
    expect(isSameModel(kept, changed)).toBe(false)
    const at = (url: string) =>
      identifyModel({ engine: 'openai', url, model: 'm', contextTokens: 8_192, extraBody: {} })
    expect(isSameModel(at('http://one.example'), at('http://one.example/v1/'))).toBe(true)
    expect(isSameModel(at('http://one.example'), at('http://two.example'))).toBe(false)
    expect(modelIdOf(local)).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})
