import { NOTE_TYPES, type NoteType, type NoteTemplate } from '@casenote/contract'
import { defaultOf, type DefaultTemplates } from '../templates/built-in-templates.js'
import { EditRefusal, NEEDS_MODEL, type Edit } from './edit.js'
import { findTrailing, readSections, takeScope, takeTrailingScope } from './name-sections.js'

/** More would be a text to paste, not an instruction; each costs a pass over the note. */
const editsMax = 20

/** All that an instruction asks for, in its order. Throws an EditRefusal for the first part that cannot be done. */
export function parseInstructions(
  text: string,
  template: NoteTemplate,
  defaults: DefaultTemplates = {},
): Edit[] {
  const edits: Edit[] = []
  let current = template
  for (const clause of splitClauses(text)) {
    const edit = readClause(clause, current)
    if (edit === null) throw new EditRefusal(NEEDS_MODEL)
    if (edit.kind === 'note_type') current = defaultOf(edit.to, defaults)
    edits.push(edit)
  }
  if (edits.length === 0) throw new EditRefusal(`The instruction asks for nothing. ${NEEDS_MODEL}`)
  const count = edits.reduce((sum, edit) => sum + (edit.kind === 'remove' ? edit.mentions.length : 1), 0)
  if (count > editsMax)
    throw new EditRefusal(`The instruction asks for more than ${editsMax} changes at once.`)
  return edits
}

const starters =
  'remove|delete|drop|omit|leave out|take out|move|shift|replace|change|correct|use|set|format|turn|convert|make|put|rewrite|shorten|add'
const boundary = new RegExp(String.raw`,? (?:and then|and|then) (?=(?:${starters})\b)`, 'gi')

/** Quoted text is one word to the grammar: what stands in it is never an instruction. */
function splitClauses(text: string): string[] {
  const kept: string[] = []
  const masked = text
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/"[^"]*"/g, (quote) => `\uE000${kept.push(quote) - 1}\uE001`)
  return masked
    .split(/[\n;]|(?<!\b(?:dr|mr|mrs|ms))[.!?](?=\s|$)/i)
    .flatMap((sentence) => sentence.replaceAll(/\s+/g, ' ').split(boundary))
    .map((clause) =>
      withoutThanks(
        clause.replace(/^[\s,:-]*(?:(?:please|pls|also|and|then|can you|could you)\b,?\s?)*/i, ''),
      )
        .replaceAll(/\uE000(\d+)\uE001/g, (_, at: string) => kept[Number(at)] ?? '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((clause) => clause !== '')
}

const withoutThanks = (clause: string): string =>
  trimEnd(trimEnd(clause).replace(/(?:please|thanks|thank you)$/i, ''))

/** Walks back over stops, commas and spaces: an expression would begin anew at each of them. */
function trimEnd(text: string): string {
  let end = text.length
  while (end > 0 && ' ,:.!?'.includes(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

type Rule = (clause: string, template: NoteTemplate) => Edit | null

const typeNames: Readonly<Record<NoteType, string>> = {
  soap: 'soap',
  dap: 'dap',
  birp: 'birp',
  girp: 'girp',
  pirp: 'pirp',
  psychotherapy_intake: String.raw`(?:psychotherapy |therapy )?intake`,
  psychiatric_evaluation: String.raw`psych(?:iatric)?[ _]?eval(?:uation)?`,
  medication_management: String.raw`med(?:ication)?s?[ _]?(?:management|check)`,
}

const typePatterns = NOTE_TYPES.map((type) => ({
  type,
  pattern: new RegExp(
    String.raw`^(?:(?:turn|convert|change|switch|rewrite|redo|reformat|make|extract) (?:this |it |the )?(?:note )?(?:anew )?(?:in)?(?:to|as)? ?|as )?(?:a |an )?${typeNames[type]}(?: note| format| template)?(?: instead)?$`,
    'i',
  ),
}))

const readNoteType: Rule = (clause) => {
  const found = typePatterns.find(({ pattern }) => pattern.test(clause))
  return found === undefined ? null : { kind: 'note_type', to: found.type }
}

const layoutWords =
  /^(?:(?:use|set|format|turn|convert|put|make|change|write|in|into|to|as|with|a|an|it|this|the|whole|entire|note|everything|all|list|instead|of|form) )*(bullets?(?: points?| lists?)?|bullet(?:ed)? (?:points?|lists?|form)|paragraphs?|prose|running text)(?: (?:form|format|instead|please|of (?:paragraphs?|prose|bullets?(?: points?)?)|rather than (?:paragraphs?|prose|bullets?(?: points?)?)))*$/i

const readLayout: Rule = (clause, template) => {
  const { scope, rest } = takeScope(clause, template)
  const wanted = layoutWords.exec(rest)?.[1]
  if (wanted === undefined) return null
  return { kind: 'layout', scope, layout: /^bullet/i.test(wanted) ? 'bullets' : 'paragraph' }
}

const readInitials: Rule = (clause, template) => {
  const { scope, rest } = takeTrailingScope(clause, template)
  const named =
    /^(?:use|put|write)(?: only)? initials(?: (?:instead of|rather than|for) (?:all |full |the |people's )*names?| for (.+))?$/i.exec(
      rest,
    ) ??
    /^(?:replace|change|turn) (?:all |the |full |people's )*names? (?:with|by|to|into) initials$/i.exec(rest)
  if (named === null) return null
  return { kind: 'initials', scope, names: named[1]?.match(/\p{Lu}[\p{L}’'-]+/gu) ?? [] }
}

const moveVerb = /^(?:move|shift|transfer|put) /i
const moveTo = / (?:to|into|under) /gi
const moveFrom = /,? (?:from|in|out of) /gi

const readMove: Rule = (clause, template) => {
  const verb = moveVerb.exec(clause)?.[0]
  const target = verb === undefined ? null : findTrailing(clause, moveTo, template)
  if (verb === undefined || target === null || target.start <= verb.length) return null
  const [to, ...others] = target.keys
  if (to === undefined || others.length > 0)
    throw new EditRefusal('Something is moved to one section, not to several.')
  const moved = clause.slice(verb.length, target.start)
  const from = findTrailing(moved, moveFrom, template)
  const object = from === null ? moved : moved.slice(0, from.start)
  const isAll = /^(?:everything|all|all of it)$/i.test(object)
  if (isAll && from === null) throw new EditRefusal('Name the section from which everything should be moved.')
  return { kind: 'move', scope: from?.keys ?? null, mention: isAll ? null : readMention(object), to }
}

/** "replace A with B": what stands before and behind the first of the words. Null: the verb or the words are not there. */
function readSwap(clause: string, verb: RegExp, between: RegExp): [string, string] | null {
  const begun = verb.exec(clause)?.[0]
  if (begun === undefined) return null
  const rest = clause.slice(begun.length)
  const middle = between.exec(rest)
  return middle === null || middle.index === 0
    ? null
    : [rest.slice(0, middle.index), rest.slice(middle.index + middle[0].length)]
}

const readReplace: Rule = (clause, template) => {
  const { scope, rest } = takeTrailingScope(clause, template)
  const swap =
    readSwap(rest, /^(?:replace|substitute|swap) /i, / (?:with|by) /i) ??
    readSwap(rest, /^(?:change|correct) /i, / (?:to|into) /i)
  if (swap === null) return null
  const [from, to] = [unquote(swap[0]), unquote(swap[1])]
  if (from === '' || to === '') return null
  const isClear = swap.every(
    (part) => /^"[^"]*"$/.test(part) || (part.length <= 80 && !/ (?:to|with|by) /i.test(part)),
  )
  if (!isClear) throw new EditRefusal('Put what is to be replaced, and what replaces it, in quotation marks.')
  return { kind: 'replace', scope, from, to }
}

const readRemove: Rule = (clause, template) => {
  const verb = /^(?:remove|delete|drop|omit|leave out|take out|erase) (?=.)/i.exec(clause)?.[0]
  if (verb === undefined) return null
  const object = clause.slice(verb.length)
  const keys = readSections(object.replace(/^(?:whole|entire) /i, ''), template)
  if (keys !== null) return { kind: 'remove_section', keys }
  const { scope, rest } = takeTrailingScope(object, template)
  if (/^(?:the )?(?:first|second|third|last|next|previous) \w+$/i.test(rest))
    throw new EditRefusal('Name what the sentence is about; it is not found by its place.')
  const mention = readMention(rest)
  const mentions = /^".*"$/.test(rest)
    ? [mention]
    : mention
        .split(/,| and | or /i)
        .map((one) => one.trim())
        .filter((one) => one !== '')
  return mentions.length === 0 ? null : { kind: 'remove', scope, mentions }
}

const part = String.raw`(?:mention|reference|sentence|paragraph|part|statement|line|bullet|quote|detail)s?`
const quantity = /^(?:(?:the|any|all|every|that|those) )*/i
const partOf = new RegExp(
  String.raw`^(?:${part}|anything|everything|what (?:is|was) said) (?:of|to|about|on|with|where \w{1,20} says?) (?=.)`,
  'i',
)
const partBehind = new RegExp(` ${part}$`, 'i')

/** "the sentence about her brother", "the sleep line", "anything on alcohol", "her brother". */
const readMention = (object: string): string => {
  const bare = object.replace(quantity, '')
  if (partOf.test(bare)) return unquote(bare.replace(partOf, ''))
  if (partBehind.test(bare)) return unquote(bare.replace(partBehind, ''))
  return unquote(object.replace(/^(?:all|any|every) /i, ''))
}

const unquote = (phrase: string): string =>
  phrase
    .trim()
    .replaceAll(/^["']|["']$/g, '')
    .trim()

/** In order: a clause that fits two is what the first makes of it. */
const rules: readonly Rule[] = [readNoteType, readInitials, readLayout, readMove, readReplace, readRemove]

function readClause(clause: string, template: NoteTemplate): Edit | null {
  for (const rule of rules) {
    const edit = rule(clause, template)
    if (edit !== null) return edit
  }
  return null
}
