import { findMedications, type MedicationMention } from '../../../lexicon/medications.js'

export interface NamedMedicine {
  /** The same for all names of one medicine. */
  key: string
  /** As it stands in the text. */
  name: string
  start: number
  end: number
  /** The item that has its right name, if it is misheard here. */
  namedIn?: number
}

/** What is taken without a prescription, or named by what it is for: no list of medicines has it, and a note must. */
const everyday =
  /\b(?:iron(?: pills?| tablets?| supplements?)?|prenatal(?: vitamins?)?|multi-?vitamins?|vitamin (?:[a-ek]|b ?(?:6|12|six|twelve))|folic acid|fish oil|omega (?:3|three)|magnesium|calcium|potassium|zinc|probiotics?|(?:water|blood pressure|cholesterol|thyroid) pills?|birth control|inhalers?|st\.? john'?s wort|antacids?|polyethylene glycol|mira ?lax|senna|docusate|colace|stool softeners?|loratadine|claritin|allegra|flonase|famotidine|pepcid|imodium|nyquil|cough syrup|eye drops)\b(?! (?:levels?|deficien\w+))/gi

/** Every medicine that is named in the text, in its order; `listed` are those of the list, where they are known. */
export const findMedicines = (
  text: string,
  listed: readonly MedicationMention[] = findMedications(text),
): NamedMedicine[] => {
  const known = listed.map(({ medication, name, start, end }) => ({
    key: medication.generic,
    name,
    start,
    end,
  }))
  const others = [...text.matchAll(everyday)]
    .map(({ 0: name, index }) => ({ key: name.toLowerCase(), name, start: index, end: index + name.length }))
    .filter(({ start, end }) => !known.some((other) => start < other.end && end > other.start))
  return [...known, ...others].toSorted((a, b) => a.start - b.start)
}
