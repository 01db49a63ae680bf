import type { Addendum } from '@casenote/contract'
import { useId } from 'preact/hooks'
import { fillCount } from '../../texts/fill.js'
import { formatTime } from '../format.js'
import { Button } from '../parts/button.js'
import { Failure } from '../parts/failure.js'
import { useSession } from '../open-session/session-context.js'
import { useTask } from '../task.js'
import { useTexts, useUi } from '../ui-context.js'
import { nameAuthor } from './note-text.js'

/** What the service takes. A field that cuts off what is pasted would lose it unseen: it is said instead. */
const textLengthMax = 5_000

/** Below the signed text: what was added since, and a place to add. */
export function Addenda({ addenda }: { addenda: readonly Addendum[] }) {
  const { addenda: words } = useTexts()
  const id = useId()
  return (
    <section class="card addenda stack" aria-labelledby={id}>
      <h3 id={id}>{words.title}</h3>
      {addenda.length === 0 ? null : (
        <ol class="plain-list">
          {addenda.map((addendum) => (
            <AddendumView key={addendum.id} addendum={addendum} />
          ))}
        </ol>
      )}
      <AddendumForm />
    </section>
  )
}

function AddendumView({ addendum }: { addendum: Addendum }) {
  const texts = useTexts()
  return (
    <li>
      <p class="muted detail">
        <strong>{nameAuthor(texts, addendum)}</strong> · {formatTime(texts.locale, addendum.createdAt)}
      </p>
      <p class="prose">{addendum.text}</p>
    </li>
  )
}

function AddendumForm() {
  const { texts, announce } = useUi()
  const { addendum } = useSession().model
  const words = texts.value.addenda
  const id = useId()
  const task = useTask()
  const text = addendum.text.value.trim()
  const tooMany = Array.from(text).length - textLengthMax
  const add = async (): Promise<void> => {
    await addendum.add()
    announce(words.added)
  }
  return (
    <form
      class="stack tight"
      onSubmit={(event) => {
        event.preventDefault()
        if (text !== '' && tooMany <= 0) task.run(add)
      }}
    >
      <label for={id}>{words.label}</label>
      <textarea
        id={id}
        rows={2}
        aria-describedby={`${id}-lead`}
        value={addendum.text.value}
        onInput={(event) => addendum.write(event.currentTarget.value)}
      />
      <div class="section-head">
        <p class="muted detail" id={`${id}-lead`} role="status">
          {tooMany > 0 ? fillCount(texts.value, texts.value.typing.tooLong, tooMany) : words.lead}
        </p>
        <Button type="submit" icon="check" isBusy={task.isBusy} isDisabled={text === '' || tooMany > 0}>
          {words.add}
        </Button>
      </div>
      <Failure error={task.failure} />
    </form>
  )
}
