import type { DecisionFinding, MedicineFinding, MedicineStatus } from '../../reader/reading.js'
import type { Said } from './read-turns.js'

/** Words without which a status would be a guess; a closed form says nothing that its quote does not. */
const statusWords: Readonly<Partial<Record<MedicineStatus, RegExp>>> = {
  taken:
    /\b(?:tak(?:e|es|en|ing)|took|i(?:['’]m| am) on|still on|been on|on (?:the|my)|us(?:e|es|ing)|yes|yeah|yep|have (?:the|my|an?)|got (?:the|my)|(?:once|twice|times|every|a) (?:a )?(?:day|night|morning|week)|at (?:night|bedtime)|in the (?:morning|evening)|miss(?:ed)?)\b/i,
  started:
    /\b(?:start\w*|begin|began|begun|put (?:me|you|him|her) on|try|prescri\w*|new|add(?:ed|ing)?|gave me|give you)\b/i,
  stopped:
    /\b(?:stop\w*|quit|came off|come off|coming off|discontinu\w*|off (?:it|of|the|my)|no longer|don['’]t take|not taking|ran out)\b/i,
  raised: /\b(?:up|increas\w*|rais\w*|bump\w*|higher|more|doubl\w*)\b/i,
  lowered: /\b(?:down|decreas\w*|lower\w*|reduc\w*|cut|less|taper\w*|halv\w*|wean\w*)\b/i,
  kept: /\b(?:keep|kept|stay\w*|continu\w*|same|stick|leave|remain\w*|hold|carry on)\b/i,
  declined: /\b(?:no|not|don['’]t|won['’]t|wouldn['’]t|rather|declin\w*|refus\w*)\b/i,
  past: /\b(?:was|were|had|did|tried|used to|took|before|years? ago|back (?:in|when)|stopped|kid|made)\b/i,
}

const textOf = (quoted: readonly Said[]): string => quoted.map(({ raw }) => raw).join(' ')

export const readStatus = ({ status }: MedicineFinding, quoted: readonly Said[]): MedicineStatus =>
  statusWords[status]?.test(textOf(quoted)) === false ? 'mentioned' : status

const whenTaken =
  /\b(?:day|daily|days|night|nightly|morning|evening|noon|bed|bedtime|week|weekly|month|monthly|needed|hours?|meals?|breakfast|lunch|dinner|once|twice)\b/i

export function readUse({ use }: MedicineFinding, quoted: readonly Said[]): string | null {
  if (use === null) return null
  const said = textOf(quoted).toLowerCase()
  const words = use.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
  return whenTaken.test(use) && words.every((word) => said.includes(word)) ? use : null
}

/** Words without which a decision would be of another kind, or none. */
const decisionWords: Readonly<Partial<Record<DecisionFinding['about'], RegExp>>> = {
  appointment:
    /\b(?:week|weeks|month|months|day|days|tomorrow|tonight|next|same time|o['’]?clock|\w+day|january|february|march|april|may|june|july|august|september|october|november|december|first|second|third|\w+th|noon|at \w+)\b/i,
  homework:
    /\b(?:homework|practi[cs]\w*|try|write|track|log|journal|record|worksheet|this week|for the week|every|each|daily|twice|once|until|between now|next time|exercise|bring|read|walk|minutes)\b/i,
  referral:
    /\b(?:refer\w*|see|send|group|clinic|doctor|dr|therap\w*|specialist|program|talk to|call|names?)\b/i,
  test: /\b(?:tests?|labs?|bloods?|scan|x-?ray|ultrasound|mri|level|e[kc]g|urine|swab|screen\w*|check|questionnaire|repeat)\b/i,
  medicine:
    /\b(?:mg|milligrams?|dose|pills?|tablets?|med\w*|take|start|stop|keep|raise|lower|increase|decrease|add|try|switch|continue|stay|go (?:up|down|to)|bump|prescri\w*|refill|hundred|\w+ty)\b/i,
  safety_step:
    /\b(?:safe\w*|988|nine eight eight|crisis|hotline|emergency|911|999|lock\w*|guns?|pistol|rifle|shotgun|pills|hospital|a and e|call|tell|text)\b/i,
  disposition: /\b(?:hospital|emergency|admi\w*|discharg\w*|home|inpatient|ward|unit)\b/i,
}

export const isDecided = ({ about }: DecisionFinding, quoted: readonly Said[]): boolean =>
  decisionWords[about]?.test(textOf(quoted)) !== false
