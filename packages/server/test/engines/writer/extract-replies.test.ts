import { describe, expect, it } from 'vitest'
import { extract, medicine } from './extract-talk.js'

const { textIn } = extract

describe('nobody’s words stand behind others than those that they were said to', () => {
  it('who goes on replies to what another said meanwhile', async () => {
    const text = await textIn(
      'plan',
      `client {P2a}: I could come on the Thursday of that week, if it is the morning.
       clinician {N0n}: The twenty-third it is then, at half past eleven, with Maureen in the second room on the left.
       client {P2a}: I'll be there on the bus, and nothing will keep me from it.`,
    )
    expect(text).not.toMatch(/morning\.” … “I'll be there/)
  })

  it('of what somebody asks in one breath all stands before the answer', async () => {
    const text = await textIn(
      'assessment',
      `speaker_3 {N0n J2a}: Is it serious? Did he talk to you about the school?
       clinician {J2a}: His exam is normal, and it looks like tension headaches to me.`,
    )
    expect(text).not.toMatch(/: “Did he talk/)
  })
})

describe('under Medicines and Allergies', () => {
  const taken = (given: { items: number[]; words: string; said: string; status?: 'past' | 'taken' }) =>
    medicine({ name: given.said, dose: null, use: null, ...given })

  it('stands what is taken, and what was taken before it is set apart', async () => {
    const findings = [
      taken({ items: [1], words: 'Percocet after my shoulder.', said: 'Percocet', status: 'past' }),
      taken({ items: [3], words: 'Prazosin, at bed.', said: 'Prazosin' }),
    ]
    const text = await textIn(
      'subjective',
      `clinician {M2a}: Any pills?
       client {M2q} <0: I had Percocet after my shoulder, gave the rest back.
       clinician {M2a}: What has the clinic got you on?
       client {M2q} <2: Prazosin, at bed.`,
      findings,
    )
    const [, under = ''] = text.split('Medicines:\n')
    expect(under.split('Other:')[0]).toContain('Prazosin')
    expect(under.split('Other:')[0]).not.toContain('Percocet')
    expect(text).toContain('Percocet')
  })

  it('stands nothing of which nobody says that it is taken', async () => {
    const text = (said: string): Promise<string> =>
      textIn('subjective', `clinician {M2a}: And then?\nclient {M2q} <0: ${said}`)
    expect(await text('Imipramine.')).not.toContain('Medicines:')
    expect(await text('Imipramine, every night.')).toContain('Medicines:')
  })

  it.each([
    ['of another with a name', "Sulfa, hives. And Gord's the penicillin one, don't mix us up.", 'penicillin'],
    ['that is denied', 'No clots. I am allergic to plasters.', 'clots'],
  ])('no label names one %s', async (_what, said, substance) => {
    const finding = {
      kind: 'allergy' as const,
      id: 'allergy-1',
      items: [1],
      words: said.split(/(?<=\.) /).find((part) => part.toLowerCase().includes(substance)) ?? '',
      substance,
      reaction: null,
      standing: 'affirmed' as const,
    }
    const text = await textIn('subjective', `clinician {A2a}: Allergies?\nclient {A2q} <0: ${said}`, [
      finding,
    ])
    expect(text).toContain('Allergies:\nClinician')
  })

  it('stands nothing of the family’s', async () => {
    const talk = (asked: string): Promise<string> =>
      textIn(
        'subjective',
        `clinician {A2a}: ${asked}\nspeaker_3 {A2q} <0: I've hay fever, that is an allergy.`,
      )
    expect(await talk('Family, anybody with allergies?')).not.toContain('Allergies:')
    expect(await talk('Any allergies to grass?')).toContain('Allergies:')
  })

  it('no label says that an act is denied where voices were asked about', async () => {
    const talk = (asked: string): string => `
      clinician [risk_self .9] {D2a}: ${asked}
      client [risk_self .9] {D2q} <0: No.`
    expect(await extract.underDanger(talk('Do you ever burn yourself?'))).toContain('Self-harm: denied')
    expect(await extract.underDanger(talk('Do they tell you to burn yourself?'))).not.toContain('denied.')
  })
})
