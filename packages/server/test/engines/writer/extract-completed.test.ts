import { describe, expect, it } from 'vitest'
import type { Finding, ScoreFinding } from '../../../src/engines/reader/reading.js'
import { danger, extract, medicine } from './extract-talk.js'

const { textIn } = extract

const under = (heading: string, text: string): string =>
  text.split(`${heading}:\n`)[1]?.split(/^\w+:$/m)[0] ?? ''

describe('under Medicines stands what the client takes', () => {
  it('what a clinician finds in a bag stands with what is said to it, and under Other if it is another’s', async () => {
    const found = medicine({
      items: [0],
      words: 'This one is tamsulosin.',
      said: 'tamsulosin',
      name: 'tamsulosin',
    })
    const talk = (reply: string): string => `
      clinician {M2a}: This one is tamsulosin.
      client {N0a}: ${reply}
    `
    const theirs = await textIn('subjective', talk('Every morning, for the plumbing.'), [found])
    expect(under('Medicines', theirs)).toMatch(/tamsulosin.*Every morning/)
    const anothers = await textIn('subjective', talk("Oh, that's my husband's! I must have swept it in."), [
      found,
    ])
    expect(anothers).not.toContain('Medicines:')
    expect(under('Other', anothers)).toMatch(/tamsulosin.*my husband's/)
    expect(anothers).not.toContain('Tamsulosin.')
  })

  it('a name on the box is not the client’s', async () => {
    const found = medicine({
      items: [0],
      words: 'Tamsulosin, this has Harold Dane on it.',
      said: 'Tamsulosin',
    })
    const talk = `
      clinician {M2a}: Tamsulosin, this has Harold Dane on it.
      client {N0a}: Right.
    `
    expect(await textIn('subjective', talk, [found])).not.toContain('Medicines:')
  })

  it.each([
    ['Good Lord, no. He would have a fit.', false],
    ['No, I take that at night.', true],
    ['Yes, since May.', true],
  ])('who is asked whether they take it and says “%s”', async (answer, isTaken) => {
    const found = medicine({
      items: [1],
      words: 'The tamsulosin is in there, too.',
      said: 'tamsulosin',
      dose: null,
    })
    const talk = `
      clinician {Q0a}: What is in the bag?
      client {M2a}: The tamsulosin is in there, too.
      clinician {Q0p}: You have been taking it?
      client {N0q}: ${answer}
    `
    expect((await textIn('subjective', talk, [found])).includes('Medicines:')).toBe(isTaken)
  })

  it('a dose without a name begins with the sentence that named it', async () => {
    const talk = `
      clinician {N0a}: Now, the lorazepam.
      client {N0a}: I thought so.
      clinician {P2a}: Half a tablet on the nights when you would take it, for two weeks.
    `
    expect(await textIn('plan', talk)).toMatch(/the lorazepam\..*Half a tablet/)
  })
})

describe('a label says no more than the quote', () => {
  it('no dose where only a part of it is taken', async () => {
    const found = medicine({
      items: [0],
      words: 'I have the zolpidem, ten milligrams.',
      said: 'zolpidem',
      dose: '10 mg',
    })
    const label = (rest: string): Promise<string> =>
      textIn('subjective', `client {M2a}: I have the zolpidem, ten milligrams. ${rest}`, [found])
    expect(await label('I take it on Sundays.')).toContain('Zolpidem 10 mg. Client')
    expect(await label('I take a half.')).toContain('Zolpidem. Client')
  })

  it('one allergy under two names once, and none where one of several would be left out', async () => {
    const labelled = async (words: string): Promise<string> => {
      const allergy = (substance: string): Finding => ({
        kind: 'allergy',
        id: `allergy-${substance}`,
        items: [0],
        words,
        substance,
        reaction: null,
        standing: 'affirmed',
      })
      return await textIn('subjective', `client {A2a}: ${words}`, [allergy('dye'), allergy('contrast dye')])
    }
    expect(await labelled('I am allergic to the dye, the contrast dye.')).toContain('Contrast dye. Client')
    expect(await labelled('I am allergic to the dye, the contrast dye, and codeine.')).not.toMatch(
      /^(?:Dye|Con)/m,
    )
  })

  it('what to do in a crisis is no appointment', async () => {
    const decision: Finding = {
      kind: 'decision',
      id: 'decision-0',
      items: [0],
      words: "I'll see you on Monday at four.",
      about: 'appointment',
      standing: 'agreed',
    }
    const plan = (said: string): Promise<string> => textIn('plan', `clinician {P2a}: ${said}`, [decision])
    expect(await plan("I'll see you on Monday at four.")).toContain('Appointment:')
    expect(
      await plan("If it gets worse you call the crisis line. I'll see you on Monday at four."),
    ).not.toContain('Appointment:')
  })
})

describe('a line is whole', () => {
  it('under Danger it begins with danger, not with what came before the question', async () => {
    const found = danger({
      items: [2, 3],
      words: 'No. Just the barcode people.',
      matter: 'abuse',
      questionItem: 2,
    })
    const talk = `
      client {M1p}: They make my stomach hurt.
      clinician {D0a.1}: That we can do something about.
      clinician {D2a}: Is anybody hurting you at home or at school?
      client {D2q}: No. Just the barcode people.
    `
    const text = await textIn('assessment', talk, [found])
    expect(text).toContain('barcode')
    expect(text).not.toContain('stomach')
  })

  it('listening between answers and questions about danger is left out', async () => {
    const found = danger({
      items: [0, 1, 2, 3],
      words: 'By the bed.',
      standing: 'affirmed',
      questionItem: 2,
    })
    const talk = `
      clinician {D2a}: Have you thought of killing yourself with the gun?
      client {D2q}: At three in the morning, yes.
      clinician {N0a D2a}: Thank you for an honest answer. Where is the gun now?
      client {D2q}: By the bed.
    `
    const text = await textIn('assessment', talk, [found])
    expect(text).toMatch(/Where is the gun now.*By the bed/)
    expect(text).not.toContain('honest answer')
  })

  it('what puts an answer right stands with it, whoever says it', async () => {
    const talk = (next: string): string => `
      clinician {Q1a}: Does she take the fluoxetine every day?
      speaker_3 {M2a}: I hand it to her with breakfast.
      client {N0p}: ${next}
    `
    expect(await textIn('subjective', talk("Except weekends at Dad's."))).toContain('Except weekends')
    expect(await textIn('subjective', talk('The eggs were cold today.'))).not.toContain('eggs')
  })

  it('two values of one measure stand together', async () => {
    const score = (item: number, words: string, value: string): ScoreFinding => ({
      kind: 'score',
      id: `score-${item}`,
      items: [item],
      words,
      name: 'blood pressure',
      value,
    })
    const talk = `
      clinician {O2a}: Lying down your pressure is one twenty six over seventy.
      client {N0a}: That is good, isn't it?
      clinician {N0p}: It's one hundred over sixty.
    `
    const findings = [
      score(0, 'Lying down your pressure is one twenty six over seventy.', '126/70'),
      score(2, "It's one hundred over sixty.", '100/60'),
    ]
    expect(await textIn('objective', talk, findings)).toContain('one hundred over sixty')
    expect(await textIn('objective', talk)).not.toContain('one hundred over sixty')
  })
})
