import { countWords } from '../../text/tokenize-words.js'
import { quoteWordsMax } from './find-risk-quote.js'
import type { NameHider } from '../talk/hide-names.js'
import type { Session } from '../talk/read-session.js'
import type { RiskFinding } from './risk-finding.js'
import type { Statement } from '../statement/statement.js'

const clip = (said: string): string =>
  said
    .replace(/["“”]/g, '')
    .split(/\s+/)
    .slice(0, quoteWordsMax)
    .join(' ')
    .replace(/[.!?…,;:]+$/, '')

/**
 * What was asked and said of danger in its own words, for where the writer's would not be borne out: a marked sentence
 * leaves the reader to guess what was said. Null where a name would be shown.
 */
export const quoteRisk = (
  { statement, said }: RiskFinding,
  session: Session,
  names: NameHider,
): Statement | null => {
  const first = session.sentences.find(({ order }) => order === statement.order)
  const isAsked = first?.role === 'clinician'
  const [asked, answered] = [clip(isAsked ? first.said : ''), clip(said)]
  const isShown = countWords(answered) > 0 && [asked, answered].every((text) => names.hide(text) === text)
  if (!isShown) return null
  const who = statement.role === 'client' ? 'client' : 'a participant'
  const told =
    statement.role === 'clinician'
      ? `clinician asked, "${asked}", unanswered`
      : isAsked
        ? `asked, "${asked}", ${who} responded, "${answered}"`
        : `${who} stated, "${answered}"`
  return { ...statement, text: `${told}; clinician review required` }
}
