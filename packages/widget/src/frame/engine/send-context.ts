import type { ContextField } from '@casenote/contract'
import type { EventDetail } from '../../protocol.js'
import { fill } from '../texts/fill.js'
import { pageTexts } from '../texts/texts.js'
import { EngineError } from './engine.js'

/** What a session is made with. */
interface SentContext {
  context: object | null
  contextLeftOut: ContextField[]
}

type Context = Record<string, unknown>

/** Whose absence does harm: they stay for as long as they may be what is not refused. */
const protecting: ReadonlySet<string> = new Set(['namesToKeepOut', 'pronouns'])

/**
 * What a page knows beside a session is worth less than the session: fields that are refused with it are left out, and with them no
 * other. The service is told which, so that the clinician hears of it, and the page by an `error`.
 */
export async function sendWithContext<Answer extends { sessionId: string }>(
  context: object | null,
  send: (given: SentContext) => Promise<Answer>,
  raise: (event: 'error', detail: EventDetail) => void,
): Promise<Answer> {
  let given = context as Context | null
  const refusals: string[] = []
  // Each round sends less than the one before.
  for (;;) {
    const left = given
    const fields = listFields(context).filter((field) => left?.[field] === undefined)
    try {
      const answer = await send({ context: given, contextLeftOut: fields as ContextField[] })
      if (refusals.length > 0) {
        const names = fields.join(', ') || 'context'
        const message = fill(pageTexts.contextRefused, { names, why: refusals.join('. ') })
        raise('error', { code: 'contextRefused', message, fields, sessionId: answer.sessionId })
      }
      return answer
    } catch (error) {
      if (given === null || !(error instanceof EngineError) || error.status !== 400) throw error
      // Names of fields and what they must be, and nothing that stands in them.
      refusals.push(error.message)
      given = giveLess(given, error.message)
    }
  }
}

/** Without the fields that the refusal names; where it names none, with those that protect alone. Null: nothing is left to be given. */
function giveLess(given: Context, refusal: string): Context | null {
  const fields = listFields(given)
  const refused = new Set(Array.from(refusal.matchAll(/context\.(\w+)/g), ([, field]) => field))
  const isNamed = fields.some((field) => refused.has(field))
  const kept = fields.filter((field) => (isNamed ? !refused.has(field) : protecting.has(field)))
  if (kept.length === 0 || kept.length === fields.length) return null
  return Object.fromEntries(kept.map((field) => [field, given[field]]))
}

/** Fields that say something, of those that there are. */
const listFields = (context: object | null): string[] =>
  contextFields.filter((field) => ((context as Context | null)?.[field] ?? null) !== null)

/** Listed here as well: the contract's own list would bring its schemas along. */
export const contextFields: readonly string[] =
  'diagnoses medicines goals lastPlan pronouns namesToKeepOut serviceCode startedAt endedAt'.split(' ')
