import { baseOfIrregular } from './verb-forms.js'

export interface WordToken {
  /** As written. */
  text: string
  /** In lower case, with a straight apostrophe. */
  lower: string
  start: number
  end: number
}

/** Words and numbers; a hyphen parts words ("self-harm" is two), a decimal point, slash or colon stays within a number. */
export const tokenizeWords = (text: string): WordToken[] =>
  [...text.matchAll(/\d+(?:[.,/:]\d+)*|\p{L}+(?:['’]\p{L}+)*/gu)].map((match) => ({
    text: match[0],
    lower: match[0].toLowerCase().replaceAll('’', "'"),
    start: match.index,
    end: match.index + match[0].length,
  }))

export const countWords = (text: string): number => (text.match(/[\p{L}\p{N}]\S*/gu) ?? []).length

/** Words that carry grammar and no fact. Negations are not here by accident: they are read by their scope. */
const functionWords = new Set(
  `a an the this that these those there here it its itself i me my mine myself we us our ours ourselves you your yours
  yourself he him his himself she her hers herself they them their theirs themselves who whom whose which what where when
  why how if whether and or but nor so then than as of at by for from in into on onto to too with about after before
  during until since because while though although through over under up down out off again also just only very really
  quite rather even still yet already ever always am is are was were be been being do does did doing done have has had
  having will would shall should can could may might must ought not no never none nothing nobody neither cannot without
  yes yeah yep yup ok okay oh um uh hmm mm mhm well like kind sort some any each every all both more most much many such
  own same other another else s t d ll ve re m don't didn't doesn't isn't aren't wasn't weren't haven't hasn't hadn't
  won't wouldn't can't couldn't shouldn't ain't i'm i've i'd i'll it's that's there's he's she's they're they've we're
  we've you're you've you'd you'll let's what's who's thing things got get gets getting going gonna go goes went let maybe
  actually basically honestly literally anyway though bit lot lots way pretty one ones now that'll it'll they'd we'd he'd
  she'd per via`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

export const isContentWord = (lower: string): boolean =>
  !functionWords.has(lower) && (lower.length > 1 || /\d/.test(lower))

/** Longer than any English word; the patterns below look back over a word once for each of its letters. */
const wordLengthMax = 40

/** What inflections of one word have in common; for comparing, not for showing. */
export const stemWord = (lower: string): string => {
  if (lower.length > wordLengthMax) return lower
  const word = lower.replace(/'s$|'$/, '')
  const base = baseOfIrregular(word)
  const stem = stripEndings(base ?? word)
  // "thoughts" is to meet "thought", which is to meet "think".
  return stem === word ? stem : stripEndings(baseOfIrregular(stem) ?? stem)
}

const hasVowel = (text: string): boolean => /[aeiouy]/.test(text)

/** What is left must be a word by itself, where that is asked: "sing" and "bed" have no ending. */
const endings: readonly [ending: RegExp, replacement: string, isWord?: (left: string) => boolean][] = [
  [/(?<=[a-z]{2})ies$/, 'y'],
  [/(?<=[a-z]{2})ied$/, 'y'],
  [/(?<=ss|sh|ch|x|zz)es$/, ''],
  [/(?<=[a-z]{2}[^su])s$/, ''],
  [/(?<=[a-z]{3})ingly$/, ''],
  [/(?<=[a-z]{3})edly$/, ''],
  [/ing$/, '', hasVowel],
  [/(?<=[^e])ed$/, '', (left) => hasVowel(left.slice(0, -1))],
]

const stripEndings = (word: string): string => {
  if (word.length < 4) return word
  let stem = word
  for (const [ending, replacement, isWord] of endings) {
    if (!ending.test(stem)) continue
    const shorter = stem.replace(ending, replacement)
    if (shorter.length < 3 || isWord?.(shorter) === false) continue
    stem = shorter
    break
  }
  stem = stem.replace(/([b-df-hj-km-np-rt-vx-z])\1$/, '$1')
  // "improve", "improved", "improving", and "angry", "angrily".
  return stem.length > 3
    ? stem
        .replace(/e$/, '')
        .replace(/ily$/, 'y')
        .replace(/(?<=[a-z]{4})ly$/, '')
    : stem
}
