import { isPrescriberNoteType } from '@casenote/contract'
import { templateOf } from '../../../src/engines/writer/templates/built-in-templates.js'
import { EngineFault } from '../../../src/engines/engine-fault.js'
import { placeOf } from '../../../src/engines/writer/templates/note-template.js'
import type {
  JudgedSection,
  WriterEngine,
  WritingRequest,
} from '../../../src/engines/writer/writer-engine.js'

/**
 * Stands in where a test is about the way of a note and not about its text: no thread, no model, no server. Items stand in
 * the sections in turn, as quotes.
 */
export function makeQuotingWriter(given: Partial<WriterEngine> = {}): WriterEngine {
  return {
    name: 'extract',
    versions: { engine: 'extract', model: 'stand-in', prompt: 'none', templates: 'test' },
    async *writeNote(request, signal) {
      signal.throwIfAborted()
      const sections = quoteInTurn(request)
      for (const section of sections) yield { kind: 'section', section }
      yield { kind: 'end', note: { sections, findings: request.reading.findings } }
    },
    editNote: async ({ noteType, note, instructions, reading }) =>
      /walk|shorter/i.test(instructions)
        ? {
            isDone: true,
            noteType,
            note: {
              sections: note.map(({ key, evidence }) => ({
                key,
                layout: 'bullets',
                sentences: evidence
                  .map(({ sentence, transcriptItems, judgement, reason }) => ({
                    text: sentence,
                    transcriptItems,
                    judgement,
                    reason,
                  }))
                  .filter(({ text }) => !/walk/i.test(text)),
              })),
              findings: reading.findings,
            },
          }
        : { isDone: false, reason: 'The stand-in cannot do that.' },
    deriveMdm: async ({ noteType }) => {
      if (!isPrescriberNoteType(noteType)) throw new EngineFault('refused', 'not for this type of note')
      return {
        problemsAddressed: [],
        riskOfComplications: { level: 'na', rationale: 'Nobody decides here.', evidence: [] },
        crisisInterventionIdentified: false,
        crisisInterventionRationale: null,
        crisisInterventionEvidence: [],
      }
    },
    summarize: async ({ transcript }, signal) => {
      signal.throwIfAborted()
      return `${transcript.length} items were said in the session.`
    },
    close: async () => {},
    ...given,
  }
}

/** More than this many quotes say nothing more to a test. */
const quotesMax = 40

const quoteInTurn = (request: WritingRequest): JudgedSection[] => {
  const { transcript, reading } = request
  const template = templateOf(request)
  const { sections } = template
  const quotes = transcript.slice(0, quotesMax).map(({ transcript: said }, item) => ({
    text: `“${said.replace(/\s+/g, ' ').trim()}”`,
    transcriptItems: [item],
    judgement: 'exact_checks_only' as const,
    reason: null,
  }))
  const isAsked = reading.findings.some(({ kind }) => kind === 'danger')
  return sections.map(({ key }, place) => ({
    key,
    layout: 'bullets',
    sentences: [
      ...quotes.filter((_, index) => index % sections.length === place),
      ...(isAsked || key !== placeOf(template, 'danger') ? [] : [notAsked]),
    ],
  }))
}

/** As every writer says it, where nothing was found. */
const notAsked = {
  text: 'Suicide and self-harm, harm to others: not asked, not mentioned.',
  transcriptItems: [],
  judgement: 'exact_checks_only' as const,
  reason: null,
}
