/** A member of the outermost object of a JSON text. */
export interface Member {
  key: string
  value: unknown
}

/** The text is no JSON object. Says nothing of it: it is what a model wrote about a session. */
export class BrokenJson extends Error {
  constructor() {
    super('the text is no JSON object')
    this.name = 'BrokenJson'
  }
}

type Place = 'before' | 'key' | 'colon' | 'value' | 'comma' | 'after'

/**
 * Reads the members of a JSON object from a text that comes in pieces, each as soon as its value is complete. What
 * stands around the object (a code fence, a thought in `<think>`, a friendly sentence) is passed over.
 */
export class MemberScanner {
  #place: Place = 'before'
  #token = ''
  #depth = 0
  #isInString = false
  #isEscaped = false
  #isThinking = false
  #key = ''
  #members: Member[] = []

  get isComplete(): boolean {
    return this.#place === 'after'
  }

  feed(piece: string): Member[] {
    for (const character of piece) this.#read(character)
    const members = this.#members
    this.#members = []
    return members
  }

  #read(character: string): void {
    switch (this.#place) {
      case 'before':
        return this.#readBefore(character)
      case 'key':
        return this.#readKey(character)
      case 'colon':
        return this.#readPunctuation(character, ':', 'value')
      case 'value':
        return this.#readValue(character)
      case 'comma':
        return character === '}' ? this.#enter('after') : this.#readPunctuation(character, ',', 'key')
      case 'after':
        return
    }
  }

  #enter(place: Place): void {
    this.#place = place
    this.#token = ''
    this.#depth = 0
  }

  #readBefore(character: string): void {
    this.#token = (this.#token + character).slice(-'</think>'.length)
    if (this.#token.endsWith('<think>')) this.#isThinking = true
    else if (this.#token === '</think>') this.#isThinking = false
    else if (character === '{' && !this.#isThinking) this.#enter('key')
  }

  #readKey(character: string): void {
    if (this.#token === '') {
      if (isSpace(character)) return
      if (character === '}') return this.#enter('after')
      if (character !== '"') throw new BrokenJson()
    }
    this.#token += character
    if (!this.#endsString(character)) return
    this.#key = String(parse(this.#token))
    this.#enter('colon')
  }

  #readPunctuation(character: string, expected: string, next: Place): void {
    if (isSpace(character)) return
    if (character !== expected) throw new BrokenJson()
    this.#enter(next)
  }

  #readValue(character: string): void {
    if (this.#token === '' && isSpace(character)) return
    const isEnd = this.#depth === 0 && !this.#isInString && (character === ',' || character === '}')
    if (isEnd) {
      this.#finishValue()
      return this.#read(character)
    }
    this.#token += character
    if (this.#isInString || character === '"') this.#endsString(character)
    else if (character === '{' || character === '[') this.#depth += 1
    else if (character === '}' || character === ']') {
      this.#depth -= 1
      if (this.#depth === 0) this.#finishValue()
    }
  }

  #finishValue(): void {
    this.#members.push({ key: this.#key, value: parse(this.#token) })
    this.#enter('comma')
  }

  /** Follows strings and their escapes; true at the quote that closes one. */
  #endsString(character: string): boolean {
    if (this.#isEscaped) this.#isEscaped = false
    else if (character === '\\') this.#isEscaped = true
    else if (character === '"') {
      this.#isInString = !this.#isInString
      return !this.#isInString
    }
    return false
  }
}

const isSpace = (character: string): boolean => /[ \t\r\n]/.test(character)

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BrokenJson()
  }
}

/** A whole answer. Null when it holds no complete JSON object. */
export function parseAnswer(text: string): Record<string, unknown> | null {
  const scanner = new MemberScanner()
  try {
    const members = scanner.feed(text)
    return scanner.isComplete ? Object.fromEntries(members.map(({ key, value }) => [key, value])) : null
  } catch {
    // BrokenJson: told by the null.
    return null
  }
}
