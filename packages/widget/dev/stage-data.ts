import type {
  Mdm,
  NoteSection,
  ProgressNote,
  Summary,
  Transcript,
  WidgetAssessments,
  WidgetClient,
  WidgetClinician,
  WidgetSession,
} from '@casenote/contract'

/** Invented people, and a session of theirs, for the states of the screens. */

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`

const at = (day: string, time = '09:30'): string => `2026-${day}T${time}:00.000Z`

export const clinician: WidgetClinician = {
  id: id(1),
  firstName: 'Amara',
  lastName: 'Osei',
  prescriber: true,
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

type Sentence = [sentence: string, transcriptItems: number[], supported?: boolean]

const toSection = (key: string, title: string, sentences: Sentence[]): NoteSection => ({
  key,
  title,
  content: sentences.map(([sentence]) => sentence).join(' '),
  evidence: sentences.map(([sentence, transcriptItems, supported = true]) => ({
    sentence,
    transcriptItems,
    supported,
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
    ['Affect was appropriate to content.', [], false],
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

export const note: ProgressNote = {
  id: id(200),
  progressNoteId: id(200),
  sessionId: id(100),
  noteType: 'soap',
  template: {
    noteType: 'soap',
    sessionType: null,
    title: 'SOAP Note',
    sections: sections.map(({ key, title }) => ({ key, title })),
  },
  preferences: { treatmentApproaches: [], sessionSetting: null },
  status: 'generated',
  isLoading: false,
  note: sections,
  createdAt: at('11-15', '10:26'),
  updatedAt: at('11-15', '10:26'),
  finalizedAt: null,
}

export const session: WidgetSession = {
  sessionId: id(100),
  sessionExternalId: null,
  client: joanna,
  noteType: 'soap',
  status: 'completed',
  progress: 1,
  stage: 'done',
  stageProgress: null,
  failure: null,
  hasAudio: true,
  note: { progressNoteId: id(200), status: 'generated', isLoading: false, etag: '"1"' },
  hasTranscript: true,
  hasSummary: true,
  hasMdm: true,
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
  { ...session, sessionId: id(103), stage: 'failed', status: 'failed', startedAt: at('11-01') },
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

type Point = WidgetAssessments['trends'][number]['points'][number]

const toPoint = (day: string, score: number, severity: string, more: Partial<Point> = {}): Point => ({
  scoreId: id(500 + score),
  completedAt: at(day),
  score,
  severity,
  flags: [],
  change: null,
  reliableChange: null,
  ...more,
})

export const assessments: WidgetAssessments = {
  outstanding: [
    {
      id: id(600),
      assessmentId: 'gad7',
      name: 'GAD-7',
      assignedAt: at('11-13'),
      expiresAt: at('11-27'),
    },
  ],
  alerts: [
    {
      assignmentId: id(601),
      assessmentId: 'phq9',
      name: 'PHQ-9',
      questionDisplay: 'Thoughts that you would be better off dead, or of hurting yourself',
      answerDisplay: 'Several days',
      answeredAt: at('11-13', '18:12'),
    },
  ],
  trends: [
    {
      assessmentId: 'phq9',
      name: 'PHQ-9',
      scoreMin: 0,
      scoreMax: 27,
      isHigherBetter: false,
      bands: [
        { from: 0, to: 4, severity: 'minimal' },
        { from: 5, to: 9, severity: 'mild' },
        { from: 10, to: 14, severity: 'moderate' },
        { from: 15, to: 19, severity: 'moderately severe' },
        { from: 20, to: 27, severity: 'severe' },
      ],
      points: [
        toPoint('07-06', 19, 'moderately severe'),
        toPoint('08-10', 17, 'moderately severe', { change: -2, reliableChange: 'none' }),
        toPoint('09-14', 11, 'moderate', { change: -6, reliableChange: 'improved' }),
        toPoint('10-12', 8, 'mild', { change: -3, reliableChange: 'none' }),
        toPoint('11-13', 14, 'moderate', { change: 6, reliableChange: 'worsened', flags: ['self_harm'] }),
      ],
    },
  ],
}
