import type { ProgressNote } from '@casenote/contract'
import { fill } from '../texts/fill.js'
import type { Texts } from '../texts/texts.js'

/** `1:02:03`, `2:03`. */
export function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const pad = (part: number): string => String(part).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor(whole / 60) % 60
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`
}

/** For a time that a screen reader reads: `PT62S`. */
export const toDuration = (seconds: number): string => `PT${Math.floor(seconds)}S`

const dayFormat: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric' }

export const formatDay = (locale: string, timestamp: string): string =>
  new Date(timestamp).toLocaleDateString(toLocale(locale), dayFormat)

export const formatTime = (locale: string, timestamp: string): string =>
  new Date(timestamp).toLocaleString(toLocale(locale), { ...dayFormat, hour: 'numeric', minute: '2-digit' })

/** A date without a time belongs to no time zone. */
export const formatDate = (locale: string, date: string): string =>
  new Date(`${date.slice(0, 10)}T00:00:00Z`).toLocaleDateString(toLocale(locale), {
    ...dayFormat,
    timeZone: 'UTC',
  })

/** The reader's own variant of the texts' language: `en-GB` writes dates as people there do. */
const toLocale = (locale: string): string =>
  navigator.languages.find((language) => language.split('-')[0] === locale) ?? locale

export const formatName = (person: { firstName: string | null; lastName: string }): string =>
  [person.firstName, person.lastName].filter((part) => part !== null && part !== '').join(' ')

export const toPercent = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 100)

/** Here, because it is loaded at once, and what is loaded later has no room left. */
export const wordSigned = (
  { note: words, coSign, locale }: Texts,
  finalizedAt: string,
  { signedBy, coSignedBy }: Pick<ProgressNote, 'signedBy' | 'coSignedBy'>,
): string => {
  const signer = signedBy?.name ?? words.recordSystem
  const date = formatTime(locale, finalizedAt)
  if (signedBy === null || coSignedBy === null)
    return fill(signedBy === null ? words.locked : words.lockedBy, { date, name: signer })
  const name = coSignedBy.name ?? words.recordSystem
  return fill(coSign.both, { signer, signed: formatTime(locale, signedBy.at), name, date })
}
