import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { makeTextDraft, type Draft } from '../../../../src/frame/ui/typing/text-draft.js'

type Answer = 'taken' | 'lost' | 'sent already'

/** Answers in turn; nothing is kept on this device. */
const openDraft = (answers: Answer[], whileSending: () => void = () => {}) => {
  const sent: Draft[] = []
  const draft = makeTextDraft<string>({
    read: () => Promise.resolve(null),
    keep: () => {},
    newId: randomUUID,
    isOtherText: (error) => error instanceof Error && error.message === 'sent already',
  })
  const press = () =>
    draft.send((given) => {
      sent.push(given)
      whileSending()
      const answer = answers.shift() ?? 'lost'
      return answer === 'taken' ? Promise.resolve('session') : Promise.reject(new Error(answer))
    })
  return { draft, press, sent }
}

it('has one id until a session answers, whatever is added after an answer that was lost', async () => {
  const { draft, press, sent } = openDraft(['lost', 'taken', 'taken'])
  draft.write('Denies SI')
  await expect(press()).rejects.toThrow('lost')
  draft.write('Denies SI.')
  await press()
  expect(draft.text.value).toBe('')
  draft.write('Another hour.')
  await press()
  const [first, again, next] = sent.map(({ id }) => id)
  expect(again).toBe(first)
  expect(next).not.toBe(first)
})

it('says that another text was sent, keeps what was typed, and is another session only when it is sent then', async () => {
  const { draft, press, sent } = openDraft(['sent already', 'taken'])
  draft.write('Denies SI. One word more.')
  await expect(press()).rejects.toThrow('sent already')
  expect(draft.text.value).toBe('Denies SI. One word more.')
  await press()
  expect(new Set(sent.map(({ id }) => id)).size).toBe(2)
})

it('leaves what was typed while it was on its way, and no more, as the next draft', async () => {
  const opened = openDraft(['taken'], () => opened.draft.write('Denies SI. Sleeps badly.'))
  opened.draft.write('Denies SI.')
  await opened.press()
  expect(opened.draft.text.value).toBe('Sleeps badly.')
})

it('takes up a text beside what was typed before, and only where it does not hold it', async () => {
  const { draft } = openDraft([])
  await draft.add('Denies SI.')
  await draft.add('Denies SI.')
  expect(draft.text.value).toBe('Denies SI.')
  draft.write('')
  draft.write('Sleeps badly.')
  await draft.add('Denies SI.')
  expect(draft.text.value).toBe('Sleeps badly.\n\nDenies SI.')
})

it('takes up no text a second time that was changed since it was taken up, or sent with an answer that was lost', async () => {
  const taken = openDraft([]).draft
  await taken.add('Denies SI.')
  taken.write('Denies SI and HI.')
  await taken.add('Denies SI.')
  expect(taken.text.value).toBe('Denies SI and HI.')
  const { draft, press } = openDraft(['lost'])
  draft.write('Sleeps badly. ')
  await expect(press()).rejects.toThrow('lost')
  draft.write('Sleeps very badly.')
  await draft.add('Sleeps badly.')
  expect(draft.text.value).toBe('Sleeps very badly.')
  // Who has deleted everything wants it back.
  draft.write('')
  await draft.add('Sleeps badly.')
  expect(draft.text.value).toBe('Sleeps badly.')
})
