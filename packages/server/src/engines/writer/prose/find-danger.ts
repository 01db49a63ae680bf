import type { DangerFinding, Finding } from '../../reader/reading.js'
import { Danger } from './answer-schemas.js'
import { askByWindows } from './ask-by-windows.js'
import { askForJson } from './ask-for-json.js'
import { findDangerTask } from './prompts.js'
import type { ToldDanger } from './place-danger.js'
import { requireAnswer, toTask, type ProseParts, type Session, type SessionWindow } from './prose-parts.js'

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
  const { transcript } = session
  const { questionOf } = session.reading
  const whole = { start: 0, end: session.transcript.length, material: session.material }
  const windows = session.isWhole ? [whole] : session.windows
  const ask = async (window: SessionWindow, until: AbortSignal): Promise<DangerFinding[]> => {
    const found = await askOne(parts, session, window, until)
    const { start, end } = window
    return requireAnswer(
      await parts.checker.placeDanger({ found, window: { start, end }, transcript, questionOf }),
    )
  }
  const known = session.reading.findings
  const fresh = (await askByWindows(windows, ask, signal)).flat().filter((one) => !isKnown(one, known))
  // What a model found is kept with the reading: when the note is written again, it finds the same again.
  return [...new Map([...known, ...fresh].map((one) => [one.id, one])).values()]
}

function askOne(
  { model, budget }: ProseParts,
  { transcript }: Session,
  { material }: SessionWindow,
  signal: AbortSignal,
): Promise<ToldDanger[]> {
  const task = toTask(
    'danger',
    { material, rules: findDangerTask },
    { schema: Danger(transcript.length), outputTokensMax: Math.min(budget.outputTokensMax, 4_096) },
  )
  return askForJson(model, task, ({ findings }) => ({ value: findings }), signal)
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
