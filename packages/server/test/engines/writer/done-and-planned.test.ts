import { describe, expect, it } from 'vitest'
import { findRuler, wordRuler } from '../../../src/engines/writer/embedded/clinician/ask-ruler.js'
import { dropSpeech } from '../../../src/engines/writer/embedded/talk/drop-speech.js'
import { findRolePlay } from '../../../src/engines/writer/embedded/client/find-role-play.js'
import {
  confirmsNothing,
  isHalf,
  leavesOpen,
} from '../../../src/engines/writer/embedded/client/judge-wording.js'
import { nameHolder } from '../../../src/engines/writer/embedded/plan/name-holder.js'
import { readExercise, readMap } from '../../../src/engines/writer/embedded/clinician/read-exercise.js'
import { readGoalAsked } from '../../../src/engines/writer/embedded/clinician/read-goal.js'
import { readSession } from '../../../src/engines/writer/embedded/talk/read-session.js'
import { wordClinician } from '../../../src/engines/writer/embedded/clinician/report-clinician.js'
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
    ['I have you on the ninth at four', 'next appointment on the ninth at four'],
    ["Same time in two weeks, I'm away next Tuesday", 'next appointment same time in two weeks'],
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
    'And the drinking this week',
  ])('and an intervention are neither read from %s', (said) => {
    expect(wordClinician(said, { isLate: false, mentionsMedication: false })).toBeNull()
  })
})

describe('what is done', () => {
  const early = { isLate: false, mentionsMedication: false }

  it.each([
    ["That's what we called catastrophizing", 'clinician called this catastrophizing'],
    ["That's the self compassion piece we talked about", 'clinician discussed self compassion'],
    ['This is called all or nothing thinking', 'clinician called this all or nothing thinking'],
    [
      "Let's go down the hall and touch the sink, and not wash",
      'clinician proposed to go down the hall and touch the sink, and not wash',
    ],
    ['Let me teach you a skill from DBT called TIPP', 'clinician offered to teach client TIPP'],
  ])('is said in few words: %s', (said, text) => {
    expect(wordClinician(said, early)?.text).toBe(text)
  })

  it.each([
    [
      'I think the attention is better in the morning',
      'clinician stated that the attention is better in the morning',
    ],
    [
      "I'd call this progress on the goal, which was to sleep",
      'clinician described this as progress on the goal, which was to sleep',
    ],
    [
      "I'd say you're moving from avoiding to facing it",
      'clinician stated that client is moving from avoiding to facing it',
    ],
    ["I'd say your sleep is getting worse", "clinician stated that client's sleep is getting worse"],
  ])('is judged: %s', (said, text) => {
    expect(wordClinician(said, early)).toEqual({ kind: 'assessment', text })
  })

  it.each(["I won't tell you that it is easy", 'I think your mom is in the waiting room'])(
    'is neither planned nor judged by %s',
    (said) => {
      expect(wordClinician(said, { ...early, isLate: true })).toBeNull()
    },
  )

  it.each([
    [
      'Put a hand where the knot is and tell her what she needs to hear',
      'clinician asked client to put a hand where the knot is and tell her what she needs to hear',
    ],
    [
      "We've been working on asking instead of hinting",
      'clinician and client have been working on asking instead of hinting',
    ],
  ])('in the room is no plan, however late: %s', (said, text) => {
    expect(wordClinician(said, { isLate: true, mentionsMedication: false, isUnplanned: true })).toEqual({
      kind: 'intervention',
      text,
    })
  })

  it('is put on paper, link by link', () => {
    expect(readMap('Weed at ten, bed at one, late at nine.', 'Can we map it out?')).toBe(
      'clinician mapped this out with client: weed at ten, bed at one, late at nine',
    )
    expect(readMap('The email, your chest, the checking.', "Let's draw it out.")).toBe(
      'clinician drew this out with client: the email, their chest, the checking',
    )
    expect(readMap('Weed at ten, bed at one, late at nine.', 'How was work?')).toBeNull()
    expect(readMap('Okay, great.', "Let's write it down.")).toBeNull()
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

describe('whoever has the means', () => {
  const step = (client: string, clinician: string): string | undefined => {
    const session = readSession(talk(`client: ${client}\nclinician: ${clinician}`))
    const asked = session.sentences.find(({ role }) => role === 'clinician')
    return asked === undefined ? undefined : nameHolder(asked, session)?.text
  }

  it.each([
    [
      'My wife has some leftover pills. No guns.',
      "I'd like her to lock those up.",
      "client's wife to lock the pills up",
    ],
    [
      'My brother keeps the rifles at our place.',
      'I want him to take them home.',
      "client's brother to take the rifles home",
    ],
    ['My mom gives me the rest.', 'I need her to keep it with her.', "client's mom to keep it with her"],
  ])('is named: %s – %s', (client, clinician, text) => {
    expect(step(client, clinician)).toBe(text)
  })

  it.each([
    ['My wife has some pills.', 'I want him to lock those up.'],
    ['My mom and my sister have keys.', "I'd like her to lock those up."],
    ['Nobody else is there.', "I'd like her to lock those up."],
    ['My wife has some pills.', "I'd like her to come in next time."],
  ])('is left open where it is not certain: %s – %s', (client, clinician) => {
    expect(step(client, clinician)).toBeUndefined()
  })
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

describe('a parking lot', () => {
  it('is where something happened, and no small talk', async () => {
    const response = await sectionOf(
      'girp',
      `clinician: And what happened after the funeral, that day?
       client: I used once, in the parking lot. I did not tell anybody about it until this morning on the way here.`,
      'response',
    )
    expect(response).toContain('parking lot')
  })
})

describe('others', () => {
  it('are named only where nobody else can be meant', async () => {
    const data = await sectionOf(
      'dap',
      `client: My supervisor walked by and said nothing to me. I stayed late till eight. I missed my daughter's recital.
       clinician: What else could explain it, do you think, now that we look at it together?
       client: She could have been on a call with the other office.`,
      'data',
    )
    expect(data).not.toMatch(/daughter could have been/)
  })

  it('who did harm are quoted where they are not named', async () => {
    const history = await sectionOf(
      'psychotherapy_intake',
      `clinician: What was that like, the years in that house?
       client: He hit me. I do not talk about it much, with anybody, even now after all of that.`,
      'trauma_history',
    )
    expect(history).toMatch(/hit/)
  })

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

describe('what is said to a date', () => {
  it.each([
    ["Let's see, four weeks?", "Four weeks works. We've got soccer but we'll make it work."],
    ['How about Thursday?', 'Thursday is fine. I have a barbecue, but later.'],
  ])('is no report: %s', async (asked, answered) => {
    const lines = `clinician: Take it with breakfast. ${asked}\nclient: ${answered}`
    expect(await sectionOf('soap', lines, 'subjective')).not.toMatch(/soccer|barbecue/)
  })

  it('is one if it is about what a note asks for', async () => {
    const lines =
      "clinician: Take it with breakfast. How about Thursday?\nclient: Fine. I'm scared of the surgery though."
    expect(await sectionOf('soap', lines, 'subjective')).toMatch(/surgery/)
  })
})

describe('a plan that was cut off', () => {
  it.each([
    'If the waking has not improved by the next visit, we will talk about',
    'I would like you to write down the',
  ])('is left out: %s', async (said) => {
    const plan = await sectionOf('soap', `clinician: ${said}\nclient: Trazodone.`, 'plan')
    expect(plan).not.toMatch(/talk about\.|\bthe\./)
  })

  it('is kept where its end is one', async () => {
    const lines = 'clinician: Next time we will talk about the custody hearing.\nclient: Okay.'
    expect(await sectionOf('soap', lines, 'plan')).toMatch(/custody hearing/)
  })
})
