import { NOTE_TYPES, type NoteTemplate } from '@casenote/contract'
import { builtInTemplate } from '../templates/built-in-templates.js'
import { listKeys } from '../templates/note-template.js'
import { EditRefusal, type Scope } from './edit.js'

export interface SectionName {
  /** Lower case, as an instruction would say it. */
  name: string
  key: string
}

/** Longest first, so that "risk assessment" is not "assessment". */
export function listSectionNames(template: NoteTemplate): SectionName[] {
  const listed = namesOf.get(template)
  if (listed !== undefined) return listed
  const names = template.sections.flatMap(({ key, title, names: others = [] }) =>
    [title.toLowerCase(), key.replaceAll('_', ' '), key, ...others.map((name) => name.toLowerCase())].map(
      (name) => ({ name, key }),
    ),
  )
  const known = new Map<string, SectionName>()
  for (const one of names) if (!known.has(one.name)) known.set(one.name, one)
  const sorted = [...known.values()].toSorted((a, b) => b.name.length - a.name.length)
  namesOf.set(template, sorted)
  return sorted
}

/** They are asked for with every word of an instruction. */
const namesOf = new WeakMap<NoteTemplate, SectionName[]>()

/** Whether a section of our own types of note has this name. */
const isNameElsewhere = (name: string): boolean =>
  NOTE_TYPES.some((type) => listSectionNames(builtInTemplate(type)).some((one) => one.name === name))

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

/**
 * One or several section names from a place on: "the plan", "the plan section", "assessment and plan sections". Word by word:
 * as one expression "vitals and labs" could be read in two ways, and a list of a hundred in two to the hundredth.
 */
function readSectionList(clause: string, from: number, template: NoteTemplate): SectionList[] {
  const lower = clause.toLowerCase()
  const names = listSectionNames(template)
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
export function readSections(text: string, template: NoteTemplate): string[] | null {
  const last = readSectionList(text, 0, template).at(-1)
  return last?.end === text.length ? last.keys : null
}

const wholeNote =
  /,? ?\b(?:(?:throughout|in|of|for|across|over) (?:the )?(?:whole |entire |full |complete )?(?:progress )?note|(?:everywhere|throughout)(?: else)?)(?=$|[\s,.])/gi

const exception = /,? ?(?:except|but not|apart from|other than)(?: for| in)? /gi
const wordStart = /(?:^|(?<=\s))(?:(?:in|of|for|from|within|under|on|to) )?(?:only )?/gi
const trailingWord = /,? (?:in|from|within|of|under|to|for) (?:only )?/gi

/** Takes the sections out of a clause, wherever it names them; refuses those of other templates. */
export function takeScope(clause: string, template: NoteTemplate): Scoped {
  const excepted = findTrailing(clause, exception, template)
  if (excepted !== null) {
    const others = listKeys(template).filter((key) => !excepted.keys.includes(key))
    return { scope: others, rest: dropWholeNote(clause.slice(0, excepted.start)) }
  }
  const named = findNamed(clause, template)
  if (named !== null) {
    const rest = `${clause.slice(0, named.start)} ${clause.slice(named.end)}`
    return { scope: named.keys, rest: tidy(rest) }
  }
  refuseForeignSection(clause, template)
  return { scope: null, rest: dropWholeNote(clause) }
}

/** Like `takeScope`, for clauses with free words in them: only "in the plan" or "from the plan section" at the end. */
export function takeTrailingScope(clause: string, template: NoteTemplate): Scoped {
  const trailing = findTrailing(clause, trailingWord, template)
  if (trailing !== null && trailing.start > 0)
    return { scope: trailing.keys, rest: clause.slice(0, trailing.start) }
  refuseForeignSection(clause, template)
  return { scope: null, rest: dropWholeNote(clause) }
}

/** The first place where the words are followed by a list of sections that ends the clause. */
export function findTrailing(
  clause: string,
  words: RegExp,
  template: NoteTemplate,
): { start: number; keys: string[] } | null {
  const text = clause.replace(/ only$/i, '')
  for (const { 0: word, index } of text.matchAll(words)) {
    const last = readSectionList(text, index + word.length, template).at(-1)
    if (last?.end === text.length) return { start: index, keys: last.keys }
  }
  return null
}

/** The first list of sections in a clause, with the words around it that belong to it. */
function findNamed(
  clause: string,
  template: NoteTemplate,
): { start: number; end: number; keys: string[] } | null {
  for (const { 0: word, index } of clause.matchAll(wordStart)) {
    const lists = readSectionList(clause, index + word.length, template).map((list) => ({
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
function refuseForeignSection(clause: string, template: NoteTemplate): void {
  const own = new Set(listSectionNames(template).map(({ name }) => name))
  const named = /\b(?:in|from|of|to|under) the ([a-z ]{1,40}?) section\b/i.exec(clause)?.[1]?.toLowerCase()
  const asObject = /\bthe ([a-z ]{1,40}?) section\b/i.exec(clause)?.[1]?.toLowerCase()
  const name = named ?? asObject
  if (name === undefined || own.has(name)) return
  const isKnown = isNameElsewhere(name)
  const titles = template.sections.map(({ title }) => title).join(', ')
  throw new EditRefusal(
    `This note has no section ${isKnown ? '' : 'called '}“${name}”. Its sections are ${titles}.`,
  )
}

const dropWholeNote = (clause: string) => tidy(clause.replaceAll(wholeNote, ' '))

const tidy = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
