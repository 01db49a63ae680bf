import type { NoteSection, ReviewItem } from '@casenote/contract'
import type { NamedItem } from '../named-item.js'
import { makeFindingId } from '../reader/finding-id.js'
import { plainWords } from '../text/plain-words.js'
import { labelFinding } from './label-finding.js'
import type { LedgerEntry } from './ledger.js'
import { nameMatter } from './name-matters.js'

type Evidence = NoteSection['evidence'][number]

/** How words stand in a note in place of a sentence about them that was refused. */
export const wordQuote = (item: Partial<NamedItem> | undefined, words: string): string =>
  `${nameSource(item)}: “${words}”`

const nameSource = ({ speaker, source, person }: Partial<NamedItem> = {}): string => {
  if (source === 'typed') return 'Typed by the clinician'
  if (source === 'dictated') return 'Dictated by the clinician'
  const named = person === undefined ? '' : ` (${person.label})`
  const numbered = /^speaker_(\d{1,3})$/.exec(speaker ?? '')?.[1]
  if (numbered !== undefined) return `Speaker ${numbered}${named} said`
  const who =
    speaker === 'client' ? 'Client' : speaker === 'clinician' ? 'Clinician' : 'A person in the session'
  return `${who}${named} said`
}

const form =
  /^(?:(?:Client|Clinician|Speaker \d{1,3}|A person in the session)(?: \([^()“”]{1,120}\))? said|(?:Typed|Dictated) by the clinician): “/

const isQuotedInstead = ({ sentence, judgement }: Evidence): boolean =>
  judgement === 'exact_checks_only' && form.test(sentence) && sentence.endsWith('”')

/** What a note has in quotes alone because no sentence about it was borne out: the clinician words it, or lets it stand. */
export const listQuotedInstead = (
  sections: readonly NoteSection[],
  entries: readonly LedgerEntry[],
): ReviewItem[] =>
  sections.flatMap(({ evidence }) => evidence.filter(isQuotedInstead)).flatMap((one) => toItems(one, entries))

const toItems = ({ sentence, transcriptItems }: Evidence, entries: readonly LedgerEntry[]): ReviewItem[] => {
  // To its end: there may be a quote within it.
  const words = sentence.slice(sentence.indexOf('“') + 1, -1)
  const item = { words, transcriptItems: [...transcriptItems], reason: 'quoted_instead' as const }
  const plain = plainWords(words)
  const about = entries.filter(
    ({ finding }) =>
      plainWords(finding.words) === plain && finding.items.some((at) => transcriptItems.includes(at)),
  )
  if (about.length === 0) {
    const { kind, name } = nameMatter(words)
    return [{ ...item, id: makeFindingId('quoted', sentence), kind, label: name }]
  }
  // What another sentence states is not only quoted, and what none states is listed as that.
  return about
    .filter((entry) => entry.state === 'stated' && entry.sentence === sentence)
    .map(({ finding, speaker }) => ({
      ...item,
      ...(speaker === undefined ? {} : { speaker }),
      id: `${finding.id}-quoted`,
      kind: finding.kind,
      label: labelFinding(finding),
    }))
}
