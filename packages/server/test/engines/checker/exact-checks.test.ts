import { describe, expect, it } from 'vitest'
import { checkSentence } from '../../../src/engines/checker/check-sentence.js'
import { readTalk } from '../../../src/engines/checker/read-talk.js'
import { packFigures } from '../../../src/engines/reader/reading.js'
import { danger, medicine } from '../ledger/findings.js'
import { check, findFault, readingOf, talk } from './talk.js'

describe('items', () => {
  it('refuses a sentence without items, and one whose items do not exist', () => {
    expect(check('client: I slept.', 'Client slept.', [])).toBe('no_evidence')
    expect(check('client: I slept.', 'Client slept.', [7])).toBe('no_evidence')
    expect(check('client: I slept.', 'Client slept.', [-1])).toBe('no_evidence')
    expect(check('client: I slept.', 'Allergies were not discussed.', [])).toBeNull()
  })
})

describe('numbers', () => {
  const said: [spoken: string, written: string][] = [
    ['I take one fifty at night.', 'Client takes 150 mg at night.'],
    ['About an hour and a half.', 'Client waits about 90 minutes.'],
    ['A year and a half now.', 'This has lasted 18 months.'],
    ['It takes half an hour.', 'It takes 30 minutes.'],
    ['Twice a week, a couple of drinks.', 'Client drinks 2 drinks 2 times a week.'],
    ['I have a glass of wine.', 'Client has 1 glass of wine.'],
    ['Three, four nights a week.', 'Client wakes 3 to 4 nights a week.'],
    ['I wake at half past six.', 'Client wakes at 6:30.'],
    ['Quarter to seven, usually.', 'Client wakes at 6:45.'],
    ['I go off at half ten.', 'Client falls asleep at 10:30.'],
    ['It was nineteen ninety-eight.', 'This was in 1998.'],
    ['It was in ninety-eight.', 'This was in 1998.'],
    ['One twenty over eighty.', 'Blood pressure is 120/80.'],
    ['It was nine point four.', 'A1C is 9.4.'],
    ['I take a couple, the two hundreds.', 'Client takes 200s.'],
    ['the a one c is 7 point 4', 'A1C is 7.4.'],
    ['I owe eleven thousand four hundred.', 'Client owes $11,400.'],
    ['Twenty-four hundred a month.', 'The payment is 2,400 a month.'],
    ['I spent four grand.', 'Client spent 4,000.'],
    ['A six, maybe.', 'Client rates mood 6 out of 10.'],
    ['A six, maybe.', 'Client rates mood 6/10.'],
    ['A dozen times.', 'This happened 12 times.'],
    ['Half a dozen times.', 'This happened 6 times.'],
    ['Thirty percent better.', 'Client feels 30% better.'],
    ['On the twenty-first of May.', 'The next visit is May 21.'],
    ['Two weeks ago.', 'This began 14 days ago.'],
    ['In a fortnight.', 'Next visit is in 2 weeks.'],
    ['I am fifty-five.', 'Client is 55 years old.'],
    ['She filled in the form.', 'PHQ-9 was completed.'],
    ['You can call the crisis line.', 'Client was given 988.'],
  ]
  it.each(said)('"%s" bears out "%s"', (spoken, written) => {
    expect(check(`client: ${spoken}`, written)).toBeNull()
  })

  const notSaid: [spoken: string, written: string][] = [
    ['I sleep four hours.', 'Client sleeps 5 hours.'],
    ['It lasted six days.', 'It lasted 6 weeks.'],
    ['Two a night.', 'Client drinks 3 beers a night.'],
    ['I take one fifty at night.', 'Client waits 50 minutes.'],
    ['On the third.', 'It lasted 3 weeks.'],
    ['I am fifty-five.', 'Client is 65 years old.'],
    ['One twenty over eighty.', 'Blood pressure is 120/95.'],
    ['Some days.', 'Client missed twelve days.'],
  ]
  it.each(notSaid)('"%s" does not bear out "%s"', (spoken, written) => {
    expect(check(`client: ${spoken}`, written)).toBe('number')
  })

  it('takes a number within three items, and none beyond', () => {
    const lines = ['client: Four hours.', ...Array.from({ length: 4 }, () => 'clinician: Go on.')].join('\n')
    expect(check(lines, 'Client sleeps 4 hours.', [3])).toBeNull()
    expect(check(lines, 'Client sleeps 4 hours.', [4])).toBe('number')
  })

  it('leaves the time of a quote alone', () => {
    expect(check('client: I slept. Not well.', 'Client (12:40): "I slept. Not well."')).toBeNull()
  })
})

describe('medicines', () => {
  it.each([
    ['I take Zoloft.', 'Client takes sertraline.', null],
    ['I take sertraline.', 'Client takes Zoloft.', null],
    ['I take sertraline, fifty.', 'Client takes sertraline 50 mg.', null],
    ['I take sertraline.', 'Client takes fluoxetine.', 'medicine'],
    ['I take sertraline, fifty.', 'Client takes sertraline 100 mg.', 'dose'],
    ['I take tapentadol, fifty.', 'Client takes tapentadol 50 mg.', null],
    ['I take something, fifty.', 'Client takes tapentadol 50 mg.', 'medicine'],
    ['I used the patch.', 'Client used a nicotine patch.', null],
    ['Zoloft fifty and lithium nine hundred.', 'Client takes lithium 50 mg and sertraline 900 mg.', 'dose'],
    ['Zoloft fifty and lithium nine hundred.', 'Client takes lithium 900 mg and sertraline 50 mg.', null],
  ])('"%s" and "%s"', (spoken, written, reason) => {
    expect(check(`client: ${spoken}`, written)).toBe(reason)
  })

  it('wants the name within three items, whatever "it" may point to', () => {
    const far = ['client: I take sertraline.', ...Array.from({ length: 6 }, () => 'client: It helps.')].join(
      '\n',
    )
    expect(check(far, 'Sertraline helps.', [3])).toBeNull()
    expect(check(far, 'Sertraline helps.', [6])).toBe('medicine')
    expect(check(far, 'Sertraline helps.', [0, 6])).toBeNull()
  })

  it('takes a name that was put right, and one that the reader knows for a misheard one', () => {
    expect(
      check(
        'client: search for line',
        'Client takes sertraline.',
        [0],
        medicine({ name: 'sertraline', items: [0] }),
      ),
    ).toBeNull()
  })
})

describe('quotes', () => {
  it.each([
    ['I, I just want to sleep, um, all day.', 'Client says "I just want to sleep all day."', null],
    ['I just want to sleep.', 'Client says "I JUST want … sleep".', null],
    ['It was four hours.', 'Client says "it was 4 hours".', null],
    ['I just want to sleep.', 'Client says "I just want to die".', 'quote'],
    ['I want to sleep.', 'Client wants to "sleep [at night]".', null],
    ["I don't know.", 'Client says "I dont know".', null],
  ])('"%s" and %s', (spoken, written, reason) => {
    expect(check(`client: ${spoken}`, written)).toBe(reason)
  })

  it('joins what a speaker said around a "mm-hmm"', () => {
    expect(
      check('client: I want to\nclinician: Mm-hmm.\nclient: go home.', 'Client says "I want to go home".'),
    ).toBeNull()
  })
})

describe('denials', () => {
  const denial = 'Client denies suicidal ideation.'
  it.each([
    ['clinician: Any thoughts of suicide?\nclient: No.', denial, null],
    ['clinician: thoughts of suicide or hurting yourself\nclient: no', denial, null],
    ["client: I'm not going to kill myself.", denial, null],
    ['clinician: You told me you have had no thoughts of suicide.\nclient: Right.', denial, null],
    ['clinician: Any thoughts of suicide?\nclient: Sometimes.', denial, 'denial'],
    ['clinician: How is work?\nclient: No change.', denial, 'denial'],
    [
      'clinician: Any thoughts of suicide?\nclient: Yes, every day.',
      'When asked if they had thoughts of suicide, client denied.',
      'denial',
    ],
    [
      'clinician: Any thoughts of suicide?\nclient: No.',
      'When asked if they had thoughts of suicide, client denied.',
      null,
    ],
    [
      'clinician: Any guns at home?\nclient: Yes.',
      'Asked if there is a gun in the home, client said no.',
      'denial',
    ],
    [
      'clinician: How is work?\nclient: Fine.',
      'Client agreed to call the crisis line with their sister and denied suicidal thoughts.',
      'denial',
    ],
    [
      'clinician: How is work?\nclient: Fine.',
      'Client does not know if mother will visit and denies suicidal ideation.',
      'denial',
    ],
    [
      'clinician: Call me if the thoughts of suicide come back.\nclient: I will.',
      'Client will call without delay if suicidal thoughts return.',
      null,
    ],
    ['clinician: How is work?\nclient: Fine.', 'No suicidal ideation or homicidal ideation.', 'denial'],
    ['clinician: Any thoughts of suicide?\nclient: No.', 'Client denies SI and HI.', 'denial'],
    ['clinician: Any guns at home?\nclient: No.', 'Client denies access to firearms.', null],
    ['clinician: How is home?\nclient: Fine.', 'Client denies access to firearms.', 'denial'],
    [
      'client: I never told my wife about the suicide thing.',
      'Client has not told the wife about the suicidal thoughts.',
      null,
    ],
  ])('%s | %s', (lines, written, reason) => {
    expect(check(lines, written)).toBe(reason)
  })

  it('follows the reading: affirmed there is not denied here', () => {
    const lines = 'clinician: Any thoughts of suicide?\nclient: Not, no, well. Yes.'
    const affirmed = danger({ items: [0, 1], standing: 'affirmed' })
    expect(check(lines, denial, [0, 1], affirmed)).toBe('denial')
    expect(
      check(lines, denial, [0, 1], affirmed, danger({ id: 'b', items: [0], standing: 'denied' })),
    ).toBeNull()
  })
})

describe('a question without the usual words', () => {
  const lines = [
    'clinician: What do you hope for?',
    'client: Some mornings it would suit me to go out with the tide.',
    'clinician: Have you ever tried, before?',
    'client: No. Never had the time.',
    'clinician: Does your boy want you there?',
    'client: He sends me a thumb.',
  ].join('\n')
  const denial = 'Client denies any past suicide attempt when asked.'
  const tide = danger({
    element: 'unspecified',
    foundBy: 'encoder',
    items: [0, 1],
    words: 'go out with the tide',
  })

  it('is about what the reader found there', () => {
    const joined = danger({ foundBy: 'encoder', items: [2, 3], words: 'go out with the tide' })
    expect(check(lines, denial, [1, 2, 3], tide)).toBe('denial')
    expect(check(lines, denial, [1, 2, 3], tide, joined)).toBeNull()
  })

  it('is about what the encoder gives most to, and not about what it doubts', () => {
    const judge = (figure: number) => {
      const topics = [{}, {}, { risk_self: figure }, {}, {}, {}]
      const figures = packFigures({ topics, sentences: [] })
      return checkSentence({ text: denial, transcriptItems: [1, 2, 3] }, readTalk(talk(lines)), {
        ...readingOf(tide),
        figures,
      })
    }
    expect(judge(0.9)).toBeNull()
    expect(judge(0.2)?.reason).toBe('denial')
  })

  it('is not undone by a finding that an answer to another question decides', () => {
    const tried = danger({
      element: 'attempt',
      foundBy: 'encoder',
      items: [2, 3, 4, 5],
      words: 'He sends me a thumb.',
      questionItem: 4,
    })
    expect(check(lines, denial, [2, 3], tried)).toBeNull()
    expect(check(lines, denial, [2, 3], { ...tried, foundBy: 'words' })).toBe('denial')
    expect(check(lines, denial, [2, 3], { ...tried, words: 'Never had the time.' })).toBe('denial')
    expect(
      check(lines, denial, [2, 3], { ...tried, words: 'I took a bottle of pills and an overdose.' }),
    ).toBe('denial')
  })

  it('is no denial where the answer is not cited, or takes it back', () => {
    const joined = danger({ foundBy: 'encoder', items: [2, 3], words: 'go out with the tide' })
    expect(check(lines, denial, [1, 2], tide, joined)).toBe('denial')
    const once = lines.replace('Never had the time.', 'Well, once, on the pier.')
    expect(check(once, denial, [1, 2, 3], tide, joined)).toBe('denial')
  })

  it('"other thoughts" are denied beside those that were told, and only where others were asked for', () => {
    const talked = [
      'clinician: Have you thought about killing yourself?',
      'client: If it happened I would just end it.',
      'clinician: No other thoughts of it?',
      'client: Nah. I want to sleep.',
    ].join('\n')
    const told = danger({ items: [0, 1], words: 'I would just end it.', questionItem: 0 })
    const asked = danger({ element: 'plan', standing: 'denied', items: [2, 3], words: 'Nah.' })
    const items = [0, 2, 3]
    expect(check(talked, 'Client denies other thoughts of killing themself.', items, told, asked)).toBeNull()
    expect(check(talked, 'Client denies thoughts of killing themself.', items, told, asked)).toBe('denial')
    const plain = talked.replace('No other thoughts', 'No thoughts')
    expect(check(plain, 'Client denies other thoughts of killing themself.', items, told, asked)).toBe(
      'denial',
    )
  })

  it('is not undone by what the encoder makes of an answer that denies the very thing', () => {
    const feet = [
      'client: I hear her. She walks up and down over my head.',
      "clinician: Do you ever hear her voice, or other voices when there's nobody home?",
      "client: No. I'm not hearing voices. I hear feet.",
    ].join('\n')
    const voices = { matter: 'psychosis', element: 'voices', questionItem: 1 } as const
    const heard = danger({ ...voices, foundBy: 'encoder', items: [0, 1, 2], words: 'I hear feet.' })
    const written = 'Client denies hearing voices when asked.'
    expect(check(feet, written, [1, 2], heard)).toBeNull()
    expect(check(feet, written, [1, 2], { ...heard, foundBy: 'words' })).toBe('denial')
    const bare = feet.replace("I'm not hearing voices. ", '')
    expect(check(bare, written, [1, 2], heard)).toBe('denial')
    const some = feet.replace("I'm not hearing voices.", 'I hear voices in the wall.')
    expect(check(some, written, [1, 2], heard)).toBe('denial')
  })

  it('of what a voice has told denies no voice', () => {
    const bossy = [
      'clinician: Does she ever tell you to do things?',
      'client: The cameras. She said pull them, and then I did.',
      'clinician: Has she told you to hurt yourself, or hurt anybody?',
      "client: No. Nothing like that. She's just bossy.",
    ].join('\n')
    const told = { matter: 'psychosis', items: [0, 1, 2, 3], words: "She's just bossy." } as const
    const heard = danger({ ...told, id: 'v', element: 'voices', standing: 'affirmed' })
    const commands = danger({ ...told, id: 'c', element: 'commands', standing: 'denied' })
    const [self, voices] = ['has told them to hurt themselves', 'Client denies hearing the voice']
    expect(check(bossy, `Client denies that the voice ${self}.`, [2, 3], heard, commands)).toBeNull()
    expect(check(bossy, `${voices} that ${self}.`, [2, 3], heard, commands)).toBe('denial')
    const both = `Client denies hearing voices or that the voice ${self}.`
    expect(check(bossy, both, [2, 3], heard, commands)).toBe('denial')
  })

  it('how one would do it is a plan, and no thought', () => {
    const how = 'clinician: Have you thought how?\nclient: No. No.'
    const affirmed = danger({ items: [0, 1], words: 'It goes right by.' })
    const planless = danger({ id: 'p', element: 'plan', standing: 'denied', items: [0, 1], words: 'No.' })
    const method = 'Client denies having thought how they would kill themself when asked.'
    expect(check(how, method, [0, 1], affirmed, planless)).toBeNull()
    expect(check(how, 'Client denies thoughts of killing themself.', [0, 1], affirmed, planless)).toBe(
      'denial',
    )
  })
})

describe('the spelling of a quote', () => {
  const said = talk(`
    clinician: How is it?
    client: I don't know, it's like -- a weight on my chest. My co-worker said I'm a burn-out, and the 9-to-5 is killing me. Some nights I think, why bother. We're gonna see.
  `)
  const isRefused = (text: string): boolean =>
    checkSentence({ text, transcriptItems: [1] }, readTalk(said), readingOf())?.reason === 'quote'

  for (const quote of [
    '“I don’t know, it’s like a weight on my chest.”',
    "'I don't know, it's like a weight on my chest.'",
    '‘it’s like – a weight on my chest’',
    '«It’s like a weight on my chest»',
    '"It\'s like — a weight on my chest…"',
    '"…a weight on my chest. . . My coworker said I\'m a burnout"',
    '"the nine–to–five is killing me"',
    '"Some nights I think, ‘Why bother.’"',
  ])
    it(`${quote} is word for word`, () => {
      expect(isRefused(`Client states ${quote}.`)).toBe(false)
    })

  for (const quote of [
    '‘it’s like a stone on my chest’',
    "'it's like a stone on my chest'",
    '«a stone on my chest»',
    '"Some nights I thought, why bother"',
    '"We are going to see"',
    '"my coworkers said"',
  ])
    it(`${quote} is not`, () => {
      expect(isRefused(`Client states ${quote}.`)).toBe(true)
    })

  it.each([
    "Clinician named 'all or nothing thinking' and how to meet it.",
    'Client practiced ‘five four three two one’ twice.',
    "Clinician introduced the 'wheel of emotions' to client.",
  ])('the name of a technique is no quote: %s', (text) => {
    expect(isRefused(text)).toBe(false)
  })

  it.each([
    "Client felt 'a stone on my chest' at night.",
    'Client said ‘everything is going badly’ of work.',
    "Client answered, 'nothing helps any more'.",
  ])('what somebody said is one: %s', (text) => {
    expect(isRefused(text)).toBe(true)
  })

  it('an apostrophe opens no quote', () => {
    expect(isRefused("In the '90s the client's sisters' house and the kids' school were near.")).toBe(false)
    expect(isRefused("Client told 'em of the sisters' long visits.")).toBe(false)
  })
})

describe('a denial that a repair upholds', () => {
  const lines = [
    'client: The radio was on about me.',
    'clinician: Does it talk about you when it is off?',
    'client: No.',
    'clinician: And how is the boat?',
    'client: She floats. No leaks.',
  ].join('\n')
  const written = 'Client denies hearing voices when asked.'
  const voices = { matter: 'psychosis', element: 'voices', standing: 'affirmed' } as const
  const heard = danger({
    ...voices,
    foundBy: 'encoder',
    items: [0, 1, 2],
    words: 'The radio was on about me.',
  })
  const judge = (items: number[], isUpheld: boolean, finding = heard) =>
    checkSentence(
      { text: written, transcriptItems: items, isUpheld },
      readTalk(talk(lines)),
      readingOf(finding),
    )?.reason ?? null

  it('is refused where its question is in no words of the matter, whatever the answer', () => {
    expect(judge([1, 2], false)).toBe('denial')
    expect(judge([1, 2], true)).toBe('denial')
  })

  it('is refused where they are not, or where plain words among them say yes', () => {
    expect(judge([0], true)).toBe('denial')
    expect(judge([1], true)).toBe('denial')
    expect(judge([3, 4], true)).toBe('denial')
    expect(judge([0, 1, 2], true, { ...heard, foundBy: 'words' })).toBe('denial')
  })
})

describe('several denials in one sentence', () => {
  const lines = [
    'clinician: Any thoughts of killing yourself?',
    'client: No.',
    ...Array.from({ length: 5 }, () => 'client: Work is busy.'),
    'clinician: Or of hurting anyone else?',
    'client: No, never.',
    ...Array.from({ length: 5 }, () => 'client: The kids are fine.'),
    'clinician: Hearing voices, anything like that?',
    'client: Nope.',
  ].join('\n')
  const combined = 'Client denies suicidal ideation, homicidal ideation and hallucinations when asked.'
  const asked = [0, 1, 7, 8, 14, 15]
  const burned = danger({ matter: 'self_harm', element: 'act', items: [2], words: 'I burned my arm.' })
  const unnamed = danger({ element: 'unspecified', foundBy: 'encoder', items: [3] })

  it('are borne out each by its own question and answer', () => {
    expect(check(lines, combined, asked)).toBeNull()
    expect(check(lines, 'Client denies SI/HI/AVH.', asked)).toBeNull()
  })

  it('are not undone by a burn, or by what the reader could not name, beside the question', () => {
    expect(check(lines, combined, asked, burned, unnamed)).toBeNull()
    expect(findFault(lines, combined, asked, danger({ items: [2] }))?.part).toBe('suicidal')
  })

  it('are refused with the part that nobody asked about', () => {
    const short = lines.split('\n').slice(0, 9).join('\n')
    expect(findFault(short, combined, [0, 1, 7, 8])).toEqual({ reason: 'denial', part: 'hallucinations' })
    const self = 'clinician: Thoughts of hurting yourself?\nclient: No.'
    expect(findFault(self, 'Client denies suicidal ideation and homicidal ideation.')).toEqual({
      reason: 'denial',
      part: 'homicidal',
    })
  })

  it('a yes that stands in the sentence does not undo the no beside it', () => {
    const guns = 'clinician: Any guns at home?\nclient: No. My uncle has a shotgun.'
    const shotgun = danger({ element: 'means', items: [0, 1], words: 'My uncle has a shotgun.' })
    expect(check(guns, 'There is no gun at home; an uncle has a shotgun.', [0, 1], shotgun)).toBeNull()
    expect(check(guns, 'Client denies having a gun.', [0, 1], shotgun)).toBe('denial')
  })

  it('what comes behind "when they" is not denied', () => {
    const bridge = 'clinician: Thoughts of killing yourself?\nclient: Not since school, on the bridge.'
    expect(
      check(bridge, 'Client denies suicidal ideation, not since school, when they were on a bridge.'),
    ).toBeNull()
    expect(check('client: Work is fine.', 'Client denies, when asked, suicidal ideation.')).toBe('denial')
  })
})

describe('the words at fault', () => {
  it.each([
    ['I sleep four hours.', 'Client sleeps 5 hours a night.', 'number', '5 hours'],
    ['I take sertraline, fifty.', 'Client takes sertraline 100 mg.', 'dose', '100 mg'],
    [
      'Zoloft fifty and lithium nine hundred.',
      'Client takes lithium 50 mg at night.',
      'dose',
      'lithium 50 mg',
    ],
    ['I take sertraline.', 'Client takes Prozac at night.', 'medicine', 'Prozac'],
    ['I want to sleep.', 'Client wants "to sleep … all day".', 'quote', 'all day'],
    ['Any thoughts of suicide? No.', 'Suicidal ideation was not assessed.', 'not_asked', 'Suicidal'],
  ])('"%s" and "%s"', (spoken, written, reason, part) => {
    expect(findFault(`clinician: ${spoken}`, written)).toEqual({ reason, part })
  })
})

describe('not asked', () => {
  it('only where nothing was found', () => {
    const text = 'Suicide risk was not assessed.'
    expect(check('client: Work is fine.', text, [])).toBeNull()
    expect(check('client: Work is fine.', text, [], danger({ certainty: 'suspected' }))).toBe('not_asked')
    expect(check('clinician: Any thoughts of suicide?\nclient: No.', text, [])).toBe('not_asked')
    expect(check("client: My brother's suicide was in May.", text, [])).toBeNull()
    expect(check('client: I am allergic to nuts.', 'Allergies were not discussed.', [])).toBe('not_asked')
  })
})

describe('speakers', () => {
  it('wants an item, or one that it answers, by whom the sentence names', () => {
    const lines =
      'clinician: Sleep?\nclient: Bad.\nclinician: I see.\nclinician: Let us go on.\nclinician: Now.'
    expect(check(lines, 'Client reports bad sleep.', [0])).toBeNull()
    expect(check(lines, 'Client reports bad sleep.', [4])).toBe('speaker')
    expect(check('speaker_1: Bad.', 'Client reports bad sleep.', [0])).toBeNull()
    expect(check('client: Bad.', 'Clinician asked about sleep.', [0])).toBe('speaker')
  })
})

it('refuses nothing because a word was not said', () => {
  expect(
    check('client: I lie there staring at the ceiling.', 'Client describes initial insomnia.'),
  ).toBeNull()
})
