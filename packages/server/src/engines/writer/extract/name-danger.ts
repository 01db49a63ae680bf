import type { DangerElement, DangerFinding, DangerMatter, Standing } from '../../reader/reading.js'
import { isPlainNo } from './is-plain-no.js'
import type { Said } from './read-turns.js'

const names: Readonly<Record<DangerMatter, Readonly<Partial<Record<DangerElement, string>>>>> = {
  suicide: {
    thoughts: 'Suicidal thoughts',
    wish_to_be_dead: 'Wish to be dead',
    plan: 'Suicide plan',
    intent: 'Suicidal intent',
    means: 'Means for suicide',
    preparation: 'Preparation for suicide',
    attempt: 'Suicide attempt',
    act: 'Suicidal act',
    threat: 'Threat of suicide',
    commands: 'Voices that command suicide',
    unspecified: 'Suicide',
  },
  self_harm: { thoughts: 'Thoughts of self-harm', plan: 'Plan of self-harm', unspecified: 'Self-harm' },
  harm_to_others: {
    thoughts: 'Thoughts of harming others',
    plan: 'Plan to harm others',
    intent: 'Intent to harm others',
    means: 'Means for harming others',
    threat: 'Threat to others',
    commands: 'Voices that command harm to others',
    violence: 'Violence toward others',
    act: 'Violence toward others',
    unspecified: 'Harm to others',
  },
  abuse: {
    violence: 'Violence or abuse',
    neglect: 'Neglect',
    control: 'Control by another person',
    threat: 'Threats by another person',
    unspecified: 'Abuse or neglect',
  },
  psychosis: {
    voices: 'Voices',
    commands: 'Commanding voices',
    beliefs: 'Unusual beliefs',
    unspecified: 'Psychosis',
  },
}

/** "Suicidal thoughts (past): denied" */
export function nameDanger(
  { matter, element, time, whose, standing }: DangerFinding,
  quoted: readonly Said[],
): string {
  const name = names[matter][element] ?? names[matter].unspecified ?? matter
  const remarks = [time === 'past' ? 'past' : '', whose === 'other' ? 'another person' : ''].filter(Boolean)
  return `${name}${remarks.length > 0 ? ` (${remarks.join(', ')})` : ''}: ${readStanding(standing, quoted)}`
}

/**
 * The mark beside a quote is held against the quote: "denied" needs a plain no after the question, and what opens with one is
 * not "affirmed", whatever the reader made of it. What somebody told by themself is as the reader has it.
 */
function readStanding(standing: Standing, quoted: readonly Said[]): Standing {
  const at = quoted.findLastIndex((said) => said.speaker === 'clinician' && said.asks)
  const answer = at < 0 ? undefined : quoted.slice(at + 1).find((said) => said.speaker !== 'clinician')
  if (answer === undefined) return standing
  return isPlainNo(answer.text) === (standing === 'denied') ? standing : 'unclear'
}
