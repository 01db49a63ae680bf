import type { Said } from './read-turns.js'

/** "12:40", with hours only where there are any. */
export function formatTime(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const rest = `${String(Math.floor(whole / 60) % 60)}:${String(whole % 60).padStart(2, '0')}`
  const hours = Math.floor(whole / 3600)
  return hours === 0 ? rest : `${hours}:${rest.padStart(5, '0')}`
}

export const nameSpeaker = (speaker: string): string =>
  speaker.charAt(0).toUpperCase() + speaker.slice(1).replace('_', ' ')

/** Quotes inside a quote become single. */
export const quote = (text: string): string => `“${text.replace(/["“”]/g, '’')}”`

/**
 * A piece of talk as a line: each speaker's sentences in one quote, "…" where some of them were left out. The first says who speaks
 * and where in the talk the line begins; what follows it is close behind. As long as clinician and client speak by turns, a dash says so:
 * their names before every turn were 5 % of an extract's words.
 */
export function renderLine(sentences: readonly Said[]): string {
  const runs: Said[][] = []
  for (const said of sentences) {
    const run = runs.at(-1)
    if (run !== undefined && run[0]?.turn === said.turn) run.push(said)
    else runs.push([said])
  }
  return runs
    .map((run, at) => renderRun(run, isReply(runs, at) ? 'reply' : at === 0 ? 'first' : 'named'))
    .join(' ')
}

/**
 * The other of two who speak by turns from the beginning of the line: clinician and client, and nobody of several who have names.
 * Whoever else answers is named, since a dash would read as the client's word.
 */
const isReply = (runs: readonly (readonly Said[])[], at: number): boolean => {
  const speakers = runs.slice(0, at + 1).map(([first]) => first?.speaker)
  return (
    at > 0 &&
    runs.slice(0, at + 1).every(([first]) => first?.person === undefined) &&
    speakers.every((one) => one === 'clinician' || one === 'client') &&
    speakers.every((one, own) => one === speakers[own % 2]) &&
    speakers[0] !== speakers[1]
  )
}

function renderRun(run: readonly Said[], as: 'first' | 'named' | 'reply'): string {
  const [first] = run
  if (first === undefined) return ''
  const text = run
    .map((said, at) => {
      const before = run[at - 1]
      const isGap = before !== undefined && said.index - before.index > 1
      return isGap ? `… ${said.text}` : said.text
    })
    .join(' ')
  if (first.isTyped) return text
  if (as === 'reply') return `–${quote(text)}`
  const who = first.person?.label ?? nameSpeaker(first.speaker)
  return `${who}${as === 'first' ? ` (${formatTime(first.startTime)})` : ''}: ${quote(text)}`
}
