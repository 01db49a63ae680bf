import type { NoteType } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { sectionOf } from './talk.js'

type Heard = [what: string, type: NoteType, lines: string, section: string, written: RegExp, never: RegExp]

const table: Heard[] = [
  [
    'a recognizer that writes no apostrophes is read like one that does',
    'birp',
    'clinician: did you take the naltrexone that day\nclient: no. i left it at my brothers. i dont want to lie to my kid about drinking',
    'behavior',
    /denied taking the naltrexone that day[^]*not wanting to lie to their kid/i,
    /\bi\b|dont|didnt/,
  ],
  [
    'a word for what is asked about asks, where no stop was heard',
    'medication_management',
    'clinician: alcohol\nclient: no.\nclinician: constipation\nclient: oh yeah. Every three days.',
    'side_effects',
    /constipation[^.]*every three days/i,
    /denied constipation/i,
  ],
  [
    'scores stand where they are told in the middle of a sentence',
    'soap',
    'clinician: You filled in the forms in the waiting room, your PHQ nine is fourteen, it was nine last month, and the GAD seven is twelve.\nclient: That tracks.',
    'objective',
    /PHQ nine is fourteen \(nine last month\), and the GAD seven is twelve/i,
    /waiting room/i,
  ],
  [
    'a score that begins with the client is the clinician’s to tell',
    'soap',
    'clinician: You scored seventeen on the Edinburgh.\nclient: I did not know that.',
    'objective',
    /scored seventeen on the Edinburgh/i,
    /not discussed/i,
  ],
  [
    'what a clinician can see is no plan',
    'soap',
    "clinician: I can see it's still close, you're tearing up now.\nclient: Yeah. I cry in the car most days.",
    'plan',
    /./,
    /tearing up/i,
  ],
  [
    'a level of care is no level of anything in the blood',
    'birp',
    'clinician: If she loses two more pounds or faints, we go to the higher level of care, the day program.\nclient: Okay.',
    'plan',
    /if she loses two more pounds or faints, plan to go to the higher level of care/i,
    /not discussed/i,
  ],
  [
    'plans that are set without a verb',
    'pirp',
    "clinician: So for the week, the door handle, bare hand, every day. And the stove picture, Monday, Wednesday, Friday only. No pool, no sit ups, that's from the doctor.\nclient: Okay.",
    'plan',
    /door handle[^]*stove picture, Monday, Wednesday, Friday only[^]*no pool, no sit ups/i,
    /not discussed/i,
  ],
  [
    'what somebody would suggest, and the test that they want first',
    'dap',
    "clinician: What I'd suggest is once a week, at first only skills, calming and sleep. Because of the murmur, I want an E K G and a word from cardiology first.\nclient: Fine.",
    'plan',
    /once a week, at first only skills[^]*E K G and a word from cardiology/i,
    /not discussed/i,
  ],
  [
    'a visit with its day and its hour apart',
    'soap',
    'clinician: Thursday the nineteenth, at ten?\nclient: That is good for me.',
    'plan',
    /next appointment Thursday the nineteenth, at ten/i,
    /good for/i,
  ],
  [
    'decisions that are told together are apart in the note',
    'medication_management',
    'clinician: You were on the gabapentin and on the sertraline. So we leave the buprenorphine at sixteen, we stop the gabapentin for good, and the sertraline stays.\nclient: Good.',
    'medication_changes',
    /leave the buprenorphine at sixteen[^]*sertraline stays[^]*stop the gabapentin for good/i,
    /stop[^.]*sertraline/i,
  ],
  [
    'a medicine that is only to be started is not taken',
    'psychiatric_evaluation',
    'clinician: What do you take?\nclient: Just lisinopril, ten.\nclinician: Then we could start bupropion, one fifty in the morning. Any seizures, ever?\nclient: No.\nclinician: Then bupropion XL one fifty.\nclient: Okay.',
    'current_medications',
    /lisinopril/i,
    /bupropion/i,
  ],
  [
    'a rating is no dose of the medicine in the question',
    'medication_management',
    "clinician: How's the back, that was the reason for the gabapentin?\nclient: It's a six. It was an eight.",
    'current_medications',
    /./,
    /gabapentin[^.]*(?:six|eight)/i,
  ],
  [
    'dates that are missed are no doses',
    'psychiatric_evaluation',
    "clinician: What's it like at work?\nclient: I'm a paralegal. I miss filing dates. I missed one in August.",
    'current_medications',
    /not discussed/i,
    /filing|August/i,
  ],
  [
    'an illness of the mother is no history of the client',
    'psychotherapy_intake',
    'clinician: And your birth parents?\nclient: My mom used. Heroin. She died when I was twelve, overdose.',
    'family_history',
    /mom used \(heroin\)/i,
    /not discussed/i,
  ],
  [
    'what others did is not said of the client',
    'soap',
    "clinician: And at home?\nclient: Bills. I've got the money. They shut off the gas, twice.",
    'subjective',
    /others shut off the gas/i,
    /(?<!others )(?:they|client) shut off/i,
  ],
  [
    'an answer that comes late is not one to the last question',
    'soap',
    "clinician: And what about the house?\nclient: We can't agree on selling it. And the sleep is bad. Sorry. You asked. It's like four hours, five if I take the melatonin.",
    'subjective',
    /sleep is bad; it is four hours/i,
    /house: it is four|clinician asked/i,
  ],
  [
    'what is done in the room is an intervention, and how true it feels a response',
    'birp',
    "clinician: What did you tell yourself about it?\nclient: That I am a danger to my patients.\nclinician: What would you say to a colleague who had done the same thing?\nclient: I'd tell her to go home.\nclinician: And how true does it feel now?\nclient: Less. It was ninety percent when I came in and it's maybe forty five now.",
    'response',
    /ninety percent when they came in/i,
    /not discussed/i,
  ],
  [
    'a request that asks for willingness is a plan',
    'soap',
    'clinician: Would you be willing to ask for no more than three in a row?\nclient: I can ask.\nclinician: And at three in the morning, out of bed, write the worry down, no charting app on the phone.\nclient: Okay.',
    'plan',
    /ask for no more than three in a row[^]*out of bed, write the worry down/i,
    /not discussed/i,
  ],
  [
    'what is asked of the clinician is not said of the client',
    'soap',
    "clinician: What should I do differently?\nclient: Don't do the head tilt.",
    'subjective',
    /./,
    /head tilt/i,
  ],
]

describe('talk of people whom nobody had heard before', () => {
  it.each(table)('%s', async (_what, noteType, lines, section, written, never) => {
    const text = await sectionOf(noteType, lines, section)
    expect(text).toMatch(written)
    expect(text).not.toMatch(never)
  })
})
