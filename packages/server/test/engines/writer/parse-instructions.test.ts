import { NOTE_TYPES } from '@casenote/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EditRefusal, type Edit } from '../../../src/engines/writer/embedded/edits/edit.js'
import { parseInstructions } from '../../../src/engines/writer/embedded/edits/parse-instructions.js'

const parse = (text: string) => parseInstructions(text, 'soap')
const shorten = (scope: string[] | null, limit: unknown = null) => ({ kind: 'shorten', scope, limit })
const layout = (scope: string[] | null, to: string) => ({ kind: 'layout', scope, layout: to })
const remove = (mentions: string[], scope: string[] | null = null, isWholeSentence = false) => ({
  kind: 'remove',
  scope,
  mentions,
  isWholeSentence,
})
const replace = (from: string, to: string, scope: string[] | null = null) => ({
  kind: 'replace',
  scope,
  from,
  to,
})
const include = (topic: string | null, scope: string[] | null = null, mustBeNew = false) => ({
  kind: 'lengthen',
  scope,
  topic,
  mustBeNew,
})
const wording = (to: string) => ({ kind: 'wording', scope: null, to })
const pastTense = { kind: 'past_tense', scope: null }
const initials = (names: string[] = []) => ({ kind: 'initials', scope: null, names })

const understood: [string, unknown[]][] = [
  ['make it shorter', [shorten(null)]],
  ['please condense the plan', [shorten(['plan'])]],
  ['Can you make this more concise, please?', [shorten(null)]],
  ['The plan is too long.', [shorten(['plan'])]],
  ['I want the assessment to be more concise', [shorten(['assessment'])]],
  ['summarize the subjective', [shorten(['subjective'])]],
  ['make the plan 2 sentences', [shorten(['plan'], { unit: 'sentences', count: 2, isOfEach: true })]],
  [
    'limit the assessment to 50 words',
    [shorten(['assessment'], { unit: 'words', count: 50, isOfEach: true })],
  ],
  ['Make the note longer', [include(null, null, true)]],
  ['Expand the subjective section.', [include(null, ['subjective'], true)]],
  ['Add more details to the assessment', [include(null, ['assessment'], true)]],
  ['Add more detail about her sleep', [include('her sleep', null, true)]],
  ['add the next appointment to the plan', [include('the next appointment', ['plan'])]],
  ['use bullet points in the assessment', [layout(['assessment'], 'bullets')]],
  ["I'd like bullet points", [layout(null, 'bullets')]],
  ['no bullet points please', [layout(null, 'paragraph')]],
  ["don't use bullets", [layout(null, 'paragraph')]],
  ['paragraphs, not bullets', [layout(null, 'paragraph')]],
  ['convert the bullets to paragraphs', [layout(null, 'paragraph')]],
  [
    'bullet points everywhere except the plan',
    [layout(['subjective', 'objective', 'assessment'], 'bullets')],
  ],
  ['Write everything in the past tense', [pastTense]],
  ['change the tense to past', [pastTense]],
  ['say patient instead of client', [wording('patient')]],
  ['refer to the client as patient', [wording('patient')]],
  ['Use “patient” instead of “client” throughout.', [wording('patient')]],
  ['use client wording', [wording('client')]],
  ['Replace names with initials', [initials()]],
  ['use initials for Sarah and Tom', [initials(['Sarah', 'Tom'])]],
  ['remove the mention of her brother', [remove(['her brother'])]],
  ['delete the sentence about alcohol', [remove(['alcohol'], null, true)]],
  ['leave out the references to his wife and kids', [remove(['his wife', 'kids'])]],
  ["don't mention her job", [remove(['her job'])]],
  ['take out anything about work from the subjective section', [remove(['work'], ['subjective'])]],
  ['In the plan, remove the mention of exercise', [remove(['exercise'], ['plan'])]],
  ['replace zoloft with sertraline', [replace('zoloft', 'sertraline')]],
  ['swap zoloft for sertraline', [replace('zoloft', 'sertraline')]],
  ['substitute sertraline for zoloft', [replace('zoloft', 'sertraline')]],
  ['change 50 mg to 100 mg', [replace('50 mg', '100 mg')]],
  ['replace Dr. Smith with the psychiatrist', [replace('Dr. Smith', 'the psychiatrist')]],
  [
    'replace "feels sad" with "reports low mood" in the subjective',
    [replace('feels sad', 'reports low mood', ['subjective'])],
  ],
  ['move the sleep paragraph to the plan', [{ kind: 'move', scope: null, mention: 'sleep', to: 'plan' }]],
  [
    'move the sentence about medication from subjective to plan',
    [{ kind: 'move', scope: ['subjective'], mention: 'medication', to: 'plan' }],
  ],
  [
    'move everything from objective to subjective',
    [{ kind: 'move', scope: ['objective'], mention: null, to: 'subjective' }],
  ],
  ['turn this into a DAP note', [{ kind: 'note_type', to: 'dap' }]],
  ['use the GIRP format instead of SOAP', [{ kind: 'note_type', to: 'girp' }]],
  ['change note type to psychotherapy intake', [{ kind: 'note_type', to: 'psychotherapy_intake' }]],
  ['convert to a psych eval', [{ kind: 'note_type', to: 'psychiatric_evaluation' }]],
  [
    'Shorten the plan and mention the next appointment.',
    [shorten(['plan']), include('the next appointment')],
  ],
  [
    'make the assessment shorter and in bullets',
    [shorten(['assessment']), layout(['assessment'], 'bullets')],
  ],
  [
    'Bullets in the plan and paragraphs in the assessment',
    [layout(['plan'], 'bullets'), layout(['assessment'], 'paragraph')],
  ],
  ['replace 0.5 mg with 1 mg. Shorten the plan.', [replace('0.5 mg', '1 mg'), shorten(['plan'])]],
  ['make it shorter but keep the risk statement', [shorten(null), { kind: 'keep', mentions: ['risk'] }]],
  ['1. Shorten the assessment\n2. Use past tense', [shorten(['assessment']), pastTense]],
  [
    'Make it shorter; then turn it into a DAP note and put the data in bullets.',
    [shorten(null), { kind: 'note_type', to: 'dap' }, layout(['data'], 'bullets')],
  ],
]

/** Written after the grammar, by nobody's habit: 47 of 60 such wordings were understood at first. */
const alsoUnderstood: [string, unknown[]][] = [
  ['This is way too long, cut it down', [shorten(null), shorten(null)]],
  ['Give me a shorter version', [shorten(null)]],
  ['The subjective needs to be shorter', [shorten(['subjective'])]],
  ['reduce the length of the assessment', [shorten(['assessment'])]],
  ["I'd like more detail in the subjective", [include(null, ['subjective'], true)]],
  ['include what he said about his medication', [include('his medication')]],
  ['bulletize the plan', [layout(['plan'], 'bullets')]],
  ['format the plan as a list', [layout(['plan'], 'bullets')]],
  ['I prefer paragraphs', [layout(null, 'paragraph')]],
  ['call him the patient', [wording('patient')]],
  ['no names, only initials', [initials()]],
  ["don't use people's names, use initials", [initials(), initials()]],
  ['the homework belongs in the plan', [{ kind: 'move', scope: null, mention: 'the homework', to: 'plan' }]],
  ['can this be a GIRP note instead?', [{ kind: 'note_type', to: 'girp' }]],
  ['Make the plan more succinct and use bullets', [shorten(['plan']), layout(['plan'], 'bullets')]],
  ['Shorten the plan and use bullets everywhere', [shorten(['plan']), layout(null, 'bullets')]],
  ['Shorten the plan. Use bullets.', [shorten(['plan']), layout(null, 'bullets')]],
]

const refused: [string, RegExp][] = [
  ['fix the typos', /does not understand “fix the typos”.*make it shorter or longer/],
  ['Make it sound more professional', /does not understand/],
  ['translate to Spanish', /does not understand/],
  ['make it shorter and frobnicate', /does not understand/],
  ['shorten the plan and fix the typos', /does not understand “fix the typos”/],
  ['do not make it shorter', /does not understand/],
  ['make it shorter for the insurance', /does not understand/],
  ['present tense please', /past tense only/],
  ['use a numbered list', /no numbered lists/],
  ['remove the plan', /whole section/],
  ['remove all names', /initials/],
  ['shorten the data section', /no section “data”.*Subjective, Objective, Assessment, Plan/],
  ['move the sleep part to the billing', /only to a section of this note/],
  ['Change client to patient and patient to client', /quotation marks/],
  ['the dose should be 100 mg', /does not understand/],
  ['shorten the plan to 0 sentences', /to nothing/],
  ['please', /asks for nothing/],
  ['get rid of the last sentence', /Name what the sentence is about/],
  ['Sertraline was started at 50 mg today.', /does not understand/],
]

describe('instructions of a magic edit', () => {
  it.each([...understood, ...alsoUnderstood])('understands: %s', (text, edits) => {
    expect(parse(text)).toEqual(edits)
  })

  it.each(refused)('refuses: %s', (text, reason) => {
    expect(() => parse(text)).toThrow(reason)
    expect(() => parse(text)).toThrow(EditRefusal)
  })

  it('reads section names of the template that the note has by then', () => {
    expect(parseInstructions('Turn it into a BIRP note and shorten the response', 'soap')).toEqual([
      { kind: 'note_type', to: 'birp' },
      shorten(['response']),
    ])
    expect(parseInstructions('use bullets in the HPI and MSE', 'psychiatric_evaluation')).toEqual([
      layout(['history_of_present_illness', 'mental_status_exam'], 'bullets'),
    ])
    expect(parseInstructions('shorten the risk assessment', 'medication_management')).toEqual([
      shorten(['risk_assessment']),
    ])
  })

  it('takes courtesies for what they are', () => {
    const politely = fc.constantFrom(
      (text: string) => `Please ${text}`,
      (text: string) => `Could you ${text}, please?`,
      (text: string) => `Hi, can you please ${text}? Thanks!`,
      (text: string) => `I would like you to ${text}.`,
      (text: string) => `${text} please`,
    )
    const plain = fc.constantFrom(
      'shorten the plan',
      'use bullets',
      'remove the mention of her brother',
      'move the sleep part to the plan',
    )
    fc.assert(
      fc.property(plain, politely, (text, polite) => {
        expect(parse(polite(text))).toEqual(parse(text))
      }),
    )
  })

  it('parses or refuses any text, and does neither with another error', () => {
    const words =
      'the plan and then shorter longer bullets remove move replace with to instead of "a" not keep in section . ; , 5 mg'
    const piece = fc.oneof(fc.constantFrom(...words.split(' ')), fc.string({ maxLength: 6 }))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 25 }), fc.constantFrom(...NOTE_TYPES), (pieces, noteType) => {
        let edits: Edit[] = []
        try {
          edits = parseInstructions(pieces.join(' '), noteType)
        } catch (error) {
          expect(error).toBeInstanceOf(EditRefusal)
          return
        }
        expect(edits.length).toBeGreaterThan(0)
      }),
      { numRuns: 500 },
    )
  })

  it('reads the longest instruction without getting lost in it', () => {
    const long = [
      'remove the mention of ',
      'a and b ',
      'to in of the plan ',
      'the the ',
      'use a not b ',
      '"',
      "'a ",
      'x, ',
    ]
    for (const text of long) {
      try {
        parse(text.repeat(5000).slice(0, 5000))
      } catch (error) {
        expect(error).toBeInstanceOf(EditRefusal)
      }
    }
  })
})
