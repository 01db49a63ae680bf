import { NOTE_TEMPLATES, NOTE_TYPES, type NoteType } from '@casenote/contract'
import { EditRefusal, type Scope } from './edit.js'

/** What clinicians call sections, besides key and title. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  history_of_present_illness: ['hpi', 'present illness'],
  mental_status_exam: ['mse', 'mental status', 'mental status examination'],
  psychiatric_review_of_systems: ['review of systems', 'ros'],
  risk_assessment: ['risk', 'risk section'],
  vitals_labs: ['vitals', 'labs', 'vitals and labs'],
  current_medications: ['medications', 'medication list'],
  medication_changes: ['med changes'],
  substance_use_history: ['substance use'],
  past_psychiatric_history: ['psychiatric history'],
  family_psychiatric_history: ['family history'],
  behavior: ['behaviour', 'behaviors'],
  intervention: ['interventions'],
  response: ['responses'],
  goal: ['goals'],
  problem: ['problems'],
  diagnoses: ['diagnosis'],
  treatment_goals: ['goals'],
  psychosocial_history: ['social history'],
}

export interface SectionName {
  /** Lower case, as an instruction would say it. */
  name: string
  key: string
}

/** Longest first, so that "risk assessment" is not "assessment". */
export function listSectionNames(noteType: NoteType): SectionName[] {
  const names = NOTE_TEMPLATES[noteType].sections.flatMap(({ key, title }) =>
    [title.toLowerCase(), key.replaceAll('_', ' '), key, ...(otherNames[key] ?? [])].map((name) => ({
      name,
      key,
    })),
  )
  const known = new Map<string, SectionName>()
  for (const one of names) if (!known.has(one.name)) known.set(one.name, one)
  return [...known.values()].toSorted((a, b) => b.name.length - a.name.length)
}

const foreignNames = new Set(NOTE_TYPES.flatMap((type) => listSectionNames(type).map(({ name }) => name)))

/** One or several section names: "the plan", "the plan section", "assessment and plan sections". */
export function sectionPattern(noteType: NoteType): string {
  const name = listSectionNames(noteType)
    .map((one) => one.name)
    .join('|')
  const one = `(?:(?:the|my|its) )?(?:${name})(?: (?:section|part|area|portion)s?)?`
  return `${one}(?:(?:,| and|, and| or| &) ${one})*`
}

export interface Scoped {
  scope: Scope
  /** The clause without what named the sections. */
  rest: string
}

const wholeNote = String.raw`(?:throughout|in|of|for|across|over) (?:the )?(?:whole |entire |full |complete )?(?:progress )?note|(?:everywhere|throughout)(?: else)?`

/** Takes the sections out of a clause, wherever it names them; refuses those of other templates. */
export function takeScope(clause: string, noteType: NoteType): Scoped {
  const sections = sectionPattern(noteType)
  const exception = new RegExp(
    `,? ?(?:except|but not|apart from|other than)(?: for| in)? (${sections})$`,
    'i',
  )
  const excepted = exception.exec(clause)?.[1]
  if (excepted !== undefined) {
    const keys = readKeys(excepted, noteType)
    const others = NOTE_TEMPLATES[noteType].sections
      .map(({ key }) => key)
      .filter((key) => !keys.includes(key))
    return { scope: others, rest: dropWholeNote(clause.replace(exception, '')) }
  }
  const named = new RegExp(
    String.raw`(?:^|(?<=\s))(?:(?:in|of|for|from|within|under|on|to) )?(?:only )?(${sections})(?: only)?(?=$|[\s,.])`,
    'i',
  )
  const found = named.exec(clause)?.[1]
  if (found !== undefined) {
    return { scope: readKeys(found, noteType), rest: tidy(clause.replace(named, ' ')) }
  }
  refuseForeignSection(clause, noteType)
  return { scope: null, rest: dropWholeNote(clause) }
}

/** Like `takeScope`, for clauses with free words in them: only "in the plan" or "from the plan section" at the end. */
export function takeTrailingScope(clause: string, noteType: NoteType): Scoped {
  const trailing = new RegExp(
    String.raw`^(.+?),? (?:in|from|within|of|under|to|for) (?:only )?(${sectionPattern(noteType)})(?: only)?$`,
    'i',
  ).exec(clause)
  if (trailing?.[1] !== undefined && trailing[2] !== undefined) {
    return { scope: readKeys(trailing[2], noteType), rest: trailing[1] }
  }
  refuseForeignSection(clause, noteType)
  return { scope: null, rest: dropWholeNote(clause) }
}

export function readKeys(text: string, noteType: NoteType): string[] {
  const names = listSectionNames(noteType)
  let rest = text.toLowerCase()
  const keys: string[] = []
  for (const { name, key } of names) {
    const pattern = new RegExp(String.raw`(?<![\w])${name}(?![\w])`)
    if (!pattern.test(rest)) continue
    rest = rest.replace(pattern, ' ')
    if (!keys.includes(key)) keys.push(key)
  }
  return keys
}

/** "the objective section" of a note that has none. */
function refuseForeignSection(clause: string, noteType: NoteType): void {
  const own = new Set(listSectionNames(noteType).map(({ name }) => name))
  const named = /(?:in|from|of|to|under) the ([a-z ]+?) section\b/i.exec(clause)?.[1]?.toLowerCase()
  const asObject = /\bthe ([a-z ]+?) section\b/i.exec(clause)?.[1]?.toLowerCase()
  const name = named ?? asObject
  if (name === undefined || own.has(name)) return
  const isKnown = foreignNames.has(name)
  const titles = NOTE_TEMPLATES[noteType].sections.map(({ title }) => title).join(', ')
  throw new EditRefusal(
    `This note has no section ${isKnown ? '' : 'called '}“${name}”. Its sections are ${titles}.`,
  )
}

const dropWholeNote = (clause: string) =>
  tidy(clause.replace(new RegExp(String.raw`,?\s*\b(?:${wholeNote})(?=$|[\s,.])`, 'gi'), ' '))

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
