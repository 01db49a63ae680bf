import { findAllMedications, type Medication } from '../../lexicon/medications.js'
import type { Turn } from '../talk/read-talk.js'
import type { Mention, Named } from './mention.js'

/** Who smokes is asked for it within so many items of the patch, before or behind. */
const smokingBefore = 14
const smokingBehind = 6
const smokes =
  /\b(?:smok(?:e|es|ed|er|ing)|cigarettes?|cigs|ciggies|fags|rollies|roll-ups|vap(?:e|es|ed|ing)|nicotine|champix|chantix|varenicline|tobacco|a pack a day|packs? a day|cravings?)\b/
/** A rough patch, a patch of skin and gum disease are none; at the beginning of a clause or behind these it is one that is worn or chewed. */
const replacement =
  /(?<=^|[,.;?!] |\b(?:the|your|them|those|these|wear|wearing|on|and|then|try|tried|want|had|got|get|use|used|using|with|to|of|milligram|mg|\d|one|seven|fourteen) )(?:patch(?:es)?(?! (?:of|on (?:your|my|his|her)|test))|gum(?! (?:disease|infection|clinic|line|shield))|lozenges?|inhalators?|mouth spray|nicotine (?:ones|minis))\b/gi
const ofSomethingElse =
  /\b(?:numb\w*|skin|rash|eczema|psoriasis|hormones?|hrt|oestrogen|estrogen|a lot of gum)\b/i
/** These come as patches, too. */
const otherPatch =
  /^(?:fentanyl|estradiol|buprenorphine|rivastigmine|rotigotine|lidocaine|clonidine|oxybutynin|scopolamine|hyoscine|testosterone|nitroglycerin|glyceryl trinitrate|methylphenidate|selegiline|diclofenac|ketoprofen|capsaicin)/

/** "The patch, twenty-one", "the gum": nicotine, where smoking is what is spoken of and nothing else that comes so was named. */
export const findReplacement = (
  text: string,
  { item }: Turn,
  turns: readonly Turn[],
  seen: ReadonlySet<string>,
): Named[] => {
  const found = [...text.matchAll(replacement)]
  if (found.length === 0 || ofSomethingElse.test(text) || [...seen].some((name) => otherPatch.test(name)))
    return []
  const around = turns.slice(Math.max(0, item - smokingBefore), item + smokingBehind + 1)
  if (!seen.has('nicotine') && !around.some(({ plain }) => smokes.test(plain))) return []
  const [medication] = findAllMedications('nicotine patch').map((one) => one.medication)
  return medication === undefined
    ? []
    : found.map(({ 0: said, index }) => ({ medication, said, start: index, end: index + said.length }))
}

const forms =
  'inhalers?|puffers?|patch(?:es)?|gels?|creams?|ointments?|nasal sprays?|injections?|depots?|jabs?|gumm(?:y|ies)|(?:thyroid|water|blood pressure|heart|cholesterol|sleeping|stomach|sugar|anxiety|nerve|pain|allergy) (?:tablets?|pills?|meds?|medicines?)'
const unnamed = new RegExp(
  `\\b(?:the|my|your|her|his|a|an|that) (?<name>(?:(?:blue|brown|purple|orange|red|pink|green|white|yellow|steroid|hormone|testosterone|cortisone|monthly|weekly) )?(?:${forms}))\\b`,
  'gi',
)
/** With its unit, or as large as no count is: "the thyroid tablet, seventy-five micrograms", "the inhaler, two hundred". */
const doseBeside =
  /^(?:,| is|['’]s| at)? (?:(?:the|at|about|like|still|on) )*(?:[\d.,]+|[a-z]+(?:[ -](?:and|a|half|point|one|two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)){0,4})[ -]?(?:mgs?|milligrams?|mcgs?|micrograms?|units|mls?|mils?|per ?cent|%)(?![a-z])|^,? (?:the |at )?(?:(?:one|two|four|five) hundred|(?:one|two)[ -](?:twenty-five|fifty)|(?:twenty|fifty|seventy)[ -]five|100|125|200|250|400|500)(?![-.]?\w| ?(?:of|times|people|dollars|pounds|years|days))/i

/** "The thyroid tablet, seventy-five micrograms": what nobody names, and yet says how much it is; as it was said. */
export const findUnnamed = (text: string, recent: readonly Mention[]): Named[] =>
  [...text.matchAll(unnamed)].flatMap(({ 0: said, index, groups }) => {
    const name = (groups?.['name'] ?? '').toLowerCase()
    const end = index + said.length
    if (!doseBeside.test(text.slice(end))) return []
    const form =
      name
        .split(' ')
        .at(-1)
        ?.replace(/(?<=ch|sh)es$|s$/, '') ?? name
    // Of what has been named and comes so it is the dose.
    if (recent.some((one) => one.words.toLowerCase().includes(form) || comesAs(one.medication, form)))
      return []
    return [
      {
        medication: toUnnamed(name),
        said: text.slice(end - name.length, end),
        start: end - name.length,
        end,
      },
    ]
  })

const toUnnamed = (generic: string): Medication => ({
  generic,
  brands: [],
  medicationClass: 'common_medical',
  usualStrengths: [],
  unit: 'mg',
})

const formsOf: readonly (readonly [RegExp, RegExp])[] = [
  [
    /^(?:inhaler|puffer)$/,
    /albuterol|salbutamol|terbutaline|formoterol|salmeterol|vilanterol|indacaterol|fluticasone|budesonide|beclometh?asone|mometasone|ciclesonide|tropium|umeclidinium|glycopyrronium/,
  ],
  [/^patch$/, otherPatch],
  [/^patch$|^gum$|^lozenge$|^spray$/, /^nicotine/],
  [
    /^spray$/,
    /^(?:naloxone|esketamine|sumatriptan|fluticasone|mometasone|azelastine|desmopressin|nitroglycerin|glyceryl trinitrate|oxymetazoline|xylometazoline)/,
  ],
  [/^gel$/, /^(?:estradiol|testosterone|diclofenac|adapalene|benzoyl peroxide|ibuprofen|lidocaine)/],
  [
    /^(?:cream|ointment)$/,
    /^(?:hydrocortisone|betamethasone|clobeta|mometasone|triamcinolone|tretinoin|permethrin|clotrimazole|ketoconazole|miconazole|terbinafine|estradiol|estriol|tacrolimus|fusidic)/,
  ],
  [
    /^(?:injection|depot|shot|jab)$/,
    /paliperidone|aripiprazole|risperidone|olanzapine|haloperidol|zuclopenthixol|flupentixol|fluphenazine|naltrexone|buprenorphine|medroxyprogesterone|semaglutide|tirzepatide|dulaglutide|liraglutide|insulin|methotrexate|adalimumab|testosterone|sumatriptan|ketorolac|cyanocobalamin|hydroxocobalamin|denosumab|umab$|epinephrine/,
  ],
  [/^(?:film|strip)$/, /^buprenorphine/],
]

/** Whether a medicine is given in such a form, whatever was said of it. */
export const comesAs = ({ generic }: Medication, form: string): boolean =>
  formsOf.some(([said, names]) => said.test(form) && names.test(generic.toLowerCase()))
