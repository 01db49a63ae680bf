import { type NoteSection, type TranscriptItem } from '@casenote/contract'
import { builtInTemplate } from '../../src/engines/writer/templates/built-in-templates.js'
import { packFigures, PLACES, STANDS, TOPICS, type Reading } from '../../src/engines/reader/reading.js'
import { makeExtractWriter } from '../../src/engines/writer/extract/extract-writer.js'
import { createClient } from '../../src/features/clients/index.js'
import { createClinician } from '../../src/features/clinicians/index.js'
import { saveMdm } from '../../src/features/mdm/index.js'
import {
  completeGeneration,
  failGeneration,
  findNoteOfSession,
  magicEditNote,
} from '../../src/features/progress-notes/index.js'
import { getLockedNote } from '../../src/features/progress-notes/get-note.js'
import { keepEditedVersion } from '../../src/features/progress-notes/keep-edited-version.js'
import { saveSummary } from '../../src/features/summaries/index.js'
import { saveReading } from '../../src/features/transcripts/index.js'
import { operator } from '../../src/kernel/operator.js'
import { readByRules } from '../engines/session-fixtures.js'
import { asPipeline, startRecord } from '../support/clinical-record.js'
import type { TestPartner, TestService } from '../support/test-service.js'
import { addLargestPlans, addLargestTemplates, largestTemplateId } from './largest-plans.js'

/** The type with most sections. */
export const largestType = 'psychiatric_evaluation'

const sayings = [
  'I take fifty milligrams of sertraline in the morning, it helps.',
  'Have you had any thoughts of suicide since we last met?',
  'No, nothing like that. I sleep four hours a night or so.',
  'My brother has a gun at home, and I think about it at times.',
  'We will see each other again on Tuesday at ten past four.',
  'The PHQ-9 was fourteen this week, that is two more than last.',
  'I am allergic to penicillin, I get hives all over from it.',
]

/** Three hours in which every second somebody else begins to speak, as fast as anybody does. */
export const largestTranscript = (): TranscriptItem[] =>
  Array.from({ length: 10_800 }, (_, at) => ({
    startTime: at,
    endTime: at + 0.95,
    speaker: at % 2 === 0 ? 'clinician' : 'client',
    transcript: sayings[at % sayings.length] ?? '',
  }))

/** With twice as many figures for each item as the encoder gives to the densest talk. */
export function largestReading(transcript: readonly TranscriptItem[], version: string): Reading {
  const sharesOf = (names: readonly string[]): Record<string, number> =>
    Object.fromEntries(names.map((name, at) => [name, 0.11 + at / 100]))
  const [topics, places, stands] = [TOPICS.slice(0, 10), PLACES.slice(0, 4), STANDS.slice(0, 3)].map(sharesOf)
  const sentence = { places: places ?? {}, stands: stands ?? {}, worth: 0.53 }
  return {
    ...readByRules(transcript, version),
    figures: packFigures({
      topics: transcript.map(() => topics ?? {}),
      sentences: transcript.map(() => [sentence, sentence]),
    }),
  }
}

/** A section's content is 50,000 characters at the most, a note's evidence 5,000 entries. */
const contentLength = 50_000
const entriesMost = 5_000

export const largestSections = (mark = ''): NoteSection[] => {
  const { sections } = builtInTemplate(largestType)
  const each = Math.floor(entriesMost / sections.length)
  const sentenceLength = Math.floor(contentLength / each) - 1
  return sections.map(({ key, title }) => {
    const sentences = Array.from({ length: each }, (_, at) =>
      `${mark}Client ${at} of ${key} said “no” to “this” and so on and on ${'and on '.repeat(20)}`
        .slice(0, sentenceLength - 1)
        .concat('.'),
    )
    return {
      key,
      title,
      content: sentences.join(' '),
      evidence: sentences.map((sentence, at) => ({
        sentence,
        transcriptItems: [at, at + 1, at + 2],
        supported: true,
        judgement: 'clinicians_words' as const,
        reason: null,
      })),
    }
  })
}

export interface LargestRecord {
  clinicianId: string
  clientId: string
  sessionId: string
  progressNoteId: string
  summaryId: string
  /** For a note that may be finalized, and is not needed afterwards. */
  otherSessionId: string
  treatmentPlanId: string
  templateId: string
}

const pageLength = 10
const versionsCount = 11

/** A prescriber's client with a page of sessions that each have the largest note, the newest has the rest, too; and with pages of plans and templates. */
export async function makeLargestRecord(
  service: TestService,
  partner: TestPartner,
  version = 'rules',
): Promise<LargestRecord> {
  const { db } = service
  const tenant = { tenantId: partner.partnerId }
  const context = asPipeline(await service.keys.get(tenant))
  const people = await addPrescriber(service, partner)
  const transcript = largestTranscript()
  const reading = largestReading(transcript, version)
  const request = { noteType: largestType, treatmentApproaches: [], transcript, reading } as const
  const sections = largestSections()
  const begin = async (items?: TranscriptItem[]): Promise<string> => {
    const given = { noteType: largestType } as const
    const record = { clientId: people.clientId, given, ...(items === undefined ? {} : { items }) }
    const { sessionId, generationId } = await startRecord(db, context, record)
    const writing = { madeBy: 'test', generationId, sections, review: [] }
    await db.write(tenant, (tx) => completeGeneration(tx, context, writing))
    return sessionId
  }
  const others: string[] = []
  for (let count = 1; count < pageLength; count++) others.push(await begin())
  const sessionId = await begin(transcript)
  const note = await findNoteOfSession(db, tenant, sessionId)
  const noteId = note?.noteId ?? ''
  const writer = makeExtractWriter()
  const { signal } = new AbortController()
  const findings = await writer.deriveMdm(request, signal)
  const summary = await writer.summarize(request, signal)
  await writer.close()
  const summaryId = await db.write(tenant, async (tx) => {
    await saveReading(tx, context.ring, { sessionId, transcript, reading })
    await saveMdm(tx, context, { sessionId, findings, madeBy: 'test' })
    return saveSummary(tx, context, { sessionId, summary, madeBy: 'test' })
  })
  for (let count = 1; count < versionsCount; count++)
    await db.write(tenant, async (tx) => {
      const kept = {
        sections,
        review: [],
        goals: [],
        template: builtInTemplate(largestType),
        operation: 'progressNote.change',
      } as const
      await keepEditedVersion(tx, context, await getLockedNote(tx, noteId), kept)
    })
  for (let count = 0; count < pageLength; count++)
    await db.write(tenant, async (tx) => {
      const row = await magicEditNote(tx, context, noteId, 'é'.repeat(5_000))
      await failGeneration(tx, context, { generationId: row.activeGenerationId ?? '', reason: 'x' })
    })
  const treatmentPlanId = await db.write(tenant, (tx) => addLargestPlans(tx, context, people.clientId))
  await db.write(tenant, addLargestTemplates)
  return {
    ...people,
    sessionId,
    progressNoteId: note?.progressNoteId ?? '',
    summaryId: summaryId ?? '',
    otherSessionId: others[0] ?? '',
    treatmentPlanId,
    templateId: largestTemplateId,
  }
}

/** With a client of their own. */
export const addPrescriber = ({ owner }: TestService, { partnerId, clinicId }: TestPartner) =>
  owner.write({ tenantId: partnerId }, async (tx) => {
    const named = { firstName: 'Ben', lastName: 'Example', email: 'largest@example.com' }
    const clinicianId = await createClinician(
      tx,
      { ...named, clinicId, prescriber: true, defaultNoteType: null, externalId: null },
      operator,
    )
    const person = { firstName: 'Kim', lastName: 'Sample', dateOfBirth: '1990-02-03' }
    const contact = { email: 'kim@example.com', phoneNumber: null, externalId: null }
    const clientId = await createClient(tx, { ...person, ...contact, clinicianId }, operator)
    return { clinicianId, clientId }
  })
