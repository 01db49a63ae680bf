import type { Instrument } from '../instruments/instrument.js'

/** The first set of bands is what a score's severity is read from. */
export const nameSeverity = (instrument: Instrument | null, severity: string | null): string | null =>
  instrument?.scoring.bandSets[0]?.bands.find(({ key }) => key === severity)?.name ?? null
