import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { NOTE_TYPES, type NoteType, type TranscriptItem } from '@casenote/contract'
import { ownFile } from '../../kernel/own-files.js'

/** A written session with known truth: what its note must and must not say, and where danger is spoken of. */
export interface ProofSession {
  name: string
  about: string
  noteType: NoteType
  transcript: TranscriptItem[]
  facts: { pattern: RegExp; section: string | null }[]
  forbidden: RegExp[]
  /** Items of each stretch of talk about danger. */
  danger: number[][]
}

const ownFolder = ownFile('proof')

const wordsPerSecond = 2.5

export const readProofSessions = (folder = ownFolder): ProofSession[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.session'))
    .toSorted()
    .map((name) => readProofSession(basename(name, '.session'), readFileSync(join(folder, name), 'utf8')))

function readProofSession(name: string, text: string): ProofSession {
  const session: ProofSession = {
    name,
    about: '',
    noteType: 'soap',
    transcript: [],
    facts: [],
    forbidden: [],
    danger: [],
  }
  for (const line of text.split('\n')) {
    const at = line.indexOf(': ')
    if (at > 0) readLine(session, line.slice(0, at), line.slice(at + 2))
  }
  return session
}

function readLine(session: ProofSession, head: string, rest: string): void {
  if (head === 'about') session.about = rest
  else if (head === 'noteType') session.noteType = NOTE_TYPES.find((type) => type === rest) ?? 'soap'
  else if (head === 'must not') session.forbidden.push(new RegExp(rest, 'u'))
  else if (head === 'must') session.facts.push({ pattern: new RegExp(rest, 'iu'), section: null })
  else if (head.startsWith('must in ')) {
    session.facts.push({ pattern: new RegExp(rest, 'iu'), section: head.slice('must in '.length) })
  } else if (head === 'danger') session.danger.push(rest.split(' ').map(Number))
  else {
    const startTime = session.transcript.at(-1)?.endTime ?? 0
    const endTime = startTime + rest.split(' ').length / wordsPerSecond
    session.transcript.push({ startTime, endTime, speaker: head, transcript: rest })
  }
}
