/** How long a session lasts that is billed with a code. Facts and sources: docs/clinical/service-codes.md. */
export interface ServiceMinutes {
  leastMinutes: number
  /** Null: there is no most, or what is longer is billed with a further code. */
  mostMinutes: number | null
}

/**
 * Codes of which the length of the session alone decides. Not those of evaluation and management: their time is the whole day's, and
 * the decisions count instead of it.
 */
export const SERVICE_MINUTES: Readonly<Record<string, ServiceMinutes>> = {
  '90832': { leastMinutes: 16, mostMinutes: 37 },
  '90834': { leastMinutes: 38, mostMinutes: 52 },
  '90837': { leastMinutes: 53, mostMinutes: null },
  // With evaluation and management in the same session, which takes its own time: no most.
  '90833': { leastMinutes: 16, mostMinutes: null },
  '90836': { leastMinutes: 38, mostMinutes: null },
  '90838': { leastMinutes: 53, mostMinutes: null },
  // Beyond 74 minutes 90840 comes with it.
  '90839': { leastMinutes: 30, mostMinutes: null },
  '90846': { leastMinutes: 26, mostMinutes: null },
  '90847': { leastMinutes: 26, mostMinutes: null },
}
