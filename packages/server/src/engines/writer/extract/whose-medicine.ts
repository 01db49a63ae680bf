import { findSaidMedicines } from '../../lexicon/said-medicines.js'
import type { Said, Talk } from './read-turns.js'

/** "I'm on", "put me on", "my levothyroxine". */
const isOwn =
  /\b(?:i['’]m on|i(?:['’]ve| have)? (?:been|got|take|took|had|was)|(?:put|gave|give|had|got) me|my|mine)\b/i
/** "She's on the Rimadyl", "the drops for him", "Is he taking it?", "they gave him Seroquel". */
const isThird =
  /\b(?:my|our|his|her) (?:\w{1,12} )?(?:mama|mom|mum|mam|mother|dad|daddy|father|nan|gran\w{0,5}|sister|brother|aunt|uncle|cousin|niece|nephew|wife|husband|partner|girlfriend|boyfriend|son|daughter|friend|roommate|neighbou?r)(?:['’]s| is| was| has been)? (?:still |also )?(?:on|takes?|taking|uses?|using)\b|\b(?:he|she)(?:['’]s| is| was|['’]d been| has been)? (?:still )?(?:on|takes?|taking|uses?|using)\b|\b(?:is|was|are) (?:he|she|they) (?:still )?(?:on|taking|using)\b|\bdoes (?:he|she) (?:take|use)\b|\bfor (?:him|her)\b|\b(?:gave|give|giving|gives|put) (?:him|her|them)\b|(?:\b(?:got|have|had|has|keep|kept)|['’](?:ve|s)) (?:him|her) (?:back |still )?on\b/i
/** "Dre takes the Xanax." */
const isNamedThird =
  /(?<!^)(?<![.?!]\s)\b\p{Lu}\p{Ll}{1,20} (?:takes|uses|is on)\b|^\p{Lu}\p{Ll}{1,20} (?:takes|uses|is on) (?:the|his|her|some|that)\b/u
/** "This is Marie's.", "The wife's, they were." */
export const isLent =
  /\b(?:[Tt]his|[Tt]hat|[Tt]hose|[Tt]hese|[Tt]hey)(?:['’](?:s|re)| is| are| were)(?: all)? (?:\p{Lu}\p{L}{1,20}['’]s|(?:my |your |the )?(?:wife|husband|mother|mom|mum|father|dad|son|daughter|sister|brother|partner)['’]s|his|hers)\b/u
/** "This has Harold Valdane on it.", "This says Margaret Halloran." */
const isLabelled =
  /\b(?:[Tt]his|[Tt]hat|[Ii]t|[Oo]ne|bottle|box)(?: one)?(?: here)? (?:has|says|reads|is made out to) (?:\p{Lu}\p{Ll}{1,20}\.? )?\p{Lu}\p{Ll}{1,20}(?: on (?:it|the label))?(?=[.,?!]|$)/u
const isAnimals =
  /\bthe vet\b(?!['’]?s? (?:cent|clinic|hospital|affairs))|\b(?:for|give|gave|giving) (?:my|our|the|his|her) (?:dog|cat|puppy)\b|\b(?:dog|cat|puppy)['’]s\b/i
/** "My cousin offered me some." "I never did mess with it." */
const isNotTaken =
  /\boffered me\b|\bnever (?:did |have |had |ever |even )?(?:mess\b|touched\b|(?:took|take|taken|tried|used) (?!anything|to\b))|\btold (?:him|her|them) (?:to )?keep\b/i
const possessive =
  /\b(?:his|her|their|(?!(?:it|that|there|what|he|she|who|here|let|today|doctor)['’])\p{L}{2,20}['’]s)\s(?:\p{L}{1,15}\s){0,2}$/iu

/** "There's my mama's stuff. She's on that Aricept." */
const kin =
  /\b(?:my|our) (?:mama|mom|mum|mam|mother|dad|daddy|father|nan|gran\w{0,5}|sister|brother|aunt|uncle)\b/i
const isOfKin = (said: Said, turns: Talk['turns']): boolean =>
  isThird.test(said.raw) &&
  (turns[said.turn]?.sentences ?? []).some(({ index, raw }) => index <= said.index && kin.test(raw))

const isFirstPerson = /\b(?:i|me|my|mine)\b/i
/** "My sister's got the thyroid." "She" may be the doctor. */
const opensOnAnother =
  /^\W*(?:(?:and|but|so|well|yeah|no|oh|um),? )*(?:my|our) (?:\w{1,12} )?(?:mama|mom|mum|mam|mother|dad|daddy|father|nan|gran\w{0,5}|sister|brother|aunt\w{0,2}|uncle|cousin|niece|nephew|wife|husband|partner|girlfriend|boyfriend|ex|son|daughter|kid|friend|roommate|neighbou?r|boss)\b/i
/** "My sister gave me hers." */
const isGivenMe =
  /\b(?:i['’]m on|i(?:['’]ve| have)? (?:been|got|take|took|had|was)|(?:put|gave|gives?|got) me)\b/i
/** So far back in a turn it is said of whom it goes on. */
const ofWhomSentences = 3

/** "My mom's on a whole list. Metoprolol. Eliquis.": what goes on from another person, until somebody says "I". */
function goesOnFromAnother(said: Said, turns: Talk['turns']): boolean {
  const turn = turns[said.turn]?.sentences ?? []
  const at = turn.indexOf(said)
  const before = turn.slice(Math.max(0, at - ofWhomSentences), at + 1).toReversed()
  const person = before.find(({ raw }) => opensOnAnother.test(raw) || isFirstPerson.test(raw))
  return person !== undefined && opensOnAnother.test(person.raw) && !isGivenMe.test(person.raw)
}

/** "Are you taking anything yourself, Donal?": who sits in with the client is asked, and answers for themself. */
const asksYou = /\b(?:are|do|did|have) you\b|\byourself\b|\byour own\b/i
const speaksOfClient = /\b(?:he|she|him|her|his|hers)\b/i

function speaksOfThemself(said: Said, { turns }: Talk): boolean {
  const before = turns[said.turn - 1]
  const there = (turns[said.turn]?.sentences ?? []).filter(({ index }) => index <= said.index)
  return (
    before?.speaker === 'clinician' &&
    before.sentences.some(({ raw }) => asksYou.test(raw)) &&
    ![...before.sentences, ...there].some(({ raw }) => speaksOfClient.test(raw))
  )
}

/** What is said before a name: "her old tramadol". */
const beforeLength = 40

/**
 * Whether a quote may speak of a medicine that somebody else takes, or that was only offered. Where two besides the clinician
 * speak, "he" and "she" in another's words may be the client.
 */
export function mayBeAnothers(quoted: readonly Said[], talk: Talk): boolean {
  const { turns } = talk
  if (quoted.some(({ raw }) => [isAnimals, isLent, isLabelled, isNotTaken].some((words) => words.test(raw))))
    return true
  return quoted.some((said, at) => {
    const names = findSaidMedicines(said.raw)
    if (said.speaker === 'clinician') {
      const answer = quoted.slice(at + 1).find(({ speaker }) => speaker !== 'clinician')
      return isThird.test(said.raw) && answer?.speaker === 'client'
    }
    const isClient = said.speaker === 'client' || turns.every(({ speaker }) => speaker !== 'client')
    if (!isClient)
      return (
        names.length > 0 && (isOwn.test(said.raw) || isOfKin(said, turns) || speaksOfThemself(said, talk))
      )
    return (
      names.length > 0 &&
      (isThird.test(said.raw) ||
        isNamedThird.test(said.raw) ||
        goesOnFromAnother(said, turns) ||
        names.some(({ start }) => possessive.test(said.raw.slice(Math.max(0, start - beforeLength), start))))
    )
  })
}
