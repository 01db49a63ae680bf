import { describe, expect, it } from 'vitest'
import { findKind } from './talk.js'

const about = { medication: 0.8 }
const read = (lines: readonly string[]) =>
  findKind('medicine', lines, Object.fromEntries(lines.map((_, index) => [index, about])))
const statuses = (...lines: string[]) => read(lines).map(({ name, status }) => `${name} ${status}`)

describe('what is said behind a name, without it', () => {
  it.each<[string[], string]>([
    [['T: Are you still taking the carbocisteine?', 'C: I packed it in.'], 'carbocisteine stopped'],
    [['T: And Chantix, where are we?', 'C: I stopped. The dreams.'], 'varenicline stopped'],
    [['T: And the zopiclone?', "C: I don't have it now."], 'zopiclone stopped'],
    [['T: And the galantamine?', 'O: It made her sick.'], 'galantamine past'],
    [['C: Then Anafranil. I was so dizzy I couldn’t stand.'], 'clomipramine past'],
    [['C: Sertraline. It made me sick the first week, fine now.'], 'sertraline taken'],
    [['C: I take fluvoxamine.', 'C: And I almost stopped it.'], 'fluvoxamine taken'],
    [["C: I'm on Cerelle.", 'T: The injection can stop it absorbing.'], 'desogestrel taken'],
    [['T: And the melatonin?', 'O: Two milligrams.', 'T: Then carry on with that.'], 'melatonin kept'],
    [
      ['C: I take bendroflumethiazide.', 'T: That pushes it up. I would swap it.'],
      'bendroflumethiazide stopped',
    ],
    [['C: What about that risperidone?', 'T: Only if he is really distressed.'], 'risperidone considered'],
    [['C: And can I have indomethacin?', 'T: Not with your kidneys, no.'], 'indomethacin declined'],
    [['T: How about propranolol?', 'C: Will my asthma mind?', 'T: Scratch that.'], 'propranolol declined'],
  ])('%j: %s', (lines, expected) => {
    expect(statuses(...lines)[0]).toBe(expected)
  })
})

describe('a question takes nothing for granted', () => {
  it.each<[string[], string]>([
    [['T: Did you ever have risperidone before this?', 'C: Risperidone first.'], 'risperidone past'],
    [['T: Were you ever on methadone?', 'C: No.'], 'methadone mentioned'],
    [['T: Any omeprazole?', 'C: No, nothing like that.'], 'omeprazole mentioned'],
    [['T: Did anyone mention acamprosate?', 'C: Is that three times a day?'], 'acamprosate mentioned'],
    [['C: And can I still have my paracetamol?', 'T: Course you can.'], 'paracetamol taken'],
    [["T: And you're off valganciclovir now?", 'C: Yep, in June.'], 'ganciclovir stopped'],
    [['T: Were you ever on methadone?', 'C: I was up to ninety milligrams.'], 'methadone past'],
  ])('%j: %s', (lines, expected) => {
    expect(statuses(...lines)[0]).toBe(expected)
  })
})

describe('the words right before a name', () => {
  it.each<[string, string]>([
    ["T: So instead of the Aleve I'd do ibuprofen.", 'naproxen stopped'],
    ['T: Tylenol is better than Advil for it.', 'ibuprofen mentioned'],
    ['T: Try that, and no Aleve.', 'naproxen mentioned'],
    ["T: We'll hold the Lamictal at fifty.", 'lamotrigine kept'],
    ["T: And hydralazine you'd refused.", 'hydralazine declined'],
    ['C: My doctor wants me on Abilify.', 'aripiprazole considered'],
    ["T: When it's calm we'll talk about allopurinol.", 'allopurinol considered'],
    ['C: I did three months of lymecycline.', 'lymecycline past'],
  ])('%s: %s', (line, expected) => {
    expect(statuses(line)).toContain(expected)
  })
})

it('a no is of the question before it, not of a medicine that was offered earlier', () => {
  expect(statuses("T: So we'll start spironolactone.", 'C: Right.', 'T: Do you smoke?', 'C: No.')).toEqual([
    'spironolactone started',
  ])
})

it('what is said of another medicine does not answer for the first', () => {
  expect(statuses('T: We could try Abilify.', 'C: I had Seroquel once.', 'T: Right.', 'C: Okay.')[0]).toBe(
    'aripiprazole considered',
  )
})

it('what somebody said outweighs what was only asked', () => {
  expect(statuses('T: And dapagliflozin?', 'C: I was on dapagliflozin years ago.')).toEqual([
    'dapagliflozin past',
  ])
})

it.each<[string[]]>([
  [["C: My mate's on clozapine."]],
  [['C: My brother had a problem with that stuff. With Percocet.']],
  [["T: And your dad's on phenytoin still, is he?"]],
  [["C: Mam's on the patches, the Evorel."]],
])("%j is another's", (lines) => {
  expect(read(lines)[0]?.whose).toBe('other')
})
