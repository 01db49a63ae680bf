import type { ChatRequest, SpeechForm } from './openai-server.js'

/**
 * Stand-ins for the weights behind a server: what they say follows from the request alone, so that a test sees whether
 * the request carried what it should. The transcriber reads words that `encodeWords` put into the samples; the writer
 * says again what stands in the prompt, under the numbers that it has there, finds no danger that a reader did not find,
 * and bears out every sentence.
 */

/** A letter is one sample of its code; 16 bits carry it exactly. */
export function encodeWords(words: string): Float32Array {
  const samples = new Float32Array(Math.max(16_000, words.length + 1))
  for (const [index, byte] of Buffer.from(words, 'latin1').entries()) samples[index] = byte / 256
  return samples
}

export function transcribeWords({ wav }: SpeechForm): unknown {
  const bytes: number[] = []
  for (let offset = 44; offset < wav.length && wav.readInt16LE(offset) !== 0; offset += 2) {
    bytes.push(wav.readInt16LE(offset) / 128)
  }
  const text = Buffer.from(bytes).toString('latin1')
  const isSilent = text === ''
  const segment = {
    text: ` ${text}`,
    avg_logprob: isSilent ? -1.4 : -0.2,
    no_speech_prob: isSilent ? 0.9 : 0.05,
  }
  return {
    task: 'transcribe',
    language: 'english',
    duration: (wav.length - 44) / 32_000,
    // What Whisper hears in silence.
    text: isSilent ? ' Thank you.' : text,
    segments: [{ ...segment, text: isSilent ? ' Thank you.' : segment.text, id: 0, compression_ratio: 1.1 }],
  }
}

interface Line {
  /** Null in facts, which name nobody. */
  speaker: string | null
  text: string
  items: number[]
}

/** The items or facts between the tags, as a reader of the prompt finds them. */
export function readMaterial(prompt: string): Line[] {
  const [, kind, block = ''] = /^<(transcript|facts)>\n(.*?)\n<\/\1>$/ms.exec(prompt) ?? []
  return block.split('\n').flatMap((line): Line[] => {
    if (kind === 'transcript') {
      const [, number, speaker = '', text = ''] = /^\[(\d+)\] ([^:]+): (.*)$/.exec(line) ?? []
      return number === undefined ? [] : [{ speaker, text, items: [Number(number)] }]
    }
    const [, text, numbers] = /^- [a-z_]+: (.*) \{items: ([\d, ]+)\}$/.exec(line) ?? []
    return text === undefined ? [] : [{ speaker: null, text, items: (numbers ?? '').split(', ').map(Number) }]
  })
}

const report = ({ speaker, text, items }: Line) => ({
  text: `${speaker === null ? 'As stated' : `${speaker === 'client' ? 'Client' : 'Clinician'} stated`}: ${text.slice(0, 150)}`,
  items,
})

/** What a server is told to answer, by the name of the task, before it answers as usual: JSON, or any other text. */
export class Script {
  readonly #answers = new Map<string, unknown[]>()

  next(name: TaskName, ...answers: unknown[]): this {
    this.#answers.set(name, [...(this.#answers.get(name) ?? []), ...answers])
    return this
  }

  readonly writeAsModel = (request: ChatRequest): string => {
    const answer = this.#answers.get(request.response_format.json_schema.name)?.shift()
    if (answer === undefined) return writeAsModel(request)
    return typeof answer === 'string' ? answer : JSON.stringify(answer)
  }
}

export type TaskName =
  | 'progress_note'
  | 'danger'
  | 'verification'
  | 'repair'
  | 'summary'
  | 'mdm_elements'
  | 'edited_note'
  | 'facts'
  | 'goal_links'

export function writeAsModel(request: ChatRequest): string {
  const prompt = request.messages.at(-1)?.content ?? ''
  const lines = readMaterial(prompt)
  const { name, schema } = request.response_format.json_schema
  switch (name) {
    case 'progress_note':
      return JSON.stringify(writeSections(Object.keys(schema.properties as object), lines))
    case 'facts':
      return JSON.stringify({
        facts: lines
          .filter((_, index) => index % 25 === 0)
          .slice(0, 20)
          .map(({ text, items }) => ({ topic: 'symptoms', text: text.slice(0, 120), items })),
      })
    case 'summary':
      return JSON.stringify({ sentences: lines.slice(0, 3).map(report) })
    case 'mdm_elements':
      return JSON.stringify(decide(lines))
    case 'danger':
      return JSON.stringify({ findings: [] })
    case 'verification':
      return JSON.stringify(bearOut(prompt))
    case 'repair':
      return JSON.stringify({ changes: [], additions: [] })
    case 'edited_note':
      return JSON.stringify(edit(prompt))
    default:
      throw new Error(`no such task: ${name}`)
  }
}

/** The numbers of the sentences that a prompt asks about. */
export const listAsked = (prompt: string): { n: number; text: string }[] => {
  const block = /^<sentences>\n(.*?)\n<\/sentences>$/ms.exec(prompt)?.[1] ?? ''
  return [...block.matchAll(/^(\d+)\. (.*) \{items: [\d, ]*\}$/gm)].map(([, n, text = '']) => ({
    n: Number(n),
    text,
  }))
}

const bearOut = (prompt: string) => ({
  verdicts: listAsked(prompt).map(({ n }) => ({ n, verdict: 'borne_out', reason: null, items: [] })),
})

const writeSections = (keys: readonly string[], lines: readonly Line[]) =>
  Object.fromEntries(
    keys.map((key, index) => {
      const sentences = lines.filter((_, line) => line % keys.length === index).slice(0, 4)
      return [key, { layout: key === 'plan' ? 'bullets' : 'paragraph', sentences: sentences.map(report) }]
    }),
  )

const decide = (lines: readonly Line[]) => ({
  problemsAddressed: [
    { problem: 'Depression', level: 'moderate', rationale: 'Not at goal.', items: lines[1]?.items ?? [] },
  ],
  riskOfComplications: {
    level: 'moderate',
    rationale: 'Dose raised with a reason.',
    items: lines[6]?.items ?? [],
  },
  crisisInterventionIdentified: false,
  crisisInterventionRationale: null,
  crisisItems: [],
})

function edit(prompt: string) {
  const asked = /^<request>\n(.*?)\n<\/request>$/ms.exec(prompt)?.[1] ?? ''
  const plan = /^section plan, bullets:\n((?:- .*\n?)+)/m.exec(prompt)?.[1] ?? ''
  if (!asked.includes('walk')) {
    return { isDone: false, reason: 'Nobody mentioned that in the session.', noteType: 'soap', sections: [] }
  }
  const sentences = [...plan.matchAll(/^- (.*) \{items: ([\d, ]*)\}$/gm)]
    .map(([, text = '', items = '']) => ({ text, items: items.split(', ').map(Number), source: 'session' }))
    .filter(({ text }) => !text.includes('walk'))
  return {
    isDone: true,
    reason: null,
    noteType: 'soap',
    sections: [{ key: 'plan', layout: 'bullets', sentences }],
  }
}
