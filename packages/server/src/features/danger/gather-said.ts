import { labelFinding } from '../../engines/ledger/label-finding.js'
import type { DangerFinding, Finding } from '../../engines/reader/reading.js'
import { boundWords, type ItemContent } from './danger-item.js'
import { opensItem } from './opens-item.js'

/** Three times what is kept of a session: what is known is found again among them where a correction has moved it. */
const saidMost = 300

interface Said {
  words: string
  labels: Set<string>
  transcriptItems: Set<number>
  findingIds: string[]
}

/**
 * One item for the same words in the same place, whatever they tell: a plan and the means for it are often one sentence. A typed
 * text may hold thousands, so each is looked up by its words and its lines. By default what opens an item.
 */
export function gatherSaid(
  findings: readonly Finding[],
  isAsked: (finding: DangerFinding) => boolean = opensItem,
): ItemContent[] {
  const said: Said[] = []
  /** For each wording, the lines in which it was said, each with the first index in `said` that it has there. */
  const places = new Map<string, Map<number, number>>()
  for (const finding of findings) {
    if (finding.kind !== 'danger' || !isAsked(finding)) continue
    const words = boundWords(finding.words)
    const lines = places.get(words) ?? new Map<number, number>()
    places.set(words, lines)
    const index = Math.min(...finding.items.map((item) => lines.get(item) ?? said.length), said.length)
    if (index === said.length) {
      if (said.length === saidMost) continue
      said.push({ words, labels: new Set(), transcriptItems: new Set(), findingIds: [] })
    }
    add(said[index] as Said, finding)
    for (const item of finding.items) lines.set(item, Math.min(lines.get(item) ?? index, index))
  }
  return said.map(toContent)
}

function add({ labels, transcriptItems, findingIds }: Said, finding: Finding): void {
  labels.add(labelFinding(finding))
  for (const item of finding.items) transcriptItems.add(item)
  findingIds.push(finding.id)
}

const toContent = ({ words, labels, transcriptItems, findingIds }: Said): ItemContent => ({
  label: [...labels].join('; '),
  question: null,
  words,
  transcriptItems: [...transcriptItems].toSorted((a, b) => a - b),
  findingIds,
  questionKey: null,
  value: null,
})
