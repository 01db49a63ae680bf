import type { NoteType } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/engines/reader/reading.js'
import { compareWith, danger, extract, medicine, tell } from './extract-talk.js'

const { textIn, write } = extract

/** The lines of one section. */
const linesOf = async (
  key: string,
  talk: string,
  findings: readonly Finding[] = [],
  noteType: NoteType = 'soap',
) => (await textIn(key, talk, findings, noteType)).split('\n')

const none = ['No quote was placed here.']

describe('where a sentence stands', () => {
  it('is where the reader is sure that it belongs', async () => {
    const talk = `
      client {R2a}: My knee has hurt since June.
      clinician {O2a}: There is swelling over the left knee.
      clinician {J2a}: This is most likely a torn meniscus.
      clinician {P2a}: We will get an MRI of the knee next week.
    `
    expect(await linesOf('subjective', talk)).toEqual(['Client (0:00): “My knee has hurt since June.”'])
    expect(await linesOf('objective', talk)).toEqual([
      'Clinician (0:10): “There is swelling over the left knee.”',
    ])
    expect((await linesOf('assessment', talk)).at(-1)).toBe(
      'Clinician (0:20): “This is most likely a torn meniscus.”',
    )
    expect((await linesOf('plan', talk)).join(' ')).toContain('MRI of the knee')
  })

  it('is Other, or nowhere, where the reader is not sure', async () => {
    const talk = `
      client {P2a.5}: I could call my sister on Sunday.
      clinician {P2a.4}: The clinic downtown has a group for this.
      clinician {P0a.4}: The parking there is free on Mondays.
    `
    expect(await linesOf('plan', talk)).toEqual(none)
    expect(await linesOf('subjective', talk)).toEqual([
      'Other:',
      'Client (0:00): “I could call my sister on Sunday.” –“The clinic downtown has a group for this.”',
    ])
  })

  it('is not among what only a clinician can say, said by another', async () => {
    const talk = `
      client {O2a}: I look terrible today and my voice is shaking.
      client {J2a}: I think it is my thyroid.
      client {I2a}: We did the breathing together last time.
    `
    for (const key of ['objective', 'plan']) expect(await linesOf(key, talk)).toEqual(none)
    expect(await linesOf('assessment', talk)).toHaveLength(2)
    expect((await linesOf('subjective', talk)).join(' ')).toMatch(/terrible.*thyroid.*breathing/)
  })

  it('is the part of a long note that its topic names clearly', async () => {
    const place = (score: string) =>
      linesOf(
        'family_history',
        `client [family_history ${score}] {H2a}: My mother had two depressions.`,
        [],
        'psychotherapy_intake',
      )
    expect((await place('.9')).join(' ')).toContain('two depressions')
    expect(await place('.3')).toEqual(none)
  })

  it('is that of the stretch it belongs to, if it needs it and belongs there in part', async () => {
    const talk = `
      clinician {J2a J1p.5}: This is a depression after birth, with a lot of anxiety in it. It is why you cannot sleep.
    `
    expect((await linesOf('assessment', talk)).at(-1)).toContain('anxiety in it. It is why you cannot sleep.')
    expect(await linesOf('subjective', talk)).toEqual(none)
  })

  it('is nowhere for chatter, questions alone and shreds', async () => {
    const talk = `
      clinician {N}: Take a deep breath for me.
      clinician {P0a}: I will write that down.
      clinician {Q1a}: How are the children doing?
      client {R2n}: And then I, so.
      client {R2a}: The children are with my mother.
    `
    expect(await linesOf('plan', talk)).toEqual(none)
    expect(await linesOf('subjective', talk)).toEqual(['Client (0:40): “The children are with my mother.”'])
    expect(await linesOf('subjective', 'clinician {Q1a}: How are the children doing?')).toEqual(none)
  })

  it('is not the plan for an offer that was refused', async () => {
    const talk = `
      clinician {P1a}: Would you come to the group on Mondays?
      client {P1q} <0: No, not a group.
      clinician {P1a}: Would you call Dr. Haugen on Friday?
      client {P1q} <2: Yes, I will call him.
    `
    expect((await linesOf('plan', talk)).join(' ')).not.toContain('group')
    expect((await linesOf('subjective', talk)).join(' ')).toContain('group on Mondays?” –“No')
    expect((await linesOf('plan', talk)).join(' ')).toContain('Would you call Dr. Haugen on Friday?')
    const told = `
      clinician {P1a}: There is also a grief group on Wednesdays.
      client {R1p}: No, thank you, I am not a man for groups.
    `
    expect(await linesOf('plan', told)).toEqual(none)
  })
})

describe('what stands with a sentence', () => {
  it('is the question before an answer', async () => {
    const talk = `
      clinician: How often do you drink?
      client {R1q} <0: Twice a week.
    `
    expect(await linesOf('subjective', talk)).toEqual([
      'Clinician (0:00): “How often do you drink?” –“Twice a week.”',
    ])
  })

  it('is what came before in the turn, up to a sentence that stands alone', async () => {
    const talk = 'client {R1a N R1p R2p}: I fell in May. You know me. It was the stairs. They were wet.'
    expect(await linesOf('subjective', talk)).toEqual([
      'Client (0:00): “I fell in May. … It was the stairs. They were wet.”',
    ])
  })

  it('is what it replies to at the beginning of a turn', async () => {
    const talk = `
      clinician {R0a}: You stopped the night shifts in March.
      client {R2p}: That made all the difference.
    `
    expect(await linesOf('subjective', talk)).toEqual([
      'Clinician (0:00): “You stopped the night shifts in March.” –“That made all the difference.”',
    ])
  })

  it('is the next sentence where it goes on', async () => {
    const talk = 'client {R2j R0p R1a}: There are two things. My back and my sleep. The car is fixed.'
    expect(await linesOf('subjective', talk)).toEqual([
      'Client (0:00): “There are two things. My back and my sleep. The car is fixed.”',
    ])
    expect(await linesOf('subjective', 'client {R2j}: There are two things.')).toEqual(none)
  })

  it('must be there: without it the sentence is left out', async () => {
    expect(await linesOf('subjective', 'client {R2p}: That made me dizzy.')).toEqual(none)
    expect(await linesOf('subjective', 'client {R2q}: About four.')).toEqual(none)
  })

  it('is the answer of a question that says it all', async () => {
    const talk = `
      clinician {R2a}: You sleep five hours since the move?
      client: Right.
    `
    expect(await linesOf('subjective', talk)).toEqual([
      'Clinician (0:00): “You sleep five hours since the move?” –“Right.”',
    ])
    expect(await linesOf('subjective', 'clinician {R2a}: You sleep five hours since the move?')).toEqual(none)
  })

  it('is nothing where a clinician only seeks a nod', async () => {
    expect(
      await linesOf('objective', 'clinician {O2a}: You have a little fluid in your legs, okay?'),
    ).toEqual(['Clinician (0:00): “You have a little fluid in your legs, okay?”'])
  })

  it('is quoted once, and a step of the plan does not take a report with it', async () => {
    const talk = `
      client {R2a}: My brother has the keys to the cabin since he moved in with us last spring.
      clinician {P1p}: He keeps them.
    `
    const note = await write(tell(talk))
    const all = note.sections.flatMap(({ sentences }) => sentences.map(({ text }) => text)).join('\n')
    expect(all.match(/keys to the cabin/g)).toHaveLength(1)
  })
})

describe('an answer', () => {
  it('is a "no" also where the question was broken by an "okay"', async () => {
    const talk = `
      clinician {I1a}: I'll listen to your chest now.
      client: Okay.
      clinician {I0a R1a}: Deep breaths. Any fever, cough or sore throat?
      client {R2q} <2: No.
      clinician {R1a}: Any travel abroad since we last met?
      client {R2q} <4: Nope.
    `
    expect((await linesOf('subjective', talk)).join('\n')).toContain(
      '“Any fever, cough or sore throat?” –“No.” –“Any travel',
    )
  })

  it('is not the yes to something before, said while the question was asked', async () => {
    const talk = `
      client {R2a}: My mother has hayfever and my father has asthma.
      clinician {N R1a}: Hayfever, okay. Any skin problems in the family that you know of?
      client {R1q} <1: Yep.
      client {R2q} <1: Uh, no.
    `
    const text = (await linesOf('subjective', talk)).join('\n')
    expect(text).toContain('–“No.”')
    expect(text).not.toContain('Yep')
  })

  it('is never to the second of two questions in one breath alone', async () => {
    const talk = `
      clinician {R0a A1a}: Is your tetanus up to date? Are you allergic to anything, for dressings?
      client {A2q A1p} <0: I had all my jabs for nursing. First year.
    `
    expect((await linesOf('subjective', talk)).join(' ')).not.toContain(': “Are you allergic')
  })

  it('is not what was asked back', async () => {
    const talk = `
      clinician {A1a}: Do you have any allergies to anything?
      client {A2q} <0: I like some, sorry?
    `
    expect(await linesOf('subjective', talk)).toEqual(none)
    const answered = `${talk.trimEnd()}
      clinician {A1p}: Allergies, are you allergic to anything?
      client {A2q} <2: No, nothing at all.
    `
    expect((await linesOf('subjective', answered)).join(' ')).toContain('“No, nothing at all.”')
  })

  it('about danger is never left out, whatever follows it', async () => {
    const talk = `
      clinician {D2a}: Have you had thoughts of killing yourself this week?
      client {D2q} <0: Yep.
      client {D2q} <0: Uh, no.
    `
    const found = danger({ items: [0, 1, 2], words: 'Uh, no.', standing: 'unclear', questionItem: 0 })
    expect((await linesOf('assessment', talk, [found])).join('\n')).toContain('Yep.')
  })
})

describe('danger, medicines and allergies', () => {
  const words = 'I gave my tools away, I will not be here.'
  const found = danger({
    items: [0],
    words,
    foundBy: 'encoder',
    element: 'unspecified',
    standing: 'affirmed',
  })

  it('quotes as danger what the encoder found, if its sentence is about danger too and has a word for it', async () => {
    expect(await linesOf('assessment', `client {D2a}: ${words}`, [found])).toEqual([
      'Danger:',
      `Client (0:00): “${words}”`,
      'Harm to others: not asked, not mentioned.',
    ])
    const hint = 'I gave my tools away last week.'
    expect(
      (await linesOf('assessment', `client {D2a}: ${hint}`, [{ ...found, words: hint }])).join(' '),
    ).not.toContain(hint)
    expect(await linesOf('assessment', `client {R2a}: ${words}`, [found])).not.toContain(
      `Client (0:00): “${words}”`,
    )
  })

  it('leaves nothing plain about danger in neither note nor list', async () => {
    for (const code of ['D2a', 'R2a', 'N', 'D2n']) {
      const told = tell(`client {${code}}: ${words}`, [found])
      const note = await write(told)
      const { entries, review } = compareWith(told, note)
      const isStated = entries.some(({ finding, state }) => finding.id === found.id && state === 'stated')
      const isListed = review.some(({ id }) => id === found.id)
      expect({ code, isEither: isStated || isListed }).toEqual({ code, isEither: true })
    }
  })

  it('keeps a figure of speech with a word for danger from under Danger', async () => {
    const said = 'As long as it does not hit me on the line.'
    const hit = danger({
      items: [0],
      words: said,
      matter: 'abuse',
      element: 'violence',
      standing: 'affirmed',
    })
    expect((await linesOf('assessment', `client {R1a}: ${said}`, [hit])).join(' ')).not.toContain('hit me')
    const pistol = 'She was a pistol.'
    const means = danger({ items: [0], words: pistol, element: 'means', standing: 'affirmed' })
    expect((await linesOf('assessment', `client {D1a}: ${pistol}`, [means])).join(' ')).not.toContain(
      'pistol',
    )
  })

  it('quotes what else was said of it close by, and far from it with the reports', async () => {
    const near = `
      client {D2a}: ${words}
      client {D1a}: Everybody would be better off.
    `
    expect((await linesOf('assessment', near, [found])).join(' ')).toContain('better off')
    expect((await linesOf('subjective', 'client {D1a}: Everybody would be better off.')).join(' ')).toContain(
      'better off',
    )
  })

  it('has a plain question about it and its whole answer, though the reader only suspects the answer', async () => {
    const talk = `
      client {R2a}: I sleep four hours a night since August, and I get no rest at all.
      clinician {D2a}: Any thoughts at all of hurting anybody?
      client {D2q D1p D1p} <1: No. It is the last thing I want. I write to that man every year.
    `
    const suspected = danger({
      items: [1, 2],
      words: 'I write to that man every year.',
      questionItem: 1,
      matter: 'harm_to_others',
      certainty: 'suspected',
      foundBy: 'encoder',
      standing: 'unclear',
    })
    expect(await linesOf('assessment', talk, [suspected])).toContain(
      'Clinician (0:10): “Any thoughts at all of hurting anybody?” –“No. It is the last thing I want. I write to that man every year.”',
    )
  })

  it('calls nothing by a name that its words do not have', async () => {
    const talk = `
      clinician {D1p}: If the thoughts of it came back?
      client {D2q} <0: I'd tell you.
    `
    const named = danger({
      items: [0, 1],
      words: "I'd tell you.",
      questionItem: 0,
      element: 'wish_to_be_dead',
      standing: 'affirmed',
    })
    expect((await linesOf('assessment', talk, [named]))[1]).toBe(
      "Clinician (0:00): “If the thoughts of it came back?” –“I'd tell you.”",
    )
  })

  it.each([
    ['attempt', 'Any other attempts, before or after?', 'No, never.', /^Clinician \(0:00/],
    ['attempt', 'Have you ever attempted suicide?', 'No, never.', /^Suicide attempt: denied\./],
    ['means', 'Are there any guns at home?', 'No, none.', /^Weapons within reach: denied\./],
    ['means', 'Any guns or pills at home?', 'No, none.', /^Weapons or other means within reach: denied\./],
  ] as const)('says of %s no more than was asked: %s', async (element, question, answer, expected) => {
    const talk = `
      clinician {D1a}: ${question}
      client {D2q} <0: ${answer}
    `
    const asked = danger({ items: [0, 1], words: answer, questionItem: 0, element, standing: 'denied' })
    expect((await linesOf('assessment', talk, [asked]))[1]).toMatch(expected)
  })

  it('calls several things of one plain answer each by its name', async () => {
    const talk = `
      clinician {D1a}: Any thoughts of suicide, or a plan?
      client {D2q} <0: No, never.
    `
    const asked = { items: [0, 1], words: 'No, never.', questionItem: 0 }
    const both = [danger(asked), danger({ ...asked, id: 'p', element: 'plan', standing: 'unclear' })]
    expect((await linesOf('assessment', talk, both))[1]).toMatch(
      /^Suicidal thoughts: denied; Suicide plan: denied\. Clinician \(0:00/,
    )
  })

  it.each([
    ['Have you thought of killing yourself?', 'No. Never.', 'denied', 'Suicidal thoughts: denied'],
    [
      'Have you thought of killing yourself?',
      'No. No, I am a believer. I have got Thabo. Never.',
      'unclear',
      'Clinician (0:00',
    ],
    ['Have you thought of killing yourself?', 'No. Yesterday I did.', 'denied', 'Clinician (0:00'],
    ['Have you thought of killing yourself?', 'Never a day without.', 'denied', 'Clinician (0:00'],
    ['Have you thought of killing yourself?', 'No, I did, once.', 'denied', 'Clinician (0:00'],
    ['Have you thought of killing yourself?', 'No, I thought of it.', 'denied', 'Clinician (0:00'],
    ['Have you thought of killing yourself?', 'No one would care.', 'denied', 'Clinician (0:00'],
    ['Have you thought of killing yourself?', 'No. Not today.', 'denied', 'Clinician (0:00'],
    ['Have you thought of killing yourself?', 'No, never, not once.', 'denied', 'Suicidal thoughts: denied'],
    ['Do you think of killing yourself?', 'I do.', 'unclear', 'Suicidal thoughts: affirmed'],
    [
      'Have you thought of killing yourself?',
      'No. I have thought of it after picking, once.',
      'denied',
      'Clinician (0:00',
    ],
    [
      'Have you thought of killing yourself?',
      'Well, the thought was there, but not for long.',
      'affirmed',
      'Clinician (0:00',
    ],
    ['Have you thought of killing yourself?', 'Yes, at night.', 'affirmed', 'Suicidal thoughts: affirmed'],
    ['Any thoughts of hurting yourself?', 'No.', 'denied', 'Thoughts of harming oneself: denied'],
    ['And no thoughts of suicide?', 'No thoughts.', 'denied', 'Suicidal thoughts: denied'],
    ["You don't think of living on, of suicide?", 'No.', 'denied', 'Clinician (0:00'],
    ['Any thoughts of suicide?', 'Nah. I get sad, but nah.', 'unclear', 'Clinician (0:00'],
    ['Have you ever tried to kill yourself?', 'Yeah, my brother did.', 'affirmed', 'Clinician (0:00'],
    ['Did your uncle attempt suicide?', 'Yes.', 'affirmed', 'Clinician (0:00'],
    ['Do you have any guns at home?', 'No, my husband does.', 'denied', 'Clinician (0:00'],
    ['Did you cut yourself shaving?', 'Yes.', 'affirmed', 'Clinician (0:00'],
    ['Any thoughts of suicide?', "They come. I won't lie to you.", 'affirmed', 'Clinician (0:00'],
    // The question names what the mark is about: an act is no thought, and one's own death not another's.
    ['Have you ever tried to end your life?', 'No, never.', 'denied', 'Suicide attempt: denied'],
    ['Have you acted on thoughts of suicide?', 'No. Never.', 'denied', 'Clinician (0:00'],
    ['Have you thought about doing anything to end your life?', 'No.', 'denied', 'Clinician (0:00'],
    ['Any thoughts of killing him?', 'No.', 'denied', 'Thoughts of harming others: denied'],
    // A wish that is denied leaves the thoughts open, and a hand that never hit what else it did.
    ['Is there a part of you that wants to kill him?', 'No.', 'denied', 'Clinician (0:00'],
    ['Do you want to kill yourself?', 'No.', 'denied', 'Clinician (0:00'],
    ['Do you want to hurt yourself?', 'No.', 'denied', 'Clinician (0:00'],
    ['Do you ever want to die?', 'No.', 'denied', 'Wish to be dead: denied'],
    ['Has he ever hit you?', 'No. He roars.', 'denied', 'Clinician (0:00'],
    ['Has he said that he thinks of killing himself?', 'No.', 'denied', 'Clinician (0:00'],
    [
      'Are you thinking about killing yourself?',
      'I am. I have been.',
      'unclear',
      'Suicidal thoughts: affirmed',
    ],
    ['Are you suicidal?', 'I am tired, is what I am.', 'affirmed', 'Clinician (0:00'],
    ['Any thoughts of suicide, or of giving up?', 'Yeah.', 'affirmed', 'Clinician (0:00'],
    ['Any thoughts of suicide?', "I don't know.", 'affirmed', 'Suicidal thoughts: unclear'],
    [
      'But no, no feelings of wanting to hurt yourself or somebody else?',
      'No, nothing like that.',
      'unclear',
      'Thoughts of harming oneself: denied; Thoughts of harming others: denied',
    ],
    [
      'Do the voices ever tell you to do things? Hurt yourself, hurt anybody?',
      'No.',
      'denied',
      'Commanding voices: denied',
    ],
    ['Did you have thoughts of suicide back then?', 'Yes.', 'affirmed', 'Suicidal thoughts (past): affirmed'],
    ['Have you ever thought of suicide?', 'Yes.', 'affirmed', 'Suicidal thoughts (at some time): affirmed'],
  ] as const)('is marked for %j – %j, said to be %s: %s', async (question, answer, standing, mark) => {
    const talk = `
      clinician {D2a}: ${question}
      client {D2q} <0: ${answer}
    `
    const answered = danger({ items: [0, 1], words: answer, standing, questionItem: 0 })
    expect((await linesOf('assessment', talk, [answered]))[1]?.slice(0, mark.length)).toBe(mark)
  })

  it.each([
    ['suicide', 'means', 'Is the gun out of the house?', 'Yes.', 'unclear', 'Clinician (0:00'],
    ['suicide', 'means', 'Is the gun out of the house?', 'No.', 'denied', 'Clinician (0:00'],
    ['suicide', 'means', 'Are the guns locked up?', 'Yes.', 'denied', 'Clinician (0:00'],
    ['suicide', 'means', 'Did he get rid of the gun?', 'No.', 'denied', 'Clinician (0:00'],
    ['suicide', 'means', 'Is there a gun in the house?', 'Yes.', 'unclear', 'Weapons within reach: affirmed'],
    ['suicide', 'means', 'Is there a gun in the house?', 'Yes, in the safe.', 'affirmed', 'Clinician (0:00'],
    ['psychosis', 'voices', 'Are the voices gone?', 'Yes.', 'denied', 'Clinician (0:00'],
    ['psychosis', 'voices', 'Are the voices gone?', 'No.', 'denied', 'Clinician (0:00'],
    ['psychosis', 'voices', 'Have the voices stopped?', 'Yes.', 'unclear', 'Clinician (0:00'],
    ['psychosis', 'voices', 'Do you hear voices?', 'Yes.', 'unclear', 'Voices: affirmed'],
    ['psychosis', 'voices', 'Any voices over the past week?', 'No.', 'denied', 'Voices: denied'],
    ['suicide', 'thoughts', 'Do you deny any thoughts of suicide?', 'Yes.', 'unclear', 'Clinician (0:00'],
    ['suicide', 'thoughts', 'Have the thoughts of suicide gone away?', 'No.', 'denied', 'Clinician (0:00'],
  ] as const)(
    'of %s, %s a yes or no to %j – %j, said to be %s: %s',
    async (matter, element, question, answer, standing, mark) => {
      const talk = `
      clinician {D2a}: ${question}
      client {D2q} <0: ${answer}
    `
      const answered = danger({ matter, element, items: [0, 1], words: answer, standing, questionItem: 0 })
      expect((await linesOf('assessment', talk, [answered]))[1]).toMatch(
        new RegExp(`^${mark.replace('(', '\\(')}`),
      )
    },
  )

  it('calls cutting neither a suicidal act nor thoughts alone, and another’s death no attempt', async () => {
    const talk = `
      client {D2a}: I used to cut my legs at school.
      client {D2a}: My uncle took his own life at forty.
    `
    const cut = 'I used to cut my legs at school.'
    const uncle = 'My uncle took his own life at forty.'
    const told = { standing: 'affirmed', time: 'past' } as const
    expect(
      (
        await linesOf('assessment', talk, [
          danger({ ...told, items: [0], words: cut, matter: 'suicide', element: 'act' }),
          danger({ ...told, id: 'h', items: [0], words: cut, matter: 'self_harm', element: 'thoughts' }),
          danger({ ...told, id: 'u', items: [1], words: uncle, element: 'attempt', whose: 'other' }),
        ])
      ).slice(1, 3),
    ).toEqual([
      expect.stringMatching(/^Client/),
      expect.stringMatching(/^Suicide \(another person\): affirmed\. Client/),
    ])
  })

  it('keeps questions of one breath together, and another matter behind them from under Danger', async () => {
    const talk = `
      clinician {D2a}: Any thoughts of suicide?
      client {D2q D2a} <0: No. I told my grandma I would be here for her birthday.
      clinician {D0p.3}: When is her birthday?
      client {D2q.3} <2: In January.
      clinician {D2a D2p}: Any thoughts of hurting anyone? Like your neighbor?
      client {D2q} <4: No, man.
    `
    const lines = await linesOf('assessment', talk, [
      danger({ items: [0, 1], words: 'No.', questionItem: 0 }),
      danger({ id: 'o', items: [4, 5], words: 'No, man.', questionItem: 4, matter: 'harm_to_others' }),
    ])
    expect(lines.join('\n')).toContain('“Any thoughts of hurting anyone? Like your neighbor?”')
    expect(lines.join('\n')).not.toContain('When is her birthday')
  })

  it('marks by the client’s answer to the question, and not by another’s or by a no to something else', async () => {
    const other = `
      clinician {D1a}: Do you hear voices?
      client {D2q} <0: Me? No.
      speaker_3 {D2q}: I do cry at the footy.
    `
    const heard = { matter: 'psychosis', element: 'voices', standing: 'affirmed', questionItem: 0 } as const
    expect(
      (
        await linesOf('assessment', other, [
          danger({ ...heard, items: [0, 2], words: 'I do cry at the footy.' }),
        ])
      )[1],
    ).toMatch(/^Voices: denied\. Clinician \(0:00/)
    const housemate = `
      clinician {D1a}: Is she the housemate?
      client {D2q D2a} <0: No, she was in my class. She tried to kill herself at Christmas.
    `
    const told = 'No, she was in my class. She tried to kill herself at Christmas.'
    const attempt = { element: 'attempt', standing: 'denied', whose: 'other', questionItem: 0 } as const
    expect(
      (await linesOf('assessment', housemate, [danger({ ...attempt, items: [0, 1], words: told })]))[1],
    ).toMatch(/^Suicide attempt \(another person\): affirmed\. Clinician \(0:00/)
  })

  it('quotes on to the answer where something was asked back', async () => {
    const talk = `
      clinician {D2a}: Have you had thoughts of killing yourself?
      client {D1q} <0: Hold on, is that going to hurt?
      clinician {I0a}: It will be sore for a moment.
      client {D1q}: Okay. Yeah.
      clinician {D1p}: Yeah to what I asked you?
      client {D2q} <4: Both, I guess.
    `
    const asked = danger({
      items: [0, 1],
      words: 'Hold on, is that going to hurt?',
      questionItem: 0,
      standing: 'unclear',
    })
    const text = (await linesOf('assessment', talk, [asked])).join(' ')
    expect(text).toContain('“Yeah to what I asked you?” –“Both, I guess.”')
    expect(text).not.toContain('Suicidal thoughts:')
  })

  it('quotes on to the end of what was told then', async () => {
    const talk = `
      clinician {D2a}: Have you had thoughts of killing yourself?
      client {D1q} <0: Hold on, is that going to hurt?
      clinician {I0a}: It will be sore for a moment.
      client {N}: Ah. Okay. Yeah.
      clinician {D1p}: Yeah to what I asked you?
      client {D2q} <4: Both. I guess.
      clinician {D0p}: Tell me about it.
      client {D2q D2p D2p} <6: It is more at night. I look at the vent. Somebody could tie something on that.
      clinician {R1a}: How do you sleep?
    `
    const asked = danger({
      items: [0, 1],
      words: 'Hold on, is that going to hurt?',
      questionItem: 0,
      standing: 'unclear',
    })
    const text = (await linesOf('assessment', talk, [asked])).join(' ')
    expect(text).toContain('I look at the vent. Somebody could tie something on that.”')
    expect(text).not.toContain('How do you sleep')
  })

  it('quotes an answer to its end, for what comes behind a no may take it back', async () => {
    const talk = `
      clinician {D2a}: Has anybody ever hurt you?
      client {D2q R0p R0p} <0: No. I mean Coach was kind of a jerk. He would pinch you.
    `
    const hurt = danger({
      items: [0, 1],
      words: 'No.',
      questionItem: 0,
      matter: 'abuse',
      element: 'violence',
    })
    const [, line] = await linesOf('assessment', talk, [hurt])
    expect(line).toContain('“No. I mean Coach was kind of a jerk. He would pinch you.”')
    expect(line).not.toContain('denied')
  })

  it('pairs no question with words that were said long after it', async () => {
    const long = 'My brother came by with the truck and we moved the old couch out of the den together.'
    const talk = `
      clinician {D2a}: Has anybody ever hurt you?
      client {R1a R1a R1a D2a} <0: ${long} ${long} ${long} He hit me with the belt on Sunday.
    `
    const hit = danger({
      items: [0, 1],
      words: 'He hit me with the belt on Sunday.',
      questionItem: 0,
      matter: 'abuse',
      element: 'violence',
      standing: 'affirmed',
    })
    const [, line] = await linesOf('assessment', talk, [hit])
    expect(line).toContain('He hit me with the belt on Sunday.')
    expect(line).not.toContain('Has anybody ever hurt you?')
  })

  it('marks nothing for a yes to a no', async () => {
    const talk = `
      clinician {D1a}: So you have no plan to end your life?
      client {D2q} <0: That's right.
    `
    const plan = danger({
      items: [0, 1],
      words: "That's right.",
      questionItem: 0,
      element: 'plan',
      standing: 'affirmed',
    })
    expect((await linesOf('assessment', talk, [plan]))[1]).toMatch(/^Clinician \(0:00/)
  })

  it('keeps a relative’s suicide in the family’s history too', async () => {
    const said = 'My mother killed herself in 1998.'
    const own = danger({ items: [0], words: said, element: 'attempt', standing: 'affirmed', whose: 'other' })
    const talk = `client [family_history .9 risk_self .9] {H2a}: ${said}`
    expect((await linesOf('family_history', talk, [own], 'psychotherapy_intake')).join(' ')).toContain(said)
    expect((await linesOf('risk_assessment', talk, [own], 'psychotherapy_intake')).join(' ')).toContain(said)
  })

  it('has under Medicines only what names one, with its dose as said and no more', async () => {
    const talk = `
      client {M2a}: I take the sertraline, fifty milligrams, since May.
      client {M1a}: The tablets make me tired all day.
    `
    const lines = await linesOf('subjective', talk, [
      medicine({ items: [0], words: 'I take the sertraline, fifty milligrams, since May.' }),
    ])
    expect(lines).toEqual([
      'Medicines:',
      'Sertraline 50 mg. Client (0:00): “I take the sertraline, fifty milligrams, since May. The tablets make me tired all day.”',
    ])
  })

  it.each([
    ['Are you still on the sertraline?', 'The sertraline? No. I was sick.'],
    ['And sertraline?', "Can't take it."],
    ['Anything over the counter?', 'I had sertraline. I quit it in May.'],
  ])('names no medicine before a quote that may say that it is over: %s %s', async (question, answer) => {
    const talk = `
      clinician {M1a}: ${question}
      client {M2q M2a M2a} <0: ${answer}
    `
    const named = medicine({ items: [0, 1], words: answer })
    const [, line] = await linesOf('subjective', talk, [named])
    expect(line).toMatch(/^Clinician \(0:00/)
  })

  it('leaves a dose that stands in another sentence to the quotes', async () => {
    const lines = await linesOf('subjective', 'client {M2a}: I take sertraline at night.', [
      medicine({ items: [0], words: 'I take sertraline at night.', dose: '50 mg' }),
    ])
    expect(lines.at(-1)).toMatch(/^Sertraline\. Client/)
  })

  it('has among those taken now what was asked and answered', async () => {
    const talk = `
      clinician {M2a}: Are you still taking the sertraline, fifty milligrams?
      client {M2q} <0: Yes, I take it with breakfast.
    `
    const taken = medicine({
      items: [0, 1],
      words: 'Are you still taking the sertraline, fifty milligrams? Yes.',
    })
    expect(
      (await linesOf('current_medications', talk, [taken], 'medication_management')).join(' '),
    ).toContain('with breakfast')
  })

  it('has of a turn about a change only what tells it among the changes', async () => {
    const talk = `
      clinician [med_change .9] {P2a P2a}: I will raise the sertraline to a hundred. We meet again on Thursday.
    `
    const changes = await textIn('medication_changes', talk, [], 'medication_management')
    const plan = await textIn('plan', talk, [], 'medication_management')
    expect(changes).toContain('raise the sertraline')
    expect(changes).not.toContain('Thursday')
    expect(plan).toContain('Thursday')
  })

  it('keeps what was taken once from among those taken now', async () => {
    const said = 'I took lithium as a student.'
    const past = medicine({
      items: [0],
      words: said,
      name: 'lithium',
      said: 'lithium',
      status: 'past',
      dose: null,
    })
    expect(
      await linesOf('current_medications', `client {M2a}: ${said}`, [past], 'medication_management'),
    ).toEqual(none)
    expect(
      (await linesOf('interval_history', `client {M2a}: ${said}`, [past], 'medication_management')).join(' '),
    ).toContain(said)
  })

  it('has under Medicines nothing that is not borne', async () => {
    const talk = `
      clinician {M1a}: And Benadryl, do you take that?
      client {M2q} <0: Can't take it.
    `
    expect((await linesOf('subjective', talk))[0]).not.toBe('Medicines:')
  })

  it.each([
    ['I have a fever.', false],
    ['No, nothing.', true],
    ['Penicillin.', true],
    ['My lips swell up from shrimp.', true],
  ])('has under Allergies an answer that is about them: %s', async (answer, isAbout) => {
    const talk = `
      clinician {A2a}: Do you have any allergies at all?
      client {A2q} <0: ${answer}
    `
    expect((await linesOf('subjective', talk)).includes('Allergies:')).toBe(isAbout)
  })

  it.each([
    "I didn't do Saturday, Saturday was my kid's birthday.",
    'I quit it, it tore my stomach up.',
    "I can taste it, it's like pennies.",
    "If they remember you, you've done it wrong.",
    'If it hits me it hits me.',
    "I sleep at my aunt's when I, I don't use around her.",
    "So I don't forget to take the bus.",
    'It is five five five two two two two.',
    'My number is oh seven seven double two two two.',
  ])('takes no word from where one clause ends and the next begins: %s', async (said) => {
    expect(await linesOf('subjective', `client {R2a}: ${said}`)).toEqual([`Client (0:00): “${said}”`])
  })

  it('leaves a filler to who tells that they said it', async () => {
    const lines = await linesOf('subjective', 'client {R2a}: I, um, said "um" four times in the meeting.')
    expect(lines.join('\n')).toMatch(/“I said .um. four times in the meeting\.”/)
  })

  it('leaves what is said twice for what it properly means', async () => {
    const said = "client {R2a}: Not thinking thinking, I, I'm just standing on the bridge."
    expect(await linesOf('subjective', said)).toEqual([
      "Client (0:00): “Not thinking thinking, I'm just standing on the bridge.”",
    ])
  })

  it('leaves out a false start', async () => {
    expect(await linesOf('subjective', "client {R2a}: I, I'm so, the, the car was gone on Monday.")).toEqual([
      "Client (0:00): “I'm so, the car was gone on Monday.”",
    ])
  })

  it.each([
    ['Any allergies to medicines?', 'Penicillin, I get hives.', 'Penicillin. '],
    ['Any allergies to medicines?', "I can't have penicillin.", 'Penicillin. '],
    ['Any other allergies?', 'Nope, just penicillin.', 'Penicillin. '],
    ['Any allergies?', "They gave me penicillin, and I couldn't breathe.", 'Penicillin. '],
    ['Codeine, penicillin?', "Just codeine. It's me mam who's penicillin.", ''],
    ['Penicillin, it says here?', "They said it was the virus. I've had penicillin twice.", ''],
    ['Any allergies?', 'Just penicillin. Nah, I am joking.', ''],
    ['Any allergies?', 'They gave me doxycycline, what with the penicillin.', ''],
  ])(
    'names an allergy only where nothing beside it leaves it in doubt: %s %s',
    async (question, answer, label) => {
      const talk = `
      clinician {A2a}: ${question}
      client {A2q A2a} <0: ${answer}
    `
      const finding: Finding = {
        kind: 'allergy',
        id: 'a',
        items: [0, 1],
        words: answer,
        substance: 'penicillin',
        reaction: null,
        standing: 'affirmed',
      }
      expect((await linesOf('subjective', talk, [finding]))[1]).toMatch(new RegExp(`^${label}Clinician \\(`))
    },
  )

  it.each([
    ['clinician', "Let's see you next Tuesday at ten.", 'Appointment: '],
    ['clinician', 'Tell him about the bridge before we meet next week.', ''],
  ])('calls an appointment only what is one: %s: %s', async (speaker, said, label) => {
    const decided: Finding = {
      kind: 'decision',
      id: 'd',
      items: [0],
      words: said,
      about: 'appointment',
      standing: 'agreed',
    }
    expect((await linesOf('plan', `${speaker} {P2a}: ${said}`, [decided]))[0]).toBe(
      `${label}Clinician (0:00): “${said}”`,
    )
  })

  it.each([
    'Let me go get your dad.',
    "I'll be back in a bit, I'm just going to give Dr. Pell a ring.",
    'Get your coat.',
    'Give Leilani my best.',
  ])('has no step of the visit itself in the plan: %s', async (said) => {
    expect(await linesOf('plan', `clinician {P2a}: ${said}`)).toEqual(['No quote was placed here.'])
  })

  it.each([
    "clinician {M1a}: Are they treating him?\nclient {M2q} <0: They've him back on the olanzapine.",
    "client {M2a}: I feel fine.\nspeaker_3 {R1a M2a}: There's my mama's stuff. She's on that Aricept.",
    'clinician {M1a}: What did you take?\nclient {M2q M2a} <0: Paracetamol. I took sixteen, the whole box.',
  ])('has under Medicines none of another’s and no overdose: %s', async (talk) => {
    expect(await linesOf('subjective', talk)).not.toContain('Medicines:')
  })

  it('has under Allergies only what names one', async () => {
    const talk = `
      clinician {A1a}: Any allergies to medicines?
      client {A2q} <0: Sulfa, I had hives.
      client {A2a}: My chest was all red for a week.
    `
    const lines = await linesOf('subjective', talk, [
      {
        kind: 'allergy',
        id: 'a',
        items: [0, 1],
        words: 'Sulfa, I had hives.',
        substance: 'sulfa',
        reaction: 'hives',
        standing: 'affirmed',
      },
    ])
    expect(lines).toEqual([
      'Allergies:',
      'Sulfa. Clinician (0:00): “Any allergies to medicines?” –“Sulfa, I had hives. My chest was all red for a week.”',
    ])
  })
})

describe('a question and its answer', () => {
  it.each([
    [
      'begins with the question that was asked before the rest of its turn',
      `clinician {P0a P2a}: Would you give the letter to Moira? If those thoughts get heavier, you ring us at any hour.
       client {P2a}: I will put that letter in the fire tonight.`,
      'plan',
      'Clinician (0:00): “Would you give the letter to Moira? If those thoughts get heavier, you ring us at any hour.” –“I will put that letter in the fire tonight.”',
    ],
    [
      'keeps the yes that was given before something else was said',
      `clinician {R2a}: You're drinking plenty of water.
       client: Yeah yeah yeah.
       clinician: OK. Excellent.
       client {R2p}: Mostly it's been dry and red.`,
      'subjective',
      "Clinician (0:00): “You're drinking plenty of water.” –“Yeah yeah yeah.” –“OK. Excellent.” –“Mostly it's been dry and red.”",
    ],
    [
      'passes over a question that broke off',
      `client {R2a}: My skin is red and I am using coconut butter.
       clinician: OK. Has that.
       client {R2p}: I don't have any spots, and no fever.`,
      'subjective',
      "Client (0:00): “My skin is red and I am using coconut butter. … I don't have any spots, and no fever.”",
    ],
  ])('%s', async (_, talk, key, line) => {
    expect(await linesOf(key, talk)).toEqual([line])
  })

  it.each([
    'At present, are there any such thoughts?',
    'When you sit in the car by the water after work and watch the boats come in for an hour or two, are there any such thoughts?',
  ])('stand together where a line would begin with a bare no: %s', async (question) => {
    const talk = `
      clinician: ${question}
      client {R2a}: No, doctor. Not at all now.
    `
    expect(await linesOf('subjective', talk)).toEqual([
      `Clinician (0:00): “${question}” –“No, doctor. Not at all now.”`,
    ])
  })

  it('are no pair where the question was asked back behind a yes to something else', async () => {
    const talk = `
      clinician {R1a Q1a}: You felt weak, you mentioned. Are you normally fit and well?
      client {R1q}: Yeah, pretty much.
      client {Q0a}: Am I normally what?
      clinician {Q1a}: Do you have any other medical history?
      client {R2q}: I have diabetes.
    `
    expect((await linesOf('subjective', talk)).join(' ')).not.toContain('pretty much')
    expect((await linesOf('subjective', talk)).join(' ')).toContain('I have diabetes.')
  })

  it('stand with what was said between two answers about danger', async () => {
    const talk = `
      clinician {D2a}: Have you ever tried to end your life?
      client {D2q} <0: No, never, not once.
      clinician {N}: Thank you. I ask everyone.
      client {D2p}: You've got to, haven't you.
    `
    const found = danger({
      items: [0, 1],
      words: 'No, never, not once.',
      element: 'attempt',
      questionItem: 0,
    })
    expect((await linesOf('assessment', talk, [found])).join(' ')).not.toContain('once.” Client')
  })

  it('stays in the line where one is asked "the same" and tells more', async () => {
    const talk = `
      clinician {D2a}: Any thoughts of killing yourself?
      client {D2q} <0: No.
      clinician {D1p}: Same question for the nights.
      client {D2q} <2: At night I think about hanging myself.
    `
    const told = danger({
      items: [0, 1, 2, 3],
      words: 'At night I think about hanging myself.',
      questionItem: 0,
    })
    const text = (await linesOf('assessment', talk, [told])).join(' ')
    expect(text).toContain('At night I think about hanging myself.')
    expect(text).not.toContain('denied')
  })

  it('are without what was asked about something else in one breath with danger', async () => {
    const talk = `
      clinician {Q0a N D2a}: Eating well? Okay. Any thoughts of hurting yourself?
      client {D2q} <0: No.
    `
    const found = danger({ items: [0, 1], words: 'No.', questionItem: 0 })
    expect((await linesOf('assessment', talk, [found])).join(' ')).not.toContain('Eating')
  })
})

describe('a quote that leaves unnamed what it is about', () => {
  it.each([
    [
      'a dose',
      'client {M2a}: They had me on Concerta in third grade.',
      'Do you remember how much?',
      'Concerta',
    ],
    [
      'a medicine',
      'client {M2a}: The Microgynon is for my periods.',
      'Are you taking it alright?',
      'Microgynon',
    ],
    [
      'a score',
      'clinician {O2a}: A hundred and fourteen kilos today.',
      'You were a hundred and six at Easter.',
      'fourteen',
    ],
    ['a matter', 'client {R2a}: He bolts the door at night.', 'Is that something new?', 'bolts the door'],
  ])('has what was said before: %s', async (_, before, pointing, named) => {
    const talk = `
      ${before}
      clinician {R2a}: ${pointing}
      client {R2q}: Two weeks, or it may be three weeks now.
    `
    const note = await write(tell(talk))
    const line = note.sections
      .flatMap(({ sentences }) => sentences)
      .find(({ text }) => text.includes(pointing))
    expect(line?.text ?? named).toContain(named)
  })

  it('has it under Danger, too, and is named by its own words', async () => {
    const talk = `
      client {D2a}: There are nights I wish I were dead.
      clinician {D1a}: And those thoughts of dying, are they every night?
      client {D2q} <1: Maybe once in the week.
    `
    const found = danger({
      items: [1, 2],
      words: 'Maybe once in the week.',
      standing: 'affirmed',
      questionItem: 1,
      foundBy: 'words',
    })
    expect((await linesOf('assessment', talk, [found])).join(' ')).toMatch(/wish I were dead\.” –“And those/)
  })
})

describe('what a heading does not hold', () => {
  const headingOf = async (talk: string, words: string, findings: readonly Finding[] = []) => {
    const lines = await linesOf('subjective', talk, findings)
    const at = lines.findIndex((line) => line.includes(words))
    return lines.slice(0, at).findLast((line) => /^(?:Medicines|Allergies|Danger|Other):$/.test(line)) ?? null
  }

  it('is a medicine that was stopped in the end', async () => {
    const talk = `
      clinician {M2a}: The olanzapine, how much was that?
      client {M2q}: It was ten first, later five.
      clinician {M1a}: Is it continuing?
      client {M2q}: No, he stopped it in 2022.
    `
    const found = medicine({
      items: [0, 1],
      words: 'The olanzapine, how much was that?',
      name: 'olanzapine',
      said: 'olanzapine',
    })
    const taken = await linesOf('current_medications', talk, [found], 'medication_management')
    expect(taken).toEqual(none)
    const goesOn = talk.replace('No, he stopped it in 2022.', 'Yes, every night.')
    expect(
      (await linesOf('current_medications', goesOn, [found], 'medication_management')).join(' '),
    ).toContain('olanzapine')
  })

  it.each([
    ['client {M2a}: She is on the sertraline, fifty milligrams.', 'Other:'],
    ['client {M2a}: The ibuprofen for him, the drops, I get from the chemist.', 'Other:'],
    ['clinician {M2a}: Is he taking the donepezil?\n      client {M2q} <0: Yes, ten at night.', 'Other:'],
    ['client {M1a}: I sleep.\n      speaker_3 {M2a}: My doctor put me on sertraline, fifty.', 'Other:'],
    ['clinician {M2a}: This is the late wife’s morphine, that is hers.\n      client {M2q}: Yes.', 'Other:'],
    ['client {M2a}: My cousin offered me some gabapentin, eight hundreds.', 'Other:'],
    ['client {M2a}: I never took the lorazepam.', 'Other:'],
    ['client {M2a}: I take sertraline, fifty milligrams, he put me on it.', 'Medicines:'],
    ['client {M1a}: I sleep.\n      speaker_3 {M2a}: He takes sertraline, fifty milligrams.', 'Medicines:'],
  ])('is a medicine that may be another’s, or was only offered: %s', async (talk, heading) => {
    const name = /sertraline|ibuprofen|donepezil|morphine|gabapentin|lorazepam/.exec(talk)?.[0] ?? ''
    expect(await headingOf(talk, name)).toBe(heading)
  })

  it('is, among changes, what was only offered', async () => {
    const offer = 'clinician {P2a}: I could add a little propranolol, ten milligrams, but let us see first.'
    const found = medicine({ items: [0], words: offer.slice(16), name: 'propranolol', said: 'propranolol' })
    expect(await linesOf('medication_changes', offer, [found], 'medication_management')).toEqual(none)
  })

  it('is what is bought on the street, or was taken to die', async () => {
    const street = `
      clinician {M2a}: Any of your friend's pills, anything off the street, kratom?
      client {M2q}: No, I had the CBD oil twice.
    `
    expect(await headingOf(street, 'kratom')).not.toBe('Medicines:')
    const overdose = `
      client {D2a}: I took the tablets on Thursday.
      clinician {M1a}: The Stilnox, how many?
      client {M2q}: Stilnox, the ten milligram, I had eleven left.
    `
    const act = danger({
      items: [0],
      words: 'I took the tablets on Thursday.',
      element: 'attempt',
      standing: 'affirmed',
    })
    expect(await headingOf(overdose, 'eleven left', [act])).not.toBe('Medicines:')
  })

  it.each([
    ['Other:', "client {A2a}: I'm allergic to your ficus, I think."],
    ['Other:', "clinician {A2a}: I don't think you need any allergy testing, it is a reaction to a bite."],
    ['Allergies:', "client {A2a}: I'm allergic to penicillin, it gives me hives."],
  ])('is a joke or a test: %s %s', async (heading, talk) => {
    expect((await linesOf('subjective', talk))[0]).toBe(heading)
  })

  it('is what panic is like', async () => {
    const talk = `
      clinician {D2a}: Have you had any panic, like where you thought you were dying?
      client {D2q} <0: Once, at school.
    `
    const found = danger({
      items: [0, 1],
      words: 'Once, at school.',
      standing: 'affirmed',
      questionItem: 0,
      foundBy: 'encoder',
    })
    expect((await linesOf('assessment', talk, [found])).join(' ')).not.toContain('panic')
  })

  it('is a plan that belongs to the visit itself', async () => {
    expect(
      await linesOf('plan', "clinician {P2a}: Let's take a look at you today and do a brief exam."),
    ).toEqual(none)
    expect(
      await linesOf('plan', "clinician {P2a}: Let's take a look at it again at the follow-up next week."),
    ).not.toEqual(none)
  })
})

describe('what a stranger found in the tenth round', () => {
  const asked = danger({
    items: [2, 3],
    words: 'No. Nothing like that now.',
    standing: 'denied',
    questionItem: 2,
    foundBy: 'words',
  })

  it('what was said before a question about danger is none', async () => {
    const talk = `
      clinician {D2a}: Is there a part of you that wants to stop the medicine?
      client {D2a}: I think about it, and I do not do it.
      clinician {D2a}: Any thoughts that life is not worth living?
      client {D2a}: No. Nothing like that now.
    `
    const under = await linesOf('assessment', talk, [asked])
    expect(under.join(' ')).toContain('worth living')
    expect(under.join(' ')).not.toContain('stop the medicine')
  })

  it('an answer to several questions keeps what says to which', async () => {
    const talk = `
      clinician {Q2a Q2a}: Can you see okay out of that eye? Any double vision?
      client {R2a N0n R2a}: No. I see fine. It just hurts when I chew.
    `
    expect((await linesOf('subjective', talk)).join(' ')).toContain('“No. I see fine.')
  })

  it('a medicine that somebody named takes is not listed as the client’s', async () => {
    const xanax = medicine({ said: 'Xanax', name: 'alprazolam', items: [1], words: 'Dre takes the Xanax.' })
    const talk = `
      clinician {M2a}: Are you taking anything else?
      client {M2a}: Dre takes the Xanax.
    `
    expect(await linesOf('subjective', talk, [xanax])).not.toContain('Medicines:')
  })
})
