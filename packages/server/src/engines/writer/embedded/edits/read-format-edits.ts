import type { NoteType } from '@casenote/contract'
import { EditRefusal, type Edit, type Scope, type ShortenEdit } from './edit.js'
import { takeScope } from './name-sections.js'

/** A wish about the form of the text: what asks for it, and how it is said as an edit. */
interface FormatWish {
  trigger: RegExp
  toEdit: (scope: Scope, clause: string) => Edit
}

const bullets = String.raw`bullet(?:ed)?(?:[ -]?(?:point|list)(?:ed)?)?s?(?: (?:form(?:at)?|lists?|points?))?|point form|list form(?:at)?|dashes|bulleti[sz]ed?|(?<=(?:as|into|in) )a (?:simple |short )?list(?! of)`
const prose = String.raw`(?:full |running )?paragraphs?(?: form(?:at)?)?|prose|narrative(?: (?:form(?:at)?|text|style))?|running text|flowing text|full sentences`

const wishes: readonly FormatWish[] = [
  {
    trigger:
      /\b(?:shorter|shorten(?:ed)?|condensed?|concise(?:ly)?|brief(?:er|ly)?|succinct|compact|trim(?:med)?|tighten(?:ed)?|tighter|reduced?|summari[sz]ed?|cut down|cut|limit(?:ed)?|too (?:long|wordy|detailed)|less (?:wordy|detail(?:ed)?|verbose|long)|fewer words|abbreviated?)\b/gi,
    toEdit: (scope, clause) => ({ kind: 'shorten', scope, limit: readLimit(scope, clause) }),
  },
  {
    trigger:
      /\b(?:longer|lengthen(?:ed)?|expand(?:ed)?(?: (?:on|upon))?|elaborate(?:d)?(?: (?:on|upon))?|extend(?:ed)?|flesh(?:ed)? out|(?:more|further|additional|extra) (?:details?|detailed|thorough|comprehensive|information|depth|content)|too (?:short|brief))\b/gi,
    toEdit: (scope) => ({ kind: 'lengthen', scope, topic: null, mustBeNew: true }),
  },
  {
    trigger: /\b(?:past[ -]tense|tense to (?:the )?past)\b/gi,
    toEdit: (scope) => ({ kind: 'past_tense', scope }),
  },
  {
    trigger:
      /\b(?:(?:no|without|don't use|do not use)(?: any| the)?(?: people's| real| full)? names(?:,? (?:only|just|but)(?: use)? initials)?)\b|\binitials(?: (?:instead of|rather than|for) (?:all |full |people's )?names)?\b/gi,
    toEdit: (scope) => ({ kind: 'initials', scope, names: [] }),
  },
]

/** Words that may stand around a wish without changing it. Any other word, "not" among them, is not understood. */
const fillers = new Set(
  (
    'make it its it’s this that them they the a an my all whole entire full complete note notes progress text wording ' +
    'content writing draft section sections part parts be is are was too sound read more much bit little lot even ' +
    'somewhat slightly quite rather very far significantly considerably use using used write written writes put set ' +
    'give show present format formatted reformat turn turned convert converted change changed switch rewrite ' +
    'rewritten restructure organize list lists into to as in with of for by on from down up out add some and or so ' +
    'only style form version sentences sentence verbs verb tense everything every each about half keep one point points ' +
    'there should have has can i want like way me need needs length prefer would give i’d us look looks'
  ).split(' '),
)

const limitPattern =
  /\b(?:(?:to|in|into|under|within|of) )?(?:(?:at most|no more than|max(?:imum)?(?: of)?|up to|only|just|about|around|less than|fewer than|a) )?(\d{1,3}|one|two|three|four|five|six|seven|eight|ten|single) (sentence|word)s?(?: (?:each|max(?:imum)?|at most|or less|or fewer))?\b/i
const countWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** "Limit the note to 200 words" counts the note; a named section, or "each section", counts by itself. */
function readLimit(scope: Scope, clause: string): ShortenEdit['limit'] {
  const [, number = '', unit = ''] = limitPattern.exec(clause) ?? []
  if (number === '') return null
  const lower = number.toLowerCase()
  const count =
    lower === 'single' ? 1 : countWords.includes(lower) ? countWords.indexOf(lower) : Number(number)
  if (count === 0) throw new EditRefusal('A section cannot be shortened to nothing.')
  const isOfEach = scope !== null || /\b(?:each|every|per|sections)\b/i.test(clause)
  return { unit: unit.toLowerCase() === 'word' ? 'words' : 'sentences', count, isOfEach }
}

/** Wishes about form, all that a clause has; null when it has none, or words that nobody here understands. */
export function readFormatEdits(clause: string, noteType: NoteType): Edit[] | null {
  if (/\b(?:present|future) tense\b/i.test(clause)) {
    throw new EditRefusal('The embedded writer can put a note in the past tense only.')
  }
  if (/\bnumbered\b/i.test(clause)) {
    throw new EditRefusal('The embedded writer makes bullet points, but no numbered lists.')
  }
  // "No more than 50 words" is a limit; any other "more" stays in the clause.
  const { scope, rest } = takeScope(clause, noteType)
  let left = rest
  const edits: Edit[] = []
  for (const { trigger, toEdit } of wishes) {
    if (left.search(trigger) < 0) continue
    edits.push(toEdit(scope, rest))
    left = left.replaceAll(trigger, ' ')
  }
  // "Make the plan two sentences" has a limit and no other word for shorter.
  if (edits.length === 0 && /^(?:make|keep) /i.test(rest) && limitPattern.test(rest)) {
    edits.push({ kind: 'shorten', scope, limit: readLimit(scope, rest) })
  }
  if (edits.some(({ kind }) => kind === 'shorten')) left = left.replace(limitPattern, ' ')
  const layout = readLayout(left)
  if (layout !== null) edits.push({ kind: 'layout', scope, layout: layout.layout })
  const unknown =
    (layout?.rest ?? left)
      .toLowerCase()
      .match(/[\p{L}\p{N}'’"]+/gu)
      ?.map((word) => word.replaceAll("'", '’')) ?? []
  if (edits.length === 0 || unknown.some((word) => !fillers.has(word))) return null
  if (edits.some(({ kind }) => kind === 'shorten') && edits.some(({ kind }) => kind === 'lengthen')) {
    throw new EditRefusal(
      'One section cannot be made shorter and longer; say what to do with each in its own sentence.',
    )
  }
  return edits
}

const pair = (left: string, between: string, right: string) =>
  new RegExp(String.raw`\b(?:${left})\b.{0,20}?\b(?:${between})\b.{0,12}?\b(?:${right})\b`, 'i')
const without = String.raw`(?:no|without|do not use|don't use|avoid|remove|get rid of|drop|not)(?: (?:the|any|all))?`

/** From the most to the least specific; the first that fits decides. */
const layoutPatterns: readonly (readonly [RegExp, 'paragraph' | 'bullets'])[] = [
  [pair(bullets, 'instead of|rather than|not', prose), 'bullets'],
  [pair(prose, 'instead of|rather than|not', bullets), 'paragraph'],
  [pair(bullets, 'to|into|as|with|by', prose), 'paragraph'],
  [pair(prose, 'to|into|as|with|by', bullets), 'bullets'],
  [new RegExp(String.raw`\b${without} (?:${bullets})(?:\s|$)`, 'i'), 'paragraph'],
  [new RegExp(String.raw`(?<!\b(?:no|not|without|don't use) )\b(?:${bullets})(?:\b|$)`, 'i'), 'bullets'],
  [new RegExp(String.raw`(?<!\b(?:no|not|without|don't use) )\b(?:${prose})(?:\b|$)`, 'i'), 'paragraph'],
]

const layoutWords = new RegExp(String.raw`\b(?:${bullets}|${prose}|instead of|rather than)(?:\b|$)`, 'gi')

function readLayout(text: string): { layout: 'paragraph' | 'bullets'; rest: string } | null {
  const found = layoutPatterns.find(([pattern]) => pattern.test(text))
  if (found === undefined) return null
  const [pattern, layout] = found
  const rest = text.replace(pattern, (match) =>
    match.replace(new RegExp(String.raw`^${without} `, 'i'), ' ').replace(/\bnot\b/i, ' '),
  )
  return { layout, rest: rest.replaceAll(layoutWords, ' ').replace(/^\s*replace\b/i, ' ') }
}
