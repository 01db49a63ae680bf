import { afterEach, describe, expect, it } from 'vitest'
import {
  inTurnOf,
  makeNoteChecker,
  type NoteChecker,
  type NoteCheckerOptions,
} from '../../../src/engines/checker/note-checker.js'
import { builtInTemplate } from '../../../src/engines/writer/templates/built-in-templates.js'
import { startingModule } from '../../../src/kernel/own-files.js'
import { findDelayMs, loopDelayMaxMs } from '../../support/watch-loop.js'
import { danger } from '../ledger/findings.js'
import { readingOf, section, talk } from './talk.js'

const made: NoteChecker[] = []
const make = (options: NoteCheckerOptions = {}): NoteChecker => {
  const checker = makeNoteChecker(options)
  made.push(checker)
  return checker
}
afterEach(async () => {
  await Promise.all(made.splice(0).map(async (checker) => checker.close()))
})

const thread = (onMessage: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort } from 'node:worker_threads'
      parentPort.on('message', (task) => { ${onMessage} })
    `)}`,
  )

const transcript = talk('clinician: Sleep?\nclient: Four hours.')
const reading = readingOf(danger({ items: [1], words: 'I think about suicide.' }))
const kept = { sentence: 'Client sleeps 4 hours.', transcriptItems: [1] }
const note = [{ ...section(kept), content: 'Client sleeps 4 hours.\nMother called.' }]
/** As compiled, as for the threads. */
const recheckFile = startingModule('engines/checker/recheck-note.js')
const soap = builtInTemplate('soap')
const wanting = {
  ...soap,
  sections: soap.sections.map((one) => ({ ...one, must: [{ what: 'Sleep', words: ['sleeps'] }] })),
}
const draft = [
  {
    key: 'subjective',
    layout: 'paragraph' as const,
    sentences: [
      { text: 'Client sleeps 4 hours.', transcriptItems: [1] },
      { text: 'Client sleeps 9 hours.', transcriptItems: [1] },
    ],
  },
]

describe('with its threads', () => {
  it('checks, rechecks and compares', async () => {
    const checker = make()
    expect(await checker.checkExactly({ sections: draft, transcript, reading })).toEqual([
      [null, { reason: 'number', part: '9 hours' }],
    ])
    const rechecked = await checker.recheck({ noteType: 'soap', sections: note, transcript, reading })
    expect(rechecked?.sections[0]?.evidence.map(({ judgement }) => judgement)).toEqual([
      'verified',
      'clinicians_words',
    ])
    expect(rechecked?.ledger.review).toHaveLength(1)
    const compared = await checker.compare({ sections: note, findings: reading.findings, transcript })
    expect(compared.entries[0]?.state).toBe('not_written')
  })

  it('answers many at once, each with its own', async () => {
    const checker = make()
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, hours) =>
        checker.checkExactly({
          sections: [
            {
              key: 'a',
              layout: 'paragraph',
              sentences: [{ text: `Client sleeps ${hours + 2} hours.`, transcriptItems: [1] }],
            },
          ],
          transcript,
          reading,
        }),
      ),
    )
    expect(
      answers
        .map((verdicts) => verdicts ?? ['none'])
        .flat(2)
        .filter((reason) => reason === null),
    ).toHaveLength(1)
  })
})

describe('without an answer', () => {
  const faults: [what: string, options: NoteCheckerOptions][] = [
    ['a thread that hangs', { threadFile: thread('for (;;) {}'), answerWithinMs: 300 }],
    ['a thread that exits', { threadFile: thread('process.exit(1)') }],
    ['a thread that throws', { threadFile: thread('throw new Error("no")') }],
    [
      'a thread without memory',
      { threadFile: thread('const all = []; for (;;) all.push(new Array(1e5).fill(1.5))') },
    ],
    ['no file', { threadFile: new URL('file:///nowhere/thread.js') }],
    ['a thread that cannot answer', { threadFile: thread('parentPort.postMessage(null)') }],
  ]
  it.each(faults)(
    '%s: nobody says that it was checked or kept, nothing counts as stated',
    async (_what, options) => {
      const checker = make(options)
      expect(await checker.checkExactly({ sections: draft, transcript, reading })).toBeNull()
      expect(await checker.recheck({ noteType: 'soap', sections: note, transcript, reading })).toBeNull()
      expect(await checker.listUnmet({ template: wanting, sections: note })).toBeNull()
      const compared = await checker.compare({ sections: note, findings: reading.findings, transcript })
      expect(compared.entries.map(({ state }) => state)).toEqual(['not_written'])
    },
  )

  it('a comparison that fails leaves what was kept as it was, what is new to the clinician, and nothing stated', async () => {
    const checker = make({
      threadFile: thread(`
        const isKept = task.task.kind === 'keep'
        if (!isKept) { parentPort.postMessage(null); return }
        import(${JSON.stringify(recheckFile.href)}).then(({ keepNote }) =>
          parentPort.postMessage(keepNote(task.task.request)))
      `),
    })
    const answer = await checker.recheck({ noteType: 'soap', sections: note, transcript, reading })
    expect(answer?.sections[0]?.evidence).toMatchObject([
      { sentence: 'Client sleeps 4 hours.', transcriptItems: [1], judgement: 'verified' },
      { sentence: 'Mother called.', transcriptItems: [], judgement: 'clinicians_words', supported: true },
    ])
    expect(answer?.ledger.entries.map(({ state }) => state)).toEqual(['not_written'])
  })

  it('more than can wait are told so at once, and cost the loop nothing', async () => {
    const alike = Array.from(
      { length: 250 },
      (_one, at) => `The client said this of the week${' and the next'.repeat(12)}, ${at}.`,
    )
    const long = Array.from({ length: 20 }, (_one, at) => ({
      ...section(...alike.map((sentence) => ({ sentence, transcriptItems: [1] }))),
      key: `section_${at}`,
      content: alike.map((sentence) => `${sentence.slice(0, -1)} then.`).join(' '),
    }))
    const checker = make({ threadFile: thread('') })
    const talked = { transcript: JSON.stringify(transcript), reading: JSON.stringify({ reading }) }
    const asked: Promise<unknown>[] = []
    let refused = 0
    const delayMs = await findDelayMs(Infinity, async () => {
      for (let count = 0; count < 250; count++) {
        const answer = checker.recheck({ noteType: 'soap', sections: long, talk: talked }, 'one')
        asked.push(answer.then((given) => (refused += given === null ? 1 : 0)))
        await new Promise((resolve) => setImmediate(resolve))
      }
    })
    // Handing three of them to threads is the most of it; to keep the others here took seconds.
    expect(delayMs).toBeLessThan(10 * loopDelayMaxMs)
    // Those behind the hundred that wait to be compared, and the hundred that wait to be kept.
    expect(refused).toBeGreaterThan(30)
    await checker.close()
    await Promise.all(asked)
    expect(refused).toBe(250)
  })

  it('hours of talk leave the loop to the others, and are told of as not written', async () => {
    // As dense as three hours come, with something found in every fifth line.
    const items = Array.from({ length: 10_000 }, (_one, at) => ({
      startTime: at,
      endTime: at + 1,
      speaker: 'client',
      transcript: `I have slept badly since the week of day ${at}, and I do not know how it goes on from here.`,
    }))
    const findings = items
      .filter((_item, at) => at % 5 === 0)
      .map(({ transcript: words }, at) => danger({ id: `d${at}`, items: [at * 5], words }))
    const packed = {
      transcript: JSON.stringify(items),
      reading: JSON.stringify({ reading: { ...readingOf(...findings), figures: 'x'.repeat(3_000_000) } }),
    }
    const checker = make({ answerWithinMs: 1 })
    const delayMs = await findDelayMs(loopDelayMaxMs, async () => {
      const answer = await checker.recheck({ noteType: 'soap', sections: note, talk: packed })
      expect(answer?.sections[0]?.evidence).toHaveLength(2)
      expect(answer?.ledger.entries).toHaveLength(findings.length)
    })
    expect(delayMs).toBeLessThan(loopDelayMaxMs)
  })

  it('writers of one tenant who hang do not keep another’s waiting', async () => {
    const checker = make({
      threadFile: thread('if (task.transcript === "[]") for (;;) {}; parentPort.postMessage([["quote"]])'),
      answerWithinMs: 60_000,
    })
    const [one, other] = [inTurnOf(checker, 'one'), inTurnOf(checker, 'other')]
    const hanging = Array.from({ length: 5 }, async () =>
      one.checkExactly({ sections: draft, transcript: [], reading }),
    )
    expect(await other.checkExactly({ sections: draft, transcript, reading })).toEqual([['quote']])
    await checker.close()
    expect(await Promise.all(hanging)).toEqual(Array.from({ length: 5 }, () => null))
  })

  it('one that hangs takes no other call with it', async () => {
    const checker = make({
      threadFile: thread('if (task.transcript === "[]") for (;;) {}; parentPort.postMessage([["quote"]])'),
      answerWithinMs: 1_000,
    })
    const hanging = checker.checkExactly({ sections: draft, transcript: [], reading })
    const others = Array.from({ length: 5 }, async () =>
      checker.checkExactly({ sections: draft, transcript, reading }),
    )
    expect(await Promise.all(others)).toEqual(Array.from({ length: 5 }, () => [['quote']]))
    expect(await hanging).toBeNull()
    expect(await checker.checkExactly({ sections: draft, transcript, reading })).toEqual([['quote']])
  })

  it('ends what is under way when it is closed', async () => {
    const checker = make({ threadFile: thread('for (;;) {}') })
    const asked = [1, 2, 3].map(async () => checker.checkExactly({ sections: draft, transcript, reading }))
    await checker.close()
    expect(await Promise.all(asked)).toHaveLength(3)
  })

  it('owners take turns: who sends many holds up only themselves', async () => {
    const checker = make({
      threadFile: thread(
        'if (task.transcript === "[]") for (;;) {}; parentPort.postMessage({ entries: [], review: [] })',
      ),
      answerWithinMs: 1_500,
    })
    const hostile = { sections: note, findings: [], transcript: [] }
    const hanging = Array.from({ length: 8 }, async () => checker.compare(hostile, 'attacker'))
    const started = performance.now()
    await checker.compare({ sections: note, findings: [], transcript }, 'other')
    // Behind the eight it would be four deadlines, two at a time.
    expect(performance.now() - started).toBeLessThan(5_000)
    await Promise.all(hanging)
  })

  it('where too many wait, the last of whoever has most goes without an answer', async () => {
    const checker = make({ threadFile: thread('for (;;) {}'), answerWithinMs: 3_000 })
    const request = { sections: note, findings: reading.findings, transcript }
    const ends: string[] = []
    const ask = (owner: string) => checker.compare(request, owner).then(() => ends.push(owner))
    // Two are taken up, a hundred wait.
    const many = Array.from({ length: 103 }, () => ask('many'))
    const few = ask('few')
    await many.at(-1)
    expect(ends).toEqual(['many'])
    await checker.close()
    await Promise.all([...many, few])
  })
})
