import type { KnownContext } from '@casenote/contract'
import { SERVICE_MINUTES, type ServiceMinutes } from './service-codes.js'

/** What the partner said of what is billed. */
export type BilledService = Pick<KnownContext, 'serviceCode' | 'startedAt' | 'endedAt'>

const minuteMs = 60_000

/** A sentence where the minutes do not fit the code; empty where they do; null where that cannot be said. */
export function checkMinutes({ serviceCode, startedAt, endedAt }: BilledService): string | null {
  // "90837-95": what stands behind the code says where and how.
  const code = /^\d{5}(?![\p{L}\p{N}])/u.exec(serviceCode ?? '')?.[0]
  const known = code === undefined ? undefined : SERVICE_MINUTES[code]
  if (known === undefined || startedAt === null || endedAt === null) return null
  const minutes = Math.floor((Date.parse(endedAt) - Date.parse(startedAt)) / minuteMs)
  const isShort = minutes < known.leastMinutes
  const isLong = known.mostMinutes !== null && minutes > known.mostMinutes
  return isShort || isLong
    ? `${code} is for ${wordRange(known)}; the session took ${minutes === 1 ? '1 minute' : `${minutes} minutes`}.`
    : ''
}

const wordRange = ({ leastMinutes, mostMinutes }: ServiceMinutes): string =>
  mostMinutes === null ? `${leastMinutes} minutes or more` : `${leastMinutes} to ${mostMinutes} minutes`
