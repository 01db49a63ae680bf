import { expandContractions } from '../../text/expand-contractions.js'
import { countWords } from '../../text/tokenize-words.js'
import { toGerund } from '../../text/verb-forms.js'
import type { ClinicianContext, ClinicianWording, Reader } from '../statement/clinician-wording.js'
import { readAssessment, readMeasure, readObservation } from './read-finding.js'
import { readCrisisLine } from './read-crisis-line.js'
import { readExercise } from './read-exercise.js'
import { readReflection, readSummary, readTeaching } from './read-intervention.js'
import { readLooseOrder, readLoosePlan } from '../plan/read-loose-plan.js'
import { readOccasion } from '../plan/read-occasion.js'
import { readArrangement, readContingency, readImperative, readStep, readVisit } from '../plan/read-plan.js'
import { readProposal, readSuggestion } from '../plan/read-proposal.js'
import { readResult } from './read-result.js'

/** What a sentence of the clinician contributes, in the third person; null for what does not belong in a note. */
export const wordClinician = (clean: string, context: ClinicianContext): ClinicianWording | null => {
  const text = straighten(expandContractions(clean))
    .replace(/[.!?…]+$/, '')
    .replace(/^(?:maybe|please) (?=\w+ \w+ \w+)/i, '')
    .replace(/\b(I (?:would|want|will|am)|let us|we (?:will|would)) (?:also|just|really|still) /gi, '$1 ')
    .replace(/\byou both\b|\bboth of you\b/gi, 'both participants')
    .trim()
  if (countWords(text) < 3) return null
  for (const read of readers) {
    const wording = read(text, context)
    if (wording !== null) return { ...wording, text: wording.text.replace(trailing, '') }
  }
  return null
}

/** "… if that's okay": leave that is asked for, and stress. */
const trailing =
  /(?:,? (?:too|as well|for me|if (?:that is|you are|it is) (?:okay|alright|all right|fine|good)(?: with (?:you|client|them|that))?))+$/i

/** "I'm referring you for therapy": done by saying so. */
const announcedVerbs = [
  'refer',
  'send',
  'order',
  'add',
  'start',
  'raise',
  'lower',
  'increase',
  'prescribe',
  'schedule',
]

const leads: readonly [RegExp, string][] = [
  [/^someone, /i, ''],
  [/^that is why (?=(?:we|I)\b)/i, ''],
  [/^(?:and )?(?:just )?so (?:that )?you have (?:it|that|them|the number),? (?=\w)/i, ''],
  [/^(?:(?:so|and|okay|alright|well|now|then|but|good|great|also)[, ]+)+(?=\S)/i, ''],
  [/^what I would like (you )?(?:to do )?is (?:to |for you to )?(?=[a-z])/i, 'I would like $1to '],
  // "What I'd like to try today is the three piles."
  [
    /^what I would like (?:us )?to (\w+)(?: today| now| next)? is (?=(?:the|an?|some|your) )/i,
    'I would like to $1 ',
  ],
  // "Let's try something this week, it's called response prevention."
  [
    /\btry(?:ing)? something(?<when>(?: this week| today| now| new)*),? (?:(?:it|that|which) is )?called (?:an? |the )?(?<what>[\w -]+)$/i,
    'try $<what>$<when>',
  ],
  [/^what I would like (this week|next week|by \w+) is (?=(?:the|an?|some|your) )/i, '$1: '],
  [/,? and someone,?$/i, ''],
  [/^here is what (?:I|we) (?:am thinking|would like|will do)(?: to do)?[:,.]? ?/i, ''],
  [
    /^(?:I am thinking|I think|my thought is)(?: that)?,? (?=(?:let us|we (?:will|should|can|could|keep|stay|need))\b)/i,
    '',
  ],
  // Said in the present, meant from now on.
  [
    /(^|, )we (?=(?:keep|stay|do|meet|continue|start|stop|go|hold|leave|check|add|set|drop|cut)\b(?! not\b))/gi,
    '$1we will ',
  ],
  // "What I'd suggest is once a week."
  [/^(?:then )?what I would (suggest|recommend|propose) is (?=\w+ \w)/i, 'I would $1 '],
  [/^(?:meanwhile|for now|in the meantime),? (?=(?:I|we)\b)/i, ''],
  [/^(?:today )?I am giving you /i, 'I will give you '],
  ...announcedVerbs.map((verb): [RegExp, string] => [
    new RegExp(`^I am ${toGerund(verb)} (?=\\S+ \\S)`, 'i'),
    `I will ${verb} `,
  ]),
  [/^(if [^,]+), (?:then )?you (?=(?:tell|call|go|pull|text|come|use|take|let)\b)/i, '$1, '],
  [/^(?:to me|in my (?:view|opinion)),? (?=(?:it|this|that|you)\b)/i, ''],
  [/ to me(?= today\b| and\b| like\b|,|$)/i, ''],
]

/** A plan is a plan however it is announced. */
const straighten = (text: string): string =>
  leads.reduce((straight, [pattern, replacement]) => straight.replace(pattern, replacement), text)

/** The plainest first: a number that was measured, an appointment; then what needs interpretation. */
const readers: readonly Reader[] = [
  readMeasure,
  readCrisisLine,
  readResult,
  readContingency,
  readStep,
  readVisit,
  readOccasion,
  readProposal,
  readSuggestion,
  readExercise,
  readArrangement,
  readObservation,
  readReflection,
  readAssessment,
  readImperative,
  readLooseOrder,
  readLoosePlan,
  readTeaching,
  readSummary,
]
