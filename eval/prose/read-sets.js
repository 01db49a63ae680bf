import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const speakers = { T: 'clinician', C: 'client', O: 'speaker_3' }
const setsFolder = fileURLToPath(new URL('../reader/opened/', import.meta.url))

/** A turn takes some three seconds for each eight words. */
export const toTranscript = (turns) => {
  let at = 0
  return turns.map(([who, words]) => {
    const startTime = at
    at += 1 + words.split(' ').length * 0.4
    return { startTime, endTime: at, speaker: speakers[who], transcript: words }
  })
}

/** Whole sessions that answers were recorded for. */
export const readWholeSessions = (folder = setsFolder) =>
  readdirSync(folder)
    .filter((name) => /^whole-.*\.jsonl$/.test(name))
    .toSorted()
    .flatMap((name) =>
      readFileSync(join(folder, name), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
    )
