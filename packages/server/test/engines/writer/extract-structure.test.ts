import { describe, expect, it } from 'vitest'
import { danger, extract, medicine } from './extract-talk.js'

const { listed, textIn, underDanger } = extract

describe('under Danger', () => {
  const misprint = danger({
    items: [1],
    words: 'I wanted to die.',
    element: 'wish_to_be_dead',
    standing: 'affirmed',
  })

  it('no figure of speech stands that nobody takes up', async () => {
    const talk = `
      client {R2a}: There was a misprint on the front page of my newsletter.
      client {D2a}: I wanted to die.
      clinician {N}: What did your editor say about the misprint?
      client {R2a}: She laughed and bought me lunch.
    `
    expect(await underDanger(talk, [misprint])).not.toContain('wanted to die')
    expect(await textIn('subjective', talk, [misprint])).toContain('wanted to die')
  })

  it('the same words stand where the clinician asks about them', async () => {
    const talk = `
      client {R2a}: There was a misprint on the front page of my newsletter.
      client {D2a}: I wanted to die.
      clinician {D2a}: Do you mean that you have thought about killing yourself?
      client {D2a}: I have, most nights of this week.
    `
    expect(await underDanger(talk, [misprint])).toContain('wanted to die')
  })

  it('nothing stands of which the encoder is sure only once', async () => {
    const belt = danger({
      items: [0],
      words: 'I drove to town for a belt and forgot what I came for.',
      matter: 'abuse',
      element: 'violence',
      standing: 'affirmed',
    })
    const said = 'I drove to town for a belt and forgot what I came for.'
    expect(await underDanger(`client [abuse .4] {D2a}: ${said}`, [belt])).not.toContain('belt')
    expect(await underDanger(`client [abuse .9] {D2a.4}: ${said}`, [belt])).not.toContain('belt')
  })

  it('what goes on right behind a question about danger is one line with it', async () => {
    const talk = `
      clinician {D2a}: Have you had thoughts of killing yourself?
      client {D2a}: I have thought that it would be easier for everyone.
      clinician {D2a}: How many nights was it in the last two weeks?
      client {D2q}: Maybe four or five.
    `
    const found = [
      danger({
        items: [0, 1],
        words: 'I have thought that it would be easier for everyone.',
        standing: 'affirmed',
        questionItem: 0,
      }),
    ]
    const lines = (await underDanger(talk, found)).split('\n').filter((line) => line.includes('“'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(/killing yourself\?.*how many nights.*four or five/i)
  })
})

describe('"not asked, not mentioned"', () => {
  const unmentioned = (said: string): Promise<string> =>
    textIn('assessment', `clinician {N}: What did you tell him?\n client [risk_others .05] {N}: ${said}`)

  it('is not said of harm to others that words or figures mention, though nothing was found', async () => {
    expect(await unmentioned('I walked home and made soup.')).toContain('harm to others: not asked')
    expect(await unmentioned("I told him I'd meet him with Raymond's shotgun.")).not.toContain(
      'harm to others',
    )
    expect(await unmentioned('I could have murdered him, mind you.')).not.toContain('harm to others')
    const figure = 'client [risk_others .3] {N}: I would meet him at the gate.'
    expect(await textIn('assessment', figure)).not.toContain('harm to others')
  })
})

describe('behind a question', () => {
  it('nothing is left out until it is answered', async () => {
    const talk = `
      clinician {R2a N0n R2a}: Can you see out of that eye? Follow my finger. Any double vision?
      client {N0n R2a}: The light in here is bright. It only hurts when I chew.
    `
    expect(await textIn('subjective', talk)).toContain('The light in here is bright.')
  })

  it('one that points back is not asked about something else', async () => {
    const talk = `
      clinician {R2a}: Where do you keep the hammer these days?
      client {R2a}: Under my pillow, in case he comes down.
      clinician {Q0a}: Do you ever feel like going away for good?
      client {N0a}: I looked at the railway once.
      clinician {R2a}: When did you think that?
      client {R2a}: It was on Tuesday of last week.
    `
    const line = (await textIn('subjective', talk))
      .split('\n')
      .find((one) => one.includes('When did you think that?'))
    expect(line?.includes('hammer') === true && !line.includes('railway')).toBe(false)
  })

  it('a no keeps the sentence that turns it round', async () => {
    const talk = `
      clinician {R2a}: Did you need stitches for any of them?
      client {R2a N0n}: No. They are mostly scratches.
    `
    expect(await textIn('subjective', talk)).toContain('“No. They are mostly scratches.”')
  })
})

describe('what is suspected faintly', () => {
  const told = `
    clinician {D2a}: Have you thought about ending your life?
    client {D2a}: I have thought about taking all her tablets.
    clinician {N}: How is the garden this year?
    client {N}: The beans came up late and the slugs had half of them.
  `
  const found = danger({
    items: [0, 1],
    words: 'I have thought about taking all her tablets.',
    standing: 'affirmed',
    questionItem: 0,
  })

  it('lists a step that keeps the means away, and once what is listed already', async () => {
    const talk = `${told.trimEnd()}
      clinician {N}: I would like her to bring that bag to the pharmacy today.
      client {N}: All right, you can tell her that.
    `
    const words = (await listed(talk, [found])).map((one) => one.words)
    expect(words).toEqual([expect.stringContaining('bring that bag to the pharmacy')])
  })

  it('is nothing in a talk in which nobody told of danger', async () => {
    const talk = `
      client {R2a}: My back hurts in the morning.
      clinician {N}: You could bring that bag to the pharmacy today.
      client [abuse .3] {N}: She took it there on Monday already.
    `
    expect(await listed(talk)).toEqual([])
  })

  it('is some hundred words an entry and 650 of a session, however much of it there is', async () => {
    const more = Array.from(
      { length: 60 },
      (_, at) => `
      client [risk_self .9] {D1a.9}: I walked along the water again on day ${at} of the month.
      clinician {N}: I see.
      client {N}: The beans came up late and so did the peas this year.
      clinician {N}: I see.`,
    ).join('')
    const faint = await listed(`${told.trimEnd()}${more}`, [found])
    const all = faint.flatMap(({ words }) => words.split(' ').filter((word) => word !== '…'))
    expect(all.length).toBeGreaterThan(200)
    expect(all.length).toBeLessThanOrEqual(650)
    for (const { words } of faint) expect(words.split(' ').length).toBeLessThan(120)
  })

  it('holds the few words between two sentences that it lists', async () => {
    const talk = `${told.trimEnd()}
      clinician {N}: How was the week at the yard, with the new men?
      client [risk_self .3] {N}: I went down to the water with it again.
      clinician {N}: How often?
      client {N}: Five.
      clinician [risk_self .3] {N}: And you came back by yourself each time.
    `
    const words = (await listed(talk, [found])).map((one) => one.words).join(' ')
    expect(words).toContain('How often? … Five. … And you came back')
  })

  it('holds what was left out of an item that is quoted', async () => {
    const talk = `${told.trimEnd()}
      clinician {Q1a}: How was the week at the yard?
      client [risk_self .4] {R2a D0n.35}: I worked four shifts at the yard. The rest of that box is in the shed with the paint.
    `
    const words = (await listed(talk, [found])).map((one) => one.words)
    expect(words).toEqual([expect.stringContaining('The rest of that box')])
    expect(words.join(' ')).not.toContain('four shifts')
  })

  it('holds the judgement before the sentence that is quoted of its turn, however low its own figure', async () => {
    const talk = `
      clinician {D2a}: Have you thought about ending your life?
      client {D2a}: I have thought about taking all her tablets.
      clinician [risk_self .3] {N D2a}: That night was a bad place to be in. I do not think that you would kill yourself tonight.
      client {N}: The beans came up late and the slugs had half of them.
    `
    const note = await underDanger(talk, [found])
    const words = (await listed(talk, [found])).map((one) => one.words).join(' ')
    expect(`${note} ${words}`).toContain('That night was a bad place to be in.')
  })
})

it('a medicine that the reader takes for somebody else’s is none of the client’s', async () => {
  const said = 'The olanzapine did help with the sleep, ten milligrams at night.'
  const olanzapine = (whose: 'client' | 'other') =>
    medicine({ said: 'olanzapine', name: 'olanzapine', dose: '10 mg', items: [0], words: said, whose })
  const talk = `client {M2a}: ${said}`
  expect(await textIn('subjective', talk, [olanzapine('client')])).toContain('Medicines:')
  expect(await textIn('subjective', talk, [olanzapine('other')])).not.toContain('Medicines:')
})
