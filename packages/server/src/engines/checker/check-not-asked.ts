import { saysNotAsked } from '../ledger/says-not-asked.js'
import type { DangerMatter, Finding } from '../reader/reading.js'
import { splitSentences } from '../text/split-sentences.js'
import type { ExactCheck } from './exact-check.js'
import type { SpokenItem, Talk } from './read-talk.js'

interface Matter {
  /** What the sentence calls it. */
  label: RegExp
  isFound: (finding: Finding) => boolean
  /** Words that leave no doubt, for a talk whose reading is empty. */
  said: RegExp
  /** Only what is said of the client counts: a father's suicide discusses no risk of theirs. */
  isOfClient: boolean
}

const ofMatters =
  (...matters: DangerMatter[]) =>
  (finding: Finding): boolean =>
    finding.kind === 'danger' && finding.whose === 'client' && matters.includes(finding.matter)

const nothing = /(?!)/

const matters: readonly Matter[] = [
  {
    label: /\bsuicid|\bSI\b|\brisk\b|\bsafety\b/i,
    isFound: ofMatters('suicide'),
    said: /\bsuicid|\bkill(?:ing)? (?:my|your)self|\b(?:end(?:ing)?|tak(?:e|ing)) (?:my|your) (?:own )?life\b|\bbetter off dead/i,
    isOfClient: true,
  },
  {
    label: /\bself.?harm|\bNSSI\b|\brisk\b/i,
    isFound: ofMatters('self_harm'),
    said: /\bself.?harm|\b(?:hurt|harm)(?:ing)? (?:my|your)self/i,
    isOfClient: true,
  },
  {
    label: /\bhomicid|\bHI\b|\bharm to others|\bviolence\b|\brisk\b/i,
    isFound: ofMatters('harm_to_others'),
    said: /\bhomicid|\b(?:hurt|harm|kill)(?:ing)? (?:someone|anyone|somebody|anybody|others|other people)/i,
    isOfClient: true,
  },
  {
    label: /\babuse|\bdomestic|\bneglect|\bsafety at home/i,
    isFound: (finding) => finding.kind === 'danger' && finding.matter === 'abuse',
    said: nothing,
    isOfClient: false,
  },
  {
    label: /\bpsycho(?:sis|tic)|\bhallucinat|\bAVH\b|\bparanoi|\bdelusion|\bvoices\b/i,
    isFound: ofMatters('psychosis'),
    said: /\bhallucinat|\bhear(?:ing)? voices|\bseeing things/i,
    isOfClient: true,
  },
  {
    label: /\ballerg/i,
    isFound: ({ kind }) => kind === 'allergy',
    said: /\ballerg(?:y|ies|ic)\b/i,
    isOfClient: false,
  },
  {
    label: /^\W*(?:current )?(?:medications?|medicines?)\b(?! (?:changes|side|adherence))/i,
    isFound: (finding) => finding.kind === 'medicine' && finding.whose === 'client',
    said: nothing,
    isOfClient: false,
  },
  {
    label: /\bside effects?\b/i,
    isFound: () => false,
    said: /\bside effects?\b/i,
    isOfClient: false,
  },
  {
    label: /\bfirearms?|\bguns?\b|\bweapons?\b|\bmeans\b/i,
    isFound: (finding) => finding.kind === 'danger' && finding.element === 'means',
    said: /\bfirearms?\b|\bguns?\b|\bweapons?\b/i,
    isOfClient: false,
  },
]

/** "Not asked" only where nothing about it was found; and where nobody was recorded, only where the account says so. */
export const checkNotAsked: ExactCheck = ({ text, items }, talk, { findings }) => {
  if (!saysNotAsked(text)) return null
  if (talk.isAccount && !isOfAccount.test(text) && !tellsNotAsked(talk, items))
    return { reason: 'not_asked', part: null }
  const talkedOf = matters.find(
    ({ label, isFound, said, isOfClient }) =>
      label.test(text) &&
      (findings.some(isFound) || (said !== nothing && isSpokenOf(talk, said, isOfClient))),
  )
  return talkedOf === undefined ? null : { reason: 'not_asked', part: quoteWord(text, talkedOf.label) }
}

/** "Not mentioned" is true of what the clinician typed, whatever was said in the session. */
const isOfAccount = /\bnot (?:mentioned|stated)\b/i

const tellsNotAsked = (talk: Talk, items: readonly number[]): boolean =>
  items.some((index) => saysNotAsked(talk.at(index)?.text ?? ''))

/** The whole word where the label is only its beginning. */
const quoteWord = (text: string, label: RegExp): string | null => {
  const at = label.exec(text)?.index
  return at === undefined ? null : (/[\w-]+/.exec(text.slice(at))?.[0] ?? null)
}

const isSpokenOf = (talk: Talk, said: RegExp, isOfClient: boolean): boolean =>
  talk.remember(`spoken of ${said.source}`, () => {
    for (let index = 0; index < talk.length; index++) {
      const item = talk.at(index)
      if (item === null || !said.test(item.text)) continue
      if (!isOfClient || splitSentences(item.text).some((one) => said.test(one) && isOfThemselves(one, item)))
        return true
    }
    return false
  })

/** A question to the client, or a voice of itself. Who is not known may be either. */
const isOfThemselves = (sentence: string, { role }: SpokenItem): boolean =>
  (role !== 'client' &&
    /\b(?:you|your|yourself|any|thoughts?)\b/i.test(sentence) &&
    !/\b(?:he|she|group)\b/i.test(sentence)) ||
  (role !== 'clinician' &&
    /\b(?:I|I'm|I've|me|my|myself)\b/i.test(sentence) &&
    !/\b(?:he|she|his|her|died|brother|father|dad|mother|mom|friend)\b/i.test(sentence))
