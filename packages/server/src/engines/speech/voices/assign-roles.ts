import type { Span } from '../speech-engine.js'
import { splitSentences, weighSentence } from './role-evidence.js'

export interface SpokenTurn extends Span {
  voice: number
  channel: number
  text: string
}

/** What must lie between the clinician and the next voice, in the units of the evidence: three questions' worth. */
const leadMin = 6

/** Alone, a voice is known by what it says of itself or of others. */
const aloneMin = 4

/** A third voice that says this little (a child at the door) does not make a session for two. */
const visitorShare = 0.12

/** How much a question counts that the other voice then answers. */
const answeredWeight = 0.5

interface VoiceEvidence {
  voice: number
  weight: number
  words: number
}

/** The role of each voice, `speaker_N` when what was said does not tell. */
export function assignRoles(turns: readonly SpokenTurn[]): Map<number, string> {
  const evidence = weighVoices(turns)
  const roles = new Map(evidence.map(({ voice }) => voice).map((voice, i) => [voice, `speaker_${i + 1}`]))
  const [first] = evidence
  if (first === undefined) return roles
  if (evidence.length === 1) {
    if (first.weight <= -aloneMin) roles.set(first.voice, 'client')
    if (first.weight >= aloneMin) roles.set(first.voice, 'clinician')
    return roles
  }
  const clinician = findClinician(evidence)
  if (clinician === null) return roles
  roles.set(clinician.voice, 'clinician')
  const client = findClient(evidence.filter((other) => other !== clinician))
  if (client !== null) roles.set(client.voice, 'client')
  return roles
}

/** By the number of the voice. */
function weighVoices(turns: readonly SpokenTurn[]): VoiceEvidence[] {
  const found = new Map<number, VoiceEvidence>()
  const inOrder = turns.toSorted((a, b) => a.startSeconds - b.startSeconds)
  for (const [i, turn] of inOrder.entries()) {
    const { voice } = turn
    const evidence = found.get(voice) ?? { voice, weight: 0, words: 0 }
    found.set(voice, evidence)
    for (const sentence of splitSentences(turn.text)) {
      evidence.weight += weighSentence(sentence)
      evidence.words += sentence.split(/\s+/).length
    }
    const next = inOrder[i + 1]
    if (next !== undefined && next.voice !== voice && turn.text.trim().endsWith('?'))
      evidence.weight += answeredWeight
  }
  return [...found.values()].toSorted((a, b) => a.voice - b.voice)
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
function findClient(others: readonly VoiceEvidence[]): VoiceEvidence | null {
  const words = others.reduce((sum, other) => sum + other.words, 0)
  const main = others.filter((other) => other.words >= visitorShare * words)
  return main.length === 1 ? main[0]! : null
}
