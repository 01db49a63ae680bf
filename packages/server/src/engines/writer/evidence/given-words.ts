/** The client's own words need evidence, whatever they name. */
const ofClient =
  /^\W*(?:client|patient|a participant|reports|reported|states|stated|denie[sd]|endorse[sd])\b/i

/** The sentence without the names that the clinician gave with the session, which nobody has to have said. */
export const withoutGiven = (sentence: string, given: readonly string[]): string => {
  if (given.length === 0 || ofClient.test(sentence)) return sentence
  return given.reduce(
    (text, name) => (name.trim() === '' ? text : text.replaceAll(new RegExp(escape(name.trim()), 'gi'), ' ')),
    sentence,
  )
}

const escape = (text: string): string => `\\b${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}\\b`
