import { expect, it } from 'vitest'
import type { DangerFinding } from '../../src/engines/reader/reading.js'
import type { ItemContent } from '../../src/features/danger/danger-item.js'
import { gatherSaid } from '../../src/features/danger/gather-said.js'
import { matchSaid } from '../../src/features/danger/match-said.js'
import { findDelayMs, loopDelayMaxMs } from '../support/watch-loop.js'

const find = (id: string, changes: Partial<DangerFinding> = {}): DangerFinding => ({
  kind: 'danger',
  id,
  items: [0],
  words: `SI ${id}.`,
  matter: 'suicide',
  element: 'thoughts',
  standing: 'affirmed',
  time: 'present',
  whose: 'client',
  certainty: 'plain',
  foundBy: 'words',
  questionItem: null,
  ...changes,
})

it('the same words in the same line are one item, and in another line another', () => {
  const words = 'I have the pills.'
  const gathered = gatherSaid([
    find('a', { words, items: [3, 4] }),
    find('b', { words, items: [9] }),
    find('c', { words, items: [4, 5], element: 'means' }),
    find('d', { words, items: [5] }),
    find('e', { words, items: [1], certainty: 'suspected' }),
  ])
  expect(gathered).toMatchObject([
    { words, transcriptItems: [3, 4, 5], findingIds: ['a', 'c', 'd'] },
    { words, transcriptItems: [9], findingIds: ['b'] },
  ])
  expect(gathered[0]?.label.split('; ')).toHaveLength(2)
})

/** As dense as the longest typed text can be. */
const dense = 6_250

it.each([
  ['other words each, in one line', (at: number) => ({ words: `SI ${at}.`, items: [0] })],
  ['other words each, in lines of their own', (at: number) => ({ words: `SI ${at}.`, items: [at] })],
  ['the same words, in one line', () => ({ words: 'SI.', items: [0] })],
  ['the same words, in lines of their own', (at: number) => ({ words: 'SI.', items: [at] })],
])('a text full of danger leaves the loop to the others: %s', async (_title, write) => {
  const findings = Array.from({ length: dense }, (_, at) => find(String(at), write(at)))
  const lines = [...new Set(findings.flatMap(({ items }) => items))].slice(0, 2_000)
  const delayMs = await findDelayMs(loopDelayMaxMs, async () => {
    const said = gatherSaid(findings)
    // Put right since: nothing is found by its words any more, and everything is compared with everything.
    const known = said.slice(0, 100).map((content) => ({
      isOpen: true,
      isTouched: false,
      content: { ...content, words: `${content.words} no` } satisfies ItemContent,
    }))
    matchSaid(known, said, lines)
  })
  expect(delayMs).toBeLessThan(loopDelayMaxMs)
})
