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

export interface Scoped {
  scope: Scope
  /** The clause without what named the sections. */
  rest: string
}

/** A list of sections in a clause: whose they are, and where it ends. */
interface SectionList {
  keys: string[]
  end: number
}

const article = /(?:the|my|its) /iy
const noun = / (?:section|part|area|portion)s?(?![\w])/iy
const separator = /(?:,| and|, and| or| &) /iy

const namesOf = new Map(NOTE_TYPES.map((type) => [type, listSectionNames(type)]))

/**
 * One or several section names from a place on: "the plan", "the plan section", "assessment and plan sections". Word by word:
 * as one expression "vitals and labs" could be read in two ways, and a list of a hundred in two to the hundredth.
 */
function readSectionList(clause: string, from: number, noteType: NoteType): SectionList[] {
  const lower = clause.toLowerCase()
  const names = namesOf.get(noteType) ?? []
  const lists: SectionList[] = []
  const keys: string[] = []
  let at = from
  for (;;) {
    const start = skip(article, clause, at)
    const named = names.find(
      ({ name }) => lower.startsWith(name, start) && !/\w/.test(lower[start + name.length] ?? ''),
    )
    if (named === undefined) return lists
    if (!keys.includes(named.key)) keys.push(named.key)
    const end = skip(noun, clause, start + named.name.length)
    lists.push({ keys: [...keys], end })
    at = skip(separator, clause, end)
    if (at === end) return lists
  }
}

/** Behind what the expression matches at a place, or that place. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** The sections that a text names and nothing else; null: it says something else. */
export function readSections(text: string, noteType: NoteType): string[] | null {
  const last = readSectionList(text, 0, noteType).at(-1)
  return last?.end === text.length ? last.keys : null
}

const wholeNote =
  /,? ?\b(?:(?:throughout|in|of|for|across|over) (?:the )?(?:whole |entire |full |complete )?(?:progress )?note|(?:everywhere|throughout)(?: else)?)(?=$|[\s,.])/gi

const exception = /,? ?(?:except|but not|apart from|other than)(?: for| in)? /gi
const wordStart = /(?:^|(?<=\s))(?:(?:in|of|for|from|within|under|on|to) )?(?:only )?/gi
const trailingWord = /,? (?:in|from|within|of|under|to|for) (?:only )?/gi

/** Takes the sections out of a clause, wherever it names them; refuses those of other templates. */
export function takeScope(clause: string, noteType: NoteType): Scoped {
  const excepted = findTrailing(clause, exception, noteType)
  if (excepted !== null) {
    const others = NOTE_TEMPLATES[noteType].sections
      .map(({ key }) => key)
      .filter((key) => !excepted.keys.includes(key))
    return { scope: others, rest: dropWholeNote(clause.slice(0, excepted.start)) }
  }
  const named = findNamed(clause, noteType)
  if (named !== null) {
    const rest = `${clause.slice(0, named.start)} ${clause.slice(named.end)}`
    return { scope: named.keys, rest: tidy(rest) }
  }
  refuseForeignSection(clause, noteType)
  return { scope: null, rest: dropWholeNote(clause) }
}

/** Like `takeScope`, for clauses with free words in them: only "in the plan" or "from the plan section" at the end. */
export function takeTrailingScope(clause: string, noteType: NoteType): Scoped {
  const trailing = findTrailing(clause, trailingWord, noteType)
  if (trailing !== null && trailing.start > 0)
    return { scope: trailing.keys, rest: clause.slice(0, trailing.start) }
  refuseForeignSection(clause, noteType)
  return { scope: null, rest: dropWholeNote(clause) }
}

/** The first place where the words are followed by a list of sections that ends the clause. */
export function findTrailing(
  clause: string,
  words: RegExp,
  noteType: NoteType,
): { start: number; keys: string[] } | null {
  const text = clause.replace(/ only$/i, '')
  for (const { 0: word, index } of text.matchAll(words)) {
    const last = readSectionList(text, index + word.length, noteType).at(-1)
    if (last?.end === text.length) return { start: index, keys: last.keys }
  }
  return null
}

/** The first list of sections in a clause, with the words around it that belong to it. */
function findNamed(
  clause: string,
  noteType: NoteType,
): { start: number; end: number; keys: string[] } | null {
  for (const { 0: word, index } of clause.matchAll(wordStart)) {
    const lists = readSectionList(clause, index + word.length, noteType).map((list) => ({
      ...list,
      end: skip(onlyWord, clause, list.end),
    }))
    const whole = lists.findLast(({ end }) => /^[\s,.]?$/.test(clause[end] ?? ''))
    if (whole !== undefined) return { start: index, ...whole }
  }
  return null
}

const onlyWord = / only(?![\w])/iy

/** "the objective section" of a note that has none. */
function refuseForeignSection(clause: string, noteType: NoteType): void {
  const own = new Set(listSectionNames(noteType).map(({ name }) => name))
  const named = /\b(?:in|from|of|to|under) the ([a-z ]{1,40}?) section\b/i.exec(clause)?.[1]?.toLowerCase()
  const asObject = /\bthe ([a-z ]{1,40}?) section\b/i.exec(clause)?.[1]?.toLowerCase()
  const name = named ?? asObject
  if (name === undefined || own.has(name)) return
  const isKnown = foreignNames.has(name)
  const titles = NOTE_TEMPLATES[noteType].sections.map(({ title }) => title).join(', ')
  throw new EditRefusal(
    `This note has no section ${isKnown ? '' : 'called '}“${name}”. Its sections are ${titles}.`,
  )
}

const dropWholeNote = (clause: string) => tidy(clause.replaceAll(wholeNote, ' '))

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
