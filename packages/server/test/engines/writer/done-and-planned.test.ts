import { describe, expect, it } from 'vitest'
import { findRuler, wordRuler } from '../../../src/engines/writer/embedded/ask-ruler.js'
import { dropSpeech } from '../../../src/engines/writer/embedded/drop-speech.js'
import { findRolePlay } from '../../../src/engines/writer/embedded/find-role-play.js'
import { confirmsNothing, isHalf, leavesOpen } from '../../../src/engines/writer/embedded/judge-wording.js'
import { readExercise } from '../../../src/engines/writer/embedded/read-exercise.js'
import { readGoalAsked } from '../../../src/engines/writer/embedded/read-goal.js'
import { readSession } from '../../../src/engines/writer/embedded/read-session.js'
import { wordClinician } from '../../../src/engines/writer/embedded/report-clinician.js'
import { sectionOf, talk, textOf, write } from './talk.js'

const explained = (text: string): string | undefined =>
  readExercise(text, { isLate: false, mentionsMedication: false, isExercise: true })?.text

describe('the steps of an exercise', () => {
  it.each([
    ['We breathe through a thin straw for one minute', 'breathe through a thin straw for one minute'],
    [
      'You hold ice on your face for thirty seconds, and it slows the body',
      'hold ice on their face for thirty seconds',
    ],
    ['Then squeeze both fists as hard as you can', 'squeeze both fists as hard as they can'],
    ['Name five things in the room out loud', 'name five things in the room out loud'],
    ['Put in two alarms, one at one and one at three', 'put in two alarms, one at one and one at three'],
    ['Imagine a box with a lid until a time you choose', 'imagine a box with a lid until a time they choose'],
  ])('are what the client was asked to do: %s', (said, done) => {
    expect(explained(said)).toBe(`clinician asked client to ${done}`)
  })

  it.each([
    'Hold on a second, I lost my page here',
    'You look at me like I am crazy here',
    'You were holding a lot this week',
    'Pick it up again',
  ])('are not what is said along the way: %s', (said) => {
    expect(explained(said)).toBeUndefined()
  })

  it('are none without an exercise', () => {
    expect(
      readExercise('You hold ice on your face for thirty seconds', {
        isLate: false,
        mentionsMedication: false,
      }),
    ).toBeNull()
  })
})

describe('a role play', () => {
  const inRole = (lines: string): string[] => {
    const session = readSession(talk(lines))
    const found = findRolePlay(session)
    return session.sentences.filter(({ order }) => found.has(order)).map(({ said }) => said)
  }

  it.each([
    ['Let us role play it.', 'I need you to knock first.'],
    ["I'll be your sister. Go ahead.", 'Please do not hand me a glass.'],
    ["Pretend I'm your boss.", 'I cannot stay late on Thursdays.'],
    ['Say it to me now.', 'I need twenty minutes.'],
    ["Let's do it as a DEAR MAN.", 'When you have people over I feel left out.'],
  ])('is spoken to somebody else: %s', (prompt, line) => {
    expect(inRole(`clinician: ${prompt}\nclient: ${line}`)).toEqual([line])
  })

  it('ends where the client speaks of it', () => {
    expect(
      inRole('clinician: Say it to me now.\nclient: I need twenty minutes. That was easier. I drink less.'),
    ).toEqual(['I need twenty minutes.'])
  })

  it.each([
    "clinician: I'll be here until five.\nclient: I drink every night.",
    'clinician: What would you say to a friend?\nclient: I would tell her to sleep.',
    'clinician: Can you turn to her and tell her what happens inside?\nclient: I get scared.',
  ])('is not any other talk: %s', (lines) => {
    expect(inRole(lines)).toEqual([])
  })
})

describe('a plan', () => {
  it('takes in a step of a few words that follows a step', async () => {
    const plan = await sectionOf(
      'dap',
      `clinician: So for the week, a walk every day, before noon. Guitar for ten minutes, twice. Phone in the kitchen at eleven.
       client: Okay, that sounds like a lot, and I will give it a try, I suppose, since you ask me so nicely.`,
      'plan',
    )
    expect(plan).toContain('Guitar for ten minutes, twice')
    expect(plan).toContain('Phone in the kitchen at eleven')
  })

  it('has the time that both said in the end', async () => {
    const plan = await sectionOf(
      'birp',
      `clinician: For this week, write down the truer thought three times. And the phone goes in the kitchen at ten.
       client: Ugh. Ten thirty.
       clinician: Ten thirty. That is settled, then, and I am glad that we found something that both of you can live with.`,
      'plan',
    )
    expect(plan).toContain('in the kitchen at ten thirty')
    expect(plan).not.toContain('proposed')
  })

  it('keeps both times where nobody gave in', async () => {
    const plan = await sectionOf(
      'birp',
      `clinician: For this week, write down the truer thought three times. And the phone goes in the kitchen at ten. I am going to tell your mom that one, is that okay?
       client: Ugh. Ten thirty.
       clinician: We can talk about that with your mother, and I am sure that the three of us will find something.`,
      'plan',
    )
    expect(plan).toContain('in the kitchen at ten.')
    expect(plan).toContain('Client proposed ten thirty')
  })

  const late = { isLate: true, mentionsMedication: false }

  it.each([
    ["Next week we'll build the plan for the holiday", 'next week, plan to build the plan for the holiday'],
    ['You could ask your husband to sit in', "clinician suggested asking client's husband to sit in"],
    ['Call me, we can do a booster visit', 'client to call clinician; plan to do a booster visit'],
    ['Sit down with the bank statement once', 'client to sit down with the bank statement once'],
    ['This week three rides, two stops early', 'plan: this week three rides, two stops early'],
    ["If your mom calls, text her, I'll call you at five", 'if their mom calls, client to text her'],
    [
      "You've got the party on the twelfth, so next time we'll plan that one minute by minute",
      'plan: next time, plan the party on the twelfth minute by minute',
    ],
    [
      "There's the hearing in May, so we'll talk about that next week",
      'plan: talk about the hearing in May next week',
    ],
    [
      "Let's try something this week, it's called response prevention",
      'plan to try response prevention this week',
    ],
    ["I'll send her a note too if that's okay", 'clinician will send her a note'],
  ])('is read from %s', (said, text) => {
    expect(wordClinician(said, late)).toEqual({ kind: 'plan', text })
  })

  it.each([
    [
      "Today I'd like us to write the plan for bad weeks",
      'today, clinician proposed writing the plan for bad weeks',
    ],
    ["I'd like to introduce something called worry time today", 'clinician introduced worry time'],
  ])('is none where it is done there and then: %s', (said, text) => {
    expect(wordClinician(said, late)).toEqual({ kind: 'intervention', text })
  })

  it.each([
    'I want to stay there a second, because it matters',
    "We've talked about mind reading before",
    "I'll have you step out after a bit",
    'You can see it in the mirror',
  ])('and an intervention are neither read from %s', (said) => {
    expect(wordClinician(said, { isLate: false, mentionsMedication: false })).toBeNull()
  })
})

describe('a goal', () => {
  it.each([
    [
      'last time we had the goal at thirty days no alcohol, and meetings three times a week where are we',
      'goal: thirty days no alcohol, and meetings three times a week',
    ],
    ['Do we keep the goal at thirty days?', 'goal: thirty days'],
    ['Your goal was to walk every day, how did that go?', 'goal: to walk every day'],
    ['The goal of two dinners a week together, how is that going?', 'goal: two dinners a week together'],
  ])('is read from the question about it: %s', (question, goal) => {
    expect(readGoalAsked(question)).toBe(goal)
  })

  it.each([
    'What is your goal for today?',
    'Is that still the goal?',
    'How close are you to the goal you set?',
  ])('is not told by %s', (question) => {
    expect(readGoalAsked(question)).toBeNull()
  })
})

describe('a cue', () => {
  const late = { isLate: true, mentionsMedication: false, isCue: true }

  it.each(['Keep the phone in your hand', 'Let the maybe be there', 'Stay in the room with it'])(
    'within an exercise is no plan: %s',
    (said) => {
      expect(wordClinician(said, late)?.kind).not.toBe('plan')
    },
  )

  it.each(['Try it at work when voices go up', 'Keep the log going', 'Hold the ice every night before bed'])(
    'is not what is to be done at home: %s',
    (said) => {
      expect(wordClinician(said, late)?.kind).toBe('plan')
    },
  )
})

describe('a ruler', () => {
  it.each([
    [
      'On a scale of zero to ten, how important is it to you?',
      'clinician asked how important it is to client',
    ],
    ['How ready are you to stop?', 'clinician asked how ready client is'],
  ])('is an intervention: %s', (question, text) => {
    expect(wordRuler(findRuler(question) ?? '')).toBe(text)
  })

  it('is none where nobody is asked for a degree of it', () => {
    expect(findRuler('How bad is it?')).toBeNull()
  })
})

describe('what takes room and tells nothing', () => {
  it.each([
    'if they pass out in here',
    'even if they do not do anything',
    'if they tell themselves it is prettier',
    'their manager is going to, ugh',
  ])('is half a clause: %s', (text) => {
    expect(isHalf(text)).toBe(true)
  })

  it.each([
    'if they miss it they get these zaps',
    'if it was their sister, a six',
    'because of the noise they moved',
  ])('is not a whole one: %s', (text) => {
    expect(isHalf(text)).toBe(false)
  })

  it('is a yes to nothing that has a name', () => {
    expect(confirmsNothing('asked whether that fits, client answered yes')).toBe(true)
    expect(confirmsNothing('asked whether that pill helps with sleep now, client answered yes')).toBe(false)
    expect(confirmsNothing('asked whether they drink, client answered no')).toBe(false)
  })

  it('leaves open what it is about', () => {
    expect(leavesOpen('they lost it')).toBe(true)
    expect(leavesOpen('they are good')).toBe(true)
    expect(leavesOpen('they have the cats')).toBe(false)
  })

  it('is no aside where one thing is said instead of the other', () => {
    expect(dropSpeech('it is not broken, it is a bruise')).toBe('it is not broken; it is a bruise')
    expect(dropSpeech('they do the ritual, it is forty minutes')).toBe('they do the ritual (forty minutes)')
  })
})

describe('others', () => {
  it('are never taken for the client', async () => {
    const note = textOf(
      await write(
        'dap',
        talk(`
          clinician: What is a different thought that could also be true about the school and the principal?
          client: That they've got thirty kids and they're just trying to make it easier on themselves over there.
          clinician: And the surgery, what is the evidence, what did you find out when you asked?
          client: Her doctor said the risk is under one percent. She's had two surgeries and both were fine.
          clinician: That is good to know, and I am glad that you asked about it before the day itself.
        `),
      ),
    )
    expect(note).not.toMatch(/they have got thirty kids/)
    expect(note).not.toMatch(/doctor has had two surgeries/)
  })
})
