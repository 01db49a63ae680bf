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

export const isIrregularPast = (lower: string): boolean =>
  baseOf.has(lower) || lower === 'was' || lower === 'were'

export const auxiliaries: ReadonlySet<string> = new Set(
  'am is are was were have has had do does did will would can could may might must shall should cannot used'.split(
    ' ',
  ),
)

/** The verbs of what people say that they do. */
export const plainVerbs: ReadonlySet<string> = new Set(
  `feel think go get wake cry sit lie stay call take eat drink sleep work talk try start stop keep worry avoid leave come
  run walk write read tell ask say see hear want need know make do have let put check drive shower skip miss snap yell
  scream shut freeze panic end find lose forget remember`.split(/\s+/),
)

/** More of them, and what stands between a subject and its verb. */
const otherVerbs: ReadonlySet<string> = new Set(
  `live love hate like watch use scroll spend isolate hide pray exercise struggle smoke look owe send stand stare sweat
  throw pull push pay play pick plan realize relax rest return wear wish win give bring buy hold hope move
  still also never always already only just even barely hardly usually sometimes often`.split(/\s+/),
)

/** Whether a word may begin a predicate: "wake", "woke", "have", "still". */
export const isVerbForm = (word: string): boolean => {
  const lower = word.toLowerCase()
  return (
    [auxiliaries, plainVerbs, otherVerbs].some((words) => words.has(lower)) ||
    isIrregularPast(lower) ||
    /[^e]ed$/.test(lower)
  )
}

const doublesItsEnd = (base: string): boolean =>
  /^(?:[^aeiou]*[aeiou][bdgklmnprt])$/.test(base) ||
  /^(?:admit|commit|permit|refer|prefer|occur|regret|begin|forget|upset|control|plan|stop|drop|skip|wrap|snap|quit)$/.test(
    base,
  )

/** "sleep" → "sleeping". */
export const toGerund = (base: string): string => {
  if (base === 'be') return 'being'
  if (base.endsWith('ie')) return `${base.slice(0, -2)}ying`
  if (/[^eoy]e$/.test(base)) return `${base.slice(0, -1)}ing`
  if (doublesItsEnd(base)) return `${base}${base.at(-1) ?? ''}ing`
  return `${base}ing`
}

/** "sleep" → "sleeps", as after "Client". */
export const toThirdSingular = (base: string): string => {
  if (base === 'be' || base === 'am' || base === 'are') return 'is'
  if (base === 'have') return 'has'
  if (/(?:s|sh|ch|x|z|o)$/.test(base)) return `${base}es`
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ies`
  return `${base}s`
}

/** "sleep" → "slept", "introduce" → "introduced". */
export const toPast = (base: string): string => {
  const irregular = pastOf.get(base)
  if (irregular !== undefined) return irregular
  if (base.endsWith('e')) return `${base}d`
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`
  if (doublesItsEnd(base)) return `${base}${base.at(-1) ?? ''}ed`
  return `${base}ed`
}
