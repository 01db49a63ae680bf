import type { DangerMatter, Whose } from '../reading.js'
import type { Role } from '../talk/read-talk.js'
import { othersSelf } from './danger-words.js'

const kin =
  '(?:mom|mother|mum|mama|dad|father|papa|wife|husband|partner|girlfriend|boyfriend|fiancee?|ex|son|daughter|kids?|child|children|baby|brother|sister|grandma|grandmother|grandpa|grandfather|grandson|granddaughter|roommate|neighbou?r|friend|buddy|boss|coworker|aunt|uncle|cousin|stepson|stepdaughter|nephew|niece|boys?|girls?|resident|student|client|patient|little one|twins|best friend|sponsor)'
const otherSubject = new RegExp(
  `\\b(?:my|his|her|our|the|a|your|their) (?:\\w+ )?${kin}\\b(?:'s)?(?: \\w+){0,4} (?:is|was|were|has|had|tried|attempted|killed|shot|hung|hanged|took|said|says|talks|cuts?|wants|wanted|died|overdosed|hears|thinks|went)\\b`,
)
const victimIsOther = new RegExp(
  `\\b(?:hits?|hitting|slap\\w*|punch\\w*|beats?|beating|kick\\w*|chok\\w+|strangl\\w+|smack\\w*|whip\\w*|whoop\\w*|spank\\w*|shov\\w+|push\\w*|grab\\w*|threw|throws|hurt\\w*|touch\\w*|lock\\w*|tied|ties|leaves?|left|leaving|burn\\w*|scream\\w* at|yell\\w* at|threaten\\w*|shook|shak\\w+|on|with|to|starv\\w+|feed\\w*|neglect\\w*|rap\\w+|molest\\w*) (?:him|her|them|(?:my|our|the|his) (?:\\w+ )?${kin})\\b`,
)
const victimIsClient =
  /\b(?:me|us|my (?:face|arm|arms|neck|throat|hair|wrist|wrists|back|leg|legs|head|phone|keys|money|passport|paycheck|ribs|hand|eye|eyes|lip|jaw|room|door|body)|myself)\b/
const asksOfOther = new RegExp(
  `\\b(?:he|she|they|does he|does she|is he|is she|(?:your|the) (?:\\w+ )?${kin}|the (?:kids|boys|girls|little one)|him|her|them)\\b`,
)

/**
 * Whose danger it is: who has the thoughts, hears the voices, would do the harm; of abuse, who suffers it. A third person
 * in the room speaks of the client as "he" or "she" and of themself as "I".
 */
export const readWhose = (
  matter: DangerMatter,
  words: string,
  question: string | null,
  speaker: Role,
): Whose => {
  if (matter === 'abuse') return whoSuffers(words, question, speaker)
  if (speaker === 'other')
    return /\b(?:i|i'm|i've|i'd|me|my|myself)\b/.test(words) && !/\b(?:he|she|they)(?:'s|'d| )/.test(words)
      ? 'other'
      : 'client'
  if (othersSelf.test(words) && !/\b(?:myself|yourself|your self)\b/.test(words)) return 'other'
  if (/\b(?:i|i'm|i've|i'd|i'll|myself|me|im|my mind|my head|you|yourself|your)\b/.test(words)) {
    const isTold =
      otherSubject.test(words) &&
      !/\b(?:i (?:want|wanted|think|thought|wish|tried|took|cut|hear|heard|would|could|might|hit|'d|'m)|myself)\b/.test(
        words,
      )
    return isTold ? 'other' : 'client'
  }
  if (otherSubject.test(words)) return 'other'
  if (question !== null && /\b(?:you|your|yourself)\b/.test(question)) return 'client'
  return /^(?:\W|and |so |but |then |yeah |no )*(?:he|she|they)\b/.test(words) && question === null
    ? 'other'
    : 'client'
}

const whoSuffers = (words: string, question: string | null, speaker: Role): Whose => {
  if (victimIsClient.test(words) && speaker !== 'clinician') return speaker === 'other' ? 'other' : 'client'
  if (victimIsOther.test(words))
    return speaker === 'other' && /\b(?:him|her)\b/.test(words) ? 'client' : 'other'
  if (question !== null) {
    if (
      /\b(?:you|yourself)\b/.test(question) &&
      !/\b(?:the (?:kids|boys|girls|baby|children)|your (?:son|daughter|kids|children|mother|mom)|you (?:ever )?(?:hit|hurt|push|shak\w+|slap\w*|spank\w*) (?:him|her|them))\b/.test(
        question,
      )
    )
      return 'client'
    if (asksOfOther.test(question)) return 'other'
  }
  if (speaker === 'clinician') return /\b(?:you|your)\b/.test(words) ? 'client' : 'other'
  if (
    /\b(?:kids?|baby|child|children|son|daughter|(?:his|her) (?:arm|arms|leg|legs|face|wrists?|back|neck|diaper)|mother|mom|grandma|grandmother|little (?:one|brother|sister)|stepson)\b/.test(
      words,
    ) &&
    !/\b(?:i'm|i am|i was|i've|i got)\b/.test(words)
  )
    return 'other'
  return 'client'
}
