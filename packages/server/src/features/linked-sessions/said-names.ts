import { setImmediate as nextTurn } from 'node:timers/promises'
import type { TranscriptItem } from '@casenote/contract'
import { wordsOf } from './mentions-others.js'

/** Hours of talk take longer than a turn may. */
const itemsPerTurn = 500

/** Those names of which a word was said in these lines: the others would only tell of whom the shared session speaks. */
export async function listSaidNames(
  names: readonly string[],
  lines: readonly TranscriptItem[],
): Promise<string[]> {
  if (names.length === 0) return []
  const said = new Set<string>()
  for (const [index, { transcript }] of lines.entries()) {
    if (index % itemsPerTurn === 0) await nextTurn()
    for (const word of wordsOf(transcript)) said.add(word)
  }
  return names.filter((name) => wordsOf(name).some((word) => said.has(word)))
}
