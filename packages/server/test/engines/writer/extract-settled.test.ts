import { describe, expect, it } from 'vitest'
import { danger, extract } from './extract-talk.js'

const { textIn, listed } = extract

describe('what has the last word on Medicines', () => {
  it.each([
    ['what another took', 'What did your mother take?', 'Some sertraline, and clonazepam.', false],
    ['what oneself takes', 'What do you take?', 'Some sertraline, and clonazepam.', true],
    ['what another gave', 'What are you taking for it?', 'My sister takes sertraline.', false],
    ['one of before', 'Did you ever take anything for this?', 'Sertraline, fifty milligrams.', false],
    ['one of before that is taken now', 'Did you ever take anything?', 'Sertraline, and still do now.', true],
    ['one that is not taken', 'Any propranolol with it?', 'No.', false],
    ['a missed dose', 'Did you miss the sertraline?', 'Yes, on Sunday.', true],
  ])('%s', async (_what, asked, said, stands) => {
    const talk = `
      clinician {M2a}: ${asked}
      client {M2q} <0: ${said}
    `
    expect((await textIn('subjective', talk)).includes('Medicines:')).toBe(stands)
  })

  it('nothing that may be a means', async () => {
    const talk = (share: string): string => `
      clinician {M2a}: What are they?
      client [risk_self ${share}] {M2a} <0: My zopiclone, I take them every night.
    `
    expect(await textIn('subjective', talk('.9'))).not.toContain('Medicines:')
    expect(await textIn('subjective', talk('.1'))).toContain('Medicines:')
  })

  it('“she” may be the client where somebody speaks for her', async () => {
    const talk = (speaker: string): string => `
      clinician {M2a}: What is she taking?
      ${speaker} {M2q} <0: Sertraline, fifty milligrams.
      client {R1a}: It is all right.
    `
    expect(await textIn('subjective', talk('speaker_3'))).toContain('Medicines:')
    expect(await textIn('subjective', talk('client'))).not.toContain('Medicines:')
  })
})

describe('what has the last word on Allergies', () => {
  it('ends with what is of them', async () => {
    const text = await textIn(
      'subjective',
      `
      clinician {A2a}: Any allergies?
      client {A2q} <0: Penicillin, I got hives.
      clinician {R2a.9}: How is the new school?
      client {R2q} <2: It is loud, and I sit alone at lunch.
    `,
    )
    const [, under = ''] = text.split('Allergies:')
    expect(under.split('Other:')[0]).toContain('hives')
    expect(under.split('Other:')[0]).not.toContain('lunch')
  })

  it('takes what was given in childhood for none', async () => {
    const text = await textIn('subjective', 'client {A2a}: Every winter I was given mustard oil on my chest.')
    expect(text).not.toContain('Allergies:')
  })
})

it('does not let a no answer half of what was asked', async () => {
  const text = await textIn(
    'plan',
    `
    clinician {Q1a N0a P2a}: Would you come to the hospital with me now? I would go along. See a doctor there tonight.
    client {R1q}: No.
    clinician {N0a}: All right.
  `,
  )
  expect(text.includes('See a doctor') && text.includes('No.')).toBe(text.includes('Would you come'))
})

describe('the list of danger', () => {
  const told = danger({ items: [1], words: 'I wanted to hang myself on Sunday.', standing: 'affirmed' })

  it('has what belongs to the talk about it by its surroundings alone', async () => {
    const words = (
      await listed(
        `
        clinician [risk_self .9] {D1a.9}: What happened on Sunday?
        client [risk_self .98] {D2a.9}: I wanted to hang myself on Sunday.
        clinician [risk_self .6] {D1a.3}: And the cord, where is it now?
        client [safety_plan .3] {N0a}: He can have it, I will bring it up.
        clinician [risk_self .5 safety_plan .5] {D1a.3}: Will you do that today, before you go home?
      `,
        [told],
      )
    )
      .map((item) => item.words)
      .join('\n')
    const note = await textIn(
      'assessment',
      'client [risk_self .98] {D2a.9}: I wanted to hang myself on Sunday.',
      [{ ...told, items: [0] }],
    )
    expect(note).toContain('hang myself')
    expect(words).toContain('He can have it')
  })

  it('has nothing of a talk far from it', async () => {
    const far = Array.from({ length: 30 }, (_, at) => `client {R1a}: We went to the market, stall ${at}.`)
    const words = (
      await listed(
        `
        clinician [risk_self .9] {D1a.9}: What happened on Sunday?
        client [risk_self .98] {D2a.9}: I wanted to hang myself on Sunday.
        ${far.join('\n')}
      `,
        [told],
      )
    )
      .map((item) => item.words)
      .join('\n')
    expect(words).not.toContain('stall 29')
  })
})
