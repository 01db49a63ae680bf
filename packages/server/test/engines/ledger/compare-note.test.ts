import { describe, expect, it } from 'vitest'
import { compareNote, withoutComparison } from '../../../src/engines/ledger/compare-note.js'
import { findDropped } from '../../../src/engines/ledger/find-dropped.js'
import type { Ledger } from '../../../src/engines/ledger/ledger.js'
import type { Finding } from '../../../src/engines/reader/reading.js'
import { section, talk } from '../checker/talk.js'
import { allergy, danger, decision, medicine, score } from './findings.js'

const compare = (findings: Finding[], sentences: string[], items = [0, 1], lines = 'client: Well.'): Ledger =>
  compareNote({
    sections: [section(...sentences.map((sentence) => ({ sentence, transcriptItems: items })))],
    findings,
    transcript: talk(lines),
  })

const stateOf = (finding: Finding, ...sentences: string[]): string =>
  compare([finding], sentences).entries[0]?.state ?? ''

describe('danger', () => {
  const affirmed = danger({ words: 'Some nights I think about killing myself.' })
  const denied = danger({ standing: 'denied', words: 'No.', questionItem: 0 })
  const rows: [finding: Finding, sentence: string, state: string][] = [
    [affirmed, 'Client reports suicidal ideation on some nights.', 'stated'],
    [affirmed, 'Client says "some nights I think about killing myself".', 'stated'],
    [affirmed, 'Client denies suicidal ideation.', 'contradicted'],
    [affirmed, 'Client sleeps badly on some nights.', 'not_written'],
    [affirmed, 'Client has a history of suicidal ideation in 2012.', 'contradicted'],
    [affirmed, 'Client attempted suicide.', 'contradicted'],
    [denied, 'Client denies suicidal ideation when asked.', 'stated'],
    [denied, 'Clinician (0:00): "Any thoughts of suicide?" Client (0:05): "No."', 'stated'],
    [denied, 'Client reports suicidal ideation.', 'contradicted'],
    [danger({ element: 'wish_to_be_dead' }), 'Client has a plan to end their life.', 'contradicted'],
    [danger({ element: 'wish_to_be_dead' }), 'Client endorses a passive wish not to wake up.', 'stated'],
    [danger({ element: 'plan', standing: 'denied' }), 'Client denies any plan or intent.', 'stated'],
    [danger({ time: 'past' }), 'Client reports past suicidal ideation at age 19.', 'stated'],
    [danger({ time: 'past' }), 'Client reports current suicidal ideation.', 'contradicted'],
    [danger({ time: 'past' }), 'Client denies current suicidal ideation.', 'not_written'],
    [danger({ whose: 'other', element: 'attempt' }), "Client's brother died by suicide.", 'stated'],
    [danger({ whose: 'other', element: 'attempt' }), 'Client attempted suicide.', 'contradicted'],
    [
      danger({ standing: 'unclear' }),
      'Asked about suicidal thoughts, client answered "who knows".',
      'stated',
    ],
    [danger({ standing: 'unclear' }), 'Client denies suicidal ideation.', 'not_written'],
    [danger({ element: 'means' }), 'Client has a handgun at home.', 'stated'],
    [affirmed, 'Client will call 988 if suicidal thoughts return.', 'not_written'],
    [affirmed, 'Client would tell their sister about thoughts of killing themself.', 'not_written'],
    [denied, 'Client will call 988 if suicidal thoughts return.', 'not_written'],
    [danger({ element: 'means' }), 'Client denies having a gun.', 'contradicted'],
    [danger({ matter: 'self_harm', element: 'act' }), 'Client cut their arm on Sunday.', 'stated'],
    [danger({ matter: 'self_harm', element: 'thoughts' }), 'Client had an urge to cut their arm.', 'stated'],
    [
      danger({ matter: 'psychosis', element: 'voices' }),
      'Client hears voices at night and denies commands.',
      'stated',
    ],
    [danger({ matter: 'harm_to_others' }), 'Client denies homicidal ideation.', 'contradicted'],
    [danger({ matter: 'abuse', element: 'violence' }), 'Partner choked client last week.', 'stated'],
    [danger({ certainty: 'suspected' }), 'Client denies suicidal ideation.', 'not_written'],
    // An extract's mark is what it says, not the words that it stands beside.
    [
      danger({ element: 'wish_to_be_dead', words: "I'd save them the bother if I slept on." }),
      'Suicidal thoughts: denied. Clinician asked: “Do you think of ending your life?” Client (6:12): “No.”',
      'contradicted',
    ],
    [
      affirmed,
      'Suicidal thoughts: affirmed. Client (0:05): “Some nights I think about killing myself.”',
      'stated',
    ],
  ]
  it('a quoted question does not tell what was answered', () => {
    const lines = 'clinician: Have you had thoughts of suicide?\nclient: Yes, I think about killing myself.'
    const finding = danger({ words: 'Yes, I think about killing myself.', items: [0, 1], questionItem: 0 })
    const entryOf = (sentence: string) => compare([finding], [sentence], [0, 1], lines).entries[0]
    expect(entryOf('“Have you had thoughts of suicide?”')?.state).toBe('not_written')
    expect(entryOf('“Yes, I think about killing myself.”')?.state).toBe('stated')
  })

  it.each(rows)('%o: %s is %s', (finding, sentence, state) => {
    expect(stateOf(finding, sentence)).toBe(state)
  })

  it('takes no refused sentence for a statement', () => {
    const sections = [
      section({
        sentence: 'Client reports suicidal ideation.',
        transcriptItems: [0],
        supported: false,
        judgement: 'refused',
      }),
    ]
    const { entries } = compareNote({ sections, findings: [affirmed], transcript: [] })
    expect(entries[0]?.state).toBe('not_written')
  })

  it('keeps a first denial and a later yes apart', () => {
    const first = danger({ id: 'first', standing: 'denied', items: [0, 1], words: 'No.' })
    const later = danger({ id: 'later', items: [30, 31], words: 'Yes, at night I think of suicide.' })
    const sections = [
      section(
        { sentence: 'Client first denied suicidal ideation when asked.', transcriptItems: [0, 1] },
        { sentence: 'Client later reported suicidal thoughts at night.', transcriptItems: [30, 31] },
      ),
    ]
    const { entries } = compareNote({ sections, findings: [first, later], transcript: [] })
    expect(entries.map(({ state }) => state)).toEqual(['stated', 'stated'])
  })
})

describe('danger in other words', () => {
  const preparation = danger({
    element: 'preparation',
    words: 'I give the dog to Dale. I wrote out where the shutoffs are, all the valves, who to call.',
  })
  const attemptDenied = danger({ element: 'attempt', standing: 'denied', time: 'past', words: 'No. Never.' })
  const jaw = danger({
    matter: 'harm_to_others',
    element: 'violence',
    time: 'past',
    words: "I broke a dude's jaw. I did sixty days.",
  })
  const choked = danger({
    matter: 'abuse',
    element: 'violence',
    words: 'He choked me and I passed out cold.',
  })
  const shotgun = danger({ element: 'means', words: "I had Dad's old shotgun." })
  const morphine = danger({ element: 'means', words: 'A bottle and a half of the morphine, in the door.' })
  const burns = danger({ element: 'unspecified', foundBy: 'encoder', words: 'Same place, inside of my arm.' })
  const rows: [finding: Finding, sentence: string, state: string][] = [
    [
      preparation,
      'Client gave the dog to a brother and wrote out the shutoffs, valves and who to call.',
      'stated',
    ],
    [preparation, 'Client did not give the dog away or write out the shutoffs and valves.', 'not_written'],
    [preparation, 'Client called Dale about the dog.', 'not_written'],
    [
      preparation,
      'Client thinks of giving the dog to Dale and of writing out shutoffs and valves.',
      'not_written',
    ],
    [preparation, 'Their brother gave the dog to Dale and wrote out the shutoffs and valves.', 'not_written'],
    [
      danger({ matter: 'self_harm', element: 'act', words: 'I burned my arm twice on Friday night.' }),
      'Client had an urge on Friday night to burn their arm.',
      'not_written',
    ],
    [choked, 'Client passed out cold.', 'not_written'],
    [choked, 'Client reports that the partner choked them and that they passed out cold.', 'stated'],
    [jaw, 'At nineteen client broke a man’s jaw and served 60 days.', 'stated'],
    [attemptDenied, 'Client denies ever having tried.', 'stated'],
    [attemptDenied, 'No history of suicide attempts.', 'stated'],
    [attemptDenied, 'Client reports suicidal ideation.', 'not_written'],
    [danger({ element: 'attempt', time: 'past' }), 'No history of suicide attempts.', 'contradicted'],
    [attemptDenied, 'Client took a whole bottle of Depakote in 2011; nothing like that since.', 'stated'],
    [attemptDenied, 'The overdose at sixteen was the only time.', 'stated'],
    [
      danger({ element: 'plan', standing: 'denied', words: 'No.' }),
      'Client denied having thought how.',
      'stated',
    ],
    [
      danger({ element: 'preparation', standing: 'denied', words: 'No.' }),
      'Client denied having a plan or anything put aside for it.',
      'stated',
    ],
    [
      danger({ standing: 'unclear', element: 'wish_to_be_dead', words: "Oh, that's just talk." }),
      'Client said that they would not run from a wave and called it "just talk."',
      'stated',
    ],
    [danger({ words: "It's just talk." }), 'Client called it "just talk."', 'not_written'],
    [
      danger({ matter: 'abuse', element: 'violence', standing: 'denied', words: "He's never hit me." }),
      'Asked about grabbing or pushing, the partner stated that he never hit client.',
      'stated',
    ],
    [shotgun, 'Guns were formerly at home; the son-in-law took a shotgun in July.', 'stated'],
    [morphine, 'Client denies guns at home.', 'not_written'],
    [
      danger({ element: 'means', words: "It's in the nightstand." }),
      'Client denies having a gun.',
      'contradicted',
    ],
    [danger(), 'Clinician asked about suicidal thoughts, method and past attempts.', 'not_written'],
    [danger(), 'Clinician asked about suicidal thoughts, and client denied them.', 'contradicted'],
    [burns, 'Before that, client had not burned themselves since July.', 'not_written'],
    [
      danger({ matter: 'self_harm', element: 'act', words: 'On my arm.' }),
      'Clinician noted no redness around the cuts.',
      'stated',
    ],
    [
      danger({ matter: 'psychosis', element: 'voices', words: 'I never knew he heard stuff.' }),
      'Client knew about the uncle’s death, not about the voices.',
      'not_written',
    ],
    [
      danger({ element: 'means', words: 'I gave the deer rifles to my grandson when I quit hunting.' }),
      'Asked about guns, client stated they gave the deer rifles to their grandson four years ago.',
      'stated',
    ],
    [
      danger({ matter: 'self_harm', element: 'means', words: "I can't not have a box cutter, it's the job" }),
      'Client reports having to have a box cutter at work.',
      'stated',
    ],
    [
      danger({ matter: 'self_harm', element: 'means', words: "I can't not have a box cutter, it's the job" }),
      'Client reports not having a box cutter at work.',
      'not_written',
    ],
    [
      danger({ matter: 'self_harm', element: 'means', words: "I can't not have a box cutter, it's the job" }),
      'Client reports having a job at a bakery.',
      'not_written',
    ],
    [
      danger({ element: 'means', words: "There's her nerve pills too, the lorazepam. And the morphine." }),
      "Client reports morphine in the icebox and the late wife's lorazepam in the house.",
      'stated',
    ],
    [
      danger({ element: 'means', words: "There's her nerve pills too, the lorazepam. And the morphine." }),
      "Client reports the late wife's lorazepam in the house.",
      'not_written',
    ],
    [
      danger({
        element: 'preparation',
        words: 'I give the dog to Dale. I wrote out where the shutoffs are.',
      }),
      'Client gave their dog away and wrote out the shutoffs, "so nobody has to hunt for it."',
      'stated',
    ],
    [
      danger({
        element: 'preparation',
        words: 'I give the dog to Dale. I wrote out where the shutoffs are.',
      }),
      'Of giving the dog away and writing out shutoffs client stated, "I didn\'t do that."',
      'not_written',
    ],
    [
      preparation,
      'Client "couldn\'t bring himself" to give the dog to Dale or write out the shutoffs and valves.',
      'not_written',
    ],
    [
      preparation,
      'Of giving the dog to Dale and writing out shutoffs and valves client said, "I couldn\'t bring myself."',
      'not_written',
    ],
    [
      preparation,
      'Client gave the dog to Dale and wrote out the shutoffs and valves "because nobody else can."',
      'stated',
    ],
    [
      danger({ element: 'intent', standing: 'denied', words: "No. It's not that", questionItem: 0 }),
      'Client denies wanting to die when cutting, when asked.',
      'stated',
    ],
    [
      danger({
        element: 'unspecified',
        matter: 'harm_to_others',
        standing: 'denied',
        words: 'Nah.',
        questionItem: 0,
      }),
      'Client denies that the whispering has ever been about their sister when asked.',
      'stated',
    ],
    [
      danger({ element: 'unspecified', matter: 'harm_to_others', words: 'Yeah.', questionItem: 0 }),
      'Client denies that the whispering has ever been about their sister when asked.',
      'not_written',
    ],
  ]
  it.each(rows)('%o: %s is %s', (finding, sentence, state) => {
    expect(stateOf(finding, sentence)).toBe(state)
  })

  it('a combined denial states each, also where it cites only one of the places', () => {
    const findings = [
      danger({ id: 's', standing: 'denied', items: [0, 1], words: 'No.' }),
      danger({ id: 'h', standing: 'denied', matter: 'harm_to_others', items: [20, 21], words: 'No.' }),
      danger({
        id: 'p',
        standing: 'denied',
        matter: 'psychosis',
        element: 'voices',
        items: [30],
        words: 'Nope.',
      }),
      danger({ id: 'x', standing: 'denied', element: 'attempt', items: [40], words: 'No.' }),
    ]
    const { entries } = compare(findings, ['Client denies SI/HI and AVH.'])
    expect(entries.map(({ state }) => state)).toEqual(['stated', 'stated', 'stated', 'not_written'])
  })

  it('far from its place a no states no other person, and a yes states nothing', () => {
    const far = { items: [20, 21], words: 'No.' }
    const sister = danger({ ...far, standing: 'denied', matter: 'harm_to_others' })
    expect(stateOf(sister, 'Client denies wanting to hurt the coworker.')).toBe('not_written')
    expect(stateOf(danger({ ...far, words: 'Yes.' }), 'Client reports suicidal ideation.')).toBe(
      'not_written',
    )
    const denied = danger({ ...far, standing: 'denied' })
    expect(stateOf(denied, 'Client reports suicidal ideation without a plan.')).not.toBe('stated')
  })

  it('a denial that cites a later yes, too, is a contradiction', () => {
    const first = danger({ id: 'first', standing: 'denied', items: [0, 1], words: 'No.' })
    const later = danger({ id: 'later', items: [2, 3], words: 'Well, yes.' })
    expect(
      compare([first, later], ['Client denies suicidal ideation.'], [0, 1, 2, 3]).entries.map(
        ({ state }) => state,
      ),
    ).toEqual(['stated', 'contradicted'])
  })
})

describe('a denial behind an "if"', () => {
  const affirmed = danger({ words: 'Yes, every day.', questionItem: 0 })
  const gun = danger({ element: 'means', words: 'Yes, in the closet.', questionItem: 0 })
  const rows: [finding: Finding, sentence: string, state: string][] = [
    [affirmed, 'When asked if they had thoughts of suicide, client denied.', 'contradicted'],
    [affirmed, 'Asked if any suicidal thoughts, denies.', 'contradicted'],
    [affirmed, 'Client was asked if suicidal thoughts had come back and answered no.', 'contradicted'],
    [affirmed, 'Knows she should call and denies suicidal thoughts.', 'contradicted'],
    [
      affirmed,
      'Client agreed to call the crisis line with their sister and denied suicidal thoughts.',
      'contradicted',
    ],
    [affirmed, 'Client does not know if mother will visit and denies suicidal ideation.', 'contradicted'],
    [
      affirmed,
      'Client will call 988 if suicidal thoughts return and denies suicidal ideation.',
      'contradicted',
    ],
    [affirmed, 'Client denies feeling that they should kill themself.', 'contradicted'],
    [gun, 'Asked if there is a gun in the home, client said no.', 'contradicted'],
    [gun, 'Asked whether there is a gun in the home, client replied that there is none.', 'contradicted'],
    [affirmed, 'Voices say that client should kill himself.', 'stated'],
    [affirmed, 'Client has nobody to call and no number at hand if suicidal thoughts return.', 'not_written'],
    [affirmed, 'Client should call 988 with any suicidal thoughts.', 'not_written'],
    [affirmed, 'Should suicidal thoughts return, client will call 988.', 'not_written'],
    [affirmed, 'Clinician wanted to know if client had suicidal thoughts.', 'not_written'],
    [gun, 'Clinician plans to ask next time whether there is a gun in the home.', 'not_written'],
    [gun, 'Asked whether there is a gun in the home, client said yes.', 'stated'],
    [affirmed, 'Asked if they would call if suicidal thoughts return, client said yes.', 'not_written'],
    [affirmed, 'Asked if they had suicidal thoughts, client said no one would miss them.', 'not_written'],
    [
      danger({ standing: 'unclear' }),
      'Asked if they had suicidal thoughts, client changed the subject.',
      'stated',
    ],
  ]
  it.each(rows)('%o: %s is %s', (finding, sentence, state) => {
    expect(stateOf(finding, sentence)).toBe(state)
  })
})

describe('a quote', () => {
  const stateIn = (said: string, words: string, sentence: string): string | undefined =>
    compare([danger({ items: [0], words })], [sentence], [0], `client: ${said}`).entries[0]?.state

  const elsewhere: [said: string, words: string, sentence: string][] = [
    [
      'My brother used to say I am going to kill myself. And lately I think the same, every night.',
      'And lately I think the same, every night.',
      'Client recalled that their brother would say "I am going to kill myself."',
    ],
    [
      'In 2009 I wanted to kill myself. It is back, every night now.',
      'It is back, every night now.',
      'In 2009, client "wanted to kill myself."',
    ],
    [
      'My sister asked are you going to kill yourself. I said I think about it daily.',
      'I said I think about it daily.',
      'Client recounted that their sister asked "are you going to kill yourself".',
    ],
    [
      'My uncle said he would kill himself. I am there now, too.',
      'I am there now, too.',
      'Client quoted the uncle: "he would kill himself."',
    ],
    [
      'As a kid I tried to think how to kill myself. These days it is each morning.',
      'These days it is each morning.',
      'As a kid client tried "to think how to kill myself."',
    ],
    [
      'They asked me do you want to kill yourself. Yes, that is so.',
      'Yes, that is so.',
      'Client was asked "do you want to kill yourself".',
    ],
  ]
  it.each(elsewhere)('of other words of "%s" states no danger of now', (said, words, sentence) => {
    expect(stateIn(said, words, sentence)).toBe('not_written')
  })

  it.each([
    'Client denied saying ‘I want to kill myself’.',
    "Client denied saying 'I want to kill myself'.",
    'Client denied saying «I want to kill myself».',
    'Client denied ever having told anyone in the family that "I want to kill myself."',
    'Client did not say "I want to kill myself."',
    'Client didn’t mean “I want to kill myself.”',
    'Client has never really thought "I want to kill myself."',
    'Client no longer says "I want to kill myself."',
    'Client retracted “I want to kill myself.”',
  ])('that is taken back states nothing: %s', (sentence) => {
    expect(stateIn('I want to kill myself.', 'I want to kill myself.', sentence)).not.toBe('stated')
  })

  it.each([
    'Client said ‘I want to kill myself’.',
    'Client did not sleep and said "I want to kill myself."',
    'Client cannot stop thinking “I want to kill myself.”',
    'Client denies pain but states "I want to kill myself."',
    'Client denies pain, stating "I want to kill myself."',
    'Client reports suicidal ideation and denies that it is "all day long."',
  ])('that is not taken back states it: %s', (sentence) => {
    expect(stateIn('I want to kill myself.', 'I want to kill myself.', sentence)).toBe('stated')
  })
})

describe('means', () => {
  const hoard = danger({ element: 'means', words: 'I have sixty amitriptyline put by in a drawer.' })
  const jar = danger({
    element: 'means',
    words: 'There is a jar of pills under the bed for when I am ready.',
  })
  const knife = danger({ matter: 'self_harm', element: 'means', words: 'I have a knife under my pillow.' })
  const gunHere = danger({ element: 'means', words: 'It is in the nightstand.' })
  const rope = danger({ element: 'means', words: 'I have a rope in the garage.' })
  const bottle = danger({ element: 'means', words: 'I have pills saved up in a bottle.' })
  const bought = danger({
    element: 'means',
    words: 'I gave up waiting and bought a gun, it is in the nightstand.',
  })
  const rows: [finding: Finding, sentence: string, state: string][] = [
    [hoard, 'Client has been taking amitriptyline for sleep.', 'not_written'],
    [hoard, 'Client has amitriptyline for sleep.', 'not_written'],
    [hoard, 'Client keeps amitriptyline in the cabinet and takes it at night.', 'not_written'],
    [hoard, 'Client is saving money and has amitriptyline in a drawer.', 'not_written'],
    [hoard, 'Client has saved up amitriptyline in a drawer.', 'stated'],
    [jar, 'Client takes pills in the morning with breakfast.', 'not_written'],
    [jar, 'Client has pills in the evening.', 'not_written'],
    [knife, "Client's brother keeps a knife in the kitchen.", 'not_written'],
    [knife, "Client reports the brother's knife in the kitchen.", 'not_written'],
    [gunHere, 'This means a lot to client.', 'not_written'],
    [gunHere, 'Client has access to lethal means at home.', 'stated'],
    [knife, 'Client has been afraid of a knife.', 'not_written'],
    [knife, 'Client used to keep a knife at home.', 'not_written'],
    [knife, 'Client cooks with a knife in the kitchen.', 'not_written'],
    [knife, 'Client keeps a knife under the pillow.', 'stated'],
    [rope, 'Clinician plans to ask next time whether there is a rope in the garage.', 'not_written'],
    [rope, 'Client considered keeping a rope in the garage.', 'not_written'],
    [rope, 'Client might have a rope in the garage.', 'not_written'],
    [rope, 'Client has a rope in the garage.', 'stated'],
    [bottle, 'If pills or a bottle are left at home, sister will remove them.', 'not_written'],
    [bottle, 'Client has saved up pills in a bottle.', 'stated'],
    [bought, 'Client previously owned a gun.', 'contradicted'],
    [
      danger({ element: 'means', words: 'I had to get a gun, it is at home.' }),
      'Client previously owned a gun.',
      'contradicted',
    ],
    [
      danger({ element: 'means', words: 'I had a gun in my hand last night.' }),
      'Client previously owned a gun.',
      'contradicted',
    ],
    [
      danger({ element: 'means', words: 'I sold the car for a gun.' }),
      'Client previously owned a gun.',
      'contradicted',
    ],
    [
      danger({ element: 'means', words: 'I had a gun and I still do.' }),
      'Client previously owned a gun.',
      'contradicted',
    ],
    [danger({ element: 'means', words: 'I sold my pistol.' }), 'Client previously owned a gun.', 'stated'],
    [
      danger({ element: 'means', words: 'I used to have a gun.' }),
      'Client previously owned a gun.',
      'stated',
    ],
  ]
  it.each(rows)('%o: %s is %s', (finding, sentence, state) => {
    expect(stateOf(finding, sentence)).toBe(state)
  })
})

describe('medicines', () => {
  const rows: [finding: Finding, sentence: string, state: string][] = [
    [medicine({ dose: '300' }), 'Client takes sertraline, two of the "three hundreds."', 'stated'],
    [medicine({ dose: '450' }), 'Zoloft, two of the "four-fifties" at bedtime.', 'stated'],
    [medicine({ dose: '50 mg' }), 'Client takes Zoloft, fifty milligrams.', 'stated'],
    [medicine(), 'Client takes sertraline.', 'stated'],
    [medicine({ dose: '50 mg' }), 'Client takes Zoloft 50 mg.', 'stated'],
    [medicine({ dose: '50 mg' }), 'Client takes Zoloft.', 'not_written'],
    [medicine({ dose: '50 mg' }), 'Client takes sertraline 100 mg.', 'contradicted'],
    [medicine({ dose: '20' }), 'Client takes sertraline, "twenty".', 'stated'],
    [medicine({ status: 'stopped' }), 'Client takes sertraline.', 'contradicted'],
    [medicine({ status: 'stopped' }), 'Client stopped sertraline in May.', 'stated'],
    [medicine({ name: 'quilfen', said: 'quilfen' }), 'Client takes Quilfen at night.', 'stated'],
    [medicine(), 'Client takes fluoxetine.', 'not_written'],
    [
      medicine({ name: 'zolpidem', said: 'Ambien', status: 'past' }),
      "Client reports taking one of their mother's Ambien, on one night only.",
      'stated',
    ],
    [medicine({ status: 'stopped' }), 'Client takes sertraline once a day.', 'contradicted'],
    [medicine({ status: 'stopped' }), 'Client takes sertraline 50 mg; unable to sleep.', 'contradicted'],
    [medicine({ status: 'stopped' }), 'Client takes sertraline and cannot concentrate.', 'contradicted'],
    [medicine({ status: 'stopped' }), 'Client takes sertraline and slept badly one night.', 'contradicted'],
    [
      medicine({ status: 'stopped' }),
      'Client takes sertraline and has cried twice since the last visit.',
      'contradicted',
    ],
    [medicine({ status: 'stopped' }), 'Client is unable to afford taking sertraline.', 'stated'],
    [medicine({ status: 'stopped' }), 'Client cannot tolerate taking sertraline.', 'stated'],
  ]
  it.each(rows)('%o: %s is %s', (finding, sentence, state) => {
    expect(stateOf(finding, sentence)).toBe(state)
  })

  it('does not call a dose false that was weighed in the talk', () => {
    const lines = 'clinician: The sertraline stays at fifty.\nclient: Okay.\nclinician: Or a hundred, later.'
    const { entries } = compare(
      [medicine({ dose: '50', items: [0] })],
      ['Raising sertraline to 100 mg was considered.'],
      [2],
      lines,
    )
    expect(entries[0]?.state).toBe('not_written')
  })
})

describe('allergies, scores, decisions', () => {
  const rows: [finding: Finding, sentence: string, state: string][] = [
    [allergy(), 'Client is allergic to penicillin, with hives.', 'stated'],
    [allergy(), 'No known drug allergies.', 'contradicted'],
    [allergy({ standing: 'denied', substance: '' }), 'No known drug allergies.', 'stated'],
    [allergy(), 'Client took penicillin once.', 'not_written'],
    [allergy({ standing: 'denied', substance: '' }), 'No history of drug allergies.', 'stated'],
    [
      allergy(),
      'Clinician asked: “You have no allergies?” Client (0:05): “Penicillin, I come out in hives.”',
      'stated',
    ],
    [
      allergy(),
      'Clinician asked: “You have no allergies?” Client (0:05): “Only to one, I think.”',
      'not_written',
    ],
    [allergy(), 'Clinician asked: “You have no allergies?” Client (0:05): “No.”', 'contradicted'],
    [
      allergy({ words: "No, that's wrong, I am allergic to penicillin." }),
      'Clinician (0:01): “No allergies.” Client (0:05): “No, that’s wrong, I am allergic to penicillin.”',
      'stated',
    ],
    [
      decision({ words: 'Tuesday the fourth at half past three.' }),
      'Next session is Tuesday at 3:30.',
      'stated',
    ],
    [score(), 'PHQ-9 score is 14.', 'stated'],
    [score(), 'PHQ-9 score is 18.', 'contradicted'],
    [score(), 'Client completed a questionnaire.', 'not_written'],
    [score({ name: 'blood pressure', value: '120/80' }), 'BP 120/80.', 'stated'],
    [decision({ words: 'See you Tuesday at four.' }), 'Next session is Tuesday at 4.', 'stated'],
    [
      decision({ standing: 'declined', about: 'referral', words: 'I do not want the group.' }),
      'Client declined the group.',
      'stated',
    ],
    [
      decision({ standing: 'declined', about: 'referral', words: 'I do not want the group.' }),
      'Client will attend the group.',
      'contradicted',
    ],
    [decision({ words: 'See you Tuesday.' }), 'Mood was low.', 'not_written'],
    [
      decision({ about: 'medicine', items: [9], words: 'So the Zoloft goes up to one hundred.' }),
      'Increase sertraline to 100 mg; it goes up tonight.',
      'stated',
    ],
    [
      decision({ items: [3], words: "I'd like to see you in two weeks." }),
      'Next visit is Monday at 3:30.',
      'stated',
    ],
    [
      decision({
        standing: 'declined',
        about: 'medicine',
        words: 'He wanted to give me another one, I said no.',
      }),
      'Client takes metoprolol 25 mg twice a day.',
      'not_written',
    ],
    [
      decision({ about: 'safety_step', words: "Could the lighter live somewhere that's not your pocket?" }),
      'Clinician asked to leave the lighter and, when client declined, asked for a place outside the pocket.',
      'not_written',
    ],
    [
      decision({ about: 'disposition', words: 'Would you come into the hospital?' }),
      'Client declined hospital admission.',
      'contradicted',
    ],
    [
      allergy({ substance: 'trimethoprim-sulfamethoxazole', reaction: null }),
      'Sulfa (Bactrim): hives on the chest.',
      'stated',
    ],
    [allergy({ standing: 'denied' }), 'Client denies a penicillin allergy when asked.', 'stated'],
    [allergy({ standing: 'denied' }), 'Client states penicillin is fine for them.', 'stated'],
    [allergy({ standing: 'denied' }), 'Client reports that work is going well.', 'not_written'],
    [allergy({ standing: 'denied' }), 'Client tolerates sertraline.', 'not_written'],
    [allergy({ standing: 'denied' }), 'Client states work is fine.', 'not_written'],
    [allergy({ standing: 'denied' }), 'Client denies a latex allergy when asked.', 'not_written'],
    [allergy({ standing: 'denied' }), 'Client tolerates penicillin.', 'stated'],
    [allergy({ standing: 'denied' }), 'No other intolerance is known.', 'stated'],
    [
      decision({ about: 'disposition', words: "I'm not going in no hospital." }),
      'Patient declined the crisis center and will stay home.',
      'stated',
    ],
    [
      decision({
        about: 'disposition',
        words: "I don't want to but okay, I will go to the hospital tonight.",
      }),
      'Client declined hospitalization.',
      'not_written',
    ],
    [
      decision({ about: 'disposition', words: "I'm not happy about it, but I'll go in to the hospital." }),
      'Client declined hospitalization.',
      'not_written',
    ],
    [
      decision({ about: 'disposition', words: "I can't believe it. Fine, I'll go to the hospital." }),
      'Client refused the hospital.',
      'not_written',
    ],
    [
      decision({ about: 'disposition', words: "I'm not proud of it. I'm going to the hospital." }),
      'Client refused the hospital.',
      'not_written',
    ],
    [
      decision({ about: 'disposition', words: "I won't go to the hospital." }),
      'Client refused the hospital.',
      'stated',
    ],
    [
      decision({ about: 'disposition', words: "I don't want no hospital." }),
      'Client refused the hospital.',
      'stated',
    ],
    [
      decision({ about: 'medicine', words: "I'll do it." }),
      'Sertraline twenty-five milligrams for one week; client agreed.',
      'stated',
    ],
    [
      decision({ about: 'homework', standing: 'proposed', words: "That's fine for these." }),
      'Clinician suggested sitting ten minutes with the dress.',
      'stated',
    ],
    [
      decision({ about: 'safety_step', standing: 'proposed', words: 'The office has a drop box.' }),
      'Clinician suggested sitting ten minutes with the dress.',
      'not_written',
    ],
  ]
  it.each(rows)('%o: %s is %s', (finding, sentence, state) => {
    expect(stateOf(finding, sentence)).toBe(state)
  })
})

it('under the heading Allergies a name is enough', () => {
  const shrimp = allergy({ substance: 'shrimp', reaction: null, items: [9] })
  const sections = [{ ...section('Shrimp: lip comes big.'), key: 'allergies' }]
  expect(compareNote({ sections, findings: [shrimp], transcript: [] }).entries[0]?.state).toBe('stated')
  expect(stateOf(shrimp, 'Client ate shrimp.')).toBe('not_written')
})

describe('the review list', () => {
  it('has danger first, in plain words, with its reason', () => {
    const { review } = compare(
      [
        decision({ id: 'd', words: 'See you Tuesday.' }),
        score({ id: 's' }),
        allergy({ id: 'al' }),
        medicine({ id: 'm', dose: '50 mg' }),
        danger({ id: 'x', certainty: 'suspected' }),
        danger({ id: 'y', standing: 'denied', questionItem: 0 }),
        danger({ id: 'z', standing: 'unclear', time: 'past' }),
      ],
      ['Mood was low.'],
    )
    expect(review.map(({ label, reason }) => [label, reason])).toEqual([
      ['Suicidal thoughts: denied when asked', 'not_written'],
      ['Suicidal thoughts: no clear answer, in the past', 'unclear_answer'],
      ['Suicidal thoughts: possibly spoken of', 'suspected'],
      ['Sertraline 50 mg', 'not_written'],
      ['Allergy to penicillin: hives', 'not_written'],
      ['PHQ-9: 14', 'not_written'],
      ['Next appointment', 'not_written'],
    ])
  })

  it('says no more of danger that the encoder alone found than its matter', () => {
    const { review } = compare(
      [danger({ foundBy: 'encoder', element: 'attempt', standing: 'affirmed' })],
      ['Mood was low.'],
    )
    expect(review).toMatchObject([{ label: 'Suicide: possibly spoken of', reason: 'not_written' }])
  })

  it('says that a medicine is taken or stopped only where the note says otherwise', () => {
    const stopped = medicine({ id: 'm', status: 'stopped' })
    const taken = medicine({ id: 'n', status: 'taken' })
    const listed = (findings: Parameters<typeof compare>[0], written: string) =>
      compare(findings, [written]).review.map(({ label, reason }) => [label, reason])
    expect(listed([stopped, taken, { ...taken, id: 'o' }], 'Mood was low.')).toEqual([
      ['Sertraline', 'not_written'],
      ['Sertraline', 'not_written'],
    ])
    expect(listed([stopped], 'Client takes sertraline.')).toEqual([['Sertraline: stopped', 'contradicted']])
  })

  it('lists a dose without a unit also where it is written', () => {
    const { review } = compare([medicine({ dose: '20' })], ['Client takes sertraline "20".'])
    expect(review.map(({ id, reason }) => [id, reason])).toEqual([['a-unit', 'no_unit']])
  })

  it('is bounded, and without a comparison holds everything', () => {
    const findings = Array.from({ length: 500 }, (_, index) =>
      medicine({ id: `m${index}`, name: `m${index}` }),
    )
    const { entries, review } = withoutComparison(findings)
    expect(review).toHaveLength(100)
    expect(entries.every(({ state }) => state === 'not_written')).toBe(true)
  })
})

describe('of danger', () => {
  const many = Array.from({ length: 500 }, (_, index) => danger({ id: `d${index}` }))

  it('nothing is cut off, whatever else there is', () => {
    const others = Array.from({ length: 1_900 }, (_, index) =>
      medicine({ id: `m${index}`, name: `m${index}` }),
    )
    const { review } = compare([...others, ...many], ['Client sleeps badly.'])
    expect(review.filter(({ kind }) => kind === 'danger')).toHaveLength(500)
  })

  it('an extract tells what it quotes, and nothing by its label or a word that both have', () => {
    const lines = 'clinician: Do you think of it at night?\nclient: It is more at night. I look at the vent.'
    const vent = danger({ items: [1], words: 'It is more at night. I look at the vent.' })
    const stateIn = (sentence: string, items: number[]) =>
      compare([vent], [sentence], items, lines).entries[0]?.state
    const other = 'Suicidal thoughts: affirmed. Client (9:10): “At night I think of killing myself.”'
    expect(stateIn(other, [0])).toBe('not_written')
    expect(stateIn('Client (0:05): “It is more at night. I look at the vent.”', [1])).toBe('stated')
    expect(stateIn('Client (0:05): “It is more at night.”', [1])).toBe('not_written')
  })

  it('what an extract leaves out of its stretch is listed once, with its words', () => {
    const lines = [
      'clinician: Any thoughts of suicide?',
      'client: No.',
      'clinician: If it ever comes back, you ring me or one one one, at any hour.',
      'client: Okay.',
    ].join('\n')
    const found = { items: [0, 1, 2, 3], words: 'No.', standing: 'denied', questionItem: 0 } as const
    const { review } = compare(
      [danger(found), danger({ ...found, id: 'b', element: 'plan' })],
      ['Clinician asked: “Any thoughts of suicide?” Client (0:05): “No.”'],
      [0, 1],
      lines,
    )
    expect(review).toMatchObject([
      {
        id: 'a-rest',
        label: 'Suicide: possibly spoken of',
        reason: 'suspected',
        words: 'If it ever comes back, you ring me or one one one, at any hour.',
        transcriptItems: [2],
      },
    ])
  })

  it('the same words are read once, whatever they are suspected of', () => {
    const fist = "He'd put his fist through things."
    const suspected = { certainty: 'suspected', element: 'unspecified', standing: 'unclear' } as const
    const { review } = compare(
      [
        danger({ ...suspected, id: 'a', matter: 'abuse', items: [0, 1], words: `Gary? … ${fist}` }),
        danger({ ...suspected, id: 'b', matter: 'harm_to_others', items: [1], words: fist }),
        danger({ ...suspected, id: 'c', matter: 'suicide', items: [1], words: fist }),
        danger({ ...suspected, id: 'd', matter: 'suicide', items: [2], words: 'He mows.' }),
        danger({ id: 'e', matter: 'suicide', items: [1], words: fist }),
      ],
      ['Client sleeps badly.'],
    )
    expect(review.map(({ id, label }) => [id, label])).toEqual([
      ['e', 'Suicidal thoughts: affirmed'],
      ['a', 'Abuse or neglect, Harm to others, Suicide: possibly spoken of'],
      ['d', 'Suicide: possibly spoken of'],
    ])
  })

  it('a "No." that an extract quotes is the one of its place', () => {
    const lines = 'clinician: Any thoughts of suicide?\nclient: No.\nclinician: And a plan?\nclient: No.'
    const plan = danger({ element: 'plan', standing: 'denied', items: [2, 3], words: 'No.', questionItem: 2 })
    const stateIn = (items: number[]) =>
      compare([plan], ['Clinician asked: “Any thoughts of suicide?” Client (0:05): “No.”'], items, lines)
        .entries[0]?.state
    expect([stateIn([0, 1]), stateIn([2, 3])]).toEqual(['not_written', 'stated'])
  })
})

describe('what an edit dropped', () => {
  it('names danger, medicines, allergies and disposition, and nothing else', () => {
    const findings = [
      danger({ id: 'gun', element: 'means' }),
      medicine({ id: 'med' }),
      score({ id: 'score' }),
      decision({ id: 'er', about: 'disposition', words: 'You go to the emergency room now.' }),
    ]
    const before = compare(findings, [
      'Client has a gun at home.',
      'Client takes sertraline.',
      'PHQ-9 is 14.',
      'Client goes to the emergency room.',
    ])
    const after = compare(findings, ['Client was well.'])
    expect(findDropped(before, after).map(({ finding }) => finding.id)).toEqual(['gun', 'med', 'er'])
    expect(findDropped(before, before)).toEqual([])
    expect(findDropped(before, { entries: [], review: [] })).toHaveLength(3)
  })
})
