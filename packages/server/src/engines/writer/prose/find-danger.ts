import { makeFindingId, sortItems } from '../../reader/finding-id.js'
import type { DangerFinding, Finding } from '../../reader/reading.js'
import { Danger } from './answer-schemas.js'
import { askForJson } from './ask-for-json.js'
import { findDangerTask } from './prompts.js'
import { toTask, type ProseParts, type Session } from './prose-parts.js'
import { readText } from './quote-data.js'

/**
 * What the reader found, and what the model finds when it is asked for danger and nothing else: a small encoder misses what
 * is said without the usual words, a model what it thinks unimportant.
 */
export async function findDanger(
  { model, budget }: ProseParts,
  session: Session,
  signal: AbortSignal,
): Promise<Finding[]> {
  const schema = Danger(session.transcript.length)
  const task = toTask(
    'danger',
    { material: session.material, rules: findDangerTask },
    { schema, outputTokensMax: Math.min(budget.outputTokensMax, 4_096) },
  )
  const found = await askForJson(model, task, ({ findings }) => ({ value: findings }), signal)
  const known = session.reading.findings
  const fresh = found.flatMap((one) => toFinding(one, session) ?? []).filter((one) => !isKnown(one, known))
  // What a model found is kept with the reading: when the note is written again, it finds the same again.
  return [...new Map([...known, ...fresh].map((one) => [one.id, one])).values()]
}

/** Null: the words were not said where the model says so. */
function toFinding(one: Danger['findings'][number], { transcript }: Session): DangerFinding | null {
  const { matter, element, standing, time, whose } = one
  const words = readText(one.words)
  const items = sortItems(one.items)
  const holder = items.find((item) => fold(transcript[item]?.transcript ?? '').includes(fold(words)))
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

/** The reader's has the detail of rules; of two findings about the same words one is enough. */
const isKnown = (one: DangerFinding, known: readonly Finding[]): boolean =>
  known.some(
    (other) =>
      other.kind === 'danger' &&
      other.certainty === 'plain' &&
      other.matter === one.matter &&
      other.standing === one.standing &&
      (other.element === one.element || other.element === 'unspecified') &&
      other.items.some((item) => one.items.includes(item)),
  )

const fold = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
