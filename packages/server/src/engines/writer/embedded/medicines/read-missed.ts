import { addStatement, type Gathering } from '../statement/gathering.js'
import { readAnswer } from '../talk/read-answer.js'
import type { Spoken } from '../talk/read-session.js'

const count = '(?:one|two|three|four|five|six|seven|eight|nine|ten|\\d+|a (?:few|couple)(?: of)?)'

const unit = '(?:doses?|pills?|tablets?|days?|nights?|mornings?|times)'

/** "So two doses in the last month." */
const counted = new RegExp(
  `^(?:so|okay|and|that's|just|only|about|[, ])*(?<what>${count}(?: missed)?(?<unit> ${unit})?(?<row> in a row)?(?: (?:in|over|out of|this|last|a) [\\w ]{3,25})?)[.?!]*$`,
  'i',
)

const tellsMissed = /\b(?:miss(?:ed|ing)?|skipp?(?:ed|ing)?|forg[eo]t(?:ten|ting)?)\b/i

/** "I missed one." – "One dose in four weeks?" – "Yeah, one dose.": what the clinician counts and the client confirms. */
export const addMissed = (gathering: Gathering, spoken: Spoken): boolean => {
  const parts = counted.exec(spoken.clean)?.groups
  if (parts === undefined || spoken.role !== 'clinician') return false
  const { sentences } = gathering.session
  const told = sentences.findLast(
    ({ item, role, clean }) => item === spoken.item - 1 && role !== 'clinician' && tellsMissed.test(clean),
  )
  const turn = sentences.filter(({ item, role }) => item === spoken.item + 1 && role === told?.role)
  const [answer] = turn
  if (told === undefined || answer === undefined || !confirms(turn)) return false
  const what = readCount(parts, answer.clean)
  if (what === null) return false
  gathering.answered.add(answer.order)
  if (spoken.asks && completeCount(gathering, what, [told.item, spoken.item, answer.item])) return true
  const subject = told.role === 'client' ? 'client' : 'a participant'
  addStatement(
    gathering,
    'report',
    answer,
    {
      text: `${subject} confirmed missing ${what}`,
      frame: null,
      items: [told.item, spoken.item, answer.item],
    },
    ['adherence'],
    spoken.clean,
  )
  return true
}

/** "missing two during the move" as "missing two nights in a row during the move". */
const completeCount = ({ statements }: Gathering, what: string, items: readonly number[]): boolean => {
  const at = statements.findLastIndex(
    (statement) => statement.items.includes(items[0] ?? -1) && bare.test(statement.text),
  )
  const before = statements[at]
  if (before === undefined || !bare.exec(before.text)?.[0].endsWith(what.split(' ')[0] ?? '')) return false
  statements[at] = { ...before, text: before.text.replace(bare, `missing ${what}`), items }
  return true
}

/** A count of nothing that is named. */
const bare = new RegExp(`\\bmissing ${count}\\b(?! (?:of|more|${unit}))`)

/** "Two in a row?" – "Two nights, yeah.": what is counted may stand in the answer. */
const readCount = (
  { what = '', unit: said, row }: Record<string, string | undefined>,
  answer: string,
): string | null => {
  const plain = `${what.charAt(0).toLowerCase()}${what.slice(1)}`.replace(/ missed\b/, '')
  if (said !== undefined) return plain
  const answered = new RegExp(`\\b${count} (?<unit>${unit})\\b`, 'i').exec(answer)?.groups?.['unit']
  return row === undefined
    ? null
    : answered === undefined
      ? plain
      : plain.replace(/ in a row/, ` ${answered} in a row`)
}

/** "Yeah. No, wait, two." is corrected, and not confirmed. */
const confirms = (turn: readonly Spoken[]): boolean =>
  !turn.some(({ said }) => /\b(?:no|not|wait|actually|sorry|but|except)\b/i.test(said)) &&
  (readAnswer(turn[0]?.said ?? '') === 'yes' || /\b(?:yeah|yes|right)\W*$/i.test(turn[0]?.said ?? ''))
