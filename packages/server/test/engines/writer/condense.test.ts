import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headOf } from '../../../src/engines/writer/embedded/set/condense-statement.js'
import type { Statement } from '../../../src/engines/writer/embedded/statement/statement.js'
import { talk, textOf, write } from './talk.js'

/** As a recognizer hears a follow-up: a compound that is no word, stops left out. */
const visit = talk(`
  clinician: It has been four weeks since we last met, so tell me, what feels different?
  client: I'm not crying every day any more, and I went back to my pottery-glassed vice, which I had stopped completely.
  clinician: How is your mood this week?
  client: Flat.
  clinician: Are you still taking the sertraline, fifty milligrams every morning?
  client: Yes, I take it with breakfast. I missed two doses when I was at my sister's over the weekend.
  clinician: How do you feel about going up?
  client: In the little nervous about the nausea coming back
  clinician: You could try three milligrams of melatonin before bed if the waking at four has not improved by the next visit we will talk about trazodone.
  client: I've got plenty of dull books. I can read one of those when I am up at night.
  clinician: Let's meet again in four weeks, on Thursday the 12th if your mood drops, or any thoughts of suicide come up, call the clinic, or call 988 at any hour.
  client: I will. Thank you for everything, and I hope that you have a good weekend with your family as well.
`)

const sectionOf = async (key: string): Promise<string> =>
  (await write('medication_management', visit)).find((section) => section.key === key)?.content ?? ''

describe('a note in few words', () => {
  it('leaves out what was misheard, and keeps what was said before it', async () => {
    const note = textOf(await write('medication_management', visit))
    expect(note).toMatch(/not crying every day/)
    expect(note).not.toMatch(/glassed|vice/)
  })

  it("gives the mood in the client's own word", async () => {
    expect(await sectionOf('mental_status_exam')).toBe('Mood: "flat".')
  })

  it('quotes an answer that does not fit its question', async () => {
    expect(textOf(await write('medication_management', visit))).toContain('"In the little nervous about')
  })

  it('keeps numbers to call in the plan, though the next visit was set before', async () => {
    expect(await sectionOf('plan')).toMatch(/If their mood drops[^\n]*client to call the clinic, or call 988/)
  })

  it('binds a condition to what comes after it', async () => {
    expect(textOf(await write('medication_management', visit))).not.toMatch(/melatonin[^\n]*if the waking/)
  })

  it('names the client once, and again where it is about risk', async () => {
    const sections = await write(
      'soap',
      talk(`
        clinician: How have you been sleeping?
        client: I sleep four hours a night and I wake up at three most nights of the week.
        clinician: Any thoughts of suicide?
        client: No.
        clinician: What helps?
        client: Walking with my sister along the river after work helps me a lot in the evening.
      `),
    )
    expect(textOf(sections).match(/^Client /gm)).toHaveLength(2)
  })
})

describe('the head of a statement', () => {
  const make = (text: string): Statement => ({
    kind: 'report',
    order: 0,
    items: [0],
    role: 'client',
    topics: [],
    asked: [],
    text,
    frame: { form: 'clause', isPast: false },
    bare: null,
    score: 1,
    isMandatory: false,
  })

  it('says less and nothing else', () => {
    const part = fc.constantFrom(
      'they sleep five hours',
      'their sister calls',
      'work is hard',
      'they missed a dose',
    )
    const link = fc.constantFrom('; ', ', which ', ', so ', ', and they ', ' (')
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), link, (parts, between) => {
        const text = parts.join(between)
        const head = headOf(make(text))?.text ?? text
        expect(text.startsWith(head)).toBe(true)
      }),
    )
  })

  it.each(['they take it every morning; but they stopped last week', 'they sleep well; they do not take it'])(
    'is not taken where the rest turns it round: %s',
    (text) => {
      expect(headOf(make(text))).toBeNull()
    },
  )
})
