import { describe, expect, it } from 'vitest'
import { extract, medicine } from './extract-talk.js'

const { textIn, underDanger } = extract

describe('a quote begins with what names its subject', () => {
  it('puts what a short question of amount is about before it', async () => {
    const text = await textIn(
      'subjective',
      `
      clinician {Q0a}: How is the sleep going these days?
      client {R0a}: Some nights I lie awake until four.
      clinician {Q0a}: How many nights would you say?
      client {R2q}: Maybe two a week.
    `,
    )
    expect(text).toContain('lie awake until four.” –“How many nights would you say?” –“Maybe two a week.')
  })

  it('puts what was counted before "the second"', async () => {
    const text = await textIn(
      'plan',
      `
      clinician: Coffee?
      client {R0q}: One in the morning, one at two.
      clinician {P2a}: Could the second go to noon?
      client {P2q}: Noon, with the sandwich, that I can do.
    `,
    )
    expect(text).toContain('Coffee?” –“One in the morning, one at two.” –“Could the second go to noon?')
  })

  it('leaves what counts its own points as it is', async () => {
    const text = await textIn(
      'plan',
      `
      client {N0a}: My cousin came over for the weekend.
      clinician {P2a}: The second is, you call the nurse when the fever comes back.
    `,
    )
    expect(text).toContain('“The second is, you call the nurse')
    expect(text).not.toContain('cousin')
  })

  it('puts what another asked before a clinician’s answer without a clause', async () => {
    const text = await textIn(
      'plan',
      `
      clinician {P0a}: Beatriz, could you check his pressure at home?
      speaker_3 {N0p}: Every day?
      clinician {P2a}: Sitting and standing, mornings, three times a week.
    `,
    )
    expect(text).toContain('check his pressure at home?')
    expect(text).toContain('Every day?')
  })

  it('names the medicine that a client asked for', async () => {
    const text = await textIn(
      'plan',
      `
      client {Q0p}: And the gabapentin?
      clinician {N0p P2a}: Let's stop pretending. If you're groggy in the morning go back to three hundred and ring me.
    `,
    )
    expect(text).toContain('gabapentin?” –“')
  })
})

describe('a line begins and ends with what its heading promises', () => {
  it('keeps the last word of an answer about danger', async () => {
    const text = await underDanger(
      `
      clinician [risk_others .99] {D1a}: Zero to ten, how likely is it that you would kill him this week?
      client [risk_others .99] {D1q D2q N0n}: Sober, one. With the beer in me, I don't know. Five.
      clinician {Q0a}: What did you have for lunch?
    `,
    )
    expect(text).toContain("I don't know. Five.")
    expect(text).not.toContain('lunch')
  })

  it('begins a line about allergies with the question for them', async () => {
    const text = await textIn(
      'subjective',
      `
      clinician {A1a}: Any blood thinners or aspirin?
      client {A2q A1q}: The baby aspirin, I stopped. You told me to stop.
      clinician {A1a}: Any allergies, to penicillin maybe?
      client {A2q}: Penicillin, I came up in hives all over.
    `,
      [],
    )
    const [, under = ''] = text.split('Allergies:')
    expect(under.split('Other:')[0]).not.toContain('aspirin')
    expect(under).toContain('Any allergies, to penicillin maybe?” –“Penicillin')
    expect(text).toContain('baby aspirin, I stopped')
  })

  it('sets apart what another takes, and leaves the rest under Medicines', async () => {
    const own = medicine({
      items: [0, 1],
      words: 'The lorazepam, most nights.',
      name: 'lorazepam',
      said: 'lorazepam',
    })
    const other = medicine({
      items: [3],
      words: 'Her metformin, two.',
      name: 'metformin',
      said: 'metformin',
      whose: 'other',
    })
    const text = await textIn(
      'subjective',
      `
      clinician {M1a}: What do you take for the nights?
      client {M2q}: The lorazepam, I take it most nights.
      clinician {M1p}: How many days a week?
      client {M2q M2q}: Four days. There is the metformin in the cupboard, the pink ones.
    `,
      [own, other],
    )
    const [, under = ''] = text.split('Medicines:')
    expect(under.split('Other:')[0]).toContain('lorazepam')
    expect(under.split('Other:')[0]).not.toContain('metformin')
  })
})
