import { findAllMedications } from '../lexicon/medications.js'
import { readAmounts } from '../text/read-amounts.js'
import { isContentWord, stemWord, tokenizeWords } from '../text/tokenize-words.js'

/** What people say and what a note writes for it, each line one thing. */
const alike: ReadonlyMap<string, string> = new Map(
  `man dude guy fella fellow
  mother mom moms mommy mama mum
  father dad daddy papa
  child kid kiddo
  grandmother grandma nana
  doctor doc dr physician
  session appointment visit
  raise increase bump up-titrate
  lower decrease reduce
  stop quit discontinue
  begin start
  medicine medication meds med
  fridge refrigerator icebox
  gun firearm pistol handgun
  buy purchase
  phone call telephone
  hospital er inpatient`
    .split('\n')
    .flatMap((line) => {
      const [first = '', ...others] = line.trim().split(' ')
      return others.map((word) => [stemWord(word), stemWord(first)] as const)
    }),
)

/** Names and numbers are looked up for each other; what is longer than any sentence is not read to its end. */
const textLengthMax = 4_000

/** What a text speaks of: content words by their stems, medicines by their generic names, numbers in digits. */
export const stemsOf = (given: string): Set<string> => {
  const text = given.slice(0, textLengthMax)
  const tokens = tokenizeWords(text)
  const amounts = new Map(
    readAmounts(text, tokens)
      .filter(({ form }) => form === 'words' || form === 'digits')
      .map((amount) => [amount.firstToken, amount]),
  )
  const generics = new Map(
    findAllMedications(text).map(({ start, medication }) => [start, medication.generic]),
  )
  const stems = new Set<string>()
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index]
    if (token === undefined) break
    const amount = amounts.get(index)
    const generic = generics.get(token.start)
    if (amount !== undefined) {
      stems.add(amount.values[0] ?? '')
      index = amount.lastToken
    } else if (generic !== undefined) stems.add(stemWord(generic))
    else if (isContentWord(token.lower)) {
      const stem = stemWord(token.lower)
      stems.add(alike.get(stem) ?? stem)
    }
  }
  return stems
}

export const without = (stems: ReadonlySet<string>, dropped: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...stems].filter((stem) => !dropped.has(stem)))

export const countShared = (wanted: ReadonlySet<string>, stems: ReadonlySet<string>): number => {
  let shared = 0
  for (const stem of wanted) if (stems.has(stem)) shared += 1
  return shared
}
