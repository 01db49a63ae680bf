import { Check } from 'typebox/value'
import { EngineFault } from '../../engine-fault.js'
import { templateOf } from '../templates/built-in-templates.js'
import { findSection, layoutOf, listKeys } from '../templates/note-template.js'
import type { DraftSection, WritingRequest } from '../writer-engine.js'
import { Note, Section } from './answer-schemas.js'
import { tooLong, wordRepair } from './ask-for-json.js'
import type { ChatTask, LanguageModel } from '../../models/language-model.js'
import { ask, writeNoteTask } from './prompts.js'
import { toTask, type ProseParts, type Session } from './prose-parts.js'
import { quoteBlock } from './quote-data.js'
import { readDraft } from './read-draft.js'
import { BrokenJson, MemberScanner, type Member } from './scan-members.js'
import { estimateTokens, type TokenBudget } from './token-budget.js'

/** A note of sixteen sections that is cut short at a small output limit comes in a few rounds. */
const roundsMax = 6

/** One repair: the second round in a row that gives no section is the last. */
const fruitlessRoundsMax = 2

/** How a round of writing ended: with a problem for the next one, or with the fault of a broken stream. */
interface Round {
  problem: string | null
  fault: EngineFault | null
}

/**
 * One streamed call for all sections, because one for each would send the transcript up to sixteen times. What a round
 * leaves out, gets wrong or loses with the connection is asked for in the next, and that alone.
 */
export async function* draftNote(
  parts: ProseParts,
  session: Session,
  request: WritingRequest,
  signal: AbortSignal,
): AsyncGenerator<DraftSection> {
  const template = templateOf(request)
  const keys = listKeys(template)
  const written = new Map<string, DraftSection>()
  let given = 0
  let fruitlessRounds = 0
  let last: Round = { problem: null, fault: null }
  for (let round = 1; round <= roundsMax && fruitlessRounds < fruitlessRoundsMax; round += 1) {
    const missing = keys.filter((key) => !written.has(key))
    const task = toNoteTask(request, missing, session, parts.budget, last.problem)
    last = { problem: null, fault: null }
    for await (const section of writeRound(
      parts.model,
      task,
      missing,
      request.transcript.length,
      last,
      signal,
    )) {
      const layout = layoutOf(template, findSection(template, section.key)) ?? section.layout
      written.set(section.key, { ...section, layout })
      for (
        let next = written.get(keys[given] ?? '');
        next !== undefined;
        next = written.get(keys[given] ?? '')
      ) {
        given += 1
        yield next
      }
      if (given === keys.length) return
    }
    fruitlessRounds = missing.some((key) => written.has(key)) ? 0 : fruitlessRounds + 1
  }
  throw (
    last.fault ??
    new EngineFault('malformed', `the model's note cannot be used: ${last.problem ?? 'sections are missing'}`)
  )
}

async function* writeRound(
  model: LanguageModel,
  task: ChatTask,
  missing: readonly string[],
  itemCount: number,
  round: Round,
  signal: AbortSignal,
): AsyncGenerator<DraftSection> {
  const scanner = new MemberScanner()
  const schema = Section(itemCount)
  let hasBegun = false
  try {
    for await (const event of model.stream(task, signal)) {
      if (event.kind === 'end') {
        if (event.isCutShort) round.problem = tooLong
        break
      }
      hasBegun = true
      for (const member of scanner.feed(event.text)) {
        const section = readMember(member, missing, schema)
        if (section === null)
          round.problem = 'a section does not fit the schema, or names items that do not exist'
        else yield section
      }
    }
    if (!scanner.isComplete) round.problem ??= 'it was no complete JSON object'
  } catch (error) {
    if (error instanceof BrokenJson) round.problem = 'it was no JSON object'
    // Before the first word the client has tried often enough.
    else if (error instanceof EngineFault && error.isTransient && hasBegun) round.fault = error
    else throw error
  }
}

/** Null: a section that was not asked for, or not as asked for. */
function readMember(
  { key, value }: Member,
  missing: readonly string[],
  schema: ReturnType<typeof Section>,
): DraftSection | null {
  return missing.includes(key) && Check(schema, value) ? readDraft(key, value) : null
}

function toNoteTask(
  request: WritingRequest,
  keys: readonly string[],
  { material }: Session,
  { outputTokensMax }: TokenBudget,
  problem: string | null,
): ChatTask {
  const rules = writeNoteTask(templateOf(request), keys)
  return toTask(
    'progress_note',
    {
      material,
      data: quoteWishes(request),
      rules: problem === null ? rules : `${rules}\n\n${wordRepair(problem)}`,
    },
    { schema: Note(keys, request.transcript.length), outputTokensMax },
  )
}

/** What stands beside the transcript in the longest of the tasks. */
export function estimateNotePrompt(request: WritingRequest): number {
  const template = templateOf(request)
  const keys = listKeys(template)
  return (
    estimateTokens(writeNoteTask(template, keys) + quoteWishes(request)) +
    // Servers without constrained decoding write the schema into the prompt.
    estimateTokens(JSON.stringify(Note(keys, request.transcript.length)))
  )
}

/** Names of approaches, not essays. */
const approachesLengthMax = 500

/** What the clinician gave beside the recording. */
const quoteWishes = (request: WritingRequest): string =>
  [quoteApproaches(request), quoteJotted(request), quoteBackground(request)]
    .filter((part) => part !== '')
    .join('\n\n')

/** As much as helps to see what mattered; in the note stands all of it. */
const jottedLengthMax = 2_000

const quoteJotted = ({ jotted = [] }: WritingRequest): string =>
  jotted.length === 0
    ? ''
    : `${ask.jotted}\n${quoteBlock('jotted', jotted.join('; ').slice(0, jottedLengthMax))}`

/** A page; what a chart has more of is no help to understand an hour. */
const backgroundLengthMax = 4_000

function quoteBackground({ background }: WritingRequest): string {
  if (background === undefined) return ''
  const { diagnoses, medicines, goals, lastPlan, pronouns } = background
  const known = [
    pronouns === null ? '' : `pronouns: ${pronouns}`,
    list('diagnoses', diagnoses),
    list('medicines', medicines),
    list('goals', goals),
    lastPlan === null ? '' : `plan of the last session: ${lastPlan}`,
  ].filter((part) => part !== '')
  return known.length === 0
    ? ''
    : `${ask.background}\n${quoteBlock('background', known.join('. ').slice(0, backgroundLengthMax))}`
}

const list = (name: string, entries: readonly string[]): string =>
  entries.length === 0 ? '' : `${name}: ${entries.join('; ')}`

const quoteApproaches = ({ treatmentApproaches }: WritingRequest): string =>
  treatmentApproaches.length === 0
    ? ''
    : `${ask.approaches}\n${quoteBlock('approaches', treatmentApproaches.join(', ').slice(0, approachesLengthMax))}`
