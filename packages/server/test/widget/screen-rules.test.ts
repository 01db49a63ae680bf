import {
  JUDGEMENTS,
  NOTE_TYPES,
  REFUSAL_REASONS,
  type AssessmentTrend,
  type WidgetClinician,
  type WidgetSession,
} from '@casenote/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { builtInTemplate } from '../../src/engines/writer/templates/built-in-templates.js'
import { makeSessionNews } from '../../../widget/src/frame/engine/session-news.js'
import english from '../../../widget/src/frame/texts/en.json' with { type: 'json' }
import { fill } from '../../../widget/src/frame/texts/fill.js'
import { placeTrend } from '../../../widget/src/frame/ui/assessments/place-trend.js'
import { diffWords } from '../../../widget/src/frame/ui/note/diff-words.js'
import { joinSittings } from '../../../widget/src/frame/ui/note/note-versions.js'
import { toPlainText, withoutPlan } from '../../../widget/src/frame/ui/note/plan-sections.js'
import { readLines, toLines } from '../../../widget/src/frame/ui/plans/plan-lines.js'
import { rebaseDrafts } from '../../../widget/src/frame/ui/open-session/rebase-drafts.js'
import { splitBlocks, splitEvidence } from '../../../widget/src/frame/ui/note/split-evidence.js'
import { withAnswers } from '../../../widget/src/frame/ui/open-session/with-answers.js'
import { makeExtractWriter } from '../../src/engines/writer/extract/extract-writer.js'
import { chooseNoteType, listNoteTypes } from '../../../widget/src/frame/ui/screens/choose-note-types.js'
import { readAs } from '../engines/session-fixtures.js'

/** Few words, so that texts have much in common. */
const someText = fc
  .array(fc.constantFrom('client ', 'slept', ' well.', '\n', 'and ', 'not '), { maxLength: 30 })
  .map((words) => words.join(''))

describe('the diff of two versions', () => {
  const textOf = (before: string, after: string, dropped: string): string =>
    diffWords(before, after)
      .filter(({ kind }) => kind !== dropped)
      .map(({ text }) => text)
      .join('')

  const toWords = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '')

  it('holds every word of the one and all of the other', () => {
    fc.assert(
      fc.property(someText, someText, (before, after) => {
        expect(toWords(textOf(before, after, 'added'))).toEqual(toWords(before))
        expect(textOf(before, after, 'removed')).toBe(after)
      }),
    )
  })

  it('calls nothing changed that did not change', () => {
    fc.assert(
      fc.property(someText, (text) => {
        expect(diffWords(text, text).every(({ kind }) => kind === 'same')).toBe(true)
      }),
    )
  })

  it('finds one changed word between many', () => {
    expect(diffWords('Client slept well this week.', 'Client slept badly this week.')).toEqual([
      { kind: 'same', text: 'Client slept ' },
      { kind: 'removed', text: 'well ' },
      { kind: 'added', text: 'badly ' },
      { kind: 'same', text: 'this week.' },
    ])
  })

  it('keeps a word that was removed from the end apart from the word before it', () => {
    expect(diffWords('Slept well. Ate well.', 'Slept well.')).toEqual([
      { kind: 'same', text: 'Slept well.' },
      { kind: 'removed', text: ' Ate well.' },
    ])
  })

  it('is silent about line breaks', () => {
    expect(diffWords('Slept well. Ate well.', 'Slept well.\nAte well.')).toEqual([
      { kind: 'same', text: 'Slept well.\nAte well.' },
    ])
  })

  it('stays whole, and quick, where texts are too long to be compared', () => {
    const long = (word: string): string => `${word} `.repeat(3_000)
    expect(textOf(long('before'), long('after'), 'added')).toBe(long('before'))
  })
})

describe('drafts on a note that somebody else changed', () => {
  const keys = ['subjective', 'objective', 'plan']
  const someContents = fc.tuple(...keys.map(() => fc.constantFrom('a', 'b', 'c')))
  const toSections = (contents: string[]) =>
    keys.map((key, index) => ({ key, content: contents[index] ?? '' }))
  const someDrafts = fc
    .array(fc.tuple(fc.constantFrom(...keys), fc.constantFrom('a', 'b', 'c')))
    .map((drafts) => new Map(drafts))

  it('no draft is lost, and no saved text is overwritten unseen', () => {
    fc.assert(
      fc.property(someContents, someContents, someDrafts, (base, theirs, drafts) => {
        const rebased = rebaseDrafts(toSections(base), toSections(theirs), drafts)
        for (const [key, mine] of drafts) {
          const index = keys.indexOf(key)
          const isSaved = theirs[index] === mine
          const isUnchanged = base[index] === mine
          const isKept = rebased.drafts.get(key) === mine
          const isAsked = rebased.conflicts.some((conflict) => conflict.key === key && conflict.mine === mine)
          expect(isSaved || isUnchanged || isKept || isAsked).toBe(true)
          // Kept without a question only where nobody else touched the section.
          expect(isKept && theirs[index] !== base[index]).toBe(false)
        }
      }),
    )
  })

  it('asks when a section is gone', () => {
    const rebased = rebaseDrafts([{ key: 'plan', content: 'a' }], [], new Map([['plan', 'b']]))
    expect(rebased.conflicts).toEqual([{ key: 'plan', theirs: null, mine: 'b' }])
  })
})

describe('a section with its evidence', () => {
  const someEvidence = fc.array(
    fc.record({
      sentence: someText,
      transcriptItems: fc.array(fc.nat(20)),
      supported: fc.boolean(),
      judgement: fc.constantFrom(...JUDGEMENTS),
      reason: fc.constantFrom(null, ...REFUSAL_REASONS),
    }),
  )
  /** With the beginnings of list items, some of them within sentences. */
  const someList = fc
    .array(fc.constantFrom('client ', 'slept', ' well.', '\n', '\n- ', '- ', '\n12. ', ' • '), {
      maxLength: 30,
    })
    .map((words) => words.join(''))

  it('shows its content whole, whatever the evidence says', () => {
    fc.assert(
      fc.property(someText, someEvidence, (content, evidence) => {
        expect(
          splitEvidence(content, evidence)
            .map(({ text }) => text)
            .join(''),
        ).toBe(content)
      }),
    )
  })

  it('loses nothing to its lists but their marks', () => {
    fc.assert(
      fc.property(someList, someEvidence, (content, evidence) => {
        const lines = splitBlocks(splitEvidence(content, evidence)).flatMap(({ lines: some }) =>
          some.map(({ marker, parts }) => `${marker}${parts.map(({ text }) => text).join('')}`),
        )
        expect(lines.join('\n')).toBe(content)
      }),
    )
  })

  const blocksOf = (content: string, sentences: string[]): string[][] => {
    const answered = { supported: true, judgement: 'verified', reason: null, transcriptItems: [1] } as const
    const parts = splitEvidence(
      content,
      sentences.map((sentence) => ({ ...answered, transcriptItems: [1], sentence })),
    )
    return splitBlocks(parts).map(({ kind, lines }) => [
      kind,
      ...lines.map((line) => line.parts.map(({ text }) => text).join('')),
    ])
  }

  it('has a list where lines begin with a dash, and text around it', () => {
    expect(blocksOf('Plan:\n- Walk. Daily.\n- Sleep.\nThen see.', ['Walk.', 'Sleep.'])).toEqual([
      ['text', 'Plan:'],
      ['bullets', 'Walk. Daily.', 'Sleep.'],
      ['text', 'Then see.'],
    ])
  })

  it('knows the marks that models and people set, also within the checked sentence', () => {
    expect(blocksOf('* Walk.\n• Sleep.\n1. Eat.\n  2) Drink.', ['* Walk.', '1. Eat.'])).toEqual([
      ['bullets', 'Walk.', 'Sleep.'],
      ['numbers', 'Eat.', 'Drink.'],
    ])
  })

  it('takes no dash, number or star for a list that does not begin a line as one', () => {
    const content = 'Slept 7-8 h.\n-5 °C outside\n1988 was hard.\n3.5 mg\n**Plan** follows - later'
    expect(blocksOf(content, [])).toEqual([['text', ...content.split('\n')]])
  })
})

describe('the lines that a sentence rests on', () => {
  const items = ['How do you sleep?', 'Badly.', 'Since when?', 'May.', 'I see.'].map((transcript, at) => ({
    startTime: at,
    endTime: at + 1,
    speaker: at % 2 === 0 ? 'clinician' : 'client',
    transcript,
  }))

  it('are a question with its answer, whichever of them is named, in their order', () => {
    expect(withAnswers(items, [0])).toEqual([0, 1])
    expect(withAnswers(items, [3, 1])).toEqual([0, 1, 2, 3])
    expect(withAnswers(items, [4])).toEqual([4])
  })

  it('are all of a question and of its answer, however they fall into lines', () => {
    const talk = (...said: [speaker: string, transcript: string][]) =>
      said.map(([speaker, transcript], at) => ({ startTime: at, endTime: at + 1, speaker, transcript }))
    const asked = talk(
      ['client', 'Good morning.'],
      ['clinician', 'Any thoughts of ending your life? Or of harming yourself.'],
      ['clinician', 'I ask everyone.'],
      ['client', 'Well.'],
      ['client', 'Yes, last week, on two evenings.'],
      ['client', 'And then my sister called me.'],
      ['clinician', 'I see.'],
    )
    for (const line of [1, 3, 4]) expect(withAnswers(asked, [line])).toEqual([1, 2, 3, 4])
    expect(withAnswers(asked, [5])).toEqual([5])
    expect(withAnswers(asked, [0])).toEqual([0])
    const alone = talk(
      ['speaker_1', 'Do you sleep?'],
      ['speaker_1', 'Badly.'],
      ['speaker_1', 'Since May, I think.'],
    )
    expect([0, 1, 2].map((line) => withAnswers(alone, [line]))).toEqual([[0, 1], [0, 1], [2]])
    const lecture = talk(
      ...['Why is that?', 'Nobody knows.', 'Some say so.', 'Others not.'].map(
        (one) => ['clinician', one] as [string, string],
      ),
      ['client', 'Fine.'],
    )
    expect(withAnswers(lecture, [0])).toEqual([0])
  })

  it('are those that there are', () => {
    expect(withAnswers(items, [7, -1])).toEqual([])
    expect(withAnswers([], [0])).toEqual([])
  })
})

describe('what is suggested without a language model', () => {
  const suggestions = NOTE_TYPES.flatMap((noteType, at) =>
    [english.magic.bullets, english.magic.paragraphs, ...english.magic.withoutModelSuggestions].map(
      (text) => ({
        noteType,
        text: fill(
          text
            .replace('about …', 'about her sleep')
            .replace('for …', 'for Tom')
            .replace('“…” with “…”', '“good” with “fair”'),
          {
            section: builtInTemplate(noteType).sections.at(-1)?.title ?? '',
            noteType: english.noteTypes[NOTE_TYPES[at - 1] ?? 'medication_management'],
          },
        ),
      }),
    ),
  )

  it('is understood by the edits that need none, for every note type', async () => {
    const writer = makeExtractWriter()
    const said = 'Tom talked about her sleep and had a good week.'
    const request = { transcript: [], reading: readAs(), treatmentApproaches: [] }
    const refused: unknown[] = []
    for (const { noteType, text } of suggestions) {
      const note = builtInTemplate(noteType).sections.map(({ key, title }) => ({
        key,
        title,
        content: text === english.magic.paragraphs ? `- ${said}` : said,
        evidence: [],
      }))
      const edit = { ...request, noteType, note, instructions: text }
      const outcome = await writer.editNote(edit, new AbortController().signal)
      if (text.includes('…') || !outcome.isDone) refused.push({ noteType, text, outcome })
    }
    await writer.close()
    expect(refused).toEqual([])
  })
})

describe('what is copied', () => {
  const sections = [
    { key: 'subjective', title: 'Subjective', content: 'Slept well. ' },
    { key: 'objective', title: 'Objective', content: ' ' },
    { key: 'plan', title: 'Plan', content: 'Walk.' },
  ]

  it('has titles and texts, without empty sections', () => {
    expect(toPlainText(withoutPlan(sections, false))).toBe('Subjective\nSlept well.\n\nPlan\nWalk.')
  })

  it('leaves out the plan where the page keeps it', () => {
    expect(toPlainText(withoutPlan(sections, true))).toBe('Subjective\nSlept well.')
  })
})

describe('the note types that are offered', () => {
  const clinician: WidgetClinician = {
    id: '',
    firstName: '',
    lastName: '',
    prescriber: false,
    hasModel: false,
    idleMinutes: 15,
    supervisor: null,
    defaultNoteType: 'dap',
  }

  it('are those of a prescriber for prescribers only', () => {
    expect(listNoteTypes(clinician)).not.toContain('medication_management')
    expect(listNoteTypes({ ...clinician, prescriber: true })).toEqual([...NOTE_TYPES])
  })

  it('are the page’s, and its wish comes before the clinician’s habit', () => {
    const options = { availableNoteTypes: ['soap', 'dap', 'medication_management'], noteType: 'soap' }
    expect(listNoteTypes(clinician, options)).toEqual(['soap', 'dap'])
    expect(chooseNoteType(clinician, options)).toBe('soap')
    expect(chooseNoteType(clinician, { availableNoteTypes: ['birp', 'dap'] })).toBe('dap')
    expect(chooseNoteType(clinician, { noteType: 'medication_management' })).toBe('dap')
  })
})

describe('the version history', () => {
  const toVersion = (version: number, origin: 'edit' | 'generation', minute: number) => ({
    id: String(version),
    version,
    progressNoteId: '',
    origin,
    note: [],
    createdAt: new Date(Date.UTC(2026, 10, 15, 10, minute)).toISOString(),
  })

  it('shows the saves of one sitting as one entry', () => {
    const versions = [
      toVersion(5, 'edit', 40),
      toVersion(4, 'edit', 3),
      toVersion(3, 'edit', 2),
      toVersion(2, 'edit', 1),
      toVersion(1, 'generation', 0),
    ]
    expect(joinSittings(versions).map(({ version }) => version)).toEqual([5, 4, 1])
  })
})

describe('the chart of scores', () => {
  const box = { left: 10, right: 110, top: 5, bottom: 105 }
  const someTrend = fc
    .array(fc.record({ score: fc.integer({ min: 0, max: 27 }), day: fc.nat(400) }), { minLength: 1 })
    .map((points): AssessmentTrend => ({
      assessmentId: 'phq9',
      name: 'PHQ-9',
      scoreMin: 0,
      scoreMax: 27,
      bands: [
        { from: 0, to: 9, severity: 'mild', name: 'Mild' },
        { from: 10, to: 27, severity: 'severe', name: 'Severe' },
      ],
      isHigherBetter: false,
      points: points.map(({ score, day }, index) => ({
        scoreId: String(index),
        completedAt: new Date(day * 86_400_000).toISOString(),
        score,
        severity: null,
        severityName: null,
        flags: [],
        change: null,
        reliableChange: null,
      })),
    }))

  it('puts every point into its band, and its whole mark into the box, where no label is', () => {
    fc.assert(
      fc.property(someTrend, (trend) => {
        const { points, bands } = placeTrend(trend, box)
        for (const { x, y, point } of points) {
          expect(x - 9).toBeGreaterThanOrEqual(box.left)
          expect(x + 9).toBeLessThanOrEqual(box.right)
          const band = bands[point.score <= 9 ? 0 : 1]
          expect(y).toBeGreaterThanOrEqual(band?.top ?? Infinity)
          expect(y).toBeLessThanOrEqual(band?.bottom ?? -Infinity)
        }
      }),
    )
  })
})

describe('the page is told that a note is ready', () => {
  const toSession = (note: Partial<WidgetSession['note']>): WidgetSession =>
    ({
      sessionId: 's',
      sessionExternalId: null,
      client: { id: 'c' },
      note: { progressNoteId: 'n', status: 'generated', isLoading: false, hasText: true, etag: '', ...note },
    }) as WidgetSession
  const hear = (...notes: Partial<WidgetSession['note']>[]): string[] => {
    const told: string[] = []
    const news = makeSessionNews((event, _detail, { progressNoteId }) =>
      told.push(`${event} ${progressNoteId}`),
    )
    const sessions = notes.map(toSession)
    for (const [at, session] of sessions.entries()) news(session, sessions[at - 1] ?? null)
    return told
  }
  const loading = { isLoading: true, status: 'generating' } as const

  it('when it was written the first time, and when it was written anew', () => {
    expect(hear({ ...loading, hasText: false }, {})).toEqual(['progressNoteReady n'])
    expect(hear({}, loading, { progressNoteId: 'next', status: 'regenerated' })).toEqual([
      'progressNoteReady next',
    ])
  })

  it('and not after a magic edit that was refused or failed', () => {
    expect(hear({}, loading, {})).toEqual([])
    // Nor where the frame was opened only while it was under way.
    expect(hear(loading, {})).toEqual([])
  })

  it('once for each note, whatever a stream repeats or leaves out', () => {
    const next = { progressNoteId: 'next', status: 'regenerated' } as const
    const first = { ...loading, hasText: false }
    expect(hear(first, { etag: '1' }, first, { etag: '2' })).toEqual(['progressNoteReady n'])
    expect(hear({}, loading, { ...next, etag: '1' }, {}, loading, { ...next, etag: '2' })).toEqual([
      'progressNoteReady next',
    ])
    // It stood when the frame was opened.
    expect(hear({}, first, {})).toEqual([])
    expect(hear({}, next)).toEqual(['progressNoteReady next'])
    const signed = { status: 'finalized' } as const
    expect(hear(first, signed, first, { ...signed, etag: '2' })).toEqual(['noteFinalized n'])
  })
})

describe('the entries of a plan, a line each', () => {
  const known = [
    { id: 'a', text: 'Sleep\n  through' },
    { id: 'b', text: 'Walk' },
    { id: 'c', text: 'Walk' },
  ]

  it('keep their ids and words, also with a break within, and each once', () => {
    expect(toLines(known.map(({ text }) => text))).toBe('Sleep through\nWalk\nWalk')
    expect(readLines('Walk\n Sleep through\n\nWalk\nWalk\nRead', known)).toEqual([
      known[1],
      known[0],
      known[2],
      { text: 'Walk' },
      { text: 'Read' },
    ])
  })
})
