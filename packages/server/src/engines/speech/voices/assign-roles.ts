import type { Span } from '../speech-engine.js'

export interface SpokenTurn extends Span {
  voice: number
  channel: number
  text: string
}

export function assignRoles(turns: readonly SpokenTurn[]): Map<number, string> {
  return new Map([...new Set(turns.map(({ voice }) => voice))].map((voice, i) => [voice, `speaker_${i + 1}`]))
}
