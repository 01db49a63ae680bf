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
 * A piece of talk as a line: each speaker's sentences in one quote, "…" where some of them were left out, or what another said between two of them. The first says who speaks
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
  return runs.map((run, at) => renderRun(run, roleOf(runs, at))).join(' ')
}

type Role = 'first' | 'reply' | 'again' | 'named'

const roleOf = (runs: readonly (readonly Said[])[], at: number): Role => {
  if (at === 0) return 'first'
  if (isReply(runs, at)) return 'reply'
  const [own, before] = [runs[at]?.[0], runs[at - 1]?.[0]]
  return own?.speaker === before?.speaker && own?.person?.label === before?.person?.label ? 'again' : 'named'
}

/**
 * The other of clinician and client, right behind one of them, where nobody has a name of several. Whoever else answers is named,
 * and whoever speaks after them, since a dash would read as the client's word.
 */
const isReply = (runs: readonly (readonly Said[])[], at: number): boolean => {
  const [own, before] = [runs[at]?.[0], runs[at - 1]?.[0]]
  return (
    own !== undefined &&
    before !== undefined &&
    runs.slice(0, at + 1).every(([first]) => first?.person === undefined) &&
    isOfTwo(own) &&
    isOfTwo(before) &&
    own.speaker !== before.speaker
  )
}

const isOfTwo = ({ speaker }: Said): boolean => speaker === 'clinician' || speaker === 'client'

function renderRun(run: readonly Said[], as: Role): string {
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
  if (as === 'again') return `… ${quote(text)}`
  const who = first.person?.label ?? nameSpeaker(first.speaker)
  return `${who}${as === 'first' ? ` (${formatTime(first.startTime)})` : ''}: ${quote(text)}`
}
