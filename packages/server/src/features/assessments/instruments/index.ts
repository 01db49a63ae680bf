import { asrsV11 } from './asrs-v1-1.js'
import { auditC } from './audit-c.js'
import { audit } from './audit.js'
import { dast10 } from './dast10.js'
import { gad2 } from './gad2.js'
import { gad7 } from './gad7.js'
import type { Instrument } from './instrument.js'
import { k10 } from './k10.js'
import { pcPtsd5 } from './pc-ptsd5.js'
import { pcl5 } from './pcl5.js'
import { phq2 } from './phq2.js'
import { phq9 } from './phq9.js'
import { who5 } from './who5.js'

/** In the order of the list. */
export const INSTRUMENTS: readonly Instrument[] = [
  phq9,
  phq2,
  gad7,
  gad2,
  pcl5,
  pcPtsd5,
  auditC,
  audit,
  who5,
  k10,
  asrsV11,
  dast10,
]

const byId = new Map(INSTRUMENTS.map((instrument) => [instrument.id, instrument]))

export const findInstrument = (assessmentId: string): Instrument | null => byId.get(assessmentId) ?? null

/** What clinics are offered: only what may be shown to a client. */
export const OFFERED = INSTRUMENTS.filter(({ rights }) => rights.mayShowText)

export const isOffered = (assessmentId: string): boolean => OFFERED.some(({ id }) => id === assessmentId)

/** The defaults of a clinic that has set none. */
export const builtInDefaults: readonly string[] = [phq9.id, gad7.id]
