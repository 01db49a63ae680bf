import { describe, expect, it } from 'vitest'
import { extract } from './extract-talk.js'

const { textIn } = extract

describe('a plan goes on to what both came to', () => {
  it.each([
    [
      'another figure',
      `clinician {P2a}: I'd do prednisone, forty a day for five days.
       client {N0a}: That makes my sugar go to four fifty. Could I do less?
       clinician {N0a}: Thirty, for five.
       client {N0a}: I'll do thirty.`,
      " Could I do less?” –“Thirty, for five.” –“I'll do thirty.”",
    ],
    [
      'another time',
      `clinician {P2a}: Our usual next Tuesday at eleven.
       client {N0a}: Not eleven, I've moved seminar. Half twelve?
       clinician {N0a}: Half twelve.`,
      'Half twelve?” –“Half twelve.”',
    ],
    [
      'another medicine',
      `clinician {P2a}: I'd thought of olanzapine, ten at night.
       client {N0a}: No. I put on forty pounds.
       clinician {N0a}: Then paliperidone, six milligrams in the morning.
       client {N0a}: Okay.`,
      '–“Then paliperidone, six milligrams in the morning.” –“Okay.”',
    ],
  ])('%s', async (_what, talk, expected) => {
    expect(await textIn('plan', talk)).toContain(expected)
  })

  it('not over what nobody there said of it, where an answer would be to something else', async () => {
    const text = await textIn(
      'plan',
      `clinician {P2a}: I could drop the lithium to seven fifty right now.
       client {N0a}: Oh, I'd rather not.
       clinician {N0a}: We wait for the kidneys, and look at the whole of it when they are back from the laboratory.
       client {N0a}: Yes.`,
    )
    expect(text).toContain("I'd rather not.")
    expect(text).not.toContain('“Yes.”')
  })

  it('what is simply taken stands as it was said', async () => {
    const text = await textIn(
      'plan',
      `clinician {P2a}: So raise the duloxetine to sixty, every morning.
       client {N0a}: Sixty, every morning.
       clinician {R1a}: And how is the garden, forty tomatoes again?
       client {N0a}: Fifty this year.`,
    )
    expect(text).not.toMatch(/tomatoes|Fifty/)
  })
})

describe('an exchange is whole', () => {
  it('with the short question before a line', async () => {
    const text = await textIn(
      'subjective',
      `clinician {N0a}: Thirsty also?
       client {R2a}: I'm keeping a bottle at the bed, and I wake four times for it.`,
    )
    expect(text).toContain("“Thirsty also?” –“I'm keeping a bottle")
  })

  it('with what a third person said in between', async () => {
    const text = await textIn(
      'plan',
      `clinician {P2a}: From tomorrow I'll get a sitting service, two nights a week.
       speaker_3 {N0a}: He'll hate a sitter.
       client {P2a}: A sitter may come on Mondays and on Fridays, after the news.`,
    )
    expect(text).toMatch(/a sitting service.*He'll hate a sitter.*after the news/s)
  })
})

describe('under Medicines and Allergies', () => {
  it.each([
    ['what was taken at another time', 'Did anything help, then?', 'The imipramine, it was.'],
    ['what lies about in a house', "What's left of the bin bag?", 'Three of the zopiclone. Some sertraline.'],
    ['what the father takes', 'Appa is taking what for his pressure?', 'Telmisartan.'],
  ])('stands nothing of %s', async (_what, asked, said) => {
    const text = await textIn(
      'subjective',
      `clinician {M2a}: ${asked}
       client {M2q} <0: ${said}`,
    )
    expect(text).not.toContain('Medicines:')
  })

  it('stands no allergy that is another’s', async () => {
    const talk = (said: string): string => `
      clinician {A2a}: The chart says that you are allergic to sulfa.
      client {A2a}: ${said}`
    expect(await textIn('subjective', talk('That was Mom, that one.'))).not.toContain('Allergies:')
    expect(await textIn('subjective', talk('I came out in hives.'))).toContain('Allergies:')
  })
})
