import { describe, expect, it } from 'vitest'
import { readAnswer, saysNothingAlone } from '../../../src/engines/reader/questions/read-answer.js'
import { readLines } from './talk.js'

const questionsOf = (...lines: string[]) => readLines(lines).questionOf

describe('which question an item answers', () => {
  it.each<[string, string[], Record<number, number>]>([
    ['the one before it', ['T: How did you sleep?', 'C: Badly.'], { 1: 0 }],
    ['not a remark', ['T: It is cold today.', 'C: The bus was late, so I walked.'], {}],
    ['over a nod', ['T: Did you call her?', 'C: Um.', 'T: Mm-hmm.', 'C: Yeah, on Friday.'], { 1: 0, 3: 0 }],
    [
      'over an encouragement',
      ['T: Have you thought of dying?', 'C: Um.', 'T: Take your time.', 'C: Yeah.'],
      { 1: 0, 3: 0 },
    ],
    [
      'a turn of several sentences that ends in it',
      ['T: That sounds hard. I hear you. Are you eating?', 'C: A bit.'],
      { 1: 0 },
    ],
    [
      'a turn that says a word more behind it',
      ['T: Any thoughts of hurting yourself? I ask everybody.', 'C: No.'],
      { 1: 0 },
    ],
    [
      'a question broken by a nod',
      ['T: And have you had any', 'C: Mm-hmm.', 'T: thoughts of dying?', 'C: No.'],
      { 1: 0, 3: 0 },
    ],
    [
      'what was asked back',
      ['T: Any side effects?', 'C: Like what?', 'T: Dry mouth, that kind of thing.', 'C: A little.'],
      { 2: 1, 3: 0 },
    ],
    ['a bare word', ['T: voices', 'C: no'], { 1: 0 }],
    ['a statement that is confirmed', ['T: So you are still on the fifty.', 'C: Yeah.'], { 1: 0 }],
    ['two who answer', ['T: Does he sleep?', 'O: Not much.', 'C: I sleep fine.'], { 1: 0, 2: 0 }],
    ['a question of the client', ['C: Can I take it with food?', 'T: Yes, with breakfast.'], { 1: 0 }],
    ['none: the client asks', ['T: How are you?', 'C: How are you?'], {}],
    ['none: nobody asked', ['C: I moved in May.', 'C: It was fine.'], {}],
  ])('%s', (_, lines, expected) => {
    expect(questionsOf(...lines)).toEqual(expected)
  })
})

describe('what an answer says', () => {
  it.each([
    ['no', 'no'],
    ['no, nothing like that.', 'no'],
    ['goodness, no.', 'no'],
    ['nope. i want to see my grandson grow up.', 'no'],
    ["i haven't, not since march.", 'no'],
    ["no. i'm sad but i want to live.", 'no'],
    ['not really.', 'unclear'],
    ['i guess', 'unclear'],
    ['maybe', 'unclear'],
    ["i don't know.", 'unclear'],
    ['no, but sometimes it crosses my mind.', 'unclear'],
    ["i'm not not thinking about it.", 'unclear'],
    ['yeah', 'yes'],
    ['a few times a week.', 'yes'],
    ['mm-hmm', 'yes'],
    ["i wouldn't mind", 'other'],
    ['nothing matters.', 'other'],
    ['the parking garage on ninth', 'other'],
  ])('%j is %s', (said, expected) => {
    expect(readAnswer(said)).toBe(expected)
  })
  it.each(['maybe.', 'not sure', "i don't know", 'yeah, i guess so', 'kind of'])(
    '%j says nothing by itself',
    (said) => {
      expect(saysNothingAlone(said)).toBe(true)
    },
  )
  it('an answer with a noun says something', () => {
    expect(saysNothingAlone('maybe the gun')).toBe(false)
  })
})
