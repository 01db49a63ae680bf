// A written session: header lines, turns, and what its note must and must not say.
//   noteType: soap
//   about: one line for the reader
//   (blank line) speaker: what was said …
//   (blank line) must: PATTERN | must in SECTION: PATTERN | must not: PATTERN
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

export const readSessions = (folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.session'))
    .toSorted()
    .map((name) => readSession(join(folder, name)))

const wordsPerSecond = 2.5

function readSession(path) {
  const session = {
    name: basename(path, '.session'),
    noteType: '',
    about: '',
    transcript: [],
    facts: [],
    forbidden: [],
  }
  let seconds = 0
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const parts = /^(?<head>[^:]+): (?<rest>.+)$/.exec(line)?.groups
    if (parts === undefined) continue
    const { head, rest } = parts
    if (head === 'noteType' || head === 'about') session[head] = rest
    else if (head === 'must not') session.forbidden.push(new RegExp(rest, 'u'))
    else if (head === 'must') session.facts.push({ pattern: new RegExp(rest, 'iu'), section: null })
    else if (head.startsWith('must in ')) {
      session.facts.push({ pattern: new RegExp(rest, 'iu'), section: head.slice('must in '.length) })
    } else {
      const lengthSeconds = rest.split(' ').length / wordsPerSecond
      session.transcript.push({
        startTime: seconds,
        endTime: seconds + lengthSeconds,
        speaker: head,
        transcript: rest,
      })
      seconds += lengthSeconds
    }
  }
  return session
}
