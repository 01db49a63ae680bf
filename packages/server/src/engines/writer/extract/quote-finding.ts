import type { Finding, Reading } from '../../reader/reading.js'
import { isPlainNo } from './is-plain-no.js'
import type { Said, Talk } from './read-turns.js'

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/[^\p{L}\p{N}']+/gu, ' ')
    .trim()

export interface Source {
  talk: Talk
  reading: Reading
  contextOf: (said: Said) => readonly Said[]
}

/** The sentences that a finding rests on, and before them what they answer. */
export function quoteFinding(finding: Finding, { talk, reading, contextOf }: Source): Said[] {
  const there = [...new Set(finding.items.flatMap((item) => talk.byItem[item] ?? []))]
  const words = plain(finding.words)
  const deciding = there.filter((said) => {
    const raw = plain(said.raw)
    return (
      raw !== '' && (` ${words} `.includes(` ${raw} `) || (words !== '' && ` ${raw} `.includes(` ${words} `)))
    )
  })
  const core = inOneItem(deciding.length > 0 ? deciding : there, finding)
  const first = core[0]
  if (first === undefined) return []
  const question =
    finding.kind === 'danger' && finding.questionItem !== null
      ? askedIn(finding.questionItem, first, talk)
      : []
  const context = question.length > 0 ? question : namesItself(finding, core) ? [] : contextOf(first)
  const answer = core.every((said) => said.asks) ? answerTo(core, talk, reading) : []
  const others = finding.kind === 'danger' ? listOtherPairs(finding, first, { talk, reading, contextOf }) : []
  return [...new Set([...others, ...context, ...core, ...answer])].toSorted((a, b) => a.index - b.index)
}

/** What was asked and answered more than once stands with every question: nobody may think that only the last was asked. */
function listOtherPairs(finding: Finding, first: Said, { talk, reading }: Source): Said[] {
  const answered = new Set<number>()
  return finding.items.flatMap((item) => {
    const question = reading.questionOf[item]
    if (question === undefined || !finding.items.includes(question) || answered.has(question)) return []
    answered.add(question)
    const there = talk.byItem[item] ?? []
    const full = there.findIndex((said) => said.words > 2)
    const answer = there.slice(0, full < 0 ? there.length : full + 1)
    const [opening] = answer
    if (opening === undefined || first.items.includes(item)) return []
    // Under "denied" stands nothing that is no plain no.
    if (finding.kind === 'danger' && finding.standing === 'denied' && !isPlainNo(opening.text)) return []
    return [...askedIn(question, opening, talk), ...answer]
  })
}

/** Words that hold the name are understood without the question, which may have been about something else. */
const namesItself = (finding: Finding, core: readonly Said[]): boolean => {
  const name =
    finding.kind === 'medicine'
      ? finding.said
      : finding.kind === 'allergy'
        ? finding.substance
        : finding.kind === 'score'
          ? finding.name
          : ''
  return (
    name !== '' && core.some((said) => said.words > answerWordsMax && plain(said.raw).includes(plain(name)))
  )
}

/** "Yes, sertraline." still wants its question. */
const answerWordsMax = 4

export const DANGER_WORDS =
  /suicid|kill|hurt|harm|dead|die\b|dying|alive|end (?:it|your life)|safe|voices|hear|hit|abus|violen|weapon|gun|attempt|thoughts? (?:of|like|about)|plan|cut/i

/** A question alone says nothing: what was answered, up to the first sentence that is more than "yes". */
function answerTo(asked: readonly Said[], talk: Talk, reading: Reading): Said[] {
  const items = new Set(asked.flatMap((said) => said.items))
  const answered = Object.entries(reading.questionOf).find(([, question]) => items.has(question))?.[0]
  const there = answered === undefined ? [] : (talk.byItem[Number(answered)] ?? [])
  const full = there.findIndex((said) => said.words > 2)
  return there.slice(0, full < 0 ? there.length : full + 1)
}

/** The words are from one item; "No." stands in many: then the one after the question, else the last. */
function inOneItem(sentences: readonly Said[], finding: Finding): Said[] {
  const asked = finding.kind === 'danger' ? (finding.questionItem ?? -1) : -1
  const lengthIn = (item: number): number =>
    sentences.reduce((sum, said) => sum + (said.items.includes(item) ? said.raw.length : 0), 0)
  const items = [...new Set(sentences.flatMap((said) => said.items))].toSorted(
    (a, b) => lengthIn(b) - lengthIn(a) || (asked < 0 ? b - a : a - b),
  )
  const best = items.find((item) => item > asked) ?? items[0]
  return sentences.filter((said) => best !== undefined && said.items.includes(best))
}

/** Of several questions in one breath those about danger, else the last. */
function askedIn(item: number, before: Said, talk: Talk): Said[] {
  const there = (talk.byItem[item] ?? []).filter(
    (said) => said.index < before.index && said.speaker !== before.speaker && !said.isBackchannel,
  )
  const asking = there.filter((said) => said.asks)
  const about = (asking.length > 0 ? asking : there).filter((said) => DANGER_WORDS.test(said.raw))
  return about.length > 0 ? about : (asking.length > 0 ? asking : there).slice(-1)
}
