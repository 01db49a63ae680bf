import { readFileSync } from 'node:fs'
import { ownFile } from '../../own-files.js'
import type { TestFile } from './make-test-file.js'

/** What a `casenote://test/…` does, as `samples/test-recordings.json` has it. */
export interface TestRecording {
  name: string
  /** For the documentation. */
  happens: string
  /** Instead of 200. */
  answers?: number
  sends?: TestFile
  sendingSeconds?: number
  /** Instead of the length of what is sent. */
  announcesBytes?: number
  /** How the session ends, and the code of its failure. */
  outcome: { status: 'completed' | 'failed'; code: string | null }
}

export const testScheme = 'casenote:'

const prefix = `${testScheme}//test/`

let known: readonly TestRecording[] | null = null

export function listTestRecordings(): readonly TestRecording[] {
  known ??= JSON.parse(readFileSync(ownFile('samples/test-recordings.json'), 'utf8')) as TestRecording[]
  return known
}

export const listTestUrls = (): string[] => listTestRecordings().map(({ name }) => prefix + name)

/** Null for every other address, and for a name that there is not. */
export function findTestRecording(url: string): TestRecording | null {
  return listTestRecordings().find(({ name }) => url === prefix + name) ?? null
}
