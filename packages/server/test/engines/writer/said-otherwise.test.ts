import type { NoteType } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { talk, write } from './talk.js'

/** Talk that leaves room for a note: half of it is nothing that a note keeps. */
const before = `
  clinician: How have you been since the last time? I have been looking at the papers that you left with the front desk on your way out.
  client: I sleep five hours a night and I argue with my wife about money. It has been that way for a good while now, I would say.
  clinician: I can imagine. It is a long time to go without the rest that you need, and it wears on everybody in the house sooner or later.
  client: It does. It really does. You would think that one gets used to it after a while, and then one does not, it turns out.
  clinician: No, one does not. And people around us have their own ideas about what we should be doing about it, don't they, all of them.
  client: All of them. Everybody has got something that worked for them. Warm milk. Can you imagine.
`
const after = `
  clinician: That makes a lot of sense to me, and I am glad that you brought it up, because it is easy to leave such a thing out.
  client: Thanks. I was not sure whether it was worth the time, there is so much else going on over there at the moment.
`

const sectionOf = async (noteType: NoteType, lines: string, key: string): Promise<string> =>
  (await write(noteType, talk(`${before.trim()}\n${lines}\n${after.trim()}`))).find(
    (section) => section.key === key,
  )?.content ?? ''

type Said = [what: string, type: NoteType, lines: string, section: string, written: RegExp, never: RegExp]

const table: Said[] = [
  [
    'a dose belongs to the medicine that it was said of',
    'medication_management',
    "clinician: So the aripiprazole, you're on fifteen, and the lithium's six hundred at night. Still right?\nclient: Right.",
    'current_medications',
    /Aripiprazole fifteen[^]*Lithium six hundred/i,
    /lithium fifteen/i,
  ],
  [
    'medicines that were asked for are taken',
    'psychiatric_evaluation',
    "clinician: What do you take every day?\nclient: The metoprolol, fifty, twice. Something for cholesterol, atorvastatin, and the water pill, I don't know what they call that.",
    'current_medications',
    /metoprolol[^]*atorvastatin/i,
    /call that/,
  ],
  [
    'a dose that is taken down is an order',
    'medication_management',
    "clinician: You have been on the aripiprazole since June. Let's take the aripiprazole down from fifteen to ten. That's why we leave the lithium alone, same six hundred.\nclient: Okay.",
    'medication_changes',
    /aripiprazole down from fifteen to ten[^]*leave the lithium alone, same six hundred/i,
    /clinician proposed/i,
  ],
  [
    'what a clinician promises is a plan, and so is what has no verb',
    'pirp',
    "clinician: And no coffee after two in the afternoon. I'll write the attendance letter for the court by Monday. I want you in the grief group at the parish hall.\nclient: Okay.",
    'plan',
    /no coffee after two[^]*write the attendance letter[^]*client to be in the grief group/i,
    /proposed/i,
  ],
  [
    'a date sets the next visit',
    'soap',
    "clinician: Let's do the twelfth, by phone, since you'll be out in Nevada.\nclient: Okay.",
    'plan',
    /next appointment the twelfth, by phone/i,
    /proposed/i,
  ],
  [
    'how somebody came in is seen',
    'soap',
    "clinician: When you came in you had your hood up and you wouldn't look at me. You even smiled there.\nclient: It is cold in here.",
    'objective',
    /when client came in they had their hood up and they would not look at clinician/i,
    /not discussed/,
  ],
  [
    'a person is named by their role, whoever they are',
    'soap',
    'clinician: Who did you talk to?\nclient: I called Ray, my sponsor, and I told Peg about the drinking.',
    'subjective',
    /called their sponsor/i,
    /Ray|Peg/i,
  ],
  [
    '"they" who did something to the client are others',
    'soap',
    'clinician: What happened at school?\nclient: They were calling me psycho because of my arms.',
    'subjective',
    /others were calling them psycho because of their arms/i,
    /they were calling/i,
  ],
  [
    'one of two things is denied',
    'soap',
    'clinician: Any weed or alcohol?\nclient: Alcohol no. Weed, like, a gummy, maybe once a month.',
    'subjective',
    /denied alcohol[^]*once a month/i,
    /alcohol no|denied weed/i,
  ],
  [
    'a rating has its number',
    'birp',
    "clinician: Let's try the breathing exercise together. Rate it, zero to ten.\nclient: Seven.",
    'response',
    /gave a rating of seven/i,
    /not discussed/,
  ],
  [
    'what was put to the client and confirmed',
    'soap',
    "clinician: And you've put on, what, nine pounds since spring?\nclient: Nine pounds, yeah.",
    'subjective',
    /confirmed that they have put on nine pounds since spring/i,
    /asked/i,
  ],
  [
    '"it" is what was named before the question',
    'soap',
    'clinician: And the Suboxone, are you still on it?\nclient: Yeah. Eight milligrams, twice a day.',
    'subjective',
    /on the Suboxone \(eight milligrams, twice a day\)/i,
    /on it/,
  ],
  [
    'a parent says it of the one who is there',
    'birp',
    "clinician: How are things at home?\nspeaker_3: Slammed doors. She's up till two, three in the morning on that phone.",
    'behavior',
    /A participant (?:reports|states|reported)(?: [^.]*;)? she is up till two, three in the morning/i,
    /Client reports she/,
  ],
  [
    'the medicine that the client asked about has the dose that they are told',
    'medication_management',
    'clinician: We keep the sertraline where it is.\nclient: Should I use melatonin? My sister takes it.\nclinician: You could try three milligrams, two hours before bed.\nclient: Okay.',
    'plan',
    /melatonin: client to try three milligrams, two hours before bed/i,
    /sertraline: client/i,
  ],
  [
    'a wish that was asked after with another thing is denied with it',
    'medication_management',
    'clinician: Any wish that you would not wake up, or thoughts of hurting yourself in some other way?\nclient: No.',
    'risk_assessment',
    /denied any wish that they would not wake up, or thoughts of hurting themselves in some other way/i,
    /review required/i,
  ],
  [
    'things that lie in a safe are not others',
    'soap',
    "clinician: Are there any guns at home?\nclient: Two pistols. They're in a safe and my wife has the code.",
    'assessment',
    /pistols/i,
    /others/i,
  ],
  [
    'a thought that the clinician lends a voice is not theirs',
    'pirp',
    "clinician: Let's write it down as a chain: his words, the hot neck, and the thought, which is he's saying I'm a fraud.\nclient: Okay.",
    'intervention',
    /chain: his words, the hot neck/i,
    /clinician is a fraud/i,
  ],
  [
    'a name of a place keeps its capital, and a word its case',
    'psychotherapy_intake',
    'clinician: Where did you grow up?\nclient: Texas, with two brothers.',
    'psychosocial_history',
    /Texas, with two brothers/,
    /texas/,
  ],
  [
    'a number that is held against the one of a plan stands with it',
    'birp',
    "clinician: I'd like you to put the phone in the kitchen at eleven every night. Is that okay?\nclient: Ugh. Eleven thirty.",
    'plan',
    /answered: eleven thirty/i,
    /ugh/i,
  ],
  [
    'what a side effect is of stands with it',
    'medication_management',
    'clinician: Any side effects from the lithium, how about the restlessness?\nclient: It is every day, in the afternoon.',
    'side_effects',
    /restlessness: it is every day/i,
    /not discussed/,
  ],
  [
    'no yes is written where none was asked for',
    'soap',
    'clinician: How have you been doing on the sertraline?\nclient: Yeah. Two headaches last week and then nothing.',
    'subjective',
    /two headaches last week/i,
    /answered yes/i,
  ],
  [
    'the clinician sums up',
    'girp',
    "clinician: So there's one rule for your friend and another one for you.\nclient: I guess there is.",
    'intervention',
    /reflected that there is one rule for client's friend/i,
    /not discussed/,
  ],
  [
    'an order is one however it is announced',
    'soap',
    "clinician: So what I'd like is to start mirtazapine, fifteen milligrams at bedtime. And I'm referring you for a sleep study.\nclient: Okay.",
    'plan',
    /start mirtazapine, fifteen milligrams[^]*refer client for a sleep study/i,
    /not discussed/,
  ],
  [
    'a step that the client is asked for is part of the plan',
    'girp',
    'clinician: And would you text your cousin about the support group by Friday?\nclient: I will.',
    'plan',
    /asked client to text their cousin about the support group/i,
    /not discussed/,
  ],
  [
    'what is wanted of somebody else is asked of them',
    'soap',
    "clinician: I'd like your brother to take the shotgun to his place this week.\nclient: He would do that.",
    'plan',
    /asked for client's brother to take the shotgun/i,
    /liking/i,
  ],
  [
    'a score is one with its number in words, and so is the one before it',
    'soap',
    'clinician: And the PHQ nine you filled out is a fourteen. It was an eighteen last time.\nclient: Good.',
    'objective',
    /fourteen; it was an eighteen last time/i,
    /not discussed/,
  ],
  [
    'of several things that were asked the one that is told decides where it stands',
    'psychiatric_evaluation',
    'clinician: Medical problems, allergies?\nclient: I have migraines. And I am allergic to latex.',
    'medical_history',
    /migraines/i,
    /latex/i,
  ],
  [
    'what is taken to sleep is not how somebody sleeps',
    'soap',
    'clinician: Are you taking anything to sleep?\nclient: Melatonin. Three milligrams.',
    'subjective',
    /melatonin, three milligrams/i,
    /sleep as melatonin/i,
  ],
  [
    'two accounts of one thing stand together',
    'dap',
    'clinician: How much are you drinking?\nclient: I do not drink.\nclinician: And last night?\nclient: Last night I had four beers and I still could not sleep.',
    'data',
    /initially,[^.]*not drink[^]*later,[^.]*four beers/i,
    /not discussed/,
  ],
  [
    'a name that was looked for is the end of its sentence',
    'soap',
    "clinician: And I'll give you the number for the, uh, there's a group, Monday nights at the library.\nclient: Okay.",
    'plan',
    /the number for a group, Monday nights/i,
    /there is/i,
  ],
  [
    'the client is one person behind every "or"',
    'soap',
    'clinician: If the worry gets stronger, or you start to skip meals, call the office.\nclient: Okay.',
    'plan',
    /or they start to skip meals/i,
    /them start/i,
  ],
  [
    'who was named is not named again at once',
    'dap',
    'clinician: Who is close by?\nclient: My sister she is two streets away and she cooks for me.',
    'data',
    /their sister is two streets away/i,
    /sister she/i,
  ],
  [
    'what was just said is not said again',
    'dap',
    'clinician: How long did it last?\nclient: I was shaking for ten minutes. Maybe ten.',
    'data',
    /shaking for ten minutes/i,
    /maybe ten/i,
  ],
]

describe('what is said otherwise', () => {
  it.each(table)('%s', async (_what, noteType, lines, section, written, never) => {
    const content = await sectionOf(noteType, lines, section)
    expect(content).toMatch(written)
    expect(content).not.toMatch(never)
  })
})
