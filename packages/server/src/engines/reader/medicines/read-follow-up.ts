import type { MedicineStatus } from '../reading.js'
import type { Role } from '../talk/read-talk.js'

const it = '(?:it|that|that one|this one|them|those|that stuff)'
/** Behind a verb without an object: it is of the medicine that is spoken of, not of work or drink. */
const endsThere =
  "(?=[.,;!?—–-]|$| (?:it|that|them|those|taking|using|cold|because|'cause|cos|in|last|about|after|when|on my own|years?|months?|weeks?|ago|before|myself|by|once|as soon|two|three|a|so|and)\\b)"
const stops = new RegExp(
  `\\b(?:stop(?:ped|ping)?|quit|flushed|tossed|ditched|dropped|came off|come off|went off|go off|going off|ran out of|run out of|given up(?: on)?|gave up(?: on)?)(?: taking)? ${it}\\b|\\b(?:giv(?:en|ing)|gave) ${it} up\\b|\\b(?:not|n't|haven't|never) (?:been )?(?:really )?(?:tak(?:e|en|ing)|touch\\w*|us(?:e|ed|ing)) ${it}\\b|\\b(?:take|took|taking|get|got|getting) (?:you|me|him|her) off (?:of )?${it}\\b|\\bwe(?:'ll)? stop ${it}\\b`,
)
const saysEnded = new RegExp(
  `\\b(?:i|she|he|we|they)(?:'ve|'s|'d| have| has| had)? (?:just |actually |kind of |sort of |already )?(?:stopped|quit|came off|come off|gave up|given up|binned|finished|tapered|ran out|run out|packed ${it} in|thr[eo]w\\w* ${it} (?:out|away)|t(?:oo|a)ken? (?:myself|herself|himself) off)${endsThere}|\\b(?:that|it|they)(?:'s|'re| is| are) (?:all )?(?:done|finished|gone|over)${endsThere}|^(?:all )?(?:done|finished|gone)[.,! ]|\\b(?:not|n't) (?:take |taking |have |on |use |using )?(?:${it} )?(?:any ?more|currently|at the moment|these days)\\b|\\bi(?:'m| am) (?:off ${it}|not on ${it})\\b|\\b(?:don't|doesn't) (?:have|take|use|get) ${it}(?: now| any ?more)\\b|\\b(?:haven't|hasn't|not) (?:had|taken|used|needed) (?:${it}|any|one)(?: since| for| in)\\b`,
)
/** What it did once, told of something that is over: "it made me dizzy", "I couldn't pee". */
export const saysIllEffect =
  /\b(?:made|left|turned|knocked|drove|bunged) (?:me|him|her|my|his)\b|\b(?:it|that|that one|they|those|which) gave (?:me|him|her) (?!\w+ (?:milligrams|tablets))|\b(?:i|she|he) couldn't (?!afford|get (?:it|them|an?|hold)|find|remember|tell)\w+|\b(?:i|she|he) (?:came|broke) out in\b|\b(?:didn't|don't|did not|couldn't|can't) (?:get on (?:well )?with|get along with|agree with|suit|tolerate|hack)\b|\b(?:didn't|did not) (?:really |even )?(?:work|help|do (?:anything|much|a thing|nothing|it))\b|\bdid nothing\b|\b(?:i|she|he) hated (?:it|that|them)\b|\bnever again\b|\b(?:it|that|they) (?:was|were) (?:just |so |really )?(?:awful|horrible|terrible|useless|hopeless|no good|no use|rubbish|a disaster|a nightmare)\b|\b(?:stopped|quit) working\b|\b(?:wouldn't|won't) (?:give|take|touch|have|go (?:on|near)|do) (?:it|that|them|those)\b/
/** It passed, or it is borne. */
export const isBorne =
  /\b(?:at first|first (?:few|week|couple|month)|initially|to begin with|to start with|now|still|better|went away|wore off|settled|fine|gone|every|but (?:it|i|they|that)(?:'s|'m|'re| is| am| are)?|so i (?:do|take|have)|today|this morning|last night|yesterday)\b/
const declines = new RegExp(
  `\\b(?:told (?:her|him|them|you) no|said no\\b|no,? thank(?:s| you)|turned ${it} down|(?:don't|didn't|do not) want (?:to (?:take|try|go on|be on|start) )?${it}|never (?:took|filled|picked up|started|tried|had) ${it}|i was like,? (?:no|nah)|absolutely not\\b|(?:i'd|i would|we'd) rather not\\b|i(?:'m| am) not (?:doing|having|taking|touching|going on) ${it}\\b|^(?:um,? |oh,? |no,? )*not ${it}\\b(?! bad))`,
)
const keeps = new RegExp(
  `\\b(?:keep|leave|continue|stick with|stay on|stay with)(?: taking| with| you on| on| using| doing)? ${it}\\b(?! off\\b)|\\bkeep (?:on|going) with ${it}\\b|\\b(?:no changes? there|same dose|carry on|carrying on|keep going|stick with what)\\b|\\b(?:won't|wouldn't|not|needn't|don't need to) (?:to )?(?:change|touch|alter) ${it}\\b|\\byou can (?:still|keep) (?:us(?:e|ing)|tak(?:e|ing)|hav(?:e|ing)) ${it}\\b`,
)
/** What a clinician ends: "I'd rather swap it", "no need to keep on with those". */
const ends = new RegExp(
  `\\b(?:stop|come off|stay off|keep off|swap|drop|lose|get rid of|bin|avoid|replace|leave out) ${it}\\b|\\b(?:like|want|get|have|take|taking) (?:you|him|her) off (?:of )?${it}\\b|\\bleave ${it} off\\b|\\b(?:no|don't|not) need (?:to (?:keep|carry|stay)|for ${it}|${it})\\b|\\b(?:not|n't) (?:be )?(?:doing|using|giving (?:you|her|him)?|going back (?:to|on)) ?${it}\\b|\\bscratch that\\b`,
)
/** A clinician's no to what was asked for. */
const refuses =
  /^(?:(?:um|uh|oh|well|okay|ah|right|so)[,. ]+)*(?:no\b|nope\b|not (?:with|for|while|if|really|a good)|i'd rather not|i would rather not|i wouldn't|we don't|we'd not|i'd not|then no\b)/
const postpones =
  /^(?:(?:um|uh|oh|well|okay|ah|right|so)[,. ]+)*(?:not (?:yet|today|now|right now|just yet)|maybe|possibly|we'll see|let's see|perhaps)\b/

/** What was last said of the medicine that a sentence without a name goes on about. */
export interface FollowedUp {
  status: MedicineStatus | null
  role: Role
  asks: boolean
}

const isOffered = ({ status }: FollowedUp): boolean => status === 'considered' || status === 'started'

/** "I've given it up", "I told her no", "let's leave it": what becomes of the medicine just named, said without its name. */
export const readFollowUp = (
  plain: string,
  role: Role,
  asks: boolean,
  last: FollowedUp,
): MedicineStatus | null => {
  if (asks) return null
  return role === 'clinician' ? readClinicians(plain, last) : readClients(plain, last)
}

/** "I almost stopped it", "maybe she will stop it next month". */
const isOnlyThought = /\b(?:almost|nearly|maybe|might|may|could|should|would|if|wanted to|want to|thinking)\b/

const readClients = (plain: string, last: FollowedUp): MedicineStatus | null => {
  if (declines.test(plain)) return 'declined'
  if (!isOnlyThought.test(plain) && (stops.test(plain) || saysEnded.test(plain)))
    return last.status === 'past' ? 'past' : 'stopped'
  const mayBeOver = last.status === null || last.status === 'past' || last.status === 'taken'
  return mayBeOver && saysIllEffect.test(plain) && !isBorne.test(plain) ? 'past' : null
}

const readClinicians = (plain: string, last: FollowedUp): MedicineStatus | null => {
  if (last.role !== 'clinician' && last.status === 'considered') {
    if (postpones.test(plain)) return 'considered'
    if (refuses.test(plain)) return 'declined'
  }
  // "It can stop it absorbing."
  if (/\b(?:can|could|may|might) stop\b/.test(plain)) return null
  if (ends.test(plain) || stops.test(plain)) return isOffered(last) ? 'declined' : 'stopped'
  return keeps.test(plain) && !isOffered(last) ? 'kept' : null
}
