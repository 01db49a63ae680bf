import type { NoteSection } from '@casenote/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readEvents } from '../../../src/engines/openai/read-events.js'
import { mergeFacts } from '../../../src/engines/writer/prose/gather-material.js'
import { quoteItem, quoteText, quoteTranscript } from '../../../src/engines/writer/prose/quote-data.js'
import { readJudgedSection } from '../../../src/engines/writer/prose/read-note-section.js'
import { MemberScanner, parseAnswer } from '../../../src/engines/writer/prose/scan-members.js'
import { splitWindows } from '../../../src/engines/writer/prose/token-budget.js'

/** Cuts at any places. */
function cut<Part extends { length: number; slice(start: number, end: number): Part }>(
  whole: Part,
  at: readonly number[],
): Part[] {
  const places = [0, ...at.map((place) => place % (whole.length + 1)).toSorted((a, b) => a - b), whole.length]
  return places.slice(1).map((end, index) => whole.slice(places[index] ?? 0, end))
}

const places = fc.array(fc.nat(10_000), { maxLength: 20 })

describe('members of a JSON object', () => {
  it('are the same wherever the text is cut, and each is there when its value is complete', () => {
    const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue())
    fc.assert(
      fc.property(object, fc.constantFrom(0, 2), places, (value, indent, at) => {
        const text = JSON.stringify(value, null, indent)
        const scanner = new MemberScanner()
        const members = cut(text, at).flatMap((piece) => scanner.feed(piece))
        expect(scanner.isComplete).toBe(true)
        const expected = JSON.parse(text) as Record<string, unknown>
        expect(members.map(({ key }) => key)).toEqual(Object.keys(expected))
        expect(members.map((member) => member.value)).toEqual(Object.values(expected))
      }),
    )
  })

  it('no text makes it do anything but find an object or none', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const answer = parseAnswer(text)
        if (answer !== null) expect(typeof answer).toBe('object')
      }),
    )
  })

  it('an object that breaks off is none', () => {
    const text = JSON.stringify({ a: [1, { b: '}' }], c: 'x\\"y' })
    for (let end = 0; end < text.length; end += 1) expect(parseAnswer(text.slice(0, end))).toBeNull()
    expect(parseAnswer(text)).toEqual({ a: [1, { b: '}' }], c: 'x\\"y' })
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

describe('quoted data', () => {
  it('holds no tag, no line of its own and no number of an item, whatever was said', () => {
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
    fc.assert(
      fc.property(fc.array(nasty, { minLength: 1, maxLength: 5 }), (texts) => {
        const items = texts.map((parts) => ({
          startTime: 0,
          endTime: 1,
          speaker: 'client',
          transcript: parts.join(''),
        }))
        const lines = quoteTranscript(items.map(quoteItem)).split(/[\n\r\u2028\u2029]/)
        expect(lines).toHaveLength(items.length + 2)
        for (const [index, line] of lines.slice(1, -1).entries()) {
          expect(line.startsWith(`[${index}] client: `) || line === `[${index}] client: `).toBe(true)
          expect(line.slice(`[${index}]`.length)).not.toMatch(/[<>[\]\p{Cc}\p{Cf}]/u)
        }
      }),
    )
  })

  it('brings no evidence of its own', () => {
    expect(quoteText('Client is fine. {items: 1, 2}')).toBe('Client is fine. (items: 1, 2}')
  })

  it('keeps words as they are', () => {
    expect(quoteText('  “Naïve” – 5 < 7,\n he said ')).toBe('“Naïve” – 5 ‹ 7, he said')
  })
})

describe('windows', () => {
  it('hold every item, none too much, each with something new and an overlap where there is room', () => {
    const tokens = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 400 })
    fc.assert(
      fc.property(
        tokens,
        fc.integer({ min: 300, max: 5_000 }),
        fc.integer({ min: 0, max: 250 }),
        (items, most, overlap) => {
          const windows = splitWindows(items, most, overlap) ?? []
          expect(windows[0]?.start).toBe(0)
          expect(windows.at(-1)?.end).toBe(items.length)
          for (const [index, { start, end }] of windows.entries()) {
            expect(items.slice(start, end).reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(most)
            const before = windows[index - 1]
            if (before === undefined) continue
            expect(start).toBeLessThanOrEqual(before.end)
            expect(start).toBeGreaterThan(before.start)
            expect(end).toBeGreaterThan(before.end)
          }
        },
      ),
    )
    expect(splitWindows([10, 500, 10], 300, 50)).toBeNull()
    expect(splitWindows([], 300, 50)).toEqual([])
  })

  it('facts that two windows share are told once, with the items of both, in the order of the session', () => {
    const fact = (text: string, ...items: number[]) => ({ topic: 'plan' as const, text, items })
    expect(mergeFacts([[fact('Late.', 9)], [fact('Walk daily.', 5, 6), fact('walk  daily.', 7)]])).toEqual([
      fact('walk daily.', 5, 6, 7),
      fact('Late.', 9),
    ])
  })
})

describe('a stored section', () => {
  const stored = (content: string, ...evidence: [string, number[]][]): NoteSection => ({
    key: 'plan',
    title: 'Plan',
    content,
    evidence: evidence.map(([sentence, transcriptItems]) => ({
      sentence,
      transcriptItems,
      supported: true,
      judgement: 'verified',
      reason: null,
    })),
  })

  it('keeps evidence and judgement of its sentences, and what a clinician wrote between them as theirs', () => {
    const section = stored(
      'Walk daily. Dr. Who agrees. Call on Monday.',
      ['Walk daily.', [3]],
      ['Call on Monday.', [7]],
    )
    expect(readJudgedSection(section)).toMatchObject({
      layout: 'paragraph',
      sentences: expect.arrayContaining([
        expect.objectContaining({ text: 'Walk daily.', transcriptItems: [3], judgement: 'verified' }),
        expect.objectContaining({ text: 'Call on Monday.', transcriptItems: [7], judgement: 'verified' }),
      ]),
    })
    expect(
      readJudgedSection(section)
        .sentences.map(({ text }) => text)
        .join(' '),
    ).toBe(section.content)
  })

  it('gives the same sentence twice with the evidence of each', () => {
    const section = stored('Walk. Rest. Walk.', ['Walk.', [1]], ['Rest.', [2]], ['Walk.', [5]])
    expect(readJudgedSection(section).sentences.map(({ transcriptItems }) => transcriptItems)).toEqual([
      [1],
      [2],
      [5],
    ])
  })

  it('reads a list as one, and nothing as nothing', () => {
    expect(readJudgedSection(stored('- Walk.\n\n- Rest.', ['Rest.', [2]]))).toMatchObject({
      key: 'plan',
      layout: 'bullets',
      sentences: [
        { text: 'Walk.', transcriptItems: [], judgement: 'clinicians_words' },
        { text: 'Rest.', transcriptItems: [2], judgement: 'verified' },
      ],
    })
    expect(readJudgedSection(stored(''))).toEqual({ key: 'plan', layout: 'paragraph', sentences: [] })
  })

  it('loses no word of any text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('Walk.', 'Rest!', 'dr. who', '5 mg', 'Why?')), (parts) => {
        const text = parts.join(' ')
        const { sentences } = readJudgedSection(stored(text, ['Rest!', [1]]))
        expect(sentences.map((one) => one.text).join(' ')).toBe(text)
      }),
    )
  })
})
