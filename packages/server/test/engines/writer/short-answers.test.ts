import type { NoteType } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { wordAddition } from '../../../src/engines/writer/embedded/client/answer-before.js'
import {
  findLabel,
  isLabelled,
  joinNowAndBefore,
  labelMatter,
} from '../../../src/engines/writer/embedded/talk/label-answer.js'
import { wordCases } from '../../../src/engines/writer/embedded/client/report-rating.js'
import { isQuestion } from '../../../src/engines/writer/text/detect-question.js'
import { splitSpoken } from '../../../src/engines/writer/text/split-spoken.js'
import { sectionOf } from './talk.js'

describe('the word for what was asked', () => {
  it.each([
    ["How's the back?", 'back'],
    ['And how is your appetite these days?', 'appetite'],
    ['What about the cigarettes?', 'cigarettes'],
    ['hows the back that was the reason for the gabapentin', 'back'],
    ['Okay, how have the nights been lately?', 'nights'],
    ["What's the number now, when you picture the lockers?", 'number when they picture the lockers'],
    ['Where are you, zero to ten?', 'rating from zero to ten'],
  ])('is found: %s', (question, label) => {
    expect(findLabel(question)).toBe(label)
  })

  it.each([
    "What's the number now?",
    'How was the first one?',
    'How did you feel about the plan?',
    'How was it?',
  ])('is none where it names nothing: %s', (question) => {
    expect(findLabel(question)).toBeNull()
  })

  it('stands before a second number in brackets, and only then', () => {
    expect(joinNowAndBefore('energy: better, a five; it was a two')).toBe('energy: better, five (was two)')
    expect(joinNowAndBefore('back: six; it was an eight before')).toBe('back: six (was eight)')
    expect(joinNowAndBefore('back: six; it was cold')).toBe('back: six; it was cold')
    expect(joinNowAndBefore('client rated the anxiety at six')).toBe('client rated the anxiety at six')
  })

  it('is told from a sentence that names who says it', () => {
    expect(isLabelled('Sleep: six hours.')).toBe(true)
    expect(isLabelled('Quetiapine: client reported one fifty.')).toBe(false)
    expect(isLabelled('Asked who is at home: their son.')).toBe(false)
  })
})

describe('an answer that is neither yes nor no', () => {
  it.each([
    ['being on guard a lot', 'all the time', 'being on guard a lot: all the time'],
    ['pattern', 'when someone yells', 'pattern: when someone yells'],
    ['panic attacks', 'two, in June', 'panic attacks: two, in June'],
    [
      'being in counseling before',
      'in high school, for a year',
      'being in counseling before: in high school, for a year',
    ],
    ['nightmares', 'most nights', 'nightmares: most nights'],
  ])('stands with what was asked about: %s – %s', (matter, rest, written) => {
    expect(labelMatter(matter, rest)).toBe(written)
  })

  it.each([
    ['taking it', 'every day'],
    ['nightmares', 'they come and go'],
    ['the wine', 'a glass on Fridays'],
    ['all seven', 'five'],
  ])('is left where it is not clear of what: %s – %s', (matter, rest) => {
    expect(labelMatter(matter, rest)).toBeNull()
  })
})

describe('a question that only asks for more', () => {
  it.each([
    ['How late?', 'one, one thirty', 'one, one thirty'],
    ['When was that?', 'March the ninth', 'March the ninth'],
    ['And for how long?', 'two years', 'two years'],
    ['How long has that been going on?', 'three weeks', 'three weeks'],
    ['From what at the start?', 'seven', 'from seven'],
    ['All seven?', 'five', 'five of seven'],
  ])('adds to the sentence before it: %s – %s', (question, rest, added) => {
    expect(wordAddition(question, rest)).toBe(added)
  })

  it.each(['How often do you drink?', 'When is the trial?', 'All right?', 'From whom?'])(
    'is no other question: %s',
    (question) => {
      expect(wordAddition(question, 'two')).toBeNull()
    },
  )
})

describe('numbers of one thing', () => {
  it.each([
    ['at work they would say an eight, at a party four', 'eight at work, four at a party'],
    ['three, when they are by themselves, three', 'three when they are by themselves'],
    [
      'if it is at work it is a six, if he is at the gym it is a three',
      'six if it is at work, three if he is at the gym',
    ],
    ['when they started it was eighty, now it is maybe forty', 'eighty when they started, forty now'],
    ['a six, with somebody there a four', 'six, four with somebody there'],
  ])('each stand with when it is so: %s', (rest, written) => {
    expect(wordCases(rest)).toBe(written)
  })

  it.each(['seven', 'at the store', 'three beers at the game', 'at six they get up, at ten they sleep'])(
    'are none where something else is told: %s',
    (rest) => {
      expect(wordCases(rest)).toBeNull()
    },
  )
})

describe('a question without its mark', () => {
  it.each(['and how confident', 'why a four and not a zero', 'what dose', 'So how often'])(
    'asks: %s',
    (text) => {
      expect(isQuestion(text)).toBe(true)
    },
  )

  it.each([
    'how confident you sounded',
    'why not tell them, you said',
    'what dose they gave you is on the chart',
  ])('does not ask: %s', (text) => {
    expect(isQuestion(text)).toBe(false)
  })

  it.each([
    [
      'so hungry, no meeting, no pill where could we have put a brake on',
      'Where could we have put a brake on',
    ],
    ['thirty days no alcohol, and meetings three times a week where are we', 'Where are we'],
    ['that is a strong reason how important is it to you', 'How important is it to you'],
  ])('is cut from what was said before it: %s', (text, asked) => {
    expect(splitSpoken(text).at(-1)).toBe(asked)
  })

  it.each([
    'on a scale of zero to ten how important is it to you',
    'are you taking the what did we say the miralax',
    'she asked how are you and I left',
    'I do not know what is the matter with me',
  ])('is left in its sentence where it belongs to it: %s', (text) => {
    expect(splitSpoken(text)).toEqual([text])
  })
})

type Row = [what: string, type: NoteType, lines: string, section: string, written: RegExp, never: RegExp]

const rows: Row[] = [
  [
    'a word is asked and a few are answered',
    'medication_management',
    'clinician: okay. sleep\nclient: six hours',
    'interval_history',
    /Sleep: six hours/,
    /described sleep/,
  ],
  [
    'of two things one is denied',
    'medication_management',
    'clinician: Any sweats, teeth problems?\nclient: No sweats. I got a cracked tooth last week.',
    'side_effects',
    /denied sweats\b/i,
    /denied[^.]*teeth/i,
  ],
  [
    'a sound before the answer is no answer',
    'medication_management',
    "clinician: How's your mood?\nclient: Um. Flat.",
    'mental_status_exam',
    /Mood: "flat"/,
    /stated/,
  ],
  [
    'what was once and is no more keeps both',
    'medication_management',
    'clinician: Any cannabis, anything like that?\nclient: I did gummies in college. Not since.',
    'substance_use',
    /gummies in college; not since/,
    /denied/i,
  ],
  [
    'none since is told as none',
    'medication_management',
    "clinician: How's the drinking?\nclient: Not since July.",
    'substance_use',
    /no drinking since July/,
    /\basked\b/i,
  ],
  [
    'what a number is of stands with it, a "not" in the words in which it was asked',
    'girp',
    'clinician: on a scale of zero to ten how important is it to you not to drink\nclient: ten\nclinician: and how confident\nclient: at work i would say an eight. at a party four',
    'response',
    /how important it is to them "not to drink" at ten[^]*confident they are at eight at work, four at a party/,
    /denied/i,
  ],
  [
    'what was missed is named by who says it back',
    'medication_management',
    'clinician: Are you taking the strips?\nclient: Every day. I missed. One. I was at my daughters.\nclinician: one dose in four weeks\nclient: one dose yeah',
    'adherence',
    /missing one dose in four weeks/,
    /reported one dose/i,
  ],
  [
    'what is taken is named where it was named before the question',
    'medication_management',
    'clinician: and the strips are you taking them every day\nclient: every day. Eight in the morning eight at night i missed. one',
    'adherence',
    /Taking the strips: every day/,
    /they missed, one/,
  ],
  [
    'both of two things are denied',
    'psychiatric_evaluation',
    'clinician: Have you ever had a seizure? Or an eating disorder, bulimia, anything like that?\nclient: No. No to both.',
    'medical_history',
    /denied a seizure or an eating disorder/i,
    /bulimia/,
  ],
  [
    'a fear is told with what it is of',
    'pirp',
    "clinician: What's the feared story?\nclient: That I get something and I bring it home and, and she gets sick and it's on me.",
    'problem',
    /Feared story: that they get something/,
    /asked/i,
  ],
  [
    'what is corrected is not confirmed',
    'medication_management',
    'clinician: Are you taking the strips?\nclient: I missed one. I was at my daughters.\nclinician: one dose in four weeks\nclient: yeah. no wait, two',
    'adherence',
    /^/,
    /confirmed missing/i,
  ],
]

describe('a short answer', () => {
  it.each(rows)('%s', async (_what, noteType, lines, section, written, never) => {
    const content = await sectionOf(noteType, lines, section)
    expect(content).toMatch(written)
    expect(content).not.toMatch(never)
  })
})
