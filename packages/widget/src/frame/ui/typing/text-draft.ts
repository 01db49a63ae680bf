import { signal, type ReadonlySignal } from '@preact/signals'

/** A text and the id that it is sent under. */
export interface Draft {
  id: string
  text: string
  /** What it was once, as it was sent or taken up: edited since, it is still in there. */
  former: readonly string[]
}

export interface TextDraft<Sent> {
  text: ReadonlySignal<string>
  write: (text: string) => void
  /** Below what was typed before, unless that holds it, or came of it. */
  add: (text: string) => Promise<void>
  send: (post: (draft: Draft) => Promise<Sent>) => Promise<Sent>
}

export interface DraftParts {
  read: () => Promise<Draft | null>
  keep: (draft: Draft | null) => void
  newId: () => string
  /** The service has the session with another text. */
  isOtherText: (error: unknown) => boolean
}

const none: Draft = { id: '', text: '', former: [] }

/** A draft is about one session; the texts of more that failed are seldom put into it. */
const formerMost = 5

const addFormer = (former: readonly string[], text: string): string[] =>
  [...former.filter((one) => one !== text), text].slice(-formerMost)

export function makeTextDraft<Sent>({ read, keep, newId, isOtherText }: DraftParts): TextDraft<Sent> {
  const text = signal('')
  let draft = none
  const put = (next: Draft): void => {
    draft = next
    text.value = next.text
    keep(next.text.trim() === '' ? null : next)
  }
  const takeUp = async (): Promise<void> => {
    const left = await read()
    // Whoever was faster than the storage types on.
    if (left !== null && draft === none) put(left)
  }
  const takenUp = takeUp()
  return {
    text,
    // One id until a session answers: who adds a word after an answer that was lost must not get two sessions unasked.
    write: (typed) =>
      put({ id: draft.id || newId(), text: typed, former: typed.trim() === '' ? [] : draft.former }),
    add: async (more) => {
      await takenUp
      const { id, text: before, former } = draft
      if (before.includes(more) || former.includes(more)) return
      const next = before.trim() === '' ? more : `${before}\n\n${more}`
      put({ id: id || newId(), text: next, former: addFormer(former, more) })
    },
    send: async (post) => {
      const sent = draft
      // Before the answer, which may be lost: the service may have it as a session all the same.
      put({ ...sent, former: addFormer(sent.former, sent.text.trim()) })
      const session = await post(sent).catch((error: unknown) => {
        if (isOtherText(error)) put({ ...draft, id: newId() })
        throw error
      })
      // What was typed while it was on its way is the next draft.
      const left = draft.text.startsWith(sent.text) ? draft.text.slice(sent.text.length).trim() : draft.text
      put(left === '' ? none : { id: newId(), text: left, former: [] })
      return session
    },
  }
}
