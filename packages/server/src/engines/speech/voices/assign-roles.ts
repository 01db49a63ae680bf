import type { Span } from '../speech-engine.js'
import { splitSentences, weighSentence } from './role-evidence.js'

export interface SpokenTurn extends Span {
  voice: number
  channel: number
  text: string
}

/** What must lie between the clinician and the next voice, in the units of the evidence: three questions' worth. */
const leadMin = 6

/** Alone, a voice is known by what it says of itself or of others; who both asks and answers may be two that sound alike. */
const aloneMin = 4
const aloneAgainstMax = 0.25

/**
 * A third voice that says this little of all that is said does not make a session for two: a child at the door, or scraps
 * of the others where they overlap (8 and 12 % in two of 94 synthetic sessions). The quieter of a couple says 20 % and more.
 */
const visitorShare = 0.13

/** How much a question counts that the other voice then answers. */
const answeredWeight = 0.5

interface VoiceEvidence {
  voice: number
  weight: number
  /** The sentences that speak against the sum of all. */
  against: number
  words: number
}

/** The role of each voice, `speaker_N` when what was said does not tell. */
export function assignRoles(turns: readonly SpokenTurn[]): Map<number, string> {
  const evidence = weighVoices(turns)
  const roles = new Map(evidence.map(({ voice }) => voice).map((voice, i) => [voice, `speaker_${i + 1}`]))
  const [first] = evidence
  if (first === undefined) return roles
  if (evidence.length === 1) {
    const isSure =
      Math.abs(first.weight) >= aloneMin && first.against <= aloneAgainstMax * Math.abs(first.weight)
    if (isSure) roles.set(first.voice, first.weight > 0 ? 'clinician' : 'client')
    return roles
  }
  const clinician = findClinician(evidence)
  if (clinician === null) return roles
  roles.set(clinician.voice, 'clinician')
  const words = evidence.reduce((sum, voice) => sum + voice.words, 0)
  const client = findClient(
    evidence.filter((other) => other !== clinician),
    visitorShare * words,
  )
  if (client !== null) roles.set(client.voice, 'client')
  return roles
}

/** In the order of the voices' numbers. */
function weighVoices(turns: readonly SpokenTurn[]): VoiceEvidence[] {
  const inOrder = turns.toSorted((a, b) => a.startSeconds - b.startSeconds)
  const voices = [...new Set(turns.map(({ voice }) => voice))].toSorted((a, b) => a - b)
  return voices.map((voice) => {
    const sentences = inOrder.flatMap((turn) => (turn.voice === voice ? splitSentences(turn.text) : []))
    const weights = sentences.map(weighSentence)
    const said = weights.reduce((sum, weight) => sum + weight, 0)
    const against = weights.reduce((sum, weight) => sum + (weight * said < 0 ? Math.abs(weight) : 0), 0)
    const words = sentences.reduce((sum, sentence) => sum + sentence.split(/\s+/).length, 0)
    return { voice, weight: said + answeredWeight * countAnswered(inOrder, voice), against, words }
  })
}

function countAnswered(inOrder: readonly SpokenTurn[], voice: number): number {
  return inOrder.filter((turn, i) => {
    const next = inOrder[i + 1]
    return (
      turn.voice === voice && turn.text.trim().endsWith('?') && next !== undefined && next.voice !== voice
    )
  }).length
}

function findClinician(evidence: readonly VoiceEvidence[]): VoiceEvidence | null {
  const [first, second] = evidence.toSorted((a, b) => b.weight - a.weight)
  if (first === undefined || second === undefined) return null
  return first.weight > 0 && first.weight - second.weight >= leadMin ? first : null
}

/**
 * With two people left, as in a couple's session, nobody can say from their words which of them is the client of the record:
 * both stay numbered, and the clinician names them.
 */
function findClient(others: readonly VoiceEvidence[], wordsMin: number): VoiceEvidence | null {
  const main = others.length === 1 ? others : others.filter((other) => other.words >= wordsMin)
  return main.length === 1 ? main[0]! : null
}
