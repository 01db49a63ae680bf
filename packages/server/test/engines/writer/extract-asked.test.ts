import { describe, expect, it } from 'vitest'
import { danger, extract, medicine, tell } from './extract-talk.js'

const { listed, textIn, underDanger, write } = extract

describe('nobody’s words go on over another’s question', () => {
  const found = danger({
    items: [0, 1],
    words: 'Yes.',
    standing: 'denied',
    questionItem: 0,
  })
  const talk = `
    clinician {D1a}: The last question, about harming yourself, you put never.
    client {N0q}: Yes.
    clinician {Q1a}: Does anyone in the house drink, or do you?
    client {R1q R1a.6 R2a}: Me no. My husband has a beer. He offered me his sleeping tablets, and I left them.
  `

  it('ends a line about danger before what answers something else', async () => {
    const text = await underDanger(talk, [found])
    expect(text).toContain('you put never.” –“Yes.”')
    expect(text).not.toContain('Me no')
  })

  it('quotes that answer behind its own question', async () => {
    const text = await textIn('subjective', talk, [found])
    expect(text).toContain('Does anyone in the house drink, or do you?” –“Me no.')
  })

  it('puts what a client asked before what is told to it', async () => {
    const text = await textIn(
      'objective',
      `
      clinician {O2a}: Your questionnaire, the PHQ for teens, was eighteen.
      client {Q0a}: What's it out of?
      clinician {O2p}: Twenty-seven, and last time you had twenty-one.
    `,
    )
    expect(text).toContain("was eighteen.” –“What's it out of?” –“Twenty-seven")
  })
})

describe('a question that is asked once more', () => {
  it('stands with the answer that it gets then', async () => {
    const talk = `
      clinician [psychosis .99] {D1a}: Do the voices ever tell you to do things?
      client [psychosis .9] {D1q}: These are the good ones. With the chocolate.
      clinician [psychosis .99] {D1a}: Do they tell you to do things, Terrell?
      client [psychosis .99] {D2q}: She says stuff like, go up there. Handle it.
      clinician {Q0a}: What did you have for lunch?
    `
    const found = [
      danger({ items: [0, 1], words: 'Do the voices ever tell you to do things?', matter: 'psychosis' }),
      danger({
        items: [2, 3],
        words: 'She says stuff like, go up there.',
        matter: 'psychosis',
        standing: 'affirmed',
        questionItem: 2,
      }),
    ]
    expect(await underDanger(talk, found)).toMatch(
      /With the chocolate\.” –“Do they tell you to do things, Terrell\?” –“She says stuff/,
    )
  })
})

describe('what takes danger up again without a word for it', () => {
  const found = danger({
    items: [0, 1],
    words: 'I see him at the bottom of the stairs, and that I dropped him.',
    standing: 'affirmed',
    matter: 'harm_to_others',
  })
  const tellsDanger = `
    clinician {D1a}: Do you have thoughts of hurting the baby?
    client {D2q}: I see him at the bottom of the stairs, and that I dropped him.`
  const wordsOf = async (talk: string): Promise<string> =>
    (await listed(talk, [found])).map(({ words }) => words).join(' | ')

  it('is listed with what it is said of', async () => {
    const talk = `${tellsDanger}
    clinician {J0a.4 J0p.4}: What you have is different. Those are intrusive thoughts, they upset you.`
    expect(await wordsOf(talk)).toContain('What you have is different. Those are intrusive thoughts')
    const items = (await listed(talk, [found])).flatMap(({ transcriptItems }) => transcriptItems)
    expect(items).toContain(2)
  })

  it.each([
    'Fluoxetine in people your age can bring on those thoughts, so I ask each time.',
    "I did a little checklist, the danger assessment, and you'd come out high.",
    'With the gun there you are at higher risk than before.',
  ])('%s', async (sentence) => {
    expect(await wordsOf(`${tellsDanger}\n    clinician {N0a}: ${sentence}`)).toContain(sentence)
  })

  it('is not listed far from it, and not where nothing was found', async () => {
    const between = Array.from({ length: 10 }, (_, at) => [
      `    clinician {N0a}: We talk about week number ${String(at)}.`,
      `    client {N0a}: It was the week of the house.`,
    ]).flat()
    const sentence = '    clinician {N0a}: Those thoughts about the house come to everybody who moves.'
    expect(await wordsOf([tellsDanger, ...between, sentence].join('\n'))).not.toContain('Those thoughts')
    expect(await listed(sentence, [])).toEqual([])
  })
})

describe('labels of medicines', () => {
  it('name none that is first named behind talk of another', async () => {
    const talk = `
      clinician {M1a}: How many of them would you say you missed?
      client {M2q}: Two days. The pills were in the checked bag.
      clinician {M1a}: The lamotrigine?
      client {M2q}: One fifty, in the morning.
    `
    const found = medicine({
      items: [2, 3],
      words: 'One fifty, in the morning.',
      name: 'lamotrigine',
      said: 'lamotrigine',
      dose: null,
    })
    const text = await textIn('subjective', talk, [found])
    expect(text).toContain('The lamotrigine?')
    expect(text).not.toContain('Lamotrigine. ')
  })

  it('name none that is another’s, which stands apart from theirs', async () => {
    const talk = `
      clinician {M1a}: Lisinopril, twenty milligrams, once a day?
      client {M2q}: Yes. At night.
      clinician {M1a}: And this one, amitriptyline, twenty-five.
      speaker_3 {M2q}: That's Dad's. That's an old bottle.
    `
    const found = [
      medicine({
        items: [0, 1],
        words: 'Lisinopril, twenty milligrams, once a day?',
        name: 'lisinopril',
        said: 'Lisinopril',
        dose: '20 mg',
      }),
      medicine({
        items: [2],
        words: 'And this one, amitriptyline, twenty-five.',
        name: 'amitriptyline',
        said: 'amitriptyline',
        dose: null,
      }),
    ]
    const text = await textIn('subjective', talk, found)
    const [own = '', other = ''] = (text.split('Medicines:')[1] ?? '').split('Other:')
    expect(own).toContain('Lisinopril 20 mg. Clinician')
    expect(own).not.toContain('miptyline')
    expect(other).toContain('Dad')
  })

  it('name no allergy where one of them is told to be none', async () => {
    const talk = `
      clinician {A1a}: And your allergies, I have codeine and penicillin.
      client {A2q}: Penicillin, I swelled up as a kid. Codeine just makes me throw up.
      clinician {A1a}: So penicillin's the true allergy, and codeine's more of a bad reaction.
    `
    const allergy = (substance: string) => ({
      id: `allergy-${substance}`,
      kind: 'allergy' as const,
      items: [0, 1],
      words: substance,
      substance,
      standing: 'present' as const,
      reaction: null,
    })
    const note = await write(tell(talk, [allergy('codeine'), allergy('penicillin')] as never))
    const texts = note.sections.flatMap(({ sentences }) => sentences.map(({ text }) => text)).join('\n')
    expect(texts).toContain('true allergy')
    expect(texts).not.toMatch(/^(?:Codeine|Penicillin)/m)
  })

  it('begin with no other matter where the medicine is named in the question', async () => {
    const talk = `
      client {P1p}: Open it at Dale's on Sundays.
      clinician {N0p P0p}: I like it a lot. Would you want to do that this week?
      client {P0q}: Yeah. I can do that.
      clinician {M1a}: And the medicine, the naltrexone that the doctor talked about, did you think about it?
      client {M2q}: I picked it up. Haven't started. Fifty milligrams.
    `
    const text = await textIn('subjective', talk, [
      medicine({
        items: [3, 4],
        words: 'Fifty milligrams.',
        name: 'naltrexone',
        said: 'naltrexone',
        dose: '50 mg',
      }),
    ])
    expect(text.split('Medicines:')[1] ?? '').not.toContain('Dale')
    expect(text).toContain('the naltrexone that the doctor talked about')
  })
})
