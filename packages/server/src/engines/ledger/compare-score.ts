import type { ScoreFinding } from '../reader/reading.js'
import type { NoteIndex, NoteSentence } from './index-note.js'
import type { LedgerEntry } from './ledger.js'
import { valuesOf } from './read-doses.js'

type Outcome = Pick<LedgerEntry, 'state' | 'sentence'>

/** One thing, several names. */
const alike: readonly (readonly string[])[] = [
  ['bloodpressure', 'bp', 'pressure'],
  ['heartrate', 'pulse', 'hr'],
  ['temperature', 'temp'],
  ['a1c', 'hba1c', 'hemoglobina1c', 'aonec'],
  ['bodymassindex', 'bmi'],
  ['oxygensaturation', 'spo2', 'oxygen'],
]

const squeeze = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')

/** Short names stand as words: "hr" is in "three". */
const nameLengthMin = 4

export const namesScore = (name: string, text: string): boolean => {
  const wanted = squeeze(name)
  const names = alike.find((group) => group.includes(wanted)) ?? [wanted]
  const words = new Set(text.toLowerCase().split(/[^a-z0-9]+/))
  const squeezed = squeeze(text)
  return names.some((one) => words.has(one) || (one.length >= nameLengthMin && squeezed.includes(one)))
}

const has = ({ amounts, text }: NoteSentence, values: readonly string[]): boolean =>
  values.length === 0
    ? false
    : values.some((value) => text.includes(value)) ||
      amounts.some((amount) => amount.values.some((value) => values.includes(value)))

/** Its name and its value in one sentence. */
export const compareScore = (
  finding: ScoreFinding,
  note: NoteIndex,
  all: readonly ScoreFinding[],
): Outcome => {
  const citing = note.citing(finding.items)
  const candidates = [...new Set([...citing, ...note.sharing(`${finding.name} ${finding.value}`)])]
  const values = valuesOf(finding.value)
  const wanted = values.length > 0 ? values : [finding.value]
  const stating = candidates.find(
    (sentence) =>
      !sentence.isRefused &&
      has(sentence, wanted) &&
      (namesScore(finding.name, sentence.text) || citing.includes(sentence)),
  )
  if (stating !== undefined) return { state: 'stated', sentence: stating.text }
  const known = all
    .filter(({ name }) => squeeze(name) === squeeze(finding.name))
    .flatMap(({ value }) => [value, ...valuesOf(value)])
  const contradicting = citing.find(
    (sentence) =>
      namesScore(finding.name, sentence.text) &&
      sentence.amounts.some(({ form }) => form === 'digits') &&
      !has(sentence, known),
  )
  return contradicting === undefined
    ? { state: 'not_written', sentence: null }
    : { state: 'contradicted', sentence: contradicting.text }
}
