import { parseRetryAfter } from '../../kernel/retry-after.js'

/** As undici gives them: lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

/** When a server wants to be asked again: `retry-after-ms` (OpenAI), else `Retry-After`. Null: at once, or it does not say. */
export function readRetryAfter(headers: AnswerHeaders, nowMs: number): number | null {
  const { 'retry-after-ms': milliseconds, 'retry-after': after } = headers
  if (typeof milliseconds === 'string' && /^\s*\d{1,12}(\.\d{1,6})?\s*$/.test(milliseconds))
    return Number(milliseconds)
  return typeof after === 'string' ? parseRetryAfter(after, nowMs) : null
}
