import type { ReviewItem } from '@casenote/contract'
import { labelFinding, nameMedicine, possibly } from './label-finding.js'
import type { Finding } from '../reader/reading.js'
import type { LedgerEntry } from './ledger.js'

/** More than a clinician reads before signing; danger stands in a list beyond it. */
export const reviewMax = 100
/** What one comparison finds of danger is less than this (`compareNote`): it only ends what is left out edit after edit. */
const dangerMax = 5_000

const kindOrder = ['danger', 'medicine', 'allergy', 'score', 'decision', 'template'] as const

/** Everything that is not stated, doses without a unit, and what is only `quoted`; danger first, in each kind what is contradicted first. */
export const listReview = (
  entries: readonly LedgerEntry[],
  quoted: readonly ReviewItem[] = [],
): ReviewItem[] => {
  const found = entries.flatMap((entry) =>
    toReview(entry)
      .filter(() => !mattersLittle(entry, entries))
      // "Sertraline 50 mg: taken" said four times is one line.
      .map((item) => ({ item, name: labelFinding(entry.finding) })),
  )
  const names = new Map(found.map(({ item, name }) => [item, name]))
  const seen = new Set<string>()
  const listed = orderReview([...names.keys(), ...quoted]).filter((item) => {
    const isEach = item.kind === 'danger' || item.kind === 'decision'
    const key = isEach ? item.id : `${names.get(item) ?? item.label} ${item.reason}`
    return !seen.has(key) && seen.add(key).size > 0
  })
  return boundReview(joinSuspected(dropListed(listed)))
}

/** Danger is not cut off for want of room. */
const boundReview = (items: readonly ReviewItem[]): ReviewItem[] =>
  items.filter(({ kind }, index) => index < (kind === 'danger' ? dangerMax : reviewMax))

/** A list with what no comparison finds, in its order and bounds. */
export const addToReview = (review: readonly ReviewItem[], added: readonly ReviewItem[]): ReviewItem[] =>
  added.length === 0 ? [...review] : boundReview(orderReview([...review, ...added]))

const isSuspected = ({ kind, reason }: ReviewItem): boolean => kind === 'danger' && reason === 'suspected'

/** The same words may be suspected of several matters, by themselves and in a longer stretch: they are read once. */
const joinSuspected = (listed: readonly ReviewItem[]): ReviewItem[] => {
  const names = new Map<ReviewItem, Set<string>>()
  const at = new Map<number, ReviewItem[]>()
  for (const item of listed.filter(isSuspected).toSorted((a, b) => b.words.length - a.words.length)) {
    const name = item.label.replace(possibly, '')
    const [first = -1] = item.transcriptItems
    const wide = at.get(first)?.find((one) => covers(one, item))
    if (wide !== undefined) {
      names.get(wide)?.add(name)
      continue
    }
    names.set(item, new Set([name]))
    for (const index of item.transcriptItems) at.set(index, [...(at.get(index) ?? []), item])
  }
  return listed.flatMap((item) => {
    if (!isSuspected(item)) return [item]
    const own = names.get(item)
    return own === undefined ? [] : [{ ...item, label: `${[...own].join(', ')}${possibly}` }]
  })
}

const covers = (wide: ReviewItem, item: ReviewItem): boolean =>
  wide.speaker === item.speaker &&
  wide.words.includes(item.words) &&
  item.transcriptItems.every((index) => wide.transcriptItems.includes(index))

/** Several findings may leave the same talk unquoted: it is listed once, and not where a finding is listed with it. */
const dropListed = (listed: readonly ReviewItem[]): ReviewItem[] => {
  const known = new Set(
    listed.flatMap(({ kind, id, transcriptItems }) =>
      kind === 'danger' && !id.endsWith(restOf) ? transcriptItems : [],
    ),
  )
  return listed.filter(({ id, transcriptItems }) => {
    if (!id.endsWith(restOf)) return true
    const isNew = transcriptItems.some((item) => !known.has(item))
    for (const item of transcriptItems) known.add(item)
    return isNew
  })
}

/** What is alike stays in its order. */
const orderReview = (items: readonly ReviewItem[]): ReviewItem[] =>
  items.toSorted((a, b) => rank(a) - rank(b))

const rank = ({ kind, reason }: ReviewItem): number => {
  const within = reason === 'contradicted' ? 0 : reason === 'suspected' ? 2 : 1
  return kindOrder.indexOf(kind) * 3 + within
}

/** What else was said in the stretch of a danger that is quoted. */
const restOf = '-rest'

const listRest = ({ finding, unquoted }: LedgerEntry): ReviewItem[] =>
  finding.kind !== 'danger' || unquoted === undefined
    ? []
    : [
        {
          id: `${finding.id}${restOf}`,
          kind: 'danger',
          label: labelFinding({ ...finding, element: 'unspecified', certainty: 'suspected' }),
          words: unquoted.words,
          transcriptItems: [...unquoted.items],
          reason: 'suspected',
        },
      ]

const toReview = (entry: LedgerEntry): ReviewItem[] => {
  const { finding, state, speaker } = entry
  const item = (id: string, reason: ReviewItem['reason']): ReviewItem => ({
    id,
    kind: finding.kind,
    label: state === 'contradicted' ? labelFinding(finding) : nameInList(finding),
    words: finding.words,
    transcriptItems: [...finding.items],
    reason,
    ...(speaker === undefined ? {} : { speaker }),
  })
  const hasNoUnit = finding.kind === 'medicine' && finding.dose !== null && /^[\d.,\s/-]+$/.test(finding.dose)
  return [
    ...(state === 'stated' ? [] : [item(finding.id, reasonFor(finding, state))]),
    ...(hasNoUnit ? [item(`${finding.id}-unit`, 'no_unit')] : []),
    ...listRest(entry),
  ]
}

/** What the reader is not sure of is not said: the words stand beside it. */
const nameInList = (finding: Finding): string => {
  if (finding.kind === 'medicine')
    return `${nameMedicine(finding)}${finding.whose === 'other' ? ', of somebody else' : ''}`
  return labelFinding(
    finding.kind === 'danger' && finding.foundBy === 'encoder'
      ? { ...finding, element: 'unspecified', certainty: 'suspected' }
      : finding,
  )
}

const reasonFor = (
  finding: LedgerEntry['finding'],
  state: 'not_written' | 'contradicted',
): ReviewItem['reason'] => {
  if (state === 'contradicted') return 'contradicted'
  if (finding.kind !== 'danger') return 'not_written'
  if (finding.certainty === 'suspected') return 'suspected'
  return finding.standing === 'unclear' ? 'unclear_answer' : 'not_written'
}

/** Left off the list where the note has the matter: a rating in passing, a medicine named once more, a step proposed twice. */
const mattersLittle = ({ finding, state }: LedgerEntry, entries: readonly LedgerEntry[]): boolean => {
  if (state === 'contradicted') return false
  if (finding.kind === 'score') return isRating.test(finding.name) && isStatedElsewhere(finding.name, entries)
  if (finding.kind === 'medicine')
    return finding.status === 'mentioned' && finding.dose === null && isNamedElsewhere(finding.name, entries)
  if (finding.kind !== 'decision' || finding.about === 'safety_step' || finding.about === 'disposition')
    return false
  return finding.standing === 'proposed' && finding.about === 'other'
}

const isRating =
  /\b(?:rating|rated|scale|mood|pain|anxiety|stress|distress|confidence|importance|suds?|energy|sleep)\b/i

const isStatedElsewhere = (name: string, entries: readonly LedgerEntry[]): boolean =>
  entries.some(
    ({ finding, state }) => finding.kind === 'score' && finding.name === name && state === 'stated',
  )

const isNamedElsewhere = (name: string, entries: readonly LedgerEntry[]): boolean =>
  entries.some(
    ({ finding, state }) => finding.kind === 'medicine' && finding.name === name && state === 'stated',
  )
