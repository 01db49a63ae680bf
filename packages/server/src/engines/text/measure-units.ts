/** What a number may count. Nouns outside this list are no unit: "4 visits" agrees with "four times at the doctor". */
export type Unit =
  | 'mg'
  | 'mcg'
  | 'gram'
  | 'ml'
  | 'second'
  | 'minute'
  | 'hour'
  | 'day'
  | 'week'
  | 'month'
  | 'year'
  | 'times'
  | 'clock'
  | 'percent'
  | 'money'
  | 'pound'
  | 'kilo'
  | 'mile'
  | 'drink'
  | 'pill'

const words: Readonly<Record<Unit, string>> = {
  mg: 'mg mgs milligram milligrams',
  mcg: 'mcg mcgs microgram micrograms',
  gram: 'g gram grams',
  ml: 'ml mls milliliter milliliters millilitre millilitres cc',
  second: 'seconds secs',
  minute: 'minute minutes min mins',
  hour: 'hour hours hr hrs',
  day: 'day days night nights evening evenings morning mornings afternoon afternoons weekday weekdays',
  week: 'week weeks wk wks',
  month: 'month months',
  year: 'year years yr yrs yo',
  times: 'times x',
  clock: "o'clock oclock am pm",
  percent: 'percent percentage %',
  money: 'dollar dollars bucks buck grand euros',
  pound: 'pound pounds lb lbs',
  kilo: 'kg kgs kilo kilos kilogram kilograms',
  mile: 'mile miles',
  drink: 'drink drinks beer beers glass glasses bottle bottles can cans shot shots pint pints',
  pill: 'pill pills tablet tablets tab tabs capsule capsules dose doses strip strips gummy gummies',
}

const unitOf: ReadonlyMap<string, Unit> = new Map(
  Object.entries(words).flatMap(([unit, names]) => names.split(' ').map((name) => [name, unit as Unit])),
)

export const findUnit = (lower: string): Unit | null => unitOf.get(lower) ?? null

export const isDoseUnit = (unit: Unit | null): boolean => unit === 'mg' || unit === 'mcg' || unit === 'ml'

/** One of the first is so many of the second. A month has four weeks where people count in weeks. */
const factors: readonly [Unit, Unit, number][] = [
  ['minute', 'second', 60],
  ['hour', 'minute', 60],
  ['day', 'hour', 24],
  ['week', 'day', 7],
  ['month', 'week', 4],
  ['month', 'day', 30],
  ['year', 'month', 12],
  ['year', 'week', 52],
  ['gram', 'mg', 1000],
  ['mg', 'mcg', 1000],
]

/** Things that people count in each other's words: three nights are three times, an age is years. */
const alike: readonly (readonly [Unit, Unit])[] = [
  ['day', 'times'],
  ['week', 'times'],
  ['drink', 'times'],
  ['pill', 'times'],
]

/** Whether so many of one unit are so many of the other. A number said without a unit may be of any. */
export const isSameMeasure = (
  value: string,
  unit: Unit | null,
  saidValue: string,
  saidUnit: Unit | null,
): boolean => {
  if (unit === null || saidUnit === null || unit === saidUnit) return value === saidValue
  if (alike.some((pair) => pair.includes(unit) && pair.includes(saidUnit))) return value === saidValue
  return factors.some(
    ([large, small, factor]) =>
      (unit === large && saidUnit === small && Number(value) * factor === Number(saidValue)) ||
      (unit === small && saidUnit === large && Number(saidValue) * factor === Number(value)),
  )
}
