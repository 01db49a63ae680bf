import { describe, expect, it } from 'vitest'
import { findKind } from './talk.js'

const about = { medication: 0.8 }
const doses = (...lines: string[]) =>
  findKind('medicine', lines, Object.fromEntries(lines.map((_, index) => [index, about]))).map(
    ({ name, dose }) => `${name} ${dose ?? '-'}`,
  )

describe('numbers as they are said', () => {
  it.each<[string[], string[]]>([
    [['C: Protopic, the nought point one.'], ['tacrolimus ointment 0.1']],
    [['C: Tretinoin, point oh two five, at night.'], ['tretinoin 0.025']],
    [['T: How often the Xanax?', 'C: Twice a week. The point two fives.'], ['alprazolam 0.25']],
    [['C: Madopar. The one-two-fives.'], ['carbidopa-levodopa 125']],
    [['T: The lithium. Two of the four-fifties.'], ['lithium 450']],
    [['C: Venlafaxine, a hundred and twelve point five.'], ['venlafaxine 112.5']],
    [['C: I had a Zimovane. Half a one.'], ['zopiclone 0.5 tablet']],
    [['T: Wysolone we reduce, from ten to seven point five.'], ['prednisolone 10', 'prednisolone 7.5']],
  ])('%j', (lines, expected) => {
    expect(doses(...lines).toSorted()).toEqual(expected.toSorted())
  })
})

describe('a dose beside another of the same medicine', () => {
  it.each<[string[], string[]]>([
    [
      ['T: Suboxone, eight milligrams.', 'T: We could do twelve in the morning and four at night.'],
      ['buprenorphine-naloxone 8 mg', 'buprenorphine-naloxone 12', 'buprenorphine-naloxone 4'],
    ],
    [
      ['T: And the trazodone, fifty?', 'C: He said cut it in half if I need it, twenty-five.'],
      ['trazodone 50', 'trazodone 25'],
    ],
    [
      [
        'T: Naltrexone, four and a half milligrams.',
        'T: Off the tramadol first, then start at one and a half.',
      ],
      ['naltrexone 4.5 mg', 'naltrexone 1.5', 'tramadol -'],
    ],
    [
      ['T: Your Ventolin, up to ten puffs.', "C: I've been having four."],
      ['albuterol 10 puffs', 'albuterol 4'],
    ],
    [['C: The Movicol. One sachet. Two if it is bad.'], ['macrogol 1 sachet', 'macrogol 2']],
    [['T: The salbutamol. How often?', 'C: Two puffs, three times a week.'], ['salbutamol 2 puffs']],
    [['C: The co-codamol. The wee one. Eight over five hundred.'], ['co-codamol 8/500']],
    [["T: You had five of ramipril, let's make it ten."], ['ramipril 5', 'ramipril 10']],
  ])('%j', (lines, expected) => {
    expect(doses(...lines).toSorted()).toEqual(expected.toSorted())
  })

  it('a range is no change', () => {
    const [low] = findKind('medicine', ['C: The propranolol, ten to twenty when I need it.'], { 0: about })
    expect(low).toMatchObject({ dose: '10', status: 'taken' })
  })
})

describe('pieces and units', () => {
  it.each<[string[], string[]]>([
    [['C: Paracetamol, one to two tablets.'], ['paracetamol 1 tablet', 'paracetamol 2 tablets']],
    [['C: The acetaminophen, the five hundreds, two tablets.'], ['acetaminophen 500']],
    [['O: They gave her ten puffs of salbutamol.'], ['salbutamol 10 puffs']],
    [
      ['C: Estrogel, one pump.', 'T: You could go to two pumps.'],
      ['estradiol 1 pump', 'estradiol 2 pumps'],
    ],
    [['T: Flovent, four puffs instead of two.'], ['fluticasone 2', 'fluticasone 4 puffs']],
    [['T: How are you on the Campral?', 'C: Not a drop since May.'], ['acamprosate -']],
    [['T: NovoMix.', 'T: Drop the evening one to fourteen units.'], ['insulin aspart 14 units']],
  ])('%j', (lines, expected) => {
    expect(doses(...lines).toSorted()).toEqual(expected.toSorted())
  })
})

describe('whose dose it is', () => {
  it.each<[string[], string[]]>([
    [["C: I'm on six hundred.", 'T: Of the Priadel, yes.'], ['lithium 600']],
    [
      ['C: Three milligrams weekdays, four at the weekend.', 'T: Of warfarin. Okay.'],
      ['warfarin 3 mg', 'warfarin 4'],
    ],
    [
      ['T: The Lantus?', 'C: Eight in the morning and ten at night.'],
      ['insulin glargine 10', 'insulin glargine 8'],
    ],
    [['T: Go up to ten at night on the Lantus.'], ['insulin glargine 10']],
    [
      ['T: Methotrexate?', 'C: Fifteen.', 'T: So twenty from this week.'],
      ['methotrexate 15', 'methotrexate 20'],
    ],
    [
      ['C: Clozapine, two fifty.', 'T: I could give you hyoscine for that. Three hundred micrograms.'],
      ['clozapine 250', 'hyoscine 300 mcg'],
    ],
    [['T: Cetirizine instead of the Piriton. Five mils.'], ['cetirizine 5 mL', 'chlorphenamine -']],
    [['T: How much Tylenol?', 'O: The infant one. Three point seven five.'], ['acetaminophen 3.75']],
    [['C: Prednisolone.', 'C: I count to five.'], ['prednisolone -']],
    [["T: I'd suggest ropinirole.", 'T: Your pulse was eight.'], ['ropinirole -']],
  ])('%j', (lines, expected) => {
    expect(doses(...lines).toSorted()).toEqual(expected.toSorted())
  })
})

describe('names that no list has, or that are written otherwise', () => {
  it.each<[string[], string[]]>([
    [['C: I take Zenflow, a hundred milligrams.', 'T: And the Zenflow helps?'], ['zenflow 100 mg']],
    [['T: I will put you on Zenflow.'], ['zenflow -']],
    [['C: They added bexapril.'], ['bexapril -']],
    [['C: The met form in, a thousand twice a day.'], ['metformin 1000']],
    [['C: My simvastaten, forty.'], ['simvastatin 40']],
    [['C: Since April I take nothing.'], []],
    [['T: Salbutamol, we say albuterol here, two puffs.'], ['salbutamol 2 puffs']],
    [['T: Your potassium was low.'], []],
    [['T: Are you on iron?'], ['iron -']],
  ])('%j', (lines, expected) => {
    expect(doses(...lines).toSorted()).toEqual(expected.toSorted())
  })
})

describe('what else is said of doses', () => {
  it.each<[string[], string[]]>([
    [
      ['T: Lisinopril, twenty.', 'C: It used to be ten, they bumped it up.'],
      ['lisinopril 10', 'lisinopril 20'],
    ],
    [['T: Klonopin. Stay at point seven five one more week.'], ['clonazepam 0.75']],
    [['O: I gave her Tylenol at, um, two thirty, five mils.'], ['acetaminophen 5 mL']],
    [["O: He's on the melatonin, two mil... two milligrams."], ['melatonin 2 mg']],
    [['C: Diazepam. Two tens.'], ['diazepam 10']],
    [['C: Lantus, twenty-two.', "T: I'd go up two units every three days."], ['insulin glargine 22']],
    [['O: Warfarin two milligrams, except Monday and Friday, three.'], ['warfarin 2 mg', 'warfarin 3']],
    [['T: So Trelegy. One inhalation a day.'], ['fluticasone-umeclidinium-vilanterol 1 inhalation']],
    [
      [
        'T: Sertraline, from fifty to a hundred.',
        'T: And the trazodone?',
        'C: I take half. Fifty is too much, so I do twenty-five.',
      ],
      ['sertraline 100', 'sertraline 50', 'trazodone 25', 'trazodone 50'],
    ],
    [
      ['C: Gliclazide, eighty.', "T: I'd halve it, so forty milligrams, and add in dapagliflozin."],
      ['dapagliflozin -', 'gliclazide 40 mg', 'gliclazide 80'],
    ],
    [['T: Colchiseen, five hundred micrograms.'], ['colchicine 500 mcg']],
    [['C: Lipitor.', 'T: And?', 'C: I felt ninety.'], ['atorvastatin -']],
    [['C: Metoprolol. Half of a fifty.'], ['metoprolol 25']],
    [["C: The Klonopin, I'm at a quarter of the point five."], ['clonazepam 0.125']],
    [['C: The clonidine, I still have some.', 'C: Point one.'], ['clonidine 0.1']],
    [['C: Clonidine for sweats, point one.'], ['clonidine 0.1']],
    [['T: Jardiance, the ten, not the twenty-five.'], ['empagliflozin 10']],
    [['C: Nurofen, two of them, every six hours.'], ['ibuprofen 2']],
    [['T: The venlafaxine, thirty-seven five.'], ['venlafaxine 37.5']],
    [['O: The Eliquis, that is the blood thinner, five milligrams.'], ['apixaban 5 mg']],
    [['T: And the sleeping pills, where are we with the Ambien?', "C: I'm on the ten."], ['zolpidem 10']],
    [['C: Calcium, five hundred, and a multivitamin.'], ['calcium 500', 'multivitamin -']],
    // A day's dose of several tablets is as it was said.
    [['C: I take Depakote, fifteen hundred at night.'], ['divalproex 1500']],
    [['C: I take Depakote, 1750 at night.'], ['divalproex 1750']],
    [['C: I take gabapentin 1800 a day.'], ['gabapentin 1800']],
    [['C: Eighteen hundred of gabapentin.'], ['gabapentin 1800']],
    [['C: I take gabapentin, 2400 a day.'], ['gabapentin 2400']],
    [['C: I take lithium 1350 at night.'], ['lithium 1350']],
    [['C: I take carbamazepine, 1200 a day.'], ['carbamazepine 1200']],
    [['C: I take metformin, 2500 a day.'], ['metformin 2500']],
    [['C: I take ibuprofen, 2400 a day.'], ['ibuprofen 2400']],
    [['C: Quetiapine, twelve hundred at night.'], ['quetiapine 1200']],
    [["C: I'm on Effexor, three seventy-five."], ['venlafaxine 375']],
    [["C: I'm on Effexor, 375 a day."], ['venlafaxine 375']],
    [['C: Venlafaxine, thirty-seven five.'], ['venlafaxine 37.5']],
    [['C: Tylenol, one six-fifty.'], ['acetaminophen 650']],
    [
      ['T: How much fluoxetine are you taking?', "C: It's up to forty and my weight is the same."],
      ['fluoxetine 40'],
    ],
    [
      ['T: How much fluoxetine are you taking?', "C: I'm on forty now, and I quit smoking."],
      ['fluoxetine 40'],
    ],
    [['T: How much fluoxetine are you taking?', 'C: Forty, my score was good.'], ['fluoxetine 40']],
    [['T: What dose is the Zoloft?', "C: A hundred, but I'm smoking again."], ['sertraline 100']],
    // Numbers of something else.
    [
      [
        'T: And the atorvastatin?',
        'C: What for?',
        'T: He had his at sixty, you have the pressure, you smoke a little.',
      ],
      ['atorvastatin -'],
    ],
    [['C: Fluoxetine.', 'T: And smoking?', "C: I'm still smoking twenty."], ['fluoxetine -']],
    [['T: How much fluoxetine are you taking?', 'C: I smoke twenty a day.'], ['fluoxetine -']],
    [['C: The olanzapine makes me hungry.', 'T: A hundred and eight point five.'], ['olanzapine -']],
    [['T: You had Haldol.', 'T: What about smoking, still twenty a day?', 'C: Ten.'], ['haloperidol -']],
    [['C: Ritalin.', 'T: His score came down from seventy-eight to forty.'], ['methylphenidate -']],
    [['C: Motrin.', 'T: They have a drop box.'], ['ibuprofen -']],
    [['C: Sertraline, a hundred.', 'C: Then at week fifty I went wobbly.'], ['sertraline 100']],
  ])('%j', (lines, expected) => {
    expect(doses(...lines).toSorted()).toEqual(expected.toSorted())
  })
})

describe('a number is a dose of the right medicine, or of none', () => {
  it.each<[string[], string[]]>([
    [
      ['C: Tylenol, six fifty.', 'T: And Depakote?', 'C: Depakote, ugh. Fifteen hundred a day.'],
      ['acetaminophen 650', 'divalproex 1500'],
    ],
    [
      [
        'C: Lisinopril twenty.',
        'T: Pantoprazole?',
        'C: The forty.',
        'T: Let’s go to twenty then, every day.',
      ],
      ['lisinopril 20', 'pantoprazole 40', 'pantoprazole 20'],
    ],
    [
      ['T: On the fluvoxamine, two hundred?', 'C: Yes.', 'T: I would like to push to two fifty.'],
      ['fluvoxamine 200', 'fluvoxamine 250'],
    ],
    [['C: I’m at seventy. Methadone.'], ['methadone 70']],
    [
      ['C: NovoRapid, six units for breakfast.', 'T: And lunch?', 'C: Lunch is eight and dinner’s like ten.'],
      ['insulin aspart 6 units', 'insulin aspart 8', 'insulin aspart 10'],
    ],
    [
      ['O: Epilim, five mils.', 'T: I’d go to six mils for a week and then seven and a half.'],
      ['sodium valproate 5 mL', 'sodium valproate 6 mL', 'sodium valproate 7.5 mL'],
    ],
    [['C: Roaccutane. Twenty mil. Twenty milligrams.'], ['isotretinoin 20 mg']],
    [['C: The Percocets, tens, three a day.'], ['oxycodone-acetaminophen 10']],
    [['T: And hydrocodone, ten three twenty-five.'], ['hydrocodone 10/325']],
    [
      ['T: Topamax, so fifty once.', 'C: And sumatriptan, a hundred. I break it, so fifty.'],
      ['topiramate 50', 'sumatriptan 100', 'sumatriptan 50'],
    ],
    [['C: I’m on the patch, twenty-one.'], ['nicotine 21']],
    [['C: Valium. I’ve got two left. Five milligrams.'], ['diazepam 5 mg']],
    // Blood pressure, an hour, a viral load, a number to call, cigarettes, a most.
    [['C: Vyvanse, fifty.', 'C: It was one twenty-eight on seventy.'], ['lisdexamfetamine 50']],
    [['C: Vyvanse, fifty. I’m wired at, like, ten in the morning.'], ['lisdexamfetamine 50']],
    [['T: Dolutegravir. Less than fifty.'], ['dolutegravir -']],
    [['T: With the sertraline, ring us, or 111.'], ['sertraline -']],
    [['T: Ramipril, ten.', 'C: I smoke. I’m back up to fifteen.'], ['ramipril 10']],
    [['T: Topamax fifty.', 'T: No more than two hundred in a day.'], ['topiramate 50']],
    // What nobody takes of it, turns behind its name.
    [
      ['C: My Lexapro, ten.', 'T: Right.', 'C: Yes.', 'T: I’d go the fourteen milligram.'],
      ['escitalopram 10'],
    ],
  ])('%j', (lines, expected) => {
    expect(doses(...lines).toSorted()).toEqual(expected.toSorted())
  })
})

describe('tablets by their strength', () => {
  it.each<[string[], string[]]>([
    [['C: The Dolo.', 'T: The six-fifty ones?'], ['paracetamol 650']],
    [['T: How many paracetamol?', 'C: Two, the five hundreds. Most days.'], ['paracetamol 500']],
    [["T: The Effexor's gone. Any of the one-fifties left at home?"], ['venlafaxine 150']],
    [
      ['T: The warfarin?', 'C: Binned. The two and a halfs and the fives.'],
      ['warfarin 2.5', 'warfarin 5'],
    ],
    [['T: And the Trelegy?', 'C: The hundred one.'], ['fluticasone-umeclidinium-vilanterol 100']],
    [['C: Temazepam. I have my ten. When I need it.'], ['temazepam 10']],
    [['T: The flecainide?', 'C: They gave me some there. 300, one go.'], ['flecainide 300']],
    [['T: Janumet, fifty over a thousand, twice a day.'], ['sitagliptin-metformin 50/1000']],
    // Bottles and days, not tablets.
    [['C: The prednisone, forty for five days, thirty for five.'], ['prednisone 40', 'prednisone 30']],
    [['C: The Norco, ten, one every six hours.'], ['hydrocodone-acetaminophen 10']],
  ])('%j', (lines, expected) => {
    expect(doses(...lines).toSorted()).toEqual(expected.toSorted())
  })
})

describe('what was taken before, and what may be', () => {
  it.each<[string[], string[]]>([
    [
      ["T: He's on Concerta, twenty-seven. He was eighteen before that."],
      ['methylphenidate 27', 'methylphenidate 18'],
    ],
    // An age is none.
    [["T: He's on Concerta, twenty-seven. He was eighteen in May."], ['methylphenidate 27']],
    [
      ['T: The Lantus?', 'C: Twenty-two. I was doing twenty, but the nurse called.'],
      ['insulin glargine 22', 'insulin glargine 20'],
    ],
    [
      ['T: Prazosin, five milligrams.', 'C: We started at one and walked it up. Two wasn’t touching it.'],
      ['prazosin 5 mg', 'prazosin 1', 'prazosin 2'],
    ],
    [
      ['T: Trintellix, ten.', "C: I don't want to go to twenty like the doctor wanted."],
      ['vortioxetine 10', 'vortioxetine 20'],
    ],
    [
      [
        "T: Folic acid five. And that was from a thousand to twelve-fifty, wasn't it, the lithium.",
        'T: So we go from twelve-fifty back to a thousand.',
        'C: I was thinking five hundred.',
      ],
      ['folic acid 5', 'lithium 1000', 'lithium 1250', 'lithium 500'],
    ],
    // The ten is over, the prednisone is not.
    [
      [
        'T: Folic acid five. And the prednisone?',
        "C: I'm at seven and a half. It was ten till last week.",
        "T: Let's do five for two weeks, then two and a half.",
      ],
      ['folic acid 5', 'prednisone 7.5', 'prednisone 10', 'prednisone 5', 'prednisone 2.5'],
    ],
    [
      ['T: Chlordiazepoxide. Day one is 30 milligrams. Day two, 25. Day four, 15.'],
      ['chlordiazepoxide 30 mg', 'chlordiazepoxide 25', 'chlordiazepoxide 15'],
    ],
    [
      ["T: Let's drop the lithium to six hundred. Any Advil?", 'C: Like six hundred milligrams.'],
      ['lithium 600', 'ibuprofen 600 mg'],
    ],
  ])('%j', (lines, expected) => {
    expect(doses(...lines).toSorted()).toEqual(expected.toSorted())
  })
})

describe('what is poured, rubbed in or counted in salts', () => {
  it.each<[string[], string[]]>([
    [
      ['T: The cefalexin. Three hundred and fifty, seven mil, twice a day.'],
      ['cephalexin 350', 'cephalexin 7 mL'],
    ],
    [
      ['T: The Keppra?', 'O: Three mils. So that is three hundred.'],
      ['levetiracetam 3 mL', 'levetiracetam 300'],
    ],
    [['T: The Piriton, how many mils?', 'O: Two and a half.'], ['chlorphenamine 2.5 mL']],
    [['O: The Tylenol at two thirty, five mils.'], ['acetaminophen 5 mL']],
    [['C: The one per cent cortisone.'], ['cortisone 1 %']],
    [['T: And potassium, ten milliequivalents.'], ['potassium 10 mEq']],
    [["C: Calcium 600. And the iron's sixty-five."], ['calcium 600', 'iron 65']],
    [['T: Potassium was four point one, calcium nine point eight.'], []],
    [['C: Gravol. Half a tab. Fifteen milligrams.'], ['dimenhydrinate 15 mg']],
    [['T: His EpiPen.', 'O: The point one five.'], ['epinephrine 0.15']],
    // A bottle of milk, turns behind the iron.
    [['T: Iron?', 'C: Yes.', 'T: Bleeding?', 'C: No.', 'T: Topping up?', 'C: Once. Sixty mils.'], ['iron -']],
  ])('%j', (lines, expected) => {
    expect(doses(...lines).toSorted()).toEqual(expected.toSorted())
  })
})

describe('a medicine by its form', () => {
  it.each<[string[], string[]]>([
    [
      ['T: Ten cigarettes now. The patch?', 'C: The twenty-one, yeah.', 'T: And the gum, the two milligram?'],
      ['nicotine 21', 'nicotine 2 mg'],
    ],
    [
      ['C: I smoke fifteen a day. Nicabate. Twenty-one.', 'T: The patch. At fifteen a day that is right.'],
      ['nicotine 21'],
    ],
    [['T: Is the patch of skin still red?', 'C: I had to quit chewing gum.'], []],
    [
      ['T: Fentanyl, the twelve.', 'T: I would put the patch up to twenty-five.'],
      ['fentanyl patch 12', 'fentanyl patch 25'],
    ],
    [
      [
        'T: Suboxone, eight. And Narcan at home?',
        'C: No.',
        'T: I will give you four milligrams, the nose spray.',
      ],
      ['buprenorphine-naloxone 8', 'naloxone 4 mg'],
    ],
    [['T: And the thyroid tablet, seventy-five micrograms?'], ['thyroid tablet 75 mcg']],
    [['C: The inhaler, two hundred.'], ['inhaler 200']],
    [['C: The brown inhaler I stopped.'], []],
  ])('%j', (lines, expected) => {
    expect(doses(...lines).toSorted()).toEqual(expected.toSorted())
  })
})
