import { MdmFindings, NOTE_TYPES, type NoteSection, type TranscriptItem } from '@casenote/contract'
import { Check } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInTemplate } from '../../src/engines/writer/templates/built-in-templates.js'
import type {
  EditRequest,
  JudgedSection,
  WriterEngine,
  WritingRequest,
} from '../../src/engines/writer/writer-engine.js'
import {
  medicationVisit,
  dangerOf,
  readAs,
  sessionWithInstructions,
  therapySession,
  threeHourSession,
} from './session-fixtures.js'
import { keysOf, never, requestOf, soapKeys, therapy, visit, writeAll } from './writer/prose-fixture.js'

export interface WriterDoor {
  engine: WriterEngine
  close?: () => Promise<void>
}

export function expectSound(sections: readonly JudgedSection[], transcript: readonly TranscriptItem[]): void {
  for (const { text, transcriptItems, judgement, reason } of sections.flatMap(({ sentences }) => sentences)) {
    expect(text.trim()).toBe(text)
    expect(text).toMatch(/[\p{L}\p{N}]/u)
    expect(text).not.toMatch(/[\p{Cc}]/u)
    expect(transcriptItems).toEqual([...new Set(transcriptItems)].toSorted((a, b) => a - b))
    for (const item of transcriptItems) expect(transcript[item]).toBeDefined()
    expect(reason !== null).toBe(judgement === 'refused')
  }
}

const entry = (sentence: string, ...transcriptItems: number[]): NoteSection['evidence'][number] => ({
  sentence,
  transcriptItems,
  supported: true,
  judgement: 'verified',
  reason: null,
})

export const writtenNote: NoteSection[] = [
  {
    key: 'subjective',
    title: 'Subjective',
    content: 'Client reports daily anxiety about work. Client wakes at three and worries for an hour or two.',
    evidence: [
      entry('Client reports daily anxiety about work.', 1),
      entry('Client wakes at three and worries for an hour or two.', 2, 3),
    ],
  },
  {
    key: 'assessment',
    title: 'Assessment',
    content: 'Client denies suicidal ideation when asked.',
    evidence: [entry('Client denies suicidal ideation when asked.', 10, 11)],
  },
  {
    key: 'plan',
    title: 'Plan',
    content:
      '- Client will continue the thought record.\n- Client will walk in the evening.\n- Next session is on Tuesday.',
    evidence: [
      entry('Client will continue the thought record.', 12),
      entry('Client will walk in the evening.', 12, 13),
      entry('Next session is on Tuesday.', 14),
    ],
  },
]

export const editOf = (instructions: string, given: Partial<EditRequest> = {}): EditRequest => ({
  ...therapy,
  note: writtenNote,
  instructions,
  ...given,
})

/** What every engine behind the door for writing does, wherever it runs. */
export function describeWriterEngine(name: string, openDoor: () => Promise<WriterDoor>): void {
  describe(`writer engine ${name}`, () => {
    let door: WriterDoor

    beforeAll(async () => {
      door = await openDoor()
    })
    afterAll(() => door.close?.())

    const write = async (request: WritingRequest) => (await writeAll(door.engine, request)).note

    for (const noteType of NOTE_TYPES) {
      it(`writes every section of ${noteType}, in the order of the template, on items that exist`, async () => {
        const transcript = noteType === 'medication_management' ? medicationVisit : therapySession
        const treatmentApproaches = ['Cognitive Behavioral Therapy']
        const request = requestOf(transcript, { noteType, treatmentApproaches })
        const { streamed, note } = await writeAll(door.engine, request)
        const keys = builtInTemplate(noteType).sections.map(({ key }) => key)
        expect(keysOf(note.sections)).toEqual(keys)
        // Shown as they come, in the same order; what is shown first is replaced by the end.
        expect(keysOf(streamed)).toEqual(keys.filter((key) => keysOf(streamed).includes(key)))
        expectSound(note.sections, transcript)
        expectSound(streamed, transcript)
        expect(note.sections.flatMap(({ sentences }) => sentences).length).toBeGreaterThan(2)
      })
    }

    it('gives back at least what the reader found', async () => {
      const { findings } = await write(visit)
      expect(visit.reading.findings.length).toBeGreaterThan(2)
      expect(findings).toEqual(expect.arrayContaining([...visit.reading.findings]))
    })

    it('can be stopped after any section', async () => {
      for await (const event of door.engine.writeNote(therapy, never)) {
        if (event.kind === 'section') expect(event.section.key).toBe('subjective')
        break
      }
    })

    it('writes no sentence about a session in which nothing was said', async () => {
      const empty = requestOf([])
      const { sections } = await write(empty)
      expect(keysOf(sections)).toEqual(soapKeys)
      expect(
        sections.flatMap(({ sentences }) => sentences).filter((one) => one.transcriptItems.length > 0),
      ).toEqual([])
      expect(await door.engine.summarize(empty, never)).not.toBe('')
    })

    it('instructions in what was said change neither sections nor their order', async () => {
      const { sections } = await write(requestOf(sessionWithInstructions))
      expect(keysOf(sections)).toEqual(soapKeys)
      expectSound(sections, sessionWithInstructions)
    })

    it('writes and summarizes a session of three hours', async () => {
      const transcript = threeHourSession()
      const long = requestOf(transcript)
      const { sections } = await write(long)
      expect(keysOf(sections)).toEqual(soapKeys)
      expectSound(sections, transcript)
      const summary = await door.engine.summarize(long, never)
      expect(summary.length).toBeGreaterThan(20)
      expect(summary.length).toBeLessThan(6_000)
    })

    it('derives MDM elements for a prescriber note', async () => {
      const findings = await door.engine.deriveMdm(visit, never)
      expect(Check(MdmFindings, findings)).toBe(true)
      expect(findings.crisisInterventionRationale === null).toBe(!findings.crisisInterventionIdentified)
    })

    it('changes only the section that an edit names', async () => {
      const outcome = await door.engine.editNote(
        editOf('Remove the sentence about the walk from the plan.'),
        never,
      )
      if (!outcome.isDone) {
        expect(outcome.reason).toMatch(/\w/)
        return
      }
      const { sections } = outcome.note
      expectSound(sections, therapySession)
      const subjective = sections.find(({ key }) => key === 'subjective')
      expect(subjective?.sentences.map(({ text }) => text)).toEqual(
        writtenNote[0]?.evidence.map(({ sentence }) => sentence),
      )
    })

    it('says in a sentence why an edit cannot be done', async () => {
      const outcome = await door.engine.editNote(editOf('Add that the PHQ-9 score was 23 today.'), never)
      if (outcome.isDone) expectSound(outcome.note.sections, therapySession)
      else expect(outcome.reason).toMatch(/^\S.{5,}/)
    })

    it('does not begin when it was aborted before', async () => {
      const aborted = AbortSignal.abort(new Error('too late'))
      await expect(writeAll(door.engine, therapy, aborted)).rejects.toThrow('too late')
      await expect(door.engine.summarize(therapy, aborted)).rejects.toThrow('too late')
    })

    it('names engine, model, prompt and templates', () => {
      expect(Object.values(door.engine.versions).filter((version) => version === '')).toEqual([])
      expect(door.engine.versions.engine).toBe(door.engine.name)
    })

    const notAskedIn = async (request: WritingRequest): Promise<string[]> =>
      (await write(request)).sections
        .flatMap(({ sentences }) => sentences.map(({ text }) => text))
        .filter((text) => /suicid.*not asked/i.test(text))

    it('says that suicide was not asked about where nothing was found, and nowhere else', async () => {
      const nothing = readAs()
      expect(await notAskedIn(requestOf(sessionWithInstructions, { reading: nothing }))).toHaveLength(1)
      expect(await notAskedIn(therapy)).toEqual([])
      const suspected = { ...dangerOf(therapySession, 3, 'Bad.'), certainty: 'suspected' as const }
      expect(await notAskedIn({ ...therapy, reading: readAs(suspected) })).toEqual([])
    })
  })
}
