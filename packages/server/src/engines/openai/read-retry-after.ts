/** As undici gives them: lower-case names. */
export type AnswerHeaders = Readonly<Record<string, string | string[] | undefined>>

/** When a server wants to be asked again: `retry-after-ms` (OpenAI), else RFC 9110 `Retry-After`, seconds or a date. */
export function readRetryAfter(headers: AnswerHeaders, nowMs: number): number | null {
  const milliseconds = readNumber(headers['retry-after-ms'])
  if (milliseconds !== null) return milliseconds
  const seconds = readNumber(headers['retry-after'])
  if (seconds !== null) return seconds * 1_000
  const date = headers['retry-after']
  if (typeof date !== 'string') return null
  const atMs = Date.parse(date)
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs)
}

/** `Date.parse` would take `-5` or `1.5` for a date, so a number is looked for first, and a negative one means now. */
function readNumber(header: string | string[] | undefined): number | null {
  if (typeof header !== 'string' || !/^\s*-?\d{1,12}(\.\d{1,6})?\s*$/.test(header)) return null
  return Math.max(0, Number(header))
}
