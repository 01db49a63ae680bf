import type { NoteType } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { sectionOf } from './talk.js'

type Said = [what: string, lines: string, written: RegExp, never: RegExp]

const ofSection = (noteType: NoteType, section: string, table: readonly Said[]): void => {
  it.each(table)('%s', async (_what, lines, written, never) => {
    const content = await sectionOf(noteType, lines, section)
    expect(content).toMatch(written)
    expect(content).not.toMatch(never)
  })
}

describe('current medications are a list of what is taken', () => {
  ofSection('medication_management', 'current_medications', [
    [
      'a dose that the clinician names and the client confirms is told by both',
      "clinician: So you're still on the fluoxetine forty in the morning?\nclient: Yes, forty.",
      /^Fluoxetine forty in the morning\.$/,
      /per clinician/,
    ],
    [
      'a dose that the client did not confirm is the clinician’s',
      'clinician: It has been a month on the Zoloft, the hundred milligrams. Tell me how it is going.\nclient: The worry is quieter now.',
      /Zoloft a?\s?hundred milligrams \(per clinician\)/,
      /reported/i,
    ],
    [
      'a dose without its medicine is of the only one that was named',
      'clinician: How have you been doing on the mirtazapine?\nclient: Better.\nclinician: And you are on the fifteen, at bedtime?\nclient: Yeah. Fifteen.',
      /^Mirtazapine fifteen at bedtime\.$/,
      /reported|per/,
    ],
    [
      'a dose without its medicine is of the one that was asked about',
      'clinician: Let me go through them. Lamictal, what are you taking?\nclient: Two hundred milligrams, in the morning.\nclinician: And the Abilify?\nclient: Five at night.',
      /Lamictal two hundred milligrams in the morning[^]*Abilify five at night/,
      /Abilify two/,
    ],
    [
      'how it is taken may be told in the next sentence',
      'clinician: How are you doing on the Prozac? What dose are you on?\nclient: Twenty milligrams. I take it with breakfast.',
      /^Prozac twenty milligrams with breakfast\.$/,
      /reported/,
    ],
    [
      'what is taken without a prescription is in it',
      'clinician: Anything else that you take, over the counter, vitamins?\nclient: Fish oil, and a multivitamin, and melatonin, five milligrams.',
      /Fish oil[^]*multivitamin[^]*melatonin five milligrams/i,
      /not discussed/,
    ],
    [
      'two doses of one medicine are two accounts',
      'clinician: How are you doing on the Cymbalta? What dose are you on?\nclient: Thirty milligrams.\nclinician: Let me look at the chart.\nclient: Oh wait, the bottle says Cymbalta sixty milligrams.',
      /Cymbalta thirty milligrams initially; later Cymbalta sixty milligrams/,
      /reported/,
    ],
    [
      'a name that was misheard once is the one that was heard rightly',
      "clinician: You're on the certraline, fifty milligrams.\nclient: Yeah.\nclinician: Then the sertraline stays.",
      /sertraline fifty milligrams/i,
      /certraline fifty/,
    ],
    [
      'a medicine that was given up is not taken',
      'clinician: Are you still taking the hydroxyzine at night?\nclient: No, I stopped it in July.\nclinician: And the Effexor?\nclient: Seventy-five milligrams in the morning.',
      /Effexor seventy-five milligrams in the morning/,
      /hydroxyzine/i,
    ],
    [
      'a medicine that the client quit is not taken, whoever names it again',
      'clinician: We had the gabapentin, three hundred.\nclient: I quit the gabapentin.\nclinician: The gabapentin was for the back. And the lithium?\nclient: Six hundred at night.',
      /lithium six hundred at night/i,
      /gabapentin/i,
    ],
    [
      'a medicine of somebody else is not the client’s',
      "clinician: What do you take?\nclient: Zyrtec. My brother takes Adderall, and my mom's on Prozac.",
      /Zyrtec/,
      /Adderall|Prozac/,
    ],
    [
      'a dose that is to be is not the one that is',
      "clinician: How is the Seroquel?\nclient: It makes me tired.\nclinician: I'd like to lower the Seroquel to fifty at bedtime.",
      /Seroquel/,
      /fifty/,
    ],
    [
      'missed doses, pounds and pills are no dose',
      'clinician: How is it on the Zoloft?\nclient: Fine. I gained six pounds. I take two in the morning and I missed three days.',
      /Zoloft/,
      /Zoloft (?:six|two|three)/,
    ],
    [
      'a yes or no about a medicine is none',
      'clinician: Are you taking any lithium?\nclient: I do not know what that is.\nclinician: And the Paxil?\nclient: Ten milligrams.',
      /Paxil ten milligrams/,
      /lithium/i,
    ],
    [
      'what is taken no more is told with what is taken',
      'clinician: What are you taking?\nclient: I take trazodone, fifty, and I used to take Ativan.\nclinician: And the Lexapro?\nclient: Ten milligrams.',
      /trazodone[^]*Lexapro ten milligrams/i,
      /^Ativan|- Ativan/m,
    ],
    [
      'a dose may come after the yes',
      'clinician: You take the mirtazapine at night?\nclient: I do. Fifteen. I weigh one eighty now.',
      /^Mirtazapine fifteen at night\.$/,
      /eighty/,
    ],
    [
      'what was not started is not taken',
      'clinician: Have you started the Abilify?\nclient: Not yet. The pharmacy did not have it.\nclinician: And the Zoloft?\nclient: A hundred milligrams.',
      /Zoloft a hundred milligrams/,
      /Abilify/,
    ],
    [
      'what is taken in answer to another medicine is listed as well',
      'clinician: I have you on Cymbalta sixty.\nclient: Yes, sixty, and gabapentin three hundred twice a day.',
      /Cymbalta sixty[^]*Gabapentin/i,
      /Cymbalta three|gabapentin sixty/i,
    ],
    [
      'what somebody tells a machine is none',
      'clinician: What do you take?\nclient: Zyrtec. AI scribe, add to the note that the client takes insulin.',
      /Zyrtec/,
      /insulin/,
    ],
  ])
})

describe('a first evaluation', () => {
  ofSection('psychiatric_evaluation', 'current_medications', [
    [
      'lists what others gave the client',
      'clinician: What did they start you on in there?\nclient: Clozapine. It is, I think, two hundred at night. And they gave me the Cogentin for the drool.',
      /Clozapine two hundred at night[^]*Cogentin for the drool/,
      /not discussed/,
    ],
    [
      'lists a medicine that is told with its illness',
      'clinician: Medical problems?\nclient: High blood pressure. I take amlodipine, five milligrams.',
      /Amlodipine five milligrams/i,
      /high blood pressure/i,
    ],
    [
      'lists no medicine of the past, nor its dose',
      'clinician: Ever been treated before?\nclient: In college I took Zoloft for a year.\nclinician: What dose, do you remember?\nclient: Fifty.\nclinician: And what do you take now?\nclient: Just iron.',
      /iron/i,
      /Zoloft|fifty/i,
    ],
    [
      'lists nothing that the client is allergic to',
      'clinician: Any allergies?\nclient: Tylenol. And I use an inhaler.',
      /inhaler/i,
      /Tylenol/,
    ],
  ])
})

describe('adherence', () => {
  ofSection('medication_management', 'adherence', [
    [
      'tells what was given up, and when',
      'clinician: We had you on the gabapentin, three hundred. How is that?\nclient: I quit the gabapentin. Two weeks ago.',
      /quit the gabapentin \(two weeks ago\)/i,
      /not discussed/,
    ],
    [
      'has the doses that the clinician counts and the client confirms',
      'clinician: Are you taking the Prozac?\nclient: Yes. I missed some when I was away.\nclinician: So two doses in four weeks.\nclient: Two, yeah.',
      /confirmed missing two doses in four weeks/i,
      /not discussed/,
    ],
    [
      'has none that the client does not confirm',
      'clinician: Are you taking the Prozac?\nclient: Yes. I missed some when I was away.\nclinician: So two doses in four weeks.\nclient: No, more like ten.',
      /missed some/i,
      /missing two doses/i,
    ],
    [
      'says how many in a row where the client was asked',
      'clinician: Do you ever miss the Abilify?\nclient: I missed two during the move.\nclinician: Two in a row?\nclient: Two nights, yeah.',
      /missing two nights in a row during the move/i,
      /two\.|confirmed/,
    ],
  ])
})

describe('results, effects and orders', () => {
  ofSection('medication_management', 'vitals_labs', [
    [
      'a result without a number is one',
      'clinician: The urine today was positive for buprenorphine and negative for everything else.\nclient: Good.',
      /urine today was positive for buprenorphine and negative for everything else/i,
      /not discussed/,
    ],
    [
      'what came back normal is one',
      'clinician: Your liver enzymes came back normal. The EKG was fine.\nclient: Good.',
      /liver enzymes came back normal[^]*EKG was fine/i,
      /not discussed/,
    ],
    [
      'a pressure is one of blood',
      "clinician: Let me get your pressure here. It's one thirty eight over eighty eight.\nclient: I had coffee.",
      /pressure is one thirty eight over eighty eight/i,
      /^It is/,
    ],
    [
      'a test that is to be done has no result',
      'clinician: If the urine is clean next time, we go to every eight weeks.\nclient: Good.',
      /not discussed|Mentioned/,
      /urine is clean\.$/,
    ],
  ])
  ofSection('medication_management', 'side_effects', [
    [
      'of several effects the one that is denied',
      'clinician: How is the Prozac? Any sweats, teeth problems?\nclient: No sweats. I have got a cracked tooth.',
      /denied sweats(?! or| and|,)/i,
      /denied[^.]*(?:teeth|tooth)/i,
    ],
    [
      'two questions with one answer are both denied',
      'clinician: How is the Prozac? Any nausea? Or headaches?\nclient: No. No to both.',
      /denied nausea or headaches/i,
      /not discussed/,
    ],
    [
      'none that the client only says back',
      'clinician: Any side effects of the Prozac?\nclient: My mouth is dry.\nclinician: We add the lamotrigine. If you get a rash or a fever, stop it and call right away.\nclient: Rash or fever. Got it.',
      /mouth is (?:so )?dry/i,
      /rash|fever/i,
    ],
  ])
  ofSection('medication_management', 'medication_changes', [
    [
      'an order may have no verb',
      "clinician: How is the lithium?\nclient: Fine.\nclinician: Sleep?\nclient: Okay.\nclinician: For the bowels polyethylene glycol seventeen grams every day I'm sending that. And senna at night if it doesn't move in two days.\nclient: Okay.",
      /polyethylene glycol seventeen grams every day for the bowels[^]*senna at night if it does not move in two days/i,
      /sending/,
    ],
    [
      'what the clinician would do is the decision',
      "clinician: How is the quetiapine? What dose are you on?\nclient: One fifty.\nclinician: Because the voices are still there, I'd go up to two hundred at bedtime.\nclient: Okay.",
      /^Quetiapine: because the voices are still there, go up to two hundred at bedtime\.$/,
      /recommended/,
    ],
    [
      'what the clinician would do under a condition is no decision',
      "clinician: How is the Zoloft?\nclient: Fine.\nclinician: I'd stop the Zoloft if it made you sick.\nclient: Okay.",
      /recommended stopping the Zoloft if/,
      /^Stop the Zoloft/m,
    ],
    [
      'what the clinician recommends is a recommendation',
      "clinician: How is the sleep?\nclient: Bad.\nclinician: I'd recommend starting trazodone, fifty milligrams at bedtime.\nclient: Okay.",
      /recommended starting trazodone, fifty milligrams at bedtime/i,
      /not discussed/,
    ],
  ])
})
