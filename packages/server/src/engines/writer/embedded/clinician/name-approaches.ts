import type { Placed, Statement } from '../statement/statement.js'

/** What shows an approach in a session (clinical sheet 2.2), by words of its name. */
const techniques: readonly (readonly [name: RegExp, shown: RegExp])[] = [
  [
    /cognitive.?behaviou?ral|\bCBT\b/i,
    /\b(?:automatic thoughts?|thought records?|distortions?|refram\w+|restructur\w+|evidence|fairer|balanced|catastroph\w+|core beliefs?|behaviou?ral activation|experiment|what you predict|worry time|CBT|all or nothing)\b/i,
  ],
  [
    /dialectical|\bDBT\b/i,
    /\b(?:TIPP|DEAR MAN|wise mind|opposite action|radical acceptance|distress tolerance|diary cards?|chain|emotion regulation|DBT)\b/i,
  ],
  [
    /motivational|\bMI\b/i,
    /\b(?:scale of zero to ten|how important|how confident|readiness|pros and cons|ambivalen\w+|change talk|why a \w+ and not)\b/i,
  ],
  [
    /\bEMDR\b|eye movement/i,
    /\b(?:bilateral|reprocess\w*|EMDR|target memory|calm place|safe place|tapping)\b/i,
  ],
  [
    /acceptance and commitment|\bACT\b/,
    /\b(?:defusion|values|willingness|committed action|observing self|leaves on a stream)\b/i,
  ],
  [
    /exposure|\bERP\b|response prevention/i,
    /\b(?:exposure|hierarchy|ladder|response prevention|on purpose|stay(?:ed)? in it|urge)\b/i,
  ],
  [/behaviou?ral activation/i, /\b(?:behaviou?ral activation|schedule (?:one|an) activit\w+|small steps)\b/i],
  [/mindful/i, /\b(?:mindful\w*|body scan|breath\w*|notice (?:your|the)|meditat\w+)\b/i],
  [/internal family|\bIFS\b|parts work/i, /\b(?:parts?|protector|exile|younger (?:you|self))\b/i],
  [
    /insomnia|CBT-?I\b/i,
    /\b(?:sleep hygiene|stimulus control|sleep (?:restriction|window|diary)|out of bed)\b/i,
  ],
  [
    /trauma.?focused|\bCPT\b|prolonged exposure/i,
    /\b(?:stuck points?|impact statement|trauma narrative|grounding)\b/i,
  ],
  [/psychoeducation/i, /\b(?:explained|psychoeducation)\b/i],
  [/solution.?focused/i, /\b(?:miracle question|exceptions?|scaling)\b/i],
]

const showsApproach = (approach: string, text: string): boolean =>
  text.toLowerCase().includes(approach.toLowerCase()) ||
  techniques.some(([name, shown]) => name.test(approach) && shown.test(text))

/**
 * Names an approach that the clinician gave with the first intervention that shows it. One that nothing of the session
 * shows is not named: the note would claim what was not delivered.
 */
export const nameApproaches = (placed: readonly Placed[], approaches: readonly string[]): Placed[] =>
  approaches
    .map((approach) => approach.trim())
    .filter((approach) => approach !== '')
    .reduce<Placed[]>(
      (named, approach) => {
        const at = named.findIndex(
          ({ statement }) => isIntervention(statement) && showsApproach(approach, statement.text),
        )
        return named.map((entry, index) => (index === at ? withApproach(entry, approach) : entry))
      },
      [...placed],
    )

const isIntervention = ({ kind, role, text }: Statement): boolean =>
  kind === 'intervention' && role === 'clinician' && !text.endsWith(')')

const withApproach = ({ section, statement }: Placed, approach: string): Placed => ({
  section,
  statement: statement.text.toLowerCase().includes(approach.toLowerCase())
    ? { ...statement, isMandatory: true }
    : { ...statement, text: `${statement.text} (${approach})`, isMandatory: true },
})
