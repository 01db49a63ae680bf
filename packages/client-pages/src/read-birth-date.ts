/** `YYYY-MM-DD`; null: not a day on which somebody alive was born. Two digits of a year are asked for again. */
export function readBirthDate(
  { month, day, year }: { month: string; day: string; year: string },
  today: Date,
): string | null {
  const parts = [year, month, day].map((text) => text.trim())
  if (!parts.every((text) => /^\d{1,4}$/.test(text)) || parts[0]?.length !== 4) return null
  const [y = 0, m = 0, d = 0] = parts.map(Number)
  const date = new Date(Date.UTC(y, m - 1, d))
  const isReal = date.getUTCFullYear() === y && date.getUTCMonth() === m - 1 && date.getUTCDate() === d
  if (!isReal || y < 1870 || date.getTime() > today.getTime()) return null
  return date.toISOString().slice(0, 10)
}
