const dayAndTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
})
const yearToo = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
const dayAlone = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const clockTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const number = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })

/** The year, where it is another one. */
export function formatTime(at: string): string {
  const time = new Date(at)
  return (time.getFullYear() === new Date().getFullYear() ? dayAndTime : yearToo).format(time)
}

export const formatMinute = (at: string): string => clockTime.format(new Date(at)).slice(0, 5)
export const formatClock = (at: Date): string => clockTime.format(at)
/** Days are the service's, in UTC. */
export const formatDay = (day: string): string => dayAlone.format(new Date(`${day.slice(0, 10)}T00:00:00Z`))
export const formatNumber = (value: number): string => number.format(value)

export const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** 340 ms, 4.2 s, 12 min, 3.5 h, 2 days. */
export function formatSpan(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 60_000) return `${number.format(ms / 1_000)} s`
  if (ms < 3_600_000) return `${Math.round(ms / 60_000)} min`
  if (ms < 48 * 3_600_000) return `${number.format(ms / 3_600_000)} h`
  return `${Math.round(ms / 86_400_000)} days`
}

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const

export function formatBytes(bytes: number): string {
  const step = bytes < 1_024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${number.format(bytes / 1_024 ** step)} ${units[step]}`
}
