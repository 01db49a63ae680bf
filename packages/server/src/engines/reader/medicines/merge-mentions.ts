import { makeFindingId, sortItems } from '../finding-id.js'
import type { MedicineFinding } from '../reading.js'
import type { SettledMention } from './mention.js'
import { outweighs } from './read-status.js'

/** A finding of a whole session does not need every place in which the name fell. */
const itemsMax = 12

const nameOf = ({ medication }: SettledMention): string => medication.generic.toLowerCase()

/** One finding for each medicine and dose. */
export const mergeMentions = (
  mentions: readonly SettledMention[],
  questionOf: Readonly<Record<number, number>>,
): MedicineFinding[] => {
  const byName = new Map<string, SettledMention[]>()
  for (const mention of mentions) {
    // What the client takes and what their sister takes are two findings.
    const key = `${nameOf(mention)} ${mention.whose}`
    const own = byName.get(key)
    if (own === undefined) byName.set(key, [mention])
    else own.push(mention)
  }
  return [...byName.values()]
    .flatMap((own) => {
      const byAmount = groupByAmount(own)
      return [...byAmount].map(([amount, said]) => toFinding(said, amount, questionOf))
    })
    .toSorted((a, b) => (a.items[0] ?? 0) - (b.items[0] ?? 0))
}

/** The dose that is taken when it is said what becomes of the medicine. */
const findCurrent = (own: readonly SettledMention[], { item }: SettledMention): string | null =>
  own.findLast((one) => one.dose !== null && one.item <= item && /^(?:taken|kept)$/.test(one.status))?.dose
    ?.amount ?? null

/** What is said of it without a dose is of the only one it has; of several, that it stays or ends is of the one that is taken, and
 * of all else nobody can say of which. */
const groupByAmount = (own: readonly SettledMention[]): Map<string | null, SettledMention[]> => {
  const amounts = new Set(own.flatMap(({ dose }) => (dose === null ? [] : [dose.amount])))
  const [only = null] = amounts
  const groups = new Map<string | null, SettledMention[]>()
  for (const mention of own) {
    if (mention.dose === null && amounts.size > 1 && !/^(?:kept|stopped)$/.test(mention.status)) continue
    const amount = mention.dose?.amount ?? (amounts.size > 1 ? findCurrent(own, mention) : only)
    if (amount === null && amounts.size > 0) continue
    const group = groups.get(amount)
    if (group === undefined) groups.set(amount, [mention])
    else group.push(mention)
  }
  return groups
}

/** What nobody said gives way to what somebody did. */
const counts = (one: SettledMention, other: SettledMention): boolean =>
  one.isGuess === other.isGuess ? outweighs(one.status, other.status) : other.isGuess

const toFinding = (
  own: readonly SettledMention[],
  amount: string | null,
  questionOf: Readonly<Record<number, number>>,
): MedicineFinding => {
  const inOrder = own.toSorted((a, b) => a.item - b.item)
  const deciding = inOrder.reduce((best, mention) =>
    counts(mention, best) && (amount === null || mention.dose !== null || best.dose === null)
      ? mention
      : best,
  )
  const { status } = inOrder.reduce((best, mention) => (counts(mention, best) ? mention : best))
  const unit = own.find(({ dose }) => dose?.unit != null)?.dose?.unit ?? null
  const dose = amount === null ? null : unit === null ? amount : `${amount} ${unit}`
  const items = sortItems(
    own
      .slice(0, itemsMax)
      .flatMap(({ item, namedIn }) => [
        item,
        namedIn,
        ...(item === namedIn ? [] : [questionOf[item] ?? item]),
      ]),
  )
  const name = nameOf(deciding)
  return {
    kind: 'medicine',
    id: makeFindingId(
      'medicine',
      deciding.whose === 'client' ? name : `other's ${name}`,
      dose,
      status,
      items[0] ?? 0,
      deciding.words,
    ),
    items,
    words: deciding.words,
    name,
    said: deciding.said,
    dose,
    use: deciding.use ?? own.find(({ use }) => use !== null)?.use ?? null,
    status,
    whose: deciding.whose,
  }
}
