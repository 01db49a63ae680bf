import type { DangerFinding } from '../../reader/reading.js'
import { countSaidWords, type Said, type Talk } from './read-turns.js'

/*
 * What takes danger up again without a word for it: "Those are intrusive thoughts.", "I did the danger assessment, and you'd come out high." Most of it is
 * a clinician's judgement, of which the encoder's figures say that it is no danger, and so it stood in neither note nor list.
 */

/** So many items behind what was found, and before it, it is still spoken of. */
const behindItemsMax = 6
const beforeItemsMax = 3
/** In one session: the nearest ones, in so many words. */
const sentencesMax = 4
const wordsMax = 120
const sentenceWords = { min: 4, max: 45 }

/** What danger comes as; of these people also have good ones, so a word must point at them. */
const matter =
  '(?:thoughts?|urges?|impulses?|voices?|images?|pictures?|visions?|ideas?|feelings?|threats?|attempts?|fantas(?:y|ies))'
/** Of more than one of these nobody says "that's a thought". */
const matters = '(?:thoughts|urges|impulses|voices|images|hallucinations|delusions|compulsions|threats)'

const takesUp = new RegExp(
  [
    `\\b(?:those|these|such|(?:that|this) (?:kind|sort|type) of) (?:\\p{L}{1,14} ){0,2}${matter}\\b`,
    `\\b(?:those|these|they|that|it)(?:['’](?:re|s)| are| is| were| was) (?:\\p{L}{1,14} ){0,3}${matters}\\b`,
    `\\b(?:the|the same|your|his|her|their) (?:\\p{L}{1,14} )?${matters}\\b`,
    `\\b${matter} like (?:that|those|these|this)\\b`,
    '\\b(?:danger|risk|lethality|suicide|violence|threat) (?:assessments?|checklist|screen(?:ing|er)?|inventory|scale|score|factors?|level|signs?)\\b',
    '\\b(?:high|higher|highest|real|serious|acute|immediate|imminent|low|lower) (?:risk|danger)\\b',
    '\\b(?:in|at|out of) (?:real |serious |great |greater |immediate |any |most )?(?:danger|risk)\\b',
    "\\b(?:you|you['’]d|you['’]re|he|she|they) (?:would |might |will )?(?:come|comes|came|coming|score|scored|rate|land)(?: out| in| up)? (?:as |very |pretty |really |quite )?high\\b",
  ].join('|'),
  'iu',
)

/** "I'm not worried she'll act on them.", "I'm worried about you hurting." */
const judges =
  /\b(?:i['’]m|i am|we['’]re) (?:(?:not|also|still|really|very|more|quite|a bit|less|just|so|most) ){0,3}(?:worried|scared|concerned|afraid|frightened|reassured)\b/i

/** "Those are …": what it is said of stands right before it. */
const opensPointing = /^\W*(?:(?:and|but|so|well),? )*(?:those|these|they|that|it)\b/i

/** Statements near what the reader found that point back at it and stand neither in `quoted` nor in what was found, in the order of the talk. */
export function listTakenUp(
  danger: readonly DangerFinding[],
  { sentences }: Talk,
  quoted: ReadonlySet<Said>,
): Said[][] {
  const found = danger.filter(({ certainty }) => certainty === 'plain')
  const items = new Set(found.flatMap((one) => one.items))
  if (items.size === 0) return []
  const quotedItems = new Set([...quoted].flatMap((said) => said.items))
  // A finding of which the note quotes a part is not listed for the rest.
  const isListed = ({ raw }: Said): boolean =>
    danger.some((one) => one.words.includes(raw) && !one.items.some((item) => quotedItems.has(item)))
  const near = sentences.flatMap((said) => {
    if (said.asks || said.isTyped || said.isBackchannel || quoted.has(said)) return []
    if (said.words < sentenceWords.min || said.words > sentenceWords.max) return []
    if (!takesUp.test(said.raw) && !(said.speaker === 'clinician' && judges.test(said.raw))) return []
    const distance = Math.min(...said.items.map((item) => distanceTo(item, items)))
    return distance === Infinity || isListed(said) ? [] : [{ said, distance }]
  })
  const chosen: Said[][] = []
  let words = 0
  for (const { said } of near.toSorted((a, b) => a.distance - b.distance).slice(0, sentencesMax)) {
    if (chosen.some((one) => one.includes(said))) continue
    const before = sentences[said.index - 1]
    const isOf = opensPointing.test(said.raw) && before?.turn === said.turn && !before.asks
    const isNew = before !== undefined && !quoted.has(before) && !chosen.flat().includes(before)
    const group = isOf && isNew ? [before, said] : [said, ...reasonsOf(said, sentences, quoted)]
    words += countSaidWords(group)
    if (words > wordsMax) break
    chosen.push(group)
  }
  return chosen.toSorted((a, b) => (a[0]?.index ?? 0) - (b[0]?.index ?? 0))
}

/** "I'm still worried. It's guns, and morphine, and four hours' sleep.": why, in the rest of the turn. */
const reasonWordsMax = 30

function reasonsOf(said: Said, sentences: readonly Said[], quoted: ReadonlySet<Said>): Said[] {
  if (!judges.test(said.raw)) return []
  const behind = sentences.slice(said.index + 1)
  const end = behind.findIndex((one) => one.turn !== said.turn || one.asks || quoted.has(one))
  const rest = end < 0 ? behind : behind.slice(0, end)
  return countSaidWords(rest) <= reasonWordsMax ? rest : []
}

/** Infinity: too far from all that was found. */
function distanceTo(item: number, found: ReadonlySet<number>): number {
  for (let away = 0; away <= behindItemsMax; away += 1)
    if (found.has(item - away) || (away <= beforeItemsMax && found.has(item + away))) return away
  return Infinity
}
