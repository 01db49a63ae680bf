import type { DangerElement, DangerMatter } from '../reading.js'

/** Words of a matter as notes and people use them. Every pattern walks over its text once: no repetition inside another. */
export interface ClaimWords {
  matter: DangerMatter
  element: DangerElement
  words: RegExp
  /** These words mean the matter only beside others of it: "plan" alone may be about a holiday. */
  isDependent?: boolean
}

const self = '(?:my|them|their|your|him|her|one)sel(?:f|ves)'

export const CLAIM_WORDS: readonly ClaimWords[] = [
  {
    matter: 'suicide',
    element: 'attempt',
    words:
      /\bsuicide attempts?|\b(?:died|death) by suicide|\b(?:shot|hanged|hung|drowned|killed) (?:my|them|their|him|her)sel(?:f|ves)|\btook (?:my|their|his|her) (?:own )?life|\battempt(?:s|ed|ing)? (?:suicide|on (?:their|my|his|her) life|to (?:kill|end))|\bsuicidal (?:attempts?|acts?|behaviou?rs?)|\b(?:past|prior|previous|earlier|lifetime|any|other|no|one|two|first|second) attempts?\b|\boverdos\w+|\b(?:tried|trying) to (?:kill|hang|end|die|drown)|\b(?:took|swallowed|taken) (?:all|a bunch|a bottle|(?:the|a) whole(?: bottle)?|a handful|a lot) of\b/i,
  },
  {
    matter: 'suicide',
    element: 'preparation',
    words:
      /\b(?:goodbye|suicide|farewell) (?:notes?|letters?|messages?)|\bwr(?:ote|itten|iting) (?:a |the )?(?:note|letter)s?\b|\bg(?:iven?|ave|iving) away\b|\bput(?:ting)? (?:my|their) affairs|\brehears\w+|\bpreparat\w+/i,
  },
  {
    matter: 'suicide',
    element: 'plan',
    words: /\bplan(?:s|ned|ning)?\b|\bmethods?\b|\bthought (?:about|of) how\b/i,
    isDependent: true,
  },
  {
    matter: 'suicide',
    element: 'intent',
    words: /\binten(?:t|tion|tions|d|ds|ded)\b|\bact(?:ing)? on (?:it|them|th[eo]se)\b|\bgo through with\b/i,
    isDependent: true,
  },
  {
    matter: 'suicide',
    element: 'means',
    words:
      /\b(?:guns?|firearms?|pistols?|rifles?|shotguns?|handguns?|revolvers?|weapons?|ammunition|loaded nine|nine.?millimeter|9 ?mm|thirty.thirty|nooses?|lethal means|access to means|stockpil\w+)\b/i,
  },
  { matter: 'suicide', element: 'means', words: /\b(?:means|pills|ropes?|bridges?)\b/i, isDependent: true },
  {
    matter: 'suicide',
    element: 'wish_to_be_dead',
    words:
      /\bbetter off (?:dead|without)|\bwant(?:s|ed|ing)? to (?:die|be dead)|\bwish(?:es|ed|ing)? (?:to be|to die|to not|not to|they were|i was|i were|you were|for death|he was|she was)|\b(?:not|never|n't) (?:wake|waking) up\b|\b(?:not|n't|never) (?:want(?:s|ed|ing)? to )?(?:be|being) (?:here|alive|around)\b|\b(?:not|n't) want(?:s|ed|ing)? to (?:live|wake up|exist|go on)|\bhop(?:e|es|ed|ing) not to wake|\bnot worth it\b|\bpassive\b|\bdeath wish|\bwish to (?:be dead|die|not|disappear)|\bdisappear\b|\b(?:not|n't) worth living|\bdead\b(?! (?:tired|end|line|weight|set|serious|body|battery))|\b(?:thoughts? of|thinking (?:about|of)) (?:death|dying)/i,
  },
  {
    matter: 'suicide',
    element: 'thoughts',
    words: new RegExp(
      `\\bsuicid\\w*|\\bSI\\b|\\b(?:kill|hang|shoot|drown)(?:s|ed|ing)? ${self}|\\bend(?:ing|ed)? (?:my|their|your|his|her) (?:own )?life|\\bend(?:ing)? it(?: all)?\\b|\\btak(?:e|ing) (?:my|their|your|his|her) (?:own )?life|\\bhurt(?:ing)? ${self}|\\bharm(?:ing)? ${self}|\\bnot be safe\\b|\\bkeep(?:ing)? ${self} safe`,
      'i',
    ),
  },
  {
    matter: 'self_harm',
    element: 'act',
    words: new RegExp(
      `\\bself.?(?:harm|injur|mutilat)\\w*|\\bNSSI\\b|\\bSIB\\b|\\bcut(?:s|ting)?\\b(?! (?:down|back|out|off|hours|short|class|it out|him|her|them|to|loose|ties))|\\b(?:burn|scratch|punch|hit|hurt|harm|cut|injur|bang|pinch)(?:s|e|ed|es|ing|ting)? (?:${self}|(?:my|their|your) (?:arm|leg|wrist|thigh|skin|head|hand)s?)`,
      'i',
    ),
  },
  {
    matter: 'harm_to_others',
    element: 'thoughts',
    words:
      /\bhomicid\w*|\bHI\b|\b(?:hurt|harm|kill)(?:s|ed|ing)? (?:or \w+ )?(?:others?|someone|anyone|somebody|anybody|other people|people|him|her|them|any(?:one|body) else)\b|\b(?:hurt|harm|kill|stab|shoot)(?:s|ed|ing)? (?:the|his|her|my|your|their) \w+|\bharm to others\b|\bviolent (?:thoughts?|images?|urges?|fantas\w+|imagery)/i,
  },
  {
    matter: 'harm_to_others',
    element: 'threat',
    words: /\bthreat\w*|\bi(?:'ll|'m going to| will| could| swear i'll) (?:kill|hurt|shoot|stab)\b/i,
  },
  {
    matter: 'harm_to_others',
    element: 'violence',
    words:
      /\bviolen\w+|\b(?:hit|hits|hitting|punch\w*|shov\w*|push\w*|grab\w*|slap\w*|chok\w*|strangl\w*|attack\w*|assault\w*|stab\w*|kick\w*|fights?|fought|swung|threw|throw\w*)\b/i,
  },
  {
    matter: 'harm_to_others',
    element: 'means',
    words: /\b(?:guns?|firearms?|pistols?|rifles?|shotguns?|handguns?|weapons?|kni(?:fe|ves)|bat|pipe)\b/i,
  },
  {
    matter: 'abuse',
    element: 'violence',
    words:
      /\babus\w+|\bdomestic violence|\b(?:DV|IPV|CPS|APS)\b|\bprotective services|\b(?:hits?|hitting|slap\w*|punch\w*|chok\w*|strangl\w*|grab\w*|push\w*|shov\w*|beat\w*|kick\w*|forc(?:e|es|ed|ing)|rap(?:e|ed|ing)|assault\w*|hurt\w*|bruis\w*|molest\w*|violen\w+|struck|pinned|held down|threw|burn\w*|tied|shak\w+|shook|touch\w*)\b|\b(?:un)?safe\b|\bafraid of\b|\bscared of\b|\bfear(?:s|ed)? (?:of )?(?:their|his|her|the)\b/i,
  },
  {
    matter: 'abuse',
    element: 'neglect',
    words:
      /\bneglect\w*|\b(?:alone|unfed|hungry|unattended|unsupervised|left|locked|dirty|soiled|food|fridge|bedsores?|wounds?|medicines? withheld|starv\w+)\b/i,
  },
  {
    matter: 'abuse',
    element: 'control',
    words:
      /\bcontrol\w*|\b(?:monitor|track|follow(?!(?:s|ed|ing)?[- ]?up)|stalk|isolat|forbid|forbad|threaten|lock)\w*|\b(?:phone|money|bank|passport|keys|allow\w*|permission|let(?:s|ting)? (?:me|them))\b/i,
  },
  { matter: 'abuse', element: 'threat', words: /\bthreat\w*/i },
  {
    matter: 'psychosis',
    element: 'commands',
    words:
      /\bcommand\w*|\btell(?:s|ing)? (?:me|them|her|him|client) to\b|\bvoices? (?:say|tell|told|said)\w*/i,
  },
  {
    matter: 'psychosis',
    element: 'voices',
    words:
      /\bhallucinat\w*|\bvoices?\b|\b(?:AVH|AH|VH)\b|\bhear(?:s|ing|d)? (?:things|people|someone|somebody|a voice|him|her|them|whisper\w*)|\bsee(?:s|ing)? (?:things|people|shadows|figures|someone)|\bperceptual\b|\bwhisper\w*|\bshadows?\b/i,
  },
  {
    matter: 'psychosis',
    element: 'beliefs',
    words:
      /\bparanoi\w*|\bdelusion\w*|\bpsychosis\b|\bpsychotic\b|\bsuspici\w+|\b(?:watch(?:ed|ing)|follow(?:ed|ing)(?![- ]up)|poison\w*|spying|spied|bugged|cameras?|implant\w*|recording|after (?:me|them)|out to get|messages? (?:from|for)|special (?:powers?|mission)|ideas? of reference|thought (?:insertion|broadcasting)|listen(?:s|ing|ed)? (?:through|in on)|signals?|chosen)\b/i,
  },
]

/** What counts as the same when a note speaks of a finding: thoughts, a wish, and what nobody could name. */
const families: Readonly<Record<DangerElement, string>> = {
  thoughts: 'idea',
  wish_to_be_dead: 'idea',
  plan: 'plan',
  intent: 'plan',
  means: 'means',
  preparation: 'preparation',
  attempt: 'act',
  act: 'act',
  threat: 'threat',
  commands: 'commands',
  voices: 'voices',
  beliefs: 'beliefs',
  violence: 'violence',
  neglect: 'neglect',
  control: 'control',
  unspecified: 'any',
}

export const isSameElement = (one: DangerElement, other: DangerElement): boolean =>
  one === other || families[one] === 'any' || families[other] === 'any' || families[one] === families[other]
