import { isCommonWord } from '../../../lexicon/common-words.js'
import { findMedications } from '../../../lexicon/medications.js'
import { findTopics } from './topics.js'

export const capitalOf = (clean: string): string | null => {
  const [first] = findMedications(clean)
  return first?.start === 0 &&
    /^[A-Z]/.test(first.name) &&
    first.name.toLowerCase() !== first.medication.generic
    ? first.name
    : null
}

/** "Texas.": a word that is in no list of common ones keeps the capital that it was heard with. */
export const isUncommon = (text: string): boolean => {
  const first = /^[A-Z][a-z]{2,}(?![a-z'’-])/.exec(text)?.[0]
  return (
    first !== undefined &&
    !/(?:th|ly|ing|ed|er)$/.test(first) &&
    !isCommonWord(first) &&
    findTopics(first).length === 0
  )
}
