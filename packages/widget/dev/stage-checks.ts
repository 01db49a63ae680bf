import {
  pageOf,
  pageOfTen,
  type CheckFinding,
  type CheckMode,
  type ClientBrief,
  type SigningCheck,
  type SigningCheckCode,
  type SigningChecks,
  type TimelineEntry,
  type WidgetService,
} from '@casenote/contract'
import type { Signal } from '@preact/signals'
import * as data from './stage-data.js'
import type { Answer, StageService } from './stage-memory.js'

const nowhere = {
  sectionKey: null,
  sentence: null,
  label: null,
  words: null,
  quote: null,
  transcriptItems: [],
}

type Looked = Pick<StageService, 'note' | 'danger' | 'cloned' | 'billed'> & {
  checkModes: Signal<Partial<Record<SigningCheckCode, CheckMode>>>
}

/** What a check looks at. */
function listMinutes({ serviceCode, startedAt, endedAt }: WidgetService): CheckFinding[] {
  if (serviceCode !== '90837' || startedAt === null || endedAt === null) return []
  const minutes = Math.floor((Date.parse(endedAt) - Date.parse(startedAt)) / 60_000)
  const label = `90837 is for 53 minutes or more; the session took ${minutes} minutes.`
  return minutes >= 53 ? [] : [{ ...nowhere, label, mend: 'correct_service' }]
}

/** As the service finds it, of the note that is saved. */
function listFindings({ note, danger, cloned, billed }: Looked): Record<SigningCheckCode, CheckFinding[]> {
  const open = danger.value.filter(({ standing, isAnswered }) => standing === 'not_in_note' && !isAnswered)
  const known = new Set(open.map(({ words }) => words))
  const missed = note.value.review.filter(
    ({ kind, reason, words }) =>
      kind === 'danger' && reason !== 'suspected' && reason !== 'quoted_instead' && !known.has(words),
  )
  return {
    danger_not_written: [...open, ...missed].map(({ label, words, transcriptItems }) => ({
      ...nowhere,
      sectionKey: 'assessment',
      label,
      words,
      quote: `Client said: “${words}”`,
      transcriptItems,
      mend: 'write_words',
    })),
    unsupported_sentence: note.value.note.flatMap(({ key, evidence }) =>
      evidence
        .filter(({ supported }) => !supported)
        .map(({ sentence, transcriptItems }) => ({
          ...nowhere,
          sectionKey: key,
          sentence,
          transcriptItems,
          mend: 'change_sentence' as const,
        })),
    ),
    empty_section: note.value.note
      .filter(({ content }) => content.trim() === '')
      .map(({ key }) => ({ ...nowhere, sectionKey: key, mend: 'fill_section' as const })),
    cloned_text: cloned.value.map((sentence) => ({
      ...nowhere,
      sectionKey: note.value.note.find(({ content }) => content.includes(sentence))?.key ?? null,
      sentence,
      mend: 'rewrite_sentence' as const,
    })),
    service_minutes: listMinutes(billed.value),
    goal_not_linked: [],
  }
}

export function listCheckAnswers(service: Looked): Record<string, Answer> {
  return {
    'GET /session/progress-note/checks': (): SigningChecks => {
      const checks = Object.entries(listFindings(service)).map(([name, findings]): SigningCheck => {
        const code = name as SigningCheckCode
        const hasFailed = findings.length > 0
        return {
          code,
          mode: service.checkModes.value[code] ?? 'warn',
          state: hasFailed ? 'failed' : 'passed',
          message: hasFailed ? 'Something was found.' : null,
          findings,
          total: findings.length,
        }
      })
      const { progressNoteId, sessionId } = service.note.value
      const blocksWidget = checks.some(({ state, mode }) => state === 'failed' && mode.startsWith('block'))
      return { progressNoteId, sessionId, checks, blocksWidget, blocksPartnerApi: false }
    },
    'GET /session/service': () => service.billed.value,
    'PATCH /session/service': (body) => (service.billed.value = body as WidgetService),
    'GET /client/brief': () => brief,
    'GET /client/timeline': () => pageOf(timeline, timeline.length, pageOfTen()),
  }
}

const at = (day: number): string => new Date(Date.UTC(2026, 10, day, 9)).toISOString()

const brief: ClientBrief = {
  clientId: data.joanna.id,
  lastSession: {
    sessionId: data.session.sessionId,
    progressNoteId: data.note.progressNoteId,
    at: at(8),
    noteType: 'soap',
    signedAt: null,
    plan: 'Keep the sleep diary.\nNext appointment on 15 November.',
    homework: [{ words: 'Please write down when you wake up.', transcriptItems: [4] }],
  },
  emptiedSession: null,
  openDanger: {
    items: [
      {
        id: 'danger-1',
        label: 'Suicidal thoughts: affirmed',
        question: null,
        words: 'Some nights I think about it.',
        sessionId: data.session.sessionId,
        at: at(8),
      },
    ],
    total: 1,
  },
  goals: [{ id: 'goal-1', text: 'Sleep through at least five nights a week', targetDate: null }],
  scores: [
    {
      assessmentId: 'phq9',
      name: 'PHQ-9',
      score: 12,
      severityName: 'Moderate',
      completedAt: at(9),
      change: -6,
      reliableChange: 'improved',
      scoreMin: 0,
      scoreMax: 27,
      points: [
        { at: at(1), score: 17 },
        { at: at(5), score: 18 },
        { at: at(9), score: 12 },
      ],
    },
  ],
}

const entry = (kind: TimelineEntry['kind'], day: number, label: string): TimelineEntry => ({
  id: `${kind}-${day}`,
  kind,
  at: at(day),
  sessionId: kind === 'assessment_completed' ? null : data.session.sessionId,
  progressNoteId: null,
  assessmentScoreId: null,
  label,
  status: null,
  score: kind === 'assessment_completed' ? 12 : null,
  severityName: kind === 'assessment_completed' ? 'Moderate' : null,
})

const timeline: TimelineEntry[] = [
  entry('assessment_completed', 9, 'PHQ-9'),
  entry('danger_opened', 8, 'Suicidal thoughts: affirmed'),
  entry('session', 8, 'SOAP Note'),
  entry('note_finalized', 2, 'SOAP Note'),
]
