import { makeFindingId, sortItems } from '../../reader/finding-id.js'
import type { DangerFinding, Finding } from '../../reader/reading.js'
import { findSaid } from '../../text/find-said.js'
import { countWords } from '../../text/tokenize-words.js'
import { Danger } from './answer-schemas.js'
import { askByWindows } from './ask-by-windows.js'
import { askForJson } from './ask-for-json.js'
import { findDangerTask } from './prompts.js'
import { toTask, type ProseParts, type Session, type SessionWindow } from './prose-parts.js'
import { readText } from './quote-data.js'

/**
 * What the reader found, and what the model finds when it is asked for danger and nothing else: a small encoder misses what
 * is said without the usual words, a model what it thinks unimportant. Of talk that does not fit it is asked part by part:
 * what was said in passing is what facts leave out.
 */
export async function findDanger(
  parts: ProseParts,
  session: Session,
  signal: AbortSignal,
): Promise<Finding[]> {
  // A model that is given nothing makes something up.
  if (session.transcript.length === 0) return [...session.reading.findings]
  const whole = { start: 0, end: session.transcript.length, material: session.material }
  const windows = session.isWhole ? [whole] : session.windows
  const ask = async (window: SessionWindow, until: AbortSignal): Promise<DangerFinding[]> => {
    const found = await askOne(parts, session, window, until)
    return renumber(found, session, window).flatMap((one) => toFinding(one, session, window) ?? [])
  }
  const known = session.reading.findings
  const fresh = (await askByWindows(windows, ask, signal)).flat().filter((one) => !isKnown(one, known))
  // What a model found is kept with the reading: when the note is written again, it finds the same again.
  return [...new Map([...known, ...fresh].map((one) => [one.id, one])).values()]
}

type Told = Danger['findings'][number]

function askOne(
  { model, budget }: ProseParts,
  { transcript }: Session,
  { material }: SessionWindow,
  signal: AbortSignal,
): Promise<Told[]> {
  const task = toTask(
    'danger',
    { material, rules: findDangerTask },
    { schema: Danger(transcript.length), outputTokensMax: Math.min(budget.outputTokensMax, 4_096) },
  )
  return askForJson(model, task, ({ findings }) => ({ value: findings }), signal)
}

/** The items of a part are numbered through the whole session. A model that counts from its beginning is known by its quotes. */
function renumber(found: readonly Told[], { transcript }: Session, { start, end }: SessionWindow): Told[] {
  if (start === 0) return [...found]
  const shift = (one: Told): Told => ({
    ...one,
    items: one.items.map((item) => item + start).filter((item) => item < end),
  })
  const shifted = found.map(shift)
  const countSaid = (all: readonly Told[]): number =>
    all.filter(({ items, words }) => items.some((item) => saidAt(transcript, item, words) !== null)).length
  return countSaid(shifted) > countSaid(found) ? shifted : [...found]
}

const saidAt = (transcript: Session['transcript'], item: number, words: string): string | null =>
  findSaid(transcript[item]?.transcript ?? '', readText(words))

/** Null: neither were the words said nor is the place in what the model was given. */
function toFinding(one: Told, session: Session, window: SessionWindow): DangerFinding | null {
  const { matter, standing, time, whose } = one
  // Voices that tell to hurt somebody are psychosis; of the harm itself the model names no part then.
  const isOfVoices = ofVoices.has(one.element) && matter !== 'psychosis'
  const element = isOfVoices ? 'unspecified' : one.element
  const placed = findPlace(one, session, window)
  if (placed === null) return null
  const { items, words, isSaid } = placed
  return {
    kind: 'danger',
    id: makeFindingId('danger', 'model', matter, element, standing, time, whose, ...items),
    matter,
    element,
    standing,
    time,
    whose,
    items,
    words,
    // What it could not quote it may have misread.
    certainty: isSaid ? 'plain' : 'suspected',
    foundBy: 'model',
    questionItem: null,
  }
}

const ofVoices = new Set<DangerFinding['element']>(['commands', 'voices', 'beliefs'])

interface Placed {
  items: number[]
  /** As the transcript spells them. */
  words: string
  isSaid: boolean
}

/** Fewer may be anybody's: they are not looked for elsewhere. */
const movedWordsMin = 3

/** Where the words were said: at the items given, else at the nearest place in the part that holds them. */
function findPlace(
  one: Told,
  { transcript, reading }: Session,
  { start, end }: SessionWindow,
): Placed | null {
  const items = sortItems(one.items)
  for (const item of items) {
    const words = saidAt(transcript, item, one.words)
    if (words !== null) return { items, words, isSaid: true }
  }
  const given = items[0] ?? start
  if (countWords(one.words) >= movedWordsMin) {
    const nearest = Array.from({ length: end - start }, (_, index) => start + index)
      .toSorted((a, b) => Math.abs(a - given) - Math.abs(b - given))
      .find((item) => saidAt(transcript, item, one.words) !== null)
    if (nearest !== undefined) {
      const question = reading.questionOf[nearest]
      return {
        items: sortItems(question === undefined ? [nearest] : [question, nearest]),
        words: saidAt(transcript, nearest, one.words) ?? '',
        isSaid: true,
      }
    }
  }
  const inside = items.filter((item) => item >= start && item < end)
  const last = inside.at(-1)
  if (last === undefined) return null
  return { items: inside, words: transcript[last]?.transcript ?? '', isSaid: false }
}

/**
 * The reader's has the detail of rules; of two findings about the same words one is enough. What it took for another
 * person's, or for the past, is another finding: it may have misread whose or when, and then nobody would hear of the client.
 */
const isKnown = (one: DangerFinding, known: readonly Finding[]): boolean =>
  known.some(
    (other) =>
      other.kind === 'danger' &&
      other.certainty === 'plain' &&
      other.matter === one.matter &&
      other.standing === one.standing &&
      other.time === one.time &&
      other.whose === one.whose &&
      (other.element === one.element || other.element === 'unspecified') &&
      other.items.some((item) => one.items.includes(item)),
  )
