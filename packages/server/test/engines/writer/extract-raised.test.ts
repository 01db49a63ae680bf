import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/engines/reader/reading.js'
import { danger, extract, medicine } from './extract-talk.js'

const { listed, textIn, underDanger } = extract

describe('what is raised to Danger', () => {
  it.each([
    'I told my dad that I want to be dead.',
    'I thought I would be better off dead.',
    'I kept thinking about killing myself.',
    'I wanted to see if I would wake up.',
    'I sat in the car in the garage, and I thought about leaving it running.',
  ])('plain words of one’s own death, where the encoder has little to say: %s', async (said) => {
    const talk = `
      clinician {Q1a}: What was the winter like for you?
      client [risk_self .35] {R2a}: ${said}
      clinician {Q1a}: How is the work at the school going?
      client {R2a}: I am back for three days of the week.
    `
    expect(await underDanger(talk)).toContain(said.slice(0, 25))
    expect(await underDanger(talk)).not.toContain('three days')
    expect(await textIn('subjective', talk)).not.toContain(said.slice(0, 25))
  })

  it.each([
    'In the movie she says that I want to be dead.',
    'I was joking that we would all be better off dead.',
    'I wanted to die when the phone rang in church.',
  ])('no film, joke or figure of speech: %s', async (said) => {
    const talk = `
      clinician {Q1a}: What was the weekend like for you?
      client [risk_self .35] {R2a}: ${said}
      clinician {Q1a}: How is the work at the school going?
      client {R2a}: I am back for three days of the week.
    `
    expect(await underDanger(talk)).not.toContain(said.slice(0, 25))
    expect(await textIn('subjective', talk)).toContain(said.slice(0, 25))
  })

  const asked = danger({
    items: [0, 1],
    words: 'I have, most nights.',
    standing: 'affirmed',
    questionItem: 0,
  })

  it('the means, the date and what was done, asked in the same stretch without a word for danger', async () => {
    const talk = `
      clinician {D2a}: Have you had thoughts of killing yourself?
      client {D2a}: I have, most nights.
      clinician {D2a}: Had you picked a time for it?
      client {D2a}: I had settled on the week after Christmas.
      clinician {D2a}: Have you put anything aside for that week?
      client {D2a}: There are seven of them in the drawer with the bills.
    `
    expect(await underDanger(talk, [asked])).toMatch(/picked a time.*after Christmas.*seven of them/s)
  })

  it('what is asked next about something else ends the stretch', async () => {
    const talk = `
      clinician {D2a}: Have you had thoughts of killing yourself?
      client {D2a}: I have, most nights.
      clinician {R1a}: Did you tell your sponsor about the drinking?
      client {R1q}: Not yet.
      clinician [risk_self .95] {D2a.6}: What did he do when the other man slipped?
      client [risk_self .95] {D2a.6}: He took him out for pancakes and coffee.
    `
    expect(await underDanger(talk, [asked])).toContain('most nights')
    expect(await underDanger(talk, [asked])).not.toContain('pancakes')
  })

  it('only the exchange that is of danger leaves its line', async () => {
    const talk = `
      clinician {Q1a}: How is your sleep these days?
      client {R2a}: I sleep for seven hours of the night.
      clinician [risk_self .8] {D2a}: Any hopelessness, or thoughts that life's not worth it?
      client [risk_self .8] {D2q D2a}: No. I like my life as it is.
    `
    expect(await underDanger(talk)).toContain('I like my life')
    expect(await underDanger(talk)).not.toContain('seven hours')
    expect(await textIn('subjective', talk)).toContain('seven hours')
  })

  it('not what panic is afraid of', async () => {
    const talk = `
      clinician {Q1a}: What happened in the warehouse on Saturday?
      client {R2a}: My hands went tingly by the freezers.
      clinician [risk_self .99] {D2a.6}: So the thought was that you would faint, or that you would die?
      client [risk_self .9] {D2a.3}: Faint, mostly, since they did the heart tests in June.
    `
    const found = danger({
      items: [2, 3],
      words: 'Faint, mostly, since they did the heart tests in June.',
      standing: 'affirmed',
      questionItem: 2,
    })
    expect(await underDanger(talk, [found])).not.toContain('faint')
  })

  it('an overdose, with how many of what, and not under Medicines', async () => {
    const talk = `
      client {R2a}: I had a bad night on Tuesday and I took too many.
      clinician {Q1a}: Too many of what?
      client {M2a}: The clonazepam and some of the amitriptyline.
      clinician {Q1a}: What did you want to happen that night?
      client {D2a}: I wanted to sleep and not to be found.
      clinician {D2a}: So you meant to die.
      client {D2a}: At that moment I did.
    `
    const taken = ['clonazepam', 'amitriptyline'].map((name) =>
      medicine({ items: [2], name, said: name, words: 'The clonazepam and some of the amitriptyline.' }),
    )
    expect(await underDanger(talk, taken)).toMatch(/took too many.*clonazepam.*meant to die/is)
    expect(await textIn('subjective', talk, taken)).not.toContain('Medicines:')
    expect(await textIn('assessment', talk, taken)).not.toContain('Suicide and self-harm')
  })

  it('what follows an answer that evades a question about overdoses', async () => {
    const talk = `
      clinician {D2a.3}: Any overdoses?
      client {D1q.3}: Um. Define overdose.
      clinician {N}: Passing out, turning blue, someone having to wake you.
      client {N}: I went out on Thursday. It was in the truck, behind the store. A man was banging on the window.
      clinician {N}: Thank you for telling me.
    `
    expect(await underDanger(talk)).toMatch(/Any overdoses\?.*I went out on Thursday.*banging on the window/s)
  })
})

describe('what is listed about leaving somebody violent', () => {
  const hit = danger({
    items: [1],
    words: 'He hits me when he drinks.',
    matter: 'abuse',
    element: 'violence',
    standing: 'affirmed',
    foundBy: 'words',
  })
  const wordsListed = async (talk: string, findings: readonly Finding[]): Promise<string> =>
    (await listed(talk, findings)).map(({ words }) => words).join(' ')
  const between = Array.from(
    { length: 12 },
    (_, at) => `
      clinician {R1a}: And the shop, on day ${at}?
      client {R1a}: We sold the bread that there was.`,
  ).join('')
  const plans = `${between}
      clinician {N}: Have you thought about leaving?
      client {N}: I have six hundred dollars that he doesn't know about.
      clinician {N}: Leaving is also the riskiest time, so do it with help.`

  it('has the money that is hidden and the warning, behind what was told of violence', async () => {
    const talk = `
      clinician {D2a}: Has he hurt you?
      client {D2a}: He hits me when he drinks.${plans}
    `
    expect(await wordsListed(talk, [hit])).toMatch(/leaving.*six hundred.*riskiest time/is)
  })

  it('has nothing of it where no violence was told', async () => {
    const talk = `
      clinician {D2a}: Have you thought of killing yourself?
      client {D2a}: I have, most nights.${plans}
    `
    const asked = danger({
      items: [0, 1],
      words: 'I have, most nights.',
      standing: 'affirmed',
      questionItem: 0,
    })
    expect(await wordsListed(talk, [asked])).not.toContain('six hundred')
  })
})

describe('a relative’s medicine', () => {
  it('stands under Other, also where the dose behind it was taken for the client’s', async () => {
    const said = 'My sister takes levothyroxine.'
    const found = [
      medicine({ items: [0], name: 'levothyroxine', said: 'levothyroxine', words: said, whose: 'other' }),
      medicine({
        items: [0],
        name: 'levothyroxine',
        said: 'levothyroxine',
        words: 'Seventy-five, I think.',
        dose: '75',
        whose: 'client',
      }),
    ]
    const text = await textIn('subjective', `client {M2a M2p}: ${said} Seventy-five, I think.`, found)
    expect(text).toContain(said)
    expect(text).not.toContain('Medicines:')
  })
})
