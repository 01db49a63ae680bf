import { isDoubtful } from '../../reader/danger/figures-of-speech.js'
import { toPlain } from '../../reader/talk/read-talk.js'

/* Words of one's own death or of harm, read in lower case with straight apostrophes. */

/** Of these hardly anybody makes a figure of speech; "I wanted to die" is none of them. */
const ofDying =
  /\bwant(?:s|ed|ing)? to be dead\b|\bbetter off dead\b|\bwish(?:ed)? (?:i|you|we) (?:was|were|wasn't|weren't) (?:both )?(?:dead|alive)\b|\bkill(?:ing|ed)? (?:my|your)self\b|\b(?:end|ending|ended|take|taking) (?:my|your) (?:own )?life\b|\bend(?:ing)? it all\b|\b(?:meant|mean|meaning|trying|tried|intend(?:ed)?|intending) to die\b|\brather not (?:go on|be here|be alive|wake up|live)\b|\b(?:no longer|not|n't) (?:really |even )?want(?:ed|ing)? to (?:be (?:here any ?more|alive)|live(?=[.,?!]| any ?more|$)|go on(?=[.,?!]| any ?more| like this|$))|\bsee if (?:i|you)(?:'d| would) wake up\b|\bdo it right this time\b|\b(?:life|it)(?:'s| is|'s just| was)(?: not|n't) worth (?:it|living)(?=[.,?!]|$)|\b(?:life isn't|life wasn't) worth (?:it|living)\b/
/** A way of dying that is only hinted at: "I sat in the car in the garage, and I thought about … Leaving it running." */
const ofMeans =
  /\bgarage\b[^?]{0,120}\b(?:leav\w{1,3} (?:it|the (?:car|engine)) running|engine running)\b|\b(?:lined|laid|counted|set) (?:them|the (?:pills|tablets|patches)|(?:my|his|her) (?:pills|tablets|patches))(?: all)? (?:up|out)\b[^?]{0,120}\b(?:all|on purpose|enough)\b/
/** What panic is like: "that you'd faint, or that you'd die?" */
const ofPanic =
  /\b(?:faint\w{0,3}|pass(?:ed|ing)? out|panic\w{0,4}|heart|chest|breathe?|collapse\w?|drop right)\b/
const ofDeath = /\b(?:die|dying|died)\b/
const ofWill =
  /\b(?:kill\w{0,3}|suicid\w{1,3}|want\w{0,3}|wish\w{0,3}|better off|meant?|plan\w{0,4}|your own|my own|hurt\w{0,3}|harm\w{0,3})\b/

/** Whether something said has words of one's own death that are hardly ever a way of speaking. */
export function hasGraveWord(raw: string): boolean {
  const plain = toPlain(raw)
  return (ofDying.test(plain) || ofMeans.test(plain)) && !isDoubtful(plain)
}

/** Whether dying is spoken of as something to be afraid of, and nothing that anybody wants. */
export function isOfPanic(raw: string): boolean {
  const plain = toPlain(raw)
  return ofPanic.test(plain) && ofDeath.test(plain) && !ofWill.test(plain)
}

const tookTooMuch =
  /\b(?:took|taken|swallowed) extra\b|\b(?:took|taken|swallowed|take) (?:too many|(?:way )?too much|all of them|the whole (?:box|bottle|pack(?:et)?|strip|lot))\b|\btoo many of what\b|\b(?:took|taken|injected) (?:the|my|your) (?:\w{1,12} )?dose twice\b/

/** More was taken than should be: beside talk of danger it is an overdose. */
export const tellsTooMuch = (raw: string): boolean => tookTooMuch.test(toPlain(raw))
