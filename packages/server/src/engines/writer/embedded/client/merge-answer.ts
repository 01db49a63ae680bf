import { expandContractions } from '../../text/expand-contractions.js'
import { removeDisfluencies } from '../../text/remove-disfluencies.js'
import { baseOfIrregular, toGerund } from '../../text/verb-forms.js'

const amount =
  /^(?:about |maybe |around |probably |almost |like |at least |more like |over )*(?:once|twice|every|each|daily|weekly|most|all|a|an|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|couple|few|several|half|none|zero|since|\d)/i

/** "How often are you missing it?" – "Once a week.": "missing it once a week". Null where they do not fit together. */
export const mergeAnswer = (question: string, rest: string): string | null => {
  const asked = expandContractions(removeDisfluencies(question))
    .replace(/[?.!\s]+$/, '')
    .replace(/\byour\b/gi, 'their')
    .replace(/\byou\b/gi, 'they')
    .replace(/^(?:so|and|okay|but|then)[, ]+/i, '')
    .replace(/,? (?:right now|these days|now|all ?together|in total|total)$/i, '')
  if (!amount.test(rest)) return null
  const often = /^how (?:often|frequently) (?:are|were|do|did|have) they (?:been )?(\w+)(.*)$/i.exec(asked)
  if (often !== null) return `${asDoing(often[1] ?? '')}${often[2] ?? ''} ${rest}`
  const long = /^how long have they been (\w+)(.*)$/i.exec(asked)
  if (long !== null) {
    const [, word = '', tail = ''] = long
    const lead = word.endsWith('ing') ? `${word}${tail}` : `being ${word}${tail}`
    return `${lead} ${/^(?:since|for|about since)/i.test(rest) ? '' : 'for '}${rest}`
  }
  const hours =
    /^how many (?<unit>hours|minutes) (?:are|were|do|did) they (?:usually |normally |typically |mostly )?(?<verb>\w+)(?<tail>.*)$/i.exec(
      asked,
    )?.groups
  if (hours !== undefined && !rest.includes(' hour'))
    return `${asDoing(hours['verb'] ?? '')} ${rest} ${hours['unit'] ?? ''}${hours['tail'] ?? ''}`
  const take = /^how long (?:do|did|does|is|was) it (?:take|taking)(?: they| them)? to (?<what>.+)$/i.exec(
    asked,
  )?.groups?.['what']
  if (take !== undefined) return `taking ${rest} to ${take}`
  const many =
    /^how many ([a-z]+(?: [a-z]+)?)(?: (?:this|last|in the last|per|a|each) \w+| since .+)?(?: (?:are|do|did|have|were) they (?:getting|get|have|having|had|been getting))?(?:,? (?:all|or) .*)?$/i.exec(
      asked,
    )
  if (many === null || !/^(?:about |maybe |like )?[\w-]+(?:,|$)/.test(rest)) return null
  const [count = '', ...others] = rest.split(', ')
  const thing = asked
    .replace(/^how many /i, '')
    .replace(/ since .*$/i, '')
    .replace(/ (?:are|do|did|have|were) they (?:getting|get|have|having|had|been getting).*$/i, '')
  return `${count} ${thing}${others.length === 0 ? '' : ` (${others.join(', ')})`}`
}

const asDoing = (verb: string): string =>
  verb.endsWith('ing') ? verb : toGerund(baseOfIrregular(verb.toLowerCase()) ?? verb.toLowerCase())
