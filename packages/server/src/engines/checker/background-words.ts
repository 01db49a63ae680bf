import { stemsOf } from '../ledger/share-words.js'
import { stemWord } from '../text/tokenize-words.js'

const linesOf = (lines: string): readonly ReadonlySet<string>[] => lines.trim().split('\n').map(stemsOf)

/** Words that are one thing in another form: who finds one of them in a sentence finds the others. */
const families = linesOf(`
  depression depressive depressed
  anxiety anxious anxiously
  trauma traumatic traumatized
  mania manic
  hypomania hypomanic
  psychosis psychotic
  panic panicky panicked
  obsession obsessive obsessed
  compulsion compulsive
  addiction addict addicted addictive
  paranoia paranoid
  phobia phobic
  grief grieve grieving
  anger angry
  sobriety sober
  alcoholic alcoholism
  diabetes diabetic
  epilepsy epileptic`)

const familyOf: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  families.flatMap((family) => [...family].map((stem) => [stem, family] as const)),
)

/** The words of a sentence, and the other forms of each. */
export const withForms = (stems: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...stems].flatMap((stem) => [stem, ...(familyOf.get(stem) ?? [])]))

/** Stems have lost their last "e" already. */
const endings = /(?:ion|iv|ic|ia|iac|ism|ist|ity|ous|ent|enc|ant|anc)$/
const rootLengthMin = 5

/** What a rare word has in common with its other forms: "dissociative" and "dissociation", "hypertension" and "hypertensive". */
export const rootOf = (stem: string): string => {
  const root = stem.replace(endings, '')
  return root.length >= rootLengthMin ? root : stem
}

/** Whoever said one of these words may have meant the others, though none is written for another. */
const kin = [
  ...families,
  ...linesOf(`
  alcohol alcoholic alcoholism drink drunk beer wine liquor
  tobacco nicotine smoke smoker cigarette vape
  pain hurt ache sore`),
]

/** What bears out a goal of one word, or a relative in one: others than in a diagnosis, since whoever worries is not said to have anxiety. */
const looseKin = linesOf(`
  sobriety sober clean drink drunk alcohol beer wine use relapse
  anxiety anxious nervous worry tense panic scared afraid fear
  depression depressive depressed down sad low hopeless mood
  sleep asleep awake wake bed night insomnia nap tired
  exercise walk run gym swim bike lift yoga workout jog sport
  work job office shift boss coworker employ
  school class teacher grade college
  anger angry mad furious rage yell temper
  grief grieve mourn loss died death miss
  pain hurt ache sore`)

const relatives = linesOf(`
  brother sister sibling twin bro sis
  mother father parent stepmother stepfather stepdad stepmom
  son daughter child boy girl baby teenager stepson stepdaughter
  husband wife spouse partner boyfriend girlfriend fiance marriage married divorce ex
  grandmother grandfather grandparent granny grandpa mamaw papaw
  aunt uncle auntie tia tio
  cousin nephew niece
  grandson granddaughter grandchild`)

/** Whoever speaks of any relative speaks of these. */
const family = stemsOf('family relative')

const relativeStems: ReadonlySet<string> = new Set(
  linesOf(`
  brother sister sibling twin mother father parent stepmother stepfather son daughter stepson stepdaughter husband wife
  fiance grandmother grandfather grandparent aunt uncle cousin nephew niece grandson granddaughter grandchild`).flatMap(
    (line) => [...line],
  ),
)

export const isRelative = (stem: string): boolean => relativeStems.has(stem)

const hasAnyOf = (groups: readonly ReadonlySet<string>[], stem: string, said: ReadonlySet<string>): boolean =>
  groups.some((words) => words.has(stem) && [...words].some((word) => said.has(word)))

export const isKinSaid = (stem: string, said: ReadonlySet<string>): boolean => hasAnyOf(kin, stem, said)

export const isLooseKinSaid = (stem: string, said: ReadonlySet<string>): boolean =>
  hasAnyOf(looseKin, stem, said) ||
  hasAnyOf(relatives, stem, said) ||
  (family.has(stem) && relatives.some((words) => [...words].some((word) => said.has(word))))

/** What diagnoses are called in short, and what in full; none that is a plain word in short, as "ADD" is. */
const shortForms: readonly { short: string; full: ReadonlySet<string>; whole: string }[] = [
  ['PTSD', 'post traumatic stress disorder'],
  ['PTSD', 'posttraumatic stress disorder'],
  ['MDD', 'major depressive disorder'],
  ['GAD', 'generalized anxiety disorder'],
  ['OCD', 'obsessive compulsive disorder'],
  ['ADHD', 'attention deficit hyperactivity disorder'],
  ['BPD', 'borderline personality disorder'],
  ['ASD', 'autism spectrum disorder'],
  ['AUD', 'alcohol use disorder'],
  ['OUD', 'opioid use disorder'],
  ['SUD', 'substance use disorder'],
  ['PMDD', 'premenstrual dysphoric disorder'],
  ['TBI', 'traumatic brain injury'],
  ['COPD', 'chronic obstructive pulmonary disease'],
  ['HTN', 'hypertension'],
].map(([short = '', whole = '']) => ({ short, full: stemsOf(whole), whole }))

const hasAll = (stems: ReadonlySet<string>, wanted: ReadonlySet<string>): boolean =>
  [...wanted].every((stem) => stems.has(stem))

/** What else an entry is called: its short forms where it is written in full, its words where it is written in short. */
export function listOtherNames(entry: string, stems: ReadonlySet<string>) {
  const short = shortForms.filter(({ full }) => hasAll(stems, full)).map(({ short: form }) => form)
  const whole = shortForms.filter(({ short: form }) => hasShort(entry, form)).map(({ whole: words }) => words)
  return { short: short.map((form) => stemWord(form.toLowerCase())), whole: whole.join(' ') }
}

const hasShort = (text: string, short: string): boolean =>
  text.split(/[^\p{L}\p{N}]+/u).some((word) => word === short)

/** Stems that were said in other words: "PTSD" where somebody said it in full, and the full words where somebody said "PTSD". */
export const listSaidOtherwise = (said: ReadonlySet<string>): string[] =>
  shortForms.flatMap(({ short, full }) => {
    const stem = stemWord(short.toLowerCase())
    if (said.has(stem)) return [...full]
    return hasAll(said, full) ? [stem] : []
  })

/** What the commonest codes stand for, for an entry that is a code and nothing else (ICD-10-CM, chapter 5). */
const codeNames: readonly (readonly [prefix: string, name: string])[] = [
  ['F10', 'Alcohol use disorder'],
  ['F11', 'Opioid use disorder'],
  ['F12', 'Cannabis use disorder'],
  ['F14', 'Cocaine use disorder'],
  ['F17', 'Nicotine dependence'],
  ['F20', 'Schizophrenia'],
  ['F25', 'Schizoaffective disorder'],
  ['F31', 'Bipolar disorder'],
  ['F32', 'Major depressive disorder'],
  ['F33', 'Major depressive disorder'],
  ['F34.1', 'Dysthymia'],
  ['F40', 'Phobia'],
  ['F41.0', 'Panic disorder'],
  ['F41.1', 'Generalized anxiety disorder'],
  ['F41', 'Anxiety disorder'],
  ['F42', 'Obsessive compulsive disorder'],
  ['F43.1', 'Post-traumatic stress disorder'],
  ['F50.0', 'Anorexia'],
  ['F50.2', 'Bulimia'],
  ['F51', 'Insomnia'],
  ['F60.3', 'Borderline personality disorder'],
  ['F84', 'Autism'],
  ['F90', 'Attention deficit hyperactivity disorder'],
]

export const nameOfCode = (entry: string): string =>
  codeNames.find(([prefix]) => entry.trim().toUpperCase().startsWith(prefix))?.[1] ?? ''
