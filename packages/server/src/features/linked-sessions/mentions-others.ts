const pronouns = 'he him his himself she her hers herself they them their theirs themself themselves'

const relations = [
  'wife wives husband husbands hubby spouse spouses partner partners ex fiancé fiancée fiance fiancee boyfriend boyfriends girlfriend girlfriends lover',
  'mom moms mommy mum mums mummy mama mother mothers dad dads daddy papa father fathers parent parents stepmom stepmother stepdad stepfather stepparent',
  'son sons daughter daughters stepson stepdaughter kid kids child children baby babies teen teenager boy boys girl girls toddler',
  'brother brothers sister sisters sibling siblings twin twins stepbrother stepsister',
  'grandma grandpa grandmother grandfather grandparent grandparents granny grandson granddaughter grandchild grandchildren',
  'aunt aunts auntie uncle uncles cousin cousins niece nieces nephew nephews guardian roommate',
].join(' ')

/** "Ana’s" has the name, too. One letter is the rest of a contraction, unless it is a name of one sign. */
export const wordsOf = (text: string): string[] =>
  foldCase(text)
    .replace(/['’]s(?![\p{L}\p{M}\p{N}])/gu, '')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word.length > 1 || /[^a-z0-9]/.test(word))

/** Letters with marks as one sign, and by way of capitals, so that "STRAUSS" is "Strauß". */
const foldCase = (text: string): string => text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')

const ofOthers = new Set(wordsOf(`${pronouns} ${relations}`))

/** Whether a sentence speaks of a third, or has one of these names, as `wordsOf` gives them. */
export const mentionsOthers = (sentence: string, names: ReadonlySet<string>): boolean =>
  wordsOf(sentence).some((word) => ofOthers.has(word) || names.has(word))
