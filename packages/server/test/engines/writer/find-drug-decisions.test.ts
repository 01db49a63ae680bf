import { describe, expect, it } from 'vitest'
import { findDrugDecisions } from '../../../src/engines/writer/embedded/mdm/find-drug-decisions.js'
import { describeDecision } from '../../../src/engines/writer/embedded/mdm/judge-problem.js'
import { readStatements } from '../../../src/engines/writer/embedded/mdm/read-statements.js'

/** What a clinician decided, in the words of the findings. */
const decided = (...turns: string[]) =>
  findDrugDecisions(
    readStatements(
      turns.map((transcript, at) => ({ startTime: at, endTime: at + 1, speaker: 'clinician', transcript })),
    ),
  ).map(describeDecision)

describe('a dose belongs to the medicine that it stands with', () => {
  it.each([
    [
      'one continued and one started',
      "Let's continue the Zoloft at 100 milligrams and start trazodone 50 milligrams at bedtime.",
      ['Zoloft continued at 100 milligrams', 'trazodone started at 50 milligrams'],
    ],
    [
      'a list with one verb',
      "We'll continue the buspirone 10 milligrams twice a day, the trazodone 50 milligrams at night, and Lexapro 20 milligrams.",
      [
        'buspirone continued at 10 milligrams',
        'trazodone continued at 50 milligrams',
        'Lexapro continued at 20 milligrams',
      ],
    ],
    [
      'from one dose to another',
      "Let's increase the Zoloft from 50 to 100 milligrams and keep the trazodone at 50.",
      ['Zoloft increased to 100 milligrams', 'trazodone continued at 50'],
    ],
    [
      'the old dose last',
      "Let's go up to 100 milligrams from 50 milligrams on the Zoloft.",
      ['Zoloft increased to 100 milligrams'],
    ],
    [
      'instead of a dose',
      "I'd like to continue Zoloft at 50 milligrams instead of 100 milligrams.",
      ['Zoloft continued at 50 milligrams'],
    ],
    [
      'instead of a medicine',
      "Let's start trazodone 50 milligrams instead of the Ambien 10 milligrams.",
      ['trazodone started at 50 milligrams'],
    ],
    [
      'one stopped and one started',
      "I'm stopping the Paxil 20 milligrams and starting Lexapro 10 milligrams.",
      ['Paxil stopped', 'Lexapro started at 10 milligrams'],
    ],
    [
      'one switched to another',
      "Let's switch from Zyprexa 10 milligrams to Latuda 40 milligrams with dinner.",
      ['Zyprexa stopped', 'switched to Latuda at 40 milligrams'],
    ],
    [
      'the dose before the name',
      "I'll add 50 milligrams of trazodone and continue 100 milligrams of the Zoloft.",
      ['trazodone started at 50 milligrams', 'Zoloft continued at 100 milligrams'],
    ],
    [
      'corrected in the sentence',
      "Let's increase the Zoloft to 150, sorry, 100 milligrams and leave the trazodone at 50 milligrams.",
      ['Zoloft increased to 100 milligrams', 'trazodone continued at 50 milligrams'],
    ],
    [
      'a name corrected',
      "Let's start Celexa, I mean Lexapro, at 10 milligrams.",
      ['Lexapro started at 10 milligrams'],
    ],
    [
      'a dose that rises',
      "I'm going to start Zoloft, 25 milligrams for a week and then 50 milligrams.",
      ['Zoloft started at 25 milligrams for a week and then 50 milligrams'],
    ],
    [
      'two times of the day',
      "We'll keep lithium at 300 milligrams in the morning and 600 milligrams at night.",
      ['lithium continued at 300 milligrams in the morning and 600 milligrams at night'],
    ],
    [
      'brought down beside another',
      "We'll continue the Zoloft at 100 milligrams and bring the lithium down to 600 milligrams.",
      ['Zoloft continued at 100 milligrams', 'lithium decreased to 600 milligrams'],
    ],
    [
      'a name before its verb',
      "Let's increase the Zoloft to 100 milligrams, and the trazodone we'll stop.",
      ['Zoloft increased to 100 milligrams', 'trazodone stopped'],
    ],
    [
      'one that stays the same',
      "Let's increase the Zoloft to 100 milligrams, and the trazodone 50 milligrams stays the same.",
      ['Zoloft increased to 100 milligrams', 'trazodone continued at 50 milligrams'],
    ],
    [
      'changed one’s mind',
      "Let's increase the Zoloft to 100 milligrams, no wait, let's keep it at 50 milligrams.",
      ['Zoloft continued at 50 milligrams'],
    ],
  ])('%s', (_, said, expected) => {
    expect(decided(said)).toEqual(expected)
  })
})

describe('no dose where it is not certain', () => {
  it.each([
    ['half of it', "Let's cut the Zoloft to half of the 100 milligrams.", ['Zoloft decreased']],
    ['cut in half', "Let's lower the Zoloft, so cut the 100 milligrams in half.", ['Zoloft decreased']],
    ['tablets', "Let's continue the Zoloft at two 50 milligram tablets.", ['Zoloft continued']],
    [
      'one dose behind two names',
      "We'll continue the Zoloft and the trazodone at 50 milligrams.",
      ['Zoloft continued', 'trazodone continued'],
    ],
    [
      'two doses behind two names',
      "We'll continue the Zoloft and trazodone, 100 and 50 milligrams.",
      ['Zoloft continued', 'trazodone continued'],
    ],
    ['a difference', "Let's increase the Lamictal by 25 milligrams.", ['Lamictal increased']],
    [
      'a dose that is told of',
      "Let's increase the Zoloft because 50 milligrams isn't enough.",
      ['Zoloft increased'],
    ],
    ['a time of the day', "Let's continue the Zoloft at 9 every morning.", ['Zoloft continued']],
  ])('%s', (_, said, expected) => {
    expect(decided(said)).toEqual(expected)
  })

  it('the dose that was there before a change is not the new one', () => {
    expect(decided('You have tolerated 50 milligrams well.', "Let's increase the Zoloft.")).toEqual([
      'Zoloft increased',
    ])
    expect(decided("You're on Zoloft 50 milligrams, so let's go up on the dose.")).toEqual([
      'Zoloft increased',
    ])
    expect(
      decided("Let's continue the Zoloft at 50 milligrams.", "Actually, let's increase the Zoloft."),
    ).toEqual(['Zoloft increased'])
  })

  it('of two medicines before, "it" is neither', () => {
    expect(decided('You take Zoloft and trazodone.', "Let's increase it to 100 milligrams.")).toEqual([
      'medication increased to 100 milligrams',
    ])
  })
})

describe('what is a decision', () => {
  it('a dose in the next sentence is of the medicine that was decided about', () => {
    expect(decided("Let's increase the Zoloft.", 'Take 100 milligrams every morning.')).toEqual([
      'Zoloft increased to 100 milligrams',
    ])
    expect(decided("Let's increase the Zoloft.", 'And the trazodone stays at 50 milligrams.')).toContain(
      'Zoloft increased',
    )
  })

  it('"stay on it" behind a change is the change', () => {
    expect(decided("Let's start Zoloft at 50 milligrams.", "We'll keep the Zoloft for six weeks.")).toEqual([
      'Zoloft started at 50 milligrams',
    ])
  })

  it.each([
    [
      'a condition',
      "Let's continue the Zoloft at 50 milligrams, and if that doesn't help, add trazodone 50 milligrams.",
    ],
    [
      'a refusal',
      "Let's continue the Zoloft at 50 milligrams, but I don't want to add trazodone 100 milligrams.",
    ],
    ['something else that is kept', "Let's continue the Zoloft at 50 milligrams and start a sleep log."],
  ])('%s is none', (_, said) => {
    expect(decided(said)).toEqual(['Zoloft continued at 50 milligrams'])
  })
})
