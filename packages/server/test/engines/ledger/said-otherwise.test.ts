import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findGone } from '../../../src/engines/ledger/find-gone.js'
import { nameMatters } from '../../../src/engines/ledger/name-matters.js'
import { section } from '../checker/talk.js'
import { harmlessSentences } from './harmless-sentences.js'

type Placed = readonly [key: string, ...sentences: string[]]

const toSections = (placed: readonly Placed[]) =>
  placed.map(([key, ...sentences]) => ({
    ...section(...sentences.map((sentence) => ({ sentence, transcriptItems: [0] }))),
    key,
  }))

/** What is named as gone where nobody found anything in the session. */
const goneIn = (before: readonly Placed[], after: readonly Placed[]): string[] =>
  findGone({ before: toSections(before), after: toSections(after), findings: [], transcript: [] }).map(
    ({ kind }) => kind,
  )
const gone = (before: readonly string[], after: readonly string[]): string[] =>
  goneIn([['assessment', ...before]], [['assessment', ...after]])

describe('a change that says otherwise what no finding answers for is named', () => {
  it.each([
    ['Client denies suicidal ideation.', 'Client reports suicidal ideation.', 'danger'],
    ['Client reports suicidal ideation.', 'Client denies suicidal ideation.', 'danger'],
    ['Client denies suicidal ideation, plan and intent.', 'Client denies suicidal ideation.', 'danger'],
    [
      'Client denies suicidal ideation, plan and intent.',
      'Client denies suicidal ideation; has a plan and intent.',
      'danger',
    ],
    ['Client reports thoughts of killing themselves.', 'Client tried to kill themselves.', 'danger'],
    ['Client attempted suicide last year.', 'Client had thoughts of suicide last year.', 'danger'],
    ['Client attempted suicide at age 19.', 'Client attempted suicide.', 'danger'],
    ['Client reports suicidal thoughts.', 'Client has a history of suicidal thoughts.', 'danger'],
    ["Client's brother died by suicide.", 'Client attempted suicide.', 'danger'],
    ['Client reports suicidal thoughts.', "Client's brother reports suicidal thoughts.", 'danger'],
    [
      'Client reports suicidal ideation and denies homicidal ideation.',
      'Client reports suicidal and homicidal ideation.',
      'danger',
    ],
    ['Suicidal ideation was not asked.', 'Client denies suicidal ideation.', 'danger'],
    ['Client hears voices telling them to hurt others.', 'Client hears voices.', 'danger'],
    ['Client stockpiled pills and thinks of suicide.', 'Client thinks of suicide.', 'danger'],
    ["Client's brother owns a rifle.", 'Client owns a rifle.', 'weapon'],
    ['Client owns a rifle.', "Client's brother owns a rifle.", 'weapon'],
    ['Client has no firearms at home.', 'Client has firearms at home.', 'weapon'],
    ['Client is allergic to penicillin.', 'Client is not allergic to penicillin.', 'allergy'],
    ['No known drug allergies.', 'Drug allergies are known.', 'allergy'],
    [
      'Client was admitted to the psychiatric unit.',
      'Client declined to be admitted to the psychiatric unit.',
      'disposition',
    ],
    [
      'Client was admitted to the unit on Friday.',
      'Client was discharged from the unit on Friday.',
      'disposition',
    ],
  ])('%s → %s', (before, after, kind) => {
    expect(gone([before], [after])).toEqual([kind])
  })

  it.each([
    ['sertraline 50 mg daily', 'sertraline 500 mg daily'],
    ['sertraline 50 mg daily', 'sertraline 50 g daily'],
    ['sertraline 50 mg daily', 'sertraline daily'],
    ['levothyroxine 50 mcg daily', 'levothyroxine 50 mg daily'],
    ['lithium 300 mg twice a day', 'lithium 300 mg once a day'],
    ['methotrexate 10 mg weekly', 'methotrexate 10 mg daily'],
    ['lorazepam 1 mg as needed', 'lorazepam 1 mg'],
    ['10 units of insulin at night', '100 units of insulin at night'],
    ['two tablets of sertraline', 'one tablet of sertraline'],
  ])('of a medicine: takes %s → %s', (before, after) => {
    expect(gone([`Client takes ${before}.`], [`Client takes ${after}.`])).toEqual(['medicine'])
  })

  it.each([
    ['Client takes lithium.', 'Client does not take lithium.'],
    ['Client takes lithium.', 'Client stopped lithium.'],
    ['Lithium was stopped in May.', 'Lithium was started in May.'],
    ['Lithium was increased to 900 mg.', 'Lithium was decreased to 900 mg.'],
    ["Client's mother takes lithium.", 'Client takes lithium.'],
  ])('of a medicine: %s → %s', (before, after) => {
    expect(gone([before], [after])).toEqual(['medicine'])
  })

  it.each([
    'Client wants to die.',
    'Client cut her wrists on Friday.',
    'Client was raped in March.',
    'Client was strangled by her husband.',
    'Client denies hallucinations.',
    'Client threatened to stab his boss.',
    'Client keeps a revolver in the drawer.',
  ])('as is a danger for which the list had no word: %s', (sentence) => {
    expect(gone([sentence], ['Client had a hard month.'])).toHaveLength(1)
  })

  it('says that the note says otherwise now', () => {
    const [item] = findGone({
      before: toSections([['plan', 'Client denies suicidal ideation.']]),
      after: toSections([['plan', 'Client reports suicidal ideation.']]),
      findings: [],
      transcript: [],
    })
    expect(item).toMatchObject({ isContradicted: true, label: null })
  })

  it('names words that stand in another section, where they are of somebody else, of another time or of no allergy', () => {
    const move = (from: string, to: string, sentence: string) => goneIn([[from, sentence]], [[to, sentence]])
    expect(move('assessment', 'family_history', 'Suicidal ideation most nights.')).toEqual(['danger'])
    expect(move('family_psychiatric_history', 'assessment', 'Suicide attempt.')).toEqual(['danger'])
    expect(move('past_psychiatric_history', 'assessment', 'Two overdoses.')).toEqual(['danger'])
    expect(move('allergies', 'subjective', 'Penicillin: hives.')).toEqual(['allergy'])
    expect(move('allergies', 'subjective', 'Shrimp: lip swells.')).toEqual(['allergy'])
    expect(move('family_history', 'current_medications', 'Lithium 900 mg.')).toEqual(['medicine'])
    expect(move('assessment', 'plan', 'Suicidal ideation most nights.')).toEqual([])
  })
})

describe('a rewording that keeps everything is not named', () => {
  it.each<[string, string[], string[]]>([
    ['a denial', ['Client denies suicidal ideation, plan, or intent.'], ['No SI, plan or intent.']],
    [
      'thoughts, in other words',
      ['Client endorses nightly suicidal ideation without a plan.'],
      ['Every night the client thinks about killing themself; has no plan.'],
    ],
    ['two in one', ['Client denies SI.', 'Client denies HI.'], ['Client denies SI and HI.']],
    [
      'one in two',
      ['Client denies suicidal and homicidal ideation.'],
      ['Denies thoughts of suicide.', 'Denies thoughts of harming others.'],
    ],
    [
      'one in three',
      ['Client reports passive suicidal ideation, no intent, no plan; has no access to firearms.'],
      [
        'Passive SI is reported.',
        'There is no plan and no suicidal intent.',
        'Client has no access to guns.',
      ],
    ],
    ['a use', ['Client takes sertraline 50 mg every morning.'], ['Takes Zoloft 50 mg in the morning.']],
    [
      'two medicines',
      ['Client takes sertraline 50 mg daily and trazodone 100 mg at night for sleep.'],
      ['Sertraline 50 mg daily.', 'Trazodone 100 mg nightly, for sleep.'],
    ],
    ['Latin', ['Lithium 300 mg twice a day was continued.'], ['Continue lithium 300 mg BID.']],
    ['another unit', ['Levothyroxine 0.05 mg daily.'], ['Takes levothyroxine 50 mcg once a day.']],
    [
      'a raise',
      ['Sertraline was increased from 50 mg to 100 mg.'],
      ['Increase sertraline from 50 to 100 mg.'],
    ],
    ['an end', ['Lithium was stopped by her doctor in May.'], ['In May her doctor discontinued lithium.']],
    [
      'an allergy',
      ['Client is allergic to penicillin, which causes hives.'],
      ['Allergy: penicillin (hives).'],
    ],
    ['no allergy', ['No known drug allergies.'], ['Denies drug allergies.']],
    ['no weapon', ['Client has no firearms at home.'], ['Denies having firearms at home.']],
    [
      "another's",
      ["Client's brother died by suicide in 2019."],
      ['Family: brother, death by suicide in 2019.'],
    ],
    [
      'the past',
      ['Client attempted suicide by overdose at age 19.'],
      ['At age 19, client overdosed in a suicide attempt.'],
    ],
    [
      'what is supposed',
      ['Client agreed to call 988 if suicidal thoughts return.'],
      ['If suicidal thoughts return, client will call 988, as agreed.'],
    ],
    [
      'abuse',
      ['Client was hit by her husband and is afraid of him; abuse was reported to APS.'],
      ['Husband hit client, who is afraid of him.', 'The abuse was reported to APS.'],
    ],
  ])('%s', (_, before, after) => {
    expect(gone(before, after)).toEqual([])
  })
})

describe('any danger and any medicine', () => {
  const dangers = [
    'suicidal ideation',
    'homicidal ideation',
    'self-harm',
    'hallucinations',
    'access to a rifle',
  ]
  const persons = ['Client', "Client's brother"]
  const tells = ['reports', 'denies']
  const times = ['', ' in the past']
  const all = dangers.flatMap((danger) =>
    persons.flatMap((person) =>
      tells.flatMap((tell) => times.map((time) => `${person} ${tell} ${danger}${time}.`)),
    ),
  )
  const beside = fc.shuffledSubarray(['Client walks daily.', 'Work goes well.', 'Sleep is fair.'])

  it('is named where it is said otherwise in any respect, and not where it stands as it stood', () => {
    const rest = 'Client walks daily.'
    const unnamed = all.flatMap((one) =>
      all
        .filter((other) => (gone([one, rest], [rest, other]).length === 0) !== (one === other))
        .map((other) => `${one} → ${other}`),
    )
    expect(unnamed).toEqual([])
  })

  it('is named where its dose or its use is another one', () => {
    const medicine = fc.record({
      name: fc.constantFrom('sertraline', 'lithium', 'quetiapine'),
      dose: fc.constantFrom('5 mg', '50 mg', '500 mg', '50 mcg', '5 g'),
      use: fc.constantFrom('once a day', 'twice a day', 'three times a day', 'weekly'),
    })
    const tell = ({ name, dose, use }: { name: string; dose: string; use: string }) =>
      `Client takes ${name} ${dose} ${use}.`
    fc.assert(
      fc.property(medicine, medicine, beside, (one, other, rest) => {
        const isSame = tell(one) === tell(other)
        const told = gone([tell(one), ...rest], [...rest, tell(other)])
        return isSame ? told.length === 0 : told.includes('medicine')
      }),
      { numRuns: 150 },
    )
  })
})

/** Of these 200 sentences 61 were taken for such matters before figures of speech were left out. */
const flaggedMax = 8

it('few harmless sentences are taken for danger, a medicine, an allergy or a disposition', () => {
  expect(harmlessSentences).toHaveLength(200)
  expect(harmlessSentences.filter((one) => nameMatters(one).length > 0).length).toBeLessThanOrEqual(
    flaggedMax,
  )
})

it.each([
  'Client thinks of killing time, and of killing himself.',
  'Client reports HI to the neighbors.',
  'Client was cut with a knife by her partner.',
  'Client sleeps with pills under the gun.',
  'Client overdosed on sugar pills and oxycodone.',
  'Client considers suicide for the sake of their family business.',
  'Client admitted that he keeps a rifle.',
  'Client takes her own medicine and no other.',
  'Client hears familiar voices when alone.',
  'Client would jump the gun safe and take the pistol.',
])('what is left beside a figure of speech counts: %s', (sentence) => {
  expect(nameMatters(sentence)).not.toEqual([])
})
