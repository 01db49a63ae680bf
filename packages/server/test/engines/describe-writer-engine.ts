import {
  MdmFindings,
  NOTE_TEMPLATES,
  NOTE_TYPES,
  type NoteSection,
  type TranscriptItem,
} from '@casenote/contract'
import { Check } from 'typebox/value'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineFault } from '../../src/engines/engine-fault.js'
import type { DraftSection, EditRequest, WriterEngine } from '../../src/engines/writer/writer-engine.js'
import {
  medicationVisit,
  sessionWithInstructions,
  therapySession,
  threeHourSession,
} from './session-fixtures.js'

export interface WriterDoor {
  engine: WriterEngine
  close?: () => Promise<void>
}

const never = new AbortController().signal

export async function collect(sections: AsyncIterable<DraftSection>): Promise<DraftSection[]> {
  const all: DraftSection[] = []
  for await (const section of sections) all.push(section)
  return all
}

const keysOf = (sections: readonly DraftSection[]): string[] => sections.map(({ key }) => key)

export function expectSound(sections: readonly DraftSection[], transcript: readonly TranscriptItem[]): void {
  for (const { text, transcriptItems } of sections.flatMap(({ sentences }) => sentences)) {
    expect(text.trim()).toBe(text)
    expect(text).toMatch(/[\p{L}\p{N}]/u)
    expect(text).not.toMatch(/[\p{Cc}]/u)
    expect(text.length).toBeLessThanOrEqual(1_000)
    expect(transcriptItems).toEqual([...new Set(transcriptItems)].toSorted((a, b) => a - b))
    for (const item of transcriptItems) expect(transcript[item]).toBeDefined()
  }
}

export const writtenNote: NoteSection[] = [
  {
    key: 'subjective',
    title: 'Subjective',
    content: 'Client reports daily anxiety about work. Client wakes at three and worries for an hour or two.',
    evidence: [
      { sentence: 'Client reports daily anxiety about work.', transcriptItems: [1], supported: true },
      {
        sentence: 'Client wakes at three and worries for an hour or two.',
        transcriptItems: [2, 3],
        supported: true,
      },
    ],
  },
  {
    key: 'plan',
    title: 'Plan',
    content:
      '- Client will continue the thought record.\n- Client will walk in the evening.\n- Next session is on Tuesday.',
    evidence: [
      { sentence: 'Client will continue the thought record.', transcriptItems: [12], supported: true },
      { sentence: 'Client will walk in the evening.', transcriptItems: [12, 13], supported: true },
      { sentence: 'Next session is on Tuesday.', transcriptItems: [14], supported: true },
    ],
  },
]

export const editOf = (instructions: string): EditRequest => ({
  noteType: 'soap',
  transcript: therapySession,
  note: writtenNote,
  instructions,
})

/** What every engine behind the door for writing does, wherever it runs. The checker judges the sentences, not this. */
export function describeWriterEngine(name: string, openDoor: () => Promise<WriterDoor>): void {
  describe(`writer engine ${name}`, () => {
    let door: WriterDoor
    const request = { noteType: 'soap', transcript: therapySession, treatmentApproaches: [] } as const

    beforeAll(async () => {
      door = await openDoor()
    })
    afterAll(() => door.close?.())

    for (const noteType of NOTE_TYPES) {
      it(`writes every section of ${noteType}, in the order of the template, on items that exist`, async () => {
        const transcript = noteType === 'medication_management' ? medicationVisit : therapySession
        const treatmentApproaches = ['Cognitive Behavioral Therapy']
        const sections = await collect(
          door.engine.writeNote({ noteType, transcript, treatmentApproaches }, never),
        )
        expect(keysOf(sections)).toEqual(NOTE_TEMPLATES[noteType].sections.map(({ key }) => key))
        expectSound(sections, transcript)
        expect(sections.flatMap(({ sentences }) => sentences).length).toBeGreaterThan(2)
      })
    }

    it('can be stopped after any section', async () => {
      for await (const section of door.engine.writeNote(request, never)) {
        expect(section.key).toBe('subjective')
        break
      }
    })

    it('writes no sentence about a session in which nothing was said', async () => {
      const empty = { ...request, transcript: [] }
      const sections = await collect(door.engine.writeNote(empty, never))
      expect(keysOf(sections)).toEqual(['subjective', 'objective', 'assessment', 'plan'])
      expect(
        sections.flatMap(({ sentences }) => sentences).filter((one) => one.transcriptItems.length > 0),
      ).toEqual([])
      expect(await door.engine.summarize(empty, never)).not.toBe('')
    })

    it('instructions in what was said change neither sections nor their order', async () => {
      const told = { ...request, transcript: sessionWithInstructions }
      const sections = await collect(door.engine.writeNote(told, never))
      expect(keysOf(sections)).toEqual(['subjective', 'objective', 'assessment', 'plan'])
      expectSound(sections, sessionWithInstructions)
    })

    it('writes and summarizes a session of three hours', async () => {
      const transcript = threeHourSession()
      const long = { ...request, transcript }
      const sections = await collect(door.engine.writeNote(long, never))
      expect(keysOf(sections)).toEqual(['subjective', 'objective', 'assessment', 'plan'])
      expectSound(sections, transcript)
      const summary = await door.engine.summarize(long, never)
      expect(summary.length).toBeGreaterThan(20)
      expect(summary.length).toBeLessThan(6_000)
    }, 120_000)

    it('derives MDM elements for a prescriber note', async () => {
      const visit = {
        noteType: 'medication_management',
        transcript: medicationVisit,
        treatmentApproaches: [],
      } as const
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
      expectSound(outcome.sections, therapySession)
      const subjective = outcome.sections.find(({ key }) => key === 'subjective')
      expect(subjective?.sentences.map(({ text }) => text)).toEqual(
        writtenNote[0]?.evidence.map(({ sentence }) => sentence),
      )
    })

    it('says in a sentence why an edit cannot be done', async () => {
      const outcome = await door.engine.editNote(editOf('Add that the PHQ-9 score was 23 today.'), never)
      if (outcome.isDone) expectSound(outcome.sections, therapySession)
      else expect(outcome.reason).toMatch(/^\S.{5,}/)
    })

    it('does not begin when it was aborted before', async () => {
      const aborted = AbortSignal.abort(new Error('too late'))
      await expect(collect(door.engine.writeNote(request, aborted))).rejects.toThrow('too late')
      await expect(door.engine.summarize(request, aborted)).rejects.toThrow('too late')
    })

    it('names engine, model, prompt and templates', () => {
      expect(Object.values(door.engine.versions).filter((version) => version === '')).toEqual([])
    })

    it('a fault of it is an EngineFault', async () => {
      const error: unknown = await door.engine.deriveMdm(request, never).catch((thrown: unknown) => thrown)
      if (error instanceof Error) expect(error).toBeInstanceOf(EngineFault)
    })
  })
}
