import { setImmediate as nextTurn } from 'node:timers/promises'

/** Gathered for one write; more would only wait in memory. */
const chunkChars = 64 * 1_024

const isStream = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/**
 * An object as JSON. A field whose value comes piece by piece is an array, of which one piece at a time is in memory. Spelling a long talk or a
 * long note and making bytes of it are a turn each: whoever reads it may come back for the next at once.
 */
export async function* writeJson(fields: Readonly<Record<string, unknown>>): AsyncGenerator<Buffer> {
  let text = '{'
  let isFirst = true
  for (const [key, value] of Object.entries(fields)) {
    text += `${isFirst ? '' : ','}\n${JSON.stringify(key)}: `
    isFirst = false
    if (!isStream(value)) {
      text += JSON.stringify(value ?? null)
      if (text.length < chunkChars) continue
      yield await toBytes(text)
      text = ''
      continue
    }
    let before = '[\n'
    for await (const piece of value) {
      text += before + JSON.stringify(piece)
      before = ',\n'
      if (text.length < chunkChars) continue
      yield await toBytes(text)
      text = ''
    }
    text += before === '[\n' ? '[]' : '\n]'
  }
  yield Buffer.from(`${text}\n}\n`)
}

async function toBytes(text: string): Promise<Buffer> {
  await nextTurn()
  const bytes = Buffer.from(text)
  await nextTurn()
  return bytes
}

/** A whole number of pages of a list, one item after the other. */
export async function* throughPages<Item>(
  readPage: (page: { number: number; size: number }) => Promise<readonly Item[]>,
  size: number,
): AsyncGenerator<Item> {
  for (let number = 1; ; number += 1) {
    const items = await readPage({ number, size })
    yield* items
    if (items.length < size) return
  }
}
