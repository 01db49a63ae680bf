/** RFC 9110: seconds, which some servers give with a fraction, or a date. Null: absent, unreadable, or already over. */
export function parseRetryAfter(text: string | null | undefined, nowMs: number): number | null {
  if (text == null) return null
  const waitMs = /^\s*\d{1,15}(\.\d{1,6})?\s*$/.test(text) ? Number(text) * 1000 : parseHttpDate(text) - nowMs
  return waitMs > 0 ? waitMs : null
}

/** Only dates in one of RFC 9110's forms: `Date.parse` alone also takes `-5` for a year. NaN: none. */
const parseHttpDate = (text: string): number => (/^\s*[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : NaN)
