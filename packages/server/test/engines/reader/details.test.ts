import { describe, expect, it } from 'vitest'
import { findKind } from './talk.js'

describe('allergies', () => {
  const read = (...lines: string[]) =>
    findKind('allergy', lines).map(({ substance, reaction, standing }) => [substance, reaction, standing])
  it.each<[string[], unknown[]]>([
    [['T: Any allergies?', 'C: Penicillin. I get hives.'], [['penicillin', 'hives', 'affirmed']]],
    [['T: Any allergies?', 'C: No, none.'], [['any', null, 'denied']]],
    [
      ["C: I'm allergic to shellfish and latex."],
      [
        ['shellfish', null, 'affirmed'],
        ['latex', null, 'affirmed'],
      ],
    ],
    [
      ['T: Allergic to any medicines?', 'C: Sulfa, my face swells.'],
      [['sulfa', 'my face swells', 'affirmed']],
    ],
    [
      ['T: Medical problems, allergies?', "C: Thyroid. I take levothyroxine. I'm allergic to codeine."],
      [['codeine', null, 'affirmed']],
    ],
    [['T: Any allergies?', "C: I don't know."], [['any', null, 'unclear']]],
    [['T: Any allergies?', 'C: Not that we know of.'], [['any', null, 'denied']]],
    [['T: No allergies', 'C: never'], [['any', null, 'denied']]],
    [["T: You've no allergies?", 'C: Penicillin, I get hives.'], [['penicillin', 'hives', 'affirmed']]],
    [["T: You've no allergies.", 'C: Penicillin, I get hives.'], [['penicillin', 'hives', 'affirmed']]],
    [
      ['T: No known allergies on here.', "C: No, that's wrong, I'm allergic to latex."],
      [['latex', null, 'affirmed']],
    ],
    [["T: You've no allergies.", 'C: Just my knee today.'], [['any', null, 'denied']]],
    [
      ['T: Any allergies?', 'C: Sulfa, hives.', 'T: Penicillin okay?', "C: Yeah, penicillin's fine."],
      [
        ['sulfa', 'hives', 'affirmed'],
        ['penicillin', null, 'denied'],
      ],
    ],
    [
      ['T: No codeine. Is that an allergy?', 'C: I had a rash on my neck.'],
      [['codeine', 'a rash', 'affirmed']],
    ],
    [['T: Lamotrigine. No. You had the rash.'], [['lamotrigine', 'rash', 'affirmed']]],
    [['T: Lamotrigine can give you a rash.'], []],
    [['T: Any allergies?', 'C: Shrimp, she says, but she eats it.'], [['shrimp', null, 'unclear']]],
    [['T: Any allergies?', 'C: Yellow jackets, I swell up.'], [['yellow jackets', 'swell up', 'affirmed']]],
    [['C: I had eggs and milk for breakfast.'], []],
    // What a chart has is confirmed, corrected or outgrown.
    [
      ["T: Any allergies, I've got penicillin down here.", 'C: Aye, when I were a lad.'],
      [['penicillin', null, 'affirmed']],
    ],
    [
      ['T: Any allergies, it says here Ceclor?', "C: When I was a kid. Joints blew up, I couldn't walk."],
      [['cefaclor', 'blew up', 'affirmed']],
    ],
    [
      ["T: And allergies? I've got metronidazole.", "C: That's not an allergy, I had wine on it."],
      [['metronidazole', null, 'denied']],
    ],
    [
      ["C: So I'm not allergic to ibuprofen?", "T: You're not. We take it off."],
      [['ibuprofen', null, 'denied']],
    ],
    [
      [
        'T: Any allergies, either of you?',
        'O: Sulfa, hives.',
        "C: I've got none. Well, egg as a kid, I outgrew it.",
      ],
      [
        ['sulfa', 'hives', 'affirmed'],
        ['egg', null, 'denied'],
      ],
    ],
    // Behind a no only what is made an exception.
    [['T: Any allergies?', 'O: Nope, none. He got stung by a wasp, just a lump.'], [['any', null, 'denied']]],
    [
      ['T: Any allergies?', 'C: Nah. Oh, trimethoprim, I blew up, my lips.'],
      [['trimethoprim', 'blew up', 'affirmed']],
    ],
    // What no list has, and what nobody calls an allergy.
    [['T: Any allergy?', 'C: Zolotrex. My white cells went down.'], [['zolotrex', null, 'affirmed']]],
    [
      ['T: What are you on?', "O: She's on Claritin. Amoxicillin gave her hives when she was two."],
      [['amoxicillin', 'hives', 'affirmed']],
    ],
    [
      ["C: Oh, and I can't have Voltaren. The injection. My whole face.", 'T: Swelled?'],
      [['diclofenac', 'swelled', 'affirmed']],
    ],
    [['T: Anything you react to?', 'C: Not that I know of.'], [['any', null, 'denied']]],
    [["C: I can't take ibuprofen with my kidneys."], []],
    [['T: How did you react to the news?', 'C: No idea.'], []],
  ])('%j', (lines, expected) => {
    expect(read(...lines)).toEqual(expected)
  })

  const asked = 'T: Any drug allergies?'
  // What stands behind a no, a "but" or beside a second question takes no allergy away.
  it.each<[string[], string]>([
    [[asked, 'C: No. Penicillin, I think.'], 'penicillin unclear'],
    [[asked, 'C: No, penicillin, I think.'], 'penicillin unclear'],
    [[asked, 'C: No. Penicillin.'], 'penicillin unclear'],
    [[asked, 'C: Nope. Maybe sulfa?'], 'sulfa unclear'],
    [[asked, 'C: Nothing. Penicillin as a kid, they said.'], 'penicillin unclear'],
    [[asked, 'C: No, just penicillin.'], 'penicillin affirmed'],
    [[asked, 'C: No allergies except penicillin.'], 'penicillin affirmed'],
    [[asked, 'C: No allergies, only codeine.'], 'codeine affirmed'],
    [[asked, 'C: None apart from latex.'], 'latex affirmed'],
    [[asked, "C: I'm not allergic to anything but amoxicillin."], 'amoxicillin affirmed'],
    [["C: I'm allergic to penicillin, but I'm okay."], 'penicillin affirmed'],
    [["C: I'm allergic to penicillin but I'm fine today."], 'penicillin affirmed'],
    [["C: I'm okay, I'm allergic to penicillin though."], 'penicillin affirmed'],
    [['T: So a penicillin allergy, no other allergies.'], 'penicillin affirmed'],
    [["C: I'm allergic to penicillin but ibuprofen's fine."], 'penicillin affirmed, ibuprofen denied'],
    [["C: I'm allergic to codeine, not to morphine."], 'codeine affirmed, morphine denied'],
    [["C: They say I'm allergic to penicillin, but I've had it ten times since."], 'penicillin unclear'],
    [["C: My mom says I'm allergic to penicillin."], 'penicillin affirmed'],
    [[asked, 'C: Penicillin. But I feel okay.'], 'penicillin affirmed'],
    [['T: Any allergies? Still on the lisinopril?', "C: Yes. And I'm allergic to sulfa."], 'sulfa affirmed'],
    [['T: Any allergies? Anything at all?', 'C: No.'], 'any denied'],
    [['T: Any allergies? Food, medicines?', 'C: Eggs.'], 'eggs affirmed'],
    [[asked, "C: I couldn't take the Zoloft."], 'sertraline unclear'],
    [
      ["O: And she's allergic to peanuts, does that matter?", 'T: No problem with Concerta.'],
      'peanuts affirmed',
    ],
    [
      [asked, 'C: Bactrim. I broke out in hives and they gave me Benadryl.'],
      'trimethoprim-sulfamethoxazole affirmed',
    ],
    // A supposition, a "fine" and a "never gave" that deny nothing.
    [[asked, 'C: If I take amoxicillin I come out in hives.'], 'amoxicillin affirmed'],
    [[asked, 'C: My throat closes up if I eat shrimp.'], 'shrimp affirmed'],
    [[asked, 'C: Just codeine if I take too much of it I swell up.'], 'codeine affirmed'],
    [[asked, "C: I'm allergic to bees if you need to know."], 'bees affirmed'],
    [[asked, 'C: Latex, if you are wearing gloves.'], 'latex affirmed'],
    [[asked, 'C: If she has peanuts her lips swell.'], 'peanuts affirmed'],
    [[asked, "C: They always ask if I'm allergic to penicillin."], 'penicillin unclear'],
    [[asked, "C: I don't know if I was allergic to penicillin."], 'penicillin unclear'],
    [[asked, "C: Don't give me penicillin."], 'penicillin affirmed'],
    [[asked, 'C: I was fine until the codeine and then I came out in hives.'], 'codeine affirmed'],
    [
      [asked, 'C: Everything was fine till they gave me Bactrim and my face swelled.'],
      'trimethoprim-sulfamethoxazole affirmed',
    ],
    [[asked, 'C: They never gave me penicillin again.'], 'penicillin affirmed'],
    [[asked, 'C: No, I never took Bactrim again.'], 'trimethoprim-sulfamethoxazole unclear'],
    [[asked, "C: Don't bother with codeine, I swell up."], 'codeine affirmed'],
    [[asked, 'C: Codeine was fine, then my lips swelled.'], 'codeine unclear'],
    [[asked, 'C: Penicillin, I was okay, but the second time I got hives.'], 'penicillin affirmed'],
    [
      [
        asked,
        'C: Sulfa.',
        'T: Penicillin okay?',
        "C: I was fine the first time and then I couldn't breathe.",
      ],
      'sulfa affirmed, penicillin affirmed',
    ],
    [
      [asked, 'C: Sulfa.', 'T: Penicillin okay?', 'C: No, I get hives.'],
      'sulfa affirmed, penicillin affirmed',
    ],
    [
      [
        asked,
        'C: Latex.',
        'T: What about sulfa, penicillin?',
        'C: Not penicillin. The Bactrim. My skin peeled.',
      ],
      'latex affirmed, penicillin denied, trimethoprim-sulfamethoxazole affirmed',
    ],
    [['T: Are you allergic to penicillin?', 'C: It was fine until my throat closed.'], 'penicillin affirmed'],
    // What is given against allergies, another who is named beside, and what sets off more than a bad stomach.
    [[asked, 'C: I broke out in hives on the prednisone.'], 'prednisone affirmed'],
    [[asked, 'C: I get hives from Zyrtec.'], 'cetirizine affirmed'],
    [[asked, 'C: Benadryl, I get hives.'], 'diphenhydramine affirmed'],
    [[asked, 'C: Just prednisone.'], 'prednisone affirmed'],
    [[asked, 'C: Amoxicillin put me in the hospital for hives.'], 'amoxicillin affirmed'],
    [[asked, 'C: They gave me Keflex for a rash and my face swelled.'], 'cephalexin affirmed'],
    [[asked, "C: I'm allergic to penicillin, it was my mom who found out."], 'penicillin affirmed'],
    [[asked, 'C: My sister is allergic to bees and so am I.'], 'bees affirmed'],
    [[asked, "C: It was my dad who noticed I'm allergic to eggs."], 'eggs affirmed'],
    [[asked, 'C: Latex, same as my mother has an allergy.'], 'latex affirmed'],
    [[asked, 'C: My brother is allergic to nuts and I get hives from them too.'], 'nuts affirmed'],
    [["C: I can't take aspirin, it sets off my asthma."], 'aspirin unclear'],
    [["C: I can't take tramadol, I had a seizure."], 'tramadol unclear'],
    [["C: I can't take Bactrim. They rushed me to the hospital."], 'trimethoprim-sulfamethoxazole unclear'],
    [["C: I can't take codeine, I fainted."], 'codeine unclear'],
  ])('keeps the allergy in %j', (lines, expected) => {
    expect(
      findKind('allergy', lines)
        .map(({ substance, standing }) => `${substance} ${standing}`)
        .join(', '),
    ).toBe(expected)
  })
  // A remedy, a side effect, another's allergy, what is borne, and the answer to another question are none.
  it.each<[string[]]>([
    [['C: I take Benadryl for the itching.']],
    [['T: Anything else?', 'C: Benadryl for the itching.']],
    [['C: I use Zyrtec for my allergies.']],
    [["C: My allergies are bad, so I'm on Claritin and Flonase."]],
    [[asked, 'C: No. Benadryl for the itching at night.']],
    [['C: I had a rash all over and they put me on prednisone.']],
    [['C: I broke out in hives, so they gave me Benadryl.']],
    [["C: I couldn't take the Zoloft."]],
    [["C: I couldn't take the Zoloft. It made me sick."]],
    [["C: I can't take Seroquel, it made me a zombie."]],
    [['C: Prozac gave me headaches, I could not stand it.']],
    [['T: Any allergies? Still on the lisinopril?', 'C: Every morning.']],
    [['T: Any allergies? And are you still taking the lisinopril?', 'C: Yeah.']],
    [['T: Any allergies? What are you on now?', 'C: Lisinopril and metformin.']],
    [['T: Allergies we did last time. How is the Lexapro?', 'C: The Lexapro is working.']],
    [['T: And penicillin, you are okay with that?', 'C: Yeah, penicillin was fine.']],
    [[asked, "C: No. I've had penicillin, that was fine."]],
    [[asked, 'C: No, I took amoxicillin last year, no problem.']],
    [[asked, 'C: No dramas with penicillin.']],
    [[asked, 'C: Not penicillin.']],
    [[asked, 'C: No. My wife is allergic to penicillin.']],
    [["C: My sister's allergic to penicillin."]],
    [["C: I'd have no dinner if I was allergic to fish."]],
    [['T: Are you allergic to anything?', 'C: Erm, I have a fever.']],
    [['T: Any allergies? Do you smoke?', 'C: No.']],
    [['T: Any hay fever or allergies. And any nausea or vomiting?', 'C: No, nothing like that.']],
    [[asked, "C: No. Penicillin doesn't give me hives."]],
    [[asked, "C: Penicillin doesn't bother me."]],
    [[asked, "C: My sister is allergic to penicillin but I'm not."]],
    [[asked, "C: My wife's allergic to nuts so I have to be careful."]],
    [[asked, 'C: My hives go away with Benadryl.']],
    [['C: I treat my hives with Benadryl.']],
    [['C: Benadryl puts me to sleep, so I take Zyrtec for my allergies.']],
    [["C: I can't take naproxen, I throw up."]],
    [[asked, "C: I'd be dead if I were allergic to bees."]],
  ])('affirms none in %j', (lines) => {
    expect(findKind('allergy', lines).filter(({ standing }) => standing !== 'denied')).toEqual([])
  })
  it.each<[string[]]>([
    [['T: Any allergies? Still on the lisinopril?', 'C: No.']],
    [['T: Any allergies? Do you smoke?', 'C: No.']],
    [
      [
        'T: Are you allergic to anything? Is there anything else?',
        "C: I couldn't get up the step of the bus.",
      ],
    ],
  ])('denies none in %j', (lines) => {
    expect(findKind('allergy', lines)).toEqual([])
  })

  it.each(['Twenty sixteen.', 'Last May.', 'Nineteen ninety, hives all over.', 'High school.'])(
    'takes no time for a substance: %s',
    (said) => {
      const found = findKind('allergy', [
        'T: Any allergies? I have tramadol down.',
        `C: A seizure, yes. ${said}`,
      ])
      expect(found.map(({ substance }) => substance).join(' ')).not.toMatch(/twenty|may|nineteen|school/)
    },
  )
  it('quotes the sentence that asks for it, not a medicine named before', () => {
    const lines = [
      'T: Then potassium, ten milliequivalents. And his allergies, I have lisinopril, is that right?',
      'O: Yes, he coughed.',
    ]
    expect(findKind('allergy', lines)[0]?.words).toBe('And his allergies, I have lisinopril, is that right?')
  })
})

describe('measures', () => {
  const read = (...lines: string[]) => findKind('score', lines).map(({ name, value }) => `${name} ${value}`)
  it.each<[string[], string[]]>([
    [['T: Your PHQ-9 was fourteen.'], ['PHQ-9 14']],
    [['T: The GAD-7 went from seventeen to nine.'], ['GAD-7 17', 'GAD-7 9']],
    [['T: Blood pressure is 130 over 85.'], ['blood pressure 130/85']],
    [['T: One eighteen over seventy-six.'], ['blood pressure 118/76']],
    [['T: one oh eight over sixty'], ['blood pressure 108/60']],
    [['T: A1c seven point two.'], ['A1c 7.2']],
    [["T: What's your weight?", 'C: One sixty-one.'], ['weight 161']],
    [
      ['T: Temperature 98.6, pulse 72, oxygen 97 percent.'],
      ['pulse 72', 'temperature 98.6', 'oxygen saturation 97%'],
    ],
    [['C: My anxiety is a seven out of ten.'], ['anxiety 7/10']],
    [['T: Your pain, zero to ten?', 'C: Four.'], ['pain 4/10']],
    [['T: Nineteen out of thirty on the MMSE.'], ['MMSE 19']],
    [
      ['T: The PCL. Let me add it. Fifty-one.', 'C: Is that worse?', 'T: It was fifty-eight in September.'],
      ['PCL-5 51', 'PCL-5 58'],
    ],
    [['T: Weight one ninety-one. You were one eighty-three in June.'], ['weight 183', 'weight 191']],
    [['T: Creatinine is point nine five. It was point eight two.'], ['creatinine 0.82', 'creatinine 0.95']],
    [['T: The COWS is a three.'], ['COWS 3']],
    [
      [
        'T: Scale of zero to ten, how important is it?',
        'C: Oh, those. Seven. Six and a half. No, put seven.',
      ],
      ['rating 7/10'],
    ],
    [
      ['T: From zero to a hundred?', 'C: Fifty-five.', 'T: Number now?', 'C: Eighty.'],
      ['rating 55/100', 'rating 80/100'],
    ],
    [['T: Weight is fifty-one and a half.'], ['weight 51.5']],
    [['T: Ferritin of nine. And ferrous sulfate.', 'C: Three twenty-five.'], ['ferritin 9']],
    [['T: The PHQ-9 is fifteen. It is down three.'], ['PHQ-9 15']],
    [['T: If the pulse is over ninety, call me.'], []],
    [['T: How many sugars?', 'C: Three.'], []],
    [['C: I have two kids and ten cats over in the barn.'], []],
    [['C: We waited 20 minutes over lunch.'], []],
    [['C: They said one fifty by hundred.'], ['blood pressure 150/100']],
    [['T: Temp thirty-six eight. And weight? Fifty-nine kilos.'], ['temperature 36.8', 'weight 59 kg']],
    [["T: Weight's forty-eight one."], ['weight 48.1']],
    [['T: The A1c, eight six.'], ['A1c 8.6']],
    [['T: Right, nappy off. Five point eight kilos.'], ['weight 5.8 kg']],
    [['C: I lost five kilos, my weight is all over.'], []],
    [
      ['T: And the weight?', 'C: I was sixty-one, now on her scales, fifty-four.'],
      ['weight 54', 'weight 61'],
    ],
    [["T: Your gambling score, I'd say it's sixteen."], ['gambling severity 16']],
    [['T: The hand function index came to forty-four.'], ['hand function index 44']],
    [['T: Blow into this. Again. Best is three eighty.'], ['peak flow 380']],
    [['T: Viral load is less than fifty.'], ['viral load 50']],
    [['T: How is the pain, nought to ten?', 'C: Three. When I shift, six.'], ['pain 3/10']],
  ])('%j', (lines, expected) => {
    expect(read(...lines).toSorted()).toEqual(expected.toSorted())
  })
})

describe('decisions', () => {
  const read = (lines: string[], topic: 'plan' | 'homework' | 'med_change' | 'safety_plan') =>
    findKind('decision', lines, { 0: { [topic]: 0.8 } }).map(({ about, standing }) => `${about} ${standing}`)
  it.each<[string[], 'plan' | 'homework' | 'med_change' | 'safety_plan', string]>([
    [["T: I'll see you in two weeks, Thursday at three.", 'C: Sounds good.'], 'plan', 'appointment agreed'],
    [["T: I'm referring you to a cardiologist.", 'C: Okay.'], 'plan', 'referral agreed'],
    [["T: We'll do labs this week.", 'C: Fine.'], 'plan', 'test agreed'],
    [['T: Would you try writing down one thought a day?', "C: I'll try."], 'homework', 'homework agreed'],
    [['T: Would you go up on the sertraline?', "C: No, I don't want to."], 'med_change', 'medicine declined'],
    [
      ['T: Could your sister lock up the pills?', "C: Yeah, she'd do that."],
      'safety_plan',
      'safety_step agreed',
    ],
    [['T: We could add lithium at some point.'], 'med_change', 'medicine proposed'],
  ])('%j', (lines, topic, expected) => {
    expect(read(lines, topic)).toContain(expected)
  })
  it('an appointment in plain words needs no encoder', () => {
    expect(findKind('decision', ["T: I'll see you in two weeks on Thursday."])[0]?.about).toBe('appointment')
  })
})

it('a questionnaire that was gone through is added up at its end', () => {
  const lines = [
    "T: Let's do the Edinburgh again. Have you been able to laugh?",
    'C: Not as much.',
    'T: And have you been so unhappy that you cried?',
    'C: Most days.',
    "T: So that's all of them. That's sixteen, love.",
  ]
  const found = findKind('score', lines, { 4: { scores: 0.6 } })
  expect(found.map(({ name, value }) => `${name} ${value}`)).toEqual(['EPDS 16'])
})
