import type { DangerElement, DangerMatter } from '../reading.js'
import type { DangerTopic } from './danger-topics.js'

/** What words mean where danger is being spoken of, and nowhere else: a plan for the weekend is none. */
const inTalkOf: Readonly<Record<DangerTopic, readonly (readonly [DangerElement, RegExp])[]>> = {
  risk_self: [
    [
      'attempt',
      /\battempts?\b|\battempted\b|\bever (?:tried|done (?:it|anything|something))|\btried (?:it|to|before|anything)\b|\bover ?dos\w+/,
    ],
    [
      'preparation',
      /\b(?:note|letters?|goodbyes?|stockpil\w+|saved up|saving up|rehears\w*|practic\w+|prepar\w+|looked up|gone up there|taken it (?:out|down)|had it out)\b/,
    ],
    [
      'plan',
      /\bplans?\b|\bhow (?:you'd|you would|you might|would you|i'd) (?:do|go)|\bmethod\b|\bthought (?:about|of) how\b|\ba how\b|\b(?:a|any) way\b|\bis there a day\b|^(?:and )?how\W*$/,
    ],
    [
      'intent',
      /\binten(?:d|t|tion)\w*\b|\bact(?:ing)? on\b|\bgo(?:ing)? (?:through|to do)\b|\bwant to do it\b|\bhow close\b|\bwould you (?:do|act)|\bdo(?:ing)? (?:it|something|anything)\b|\bmeant it\b/,
    ],
    [
      'means',
      /\b(?:guns?|firearms?|weapons?|pistol|rifles?|shotgun|access|means|pills at|leftover pills|blades?|rope|loaded|locked|in the (?:house|closet|safe|console|nightstand))\b/,
    ],
    [
      'wish_to_be_dead',
      /\b(?:wak(?:e|ing) up|be(?:ing)? (?:here|alive|dead|around)|better off|exist|wish\w*|go(?:ing)? on|worth living|worth it|disappear|dying or|want(?:ed)? to (?:die|live))\b/,
    ],
    ['act', /\b(?:cut|cutting|self[- ]?harm\w*|burn\w*|scratch\w*|hit(?:ting)? (?:yourself|myself))\b/],
    [
      'thoughts',
      /\b(?:thoughts?|thinking|think|suicid\w*|kill\w*|end(?:ing)? (?:your|it)|hurt\w*|harm\w*|dying|die|urges?)\b/,
    ],
  ],
  risk_others: [
    ['plan', /\bplans?\b|\bhow (?:you'd|you would)|\bwait for (?:him|her)/],
    [
      'intent',
      /\binten(?:d|t|tion)\w*\b|\bact(?:ing)? on\b|\bwant to (?:do|hurt|kill)\b|\bgo(?:ing)? (?:through|to do)\b|\bwould you\b/,
    ],
    ['means', /\b(?:guns?|firearms?|weapons?|knife|knives|bat|access)\b/],
    ['threat', /\bthreat\w*|\btold (?:him|her|them) (?:i'd|you'd)/],
    [
      'act',
      /\b(?:have you (?:ever )?(?:hit|hurt|hurting|done)|did you (?:hit|hurt|swing|push|grab)|done anything to|i (?:hit|pushed|shoved|slapped|punched|grabbed|swung|threw))\b/,
    ],
    ['thoughts', /\b(?:thoughts?|thinking|think|hurt\w*|harm\w*|kill\w*|urges?|picture\w*|homicid\w*)\b/],
  ],
  abuse: [
    ['threat', /\bthreat\w*|\b(?:said|says|told me) (?:he|she|they)(?:'d|'ll| would| will)\b/],
    [
      'violence',
      /\b(?:hit|hits|hitting|slap\w*|punch\w*|beat\w*|kick\w*|chok\w+|strangl\w+|shov\w+|push\w*|grab\w*|threw|thrown|throws|hurt\w*|hands on|rap(?:e|ed)|molest\w*|assault\w*|abus\w+|violen\w+|bruis\w+|marks?|belt|physical\w*|touch\w*|spank\w*|whoop\w*|neck|throat|burn(?:s|ed|t)|held (?:me|him|her)|scar\w*|sexual\w*)\b/,
    ],
    [
      'neglect',
      /\b(?:neglect\w*|alone|fed|feed\w*|hungry|food|eat|diaper|changed?|bath\w*|medicine|left|leaves|dirty|sores?|tied|lock(?:s|ed)|weight)\b/,
    ],
    [
      'control',
      /\b(?:phone|money|keys|passport|pay ?check|card|allow\w*|let (?:me|you)|track\w*|follow\w*|watch\w*|control\w*|permission|leave the house|isolat\w*|text\w*|order)\b/,
    ],
  ],
  psychosis: [
    ['commands', /\b(?:tell|telling|tells|told) (?:me|you|him|her) (?:to|what)\b|\bcommand\w*|\borders?\b/],
    ['voices', /\b(?:voices?|hear|hearing|heard|see|seeing|saw|hallucinat\w*|shadows?|whisper\w*|radio)\b/],
    [
      'beliefs',
      /\b(?:watch\w*|follow\w*|spy\w*|track\w*|poison\w*|camera\w*|listen\w*|chip|messages?|powers?|god|chosen|they|neighbou?rs?|government|real|signs?|paranoi\w*|delusion\w*|mind|thoughts)\b/,
    ],
  ],
}

/** Everything of a danger that a question asks about. */
export const readElements = (plain: string, topic: DangerTopic): DangerElement[] => {
  const found = inTalkOf[topic].filter(([, pattern]) => pattern.test(plain)).map(([element]) => element)
  if (topic === 'abuse' || topic === 'psychosis') return found.slice(0, 1)
  // "Thoughts of a plan", "thoughts of wishing to be dead": the more exact one is what was asked.
  const isExact = found.some((element) => element !== 'thoughts' && element !== 'means')
  return found.filter((element) => element !== 'thoughts' || !isExact || /\bor\b|,|\band\b/.test(plain))
}

/** Which matter of a topic is meant: suicide, unless the words are of hurting oneself in another way. */
export const readMatter = (plain: string, topic: DangerTopic): DangerMatter => {
  if (topic === 'risk_others') return 'harm_to_others'
  if (topic !== 'risk_self') return topic
  const isSelfHarm =
    /\b(?:cut(?:ting|s)?\b(?! (?:back|down|out|off))|self[- ]?harm\w*|self[- ]?injur\w*|blades?|razor|scratch\w*|burn(?:ed|ing|s)? (?:myself|yourself|my)|pick(?:ing)? at|bang(?:ing|ed|s)? (?:my|his|her|your) head|hit(?:ting)? (?:myself|yourself|my (?:thigh|leg|head|arm|face|hand))|snap(?:ping|ped)? (?:the|a) (?:rubber )?band|on purpose)\b/.test(
      plain,
    )
  const isSuicide =
    /\b(?:suicid\w*|kill\w*|die|dying|dead|alive|end(?:ing)? (?:it|my|your)|wake up|attempts?|over ?dos\w*|gun|plan)\b/.test(
      plain,
    )
  return isSelfHarm && !isSuicide ? 'self_harm' : 'suicide'
}
