import type {
  DangerElement,
  DangerFinding,
  DangerMatter,
  DecisionFinding,
  Finding,
  MedicineFinding,
  MedicineStatus,
} from '../reader/reading.js'

const matterNames: Readonly<Record<DangerMatter, string>> = {
  suicide: 'Suicide',
  self_harm: 'Self-harm',
  harm_to_others: 'Harm to others',
  abuse: 'Abuse or neglect',
  psychosis: 'Psychosis',
}

const elementNames: Readonly<Record<DangerMatter, Partial<Record<DangerElement, string>>>> = {
  suicide: {
    thoughts: 'Suicidal thoughts',
    wish_to_be_dead: 'Wish to be dead',
    plan: 'Suicide plan',
    intent: 'Suicidal intent',
    means: 'Access to means of suicide',
    preparation: 'Preparation for suicide',
    attempt: 'Suicide attempt',
    act: 'Suicidal act',
  },
  self_harm: {
    thoughts: 'Thoughts of self-harm',
    plan: 'Plan to self-harm',
    intent: 'Intent to self-harm',
    means: 'Means of self-harm',
  },
  harm_to_others: {
    thoughts: 'Thoughts of harming others',
    plan: 'Plan to harm others',
    intent: 'Intent to harm others',
    means: 'Access to weapons',
    threat: 'Threat to others',
    violence: 'Violence toward others',
    act: 'Violence toward others',
    attempt: 'Violence toward others',
  },
  abuse: {
    neglect: 'Neglect',
    control: 'Coercive control',
    threat: 'Threats',
    violence: 'Violence or abuse',
  },
  psychosis: {
    voices: 'Hallucinations',
    commands: 'Command hallucinations',
    beliefs: 'Paranoid or unusual beliefs',
  },
}

const statusNames: Readonly<Record<MedicineStatus, string>> = {
  taken: 'taken',
  started: 'started',
  stopped: 'stopped',
  raised: 'dose raised',
  lowered: 'dose lowered',
  kept: 'continued',
  considered: 'considered',
  declined: 'declined',
  past: 'taken in the past',
  mentioned: 'mentioned',
}

const decisionNames: Readonly<Record<DecisionFinding['about'], string>> = {
  appointment: 'Next appointment',
  homework: 'Homework',
  referral: 'Referral or call',
  test: 'Test',
  medicine: 'Decision about a medicine',
  safety_step: 'Step for safety',
  disposition: 'Disposition',
  other: 'Agreement',
}

/** In plain clinical words: "Suicidal thoughts: denied when asked", "Sertraline 50 mg: taken". */
export const labelFinding = (finding: Finding): string => {
  switch (finding.kind) {
    case 'danger':
      return labelDanger(finding)
    case 'medicine':
      return `${nameMedicine(finding)}: ${statusNames[finding.status]}${finding.whose === 'other' ? ', by somebody else' : ''}`
    case 'allergy':
      if (finding.standing === 'denied') return 'Allergies: denied'
      return `Allergy to ${finding.substance}${finding.reaction === null ? '' : `: ${finding.reaction}`}${
        finding.standing === 'unclear' ? ' (not clear)' : ''
      }`
    case 'score':
      return `${finding.name}: ${finding.value}`
    default:
      return `${decisionNames[finding.about]}${finding.standing === 'agreed' ? '' : `: ${finding.standing}`}`
  }
}

/** Not whether it is taken, begun or stopped: of that the reader is right too seldom, and the words say it. */
export const nameMedicine = ({ name, dose }: Pick<MedicineFinding, 'name' | 'dose'>): string =>
  `${name.charAt(0).toUpperCase()}${name.slice(1)}${dose === null ? '' : ` ${dose}`}`

export const nameDanger = ({ matter, element }: Pick<DangerFinding, 'matter' | 'element'>): string =>
  elementNames[matter][element] ?? matterNames[matter]

/** Behind the name of what is only suspected. */
export const possibly = ': possibly spoken of'

const labelDanger = ({
  matter,
  element,
  standing,
  time,
  whose,
  certainty,
  questionItem,
}: DangerFinding): string => {
  const name = nameDanger({ matter, element })
  if (certainty === 'suspected') return `${name}${possibly}`
  const answer =
    standing === 'denied'
      ? questionItem === null
        ? 'denied'
        : 'denied when asked'
      : standing === 'unclear'
        ? 'no clear answer'
        : 'affirmed'
  const past = time === 'past' && standing !== 'denied' ? ', in the past' : ''
  return `${name}: ${answer}${past}${whose === 'other' ? ', of somebody else' : ''}`
}
