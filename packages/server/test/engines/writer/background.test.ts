import type { NoteSection } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import type { Background } from '../../../src/engines/background.js'
import { makeBackgroundFinder } from '../../../src/engines/checker/check-background.js'
import { readTalk } from '../../../src/engines/checker/read-talk.js'
import { makeNameKeeper } from '../../../src/engines/text/keep-names-out.js'
import { therapySession, toTranscript } from '../session-fixtures.js'
import { checker } from './prose-fixture.js'

const background: Background = {
  diagnoses: ['F33.1 Major depressive disorder, recurrent, moderate'],
  medicines: ['lithium 300 mg twice a day'],
  goals: ['Reconnect with estranged brother in Ohio', 'Return to work', 'Keep a thought record'],
  lastPlan: 'Apply for housing benefits; call the school',
  pronouns: 'they/them',
}

describe('what stands only in the background', () => {
  const find = makeBackgroundFinder(background, readTalk(therapySession))
  const partOf = (text: string, ...transcriptItems: number[]) => find({ text, transcriptItems })?.part ?? null

  it('is found: a medicine, a diagnosis, a goal and a plan that nobody spoke of', () => {
    for (const text of [
      'Client continues lithium.',
      'Client meets criteria for recurrent depressive disorder.',
      'Client made progress in reconnecting with an estranged brother.',
      'Client will apply for housing benefits.',
      'Client is ready to return to work.',
    ])
      expect([text, partOf(text, 3)]).toEqual([text, expect.any(String)])
  })

  it('is not found in what was said, also where a goal has the same words', () => {
    for (const [text, ...items] of [
      ['Client is anxious about work.', 1],
      ['Client kept the thought record four times.', 4, 5],
      ['Client will keep the thought record and add a walk.', 12, 13],
      ['Client denies suicidal ideation when asked.', 10, 11],
      ['Client wakes around three and worries.', 3],
    ] as [string, ...number[]][])
      expect([text, partOf(text, ...items)]).toEqual([text, null])
  })

  it('counts as said in another form of the word', () => {
    const talk = readTalk(toTranscript([['client', 'I have been so depressed.']]))
    const sentence = { text: 'Client reports depressive symptoms.', transcriptItems: [0] }
    expect(makeBackgroundFinder(background, talk)(sentence)).toBeNull()
  })

  const findOf = (diagnosis: string, said: string, text: string) => {
    const finder = makeBackgroundFinder(
      { ...background, diagnoses: [diagnosis], medicines: [], goals: [], lastPlan: null },
      readTalk(toTranscript([['client', said]])),
    )
    return finder({ text, transcriptItems: [0] })?.part ?? null
  }

  it('is found by one word where a diagnosis has no more, its code and degree apart', () => {
    const said = 'I cannot sleep, and the thyroid disorder is no better.'
    for (const [diagnosis, text] of [
      ['HIV', 'Client lives with HIV.'],
      ['Cancer', 'Client has cancer.'],
      ['Depression', 'Client reports depression.'],
      ['MDD', 'Client is treated for MDD.'],
      ['GAD', 'Client is treated for GAD.'],
      ['F42.2 OCD', 'Client is treated for OCD.'],
      ['F32.1 Depression, moderate', 'Client reports depression.'],
      ['Panic disorder', 'Client has panic at night.'],
      ['MAJOR DEPRESSION', 'Client reports depression.'],
    ] as const)
      expect([diagnosis, findOf(diagnosis, said, text)]).toEqual([diagnosis, expect.any(String)])
    expect(findOf('Panic disorder', 'I had a panic attack.', 'Client has panic disorder.')).toBe('disorder')
  })

  it('is not found where that word was said, or a word of its kin, or only what diagnoses share', () => {
    for (const [diagnosis, said, text] of [
      ['HIV', 'I got my HIV results.', 'Client received HIV results.'],
      ['Anxiety', 'I was so anxious.', 'Client reports anxiety.'],
      ['Alcohol use disorder', 'I drink every night.', 'Client reports alcohol every night.'],
      ['F32.1 Depression, moderate', 'I am depressed.', 'Client reports depression and moderate sleep.'],
      ['Panic disorder', 'I had a panic attack.', 'Client had a panic attack.'],
      ['MAJOR DEPRESSION', 'I am depressed.', 'Client had a major argument.'],
    ] as const)
      expect([diagnosis, findOf(diagnosis, said, text)]).toEqual([diagnosis, null])
  })

  const findIn = (known: Partial<Background>, said: string, text: string) =>
    makeBackgroundFinder(
      { diagnoses: [], medicines: [], goals: [], lastPlan: null, pronouns: null, ...known },
      readTalk(toTranscript([['client', said]])),
    )({ text, transcriptItems: [0] })?.part ?? null
  const talkOfNone = 'The bus was late again and it rained on us.'

  it('is found in another form of the word, in short, in full and by its code alone', () => {
    for (const [diagnosis, text] of [
      ['Major depressive disorder, recurrent, moderate', 'Client continues to experience depression.'],
      ['Major depressive disorder, recurrent, moderate', 'Client has been depressed.'],
      ['F43.10 PTSD', 'Client has post-traumatic stress disorder.'],
      ['PTSD', 'Client has posttraumatic stress disorder.'],
      ['Post-traumatic stress disorder', 'Client is treated for PTSD.'],
      ['F33.1', 'Client reports depression.'],
      ['Dissociative disorder', 'Client described dissociation.'],
      ['Essential hypertension', 'Client is hypertensive.'],
    ] as const)
      expect([diagnosis, findIn({ diagnoses: [diagnosis] }, talkOfNone, text)]).toEqual([
        diagnosis,
        expect.any(String),
      ])
  })

  it('is not found where it was said in short and written in full, or the other way, nor in words that only look alike', () => {
    for (const [diagnosis, said, text] of [
      ['F43.10 PTSD', 'My PTSD is bad.', 'Client has post-traumatic stress disorder.'],
      ['PTSD', 'It is post traumatic stress disorder.', 'Client spoke of PTSD.'],
      ['F43.10 PTSD', 'Work is stress.', 'Client reports stress and posted about it.'],
      ['Attention deficit hyperactivity disorder', talkOfNone, 'Client attended and will add a walk.'],
      ['Generalized anxiety disorder', 'I was anxious.', 'Client is generally anxious.'],
      ['Schizoaffective disorder', talkOfNone, 'Client was affected by the rain.'],
    ] as const)
      expect([diagnosis, findIn({ diagnoses: [diagnosis] }, said, text)]).toEqual([diagnosis, null])
  })

  it('is found by one word of a goal or plan that is all of it, a name or a relative', () => {
    for (const [known, text] of [
      [{ goals: ['Sobriety'] }, 'Client made progress toward sobriety.'],
      [{ goals: ['Sobriety'] }, 'Client stays sober.'],
      [{ goals: ['Reconnect with estranged brother in Ohio'] }, 'Client called the brother.'],
      [{ goals: ['Reconnect with estranged brother in Ohio'] }, 'Client went to Ohio.'],
      [{ goals: ['Attend AA twice a week'] }, 'Client was at AA.'],
      [{ lastPlan: 'Exercise.' }, 'Client will exercise.'],
      [{ lastPlan: 'Call Dr. Alvarez; start running.' }, 'Client was running.'],
    ] as const)
      expect([known, findIn(known, talkOfNone, text)]).toEqual([known, expect.any(String)])
  })

  it('is not found by one word that was said in other words, that every plan has, or of many', () => {
    for (const [known, said, text] of [
      [{ goals: ['Sobriety'] }, 'Thirty days without a drink.', 'Client maintains sobriety.'],
      [{ goals: ['Rebuild trust with daughter'] }, 'My girl rang.', 'Client heard from their daughter.'],
      [{ goals: ['Family'] }, 'My sister rang.', 'Client heard from family.'],
      [{ goals: ['Sleep'] }, 'I was awake until four.', 'Client reports little sleep.'],
      [{ lastPlan: 'Exercise.' }, 'I walked every day.', 'Client continues to exercise.'],
      [{ lastPlan: 'Follow up.' }, talkOfNone, 'Client will follow the new route.'],
      [{ goals: ['Return to work'] }, talkOfNone, 'Client was late for work.'],
      [{ goals: ['RETURN TO OFFICE LIFE'] }, talkOfNone, 'Client was late for the office.'],
    ] as const)
      expect([known, findIn(known, said, text)]).toEqual([known, null])
  })
})

describe('names to keep out', () => {
  const keep = makeNameKeeper(['Rosalind', 'Hillcrest Academy', 'Will', 'José Peña', '  ', '!'])

  it('become initials, in quotes, in any case, with any ending, the longest first', () => {
    expect(keep('Client said: “rosalind’s teacher at Hillcrest Academy called ROSALIND.”')).toBe(
      'Client said: “R’s teacher at HA called R.”',
    )
    expect(keep('Jose\u0301 Pen\u0303a and José  Peña')).toBe('JP and JP')
  })

  it('are found however they were given: in capitals, in lower case, with a comma, with any dash or quote', () => {
    const other = makeNameKeeper(['GRACE', 'will', 'Smith, Rosalind', 'Mary-Ann', "O'Brien"])
    expect(other('Grace met Will.')).toBe('G met W.')
    expect(other('with grace')).toBe('with grace')
    expect(other('Smith, Rosalind called; Rosalind Smith and ROSALIND SMITH.')).toBe('SR called; RS and RS.')
    expect(other('Mary–Ann, Mary Ann and O‘Brien')).toBe('MA, MA and OB')
  })

  it('are never the name of a medicine, and are taken out where they are plainly a person’s', () => {
    const other = makeNameKeeper(['Allegra', 'Skyla Reed'])
    for (const text of [
      'Client takes Allegra 180 mg in the morning.',
      'Allegra helps with the hay fever.',
      'Clinician stopped Allegra.',
      'Allegra said on the box: one tablet a day.',
      'Client’s sister Allegra, 60 mg.',
    ])
      expect(other(text)).toBe(text)
    expect(other('Client’s sister Allegra moved in.')).toBe('Client’s sister A moved in.')
    expect(other('Allegra called; allegra’s mother came with Skyla Reed.')).toBe(
      'A called; A’s mother came with SR.',
    )
  })

  it('are left alone within other words, apart, and where the name is a plain word', () => {
    for (const text of ['Rosalinda called.', 'Hillcrest. Academy', 'They will call; free will.'])
      expect(keep(text)).toBe(text)
    expect(keep('They met Will.')).toBe('They met W.')
  })
})

const sectionOf = (...entries: [string, boolean][]): NoteSection => ({
  key: 'subjective',
  title: 'Subjective',
  content: entries.map(([text]) => text).join(' '),
  evidence: entries.map(([sentence, supported]) => ({
    sentence,
    transcriptItems: [],
    supported,
    judgement: supported ? 'verified' : 'refused',
    reason: supported ? null : 'not_said',
  })),
})

const linkGoals = async (request: Parameters<typeof checker.linkGoals>[0]) =>
  (await checker.linkGoals(request)) ?? expect.unreachable()

describe('links by words', () => {
  const goals = [
    { goalId: 'sleep', texts: ['Sleep through at least five nights a week', 'Keep a sleep diary'] },
    { goalId: 'work', texts: ['Go back to work by March'] },
    { goalId: 'brother', texts: ['Reconnect with estranged brother'] },
  ]
  const linksOf = async (...entries: [string, boolean][]) =>
    Object.fromEntries(
      (await linkGoals({ sections: [sectionOf(...entries)], goals })).map(({ goalId, sentences }) => [
        goalId,
        sentences.map(({ sentence }) => sentence),
      ]),
    )

  it('are made where a sentence shares a goal’s or an objective’s own words, and nowhere else', async () => {
    const slept = 'Client slept through four nights.'
    const diary = 'Client filled in the sleep diary.'
    expect(
      await linksOf([slept, true], [diary, true], ['Client increased walks to five a week.', true]),
    ).toEqual({
      sleep: [slept, diary],
      work: [],
      brother: [],
    })
  })

  it('are made by the one own word of a goal that has no other, and not by none', async () => {
    const short = [
      { goalId: 'sleep', texts: ['Improve sleep'] },
      { goalId: 'more', texts: ['Make more progress each week'] },
    ]
    const sections = [sectionOf(['Client will sleep earlier this week.', true], ['Client walks more.', true])]
    expect((await linkGoals({ sections, goals: short })).map(({ sentences }) => sentences.length)).toEqual([
      1, 0,
    ])
  })

  it('are not made for what was refused', async () => {
    expect(await linksOf(['Client reconnected with their estranged brother.', false])).toEqual({
      sleep: [],
      work: [],
      brother: [],
    })
  })
})
