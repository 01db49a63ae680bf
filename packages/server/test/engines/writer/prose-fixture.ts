import { inspect } from 'node:util'
import type { TranscriptItem } from '@casenote/contract'
import { expect } from 'vitest'
import { makeNoteChecker, type NoteChecker } from '../../../src/engines/checker/note-checker.js'
import { EngineFault } from '../../../src/engines/engine-fault.js'
import type { ChatTask, LanguageModel } from '../../../src/engines/models/language-model.js'
import { ChatModel } from '../../../src/engines/models/openai/chat-model.js'
import { OpenAiClient } from '../../../src/engines/openai-protocol/openai-client.js'
import { makeProseWriter } from '../../../src/engines/writer/prose/prose-writer.js'
import type {
  JudgedSection,
  RepairFigures,
  WriterEngine,
  WritingRequest,
  WrittenNote,
} from '../../../src/engines/writer/writer-engine.js'
import { OpenAiTestServer, type ChatRequest } from '../openai-server.js'
import { Script, transcribeWords, type TaskName } from '../scripted-models.js'
import { medicationVisit, readByRules, therapySession } from '../session-fixtures.js'

/**
 * One thread for all files of a process: it knows nothing of the question before, and takes longer to start than a note to write. It ends
 * with the process.
 */
export const checker = makeNoteChecker({ threads: 1 })

export const never = new AbortController().signal
export const soapKeys = ['subjective', 'objective', 'assessment', 'plan']

export const requestOf = (
  transcript: readonly TranscriptItem[],
  given: Partial<WritingRequest> = {},
): WritingRequest => ({
  noteType: 'soap',
  transcript,
  reading: readByRules(transcript),
  treatmentApproaches: [],
  ...given,
})

export const therapy = requestOf(therapySession)
export const visit = requestOf(medicationVisit, { noteType: 'medication_management' })

export const sentence = (text: string, ...items: unknown[]) => ({ text, items })
export const section = (...sentences: ReturnType<typeof sentence>[]) => ({ layout: 'paragraph', sentences })

/** Of the therapy session; it leaves nothing out that a repair would be asked for. */
export const goodNote = {
  subjective: section(sentence('Client reports anxiety about work.', 1)),
  objective: section(sentence('Client completed the thought record.', 5)),
  assessment: section(
    sentence('Client recognizes assuming the worst.', 5),
    sentence('Client denies suicidal ideation when asked.', 10, 11),
  ),
  plan: section(
    sentence('Client will keep the thought record and add a walk in the evening.', 12, 13),
    sentence('Next session is on Tuesday at ten.', 14),
  ),
}

/** A model behind a real socket, told what to say task by task, with the real checker. */
export class ProseStage {
  readonly script = new Script()
  readonly server = new OpenAiTestServer({
    apiKey: 'sk-w',
    writeAsModel: this.script.writeAsModel,
    transcribe: transcribeWords,
  })
  readonly #checker: NoteChecker
  readonly #writers: WriterEngine[] = []
  #url = ''

  constructor(given: NoteChecker) {
    this.#checker = given
  }

  static async open(given: NoteChecker = checker): Promise<ProseStage> {
    const stage = new ProseStage(given)
    stage.#url = await stage.server.start()
    return stage
  }

  openWriter(contextTokens = 32_768, { timeoutMs = 5_000 } = {}): WriterEngine {
    const client = new OpenAiClient(
      { name: 'writer server', url: this.#url, apiKey: 'sk-w' },
      { timeoutMs, concurrencyMax: 4, backoffMs: 2 },
    )
    const model = new ChatModel(client, { model: 'local', contextTokens, extraBody: {} })
    const writer = makeProseWriter(model, this.#checker)
    this.#writers.push(writer)
    return writer
  }

  /** What was asked, in order. */
  get asked(): string[] {
    return this.server.chats.map(nameOf)
  }

  /** The last words of each question of this name. */
  promptsOf(name: TaskName): string[] {
    return this.server.chats
      .filter((chat) => nameOf(chat) === name)
      .map(({ messages }) => messages.at(-1)?.content ?? '')
  }

  async close(): Promise<void> {
    await Promise.all(this.#writers.map((writer) => writer.close()))
    await this.server.close()
    const { problems } = this.server
    if (problems.length > 0) throw new Error(`the protocol was broken: ${problems.join(', ')}`)
  }
}

/** A model without a server, where a test is about what it is asked. What it answers comes in these pieces. */
export const makeModel = (
  answer: (task: ChatTask) => string | string[] | Promise<string>,
  contextTokens = 32_768,
): LanguageModel => ({
  engine: 'openai',
  model: 'stand-in',
  contextTokens,
  complete: async (task) => ({ text: [await answer(task)].flat().join(''), isCutShort: false }),
  async *stream(task) {
    for (const text of [await answer(task)].flat()) yield { kind: 'text', text }
    yield { kind: 'end', isCutShort: false }
  },
  close: async () => {},
})

export const nameOf = (chat: ChatRequest): string => chat.response_format.json_schema.name

export interface Writing {
  /** As they came. */
  streamed: JudgedSection[]
  note: WrittenNote
  repair: RepairFigures | undefined
}

export async function writeAll(
  writer: WriterEngine,
  request: WritingRequest,
  signal = never,
): Promise<Writing> {
  const streamed: JudgedSection[] = []
  for await (const event of writer.writeNote(request, signal)) {
    if (event.kind === 'end') return { streamed, note: event.note, repair: event.repair }
    streamed.push(event.section)
  }
  throw new Error('the note has no end')
}

export const keysOf = (sections: readonly { key: string }[]): string[] => sections.map(({ key }) => key)

/** Text, judgement and reason of each sentence of a section. */
export const judgedOf = (note: WrittenNote, key: string): [string, string, string | null][] =>
  note.sections
    .filter((one) => one.key === key)
    .flatMap(({ sentences }) =>
      sentences.map(({ text, judgement, reason }): [string, string, string | null] => [
        text,
        judgement,
        reason,
      ]),
    )

/** The fault, which tells nothing of what was said, written or sent. */
export async function faultOf(running: Promise<unknown>): Promise<EngineFault> {
  const error: unknown = await running.then(
    () => expect.unreachable(),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(EngineFault)
  const shown = inspect(error, { depth: 10, showHidden: true })
  for (const secret of ['anxious', 'sk-w', 'Client ', 'boss', 'television'])
    expect(shown).not.toContain(secret)
  return error as EngineFault
}
