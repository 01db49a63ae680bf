import type { MedicineStatus } from '../reading.js'
import type { Role } from '../talk/read-talk.js'
import { isBorne, saysIllEffect } from './read-follow-up.js'

const declines =
  /\b(?:(?:don't|do not|didn't|doesn't) (?:really |even )?want (?:to (?:take|be on|go on|try|start|do)|it|any|more|that|the|another)|rather not|not interested|no,? thanks|refus\w+|won't take|(?:not|never) (?:going|gonna) (?:to )?(?:take|go (?:on|back)|be on|try)|wouldn't take|not (?:comfortable|ready|keen|doing|for me)|i'd pass|i'll pass|turned (?:it|that) down|not taking nothing|(?:i|we) said no\b|told (?:her|him|them) no\b|never (?:filled|picked (?:it|that) up))\b/
const wasOnce =
  /\b(?:used to|years? ago|back (?:in|then|when)|was on|were on|been on .{0,20}before|had (?:me|him|her|you) on|in (?:19|20)\d\d|in (?:college|high school|my (?:teens|twenties))|previously|in the past|last (?:year|spring|summer|fall|winter)|a (?:long )?(?:while|time) (?:back|ago)|when i was|(?:have|'ve|had|you|i) (?:ever )?tried|i tried|we tried|they tried|she tried|he tried|tried (?:me|it|that|the)|before that|failed|didn't (?:work|help|do)|did nothing|stopped working|as a (?:kid|teen\w*|child)|growing up|months ago|after (?:the|my) surgery|(?:last|first|second|third|the other|that) time|(?:did|had|took|done|was) (?:a|an|one|two|three|four|five|six|ten|a few|a couple of|\d+) (?:days?|weeks?|months?|years?|course|courses|rounds?|goes) (?:of|on))\b/
const stops =
  /\b(?:stop(?:ped|ping|s)?\b(?! (?:by|in|at|the (?:crying|drinking|spiral|panic|thoughts|cycle)))|quit\b|c[ao]me off|coming off|g[oe]t(?:ting)? (?:you |me |him |her )?off|go(?:ing)? off|went off|took (?:me|him|her|you|myself) off|tak(?:e|ing) (?:me|him|her|you|myself) off|discontinu\w+|taper\w* (?:you |me |it )?off|(?:'s|is|are|was) (?:all )?(?:finished|stopped)|finished (?:it|the|that|with|my)|(?:like|want|have) you off|(?:myself|yourself|herself|himself) off|tak(?:e|ing) (?:the |that |your )?[\w-]+ away|replac(?:es|ed|e|ing) (?:the|your|my)|don't need (?:the|your)|wean\w*|not taking|(?:don't|doesn't|didn't|haven't|hasn't|won't) (?:been )?(?:tak(?:e|en|ing)|touch)|flushed|cold turkey|no longer|no more|(?:stay|lay|keep)(?:ing)? off|avoid\w*|hold(?:ing)? (?:off on |on )?(?:it|the|that|your)(?! [^.;,]{0,30}\b(?:at|there)\b)|held (?:it|that|the|your)|leave off|not one more|ran out|run out|out of (?:it|the|my))\b/
const raises =
  /\b(?:increas\w+|(?:go(?:ing|es)?|gone) (?:on )?up|went (?:on )?up (?:on|to|from)|bump\w*|rais(?:e|ed|ing)|upped|up(?:ping)? (?:it|the|your|to(?! (?:my|your|date|now|you|\w+ (?:times|a day|tablets|pills|weeks|months))\b))|put (?:it|me|you|him|her|that) up|doubl\w+|higher|step(?:ping)? (?:it |you )?up|mov(?:e|ing) (?:it |you )?up|titrat\w+|push(?:ing)? (?:it |you )?(?:up|to)|take (?:it|you|that) (?:up )?to|get (?:you|it) (?:up )?to|then (?:up )?to|room to go)\b/
const lowers =
  /\b(?:decreas\w+|lower(?:ed|ing)?|reduc\w+|go(?:ing)? (?:back )?down|went (?:back )?down|gone down|com(?:e|ing) (?:back )?down|bring\w* (?:it|that|you|the (?!pressure|weight|fever|level|sugar)\w+) (?:back )?down|cut(?:ting)? (?:it |the dose |that |the \w+ |you )?(?:back|down|in half)|back(?:ing)? (?:it |you )?(?:off|down)|drop(?:ped|ping)? (?:it|to|down|the|you|me|back)|halv\w+|taper(?:ing|ed)?|go back to|less of)\b/
const keeps =
  /\b(?:keep(?:ing)?|kept|stay(?:ing|s|ed)?|continu\w+|remain\w*|same (?:dose|amount)|leav(?:e|ing) (?:it|that|the|you|your|everything|at)|stick(?:ing)? with|maintain\w*|no change\w*|carry on|refill\w*|hold steady|hold(?:ing)? (?:it|(?:the|that|your) [\w-]+) (?:at|there)|as (?:it )?is|not change|renew\w*|steady)\b/
const starts =
  /\b(?:start\w*|began|begin\w*|add(?:ed|ing)?\b|try(?:ing)?\b|put(?:ting)? (?:you|me|him|her|her|them) (?:back )?on|prescrib\w+|(?:i'll|i will|i'm|i'd|we'll|let me|going to|gonna) giv(?:e|ing) (?:you|him|her)|send(?:ing)? (?:in|over|it|you|that|a)|sent (?:in|over|me|you)|writ(?:e|ing) (?:you|for|a|it)|script for|switch\w*|chang(?:e|ed|ing) (?:you |me |it |him |her )?to|new\b|order(?:ing)?|go(?:ing)? (?:ahead )?(?:and )?with|go on\b|went on\b|call(?:ing)? in|do the|pick(?:ed)? up)\b/
const considers =
  /\b(?:could|might|may\b|maybe|option\w*|consider\w*|thinking (?:about|of|that|we)|think about|what about|how about|would you|talk(?:ed|ing)? about|if (?:that|it|we|you|this|things)|down the (?:road|line)|possib\w+|another called|there(?:'s| is) (?:also|another|a medicine|one called)|would be|wanted to try|want to try|discuss\w*|suggest\w*|recommend\w*|wonder\w*|or we|eventually|not yet|not today|next step|ask about|look into|worth (?:trying|a)|do you want|are you (?:open|interested|willing)|should i|can i (?:take|get|try)|i'd (?:be open|try|consider)|heard (?:of|about)|can (?:always )?go (?:up |as high as |on )?(?:to|as))\b/
const takes =
  /\b(?:tak(?:e|es|ing)|took|gave (?:you|him|her)|on\b|us(?:e|es|ing)|every|daily|nightly|at night|been on|i'm on|have you (?:at|on|down)|get(?:s|ting)?|gets|does|swallow\w*|inject\w*|dose|doses|missed|skip\w*|forg[eo]t\w*|help(?:s|ing|ed)|work(?:s|ing)|side effects?|for my|for the|for your)\b/

/** What is being decided is worded so; asked for, it is a thought. */
export interface StatusContext {
  /** Plain words of the sentence in which the medicine or its dose is named. */
  plain: string
  role: Role
  asks: boolean
  /** How sure the encoder is that a change is decided here. */
  change: number
  /** The words before the dose: "from" and "to" part the old one from the new. */
  isOld: boolean
}

/** From here the encoder is taken at its word that something is being decided. */
export const decidesAt = 0.3

/** "She'd be on nothing", "I'm not raising it": what is not done leaves it as it is. */
const notMoved =
  /\b(?:not|n't|never|rather than|without) (?:\w+ ){0,2}?(?:rais|increas|go(?:ing)? (?:up|down)|lower|reduc|chang|bump|touch)/
/** A client's own tale of once: "they gave me", "I took two of them". */
const tookOnce =
  /\b(?:(?:gave|give|given|got|handed|slipped|lent) me|i (?:took|had|used|popped|swallowed|did)|(?:me|i've|i have) had)\b/
const isRecent =
  /\b(?:today|yesterday|this (?:morning|week|month)|last (?:night|week)|tonight|just started|now|still|every|each|currently|daily|keep|nightly|since)\b/
const proposes =
  /\b(?:there(?:'s| is| are)|one(?:'s| is)|the other(?:'s| is)|i'd (?:say|think)|another (?:one|option)|called)\b/

/** "You're on a hundred", said by the clinician, is what is taken, whatever is decided behind it. */
const reportsTaking =
  /\b(?:you|he|she)(?:'re| are|'s| is|'ve been| has been) (?:still |now |currently |only )?(?:on|at|taking|having|using|getting)\b/

/** "Did you ever have it?", "you'd had it before": whether it was taken once is asked. */
const asksOnce =
  /\bever (?:been|taken|tried|had|have|used|take|try|use|given|give|on)\b|\b(?:in the past|previously|before (?:that|this|all))\b|\b(?:you'd|you had|had you|have you) (?:had|tried|taken|used)\b|\bwere you (?:ever )?(?:on|taking|given)\b|\bdid (?:you|they|he|she) (?:ever )?(?:have|take|try|use|give|put)\b/
/** "Can I have it?", "do I need it?" wish for it; "can I still have it?" has it. */
const asksFor =
  /\b(?:can|could|should|may|do|would|shall|can't|couldn't) (?:i|we|he|she|you) (?:just |maybe |not )?(?:have|get|try|take|use|need|be on|go on|give|prescribe|put)\b|\b(?:what|how) about\b|\basked about\b|\bis there\b|\bthinks? i should\b|\b(?:would|might) [\w-]+ help\b/
const isStill =
  /\b(?:still|stay|carry on|keep|continue|go back|restart|stop|come off|my|with (?:it|that|the|my))\b/
const asksMention =
  /\b(?:mention(?:ed)?|tell you about|told you about|talk to you about|heard of|know about)\b/
/** "It's at eight", "we were at sixty", "so it's the paliperidone, a hundred": what is, not what is decided. */
const reportsDose =
  /(?:'s|'re| is| are| was| were) (?:still |now |currently |only )?at (?:the )?[\w-]|^(?:(?:so|okay|right|and|yes|well)[, ]+)*(?:it's|that's|you've got|we've got|i've got you|you have|he's got|she's got) (?:the |your |still )|\bin the morning we've got\b|\bstill\b/

/** For another day, whatever else the sentence decides. */
const postpones =
  /\b(?:not (?:now|yet|today|just yet)|(?:we'll|we can|we could|let's) (?:talk|think) about|down the (?:road|line)|later on|at some point|(?:don't|not) go (?:up )?(?:to|above|over))\b/
/** What others want of a client, told by them. */
const isWantedOf =
  /\b(?:wants? (?:me|him|her) (?:on|at|to (?:try|start|take|go|be))|wanted (?:me|him|her) (?:on|at|to)|mentioned|offered|suggested|recommended|talked about|brought up|thinks? i should|(?:can|could|would) (?:give|put|prescribe|start) (?:me|him|her))\b/
/** What a client once refused, told by the clinician. */
const hadDeclined =
  /\byou(?:'d| had|'ve| have)? (?:refused|declined|turned (?:it|that) down|said no|weren't (?:keen|interested|ready)|didn't (?:want|fancy|like the (?:idea|sound)))\b/
const weaklyTakes =
  /\b(?:(?<!(?:'s|'re|'m|is|am|are|been|still|back) )on|every|daily|nightly|at night|get(?:s|ting)?|does|doses?|missed|skip\w*|forg[eo]t\w*|help(?:s|ing|ed)|work(?:s|ing)|side effects?|for (?:my|the|your))\b/g
/** "I was up to ninety": how far it went once; whether it is over, the question says. */
const wentUpTo = /\b(?:got|was|were|went|been) (?:all the way )?up to\b/

/** Null: the words say nothing of it, and what stands around decides. */
export const readStatus = ({ plain, role, asks, change, isOld }: StatusContext): MedicineStatus | null => {
  const isDecided = change >= decidesAt
  const isTold = role !== 'clinician'
  if (isOld) return isTold || !isDecided ? 'past' : 'taken'
  if (isTold && declines.test(plain)) return 'declined'
  if (asks && !isTold && asksOnce.test(plain)) return 'past'
  if (asks && !isTold && asksMention.test(plain)) return 'mentioned'
  if (!isTold && hadDeclined.test(plain)) return 'declined'
  if (isTold && isWantedOf.test(plain)) return 'considered'
  if (isTold && asksFor.test(plain)) return isStill.test(plain) ? 'taken' : 'considered'
  if (
    wasOnce.test(plain) &&
    !(isDecided && role === 'clinician' && (raises.test(plain) || starts.test(plain)))
  )
    return 'past'
  if (saysIllEffect.test(plain) && !isBorne.test(plain) && (isTold || /\b(?:didn't|couldn't)\b/.test(plain)))
    return 'past'
  if (!isTold && !asks && postpones.test(plain)) return 'considered'
  const isThought = considers.test(plain) || (!asks && !isTold && proposes.test(plain))
  if (
    isThought &&
    (role === 'clinician' || asks || isDecided) &&
    !/\bi(?:'d| would) like (?:to|you)\b|\blet's\b|\bwe(?:'ll| will)\b|\bi(?:'m| am) (?:going|gonna)\b|\bi want (?:you|to)\b/.test(
      plain,
    )
  )
    return 'considered'
  if (stops.test(plain)) return 'stopped'
  if (notMoved.test(plain)) return 'kept'
  if (isTold && wentUpTo.test(plain)) return null
  if (raises.test(plain)) return 'raised'
  if (lowers.test(plain)) return 'lowered'
  if (isTold && tookOnce.test(plain) && !isRecent.test(plain)) return 'past'
  if (keeps.test(plain)) return 'kept'
  if (starts.test(plain)) return isTold && !isRecent.test(plain) ? 'taken' : 'started'
  // "Forty, every morning", where something is decided, is not what is taken today.
  if (!isTold && !asks && reportsDose.test(plain)) return 'taken'
  // "For the pain, at night": said of what is over as well.
  const isPlain = takes.test(isTold || asks ? plain.replace(weaklyTakes, '') : plain)
  return isPlain && (isTold || asks || !isDecided || reportsTaking.test(plain)) ? 'taken' : null
}

/** Of what was said about one medicine at several places, what counts most stands in the finding. */
const weight: Readonly<Record<MedicineStatus, number>> = {
  stopped: 8,
  raised: 9,
  lowered: 9,
  started: 7,
  declined: 6,
  kept: 5,
  considered: 4,
  taken: 3,
  past: 2,
  mentioned: 1,
}

/** A decision behind outweighs a report; among equals the last one counts. */
export const outweighs = (one: MedicineStatus, other: MedicineStatus): boolean => weight[one] >= weight[other]
