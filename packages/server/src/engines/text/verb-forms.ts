/** base past participle, where English has no rule; the verbs of ordinary talk and of notes. */
const irregularVerbs =
  `be was been|become became become|begin began begun|bite bit bitten|blow blew blown|break broke broken|
bring brought brought|build built built|buy bought bought|catch caught caught|choose chose chosen|come came come|
cost cost cost|cut cut cut|deal dealt dealt|do did done|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|
fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found|fly flew flown|forget forgot forgotten|
forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown|hang hung hung|
have had had|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|keep kept kept|know knew known|
lay laid laid|lead led led|leave left left|lend lent lent|let let let|lie lay lain|light lit lit|lose lost lost|
make made made|mean meant meant|meet met met|pay paid paid|put put put|quit quit quit|read read read|ride rode ridden|
ring rang rung|rise rose risen|run ran run|say said said|see saw seen|seek sought sought|sell sold sold|send sent sent|
set set set|shake shook shaken|shoot shot shot|show showed shown|shut shut shut|sing sang sung|sit sat sat|
sleep slept slept|speak spoke spoken|spend spent spent|split split split|stand stood stood|steal stole stolen|
stick stuck stuck|strike struck struck|swear swore sworn|swim swam swum|take took taken|teach taught taught|
tear tore torn|tell told told|think thought thought|throw threw thrown|understand understood understood|wake woke woken|
wear wore worn|win won won|withdraw withdrew withdrawn|write wrote written|upset upset upset|overcome overcame overcome|
oversleep overslept overslept|bleed bled bled|breed bred bred|dig dug dug|shrink shrank shrunk|sink sank sunk|
spin spun spun|spring sprang sprung|weep wept wept|wind wound wound|bear bore born|beat beat beaten|bend bent bent|
bet bet bet|bind bound bound|undergo underwent undergone|undo undid undone|rebuild rebuilt rebuilt`
    .replaceAll('\n', '')
    .split('|')
    .map((forms) => forms.trim().split(' ') as [string, string, string])

const pastOf = new Map(irregularVerbs.map(([base, past]) => [base, past]))

/** "lay" and "saw" are words of their own as well; the commoner reading wins. */
const baseOf = new Map(
  irregularVerbs
    .flatMap(([base, past, participle]): [string, string][] => [
      [past, base],
      [participle, base],
    ])
    .filter(([form, base]) => form !== base && !pastOf.has(form)),
)

/** Their endings change the vowel, and no rule of stems brings it back. */
const vowelChanging = new Map([
  ['lying', 'lie'],
  ['dying', 'die'],
  ['tying', 'tie'],
])

const beForms = new Set(['am', 'is', 'are', 'was', 'were', 'been', 'being'])

/** The base of an irregular form, "slept" → "sleep"; null for every other word. */
export const baseOfIrregular = (lower: string): string | null =>
  beForms.has(lower) ? 'be' : (baseOf.get(lower) ?? vowelChanging.get(lower) ?? null)
