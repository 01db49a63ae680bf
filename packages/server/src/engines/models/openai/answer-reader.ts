import { EngineFault } from '../../engine-fault.js'

/** A model that thinks for longer than some 60,000 tokens before its first word does not come to an end. */
const thoughtLengthMax = 262_144

const thinkOpens = '<think>'
const thinkCloses = '</think>'
const fence = '```'
/** Three backticks and the name of a language. */
const fenceLineLengthMax = 40

type Place =
  /** Nothing but space, or the beginning of a tag or fence. */
  | 'start'
  /** In `<think>`, with nothing but space in it so far. */
  | 'opened'
  | 'thinking'
  /** Words that are no JSON: a thought whose opening tag the server keeps, or a friendly sentence. */
  | 'undecided'
  | 'answer'
  | 'after'

/**
 * Reads past what stands around the JSON object of an answer: a thought in `<think>`, a code fence, a sentence. The text
 * may come in pieces cut anywhere. What has no object is given out as it is, for the caller to refuse.
 */
export class AnswerReader {
  #place: Place = 'start'
  #length = 0
  /** At `start` and `opened`: what is not decided yet. Elsewhere: the last characters, where a tag may have begun. */
  #pending = ''
  /** Pieces, since looking into one growing string for each of them was quadratic: 26 s for 260,000 characters. */
  #undecided: string[] = []
  #depth = 0
  #isInString = false
  #isEscaped = false

  feed(piece: string): string {
    if (this.#place === 'answer') return this.#readAnswer(piece)
    if (this.#place === 'after') return ''
    this.#length += piece.length
    if (this.#length > thoughtLengthMax) {
      throw new EngineFault('malformed', 'the model thought for longer than is waited for')
    }
    return this.#advance(piece)
  }

  /** What was kept back and turned out to be the answer. */
  end(): string {
    if (this.#place !== 'start' && this.#place !== 'undecided') return ''
    const text = this.#undecided.join('') + (this.#place === 'start' ? this.#pending : '')
    const thought = text.indexOf(thinkOpens)
    const start = text.indexOf('{')
    // A thought after a friendly sentence, closed or not.
    if (thought >= 0 && (start < 0 || thought < start)) return ''
    return start < 0 ? text : this.#beginAnswer(text.slice(start))
  }

  #advance(piece: string): string {
    let rest = piece
    for (;;) {
      if (this.#place === 'start' || this.#place === 'opened') {
        const text = (this.#pending + rest).trimStart()
        this.#pending = ''
        if (this.#place === 'start' && text.startsWith('{')) return this.#beginAnswer(text)
        const after = this.#place === 'start' ? this.#decide(text) : this.#open(text)
        if (after === null) {
          this.#pending = text
          return ''
        }
        rest = after
        continue
      }
      const text = this.#pending + rest
      const close = text.indexOf(thinkCloses)
      if (close < 0) {
        if (this.#place === 'undecided') this.#undecided.push(rest)
        this.#pending = text.slice(1 - thinkCloses.length)
        return ''
      }
      this.#undecided = []
      this.#pending = ''
      this.#place = 'start'
      rest = text.slice(close + thinkCloses.length)
    }
  }

  /** What is left to read once the place is known; null while it cannot be told. */
  #decide(text: string): string | null {
    if (text.startsWith(fence)) {
      const lineEnd = text.indexOf('\n')
      if (lineEnd >= 0) return text.slice(lineEnd + 1)
      if (text.length <= fenceLineLengthMax) return null
    }
    if (text.startsWith(thinkOpens)) {
      this.#place = 'opened'
      return text.slice(thinkOpens.length)
    }
    if (thinkOpens.startsWith(text) || fence.startsWith(text)) return null
    this.#place = 'undecided'
    return text
  }

  /** A server that forces JSON forces it after a tag, too, which is then never closed: the end tells. */
  #open(text: string): string | null {
    if (text === '') return null
    this.#place = text.startsWith('{') ? 'undecided' : 'thinking'
    return text
  }

  #beginAnswer(text: string): string {
    this.#place = 'answer'
    this.#undecided = []
    return this.#readAnswer(text)
  }

  /** Up to the brace that closes the object. */
  #readAnswer(piece: string): string {
    for (let index = 0; index < piece.length; index += 1) {
      const character = piece[index]
      if (this.#isEscaped) this.#isEscaped = false
      else if (this.#isInString) {
        if (character === '\\') this.#isEscaped = true
        else if (character === '"') this.#isInString = false
      } else if (character === '"') this.#isInString = true
      else if (character === '{' || character === '[') this.#depth += 1
      else if (character === '}' || character === ']') {
        this.#depth -= 1
        if (this.#depth === 0) {
          this.#place = 'after'
          return piece.slice(0, index + 1)
        }
      }
    }
    return piece
  }
}
