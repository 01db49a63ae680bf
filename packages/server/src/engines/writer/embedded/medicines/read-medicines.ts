import { findNumbers } from '../../text/find-numbers.js'
import { countWords, tokenizeWords } from '../../text/tokenize-words.js'
import { findMedicines, type NamedMedicine } from './find-medicines.js'
import { findMisheard, type RightNames } from './find-misheard.js'
import { readAnswer, withoutAnswerWord } from '../talk/read-answer.js'
import { readDoseBefore, readHow, readSigBehind, type Sig } from './read-sig.js'
import type { Role, Session, Spoken } from '../talk/read-session.js'
import { isMachineTalk } from '../talk/topics.js'

export interface ToldSig extends Sig {
  role: Role
}

/** A medicine that the client takes, as far as it was told. */
export interface TakenMedicine {
  key: string
  name: string
  /** Where it was told first. */
  order: number
  items: number[]
  /** Each dose that was told, in order; two are two accounts. */
  sigs: ToldSig[]
  /** How it is taken, where no dose was told with it. */
  how: string
  role: Role
}

export interface Medicines {
  taken: readonly TakenMedicine[]
  /** What the client told that they took, and take no more. */
  stopped: ReadonlySet<string>
}

/** What was taken once, or is spoken of and not taken. */
const notCurrent =
  /\b(?:used to|took|tried|was on|when I was|we had|before (?:this|that)|years? ago|in (?:college|high school|grad school|the past)|quit|stopped|came off|made me|got \w+ on|allerg\w+|instead of|rather than|haven't taken|not taking|don't take|never)\b/i

/** "start", "add", "switch to": not taken yet. */
const newOrder =
  /\b(?:start(?:ing)?|add(?:ing)?|switch\w*|try(?:ing)?|begin\w*|prescrib\w+|worked before|the one we have)\b/i

/** A dose that is to be, not the one that is. */
const newDose =
  /\b(?:increase|decrease|raise|lower|taper|bump|cut|go(?:ing)? (?:up|down)|(?:take|taking|bring|bringing|move|moving|drop|dropping) (?:\w+ ){1,3}?(?:up|down|back|to))\b/i

/** "We stop the …": the medicine right behind it. */
const stops = /\b(?:stop|discontinue|come off|get rid of|take you off)(?: \w+){0,2} $/i

/** "I quit the …", "… so I stopped". */
const quitBefore =
  /\b(?:quit|stopped|came off|got off|went off|no longer take|don't take|not taking|not on)(?: taking| using)?(?: \w+){0,2} $/i
const quitBehind = /\bI (?:quit|stopped|came off|went off)(?: (?:it|that|them|taking it|taking that))?\W*$/i

/** "What do you take every day?": all that is named is taken. */
const asksForMedicines =
  /\b(?:what|which|anything|any)\b.*\b(?:tak(?:e|ing)|medic\w+|meds|vitamins|over the counter|start you on|give you|put you on)\b/i

const asksWhetherTaken =
  /^(?!.*\b(?:what|how|which)\b).*\b(?:still (?:on|taking|using)|(?:are|were) you (?:on|taking|using)|do you take)\b/i

const asksForDose = ({ clean, medicines, topics }: Spoken): boolean =>
  /\b(?:dose|dosage|milligrams|mg)\b/i.test(clean) ||
  (medicines.length === 1 &&
    (/\bwhat\b.*\b(?:take|taking|on)\b/i.test(clean) || countWords(clean) <= bareWordsMax)) ||
  (/\bhow (?:much|many)\b/i.test(clean) &&
    (medicines.length > 0 || (/\b(?:take|taking|on)\b/i.test(clean) && !topics.includes('substance'))))

/** "And the Seroquel?" asks what was asked before. */
const bareWordsMax = 4

/** "My brother takes Adderall." */
const ofOthers =
  /\b(?:brother|sister|mom|mother|dad|father|parents|husband|wife|partner|boyfriend|girlfriend|son|daughter|kid|kids|friend|roommate|uncle|aunt|cousin|grandma|grandmother|grandpa|grandfather|he|she)(?:'s| is| was| were| has| had| takes?| took| uses?| used| got| gets?)\b(?! (?:me|had me|got me|gave me))[^.;]*$/i

/** Whether what follows these words is what somebody else takes. */
export const isOfOthers = (before: string): boolean => ofOthers.test(before)

/** "How is the Lamictal?" is asked of who takes it; "Have you started the Abilify?" is not. */
const takesForGranted = /\b(?:how|what)\b/i

const takesNow = /\bI(?:'m| am)? (?:\w+ )?(?:take|taking|use|using|on)\b/i

const agrees =
  /^(?:\W|oh|um+|uh+|well|okay)*(?:yes|yeah|yep|yup|mm-?hm+|uh.?huh|right|correct|exactly|still|that's (?:right|it)|i do\b|i am\b|i take\b|every (?:day|night|morning))/i

interface Reading {
  taken: Map<string, TakenMedicine>
  /** Each medicine that was named, as it was named last. */
  named: Map<string, string>
  notTaken: Set<string>
  stopped: Set<string>
  turns: ReadonlyMap<number, readonly Spoken[]>
}

/** What the client takes: each medicine with the doses that were told of it, by whom. */
export const readMedicines = ({ sentences }: Session): Medicines => {
  const reading: Reading = {
    taken: new Map(),
    named: new Map(),
    notTaken: new Set(),
    stopped: new Set(),
    turns: groupTurns(sentences),
  }
  const names = new Map(
    sentences.flatMap(({ medicines, item }) =>
      medicines.map(({ medication, name }) => [medication.generic, { name, item }] as const),
    ),
  )
  for (const spoken of sentences) {
    const found = findAll(spoken, names)
    noteNotTaken(reading, spoken, found)
    if (found.length === 0) noteDose(reading, spoken)
    else noteNamed(reading, spoken, found)
    for (const { key, name } of found) reading.named.set(key, name)
  }
  const taken = [...reading.taken].filter(([key]) => !reading.notTaken.has(key))
  return {
    taken: taken.map(([, medicine]) => medicine),
    stopped: new Set([...reading.stopped].filter((key) => !taken.some(([other]) => other === key))),
  }
}

/** Where a dose is told a name may be misheard; sounds are compared nowhere else, since that takes long. */
const tellsDose = /\b(?:milligrams?|mg|you(?:'re| are| were) on|I(?:'m| am) on|taking?)\b/i

const findAll = (spoken: Spoken, names: RightNames): NamedMedicine[] => {
  const { clean, role } = spoken
  // A question may have its medicines from the sentence before it.
  const listed = spoken.medicines.filter(({ name, start, end }) => clean.slice(start, end) === name)
  const named =
    listed.length > 0 || (role !== 'clinician' && mayTell(spoken)) ? findMedicines(clean, listed) : []
  if (names.size === 0 || !tellsDose.test(clean) || findNumbers(tokenizeWords(clean)).length === 0)
    return named
  return [...named, ...findMisheard(clean, named, names)].toSorted((a, b) => a.start - b.start)
}

const groupTurns = (sentences: readonly Spoken[]): Map<number, Spoken[]> => {
  const turns = new Map<number, Spoken[]>()
  for (const spoken of sentences) turns.set(spoken.item, [...(turns.get(spoken.item) ?? []), spoken])
  return turns
}

const noteNotTaken = (
  { notTaken, stopped, taken }: Reading,
  spoken: Spoken,
  found: readonly NamedMedicine[],
): void => {
  const { clean, role, question, said, opensTurn } = spoken
  if (role === 'clinician') {
    // What the clinician is only about to start is not taken yet, however it is said again.
    if (newOrder.test(clean)) for (const { key } of found) if (!taken.has(key)) notTaken.add(key)
    return
  }
  const stop = (key: string): void => {
    notTaken.add(key)
    stopped.add(key)
  }
  if (found.length === 0 && question === null) return
  for (const { key, start, end } of found)
    if (quitBefore.test(clean.slice(0, start)) || quitBehind.test(clean.slice(end))) stop(key)
  if (question === null || !opensTurn || readAnswer(said) !== 'no' || !asksWhetherTaken.test(question.clean))
    return
  for (const { medication } of question.medicines) stop(medication.generic)
}

const noteNamed = (reading: Reading, spoken: Spoken, found: readonly NamedMedicine[]): void => {
  const answer = findAgreement(reading, spoken)
  const { clean, role } = spoken
  const isNow = speaksOfNow(spoken, answer) && !isMachineTalk(spoken.said)
  for (const [index, { key, name, start, end, namedIn }] of found.entries()) {
    const before = clean.slice(0, start)
    if (role !== 'clinician' && notCurrent.test(clauseOf(clean, start, end))) reading.stopped.add(key)
    else if (isNow && !stops.test(before) && !isOfOthers(before)) {
      const behind = clean.slice(end, found[index + 1]?.start)
      const isNewDose = role === 'clinician' && newDose.test(clean)
      const sig = isNewDose
        ? null
        : (readSigBehind(behind) ?? withHow(readDoseBefore(before), readHow(behind)))
      note(reading, spoken, {
        key,
        name,
        sig,
        how: readHow(behind),
        answer: found.length > 1 ? withoutSig(answer) : answer,
        from: namedIn === undefined ? [] : [namedIn],
      })
    }
  }
}

/** "Trazodone fifty at night, and I used to take Ativan": of each what its own clause says. */
const clauseOf = (text: string, start: number, end: number): string => {
  const before = text.slice(0, start).split(clauseBoundary).at(-1) ?? ''
  const [behind = ''] = text.slice(end).split(clauseBoundary)
  return `${before}${text.slice(start, end)}${behind}`
}

const clauseBoundary = /[;,] (?:and |but |so )?(?=(?:I|we|then|before)\b)| (?:and|but) (?=I\b)/i

const withHow = (sig: Sig | null, how: string): Sig | null => (sig === null ? null : { ...sig, how })

const withoutSig = (answer: Agreement | null): Agreement | null =>
  answer === null ? null : { ...answer, sig: null, how: '' }

/** A dose without its medicine: of the one that was asked about, or of the only one that was named. */
const noteDose = (reading: Reading, spoken: Spoken): void => {
  const told = spoken.role === 'clinician' ? readSaidDose(spoken) : readToldDose(reading, spoken)
  const key = told === null ? null : findMeant(reading, spoken)
  if (told === null || key === null || isMachineTalk(spoken.said)) return
  const name = reading.named.get(key) ?? key
  const answer = findAgreement(reading, spoken)
  note(reading, spoken, {
    key,
    name,
    sig: told,
    how: '',
    answer,
    from: spoken.question === null ? [] : [spoken.question.item],
  })
}

/** "And you're on the one fifty, in the morning?" */
const readSaidDose = ({ clean }: Spoken): Sig | null => {
  const dose = /\byou(?:'re| are| were) (?:still )?(?:on|at|taking) (?<dose>.+)$/i.exec(clean)?.groups?.[
    'dose'
  ]
  return dose === undefined || newDose.test(clean) ? null : readSigBehind(dose)
}

/** "What dose are you on?" – "Fifty milligrams. I take it in the morning." */
const readToldDose = (reading: Reading, spoken: Spoken): Sig | null => {
  const { clean, item, question, previous, asks } = spoken
  const isTold = /^(?:\W|yeah|yes|well|so|and|now)*I(?:'m| am) (?:still )?(?:on|at|taking|up to) /i.test(
    clean,
  )
  // "Clozapine. It's, I think, two hundred at night."
  const goesOn = previous?.medicines.length === 1 && previous.item === item
  const isAnswer = question !== null && asksForDose(question)
  if (asks || !(isTold || goesOn || isAnswer) || notCurrent.test(clean)) return null
  const sig = readSigBehind(withoutAnswerWord(clean))
  if (sig === null || isCountOfPills(sig)) return null
  return { ...sig, how: [sig.how, readHowAfter(reading, spoken)].filter((words) => words !== '').join(' ') }
}

const findMeant = ({ named, notTaken, stopped }: Reading, { question, previous }: Spoken): string | null => {
  const medicines = previous?.medicines.length === 1 ? previous.medicines : question?.medicines
  const asked = new Set(medicines?.map(({ medication }) => medication.generic))
  const candidates = asked.size > 0 ? asked : new Set([...named.keys()].filter((key) => !notTaken.has(key)))
  const [only] = candidates
  return only === undefined || candidates.size > 1 || notTaken.has(only) || stopped.has(only) ? null : only
}

/** "One in the morning" counts pills. */
const isCountOfPills = ({ dose, amount }: Sig): boolean => Number(amount) < 3 && !/ /.test(dose)

/** How far an answer is looked into. */
const answerSentencesMax = 3

/** "Fifty milligrams. I take it in the morning." */
const readHowAfter = ({ turns }: Reading, { item, order }: Spoken): string =>
  (turns.get(item) ?? [])
    .filter((next) => next.order > order && next.order < order + answerSentencesMax)
    .map(({ clean }) => readSigBehind(clean)?.how ?? readHow(clean.replace(takesIt, '')))
    .filter((how) => how !== '')
    .join(' ')

const takesIt = /^(?:I|still|just|and| )*(?:take|taking) (?:it|that|them|one)\b/i

interface Agreement {
  item: number
  sig: Sig | null
  how: string
}

/** "You're on the one fifty, in the morning?" – "Yeah. One fifty, with breakfast." */
const findAgreement = (reading: Reading, spoken: Spoken): Agreement | null => {
  if (spoken.role !== 'clinician') return null
  const { item, order } = spoken
  const last = reading.turns.get(item)?.at(-1)?.order ?? order
  const [first, second] = reading.turns.get(item + 1) ?? []
  if (first === undefined || first.role === 'clinician' || last - order > 1 || !agrees.test(first.said))
    return null
  const text = withoutAnswerWord(first.clean)
  // "You take it at night?" – "I do. Fifteen."
  const next = readSigBehind(second?.clean ?? '')
  return {
    item: item + 1,
    sig: readSigBehind(text) ?? (next === null || isCountOfPills(next) ? null : next),
    how: [readHow(text), readHowAfter(reading, first)].filter((words) => words !== '').join(' '),
  }
}

/** Whether somebody may be telling what they take. */
const mayTell = ({ clean, question }: Spoken): boolean =>
  (question !== null && asksForMedicines.test(question.clean)) ||
  /\b(?:on|take|taking|takes|use|using|still|now|just|dose|every|daily|twice|bedtime|(?:a|at|in the) (?:day|night|morning)|milligrams?|mg|(?:gave|put|started|have|got) me)\b|^[A-Z]?\w+\W*$/i.test(
    clean,
  )

const speaksOfNow = (spoken: Spoken, answer: Agreement | null): boolean => {
  const { clean, role, question, asks } = spoken
  if (role === 'clinician' && answer !== null && /\byou(?:'re| are| were) on\b/i.test(clean)) return true
  if (role === 'clinician' && notCurrent.test(clean)) return false
  // "Any allergies?" – "Sulfa. And I use an inhaler."
  if (question !== null && notCurrent.test(question.clean) && !takesNow.test(clean)) return false
  if (role === 'clinician')
    return (
      !newOrder.test(clean) &&
      !/\bwere on\b/i.test(clean) &&
      !(asks && (/\b(?:ever|any|before)\b/i.test(clean) || (!takesForGranted.test(clean) && answer === null)))
    )
  // "Should I use melatonin?" is not taking it.
  if (asks || /\bwere on\b/i.test(clean)) return false
  return mayTell(spoken)
}

interface Noted {
  key: string
  name: string
  sig: Sig | null
  how: string
  answer: Agreement | null
  /** Other items that it needs to be understood. */
  from?: readonly number[]
}

const note = ({ taken }: Reading, { item, order, role }: Spoken, noted: Noted): void => {
  const { key, name, sig, how, answer, from = [] } = noted
  const known = taken.get(key) ?? { key, name, order, items: [], sigs: [], how: '', role }
  const told = answer === null ? role : 'client'
  const added = [sig, answer?.sig ?? null]
    .filter((one) => one !== null)
    .map((one) => addSig(known, { ...one, how: one.how === '' ? (answer?.how ?? '') : one.how, role: told }))
  const toldHow = how === '' ? (answer?.how ?? '') : how
  const isNews = known.items.length === 0 || added.includes(true) || (known.how === '' && toldHow !== '')
  if (known.how === '') known.how = toldHow
  if (known.items.length === 0 || told === 'client') known.role = told
  if (isNews) known.items.push(...from, item, ...(answer === null ? [] : [answer.item]))
  taken.set(key, known)
}

/** Of one dose the account that says more stands, and the client's before the clinician's; whether it is this one. */
const addSig = ({ sigs }: TakenMedicine, sig: ToldSig): boolean => {
  const at = sigs.findIndex(({ amount }) => amount === sig.amount)
  const same = sigs[at]
  if (same === undefined) sigs.push(sig)
  else if (same.how.length < sig.how.length) sigs[at] = sig
  else if (same.role === 'clinician' && sig.role !== 'clinician') sigs[at] = { ...same, role: sig.role }
  else return false
  return true
}
