import { isCommonWord } from '../../lexicon/common-words.js'
import { givenNames } from '../../lexicon/given-names.js'
import type { Medication } from '../../lexicon/medications.js'
import { tokenizeWords, type WordToken } from '../../text/tokenize-words.js'
import type { Named } from './mention.js'

/** Shorter words are too often names of people and letters. */
const lengthMin = 5
/** Endings that the names of substances have by their class, and that English words have not. */
const endsLikeSubstance =
  /(?:olol|pril|sartan|statin|prazole|conazole|dipine|cillin|mycin|floxacin|cycline|gliptin|gliflozin|glutide|triptan|setron|xaban|oxetine|azepam|azolam|peridol|barbital|lukast|umab|izumab|ximab|tinib|ciclib|tegravir|buvir|thiazide|semide|dronate|denafil|dalafil|zosin|fibrate|profen|oxicam|coxib|codone|morphone|triptyline|pramine|faxine|vudine|tropium|giline|gepant|orexant|piprazole|glitazone)$/
/** What stands before a dose and is no name: forms, kinds, pieces and numbers. */
const isNoName =
  /^(?:tablets?|caplets?|capsules?|lozenges?|ointments?|sachets?|inhalers?|puffers?|nebuli[sz]ers?|syrups?|gels?|lotions?|creams?|antibiotics?|antidepressants?|antihistamines?|steroids?|statins?|opioids?|opiates?|preventers?|relievers?|diuretics?|sedatives?|stimulants?|painkillers?|anticoagulants?|insulins?|vitamins?|supplements?|bedtime|nighttime|milligrams?|micrograms?|mgs|dosage|dosages|titrat\w+|taper\w*|cocaine|caffeine|fentanyl|thc|cbd|creatinine|potassium|sodium|glucose|ferritin|hemoglobin|haemoglobin|cholesterol|triglycerides|roughly|approx\w*|thinners?|softeners?|blockers?|boosters?|killers?|relaxants?|okay|yeah|yep|mmm?|hmm|gonna|wanna|whatsit|doctor|january|february|march|april|may|june|july|august|september|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|christmas|easter|covid|medicare|medicaid|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand)$/
const unit = '(?:mgs?|milligrams?|mcgs?|micrograms?|mls?|mils?|units)'
const figure =
  '(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|point|half|and|a)'
/** "Zenflow, a hundred milligrams", "Zenflow 100 mg". */
const doseBehind = new RegExp(
  `^,? (?:(?:the|at|about|like) )?(?:\\d[\\d.,]*[ -]?|(?:${figure}[ -]){1,6})${unit}\\b`,
  'i',
)
/** "A hundred milligrams of Zenflow". */
const doseBefore = new RegExp(`\\b${unit} of (?:the |that |this |my |your )?$`, 'i')
/** What is taken, given, tried or called so. */
const taken =
  /\b(?:tak(?:e|es|ing)|took|called|prescribed?|(?:gave|give|giving|given|got) (?:me|you|him|her|us)|(?:put|start(?:ed|ing)?|keep|kept|had) (?:me|you|him|her) on|start(?:ed|ing)? on|switch(?:ed|ing)? (?:me |you |him |her )?(?:to|over to)|tried|refills? (?:of|on|for)|doses? of|(?:i'm|you're|he's|she's|been|was|still|back|now) on|using|applying) (?:(?:some|the|a|an|my|your|her|his|this|that|um|uh|like|just|generic)[ ,]+){0,2}$/i
const reach = 60

const toMedication = (lower: string): Medication => ({
  generic: lower,
  brands: [],
  medicationClass: 'common_medical',
  usualStrengths: [],
  unit: 'mg',
})

/** How sure it is that medicines are spoken of: nothing else, that it is likely, that it is plain. */
export type AboutMedicines = 'no' | 'likely' | 'surely'

const isForm = /^(?:gummies|chewables?|drops|granules|powders?|liquids?|melts|films?|strips?|gels|caplets?)$/
const whatFor = /\bfor (?:(?:my|her|his|your|their|the) )$/i

/** Names that no list has: by their ending, by a dose beside them, or by being what is taken in talk that is plainly of medicines. */
export const findUnlisted = (
  text: string,
  known: readonly { start: number; end: number }[],
  about: AboutMedicines,
  seen: ReadonlySet<string>,
): Named[] =>
  tokenizeWords(text).flatMap((token, index) => {
    const { start, end } = token
    const lower = token.lower.replace(/'s$/, '')
    if (!mayBeName(lower) || known.some((one) => start < one.end && end > one.start)) return []
    return seen.has(lower) || isNamed(text, token, index, about)
      ? [{ medication: toMedication(lower), said: token.text.replace(/['’]s$/i, ''), start, end }]
      : []
  })

const mayBeName = (lower: string): boolean =>
  lower.length >= lengthMin && /^[a-z]+$/.test(lower) && !isNoName.test(lower) && !isCommonWord(lower)

const isNamed = (
  text: string,
  { text: word, lower, start, end }: WordToken,
  index: number,
  about: AboutMedicines,
): boolean => {
  if (endsLikeSubstance.test(lower)) return true
  if (about === 'no' || givenNames.has(lower)) return false
  const before = text.slice(Math.max(0, start - reach), start)
  // "Melatonin, the gummies, five milligrams", "solifenacin, for her waterworks, five": its form, and what it is for.
  if (isForm.test(lower) || whatFor.test(before)) return false
  if (doseBehind.test(text.slice(end, end + reach)) || doseBefore.test(before)) return true
  return about === 'surely' && index > 0 && /^\p{Lu}/u.test(word) && taken.test(before)
}
