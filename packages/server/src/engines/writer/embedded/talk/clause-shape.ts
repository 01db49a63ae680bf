import { othersAct } from '../../text/shift-person.js'
import { countWords } from '../../text/tokenize-words.js'

const pronounSubject =
  /\b(?:I|we|he|she|it|they|there|that|this|everyone|everybody|nobody|someone|which|who)(?:'(?:m|s|re|ve|d|ll)\b|\s+(?:\w+ly |just |really |still |always |never |also |only )*(?:am|is|are|was|were|have|has|had|do|does|did|don't|didn't|doesn't|can|can't|could|couldn't|will|won't|would|wouldn't|should|might|\w+(?:ed|s|t)|[a-z]{2,})\b)/i
const finiteVerb =
  /\b(?:is|are|was|were|has|had|have|does|did|will|would|can|can't|cannot|could|isn't|wasn't|aren't|haven't|hasn't|gets?|goes|says?|said|makes?|made|keeps?|feels?|felt|went|got|came|started|stopped|helped|helps|died|left|(?!hundred\b)\w+ed|\w+'s)\b/i

/** Whether a sentence stands by itself; "About four." does not. */
export const isFullClause = (clean: string): boolean =>
  !isSubordinate(clean) &&
  !/^I(?:'m| am)? ?(?:do|don't|did|didn't|have|haven't|am|not|can|can't|will|would|wouldn't)[.!]?$/i.test(
    clean,
  ) &&
  hasSubjectAndVerb(clean)

/** "When I was sixteen." belongs to the sentence before it. */
const isSubordinate = (clean: string): boolean =>
  /^(?:when|if|because|'cause|since|after|before|until|while|unless)\b/i.test(clean) &&
  !clean.includes(',') &&
  (clean.match(/\b(?:I|he|she|it|we|they|there|that's|it's|I'm|he's|she's)\b/gi) ?? []).length < 2

/** What may stand before the subject: "Last night I …", "When I stay there I …". */
const leadsIn =
  /^(?:when|if|since|because|after|before|once|last|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday|two|three|that|in|on|at|every|then|now|sometimes|usually|normally|and|but|so|mostly|today|yesterday|until|as|for|with|my|the|our|his|her|one|some|most|way|half|all|both|a|an|this|these|it|there|lately|recently|honestly|also|by|during|even|other)\b/i

const hasSubjectAndVerb = (clean: string): boolean => {
  // "That I'm unlovable." completes a question.
  if (/^that (?:I|my|it|he|she|they|we|one|nobody|everyone|the)\b/i.test(clean)) return false
  const subject = pronounSubject.exec(clean)
  // "The, like, I'm so calm voice": somebody is being imitated.
  if (subject !== null && /^[\w']+,/.test(clean) && subject.index > 0 && subject.index <= 8) return false
  if (subject !== null) return subject.index <= 8 || leadsIn.test(clean)
  if (/^[A-Z][a-z]+ (?:is|was|has|had|makes|made|helps|helped|works)\b/.test(clean)) return true
  return /^(?:my|the|our|his|her|a|an|some|most|all|one|both|half)\b/i.test(clean) && finiteVerb.test(clean)
}

/** Begins with a word whose meaning is in the sentence before. */
export const isAnaphoric = (clean: string): boolean =>
  /^(?:(?:and|but|so|because|then|now|also|sometimes|usually) )*(?:it|that|this|these|those|he|she|they|him|her|them|which|there it|same|nothing like)\b/i.test(
    clean,
  ) && !othersAct.test(clean)

/** So many clauses without one stop were misheard, or are several: nobody can read them. */
export const isRunOn = (text: string): boolean =>
  countWords(text) > 16 &&
  !/[,;]/.test(text) &&
  (text.match(/\b(?:they|it|she|he|there|that) (?:\w+)/gi) ?? []).length > 2
