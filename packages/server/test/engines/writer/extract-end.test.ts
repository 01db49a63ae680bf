import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/engines/reader/reading.js'
import { danger, extract, medicine, tell } from './extract-talk.js'

const { textIn, write } = extract

describe('a quote ends with the turn that decides', () => {
  it('goes on to whoever says otherwise, and to what is said to that', async () => {
    const talk = `
      clinician {Q1a}: Have you had any falls since the hospital?
      client {R1q}: No.
      speaker_3 {N0n R0q}: Dad. The bathroom.
      client {R0p}: That wasn't a fall. I sat down quick.
      clinician {Q0a}: What do you eat these days?
    `
    expect(await textIn('subjective', talk)).toContain(
      "Clinician (0:00): “Have you had any falls since the hospital?” –“No.” Speaker 3: “Dad. The bathroom.” Client: “That wasn't a fall.",
    )
  })

  it('names whoever answers for the client: a dash is the client’s', async () => {
    const talk = `
      clinician {Q1a}: Have you had any falls since the hospital?
      speaker_3 {R1q}: Two, both in the bathroom.
      client {R1q}: Two, yes. I slipped.
      clinician {Q0a}: What do you eat these days?
    `
    const text = await textIn('subjective', talk)
    expect(text).toContain('since the hospital?” Speaker 3: “Two, both in the bathroom.”')
    expect(text).not.toContain('–“Two')
  })

  it('does not end with a sentence that takes itself back', async () => {
    const talk = `
      clinician {P2a Q0a}: I'm seeing you on Friday, at eight, before your, no, you're on the truck. Four thirty?
      client {N0n}: Four thirty Friday.
      clinician {N0a}: Okay.
    `
    const text = await textIn('plan', talk)
    expect(text).toContain("you're on the truck. Four thirty?” –“Four thirty Friday.”")
  })

  it('has the answer to a question of its last turn', async () => {
    const found = medicine({ items: [0, 1, 2], words: 'The three hundred.', said: 'gabapentin', dose: null })
    const talk = `
      clinician {M1a}: So the gabapentin, tell me how you are taking it.
      client {M2q}: The three hundred.
      clinician {Q1p M2a}: Three hundred, how many times a day? It was written for three times a day.
      client {M0q}: Two. Morning one made me stupid.
    `
    expect(await textIn('subjective', talk, [found])).toContain(
      'for three times a day.” –“Two. Morning one made me stupid.”',
    )
  })

  it('goes on where somebody asks back what a question means', async () => {
    const found = danger({ items: [0, 1], words: 'Do you feel safe at home?', matter: 'abuse' })
    const talk = `
      clinician [abuse .9] {D1a}: Do you feel safe at home with your husband?
      client [abuse .9] {D0q}: Do you write it in the computer?
      clinician [abuse .9] {N0a}: I write it in the chart, but he can't see it.
      client [abuse .9] {D0q}: Sometimes is safe.
    `
    expect(await textIn('assessment', talk, [found])).toMatch(
      /safe at home.*in the computer\?” –“I write it.*–“Sometimes is safe\.”/,
    )
  })

  it('has what was put anew in a plan', async () => {
    const talk = `
      clinician {P2a}: Espresso, I'd like you to have one, before noon.
      client {N0a}: One. That's cruel.
      clinician {N0n}: Two, before noon.
      client {N0n}: Settled.
    `
    expect(await textIn('plan', talk)).toContain('–“Two, before noon.”')
  })

  it('asks once more about a medicine, and of nothing else', async () => {
    const found = medicine({ items: [0, 1], words: 'Yeah, the sertraline, fifty.' })
    const talk = (again: string): string => `
      clinician {M1a}: Are you still on your sertraline?
      client {M2q}: Yes, fifty milligrams.
      clinician {Q0p}: ${again}
      client {M0q}: Most days.
    `
    expect(await textIn('subjective', talk('Every day?'), [found])).toContain('–“Every day?” –“Most days.”')
    expect(await textIn('subjective', talk('Alcohol?'), [found])).not.toContain('Alcohol')
  })

  it('stops after five turns', async () => {
    const turns = Array.from(
      { length: 20 },
      (_, at) => `${at % 2 === 0 ? 'speaker_3' : 'client'} {N0n}: It was not, I say.`,
    )
    const text = await textIn(
      'subjective',
      [`clinician {Q1a}: Have you had any falls since May?`, `client {R1q}: No.`, ...turns].join('\n'),
    )
    expect(text.match(/It was not/g)?.length ?? 0).toBeLessThanOrEqual(5)
  })
})

describe('a quote begins with what it answers', () => {
  it('a client’s answer with its question', async () => {
    const talk = `
      clinician {Q0a}: And if you get a stomach bug?
      client {P2q}: Drink, and call you, and don't take the lithium till you say.
    `
    expect(await textIn('plan', talk)).toContain('stomach bug?” –“Drink, and call you')
  })

  it('of danger the whole breath of a question', async () => {
    const found = danger({ items: [0, 1], words: 'No. God, no.', matter: 'harm_to_others', questionItem: 0 })
    const talk = `
      clinician [risk_others .9] {Q0a D1a}: Is there any part of you that wants to do it? Or that thinks she'd be better off dead?
      client [risk_others .9] {D1q}: No. God, no.
    `
    expect(await textIn('assessment', talk, [found])).toContain(
      '“Is there any part of you that wants to do it? Or that',
    )
  })
})

describe('who speaks', () => {
  it('a dash stands for the other of two, and a third is named', async () => {
    const talk = `
      clinician {Q1a}: How many hours do you sleep in a night?
      client {R2q}: Four hours, since the move.
      clinician {Q1a}: And how many did you sleep before the move?
      client {R2q}: Seven hours, every night.
    `
    expect(await textIn('subjective', talk)).toContain(
      '“How many hours do you sleep in a night?” –“Four hours, since the move.” –“How many did',
    )
  })
})

describe('a label', () => {
  it('is no answer word', async () => {
    const found: Finding = {
      id: 'a',
      kind: 'allergy',
      items: [0, 1],
      words: 'Correct.',
      substance: 'Correct',
      reaction: null,
      standing: 'affirmed',
    }
    const talk = `
      clinician {A2a}: You're still allergic to sulfa, correct?
      client {A1q}: Correct. Stevens-Johnson, in law school.
    `
    const text = await textIn('subjective', talk, [found])
    expect(text).toContain('allergic to sulfa')
    expect(text).not.toContain('Correct. Clinician')
  })
})

describe('what is no danger, and no medicine that is taken', () => {
  it('how another died of an overdose stands elsewhere', async () => {
    const found = danger({
      items: [0, 1],
      words: 'An overdose?',
      whose: 'other',
      element: 'act',
      standing: 'affirmed',
    })
    const talk = `
      clinician {D1a}: An overdose?
      client {D1a} <0: That is what they say. She found him in the morning.
    `
    expect(await textIn('assessment', talk, [found])).not.toContain('An overdose?')
  })

  it('what is in the house is not taken', async () => {
    const found = medicine({
      items: [0, 1],
      words: 'Ibuprofen.',
      said: 'Ibuprofen',
      name: 'ibuprofen',
      dose: null,
    })
    const talk = `
      clinician {M1a}: Any pills in the house?
      client {M2q}: Ibuprofen. And my sister left her Ambien.
    `
    expect(await textIn('subjective', talk, [found])).not.toContain('Medicines:')
  })
})

describe('the list', () => {
  it('has what must be told of a danger, though another sentence of its turn is listed', async () => {
    const told = danger({
      items: [0],
      words: 'He said he would kill me.',
      matter: 'abuse',
      element: 'threat',
      standing: 'affirmed',
    })
    const step: Finding = {
      id: 'd',
      kind: 'decision',
      items: [1],
      words: 'The stairs we will work on.',
      about: 'safety_step',
      standing: 'agreed',
    }
    const { findings } = await write(
      tell(
        `
      client [abuse .95] {D2a}: He said he would kill me.
      clinician {N0a}: The stairs we will work on. I do have to let our safeguarding lead know about the threat.
      client {N0a}: Okay then.
    `,
        [told, step],
      ),
    )
    expect(findings.some(({ kind, words }) => kind === 'danger' && words.includes('safeguarding lead'))).toBe(
      true,
    )
  })
})

describe('a plan goes on to what changes it later', () => {
  const between = `
      clinician {R1a}: How is your brother, out there with the boats?
      client {R1a}: He paints them, as every winter.
      clinician {R1a}: And your knee?
      client {R1a}: It clicks on the stairs.`

  it.each([
    ['what takes it back', 'clinician {N0a}: Right, then no spirometry.', 'hen no spirometry'],
    ['a refusal', "client {N0a}: I'd rather not have the spirometry.", 'rather not have'],
    ['nothing that goes on about it', 'clinician {N0a}: The spirometry takes an hour.', null],
    ['nothing of another matter', 'clinician {N0a}: Let us drop the painting then.', null],
    ['no farewell', 'clinician {N0a}: Spirometry, and take care then.', null],
  ])('%s', async (_what, later, expected) => {
    const text = await textIn(
      'plan',
      `
      clinician {P2a}: I'd like you to have a spirometry at the hospital next month.${between}
      ${later}
    `,
    )
    expect(text).toContain('have a spirometry')
    expect(text.split('next month.')[1] ?? '').toMatch(expected === null ? /^”$/ : new RegExp(expected))
  })

  it('and to another time that is settled close by, if the first was answered', async () => {
    const talk = (answer: string): string => `
      clinician {P2a}: So you come back here Thursday, at half past two.
      client {N0a}: ${answer}
      clinician {N0a}: Wednesday then.
    `
    expect(await textIn('plan', talk("Thursday's the fish."))).toContain('–“Wednesday then.”')
    expect(await textIn('plan', talk('They paint the boats.'))).not.toContain('Wednesday')
  })
})
