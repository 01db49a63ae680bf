import { stemWord } from '../text/tokenize-words.js'

/** Words of a note that say who said something and where it stands, and no fact of the session. */
const frameStems = new Set(
  `client patient clinician provider therapist participant report state describe endorse identify rate note observe
  express share ask answer respond response unclear review require propose introduce explain reflect invite encourage agree
  confirm acknowledge mention indicate session discuss initially later earlier today currently plan follow appointment
  observation say said tell voice speak person add assess assessment whether regard guide lead use used using offer provide
  explore suggest recommend work will next continue also further additionally record name time both together toward
  towards appear seem present history past prior previously current ongoing treat treatment care
  denies denied deny denying week summary context relation relate include including affirm validate normalize summarize
  quote word verbatim give gave unanswered question someone relative speaking instead duration frequency supports however while focus topic concern content statement two about`
    .split(/\s+/)
    .map(stemWord),
)

/** These look like frame and are facts as often: they count as facts unless they introduce what was said. */
const factStems = new Set(
  [
    'week',
    'two',
    'time',
    'work',
    'concern',
    'present',
    'today',
    'voice',
    'name',
    'use',
    'will',
    'care',
    'topic',
    'treat',
    'treatment',
    'focus',
  ].map(stemWord),
)

export const isFrameStem = (stem: string): boolean => frameStems.has(stem) && !factStems.has(stem)

/**
 * One thing, several words: a note may use one of them where another was said. Each line is a pattern for the note's
 * stem, and one for the words of the evidence. Kept short: what is not here must be said as it was said.
 */
const concepts: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:suicid|suicidal|si)$/,
    /(?:n't|\bnot) (?:wak\w+ up|be here|being here)|\b(?:suicid\w*|kill(?:ing)? (?:my|your)self|end(?:ing)? (?:my|your|it)\b|better off dead|hurt(?:ing)? (?:my|your)self|harm(?:ing)? (?:my|your)self|isn't worth living|not worth living|want(?:ing)? to (?:die|be dead)|(?:think(?:ing)? about|thoughts of) (?:dying|death)|wish(?:ing)? (?:you|I) (?:were|was) dead|tak(?:e|ing) (?:my|your) (?:own )?life)/i,
  ],
  [/^(?:ideation|idea)$/, /\b(?:thought|think|idea|suicid|feel|wish)\w*/i],
  [
    /^(?:passive|passiv)$/,
    /\b(?:better off dead|wak\w+ up|not be here|n't be here|disappear|worth living|exist)/i,
  ],
  [
    /^(?:self|harm)$/,
    /\b(?:self.?harm\w*|cut(?:ting)?|burn(?:ing|ed)?|hurt(?:ing)? (?:my|your)self|harm(?:ing)? (?:my|your)self)/i,
  ],
  [
    /^(?:homicid|homicidal|hi)$/,
    /\b(?:homicid\w*|(?:hurt|harm|kill)(?:ing)? (?:some|any|other|else|him|her|them|people|another))/i,
  ],
  [
    /^attempt$/,
    /\b(?:attempt\w*|tried (?:to|before)|(?:take|took) (?:some|all|the|a)|overdose\w*|took (?:a bunch|all|a bottle))/i,
  ],
  [/^(?:firearm|gun)$/, /\b(?:firearm|gun|rifle|pistol|shotgun|handgun)s?/i],
  [
    /^(?:mean|access|lethal)$/,
    /\b(?:firearm|gun|rifle|pistol|shotgun|handgun|pills?|medication|stockpile)s?/i,
  ],
  [/^(?:perceptual|hallucination|hallucin)$/, /\b(?:hallucinat\w*|voices?|hear|see) ?/i],
  [/^doctor$/, /\bdr\b/i],
  [/^other$/, /\b(?:they|them|their|theirs)\b/i],
  [/^father$/, /\b(?:dad|daddy|pop)\b/i],
  [/^mother$/, /\b(?:mom|mum|mama|mommy)\b/i],
  [/^grandmother$/, /\b(?:grandma|nana)\b/i],
  [/^grandfather$/, /\bgrandpa\b/i],
  [/^children$/, /\bkids?\b/i],
  [/^child$/, /\bkid\b/i],
  [/^mg$/, /\bmilligrams?\b/i],
  [/^milligram$/, /\d\s*mg\b/i],
  [/^mcg$/, /\bmicrograms?\b/i],
  [/^medication$/, /\b(?:meds?|medicines?)\b/i],
  [/^alcohol$/, /\b(?:drink\w*|drank|beers?|wine|whiskeys?|vodka|liquor)\b/i],
  [/^cannabis$/, /\b(?:weed|marijuana|pot|thc)\b/i],
  [/^(?:telehealth|video)$/, /\b(?:video|telehealth|zoom|online)\b/i],
  [/^unable$/, /\b(?:can't|cannot|couldn't|can not)\b/i],
  [/^(?:daily)$/, /\b(?:every day|each day|a day)\b/i],
  [/^(?:nightly)$/, /\b(?:every night|each night|a night)\b/i],
  [/^weekly$/, /\b(?:every week|each week|a week)\b/i],
  [
    /^(?:homework)$/,
    /\b(?:homework|for (?:this|next|the) week|between now|this week|assignment|practice)\b/i,
  ],
  [/^(?:mood)$/, /\b(?:mood|feel\w*|felt)\b/i],
  [/^(?:inten|intent|intention)$/, /\b(?:inten\w*|act(?:ing)? on|go through with|would(?:n't| not)? do)/i],
  [/^(?:partner)$/, /\b(?:wife|husband|boyfriend|girlfriend|partner|spouse)\b/i],
]

/** The pattern of the evidence that stands for a stem of the note, if it has one. */
export const findConcept = (stem: string): RegExp | null =>
  concepts.find(([pattern]) => pattern.test(stem))?.[1] ?? null
