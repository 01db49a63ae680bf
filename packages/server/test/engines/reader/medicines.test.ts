import { describe, expect, it } from 'vitest'
import { findKind, readLines } from './talk.js'

const about = { medication: 0.8 }
const read = (lines: readonly string[]) =>
  findKind('medicine', lines, Object.fromEntries(lines.map((_, index) => [index, about])))
const doses = (...lines: string[]) => read(lines).map(({ name, dose }) => `${name} ${dose ?? '-'}`)

describe('names and doses', () => {
  it.each<[string[], string[]]>([
    [['C: I take sertraline fifty milligrams.'], ['sertraline 50 mg']],
    [['C: Zoloft 50 mg in the morning.'], ['sertraline 50 mg']],
    [
      ['T: The citalopram?', 'C: Religiously. And me thyroxine, seventy five micrograms, and that spray'],
      ['citalopram -', 'levothyroxine 75 mcg'],
    ],
    [['C: Prozac, twenty, every morning.'], ['fluoxetine 20']],
    [['C: I am on Lamictal, the two hundred.'], ['lamotrigine 200']],
    [['T: How is the escitalopram?', 'C: Ten. Every morning.'], ['escitalopram 10']],
    [['T: What dose of trazodone?', 'C: Fifty at night.'], ['trazodone 50']],
    [['C: quetiapine twenty-five at night'], ['quetiapine 25']],
    [['C: Clonazepam, 0.5 twice a day.'], ['clonazepam 0.5']],
    [['C: Lorazepam, half a milligram.'], ['lorazepam 0.5 mg']],
    [['C: Lorazepam point five, at bedtime.'], ['lorazepam 0.5']],
    [['C: Olanzapine, seven and a half.'], ['olanzapine 7.5']],
    [['T: We went from thirty to forty on the Vyvanse.'], ['lisdexamfetamine 30', 'lisdexamfetamine 40']],
    [['T: Sertraline goes from 50 to 100 milligrams.'], ['sertraline 50 mg', 'sertraline 100 mg']],
    [['C: It was Zoloft a hundred, no wait, seventy-five.'], ['sertraline 75']],
    [['T: Prazosin one milligram for a week, then two milligrams.'], ['prazosin 1 mg', 'prazosin 2 mg']],
    [['C: Levothyroxine, 75 micrograms.'], ['levothyroxine 75 mcg']],
    [['C: Lantus, 20 units at night.'], ['insulin glargine 20 units']],
    [['C: Lithium, nine hundred at night.'], ['lithium 900']],
    [['C: Venlafaxine, one fifty.'], ['venlafaxine 150']],
    [['C: I take half a tablet of the ten, the Lexapro.'], ['escitalopram 10']],
    [['C: Metoprolol. Fifty.'], ['metoprolol 50']],
    [["T: You're on nine hundred of lithium."], ['lithium 900']],
    [['T: How many of the gabapentin?', 'T: So six hundred of gabapentin?'], ['gabapentin 600']],
    [['C: Adderall. Like sixty, eighty a day.'], ['amphetamine salts 60', 'amphetamine salts 80']],
    [["C: I'm on that clozapine. Three fifty."], ['clozapine 350']],
    [["T: I'd like to go up on the prazosin, to three."], ['prazosin 3']],
    [['T: Risperidone. One, for a week, and then two.'], ['risperidone 1', 'risperidone 2']],
    [['C: Her Xanax. The little ones, point twenty-five.'], ['alprazolam 0.25']],
    [['C: Synthroid. Eighty-eight.'], ['levothyroxine 88']],
    [['C: Suboxone. Three of the eight films.'], ['buprenorphine-naloxone 8']],
    [['C: Lisinopril. She put me up to forty? No, twenty.'], ['lisinopril 20']],
    [['C: Metoprolol. And the thyroid pill. The fifty.'], ['metoprolol -']],
    [['C: I took one of her Ambiens. The five.'], ['zolpidem 5']],
    [['T: Have you still got the Narcan?', 'T: The four milligram spray.'], ['naloxone 4 mg']],
    [['T: Nortriptyline.', 'T: And the mood now, from one to ten?'], ['nortriptyline -']],
    [['C: They gave me Ritalin, I was about nine.'], ['methylphenidate -']],
    [['T: How old were you on the Ritalin?', 'C: Ten.'], ['methylphenidate -']],
    [['T: Sertraline. And your weight?', 'C: One fifty.'], ['sertraline -']],
    [['T: Your Depakote level was seventy-two.'], ['divalproex -']],
    [['C: The nicotine patch, the 21.'], ['nicotine 21']],
    [["C: The Concerta. I'm starving at like ten at night."], ['methylphenidate -']],
    [['C: Quetiapine. Fifty off every two weeks.'], ['quetiapine -']],
    [
      ['T: How is the Concerta?', ...Array.from({ length: 20 }, () => 'C: Fine.'), "T: Let's go up to 27."],
      ['methylphenidate 27'],
    ],
    [['T: Hydrocortisone, the one percent, twice a day.'], ['hydrocortisone 1 %']],
    [['T: One percent hydrocortisone on the neck.'], ['hydrocortisone 1 %']],
    [['T: Timolol drops you are putting, point five percent?'], ['timolol 0.5 %']],
    [['C: Since the sertraline I am fifty percent better.'], ['sertraline -']],
    [['C: Beclometasone, yes. Two puffs.'], ['beclomethasone 2 puffs']],
    [
      ['T: The budesonide, two hundred?', 'C: Two puffs, morning and evening.'],
      ['budesonide 200', 'budesonide 2 puffs'],
    ],
    [['T: Paracetamol, two point five mil, one time.'], ['paracetamol 2.5 mL']],
    [['C: Zopiclone, half a tablet.'], ['zopiclone 0.5 tablet']],
    [['T: The Malarone last time?', 'T: Same again, one tablet a day.'], ['atovaquone-proguanil 1 tablet']],
    [['C: Cetirizine, one a day.'], ['cetirizine 1']],
    [['C: I take Excedrin. Two, sometimes again two.'], ['excedrin 2']],
    [['C: I missed two tablets of the sertraline.'], ['sertraline -']],
    [['C: I have six tablets left of the sertraline.'], ['sertraline -']],
    [['T: How many units of Lantus?', 'C: Eighteen.'], ['insulin glargine 18 units']],
    [['T: Then paracetamol, a gram up to four times a day.'], ['paracetamol 1 g']],
    [["T: You're on metformin, the one gram twice a day?"], ['metformin 1 g']],
    [['C: Lorazepam. I have only the one milligram.'], ['lorazepam 1 mg']],
    [['C: Co-codamol.', 'T: The thirty five-hundreds.'], ['co-codamol 30/500']],
    [['C: Co-codamol 30/500.'], ['co-codamol 30/500']],
    [['T: Plain Tylenol, two five hundreds.'], ['acetaminophen 500']],
    [['T: Paracetamol, two tablets. The ordinary five hundreds.'], ['paracetamol 500']],
    [['T: Tylenol, the five hundreds, two at a time, not more than six a day.'], ['acetaminophen 500']],
    [['C: The gabapentin, six hundred three times a day.'], ['gabapentin 600']],
    [['T: And atorvastatin?', 'C: Forty, night time, without fail.'], ['atorvastatin 40']],
    [
      ["C: Escitalopram. Ten, I think, and it's going up to fifteen."],
      ['escitalopram 10', 'escitalopram 15'],
    ],
    [['T: We could go to five on the risperidone or even six.'], ['risperidone 5', 'risperidone 6']],
    [['C: Carvedilol. Six and a quarter, with food.'], ['carvedilol 6.25']],
    [
      ['C: Methadone, sixty mil.', 'T: Methadone up to sixty-five, just the five.'],
      ['methadone 60 mL', 'methadone 65'],
    ],
    [['T: You were on the fifty, the estradiol?'], ['estradiol 50']],
    [
      ['T: Instead of the naproxen, Tylenol, two of the five hundreds.', 'C: Five hundreds. Okay.'],
      ['naproxen -', 'acetaminophen 500'],
    ],
    [['C: Novorapid, six with breakfast, eight with dinner.'], ['insulin aspart 6', 'insulin aspart 8']],
    [['C: Ibuprofen. I take two every four hours.'], ['ibuprofen 2']],
    [['T: Valacyclovir 500 milligrams five times, so twenty-five hundred a day.'], ['valacyclovir 500 mg']],
    [['T: The beclometasone. Your best is five fifty.'], ['beclomethasone -']],
    [['T: Lantus, how many units is it?', 'C: Hm.', 'C: Roxy says hello.'], ['insulin glargine -']],
    [['C: Just aspirin and vitamin D.'], ['aspirin -', 'vitamin d -']],
    [['C: I get my sertraline at the pharmacy in 20 minutes.'], ['sertraline -']],
    [['C: I have been on Zoloft for 10 weeks.'], ['sertraline -']],
  ])('%j', (lines, expected) => {
    expect(doses(...lines).toSorted()).toEqual(expected.toSorted())
  })

  it('the same medicine said often is one finding, with its items', () => {
    const found = read([
      'T: Still taking the sertraline?',
      'C: Yes, sertraline, fifty.',
      'T: Good. The sertraline stays at fifty milligrams.',
    ])
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({ name: 'sertraline', dose: '50 mg', status: 'kept', items: [0, 1, 2] })
  })

  it('a name that was written otherwise is found in talk of medicines', () => {
    expect(doses('T: and the la mick tall', 'C: one hundred in the morning')).toEqual(['lamotrigine 100'])
  })

  it.each(
    'maternal seasonal prenatal clarinet crimson aspiring lattice sprinted florist parapet allergist unison ghosted decorate'.split(
      ' ',
    ),
  )('an ordinary word near a name is none: %s', (word) => {
    expect(doses(`C: I take the ${word} one every day.`)).toEqual([])
  })
  it('what is no medicine is none behind any door', () => {
    const lines = ['C: The Azores were lovely.', "C: I'm allergic to the lithium battery smell, I get hives."]
    expect(readLines(lines, { 0: { medication: 0.9, allergies: 0.9 } }).findings).toEqual([])
  })
  it('a battery and a sonata are none', () => {
    expect(doses('C: The lithium battery in my scooter died.')).toEqual([])
  })

  it.each([
    'C: The labetalol.',
    'C: I put Neosporin on it.',
    'C: Her Lortab.',
    'C: The Depo shot.',
    'C: Some Oramorph.',
    'T: A cortisone shot.',
    'C: The thyroxine.',
    'T: Your beclometasone.',
    'C: I had Septrin once.',
    'C: I take Rennies for it.',
    'C: The Betnovate.',
    'C: Some Dioralyte.',
    'T: Evorel, the patch.',
    'C: The Xalatan.',
    'C: My Priadel.',
    'C: A Dramamine on the boat.',
    "C: I take St John's wort.",
    'C: The Becotide.',
    'C: My Telma-H.',
    'C: The doxy.',
    'C: Some Junel.',
    'C: The Difene.',
  ])('%s is one', (line) => {
    expect(doses(line)).toHaveLength(1)
  })

  it('a vitamin among the tests of blood, and a pressure, are none', () => {
    expect(doses('T: Blood today: TSH, B12 and a urine.', 'T: One forty-eight over eighty-two.')).toEqual([])
  })

  it('what is only an allergy is no medicine', () => {
    expect(findKind('medicine', ['T: Any allergies?', 'C: Penicillin, I get hives.'])).toEqual([])
  })
})

describe('what becomes of it', () => {
  it.each<[string, string]>([
    ['C: I take Abilify every morning.', 'taken'],
    ['C: I stopped the Abilify two weeks ago.', 'stopped'],
    ['C: I was on Abilify years ago.', 'past'],
    ["C: I don't want to take Abilify.", 'declined'],
    ["T: Let's increase the Abilify to ten.", 'raised'],
    ["T: I'd like to lower the Abilify to five.", 'lowered'],
    ["T: We'll keep the Abilify where it is.", 'kept'],
    ["T: I'll start you on Abilify, two milligrams.", 'started'],
    ['T: We could think about Abilify.', 'considered'],
  ])('%s', (line, status) => {
    expect(read([line])[0]?.status).toBe(status)
  })

  it.each<[string[], string]>([
    [['T: And the Abilify, is it helping?', 'C: It makes me sick.', 'T: Then we stop that one.'], 'stopped'],
    [['T: Still taking the Abilify?', 'C: No.'], 'stopped'],
    [['C: Abilify. Five milligrams. I have given it up.'], 'stopped'],
    [['C: She wanted to. That Abilify. I told her no.'], 'declined'],
    [["T: There's one called Abilify.", 'C: No. Not that.'], 'declined'],
    [['T: Would you consider Abilify?', "C: Okay, let's try it."], 'started'],
    [['T: Have you ever been on anything before?', 'C: Abilify.'], 'past'],
    [['C: The ER gave me Abilify.'], 'past'],
    [['T: So, Abilify, five.'], 'taken'],
    [["T: I'm not raising the Abilify today."], 'kept'],
    [['C: I took the Abilify before I went up.'], 'past'],
  ])('%j', (lines, status) => {
    expect(read(lines)[0]?.status).toBe(status)
  })

  it.each<[string[], string[]]>([
    [["T: We'll stop the Abilify and continue the Zoloft."], ['aripiprazole stopped', 'sertraline kept']],
    [
      ['T: Amoxicillin, I will start that. Is he allergic to anything?', 'C: No, nothing.'],
      ['amoxicillin started'],
    ],
    [['T: We could try Abilify.', 'C: Is it strong?', 'T: A little.', 'C: Okay.'], ['aripiprazole started']],
    [["C: My mother's on Paxil."], ['paroxetine taken']],
  ])('%j', (lines, expected) => {
    expect(read(lines).map(({ name, status }) => `${name} ${status}`)).toEqual(expected)
  })

  it('what a clinician says is taken is not what is decided', () => {
    const [found] = findKind('medicine', ["T: You're on metoprolol, a hundred milligrams."], {
      0: { med_change: 0.8 },
    })
    expect(found?.status).toBe('taken')
  })

  it('what is kept is the dose that is taken, not the one before it', () => {
    const found = read([
      'C: I was on Abilify fifteen. Now I am on the thirty.',
      "T: Let's leave the Abilify where it is.",
    ])
    expect(found.map(({ dose, status }) => `${dose} ${status}`)).toEqual(['15 past', '30 kept'])
  })

  it('each of several in one sentence has its own use', () => {
    const found = read(['C: Fifty milligrams of Seroquel at night and ten of the Lexapro in the morning.'])
    expect(found.map(({ use }) => use)).toEqual(['at night', 'in the morning'])
  })

  it('a dose that is decided is compared with the one that is taken', () => {
    const found = findKind('medicine', ['C: I take losartan, fifty.', 'T: Losartan to a hundred.'], {
      1: { med_change: 0.8 },
    })
    expect(found.map(({ dose, status }) => `${dose} ${status}`)).toEqual(['50 taken', '100 raised'])
  })

  it('what the client and what another takes are two findings', () => {
    const found = read(['C: I take sertraline, fifty.', 'C: My daughter takes sertraline. A hundred.'])
    expect(found.map(({ dose, whose }) => `${dose} ${whose}`)).toEqual(['50 client', '100 other'])
  })

  it.each<[string, string]>([
    ['C: My mother takes Paxil.', 'other'],
    ["C: My brother's Adderall went missing.", 'other'],
    ['C: My mother told me I take too much Paxil.', 'client'],
    ['C: I take Paxil.', 'client'],
    ["C: There's her Paxil yet, in the fridge.", 'other'],
  ])('%s is of the %s', (line, whose) => {
    expect(read([line])[0]?.whose).toBe(whose)
  })

  it.each<[string, string | null]>([
    ['C: Trazodone at bedtime.', 'at bedtime'],
    ['C: Buspirone twice a day.', 'twice a day'],
    ['C: I have hydroxyzine as needed.', 'as needed'],
    ['C: I have hydroxyzine.', null],
  ])('%s is taken %s', (line, use) => {
    expect(read([line])[0]?.use ?? null).toBe(use)
  })
})

describe('whose a medicine is', () => {
  const whose = (...lines: string[]) => read(lines).map(({ name, whose: of }) => `${name} ${of}`)
  it.each<[string[], string[]]>([
    [['T: And what’s this one, this is Marie’s. Morphine, the liquid.'], ['morphine other']],
    [['T: This one, amlodipine ten, is Walter’s.'], ['amlodipine other']],
    [['C: I tell myself she is old, she bruises, she’s on that apixaban.'], ['apixaban other']],
    [['C: My friend Lorraine’s on Paxil.'], ['paroxetine other']],
    [['C: My sister is allergic to penicillin. I am not.'], ['penicillin other']],
    [['O: Me? Just my levothyroxine, eighty-eight.'], ['levothyroxine other']],
    [['O: I’m still on the Lexapro, ten.'], ['escitalopram other']],
    [['O: I give him five mils of ibuprofen at night.'], ['ibuprofen client']],
    [['T: That’s Tuesday’s. Sertraline, fifty?'], ['sertraline client']],
    [['C: That is my doctor’s idea. I take lithium.'], ['lithium client']],
    [['C: Biscuit has her Rimadyl, seventy-five milligrams, the vet said.'], ['rimadyl other']],
  ])('%j', (lines, expected) => {
    expect(whose(...lines)).toEqual(expected)
  })
  it('takes what it is for and its form for no medicine', () => {
    expect(whose('O: The solifenacin, for her waterworks, five milligrams.')).toEqual(['solifenacin client'])
    expect(whose('O: Melatonin, the gummies, five milligrams.')).toEqual(['melatonin client'])
  })
})
