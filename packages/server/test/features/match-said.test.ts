import { expect, it } from 'vitest'
import type { ItemContent } from '../../src/features/danger/danger-item.js'
import { matchSaid } from '../../src/features/danger/match-said.js'

const content = (label: string, words: string): ItemContent =>
  ({ label, words, transcriptItems: [7], findingIds: [] }) as unknown as ItemContent

it('an item that was answered for does not take over another danger of its corrected line', () => {
  const violence = content('Threat to others', 'I could kill him')
  const suicide = content('Thoughts of suicide', 'I could kill myself')
  const seen = { isOpen: true, isTouched: true, content: violence }
  expect(matchSaid([seen], [suicide], [7])).toEqual({ saidOf: new Map(), fresh: [suicide] })
})

it('an item that nobody has seen follows the words of its line', () => {
  const before = content('Thoughts of suicide', 'I could kill my shelf')
  const now = content('Thoughts of suicide', 'I could kill myself')
  const item = { isOpen: true, isTouched: false, content: before }
  expect(matchSaid([item], [now], [7])).toEqual({ saidOf: new Map([[item, now]]), fresh: [] })
})

it('another danger without a word in common is another item', () => {
  const item = { isOpen: true, isTouched: false, content: content('Abuse', 'He locks me in') }
  const other = content('Thoughts of suicide', 'Better off dead')
  expect(matchSaid([item], [other], [7]).fresh).toEqual([other])
})
