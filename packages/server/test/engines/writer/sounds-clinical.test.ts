import { describe, expect, it } from 'vitest'
import { talk, textOf, write } from './talk.js'

/** A follow-up as a recognizer hears it: false starts, an answer over two turns, a dose that the clinician names. */
const followUp = talk(`
  clinician: Hi, come on in. Sorry about the wait.
  client: No worries. I took the stairs.
  clinician: Last time we, um, we moved the Effexor up to one fifty. How's, how's that been going?
  client: So the worry part is, I want to say it's a lot quieter.
  clinician: Okay.
  client: It's maybe twenty minutes at night and then I'm out. Before that it was two hours of laying there doing the what ifs.
  clinician: How often are you missing it?
  client: Like once a week? It's usually Sunday because the, the routine is off.
  clinician: Any rash?
  client: No. No rash.
  clinician: What I'd like to do is keep it at one fifty, because the anxiety is responding.
  client: Okay. That makes sense to me and I am glad we are not going up again, honestly.
  clinician: See you in six weeks then. Take the stairs down carefully.
`)

const sectionOf = async (key: string): Promise<string> =>
  (await write('medication_management', followUp)).find((section) => section.key === key)?.content ?? ''

describe('a note', () => {
  it('lists the medicine that the clinician named with its dose', async () => {
    expect(await sectionOf('current_medications')).toMatch(/Effexor one fifty/)
  })

  it('puts how the client fares under the response to medication', async () => {
    expect(await sectionOf('response_to_medication')).toMatch(/quieter/)
  })

  it('says how often in one sentence with what', async () => {
    expect(await sectionOf('adherence')).toMatch(/missing it once a week/)
  })

  it('writes the plan as its author would, and sees nobody out', async () => {
    expect(await sectionOf('medication_changes')).toMatch(/^Effexor: keep it at one fifty/)
    expect(await sectionOf('plan')).toBe('Next appointment in six weeks.')
    expect(textOf(await write('medication_management', followUp))).not.toMatch(/stairs|worries/)
  })
})

describe('a treatment approach', () => {
  const session = talk(`
    clinician: What went through your mind when your boss did not answer?
    client: That I am going to be fired. I could not sleep on Tuesday or Wednesday because of it.
    clinician: Let's look at the evidence for and against that thought together.
    client: There is none. She was on a plane. I feel a bit lighter when I say it like that.
    clinician: Please write down one such thought every day this week.
    client: Okay, I will put it in my phone because I always have that with me anyway.
  `)
  const approaches = ['Cognitive Behavioral Therapy', 'EMDR']

  it('is named where an intervention shows it, and supported', async () => {
    const sections = await write('birp', session, approaches)
    const intervention = sections.find(({ key }) => key === 'intervention')
    expect(intervention?.content).toMatch(/evidence[^.]*\(Cognitive Behavioral Therapy\)/)
    expect(intervention?.evidence.every(({ supported }) => supported)).toBe(true)
  })

  it('is not named where nothing shows it', async () => {
    expect(textOf(await write('birp', session, approaches))).not.toContain('EMDR')
  })
})
