import type { NoteType } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { answerInPlace } from '../../../src/engines/writer/embedded/client/answer-in-place.js'
import { dropSpeech } from '../../../src/engines/writer/embedded/talk/drop-speech.js'
import { isHeap, shareSubject } from '../../../src/engines/writer/embedded/statement/share-subject.js'
import { sectionOf } from './talk.js'

describe('what is said of one subject', () => {
  it.each([
    ['they wake up at three; they have lost six pounds', 'they wake up at three and have lost six pounds'],
    [
      'they fell on Monday and banged their hip; they cannot drive',
      'they fell on Monday, banged their hip, and cannot drive',
    ],
    [
      'they want to paint again; they want to stop crying',
      'they want to paint again and want to stop crying',
    ],
  ])('is said once: %s', (clauses, shared) => {
    expect(shareSubject(clauses)).toBe(shared)
  })

  it.each([
    'they did not sleep; they ate two meals',
    'they think it helps; they have asthma',
    'they have asthma and diabetes; they use an inhaler',
    'they cry; their wife drives',
  ])('keeps its subject where a negation, a thought or a list would reach over: %s', (clauses) => {
    expect(shareSubject(clauses)).toBe(clauses)
  })

  it('is a heap when more than three clauses, or three that begin with "they", stand together', () => {
    expect(isHeap('they cry; sleep is bad; work is hard')).toBe(false)
    expect(isHeap('they cry; sleep is bad; work is hard; money is short')).toBe(true)
    expect(isHeap('they cry; they yell and they drink')).toBe(true)
  })
})

describe('an answer', () => {
  it.each([
    [
      'when the crying started',
      'about two weeks ago',
      'client reported the crying started about two weeks ago',
    ],
    [
      'where they feel it',
      'in their fists; they hit a locker',
      'client reported they feel it in their fists; they hit a locker',
    ],
    ['about the anxiety', 'it is a lot better', 'client reported the anxiety is a lot better'],
    ['about the cravings', 'they come about four', 'client reported the cravings come about four'],
    ['about eating', 'normal', 'eating: normal'],
    ['about the last two weeks', 'long', 'last two weeks: long'],
    [
      'how they are feeling about the plan',
      'better',
      'client reported they are feeling better about the plan',
    ],
    ['who knows', 'their roommate', 'client reported their roommate knows'],
    [
      'how many times they have driven it altogether, the last month',
      'nine times',
      'client reported they have driven it nine times, the last month',
    ],
    ['how that day was', 'rough', 'client reported that day was rough'],
    ['how many days sober it now is', 'twelve', 'client reported twelve days sober'],
    [
      'who they would tell if it got worse',
      'their wife',
      'client reported they would tell their wife if it got worse',
    ],
    ['what the guilt said', 'that they left her', 'client reported the guilt said that they left her'],
    ['about the front doors', 'that is still a ten', 'client rated the front doors at ten'],
  ])('takes the place of its question: %s – %s', (asked, rest, written) => {
    expect(answerInPlace(asked, rest)[0]).toBe(written)
  })

  it('that denies is never put into the words of its question', () => {
    expect(answerInPlace('when the crying started', 'not since May')).toEqual([])
    expect(answerInPlace('who they would tell', 'nobody, not a soul')).toEqual([])
  })
})

describe('what only speech has', () => {
  it.each([
    ['missing it maybe two nights a week', 'missing it about two nights a week'],
    ['now it is a five, maybe a four', 'now it is a five or a four'],
    ['five or six hours easily', 'five or six hours'],
    [
      'they still do the ritual, that is forty minutes every morning',
      'they still do the ritual (forty minutes every morning)',
    ],
    ["client's GAD-7, it is 15 today", "client's GAD-7 is 15 today"],
    ['they went home and were like, nobody would notice', 'they went home'],
    ['they were up until, four', 'they were up until four'],
    ['they are eating garbage', 'they are eating "garbage"'],
  ])('is left out: %s', (said, written) => {
    expect(dropSpeech(said)).toBe(written)
  })

  it.each([
    'they were in the hospital when they were a boy',
    'denied alcohol or anything else',
    'they do not drink, not really',
    'maybe one day they will call',
    'it felt like a hundred years',
    'client stated, "maybe two"',
  ])('is not mistaken for what was told: %s', (said) => {
    expect(dropSpeech(said)).toBe(said)
  })
})

type Read = [what: string, type: NoteType, lines: string, section: string, written: RegExp, never: RegExp]

const table: Read[] = [
  [
    'a rating says what was rated',
    'birp',
    "clinician: Let's try the breathing exercise. How confident are you that you can do it alone, zero to ten?\nclient: Like a six.",
    'response',
    /rated how confident they are that they can do it alone at six/i,
    /rating of/i,
  ],
  [
    'what somebody drinks is no rating',
    'soap',
    'clinician: How much do you drink in the evening?\nclient: Two. Two beers with dinner, every day.',
    'subjective',
    /two/i,
    /rated/i,
  ],
  [
    'a second number is of what was rated before',
    'birp',
    "clinician: I'd like to do an exposure now. Where are you, zero to ten?\nclient: Seven.\nclinician: Stay with it. And now, two minutes later?\nclient: It's a three.",
    'response',
    /exposure, client rated it at seven[^]*rated it at three/i,
    /this is a three/i,
  ],
  [
    'how often somebody was in the hospital says where they were',
    'psychiatric_evaluation',
    'clinician: Have you ever been in the hospital for depression?\nclient: Once, in 2012, for five days.',
    'past_psychiatric_history',
    /being in the hospital for depression \(once, in 2012, for five days\)/i,
    /reported once/i,
  ],
  [
    'how many hours says hours of what',
    'psychiatric_evaluation',
    'clinician: How many hours are you sleeping?\nclient: Two or three.',
    'history_of_present_illness',
    /sleeping two or three hours/i,
    /sleep as two/i,
  ],
  [
    'who is at home is said to be at home',
    'psychiatric_evaluation',
    "clinician: Who's at home with you?\nclient: My husband and our dog.",
    'social_history',
    /their husband and their dog at home/i,
    /asked who/i,
  ],
  [
    'a person is named for a pronoun inside a sentence',
    'dap',
    'clinician: How is the family?\nclient: My mother is having surgery in June. I call her every night and I worry.',
    'data',
    /call their mother every night/i,
    /call her/i,
  ],
  [
    'what was seen is a list',
    'soap',
    "clinician: You're tearful today, and you're speaking very quietly, and you looked away.\nclient: I know.",
    'objective',
    /tearful today, speaking very quietly, and looked away/i,
    /they are/i,
  ],
  [
    'what was practised is named in the plan',
    'birp',
    "clinician: Let's practice grounding together now.\nclient: Okay. I feel calmer.\nclinician: For this week, I'd like you to try it at work when voices go up.",
    'plan',
    /try grounding at work/i,
    /try it/i,
  ],
  [
    'a thing that is only agreed to be so is not confirmed without its name',
    'dap',
    "clinician: You've missed four days. Is that new?\nclient: Yeah. Before this I had not called out in two years.",
    'data',
    /before this they had not called out in two years/i,
    /that that/i,
  ],
  [
    'progress that the clinician sees has its subject',
    'soap',
    "clinician: I think that's real progress with the sleep.\nclient: Thank you.",
    'assessment',
    /this is real progress/i,
    /^is real/im,
  ],
]

describe('a note', () => {
  it.each(table)('%s', async (_what, noteType, lines, section, written, never) => {
    const content = await sectionOf(noteType, lines, section)
    expect(content).toMatch(written)
    expect(content).not.toMatch(never)
  })
})

describe('a topic that stands in front', () => {
  it('is no task, though it looks like a verb', async () => {
    const plan = await sectionOf(
      'soap',
      "clinician: Sleep I don't want to add a pill for yet. Move the coffee to before noon.\nclient: Okay.",
      'plan',
    )
    expect(plan).toMatch(/[Mm]ove the coffee to before noon/)
    expect(plan).not.toMatch(/client to sleep/i)
  })
})
