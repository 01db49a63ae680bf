import { makeFindingId, sortItems } from '../../reader/finding-id.js'
import type { DangerFinding, Finding } from '../../reader/reading.js'
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
  const ask = (window: SessionWindow, until: AbortSignal): Promise<Danger['findings']> =>
    askOne(parts, session, window, until)
  const found = (await askByWindows(windows, ask, signal)).flat()
  const known = session.reading.findings
  const fresh = found.flatMap((one) => toFinding(one, session) ?? []).filter((one) => !isKnown(one, known))
  // What a model found is kept with the reading: when the note is written again, it finds the same again.
  return [...new Map([...known, ...fresh].map((one) => [one.id, one])).values()]
}

function askOne(
  { model, budget }: ProseParts,
  { transcript }: Session,
  { material, start, end }: SessionWindow,
  signal: AbortSignal,
): Promise<Danger['findings']> {
  const task = toTask(
    'danger',
    { material, rules: findDangerTask },
    { schema: Danger(transcript.length), outputTokensMax: Math.min(budget.outputTokensMax, 4_096) },
  )
  return askForJson(
    model,
    task,
    ({ findings }) =>
      findings.every(({ items }) => items.every((item) => item >= start && item < end))
        ? { value: findings }
        : { problem: 'it names items that are not in this part' },
    signal,
  )
}

/** Null: the words were not said where the model says so. */
function toFinding(one: Danger['findings'][number], { transcript }: Session): DangerFinding | null {
  const { matter, element, standing, time, whose } = one
  const words = readText(one.words)
  const items = sortItems(one.items)
  const holder = items.find((item) => holdsWords(transcript[item]?.transcript ?? '', words))
  const isSaid = holder !== undefined && fold(words) !== ''
  const first = items[0]
  if (first === undefined) return null
  return {
    kind: 'danger',
    id: makeFindingId('danger', 'model', matter, element, standing, time, whose, ...items),
    matter,
    element,
    standing,
    time,
    whose,
    items,
    words: isSaid ? words : (transcript[items.at(-1) ?? first]?.transcript ?? ''),
    // What it could not quote it may have misread.
    certainty: isSaid ? 'plain' : 'suspected',
    foundBy: 'model',
    questionItem: null,
  }
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

/** Whole words: an "I" stands in nearly every word. */
const holdsWords = (text: string, words: string): boolean => ` ${fold(text)} `.includes(` ${fold(words)} `)

const fold = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
