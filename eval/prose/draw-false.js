// Sentences with known truth, true and false, about invented sessions: whole sessions drawn by a fixed seed until there are
// 300 sentences. FOLDER holds `sessions/*.jsonl` and `false/*.jsonl`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const seed = 20261116
const sentencesMin = 300

const readLines = (folder, name) =>
  readdirSync(join(folder, name))
    .filter((file) => file.endsWith('.jsonl'))
    .toSorted()
    .flatMap((file) => readFileSync(join(folder, name, file), 'utf8').split('\n'))
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line))

/**
 * A small generator of our own: the draw must be the same everywhere.
 * @returns {Generator<number, never>}
 */
function* makeNumbers(state) {
  for (;;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    yield state / 2 ** 32
  }
}

export function drawFalse(folder) {
  const sentences = groupById(readLines(folder, 'false'))
  const sessions = readLines(folder, 'sessions').filter(({ id }) => sentences.has(id))
  const numbers = makeNumbers(seed)
  const order = sessions
    .map((session) => ({ session, at: numbers.next().value }))
    .toSorted((a, b) => a.at - b.at)
  const drawn = []
  let count = 0
  for (const { session } of order) {
    if (count >= sentencesMin) break
    // They were written false ones first: whoever judges them must not learn that.
    const own = sentences
      .get(session.id)
      .map((sentence) => ({ sentence, at: numbers.next().value }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ sentence }) => sentence)
    drawn.push({ session, sentences: own })
    count += own.length
  }
  return drawn
}

function groupById(lines) {
  const groups = new Map()
  for (const line of lines) groups.set(line.id, [...(groups.get(line.id) ?? []), line])
  return groups
}
