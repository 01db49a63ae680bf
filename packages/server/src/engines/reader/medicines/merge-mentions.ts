import { makeFindingId, sortItems } from '../finding-id.js'
import type { MedicineFinding } from '../reading.js'
import type { Mention } from './mention.js'
import { outweighs } from './read-status.js'

/** A finding of a whole session does not need every place in which the name fell. */
const itemsMax = 12

const nameOf = ({ medication }: Mention): string => medication.generic.toLowerCase()

/** One finding for each medicine and dose. */
export const mergeMentions = (
  mentions: readonly Mention[],
  questionOf: Readonly<Record<number, number>>,
): MedicineFinding[] => {
  const byName = new Map<string, Mention[]>()
  for (const mention of mentions) {
    const own = byName.get(nameOf(mention))
    if (own === undefined) byName.set(nameOf(mention), [mention])
    else own.push(mention)
  }
  return [...byName.values()]
    .flatMap((own) => {
      const amounts = [...new Set(own.flatMap(({ dose }) => (dose === null ? [] : [dose.amount])))]
      const bare = own.filter(({ dose }) => dose === null)
      if (amounts.length === 0) return [toFinding(own, bare, null, questionOf)]
      return amounts.map((amount) => {
        const said = own.filter(({ dose }) => dose?.amount === amount)
        // What is said of it without a dose belongs to the only one it has.
        return toFinding(own, amounts.length === 1 ? [...said, ...bare] : said, amount, questionOf)
      })
    })
    .toSorted((a, b) => (a.items[0] ?? 0) - (b.items[0] ?? 0))
}

const toFinding = (
  all: readonly Mention[],
  own: readonly Mention[],
  amount: string | null,
  questionOf: Readonly<Record<number, number>>,
): MedicineFinding => {
  const inOrder = own.toSorted((a, b) => a.item - b.item)
  const deciding = inOrder.reduce((best, mention) =>
    outweighs(mention.status, best.status) && (amount === null || mention.dose !== null || best.dose === null)
      ? mention
      : best,
  )
  const status = inOrder.reduce(
    (best, mention) => (outweighs(mention.status, best) ? mention.status : best),
    inOrder[0]!.status,
  )
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
    id: makeFindingId('medicine', name, dose, items[0] ?? 0),
    items,
    words: deciding.words,
    name,
    said: deciding.said,
    dose,
    use: deciding.use ?? own.find(({ use }) => use !== null)?.use ?? null,
    status,
    whose: all.some(({ whose }) => whose === 'client') ? 'client' : 'other',
  }
}
