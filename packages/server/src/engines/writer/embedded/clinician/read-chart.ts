import { shiftSecondPerson } from '../../text/shift-person.js'
import { countWords } from '../../text/tokenize-words.js'
import type { Spoken } from '../talk/read-session.js'
import type { Topic } from '../talk/topics.js'

/** Histories that a clinician reads out from a chart, to be confirmed. */
const readOut: ReadonlySet<Topic> = new Set(['medical', 'allergy', 'medication', 'psychiatric_history'])

/** "And your medical problems? I have asthma, and the knee replacement.": what the chart has, and not the clinician. */
export const readChart = (
  { clean, asks, previous }: Spoken,
  hide: (text: string) => string,
): string | null => {
  if (asks || previous?.asks !== true || !previous.topics.some((topic) => readOut.has(topic))) return null
  const what =
    /^(?:so |here )*(?:I|we)(?: have|'ve got| have got| see) (?:here |you down (?:for|as|with) |down |on file |in the chart )*(?<what>[^?]+?)[.\s]*$/i.exec(
      hide(clean),
    )?.groups?.['what']
  return what === undefined ||
    countWords(what) < 1 ||
    /^(?:a (?:question|few|couple)|to|that|it|your)\b/i.test(what)
    ? null
    : `${shiftSecondPerson(what, { isNamed: true })} (per clinician)`
}
