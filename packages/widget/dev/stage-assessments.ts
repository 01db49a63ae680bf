import type { WidgetAnswers, WidgetAssessments } from '@casenote/contract'
import { at, id } from './stage-data.js'

type Point = WidgetAssessments['trends'][number]['points'][number]

const severityNames: Record<string, string> = {
  minimal: 'Minimal or none',
  mild: 'Mild',
  moderate: 'Moderate',
  moderately_severe: 'Moderately severe',
  severe: 'Severe',
}

const toPoint = (day: string, score: number, severity: string, more: Partial<Point> = {}): Point => ({
  scoreId: id(500 + score),
  completedAt: at(day),
  score,
  severity,
  severityName: severityNames[severity] ?? null,
  flags: [],
  change: null,
  reliableChange: null,
  ...more,
})

export const answers: WidgetAnswers = {
  scoreId: id(514),
  name: 'PHQ-9',
  score: 14,
  severityName: 'Moderate',
  completedAt: at('11-13', '18:12'),
  language: 'en',
  answers: [
    ['Little interest or pleasure in doing things', 'More than half the days', 2],
    ['Feeling down, depressed, or hopeless', 'Nearly every day', 3],
    ['Thoughts that you would be better off dead, or of hurting yourself', 'Several days', 1],
    ['How difficult have these problems made it for you?', 'Somewhat difficult', null],
  ].map(([question, answer, points], index) => ({
    key: `phq9_${index}`,
    question: String(question),
    answer: String(answer),
    points: points as number | null,
    isFlagged: index === 2,
  })),
}

export const assessments: WidgetAssessments = {
  offered: [
    {
      id: 'phq9',
      name: 'PHQ-9',
      description: 'Patient Health Questionnaire, 9 items: severity of depression',
    },
    { id: 'gad7', name: 'GAD-7', description: 'Generalized Anxiety Disorder, 7 items: severity of anxiety' },
    { id: 'pcl5', name: 'PCL-5', description: 'PTSD Checklist for DSM-5, 20 items' },
  ],
  canMail: true,
  outstanding: [
    {
      id: id(600),
      assessmentId: 'gad7',
      name: 'GAD-7',
      assignedAt: at('11-13'),
      openedAt: at('11-14'),
      expiresAt: at('11-27'),
      emailStatus: 'sent',
      sentWith: [],
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
        { from: 0, to: 4, severity: 'minimal', name: 'Minimal or none' },
        { from: 5, to: 9, severity: 'mild', name: 'Mild' },
        { from: 10, to: 14, severity: 'moderate', name: 'Moderate' },
        { from: 15, to: 19, severity: 'moderately_severe', name: 'Moderately severe' },
        { from: 20, to: 27, severity: 'severe', name: 'Severe' },
      ],
      points: [
        toPoint('07-06', 19, 'moderately_severe'),
        toPoint('08-10', 17, 'moderately_severe', { change: -2, reliableChange: 'none' }),
        toPoint('09-14', 11, 'moderate', { change: -6, reliableChange: 'improved' }),
        toPoint('10-12', 8, 'mild', { change: -3, reliableChange: 'none' }),
        toPoint('11-13', 14, 'moderate', { change: 6, reliableChange: 'worsened', flags: ['self_harm'] }),
      ],
    },
  ],
}
