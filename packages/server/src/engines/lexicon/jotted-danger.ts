import { FIREARM_WORDS } from './firearm-words.js'

/**
 * Whether a clinician's own shorthand speaks of suicide or of harm to others. Narrower than the words by which a note's
 * sentence is compared with a finding (`CLAIM_WORDS`): nothing stands beside a jotted line that would say what is meant by
 * "cutting down" or "said hi", and a line that is left out for nothing makes an empty risk section read as a denial.
 */

const self = '(?:my|him|her|them|their|your|one)sel(?:f|ves)'
const whose = '(?:my|his|her|their|your)'
const firearms = `${FIREARM_WORDS}|weapons?|kni(?:fe|ves)`
/** "Hit her head" is an accident. */
const bodyParts =
  '(?:head|knees?|legs?|arms?|hands?|foot|feet|toes?|fingers?|thumb|ankles?|wrists?|elbows?|shoulders?|back|neck|hips?|ribs?|nose|face|feelings)\\b'
const others = `(?:others|other people|people|some(?:one|body)|any(?:one|body)|him|her|them|(?:${whose}|the) (?!${bodyParts})\\w+)\\b`
const wishes =
  '(?:want(?:s|ed|ing)?|wish(?:es|ed)?|thoughts?|thinks|thinking|urges?|plans?|planned|planning|going|threat|threats|threaten(?:s|ed|ing)?|intends?|fantas\\w+|feels? like|felt like|tempted)'

/** Capitals alone say what they are; typed in a hurry, the words beside them do. */
const shorthand = (letters: 'si' | 'hi'): RegExp[] => [
  new RegExp(`\\b${letters.toUpperCase()}\\b`),
  new RegExp(
    `^\\W*${letters}\\W*$|\\b(?:passive|active|chronic|current|fleeting|denie[sd]|deny|denying|endorse[sd]?|no|any|si ?[/,&+]|or) ?${letters}\\b|\\b${letters} ?(?:[/,&+] ?[sh]i|denied|absent|present|none|passive|active|(?:with|without|w/o) (?:plan|intent))\\b`,
    'i',
  ),
]

export const suicideWords: readonly RegExp[] = [
  /\b(?:suicid\w*|self[- ]?(?:harm|injur|mutilat)\w*|nssi|overdos\w*|od['’]?d|better off dead|death wish)\b/i,
  new RegExp(
    `\\b(?:kill|hurt|harm|hang|shoot|shot|cut|burn|injur|drown)(?:e|s|ed|ing|ting)? ${self}\\b|\\b(?:end|tak)(?:e|s|ed|ing)? ${whose} (?:own )?life\\b|\\bcut(?:s|ting)? (?:on |to )?(?:${whose} )?(?:fore)?(?:arm|wrist|leg|thigh)s?\\b`,
    'i',
  ),
  /\b(?:want|wish|hop)(?:e|s|es|ed|ing)? (?:to (?:die|be dead)|(?:i|he|she|they) (?:was|were) dead)\b|\b(?:thoughts? of|thinking (?:of|about)) (?:death|dying)\b|\b(?:not|n['’]t|never|no longer) (?:wants?|wanting) to (?:live|be alive|be here|wake up|exist)\b|\bnot wak(?:e|ing) up\b/i,
  ...shorthand('si'),
]

/** Of harm to others, without the weapons. */
export const threatWords: readonly RegExp[] = [
  /\b(?:homicid\w*|harm to others|violent (?:thoughts?|images?|urges?|fantas\w+|impulses?|outbursts?|behaviou?rs?)|(?:no|any|denie[sd]|denying|history of|hx of|past) violence|violen(?:t|ce) (?:to|towards?|against|with))\b/i,
  /\bhurt(?:ing)? (?:others|some(?:one|body))\b/i,
  new RegExp(
    `\\b${wishes}(?: \\w+){0,3} (?:hurt|harm|kill|hit|stab|shoot|attack|punch|strangle?|beat|chok)(?:e|ing|ting)? (?:up )?${others}`,
    'i',
  ),
  ...shorthand('hi'),
]

const weaponWords = [
  new RegExp(`\\b(?:${firearms})\\b(?! (?:shop|store|show|range|club|control|violence|laws?)\\b)`, 'i'),
]

const mentions = (jotted: readonly string[], words: readonly RegExp[]): boolean =>
  jotted.some((line) => words.some((word) => word.test(line)))

/** What the pad speaks of is not said to be unmentioned, whether it was asked or not. */
export const mentionsSuicide = (jotted: readonly string[]): boolean => mentions(jotted, suicideWords)
export const mentionsViolence = (jotted: readonly string[]): boolean =>
  mentions(jotted, [...threatWords, ...weaponWords])
