import type {
  LiveLines,
  Mdm,
  NoteSection,
  NoteWriter,
  ProgressNote,
  ReviewItem,
  Summary,
  Transcript,
  WidgetClient,
  WidgetClinician,
  WidgetSession,
} from '@casenote/contract'

/** Invented people, and a session of theirs, for the states of the screens. */

export const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

export const at = (day: string, time = '09:30'): string => `2026-${day}T${time}:00.000Z`

export const clinician: WidgetClinician = {
  id: id(1),
  firstName: 'Amara',
  lastName: 'Osei',
  prescriber: true,
  hasModel: true,
  languages: ['en'],
  idleMinutes: 15,
  supervisor: null,
  defaultNoteType: 'soap',
}

export const joanna: WidgetClient = {
  id: id(10),
  firstName: 'Joanna',
  lastName: 'Smith',
  dateOfBirth: '1988-04-12',
  isArchived: false,
  consentedAt: at('10-02'),
}

export const clients: WidgetClient[] = [
  joanna,
  { ...joanna, id: id(11), firstName: 'Johan', lastName: 'Lindqvist', dateOfBirth: '1971-11-30' },
  { ...joanna, id: id(12), firstName: 'Jo', lastName: 'Abara', dateOfBirth: '2001-01-05', isArchived: true },
]

const turns: [speaker: string, transcript: string][] = [
  ['clinician', 'Good to see you again. How has your week been?'],
  ['client', 'Honestly, pretty rough. I have been anxious almost every day, mostly about work.'],
  ['clinician', 'How has your sleep been?'],
  ['client', 'Bad. I wake up around three and then I lie there worrying for an hour or two.'],
  ['clinician', 'Did you get to try the thought record we talked about?'],
  ['client', 'I did it four times. It helped me see that I always assume the worst.'],
  ['clinician', 'That is great work. Let us look at the evidence for and against one of those thoughts.'],
  ['client', 'Okay. The thought was that my boss is going to fire me.'],
  ['clinician', 'What speaks against that thought?'],
  ['client', 'She gave me a new project last week. So probably she trusts me.'],
  ['clinician', 'I want to check on safety. Have you had any thoughts of ending your life?'],
  ['client', 'No, nothing like that.'],
  ['clinician', 'For this week, please keep the thought record and add a walk in the evening.'],
  ['client', 'I can do that. My partner would like to walk with me anyway.'],
  ['clinician', 'Good. We meet again next Tuesday at ten.'],
]

export const transcript: Transcript = {
  id: id(100),
  sessionId: id(100),
  createdAt: at('11-15', '10:25'),
  transcriptItems: turns.map(([speaker, text], index) => ({
    startTime: index * 8,
    endTime: index * 8 + 7.5,
    speaker,
    transcript: text,
  })),
}

type Evidence = NoteSection['evidence'][number]

type Sentence = [sentence: string, transcriptItems: number[], answered?: Partial<Evidence>]

const toSection = (key: string, title: string, sentences: Sentence[], between = ' '): NoteSection => ({
  key,
  title,
  content: sentences
    .map(([sentence]) => `${between}${sentence}`)
    .join('')
    .trim(),
  evidence: sentences.map(([sentence, transcriptItems, answered = {}]) => ({
    sentence,
    transcriptItems,
    supported: answered.judgement !== 'refused',
    judgement: 'verified',
    reason: null,
    ...answered,
  })),
})

export const sections: NoteSection[] = [
  toSection('subjective', 'Subjective', [
    ['Client reports a rough week with anxiety almost every day, mostly about work.', [1]],
    ['Client reports waking around three and worrying for one to two hours.', [3]],
    ['Client completed the thought record four times and noticed a tendency to assume the worst.', [5]],
  ]),
  toSection('objective', 'Objective', [
    ['Client was engaged and examined the evidence for and against the thought of being fired.', [6, 7, 9]],
    ['Affect was appropriate to content.', [], { judgement: 'refused', reason: 'no_evidence' }],
  ]),
  toSection('assessment', 'Assessment', [
    [
      'Anxiety about work with sleep disturbance; catastrophic thinking is recognized by the client.',
      [1, 3, 5],
    ],
    ['Client denied thoughts of ending their life.', [10, 11]],
  ]),
  toSection('plan', 'Plan', [
    ['Continue the thought record and add an evening walk; partner offers to join.', [12, 13]],
    ['Next appointment on Tuesday at ten.', [14]],
  ]),
]

/** One sentence for each way of answering for it. */
/** @public Read by name from the tests. */
export const judgedSections: NoteSection[] = [
  toSection('subjective', 'Subjective', [
    ['Client reports a rough week with anxiety almost every day, mostly about work.', [1]],
    ['Client sleeps 3 hours a night.', [3], { judgement: 'refused', reason: 'number' }],
    ['Client completed the thought record four times.', [5], { judgement: 'exact_checks_only' }],
    ['We called her sister together.', [], { judgement: 'clinicians_words' }],
  ]),
  ...sections.slice(1),
]

/** @public Read by name from the tests. */
export const review: ReviewItem[] = [
  {
    id: 'danger-1-suicide-wish_to_be_dead',
    kind: 'danger',
    label: 'Wish to be dead: affirmed',
    words: 'Some nights I think it would be easier if I just did not wake up.',
    transcriptItems: [3],
    reason: 'not_written',
  },
  {
    id: 'danger-11-suicide-thoughts',
    kind: 'danger',
    label: 'Suicidal thoughts: no clear answer',
    words: 'I mean, not really. Not like that.',
    transcriptItems: [10, 11],
    reason: 'unclear_answer',
  },
  {
    id: 'medicine-5-sertraline',
    kind: 'medicine',
    label: 'Sertraline 50: taken',
    words: 'I take the sertraline, fifty, in the morning.',
    transcriptItems: [5],
    reason: 'no_unit',
  },
  {
    id: 'allergy-7-penicillin',
    kind: 'allergy',
    label: 'Allergy to penicillin: rash',
    words: 'Penicillin gives me a rash all over.',
    transcriptItems: [7],
    reason: 'contradicted',
  },
  {
    id: 'score-9-phq9',
    kind: 'score',
    label: 'PHQ-9: 14',
    words: 'You had a fourteen on the PHQ-9.',
    transcriptItems: [9],
    reason: 'quoted_instead',
  },
  {
    id: 'decision-12-homework',
    kind: 'decision',
    label: 'Homework',
    words: 'Please keep the thought record and add a walk in the evening.',
    transcriptItems: [12],
    reason: 'not_written',
  },
  {
    id: 'decision-14-appointment',
    kind: 'decision',
    label: 'Next appointment',
    words: 'We meet again next Tuesday at ten.',
    transcriptItems: [],
    reason: 'not_written',
  },
]

const quoted = (key: string, title: string, lines: [sentence: string, transcriptItems: number[]][]) =>
  toSection(
    key,
    title,
    lines.map(([line, items]): Sentence => [line, items, { judgement: 'exact_checks_only' }]),
    '\n- ',
  )

/** As it is written without a language model. */
/** @public Read by name from the tests. */
export const extractSections: NoteSection[] = [
  quoted('subjective', 'Subjective', [
    [
      'Client (0:08): “Honestly, pretty rough. I have been anxious almost every day, mostly about work.”',
      [1],
    ],
    [
      'Clinician asked: “How has your sleep been?” Client (0:24): “Bad. I wake up around three and then I lie there worrying for an hour or two.”',
      [2, 3],
    ],
  ]),
  quoted('objective', 'Objective', [['No quote was placed here.', []]]),
  quoted('assessment', 'Assessment', [
    ['Danger:', [10, 11]],
    [
      'Suicidal thoughts: denied. Clinician asked: “Have you had any thoughts of ending your life?” Client (1:28): “No, nothing like that.”',
      [10, 11],
    ],
    ['Also said:', [5]],
    ['Client (0:40): “It helped me see that I always assume the worst.”', [5]],
  ]),
  quoted('plan', 'Plan', [
    [
      'Clinician (1:36): “For this week, please keep the thought record and add a walk in the evening.”',
      [12],
    ],
    ['Clinician (1:52): “We meet again next Tuesday at ten.”', [14]],
  ]),
]

/** @public Read by name from the tests. */
export const extractWriter: NoteWriter = { engine: 'extract', model: 'extract', isExtract: true }

export const note: ProgressNote = {
  id: id(200),
  progressNoteId: id(200),
  sessionId: id(100),
  noteType: 'soap',
  template: {
    noteType: 'soap',
    sessionType: null,
    id: 'soap',
    version: 1,
    title: 'SOAP Note',
    sections: sections.map(({ key, title }) => ({ key, title, holds: key === 'plan' ? ['plan'] : [] })),
  },
  preferences: { treatmentApproaches: [], sessionSetting: null },
  status: 'generated',
  isLoading: false,
  isEmptied: false,
  note: sections,
  review: [],
  goals: [],
  writer: { engine: 'openai', model: 'Qwen3-30B-A3B-Instruct', isExtract: false },
  createdAt: at('11-15', '10:26'),
  updatedAt: at('11-15', '10:26'),
  finalizedAt: null,
  signedBy: null,
  coSignedBy: null,
  coSignature: null,
  addenda: [],
}

export const liveLines: LiveLines = {
  state: 'behind',
  lines: [
    { startTime: 3.2, text: 'How did the week go with the new dose?' },
    { startTime: 6.9, text: 'Better. I slept through most nights, and the mornings are easier.' },
  ],
  draft: [{ startTime: 14.1, text: 'And at work, have you' }],
  after: 1,
  hasMore: false,
}

export const session: WidgetSession = {
  sessionId: id(100),
  sessionExternalId: null,
  client: joanna,
  noteType: 'soap',
  source: 'recording',
  language: null,
  status: 'completed',
  progress: 1,
  stage: 'done',
  stageProgress: null,
  failure: null,
  canWriteAnyway: false,
  canBeTriedAgain: false,
  triedAgainAs: null,
  hasWordsOfTries: false,
  hasAudio: true,
  note: {
    progressNoteId: id(200),
    status: 'generated',
    isLoading: false,
    hasText: true,
    etag: '"1"',
    awaited: null,
  },
  hasTranscript: true,
  isOneVoice: false,
  contextLeftOut: [],
  hasSummary: true,
  hasMdm: true,
  clinicianId: clinician.id,
  isTreated: true,
  correctionOf: null,
  correctedBy: null,
  isWithdrawn: false,
  startedAt: at('11-15'),
  createdAt: at('11-15'),
}

/** What stands below the newest session in the lists. */
export const earlierSessions: WidgetSession[] = [
  {
    ...session,
    sessionId: id(101),
    client: { ...joanna, id: id(11), firstName: 'Johan', lastName: 'Lindqvist' },
    noteType: 'dap',
    stage: 'transcribing',
    startedAt: at('11-15', '08:00'),
  },
  {
    ...session,
    sessionId: id(102),
    noteType: 'medication_management',
    note: { ...session.note, status: 'finalized' },
    startedAt: at('11-08'),
  },
  {
    ...session,
    sessionId: id(103),
    stage: 'failed',
    status: 'failed',
    failure: 'The recording could not be transcribed',
    hasTranscript: false,
    startedAt: at('11-01'),
  },
]

export const summary: Summary = {
  id: id(300),
  summaryId: id(300),
  sessionId: id(100),
  summary:
    'Joanna spoke about an anxious week at work and short nights. She used the thought record four times and found ' +
    'evidence against the fear of losing her job. She will keep the record and add a walk in the evening.',
  createdAt: at('11-15', '10:27'),
}

export const mdm: Mdm = {
  id: id(400),
  mdmId: id(400),
  sessionId: id(100),
  problemsAddressed: [
    {
      problem: 'Anxiety about work',
      level: 'moderate',
      rationale: 'Almost daily symptoms with disturbed sleep; worse than at the last visit.',
      evidence: [1, 3],
    },
    {
      problem: 'Sleep disturbance',
      level: 'low',
      rationale: 'Wakes around three and lies awake for one to two hours.',
      evidence: [3],
    },
  ],
  riskOfComplications: { level: 'low', rationale: 'No medication was changed.', evidence: [12] },
  crisisInterventionIdentified: false,
  crisisInterventionRationale: null,
  crisisInterventionEvidence: [],
  createdAt: at('11-15', '10:27'),
}
