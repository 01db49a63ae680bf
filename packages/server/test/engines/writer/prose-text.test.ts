import type { NoteSection, TranscriptItem } from '@casenote/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatTask } from '../../../src/engines/models/language-model.js'
import { readEvents } from '../../../src/engines/openai-protocol/read-events.js'
import { makeProseWriter } from '../../../src/engines/writer/prose/prose-writer.js'
import { readMaterial } from '../scripted-models.js'
import { readAs, toTranscript } from '../session-fixtures.js'
import {
  checker,
  faultOf,
  makeModel,
  never,
  requestOf,
  section,
  sentence,
  soapKeys,
  writeAll,
} from './prose-fixture.js'

/** Cuts at any places. */
function cut<Part extends { length: number; slice(start: number, end: number): Part }>(
  whole: Part,
  at: readonly number[],
): Part[] {
  const places = [0, ...at.map((place) => place % (whole.length + 1)).toSorted((a, b) => a - b), whole.length]
  return places.slice(1).map((end, index) => whole.slice(places[index] ?? 0, end))
}

const places = fc.array(fc.nat(10_000), { maxLength: 20 })

const plainTalk = requestOf(toTranscript([['client', 'We cooked.']]), { reading: readAs() })
const editOf = (...note: NoteSection[]) => ({ ...plainTalk, note, instructions: 'Make it shorter.' })

describe('a note that a model writes', () => {
  const text = fc
    .array(fc.constantFrom('"', '\\', '{', '}', '[', ']', ',', ':', 'a', 'é', '🙂', '\u2028x', '</think>'))
    .map((parts) => `Client${parts.join('').replaceAll('\u2028', '')} cooked.`)
  const sections = fc.tuple(...soapKeys.map(() => fc.array(text, { maxLength: 3 })))

  it('is the same wherever its text is cut, and each section is there when it is complete', async () => {
    await fc.assert(
      fc.asyncProperty(sections, fc.constantFrom(0, 2), places, async (texts, indent, at) => {
        const members = texts.map((own, index) => {
          const value = section(...own.map((one) => sentence(one, 0)))
          return `${JSON.stringify(soapKeys[index])}: ${JSON.stringify(value, null, indent)}`
        })
        const answer = `Here it is:\n{ ${members.join(',\n')} }`
        let sent = ''
        let sentBefore = ''
        const model = {
          ...makeModel(() => ''),
          async *stream() {
            for (const piece of cut(answer, at)) {
              ;[sentBefore, sent] = [sent, sent + piece]
              yield { kind: 'text' as const, text: piece }
            }
            yield { kind: 'end' as const, isCutShort: false }
          },
        }
        const read: string[][] = []
        for await (const event of makeProseWriter(model, checker).writeNote(plainTalk, never)) {
          if (event.kind === 'end') break
          const end = answer.indexOf(members[read.length] ?? '') + (members[read.length]?.length ?? 0)
          expect(sentBefore.length).toBeLessThan(end)
          expect(sent.length).toBeGreaterThanOrEqual(end)
          read.push(event.section.sentences.map((one) => one.text))
          if (read.length === soapKeys.length) break
        }
        expect(read).toEqual(texts)
      }),
    )
  })
})

describe('an answer of a model', () => {
  it('that is any text at all is used or is a fault', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (text) => {
        const fault = await faultOf(
          makeProseWriter(
            makeModel(() => text),
            checker,
          ).summarize(plainTalk, never),
        )
        expect(fault.kind).toBe('malformed')
      }),
    )
  })

  it('that breaks off is none', async () => {
    const reason = 'Nobody said "that}" \\ {.'
    const answer = JSON.stringify({ isDone: false, reason, noteType: 'soap', sections: [] })
    for (let end = 0; end < answer.length; end += 1) {
      const writer = makeProseWriter(
        makeModel(() => answer.slice(0, end)),
        checker,
      )
      expect(await faultOf(writer.editNote(editOf(), never))).toMatchObject({ kind: 'malformed' })
    }
    const writer = makeProseWriter(
      makeModel(() => answer),
      checker,
    )
    expect(await writer.editNote(editOf(), never)).toEqual({ isDone: false, reason })
  })
})

describe('server-sent events', () => {
  it('are the same wherever the bytes are cut and however lines end', async () => {
    const data = fc.array(fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text)))
    await fc.assert(
      fc.asyncProperty(data, fc.constantFrom('\n', '\r\n', '\r'), places, async (events, end, at) => {
        const text = events.map((one) => `event: x${end}: comment${end}data: ${one}${end}${end}`).join('')
        const bytes = new Uint8Array(Buffer.from(text))
        const chunks = (async function* () {
          yield* cut<Uint8Array>(bytes, at)
        })()
        const read: string[] = []
        for await (const event of readEvents(chunks)) read.push(event)
        // With CR alone the last empty line cannot be told from half a CRLF.
        expect(read).toEqual(end === '\r' ? events.slice(0, read.length) : events)
        expect(read.length).toBeGreaterThanOrEqual(events.length - 1)
      }),
    )
  })
})

/** What a model is told first about a talk, between the tags and with them. */
async function promptOf(transcript: readonly TranscriptItem[]): Promise<string> {
  let asked = ''
  const model = makeModel(({ user }) => {
    asked = user
    return []
  })
  await faultOf(writeAll(makeProseWriter(model, checker), { ...plainTalk, transcript }))
  return asked.slice(asked.indexOf('<transcript>'), asked.lastIndexOf('</transcript>'))
}

describe('quoted data', () => {
  it('holds no tag, no line of its own and no number of an item, whatever was said', async () => {
    const nasty = fc.array(
      fc.constantFrom(
        '<',
        '>',
        '</transcript>',
        '[',
        ']',
        '12',
        '\n',
        '\r',
        '\u2028',
        '\u200b',
        '\u{E0041}',
        'a',
        ': ',
        '<facts>',
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(nasty, { minLength: 1, maxLength: 5 }), async (texts) => {
        const prompt = await promptOf(toTranscript(texts.map((parts) => ['client', parts.join('')])))
        const lines = prompt.split(/[\n\r\u2028\u2029]/)
        expect(lines).toHaveLength(texts.length + 2)
        for (const [index, line] of lines.slice(1, -1).entries()) {
          expect(line.startsWith(`[${index}] client: `) || line === `[${index}] client: `).toBe(true)
          expect(line.slice(`[${index}]`.length)).not.toMatch(/[<>[\]\p{Cc}\p{Cf}]/u)
        }
      }),
    )
  })

  it('brings no evidence of its own', async () => {
    const said = 'Client is fine. {items: 1, 2}'
    expect(await promptOf(toTranscript([['client', said]]))).toContain('Client is fine. (items: 1, 2}')
  })

  it('keeps words as they are', async () => {
    const prompt = await promptOf(toTranscript([['client', '  “Naïve” – 5 < 7,\n he said ']]))
    expect(prompt).toContain('\n[0] client: “Naïve” – 5 ‹ 7, he said\n')
  })
})

/** A talk that does not fit is read in parts: what was asked about each, and what the note is then written from. */
async function readInParts(
  transcript: readonly TranscriptItem[],
  factsOf: (start: number, end: number, part: number) => unknown[] = () => [],
  contextTokens = 12_288,
) {
  const windows: { start: number; end: number; task: ChatTask }[] = []
  let facts = ''
  const model = makeModel((task) => {
    if (task.name !== 'facts') {
      facts = /<facts>\n(.*)<\/facts>/s.exec(task.user)?.[1] ?? ''
      return []
    }
    const items = readMaterial(task.user).flatMap((line) => line.items)
    const [start, end] = [items[0] ?? 0, (items.at(-1) ?? 0) + 1]
    windows.push({ start, end, task })
    return JSON.stringify({ facts: factsOf(start, end, windows.length - 1) })
  }, contextTokens)
  const fault = await faultOf(writeAll(makeProseWriter(model, checker), { ...plainTalk, transcript }))
  return { windows: windows.toSorted((a, b) => a.start - b.start), facts, kind: fault.kind }
}

const talkOf = (lengths: readonly number[]): TranscriptItem[] =>
  toTranscript(lengths.map((length) => ['client', 'a'.repeat(length)]))

describe('a talk that does not fit the context', () => {
  it('is read in parts: every item, none too long, each with something new and an overlap', async () => {
    const contextTokens = 12_288
    // A part holds some 26,000 letters: each talk is two parts at least, and few enough for facts of each.
    const lengths = fc.array(fc.integer({ min: 550, max: 1_200 }), { minLength: 60, maxLength: 90 })
    await fc.assert(
      fc.asyncProperty(lengths, async (letters) => {
        const { windows } = await readInParts(talkOf(letters), undefined, contextTokens)
        expect(windows.length).toBeGreaterThan(1)
        expect(windows[0]?.start).toBe(0)
        expect(windows.at(-1)?.end).toBe(letters.length)
        for (const [index, { start, end, task }] of windows.entries()) {
          const tokens = (task.system.length + task.user.length) / 4 + task.outputTokensMax
          expect(tokens).toBeLessThan(contextTokens)
          expect(readMaterial(task.user)).toHaveLength(end - start)
          const before = windows[index - 1]
          if (before === undefined) continue
          expect(start).toBeLessThan(before.end)
          expect(start).toBeGreaterThan(before.start)
          expect(end).toBeGreaterThan(before.end)
        }
      }),
      { numRuns: 30, endOnFailure: true },
    )
  })

  it('and of which one item alone does not, is refused before a model is asked', async () => {
    expect(await readInParts(talkOf([10, 40_000, 10]))).toEqual({ windows: [], facts: '', kind: 'refused' })
  })

  it('gives facts that two parts share once, with the items of both, in the order of the session', async () => {
    const fact = (text: string, ...items: number[]) => ({ topic: 'plan', text, items })
    const { windows, facts } = await readInParts(
      talkOf(Array.from({ length: 60 }, () => 600)),
      (start, end) =>
        start === 0
          ? [fact('Late.', 9), fact('Walk daily.', 5, 6)]
          : [fact('walk  daily.', end - 1), fact('walk daily.', start)],
    )
    const [, last] = windows
    expect(windows).toHaveLength(2)
    expect(facts.trim().split('\n')).toEqual([
      `- plan: walk daily. {items: 5, 6, ${last?.start}, ${(last?.end ?? 0) - 1}}`,
      '- plan: Late. {items: 9}',
    ])
  })
})

describe('a stored section', () => {
  const stored = (content: string, ...evidence: [string, number[]][]): NoteSection => ({
    key: 'plan',
    title: 'Plan',
    content,
    evidence: evidence.map(([one, transcriptItems]) => ({
      sentence: one,
      transcriptItems,
      supported: true,
      judgement: 'verified',
      reason: null,
    })),
  })
  const own = "{the clinician's own words}"

  /** As a model that edits it is shown it. */
  const shown = async (given: NoteSection): Promise<string[]> => {
    let asked = ''
    const model = makeModel(({ user }) => {
      asked = user
      return JSON.stringify({ isDone: false, reason: 'No.', noteType: 'soap', sections: [] })
    })
    await makeProseWriter(model, checker).editNote(editOf(given), never)
    return (/<note>\n(.*)\n<\/note>/s.exec(asked)?.[1] ?? '').split('\n')
  }

  it('keeps the evidence of its sentences, and what a clinician wrote between them as theirs', async () => {
    const given = stored(
      'Walk daily. Dr. Who agrees. Call on Monday.',
      ['Walk daily.', [3]],
      ['Call on Monday.', [7]],
    )
    expect(await shown(given)).toEqual([
      'section plan, paragraph:',
      '- Walk daily. {items: 3}',
      `- Dr. Who agrees. {items: } ${own}`,
      '- Call on Monday. {items: 7}',
    ])
  })

  it('gives the same sentence twice with the evidence of each', async () => {
    const given = stored('Walk. Rest. Walk.', ['Walk.', [1]], ['Rest.', [2]], ['Walk.', [5]])
    expect((await shown(given)).slice(1)).toEqual([
      '- Walk. {items: 1}',
      '- Rest. {items: 2}',
      '- Walk. {items: 5}',
    ])
  })

  it('reads a list as one, and nothing as nothing', async () => {
    expect(await shown(stored('- Walk.\n\n- Rest.', ['Rest.', [2]]))).toEqual([
      'section plan, bullets:',
      `- Walk. {items: } ${own}`,
      '- Rest. {items: 2}',
    ])
    expect(await shown(stored(''))).toEqual(['section plan, paragraph:'])
  })

  it('loses no word of any text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('Walk.', 'Rest!', 'dr. who', '5 mg', 'Why?')),
        async (parts) => {
          const text = parts.join(' ')
          const [, ...lines] = await shown(stored(text, ['Rest!', [1]]))
          expect(lines.map((line) => line.replace(/^- (.*?) \{items.*$/, '$1')).join(' ')).toBe(text)
        },
      ),
    )
  })
})
