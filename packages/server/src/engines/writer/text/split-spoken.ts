import { restoreApostrophes } from './restore-apostrophes.js'
import { splitSentences } from './split-sentences.js'

/** Where a recognizer heard no stop: a question of its own behind "and", "but" or a slip. */
const question =
  /\s+(?:(?:and|but|so|okay|alright|to)[, ]+)+(?=(?:have you (?:had|ever|been|thought|noticed)|are you (?:still|having|taking|sleeping|drinking|eating|using)|do you (?:have|ever|feel|still|drink|use|take)|any (?:thoughts?|wish|side effects?|plans?)\b|how (?:are|is|have|has|often|many|much) (?:you|your|it)))/i

/** "I got plenty of books should I use melatonin" */
const ownQuestion =
  /\s+(?=(?:should|can|could|do) I (?:use|take|try|stop|skip|start|keep|still|need|have to)\b)/i

/** After these the words belong together: "she asked how I am and …", "if you feel bad and have you …". */
const isBound = (before: string): boolean =>
  /\b(?:if|when|whether|asked|asking|wonder\w*|what|how|where|why|know)\b[^.,;]*$/i.test(before) ||
  /\b(?:the|an?|to|of|my|your|on a scale (?:of|from) [a-z ]+)$/i.test(before.trim()) ||
  before.trim().split(/\s+/).length < 3

/** The sentences of a turn as it was heard. Recognizers leave out stops, and a question must be found all the same. */
export const splitSpoken = (text: string): string[] => splitSentences(restoreApostrophes(text)).flatMap(cut)

/** "… meetings three times a week where are we": without any stop, a question begins where it is plainly one. */
const unstopped =
  /\s+(?=(?:(?:and |so )?(?:where are we|what was different|what happened|how (?:are|have) you|how'?s (?:it|that|the|your)|have you (?:had|ever|been|used|thought)|are you (?:still|having|taking|sleeping|drinking)|did you (?:take|use|sleep|drink|go|call)|do you (?:have|ever|feel|still|drink|use|take)|any (?:thoughts?|side effects?|cravings)))\b)/i

/** "… not to drink, no meeting, no pill where could we have put a brake on": verb before subject, as only questions have it. */
const inverted =
  /\s+(?=(?:and |so )?(?:what|where|how|why|who)(?: (?:confident|important|ready|often|many|much|long|sure)(?: \w+)?)? (?:is|are|was|were|do|does|did|have|has|could|would|can|will) (?:you|we|it|that|there|your|the|he|she|they)\b)/i

const cut = (sentence: string): string[] => {
  const boundaries = /[.?!;]/.test(sentence)
    ? [question, ownQuestion]
    : [question, ownQuestion, unstopped, inverted]
  for (const boundary of boundaries) {
    const match = boundary.exec(sentence)
    if (match === null || isBound(sentence.slice(0, match.index))) continue
    return [
      sentence.slice(0, match.index).trim(),
      ...cut(capital(sentence.slice(match.index + match[0].length).trim())),
    ]
  }
  return [sentence]
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
