import type { NoteType } from '@casenote/contract'
import { describe, expect, it } from 'vitest'
import { splitSentences } from '../../../src/engines/text/split-sentences.js'
import { readingOf, section, talk } from '../checker/talk.js'
import { extract } from './extract-talk.js'
import { never } from './prose-fixture.js'

const { engine } = extract

const transcript = talk('clinician: Sleep?\nclient: Four hours.')
const fill = (piece: string, length = 49_000): string =>
  piece.repeat(Math.ceil(length / piece.length)).slice(0, length)

const edit = (content: string, instructions: string, noteType: NoteType = 'soap') =>
  engine.editNote(
    {
      noteType,
      treatmentApproaches: [],
      note: [
        {
          ...section(...splitSentences(content).slice(0, 2_000)),
          key: noteType === 'soap' ? 'subjective' : 'plan',
          content,
        },
      ],
      instructions,
      transcript,
      reading: readingOf(),
    },
    never,
  )

describe('edits together grow a note to twice its length and no further', () => {
  const grow = (times: number) =>
    edit(
      `Slept badly. ${'Client talked of work and of the week. '.repeat(20)}The sleep.`,
      Array(times).fill('Replace "sleep" with "sleep sleep sleep sleep".').join(' '),
    )

  it('one does', async () => {
    expect(await grow(1)).toMatchObject({ isDone: true })
  })

  it('twelve of them, by powers of four, do not', async () => {
    expect(await grow(12)).toEqual({
      isDone: false,
      reason: 'With this the note would grow to more than twice its length.',
    })
  })

  it('nor does a section grow beyond what can be sent back', async () => {
    const { reason } = (await edit(fill('Client slept well. '), 'Replace "well" with "very well"')) as {
      reason?: string
    }
    expect(reason).toBe('With this a section would be longer than a section can be.')
  })

  it('a list of more than twenty mentions is not carried out', async () => {
    const mentions = Array.from({ length: 21 }, (_, at) => `thing${at}`).join(', ')
    expect(await edit('Client slept.', `Remove ${mentions}`)).toEqual({
      isDone: false,
      reason: 'The instruction asks for more than 20 changes at once.',
    })
  })
})

describe('what is made to hold up an edit takes no more than a second or so', () => {
  const rows: [what: string, content: string, instructions: string, noteType?: NoteType][] = [
    ['words that are read in two ways', 'Client slept.', `Put it in a ${'format '.repeat(60)}!`],
    [
      'sections that are read in two ways',
      'Client slept.',
      `Remove the ${'plan section and the '.repeat(200)}!`,
    ],
    [
      'a section whose name is two sections',
      'Client slept.',
      `Remove ${'vitals and labs and '.repeat(200)}!`,
      'medication_management',
    ],
    ['places to move to', 'Client slept.', `Move ${'a to the plan '.repeat(300)}!`],
    ['stops', 'Client slept.', `Remove ${'.'.repeat(4_900)}x`],
    ['spaces', 'Client slept.', `Remove a${' '.repeat(4_900)}x`],
    ['a phrase that begins everywhere', fill('a '), `Replace "${'a '.repeat(2_000)}c" with "b"`],
    ['quotes that nothing closes', fill('“'), 'Use initials'],
    [
      'a name in every sentence',
      Array.from({ length: 2_000 }, (_, at) => `brother X${'abcdefghij'[at % 10]}${toLetters(at)}. `).join(
        '',
      ),
      'Use initials',
    ],
    ['the same word everywhere', fill('sleep '), 'Replace "sleep" with "slept"'],
    ['bullets of many sentences', fill('- Slept. Ate. Went. Came. Saw. '.repeat(10)), 'Remove the work line'],
  ]
  /** A busy machine takes ten times as long; what is not linear takes minutes, or no end. */
  const withinMs = 8_000

  it.each(rows)('%s', async (_what, content, instructions, noteType) => {
    const started = performance.now()
    await edit(content, instructions, noteType)
    expect(performance.now() - started).toBeLessThan(withinMs)
  })
})

function toLetters(count: number): string {
  return String(count).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
}
