import { describe, expect, it } from 'vitest'
import { danger, extract, medicine } from './extract-talk.js'

const { textIn, underDanger } = extract

const linesIn = (text: string): string[] => text.split('\n').filter((line) => line.includes('“'))

const asked = danger({ items: [0, 1], words: 'Most nights I do.', standing: 'affirmed', questionItem: 0 })

describe('what stands under Danger has two witnesses', () => {
  const opening = `
    clinician {D2a}: Have you had thoughts of killing yourself?
    client {D2a}: Most nights I do.
  `

  it('a question of the same screen without a word for danger is one line with what it follows', async () => {
    const talk = `${opening.trimEnd()}
      clinician {D2a.7}: Was there a time when you needed no sleep and had big ideas?
      client {D2a.8}: No, nothing of that kind has come up.
    `
    const lines = linesIn(await underDanger(talk, [asked]))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/killing yourself.*no sleep/)
  })

  it('what the encoder alone takes for danger, far from any, stands elsewhere', async () => {
    const talk = `${opening.trimEnd()}
      ${Array.from({ length: 8 }, () => 'clinician {Q1a}: How is the work at the school going by now?\n      client {R2a}: I am back for three days of the week, with the small ones.').join('\n      ')}
      clinician {D2a.7}: Have you taken the elevator since the spring?
      client {D2a.7}: I took it down that same evening with a colleague.
    `
    expect(await underDanger(talk, [asked])).not.toContain('elevator')
    expect(await textIn('subjective', talk, [asked])).toContain('elevator')
  })

  it('that nobody died of it is no danger', async () => {
    const talk = `
      clinician {Q1a}: How did the talk with the boss feel?
      client [risk_self .8] {R2a D2a.55}: Like a five out of ten. But I didn't die.
      clinician [risk_self .95] {D1a.6}: You didn't die.
    `
    expect(await underDanger(talk)).not.toContain('die')
  })

  it('a threat that only hints at harm stands there, where the encoder is surest', async () => {
    const talk = (heat: string): string => `
      clinician [risk_others ${heat}] {D2a.8}: Have you sent him anything since Friday?
      client [risk_others ${heat}] {D2a.8}: I texted him on Monday. I said, watch your back.
    `
    expect(await underDanger(talk('.99'))).toContain('watch your back')
    expect(await underDanger(talk('.6'))).not.toContain('watch your back')
  })

  it('what was left out of a turn and is of the same danger stands with it', async () => {
    const found = danger({
      items: [1],
      words: 'I see myself hurting her with the knife.',
      matter: 'harm_to_others',
    })
    const talk = `
      clinician [risk_others .99] {D2a}: What are the pictures that come?
      client [risk_others .99] {D0p.5 D2a D0p.5}: Like a film on the stairs. I see myself hurting her with the knife. And then I have to sit down.
    `
    expect(await underDanger(talk, [found])).toMatch(/film on the stairs.*hurting her.*have to sit down/)
  })

  it('nothing is quoted twice, and lines that cross are one in the order of the talk', async () => {
    const first = danger({ items: [0, 1], words: 'I was just ticking that one.', questionItem: 0 })
    const second = danger({ items: [2, 3], words: 'My nephew got his results.', questionItem: 2 })
    const talk = `
      clinician {D2a}: You marked that you would be better off dead?
      client {D1q}: I was just ticking that one.
      clinician {D2a}: Are you having thoughts of killing yourself?
      client {D1q}: My nephew got his results.
      clinician {D1p}: I noticed that you went past my question.
      client {D2a}: I think about killing myself on most days now.
    `
    const text = await underDanger(talk, [first, second])
    expect(text.match(/thoughts of killing yourself/g)).toHaveLength(1)
    expect(text.indexOf('ticking')).toBeLessThan(text.indexOf('nephew'))
    expect(text.indexOf('nephew')).toBeLessThan(text.indexOf('most days'))
  })
})

describe('what takes it back stands with it', () => {
  it('a medicine that was not taken in the end', async () => {
    const talk = `
      clinician {Q1a}: What happened at the house of your brother?
      client {R2a N0n}: There was oxycodone in the cabinet and I looked at it. I didn't take any.
    `
    expect(await textIn('subjective', talk)).toContain("I didn't take any.")
  })
})

describe('whose medicine, and what is not borne', () => {
  const levothyroxine = medicine({
    said: 'Levothyroxine',
    name: 'levothyroxine',
    items: [0],
    words: 'Levothyroxine.',
  })

  it('a list that goes on from a relative is the relative’s', async () => {
    const talk = (who: string): string =>
      `client {M2a}: ${who} got a whole list. Levothyroxine. Every morning.`
    expect(await textIn('subjective', talk('My sister has'), [levothyroxine])).not.toContain('Medicines:')
    expect(await textIn('subjective', talk('I have'), [levothyroxine])).toContain('Medicines:')
  })

  it('who sits in with the client and is asked answers for themself', async () => {
    const found = medicine({ said: 'Ramipril', name: 'ramipril', items: [2], words: 'Ramipril, five.' })
    const talk = (question: string): string => `
      client {R2a}: I sleep four hours in most nights.
      clinician {M1a}: ${question}
      speaker_3 {M2a}: Ramipril, five.
    `
    expect(
      await textIn('subjective', talk('Are you taking anything yourself, Donal?'), [found]),
    ).not.toContain('Medicines:')
    expect(await textIn('subjective', talk('What does she take for the pressure?'), [found])).toContain(
      'Ramipril',
    )
  })
})
