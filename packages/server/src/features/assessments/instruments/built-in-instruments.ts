import { readFileSync } from 'node:fs'
import { ownFile } from '../../../kernel/own-files.js'
import { readInstrumentFile, type InstrumentSource } from './read-instrument-file.js'

/** The files of our own instruments, in the order of the list. An earlier version of a form stays as a file of its own, for who is answering it. */
const files = [
  'phq9',
  'phq2',
  'gad7',
  'gad2',
  'pcl5',
  'pc_ptsd5',
  'audit_c',
  'audit',
  'who5',
  'k10',
  'asrs_v1_1',
  'dast10',
]

let read: readonly InstrumentSource[] | null = null

/** Read once. A file of ours that does not fit is a fault of ours, and `npm run check` finds it first. */
export function builtInInstruments(): readonly InstrumentSource[] {
  read ??= files.map((name) => readInstrumentFile(readFileSync(ownFile(`instruments/${name}.json`), 'utf8')))
  return read
}

/** The defaults of a clinic that has set none. */
export const builtInDefaults: readonly string[] = ['phq9', 'gad7']
