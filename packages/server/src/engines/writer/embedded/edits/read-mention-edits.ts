import { NOTE_TEMPLATES, NOTE_TYPES, type NoteType } from '@casenote/contract'
import { EditRefusal, type Edit } from './edit.js'
import { listSectionNames, readKeys, sectionPattern, takeTrailingScope } from './name-sections.js'

/** A rule of the grammar: null when the clause is not of its kind. Throws an EditRefusal when it is, but cannot be done. */
type Rule = (clause: string, noteType: NoteType) => Edit | null

const noteTypeNames: Readonly<Record<NoteType, string>> = {
  soap: 'soap',
  dap: 'dap',
  birp: 'birp',
  girp: 'girp',
  pirp: 'pirp',
  psychotherapy_intake: String.raw`(?:psychotherapy |therapy )?intake(?: assessment| evaluation)?`,
  psychiatric_evaluation: String.raw`psych(?:iatric)?(?: |_)?eval(?:uation)?`,
  medication_management: String.raw`med(?:ication)?s?(?: |_)?(?:management|check)`,
}

const typeFillers = new Set(
  (
    'turn convert change switch rewrite redo reformat make transform use write draft this it the note type into to as ' +
    'a an in format template style structure progress session whole current my be should want can could instead need i we'
  ).split(' '),
)

const readNoteType: Rule = (clause) => {
  const wanted = clause.replace(
    /,? (?:instead of|rather than|from|not) (?:a |an |the )?\w+(?: note| format)?(?= |$)/i,
    '',
  )
  for (const to of NOTE_TYPES) {
    const pattern = new RegExp(String.raw`\b${noteTypeNames[to]}\b`, 'i')
    if (!pattern.test(wanted)) continue
    const others =
      wanted
        .replace(pattern, ' ')
        .toLowerCase()
        .match(/\p{L}+/gu) ?? []
    if (others.every((word) => typeFillers.has(word))) return { kind: 'note_type', to }
  }
  return null
}

const initialsFillers = new Set(
  (
    'use initials initial instead of names name replace with by full for people persons everyone all any third ' +
    'parties party family members member the their only abbreviate to in place as shorten change write put just ' +
    'first last and client’s real turn into convert reduce make rather than other person everybody'
  ).split(' '),
)

const readInitials: Rule = (clause, noteType) => {
  if (!/\binitials?\b|\babbreviate\b.*\bnames?\b/i.test(clause)) return null
  const { scope, rest } = takeTrailingScope(clause, noteType)
  const forNames = /\binitials? (?:only )?(?:for|of) (.+)$/i.exec(rest)?.[1]
  const named: readonly string[] = forNames?.match(/\b\p{Lu}[\p{L}’'-]+/gu) ?? []
  const words = rest.match(/[\p{L}’]+/gu) ?? []
  const isUnderstood = words.every((word) => initialsFillers.has(word.toLowerCase()) || named.includes(word))
  return isUnderstood ? { kind: 'initials', scope, names: named } : null
}

const removeVerb =
  /^(?:remove|delete|drop|omit|exclude|erase|strike(?: out)?|leave out|take out|take|cut out|cut|get rid of|skip|(?:do not|don't|never) (?:mention|include|talk about|refer to|write about)|avoid(?: mentioning| any mention of| the mention of)?) (.+?)(?: out)?$/i

const readRemove: Rule = (clause, noteType) => {
  const object = removeVerb.exec(clause)?.[1]
  if (object === undefined) return null
  if (/^(?:all |any |the )*(?:(?:people's|persons'|real|full) )?names?(?: of .+)?$/i.test(object)) {
    throw new EditRefusal('Names are not removed, but “use initials instead of names” can be done.')
  }
  if (new RegExp(`^${sectionPattern(noteType)}$`, 'i').test(object)) {
    throw new EditRefusal('A whole section is removed by hand; name what in it should go.')
  }
  const { scope, rest } = takeTrailingScope(object, noteType)
  if (ordinal.test(rest))
    throw new EditRefusal('Name what the sentence is about; it is not found by its place.')
  const { mention, isWholeSentence } = readMention(rest)
  return { kind: 'remove', scope, mentions: splitMentions(mention), isWholeSentence }
}

/** "The last sentence": looked for as a mention, it would find every "last week". */
const ordinal =
  /^(?:the )?(?:very )?(?:first|second|third|fourth|fifth|last|final|next|previous|above|opening|closing)(?: \w+)? (?:sentence|paragraph|line|bullet|word|part)s?$/i

const part = String.raw`(?:mention|reference|sentence|paragraph|part|statement|line|bit|bullet|detail|information|info|remark|comment|content|text|section)s?`

/** "the sentence about her brother", "the sleep paragraph", "anything on alcohol", "her brother". */
function readMention(object: string): { mention: string; isWholeSentence: boolean } {
  const about = String.raw`(?:of|to|about|on|regarding|concerning|mentioning|describing|with|saying|(?:that|which|where (?:she|he|they|the client|the patient))? ?(?:mentions?|talks? about|talked about|refers? to|says?|states?|describes?|speaks? of|is about|are about))(?: that)?`
  const quantity = String.raw`(?:(?:the|any|all|every|each|all the|all of the|that|those|some) )?`
  const long = new RegExp(
    String.raw`^${quantity}(?:${part}|anything|everything|all) ${about} (.+)$`,
    'i',
  ).exec(object)
  const short = new RegExp(String.raw`^${quantity}(.+?) (${part})$`, 'i').exec(object)
  const mention = cleanPhrase(long?.[1] ?? short?.[1] ?? object)
  const isWholeSentence =
    /^(?:\S+ ){0,3}?(?:sentence|paragraph|line|bullet|statement)s?\b|(?:sentence|paragraph|line|bullet|statement)s?$/i.test(
      object,
    )
  return { mention, isWholeSentence: isWholeSentence && (long !== null || short !== null) }
}

/** A quoted phrase stays as it is; else "her brother and sister" is two mentions. */
function splitMentions(mention: string): string[] {
  if (/^"|"$/.test(mention)) return [unquote(mention)]
  return mention
    .split(/\s*(?:,| and | or |, and |, or )\s*/i)
    .map(cleanPhrase)
    .filter((one) => one !== '')
}

const cleanPhrase = (phrase: string) =>
  phrase
    .trim()
    .replace(
      /^what (?:he|she|they|(?:the )?(?:client|patient)) (?:said|says|told (?:me|us)|reported|mentioned|shared) (?:about|on|regarding) /i,
      '',
    )
    .replace(/^(?:the (?:word|words|term|phrase|name|expression)s? )/i, '')
    .replace(
      /^(?:(?:all|every|each|any)(?: (?:mentions?|occurrences?|instances?|uses?))?(?: of)? )(?=\S)/i,
      '',
    )
    .replace(/,?\s+(?:everywhere|throughout|at all|entirely|completely|altogether|anywhere)$/i, '')

const unquote = (phrase: string) => phrase.replaceAll(/^["']|["']$/g, '').trim()

const swaps: readonly { pattern: RegExp; isReversed: boolean }[] = [
  { pattern: /^(?:replace|substitute|swap(?: out)?|exchange) (.+?) (?:with|by) (.+)$/i, isReversed: false },
  { pattern: /^swap(?: out)? (.+?) for (.+)$/i, isReversed: false },
  { pattern: /^substitute (.+?) for (.+)$/i, isReversed: true },
  {
    pattern: /^(?:change|correct|rename|update|edit|turn|convert) (.+?) (?:to|into) (.+)$/i,
    isReversed: false,
  },
  {
    pattern: /^(?:use|say|write|put) (.+?),? (?:instead of|rather than|in place of|and not|not) (.+)$/i,
    isReversed: true,
  },
  { pattern: /^instead of (.+?),? (?:use|say|write|put) (.+)$/i, isReversed: false },
  { pattern: /^(?:refer to|call) (.+?) (?:as )(.+)$/i, isReversed: false },
  // "50 mg should be 100 mg" names what stands there; "the dose should be 100 mg" does not.
  { pattern: /^("[^"]+"|.*\d.*?) should (?:be|read|say) (.+)$/i, isReversed: false },
]

const personWord = /^(?:the |a )?(?:word |term )?(client|patient)(?:s|'s)?(?: wording)?$/i

const readReplace: Rule = (clause, noteType) => {
  const called =
    /^(?:call|refer to) (?:him|her|them|(?:the )?(?:client|patient)) (?:as )?(?:a |the )?["']?(client|patient)["']?$/i.exec(
      clause,
    )?.[1]
  if (called !== undefined) return { kind: 'wording', scope: null, to: readPerson(called) }
  const only =
    /^(?:use|say|write)(?: only)? (?:the )?(?:word |term |wording )?["']?(client|patient)["']?(?: wording| only)?$/i.exec(
      clause,
    )
  if (only?.[1] !== undefined) return { kind: 'wording', scope: null, to: readPerson(only[1]) }
  const { scope, rest } = takeTrailingScope(clause, noteType)
  for (const { pattern, isReversed } of swaps) {
    const [, first, second] = pattern.exec(rest) ?? []
    if (first === undefined || second === undefined) continue
    const [from, to] = (isReversed ? [second, first] : [first, second]).map((one) =>
      unquote(cleanPhrase(one)),
    )
    const [fromPerson, toPerson] = [personWord.exec(from ?? ''), personWord.exec(to ?? '')]
    if (fromPerson !== null && toPerson?.[1] !== undefined) {
      return { kind: 'wording', scope, to: readPerson(toPerson[1]) }
    }
    if (from === undefined || to === undefined || from === '' || to === '') return null
    if (!isClearlyOne(first) || !isClearlyOne(second)) {
      throw new EditRefusal('Put what is to be replaced, and what replaces it, in quotation marks.')
    }
    return { kind: 'replace', scope, from, to }
  }
  return null
}

/** Longer texts, and those with the words of the grammar in them, could be read in two ways. */
const isClearlyOne = (phrase: string) =>
  /^"[^"]*"$/.test(phrase.trim()) ||
  (phrase.length <= 80 && !/ (?:to|with|instead of|rather than) /i.test(phrase))

const readPerson = (word: string) => (word.toLowerCase() === 'patient' ? 'patient' : 'client')

const readMove: Rule = (clause, noteType) => {
  const sections = sectionPattern(noteType)
  const pattern = new RegExp(
    String.raw`^(?:move|shift|transfer|relocate|put|place|bring) (.+?)(?:,? (?:from|in|out of) (${sections}))? (?:(?:over )?to|into|in|under) (${sections})(?: instead)?$`,
    'i',
  )
  const belongs = new RegExp(
    String.raw`^(.+?)() (?:belongs?|should (?:go|be|stand)|goes) (?:in|into|under|to) (${sections})(?: instead)?$`,
    'i',
  )
  const [, object, from = '', target] = pattern.exec(clause) ?? belongs.exec(clause) ?? []
  if (object === undefined || target === undefined) return readMoveElsewhere(clause, noteType)
  const [to, ...others] = readKeys(target, noteType)
  if (to === undefined || others.length > 0)
    throw new EditRefusal('Something is moved to one section, not to several.')
  const scope = from === '' ? null : readKeys(from, noteType)
  const isAll = /^(?:everything|all|all of it|the (?:content|text)s?)$/i.test(object)
  if (isAll && scope === null)
    throw new EditRefusal('Name the section from which everything should be moved.')
  return { kind: 'move', scope, mention: isAll ? null : unquote(readMention(object).mention), to }
}

function readMoveElsewhere(clause: string, noteType: NoteType): null {
  if (!/^(?:move|shift|transfer|relocate) .+ (?:to|into|under) /i.test(clause)) return null
  const titles = NOTE_TEMPLATES[noteType].sections.map(({ title }) => title).join(', ')
  throw new EditRefusal(`Something can be moved only to a section of this note: ${titles}.`)
}

const readInclude: Rule = (clause, noteType) => {
  const more =
    /^(?:add|include|give|provide|write|say|go into)? ?(?:some |a bit |a little )?(?:more|further|additional|extra)(?: details?| information| info| depth| context)? (?:about|on|regarding|of|for|to|concerning) (.+)$/i.exec(
      clause,
    ) ?? /^(?:expand|elaborate)(?: more)?(?: on| upon)? (.+)$/i.exec(clause)
  const plain =
    more === null
      ? /^(?:add|include|mention|put in|write about|talk about)(?: also)?(?: something| anything| a sentence| a mention| details?| information| a note| a line)?(?: about| on| of| regarding| that)? (.+)$/i.exec(
          clause,
        )
      : null
  const object = more?.[1] ?? plain?.[1]
  if (object === undefined) return null
  const { scope, rest } = takeTrailingScope(object, noteType)
  const isSection = listSectionNames(noteType).some(({ name }) => name === rest.toLowerCase())
  return isSection
    ? null
    : { kind: 'lengthen', scope, topic: unquote(cleanPhrase(rest)), mustBeNew: more !== null }
}

const readKeep: Rule = (clause) => {
  const object =
    /^(?:keep|retain|preserve|do not (?:remove|drop|lose)|don't (?:remove|drop|lose)) (.+?)(?: in| as (?:it is|is))?$/i.exec(
      clause,
    )?.[1]
  if (object === undefined || /^(?:it|this|the note)\b/i.test(object)) return null
  return { kind: 'keep', mentions: splitMentions(readMention(object).mention) }
}

/** In order: a clause that fits two is what the first makes of it. */
export const mentionRules: readonly Rule[] = [
  readNoteType,
  readInitials,
  readMove,
  readKeep,
  readReplace,
  readRemove,
  readInclude,
]
