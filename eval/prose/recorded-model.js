// A language model whose answers were written with care from nothing but the prompt, and are replayed. An answer is found by
// session and task; one whose prompt has changed since is used all the same, and reported as stale.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** No answer is recorded: whoever records finds the prompt in `promptFile`. */
export class NotRecorded extends Error {
  constructor(promptFile) {
    super(`no answer is recorded: ${promptFile}`)
    this.promptFile = promptFile
  }
}

export const digestOf = (task) =>
  createHash('sha256').update(`${task.system}\n${task.user}`).digest('hex').slice(0, 16)

export class RecordedModel {
  engine = /** @type {const} */ ('openai')
  model = 'recorded'
  contextTokens = 131_072
  stale = []
  asked = 0
  #counts = new Map()

  /** `pending`: where prompts without an answer are laid, and their answers are taken from; null where nothing is recorded. */
  constructor(file, pending = null) {
    this.file = file
    this.pending = pending
    this.answers = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
  }

  async complete(task) {
    return { text: this.#find(task), isCutShort: false }
  }

  /** @returns {AsyncGenerator<import('../../packages/server/dist/engines/models/language-model.js').ChatEvent>} */
  async *stream(task) {
    yield { kind: 'text', text: this.#find(task) }
    yield { kind: 'end', isCutShort: false }
  }

  async close() {}

  #find(task) {
    const count = (this.#counts.get(task.name) ?? 0) + 1
    this.#counts.set(task.name, count)
    this.asked += 1
    const key = `${task.name}-${count}`
    const digest = digestOf(task)
    const known = this.answers[key]
    if (known !== undefined && (known.prompt === digest || this.pending === null)) {
      if (known.prompt !== digest) this.stale.push(key)
      return JSON.stringify(known.answer)
    }
    if (this.pending === null) throw new NotRecorded(`${this.file} ${key}`)
    return this.#take(task, key, digest)
  }

  #take(task, key, digest) {
    const answerFile = join(this.pending, `${key}.${digest}.answer.json`)
    if (existsSync(answerFile)) {
      const answer = JSON.parse(readFileSync(answerFile, 'utf8'))
      this.answers[key] = { prompt: digest, answer }
      writeFileSync(this.file, `${JSON.stringify(this.answers, null, 1)}\n`)
      return JSON.stringify(answer)
    }
    mkdirSync(this.pending, { recursive: true })
    const promptFile = join(this.pending, `${key}.${digest}.prompt.txt`)
    const schema = JSON.stringify(task.schema)
    writeFileSync(
      promptFile,
      `SYSTEM\n${task.system}\n\nUSER\n${task.user}\n\nSCHEMA OF THE ANSWER\n${schema}\n`,
    )
    throw new NotRecorded(promptFile)
  }
}
