import { describe, expect, it } from 'vitest'
import { danger, extract, medicine } from './extract-talk.js'

const { listed, textIn, underDanger } = extract

describe('talk of a dose names its medicine', () => {
  it('begins with the sentence that named it last', async () => {
    const text = await textIn(
      'plan',
      `
      clinician {N0a}: And where were you with the Suboxone?
      client {N0q}: My backpack got stolen.
      clinician [med_change .8] {P2a}: I'd like to go from three to two strips a day.
      client {P1q}: I can try that.
    `,
    )
    expect(text).toContain("Suboxone?” … “I'd like to go from three to two strips")
  })

  it('takes the one that the reader found for the dose, however far back', async () => {
    const talk = `
      clinician {N0a}: You are on the oxycodone, still.
      client {N0q}: I am.
      clinician {N0a}: And Tylenol for the knee.
      client {N0q}: At night.
      clinician [med_change .8] {P2a}: I'd like to go from three to two and a half a day.
      client {P1q}: I can try that.
    `
    const found = medicine({
      items: [0, 4],
      name: 'oxycodone',
      said: 'oxycodone',
      dose: '2.5',
      status: 'lowered',
      words: "I'd like to go from three to two and a half a day.",
    })
    const text = await textIn('plan', talk, [found])
    expect(text).toContain('on the oxycodone, still.” … “I')
    expect(text).not.toContain('Tylenol')
  })

  it('names none with a sentence that names two', async () => {
    const text = await textIn(
      'plan',
      `
      clinician {N0a}: You have one NovoRapid and one Lantus on the go.
      client {N0q}: In the fridge.
      clinician [med_change .8] {P2a}: I don't want a pump of two hundred units on you this month.
      client {P1q}: Fine with me.
    `,
    )
    expect(text).toContain('two hundred units')
    expect(text).not.toContain('Lantus')
  })

  it('names none where the amount is of something else', async () => {
    const text = await textIn(
      'plan',
      `
      clinician {N0a}: And where were you with the Suboxone?
      client {N0q}: Fine with it.
      clinician {P2a}: I'd like to go from three to two cigarettes a day.
      client {P1q}: I can try that.
    `,
    )
    expect(text).toContain('two cigarettes a day')
    expect(text).not.toContain('Suboxone')
  })
})

describe('a quote begins with what it is about', () => {
  it('puts the two words that open its turn before it', async () => {
    const text = await textIn(
      'subjective',
      `
      clinician {Q0a}: What else?
      client {N0n R2a}: The beep test. I used to get eleven, and now I got eight point something.
    `,
    )
    expect(text).toContain('The beep test. I used to get eleven')
  })

  it('says of whom a clinician asks', async () => {
    const text = await textIn(
      'plan',
      `
      clinician {P0a P2a}: Because Kiki heard it, I have to think about a report. She's not going back there?
      client {P1q}: She is not going back there.
    `,
    )
    expect(text).toContain('Because Kiki heard it, I have to think about a report. She')
  })
})

describe('what was offered goes on to what was agreed', () => {
  it('quotes the time that took the place of one that was refused', async () => {
    const text = await textIn(
      'plan',
      `
      clinician {P2a}: Can I see you next Tuesday, period four?
      client {P1q}: That's English.
      clinician {N0a}: Then definitely not. Period two?
      client {N0q}: Two's woodwork. Lunch?
      clinician {N0a}: Lunch Tuesday.
    `,
    )
    expect(text).toContain('Lunch?” –“Lunch Tuesday.')
    expect(text).not.toContain('Appointment')
  })

  it('quotes what a clinician would do who is asked for it', async () => {
    const text = await textIn(
      'plan',
      `
      clinician {P2a N0a}: We could go to fifty on the Vyvanse. Or keep forty, and add a small one.
      client {N0q}: What would you do?
      clinician {N0a}: With the weight, I'd rather not push the big one.
    `,
    )
    expect(text).toContain("I'd rather not push the big one.")
  })
})

describe('Danger and what is beside it', () => {
  it('takes "Did you hurt yourself?" after a fall for no danger', async () => {
    const talk = `
      client {R1a}: My knee gave way the once, in the yard.
      clinician [risk_self .6] {D0a.4}: Did you hurt yourself?
      client {R0q}: Only my pride.
    `
    const found = [danger({ items: [1, 2], matter: 'self_harm', element: 'act', words: 'Only my pride.' })]
    expect(await underDanger(talk, found)).not.toContain('hurt yourself')
  })

  it('still takes it for danger where nothing was told before it', async () => {
    const talk = `
      clinician {N0a}: Let me ask about the cutting.
      clinician [risk_self .9] {D0a}: Did you hurt yourself this week?
      client [risk_self .9] {D2q}: No.
    `
    const found = [danger({ items: [1, 2], matter: 'self_harm', element: 'act', words: 'No.' })]
    expect(await underDanger(talk, found)).toContain('hurt yourself')
  })
})

describe('the list of what was said of danger', () => {
  const told = `
    clinician {D2a}: Have you thought about ending your life?
    client {D2a}: I have thought about taking all her tablets.`
  const found = danger({
    items: [0, 1],
    words: 'I have thought about taking all her tablets.',
    standing: 'affirmed',
    questionItem: 0,
  })
  const wordsOf = async (more: string): Promise<string> =>
    (await listed(`${told}\n${more}`, [found])).map(({ words }) => words).join(' | ')

  it('has what a clinician worries about, and why', async () => {
    const words = await wordsOf(
      "clinician {N0a}: I'm still worried, I'll tell you that. It's the guns and four hours of sleep.",
    )
    expect(words).toContain("I'm still worried, I'll tell you that. It's the guns and four hours of sleep.")
  })
})
