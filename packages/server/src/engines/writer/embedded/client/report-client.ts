import { hasNegation } from '../../text/find-negation.js'
import { findNumbers } from '../../text/find-numbers.js'
import { reportSpeech } from '../../text/report-speech.js'
import { countWords, tokenizeWords } from '../../text/tokenize-words.js'
import { isFullClause, isRunOn } from '../talk/clause-shape.js'
import type { NameHider } from '../talk/hide-names.js'
import { capitalOf } from '../talk/keep-capital.js'
import type { Spoken } from '../talk/read-session.js'
import { needsQuestion } from './report-fragment.js'
import type { Wording } from '../statement/wording.js'

/** A statement of the client's own as reported speech, or null. */
export const wordReport = (spoken: Spoken, names: NameHider): Wording | null => {
  const clean = condense(names.hide(spoken.clean))
  if (!isFullClause(clean) || spoken.asks || (spoken.role === 'unknown' && /\byou\b/i.test(clean)))
    return null
  const reported = reportSpeech(clean) ?? reportSpeech(beforeOthers(clean))
  if (
    reported === null ||
    (countWords(reported.text) < 2 && (reported.form === 'clause' || spoken.topics.length === 0)) ||
    isRunOn(reported.text)
  )
    return null
  const brand = capitalOf(clean)
  const text = brand === null ? reported.text : brand + reported.text.slice(brand.length)
  const frame = { form: reported.form, isPast: reported.isPast }
  const thing = asThing(tidy(text))
  if (thing !== null && reported.form === 'clause' && !needsQuestion(thing))
    return { text: thing, frame: { ...frame, form: 'noun', clause: tidy(text) }, items: [spoken.item] }
  return {
    text: tidy(text),
    frame: reported.form === 'gerund' ? { ...frame, clause: tidy(reported.clause) } : frame,
    items: [spoken.item],
  }
}

/** What "I told my brother, so now they …" says before somebody else comes in; the rest cannot be turned safely. */
const beforeOthers = (clean: string): string => {
  const cut = clean.replace(
    /(?:,? (?:so|and|but|because|when|that|like|which|if)\b(?=[^,]*\b(?:they|them|their|you|your)\b)|, (?=they\b)).*$/i,
    '',
  )
  return countWords(cut) >= 4 ? cut : clean
}

/** From here on a sentence has room to lose what it adds on the side. */
const longWords = 14

/** Without a trailing aside, unless it carries a number or a denial. */
const condense = (said: string): string => {
  // Of these only the stress is lost; after a negation ("not really") they are its measure.
  const clean = said
    .replace(
      /(?<!\bnot |n't )\b(?:actually|really|just|literally|basically|honestly|totally|pretty much|pretty(?= (?:good|bad|down|anxious|tired|sad|low)\b)|the whole entire time) (?=[a-z])/gi,
      '',
    )
    .replace(
      /^(?:(?:and|but|so) )?(?:the (?:other|big|main|only|first|second|weird|worst) (?:thing|part) is|the thing is|what happened (?:is|was)|it's just that)(?: that)?,? (?=\w+ \w+)/i,
      '',
    )
  if (countWords(clean) <= longWords) return clean
  const cut = clean.replace(/, (?:which|the one|like|whatever|you know|as in)\b[^.]*$/i, (aside) =>
    findNumbers(tokenizeWords(aside)).length > 0 || hasNegation(aside) ? aside : '',
  )
  return countWords(cut) >= 5 ? cut : clean
}

/** "they had two beers" and "there is a restraining order" are reports of a thing. */
const asThing = (text: string): string | null =>
  /^(?:they (?:have|had|got|get)|there (?:is|was|are|were)) (?<thing>(?:an?|no|some|any|two|three|four|five|six|seven|eight|nine|ten|maybe \w+|about \w+|these|\d+|nightmares|headaches|trouble|panic) (?!of\b)[^;]+)$/.exec(
    text,
  )?.groups?.['thing'] ?? null

const tidy = (text: string): string =>
  text
    .replace(/^(?:(?:and|but|so|because|also|then|plus) )+/i, '')
    .replace(/,? (?:though|anyway|too|as well|right\??)$/i, '')
    .replace(/\b(they \w+ed|they [a-z]+) and they (?=[a-z])/i, '$1 and ')
