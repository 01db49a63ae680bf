import { NOTE_TYPES, type NoteType } from '@casenote/contract'
import { EditRefusal, NEEDS_MODEL, type Edit } from './edit.js'
import { readKeys, sectionPattern, takeScope, takeTrailingScope } from './name-sections.js'

/** More would be a text to paste, not an instruction; each costs a pass over the note. */
const editsMax = 20

/** All that an instruction asks for, in its order. Throws an EditRefusal for the first part that cannot be done. */
export function parseInstructions(text: string, noteType: NoteType): Edit[] {
  const edits: Edit[] = []
  let currentType = noteType
  for (const clause of splitClauses(text)) {
    const edit = readClause(clause, currentType)
    if (edit === null) throw new EditRefusal(NEEDS_MODEL)
    if (edit.kind === 'note_type') currentType = edit.to
    edits.push(edit)
  }
  if (edits.length === 0) throw new EditRefusal(`The instruction asks for nothing. ${NEEDS_MODEL}`)
  if (edits.length > editsMax)
    throw new EditRefusal(`The instruction asks for more than ${editsMax} changes at once.`)
  return edits
}

const starters =
  'remove|delete|drop|omit|leave out|take out|move|shift|replace|change|correct|use|set|format|turn|convert|make|put|rewrite|shorten|add'
const boundary = new RegExp(String.raw`,?\s+(?:and then|and|then)\s+(?=(?:${starters})\b)`, 'gi')

/** Quoted text is one word to the grammar: what stands in it is never an instruction. */
function splitClauses(text: string): string[] {
  const kept: string[] = []
  const masked = text
    .replaceAll(/[“”„]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/"[^"]*"/g, (quote) => `\uE000${kept.push(quote) - 1}\uE001`)
  return masked
    .split(/\n+|;\s*|(?<!\b(?:dr|mr|mrs|ms))[.!?]+(?=\s|$)/i)
    .flatMap((sentence) => sentence.split(boundary))
    .map((clause) =>
      clause
        .replaceAll(/\uE000(\d+)\uE001/g, (_, at: string) => kept[Number(at)] ?? '')
        .replaceAll(/\s+/g, ' ')
        .replace(/^[\s,:-]*(?:(?:please|pls|also|and|then|can you|could you)\b,?\s*)*/i, '')
        .replace(/[\s,]*(?:please|thanks|thank you)?[\s,:]*$/i, '')
        .trim(),
    )
    .filter((clause) => clause !== '')
}

type Rule = (clause: string, noteType: NoteType) => Edit | null

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

const readNoteType: Rule = (clause) => {
  const to = NOTE_TYPES.find((type) =>
    new RegExp(
      String.raw`^(?:(?:turn|convert|change|switch|rewrite|redo|reformat|make|extract) (?:this |it |the )?(?:note )?(?:anew )?(?:in)?(?:to|as)? ?|as )?(?:a |an )?${typeNames[type]}(?: note| format| template)?(?: instead)?$`,
      'i',
    ).test(clause),
  )
  return to === undefined ? null : { kind: 'note_type', to }
}

const layoutWords =
  /^(?:(?:use|set|format|turn|convert|put|make|change|write|in|into|to|as|with|a|an|it|this|the|whole|entire|note|everything|all|list|instead|of|form|format)\s+)*(bullets?(?: points?| lists?)?|bullet(?:ed)? (?:points?|lists?|form)|paragraphs?|prose|running text)(?:\s+(?:form|format|instead|please|of (?:paragraphs?|prose|bullets?(?: points?)?)|rather than (?:paragraphs?|prose|bullets?(?: points?)?)))*$/i

const readLayout: Rule = (clause, noteType) => {
  const { scope, rest } = takeScope(clause, noteType)
  const wanted = layoutWords.exec(rest)?.[1]
  if (wanted === undefined) return null
  return { kind: 'layout', scope, layout: /^bullet/i.test(wanted) ? 'bullets' : 'paragraph' }
}

const readInitials: Rule = (clause, noteType) => {
  const { scope, rest } = takeTrailingScope(clause, noteType)
  const named =
    /^(?:use|put|write)(?: only)? initials(?: (?:instead of|rather than|for) (?:all |full |the |people's )*names?| for (.+))?$/i.exec(
      rest,
    ) ??
    /^(?:replace|change|turn) (?:all |the |full |people's )*names? (?:with|by|to|into) initials$/i.exec(rest)
  if (named === null) return null
  return { kind: 'initials', scope, names: named[1]?.match(/\p{Lu}[\p{L}’'-]+/gu) ?? [] }
}

const readMove: Rule = (clause, noteType) => {
  const sections = sectionPattern(noteType)
  const [, object, from = '', target] =
    new RegExp(
      String.raw`^(?:move|shift|transfer|put) (.+?)(?:,? (?:from|in|out of) (${sections}))? (?:to|into|under) (${sections})$`,
      'i',
    ).exec(clause) ?? []
  if (object === undefined || target === undefined) return null
  const [to, ...others] = readKeys(target, noteType)
  if (to === undefined || others.length > 0)
    throw new EditRefusal('Something is moved to one section, not to several.')
  const scope = from === '' ? null : readKeys(from, noteType)
  const isAll = /^(?:everything|all|all of it)$/i.test(object)
  if (isAll && scope === null)
    throw new EditRefusal('Name the section from which everything should be moved.')
  return { kind: 'move', scope, mention: isAll ? null : readMention(object), to }
}

const readReplace: Rule = (clause, noteType) => {
  const { scope, rest } = takeTrailingScope(clause, noteType)
  const swap =
    /^(?:replace|substitute|swap) (.+?) (?:with|by) (.+)$/i.exec(rest) ??
    /^(?:change|correct) (.+?) (?:to|into) (.+)$/i.exec(rest)
  const [from, to] = [unquote(swap?.[1] ?? ''), unquote(swap?.[2] ?? '')]
  if (swap === null || from === '' || to === '') return null
  const isClear = [swap[1], swap[2]].every(
    (part = '') => /^"[^"]*"$/.test(part) || (part.length <= 80 && !/ (?:to|with|by) /i.test(part)),
  )
  if (!isClear) throw new EditRefusal('Put what is to be replaced, and what replaces it, in quotation marks.')
  return { kind: 'replace', scope, from, to }
}

const readRemove: Rule = (clause, noteType) => {
  const object = /^(?:remove|delete|drop|omit|leave out|take out|erase) (.+)$/i.exec(clause)?.[1]
  if (object === undefined) return null
  if (new RegExp(`^(?:whole |entire )?${sectionPattern(noteType)}$`, 'i').test(object))
    return { kind: 'remove_section', keys: readKeys(object, noteType) }
  const { scope, rest } = takeTrailingScope(object, noteType)
  if (/^(?:the )?(?:first|second|third|last|next|previous) \w+$/i.test(rest))
    throw new EditRefusal('Name what the sentence is about; it is not found by its place.')
  const mention = readMention(rest)
  const mentions = /^".*"$/.test(rest)
    ? [mention]
    : mention.split(/\s*(?:,| and | or )\s*/i).filter((one) => one !== '')
  return mentions.length === 0 ? null : { kind: 'remove', scope, mentions }
}

const part = String.raw`(?:mention|reference|sentence|paragraph|part|statement|line|bullet|quote|detail)s?`
const quantity = String.raw`(?:(?:the|any|all|every|that|those) )*`

/** "the sentence about her brother", "the sleep line", "anything on alcohol", "her brother". */
const readMention = (object: string): string => {
  const long = new RegExp(
    String.raw`^${quantity}(?:${part}|anything|everything|what (?:is|was) said) (?:of|to|about|on|with|where \w+ says?) (.+)$`,
    'i',
  ).exec(object)
  const short = new RegExp(String.raw`^${quantity}(.+?) ${part}$`, 'i').exec(object)
  return unquote(long?.[1] ?? short?.[1] ?? object.replace(/^(?:all|any|every) /i, ''))
}

const unquote = (phrase: string): string =>
  phrase
    .trim()
    .replaceAll(/^["']|["']$/g, '')
    .trim()

/** In order: a clause that fits two is what the first makes of it. */
const rules: readonly Rule[] = [readNoteType, readInitials, readLayout, readMove, readReplace, readRemove]

function readClause(clause: string, noteType: NoteType): Edit | null {
  for (const rule of rules) {
    const edit = rule(clause, noteType)
    if (edit !== null) return edit
  }
  return null
}
