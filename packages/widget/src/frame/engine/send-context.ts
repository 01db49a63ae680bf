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
 * What a page says of a session, and what it knows beside it, is worth less than the session: options of the page and fields of its context that are
 * refused are left out, and with them no other. The service is told which of the context, so that the clinician hears of it, and the page of
 * all by an `error`.
 */
export async function sendWithContext<Answer extends { sessionId: string }>(
  context: object | null,
  send: (given: SentContext) => Promise<Answer>,
  raise: (event: 'error', detail: EventDetail) => void,
): Promise<Answer> {
  let given = context as Context | null
  const without: Record<string, undefined> = {}
  const refusals: string[] = []
  // Each round sends less than the one before.
  for (;;) {
    const left = given
    const contextLeftOut = listFields(context).filter(
      (field) => left?.[field] === undefined,
    ) as ContextField[]
    try {
      const answer = await send({ ...without, context: given, contextLeftOut })
      if (refusals[0] !== undefined) {
        const fields = [...Object.keys(without), ...contextLeftOut]
        const names = fields.join(', ') || 'context'
        const message = fill(pageTexts.contextRefused, { names, why: refusals.join('. ') })
        raise('error', { code: 'contextRefused', message, fields, sessionId: answer.sessionId })
      }
      return answer
    } catch (error) {
      if (!(error instanceof EngineError) || error.status !== 400) throw error
      // Names of fields and what they must be, and nothing that stands in them.
      refusals.push(error.message)
      let isOption = false
      for (const word of error.message.split(/[^\w.]+/))
        if (optionNames.includes(word) && !(word in without)) {
          without[word] = undefined
          isOption = true
        }
      if (isOption) continue
      if (given === null) throw error
      given = giveLess(given, error.message)
    }
  }
}

/** What a page says of a session; without any of them it is one all the same. The second part is of `noteOptions`. */
export const optionNames =
  'sessionExternalId sessionSetting language usingHeadphones noteOptions noteGroup sessionType noteType availableNoteTypes treatmentApproaches'.split(
    ' ',
  )

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
